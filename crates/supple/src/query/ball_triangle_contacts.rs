//! Which pieces of a body, as balls, reach which triangles of another.
//!
//! Must hold: every triangle that touches one of a piece is reported with that piece.
//!
//! Based on: D. L. James, D. K. Pai, BD-Tree, 2004, section 4 (fish on the bridge, whose triangles are the contact geometry).

use glam::Vec3;

use super::QueryStats;
use super::bounded_walk::{Meeting, boxes_within, walk_bounded};
use super::walk::Visited;
use crate::math::{Aabb, Sphere};
use crate::narrow::{PointOnTriangle, closest_point_of_triangle};
use crate::refit::{Body, PosedLeaf};
use crate::simd::{Eight, places};

/// A ball of one body and a triangle of another that reaches into it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TriangleContact {
    /// The node of the ball.
    pub node: u32,
    /// The ball: it contains everything below its node.
    pub ball: Sphere,
    /// The triangle.
    pub triangle: u32,
    /// The point of the triangle that is nearest to the ball's centre.
    pub point: Vec3,
}

/// Finds the triangles of a body `b` that pieces of a body `a` reach, which are balls at a level of its tree: see
/// [`Shape::pieces`](crate::Shape::pieces). The contacts are ascending by nodes, then by triangles; the vector is cleared first and keeps
/// its memory from frame to frame.
///
/// What is reported overlaps. A triangle that a ball reaches is reported if the balls above it reach the triangle as well, and
/// may be left out if not; a triangle that touches one of a piece is never left out, as all balls around the piece contain the contact.
///
/// ```
/// # use std::sync::Arc;
/// # use glam::Vec3;
/// # use supple::{Body, BuildOptions, Shape, Skinning, math::Isometry, mesh::Mesh, model::Model};
/// # let shape = Arc::new(Shape::build(Arc::new(supple_zoo::make("fish", 0)?), &BuildOptions::default())?);
/// let mut fish = Body::new(&shape, Skinning::Linear)?;
/// let corners = vec![Vec3::new(-9.0, 0.0, -9.0), Vec3::Z * 9.0, Vec3::X * 9.0];
/// let floor = Shape::build(Model::rigid(Mesh::new(corners, vec![[0, 1, 2]])?), &BuildOptions::default())?;
/// let mut floor = Body::new(&Arc::new(floor), Skinning::Linear)?;
/// let mut contacts = Vec::new();
/// supple::ball_triangle_contacts(&mut fish, 2, &mut floor, &mut contacts);
/// assert!(contacts.iter().all(|contact| contact.triangle == 0 && contact.point.y == 0.0));
/// fish.place(Isometry::from_translation(Vec3::Y * 99.0))?;
/// supple::ball_triangle_contacts(&mut fish, 2, &mut floor, &mut contacts);
/// assert!(contacts.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn ball_triangle_contacts(
    a: &mut Body,
    level: usize,
    b: &mut Body,
    contacts: &mut Vec<TriangleContact>,
) -> QueryStats {
    contacts.clear();
    let stats = walk_bounded::<Aabb>([a, b], [level, usize::MAX], contacts);
    contacts.sort_unstable_by_key(|contact| [contact.node, contact.triangle]);
    stats
}

impl Meeting<Aabb> for Vec<TriangleContact> {
    #[inline(always)]
    fn meet<E: Eight>(
        &mut self,
        b: &mut Body,
        own: &Visited<Sphere>,
        other: &Visited<Aabb>,
        stats: &mut QueryStats,
    ) {
        let slot = b.leaf(other.node, stats);
        let (leaf, tree) = (b.posed_leaf(slot), b.tree());
        let triangles = &tree.triangles[tree.nodes[other.node].range()];
        let (node, ball) = (own.node as u32, own.bound);
        for place in places(boxes_within::<E>(&leaf.boxes, &ball) & leaf.present) {
            stats.triangle_tests += 1;
            let nearest = nearest(&ball, leaf, place);
            if nearest.distance_sq <= f64::from(ball.radius) * f64::from(ball.radius) {
                let (triangle, point) = (triangles[place], nearest.point.as_vec3());
                self.push(TriangleContact { node, ball, triangle, point });
            }
        }
    }
}

/// Not inlined: long, and in f64.
#[inline(never)]
fn nearest(ball: &Sphere, leaf: &PosedLeaf, place: usize) -> PointOnTriangle {
    closest_point_of_triangle(ball.center, &leaf.triangle(place))
}
