//! Pieces of a body and their spheres, for those who resolve contacts at a level of the tree.

use super::Body;
use super::children::EightVolumes;
use super::volume::Volume;
use crate::answer::QueryStats;
use crate::math::{Aabb, Sphere};
use crate::tree::{NodeId, Piece};

impl Body {
    /// The pieces into which a level divides the surface, see [`Shape::pieces`](crate::Shape::pieces). They are those of the
    /// shape, unless vertices were given together with a new tree ([`VertexUpdate::Rebuild`](crate::VertexUpdate::Rebuild)).
    pub fn pieces(&self, level: u32) -> Vec<Piece> {
        self.tree().pieces(level)
    }

    /// The sphere of a node in the current pose: it contains every vertex below the node. `None` if there is no such node.
    pub fn node_sphere(&mut self, node: NodeId) -> Option<Sphere> {
        self.node_bound(node)
    }

    /// The box of a node in the current pose: it contains every vertex below the node. `None` if there is no such node.
    ///
    /// It may be tighter if it is asked for the first time after a query that posed the whole body.
    pub fn node_box(&mut self, node: NodeId) -> Option<Aabb> {
        self.node_bound(node)
    }

    /// The box of a node, if a question has needed it since the body was last posed. Computes nothing: it shows where questions looked.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use glam::Vec3;
    /// # use supple::{Body, BuildOptions, Ray, Shape, Skinning};
    /// let man = Arc::new(Shape::build(supple_zoo::make("man", 0)?, &BuildOptions::default())?);
    /// let mut body = Body::new(&man, Skinning::Linear)?;
    /// assert_eq!(body.known_box(man.root()), None);
    /// supple::cast_ray(&mut body, Ray::new(Vec3::new(0.0, 1.2, 5.0), Vec3::NEG_Z)?);
    /// assert!(body.known_box(man.root()).is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn known_box(&self, node: NodeId) -> Option<Aabb> {
        let node = node.0 as usize;
        if node >= self.tree().nodes.len() {
            return None;
        }
        let parent = self.tree().parent(node);
        let entry = Aabb::stored_ref(&self.cache).find(parent)?;
        Some(self.bounds::<Aabb>(entry).bounds.get(node - self.tree().children(parent).start))
    }

    fn node_bound<V: Volume>(&mut self, node: NodeId) -> Option<V> {
        let node = node.0 as usize;
        if node >= self.tree().nodes.len() {
            return None;
        }
        let parent = self.tree().parent(node);
        let first = self.tree().children(parent).start;
        let entry = self.children::<V>(parent, &mut QueryStats::default());
        Some(self.bounds::<V>(entry).bounds.get(node - first))
    }
}
