//! Which pieces of a body, as balls, reach below a plane.
//!
//! Must hold: every piece is reported that has a vertex on the plane or below it.

use super::QueryStats;
use super::walk::{Place, visited};
use crate::math::Sphere;
use crate::narrow::Plane;
use crate::refit::Body;
use crate::simd::places;

/// A ball that touches a plane or reaches below it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlaneContact {
    /// The node of the ball.
    pub node: u32,
    /// The ball: it contains everything below its node.
    pub ball: Sphere,
}

/// Finds the pieces of a body that reach below a plane, as balls at a level of the tree: see [`Shape::pieces`](crate::Shape::pieces).
/// Ascending by nodes; the vector is cleared first and keeps its memory from frame to frame.
///
/// Reported are exactly the pieces whose ball reaches the plane, and so do the balls of all nodes above it.
///
/// ```
/// # use std::sync::Arc;
/// # use glam::Vec3;
/// # use supple::{Body, BuildOptions, Shape, Skinning, math::Isometry, narrow::Plane};
/// # let shape = Arc::new(Shape::build(Arc::new(supple_zoo::make("chair", 0)?), &BuildOptions::default())?);
/// let mut chair = Body::new(&shape, Skinning::Linear)?;
/// let lowest = chair.bound().min.y;
/// let mut contacts = Vec::new();
/// supple::ball_plane_contacts(&mut chair, 3, &Plane::new(Vec3::Y, lowest + 0.01)?, &mut contacts);
/// assert!(!contacts.is_empty()); // the feet
/// supple::ball_plane_contacts(&mut chair, 3, &Plane::new(Vec3::Y, lowest - 9.0)?, &mut contacts);
/// assert!(contacts.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn ball_plane_contacts(
    a: &mut Body,
    level: usize,
    plane: &Plane,
    contacts: &mut Vec<PlaneContact>,
) -> QueryStats {
    contacts.clear();
    let mut stats = QueryStats::default();
    let mut open = a.take_open_pairs();
    let cut = u32::try_from(level).unwrap_or(u32::MAX);
    let root = a.children::<Sphere>(a.above_root(), &mut stats);
    push_reaching(a, root, 0, plane, &mut open, &mut stats);
    while let Some((place, level)) = open.pop() {
        let own = visited::<Sphere>(a, Place(place));
        if own.leaf || level >= cut {
            contacts.push(PlaneContact { node: own.node as u32, ball: own.bound });
        } else {
            let slot = a.children::<Sphere>(own.node, &mut stats);
            push_reaching(a, slot, level + 1, plane, &mut open, &mut stats);
        }
    }
    a.keep_open_pairs(open);
    contacts.sort_unstable_by_key(|contact| contact.node);
    stats
}

/// Pushes the children that reach the plane, with their level.
fn push_reaching(
    body: &Body,
    slot: usize,
    level: u32,
    plane: &Plane,
    open: &mut Vec<(u32, u32)>,
    stats: &mut QueryStats,
) {
    let children = body.bounds::<Sphere>(slot);
    stats.node_visits += u64::from(children.count);
    let reaching = children.bounds.those(children.present(), |ball| plane.is_reached_by(ball));
    open.extend(places(reaching).map(|place| (Place::new(slot, place).0, level)));
}
