//! Which pieces of two bodies meet, as spheres: contacts at a level of the tree, for simulators with penalty forces.
//!
//! Must hold: every pair of touching triangles lies in pieces that are reported.
//!
//! Based on: D. L. James, D. K. Pai, BD-Tree, 2004, sections 3.4 and 4.

use super::bounded_walk::{Meeting, walk_bounded};
use super::walk::Visited;
use crate::answer::{Answer, QueryStats};
use crate::math::Sphere;
use crate::refit::{Body, Leaves};
use crate::simd::Eight;
use crate::tree::NodeId;

/// One sphere of each of two bodies that overlap: each contains everything below its node.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SphereContact {
    /// A node of the first body, and one of the second.
    pub nodes: [NodeId; 2],
    /// Their spheres.
    pub spheres: [Sphere; 2],
}

/// The pieces of two bodies that meet, as spheres, at a level of each tree (see [`Shape::pieces`](crate::Shape::pieces)); ascending by
/// nodes.
///
/// What is reported overlaps, and every pair of touching triangles lies in pieces that are reported. Pieces whose triangles do
/// not touch are reported as well where their spheres overlap, and left out only if, further up, spheres around more of them are apart.
///
/// Costs a walk to the levels: each level down has up to eight times the spheres. Meant for simulators that resolve contacts at spheres; for the
/// truth about triangles ask [`collide`](crate::collide).
///
/// ```
/// # use std::sync::Arc;
/// # use glam::Vec3;
/// # use supple::{Body, BuildOptions, Isometry, Shape, Skinning};
/// # let shape = Arc::new(Shape::build(supple_zoo::make("chair", 0)?, &BuildOptions::default())?);
/// let mut a = Body::new(&shape, Skinning::Linear)?;
/// let mut b = Body::new(&shape, Skinning::Linear)?;
/// b.set_placement(Isometry::from_translation(Vec3::X * 0.2))?;
/// let contacts = supple::sphere_contacts(&mut a, &mut b, [2, 2]).found;
/// assert!(!contacts.is_empty());
/// assert!(contacts.iter().all(|contact| contact.spheres[0].intersects(&contact.spheres[1])));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn sphere_contacts(a: &mut Body, b: &mut Body, levels: [u32; 2]) -> Answer<Vec<SphereContact>> {
    let mut found = Vec::new();
    let stats = sphere_contacts_into(a, b, levels, &mut found);
    Answer { found, stats }
}

/// Like [`sphere_contacts`], into a vector that is cleared first and keeps its memory from frame to frame.
pub fn sphere_contacts_into(
    a: &mut Body,
    b: &mut Body,
    levels: [u32; 2],
    contacts: &mut Vec<SphereContact>,
) -> QueryStats {
    contacts.clear();
    let stats = walk_bounded::<Sphere>([a, b], levels, contacts);
    contacts.sort_unstable_by_key(|contact| contact.nodes);
    stats
}

impl Meeting<Sphere> for Vec<SphereContact> {
    #[inline(always)]
    fn meet<E: Eight>(
        &mut self,
        _: &mut Body,
        _: &mut Leaves,
        own: &Visited<Sphere>,
        other: &Visited<Sphere>,
        _: &mut QueryStats,
    ) {
        let nodes = [own.node, other.node].map(|node| NodeId(node as u32));
        self.push(SphereContact { nodes, spheres: [own.bound, other.bound] });
    }
}
