//! Spheres that contain the triangles of each class in a body's pose.
//!
//! Must hold: the sphere of a class contains every vertex of its triangles, as the body computes them.

use glam::Vec3;

use super::Body;
use crate::answer::{Answer, QueryStats};
use crate::math::{Sphere, smallest_enclosing_sphere};
use crate::tree::{ClassError, TriangleClasses};

impl TriangleClasses {
    /// A sphere per class, in the order of the classes: it contains all triangles of the class in the body's current pose. Spheres that were
    /// computed are counted as refits.
    ///
    /// Costs O(joints + coefficients) per class: spheres follow from joint matrices and weights, as the bounds of the tree do, and no
    /// vertex is posed. Where vertices were given ([`Body::set_vertices`]) they are the smallest spheres around those, in O(vertices).
    /// Nothing is kept: asked twice, it computes twice. To find out which triangles touch, start with
    /// [`self_collide_between`](crate::self_collide_between) right away: boxes of its tree are tighter than these spheres.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use supple::{Body, BuildOptions, Shape, Skinning, TriangleClasses};
    ///
    /// let man = Arc::new(supple_zoo::make("man", 0)?);
    /// let shape = Arc::new(Shape::build(Arc::clone(&man), &BuildOptions::default())?);
    /// let right = |corners: &[u32; 3]| u32::from(man.mesh().positions()[corners[0] as usize].x < 0.0);
    /// let sides = TriangleClasses::new(&shape, man.mesh().triangles().iter().map(right).collect())?;
    ///
    /// let mut body = Body::new(&shape, Skinning::Linear)?;
    /// body.set_pose(&man.sample(man.clip("walk")?, 0.3)?)?;
    /// let spheres = sides.enclosing_spheres(&mut body)?.found;
    /// assert_eq!(spheres.len(), 2);
    /// let [corner, ..] = man.mesh().triangles()[0];
    /// assert!(spheres[sides.class_of(0) as usize].contains(body.position(corner)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The body has another shape.
    pub fn enclosing_spheres(&self, body: &mut Body) -> Result<Answer<Vec<Sphere>>, ClassError> {
        let mut found = Vec::new();
        let stats = self.enclosing_spheres_into(body, &mut found)?;
        Ok(Answer { found, stats })
    }

    /// Like [`enclosing_spheres`](Self::enclosing_spheres), into a vector that is cleared first and keeps its memory from frame to frame.
    ///
    /// # Errors
    /// The body has another shape; the vector is then unchanged.
    pub fn enclosing_spheres_into(
        &self,
        body: &mut Body,
        spheres: &mut Vec<Sphere>,
    ) -> Result<QueryStats, ClassError> {
        self.check(body.shape())?;
        spheres.clear();
        let stats = QueryStats { refits: self.count() as u64, ..QueryStats::default() };
        if !body.has_given_vertices() {
            spheres.extend((0..self.count()).map(|class| body.sphere_of_groups(self.groups(), class)));
            return Ok(stats);
        }
        let mut points: Vec<Vec3> = Vec::new();
        for class in 0..self.count() {
            points.clear();
            for &triangle in self.triangles_of(class) {
                let corners = body.model().mesh().triangles()[triangle as usize];
                points.extend(corners.map(|vertex| body.position(vertex)));
            }
            spheres.push(smallest_enclosing_sphere(&points));
        }
        Ok(stats)
    }
}
