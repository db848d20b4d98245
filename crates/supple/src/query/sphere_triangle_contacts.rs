//! Which pieces of a body, as spheres, meet which triangles of another.
//!
//! Must hold: every triangle that touches one of a piece is reported with that piece.
//!
//! Based on: D. L. James, D. K. Pai, BD-Tree, 2004, section 4 (fish on the bridge, whose triangles are the contact geometry).

use glam::Vec3;

use super::bounded_walk::{Meeting, boxes_within, walk_bounded};
use super::walk::Visited;
use crate::answer::{Answer, QueryStats};
use crate::math::{Aabb, Sphere};
use crate::narrow::{PointOnTriangle, closest_point_of_triangle};
use crate::refit::{Body, Leaves, PosedLeaf};
use crate::simd::{Eight, lanes};
use crate::tree::NodeId;

/// A sphere of one body and a triangle of another that overlaps it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TriangleContact {
    /// The node of the sphere.
    pub node: NodeId,
    /// The sphere: it contains everything below its node.
    pub sphere: Sphere,
    /// The triangle.
    pub triangle: u32,
    /// The point of the triangle that is nearest to the sphere's center.
    pub point: Vec3,
}

/// The triangles of a body `b` that overlap pieces of a body `a`, which are spheres at a level of its tree (see
/// [`Shape::pieces`](crate::Shape::pieces)); ascending by nodes, then by triangles.
///
/// What is reported overlaps. A triangle that overlaps a sphere is reported if it overlaps the spheres above it as well, and
/// may be left out if not; a triangle that touches one of a piece is never left out, as all spheres around the piece contain the contact.
///
/// Costs a walk to the level in `a` and to the triangles in `b`. Where both bodies are coarse enough as spheres,
/// [`sphere_contacts`](crate::sphere_contacts) costs less.
///
/// ```
/// # use std::sync::Arc;
/// # use glam::Vec3;
/// # use supple::{Body, BuildOptions, Isometry, Mesh, Model, Shape, Skinning};
/// # let shape = Arc::new(Shape::build(supple_zoo::make("fish", 0)?, &BuildOptions::default())?);
/// let mut fish = Body::new(&shape, Skinning::Linear)?;
/// let corners = vec![Vec3::new(-9.0, 0.0, -9.0), Vec3::Z * 9.0, Vec3::X * 9.0];
/// let floor = Shape::build(Model::rigid(Mesh::new(corners, vec![[0, 1, 2]])?), &BuildOptions::default())?;
/// let mut floor = Body::new(&Arc::new(floor), Skinning::Linear)?;
/// let contacts = supple::sphere_triangle_contacts(&mut fish, &mut floor, 2).found;
/// assert!(contacts.iter().all(|contact| contact.triangle == 0 && contact.point.y == 0.0));
/// fish.set_placement(Isometry::from_translation(Vec3::Y * 99.0))?;
/// assert!(supple::sphere_triangle_contacts(&mut fish, &mut floor, 2).found.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn sphere_triangle_contacts(a: &mut Body, b: &mut Body, level: u32) -> Answer<Vec<TriangleContact>> {
    let mut found = Vec::new();
    let stats = sphere_triangle_contacts_into(a, b, level, &mut found);
    Answer { found, stats }
}

/// Like [`sphere_triangle_contacts`], into a vector that is cleared first and keeps its memory from frame to frame.
pub fn sphere_triangle_contacts_into(
    a: &mut Body,
    b: &mut Body,
    level: u32,
    contacts: &mut Vec<TriangleContact>,
) -> QueryStats {
    contacts.clear();
    let stats = walk_bounded::<Aabb>([a, b], [level, u32::MAX], contacts);
    contacts.sort_unstable_by_key(|contact| (contact.node, contact.triangle));
    stats
}

impl Meeting<Aabb> for Vec<TriangleContact> {
    #[inline(always)]
    fn meet<E: Eight>(
        &mut self,
        b: &mut Body,
        leaves_b: &mut Leaves,
        own: &Visited<Sphere>,
        other: &Visited<Aabb>,
        stats: &mut QueryStats,
    ) {
        let entry = b.leaf(other.node, leaves_b);
        let (leaf, tree) = (leaves_b.get(entry), b.tree());
        let triangles = &tree.triangles[tree.nodes[other.node].range()];
        let (node, sphere) = (NodeId(own.node as u32), own.bound);
        for lane in lanes(boxes_within::<E>(&leaf.boxes, &sphere) & leaf.present) {
            stats.triangle_tests += 1;
            let nearest = nearest(&sphere, leaf, lane);
            if nearest.distance_sq <= f64::from(sphere.radius) * f64::from(sphere.radius) {
                let (triangle, point) = (triangles[lane], nearest.point.as_vec3());
                self.push(TriangleContact { node, sphere, triangle, point });
            }
        }
    }
}

/// Not inlined: long, and in f64.
#[inline(never)]
fn nearest(sphere: &Sphere, leaf: &PosedLeaf, lane: usize) -> PointOnTriangle {
    closest_point_of_triangle(sphere.center, &leaf.triangle(lane))
}
