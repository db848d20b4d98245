//! Which pieces of a body, as spheres, touch a plane or are below it.
//!
//! Must hold: every piece is reported that has a vertex on the plane or below it.

use super::walk::visited;
use crate::answer::{Answer, QueryStats};
use crate::math::Sphere;
use crate::narrow::Plane;
use crate::refit::{Body, ChildAt, LevelledChild, Scratch};
use crate::simd::lanes;
use crate::tree::NodeId;

/// A sphere that touches a plane or is, at least partly, below it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PlaneContact {
    /// The node of the sphere.
    pub node: NodeId,
    /// The sphere: it contains everything below its node.
    pub sphere: Sphere,
}

/// The pieces of a body that touch a plane or are partly below it, as spheres at a level of the tree (see
/// [`Shape::pieces`](crate::Shape::pieces)); ascending by nodes.
///
/// Reported are exactly the pieces whose own sphere touches the plane, as do the spheres of all nodes above it.
///
/// Costs a descent to the level where the body is near the plane: for floors and walls that need no mesh.
///
/// ```
/// # use std::sync::Arc;
/// # use glam::Vec3;
/// # use supple::{Body, BuildOptions, Plane, Shape, Skinning};
/// # let shape = Arc::new(Shape::build(supple_zoo::make("chair", 0)?, &BuildOptions::default())?);
/// let mut chair = Body::new(&shape, Skinning::Linear)?;
/// let lowest = chair.bound().min.y;
/// let floor = Plane::new(Vec3::Y, lowest + 0.01)?;
/// assert!(!supple::sphere_plane_contacts(&mut chair, floor, 3).found.is_empty()); // the feet
/// let far_below = Plane::new(Vec3::Y, lowest - 9.0)?;
/// assert!(supple::sphere_plane_contacts(&mut chair, far_below, 3).found.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn sphere_plane_contacts(body: &mut Body, plane: Plane, level: u32) -> Answer<Vec<PlaneContact>> {
    let mut found = Vec::new();
    let stats = sphere_plane_contacts_into(body, plane, level, &mut found);
    Answer { found, stats }
}

/// Like [`sphere_plane_contacts`], into a vector that is cleared first and keeps its memory from frame to frame.
pub fn sphere_plane_contacts_into(
    body: &mut Body,
    plane: Plane,
    level: u32,
    contacts: &mut Vec<PlaneContact>,
) -> QueryStats {
    contacts.clear();
    let mut stats = QueryStats::default();
    Scratch::lend(|Scratch { levelled: open, .. }| {
        let root = body.children::<Sphere>(body.above_root(), &mut stats);
        push_touching(body, root, 0, &plane, open, &mut stats);
        while let Some(next) = open.pop() {
            let own = visited::<Sphere>(body, next.child);
            if own.leaf || next.level >= level {
                contacts.push(PlaneContact { node: NodeId(own.node as u32), sphere: own.bound });
            } else {
                let entry = body.children::<Sphere>(own.node, &mut stats);
                push_touching(body, entry, next.level + 1, &plane, open, &mut stats);
            }
        }
    });
    contacts.sort_unstable_by_key(|contact| contact.node);
    stats
}

/// Pushes the children that touch the plane, with their level.
fn push_touching(
    body: &Body,
    entry: usize,
    level: u32,
    plane: &Plane,
    open: &mut Vec<LevelledChild>,
    stats: &mut QueryStats,
) {
    let children = body.bounds::<Sphere>(entry);
    stats.node_visits += u64::from(children.count);
    let touching = children.bounds.those(children.present(), |sphere| plane.touches(*sphere));
    open.extend(lanes(touching).map(|lane| LevelledChild { child: ChildAt::new(entry, lane), level }));
}
