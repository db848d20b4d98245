//! What kind of contact it is, by the rest pose: layered, a crease, or free.
//!
//! In: a contact and its depth. Out: its kind.
//!
//! ```text
//! layered  at least half of the triangles of both sides are within NEAR_REST along the surface of triangles that cross the same
//!          component in the rest pose, or belong to a SMALL component that does, and    depth <= DEEPER * rest_depth + SLACK
//! crease   the sides are one surface, and along it    shortest(A, B) <= NEAR,    longest over a in A of shortest(a, B) <= REACH,
//!          or <= FAR_REACH where the depth is at most SHALLOW: thighs that rub against each other. The same with straight
//!          distances at rest for rigid limbs of a puppet that cross each other, or the same ball joint, at rest
//! free     all else
//! ```
//!
//! Lengths are in parts of the model's size; NEAR and REACH are at least some edges long, so that coarse meshes have creases, too.

use std::collections::{BTreeMap, BTreeSet};

use crate::along_surface::{AlongSurface, Search};
use crate::contacts::Contact;
use crate::depth::Depth;
use crate::surface::Surface;

/// Along the surface, in parts of the size: an eye turns in its socket, a collar slides on a neck.
const NEAR_REST: f32 = 0.05;

/// Components whose box at rest has no longer diagonal, in parts of the size, are near as a whole: eyes, and the ball joints of puppets.
const SMALL: f32 = 0.25;

/// How much deeper than at rest layers may be, and a depth that is always allowed.
const DEEPER: f32 = 2.0;
const SLACK: f32 = 0.003;

/// The sides of a crease meet in a fold; along the surface that is at most this far, in parts of the size and in edges.
const NEAR: f32 = 0.03;
const NEAR_EDGES: f32 = 1.5;

/// A crease ends this far from its fold: an elbow or an armpit, but no whole arm in a chest.
const REACH: f32 = 0.12;
const REACH_EDGES: f32 = 3.0;

/// Folds that are not deep may be longer.
const FAR_REACH: f32 = 0.25;
const SHALLOW: f32 = 0.0125;

/// What kind of contact it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Kind {
    /// Neither of the others.
    Free,
    /// A fold: the two surfaces are near each other along the surface.
    Crease,
    /// Crosses in the rest pose, too, and is not deeper.
    Layered,
}

/// What crosses in the rest pose: by component and the component that it crosses, the vertices nearby and how deep it is there.
#[derive(Clone, Debug, Default)]
pub struct AtRest {
    near: BTreeMap<[u32; 2], BTreeMap<u32, f32>>,
    size: f32,
    /// Of each triangle.
    pub is_rigid: Vec<bool>,
}

impl AtRest {
    /// Of the contacts of the rest pose and their depths, in a model of that size.
    pub fn new(surface: &Surface, contacts: &[(Contact, f32)], size: f32, along: &mut AlongSurface) -> Self {
        let mut near: BTreeMap<[u32; 2], BTreeMap<u32, f32>> = BTreeMap::new();
        for (contact, depth) in contacts {
            for side in 0..2 {
                let vertices = near.entry(components(surface, contact, side)).or_default();
                let from = corners(surface, contact, side).into_iter();
                let component = surface.component[contact.pairs[0][side] as usize];
                let is_small = surface.extent(component) <= SMALL * size;
                let reach = if is_small { f32::INFINITY } else { NEAR_REST * size };
                along.search(surface, from, reach, |vertex, _| {
                    let known = vertices.entry(vertex).or_default();
                    *known = known.max(*depth);
                    Search::GoesOn
                });
            }
        }
        Self { near, size, is_rigid: Vec::new() }
    }

    /// How deep the sides of a contact are in each other at rest, around the contact; none where they do not cross there.
    fn depth(&self, surface: &Surface, contact: &Contact) -> Option<f32> {
        let mut deepest = 0.0f32;
        for side in 0..2 {
            let vertices = self.near.get(&components(surface, contact, side))?;
            let triangles = contact.side(side);
            let at_rest = |t: &u32| {
                surface.triangles[*t as usize]
                    .iter()
                    .filter_map(|v| vertices.get(v))
                    .copied()
                    .reduce(f32::max)
            };
            let found: Vec<f32> = triangles.iter().filter_map(at_rest).collect();
            if 2 * found.len() < triangles.len() {
                return None;
            }
            deepest = found.into_iter().fold(deepest, f32::max);
        }
        Some(deepest)
    }

    /// The kind of a contact, how deep it is, and how deep it is at rest.
    pub fn kind(
        &self,
        surface: &Surface,
        contact: &Contact,
        depth: &Depth,
        along: &mut AlongSurface,
    ) -> (Kind, f32, f32) {
        let (rest_depth, measured) = (self.depth(surface, contact), depth_of(surface, contact, depth));
        let of_fold = measured.min(depth.of_edges);
        match rest_depth {
            Some(rest) if measured <= DEEPER * rest + SLACK * self.size => (Kind::Layered, measured, rest),
            _ if self.is_crease(surface, contact, of_fold, along) => {
                (Kind::Crease, of_fold, rest_depth.unwrap_or(0.0))
            }
            _ => (Kind::Free, measured, rest_depth.unwrap_or(0.0)),
        }
    }

    /// Whether two components are the limbs of a puppet: rigid, and they cross at rest, or a third one crosses both.
    fn are_joined(&self, contact: &Contact, a: u32, b: u32) -> bool {
        if !contact.pairs.iter().flatten().all(|&triangle| self.is_rigid[triangle as usize]) {
            return false;
        }
        let crossed_by = |component: u32| {
            self.near.range([component, 0]..=[component, u32::MAX]).map(|([_, other], _)| *other)
        };
        crossed_by(a).any(|other| other == b || self.near.contains_key(&[other, b]))
    }

    fn is_crease(&self, surface: &Surface, contact: &Contact, depth: f32, along: &mut AlongSurface) -> bool {
        let [a, b] = components(surface, contact, 0);
        if a != b && !self.are_joined(contact, a, b) {
            return false;
        }
        let near = NEAR * self.size;
        let reach = self.size * if depth <= SHALLOW * self.size { FAR_REACH } else { REACH };
        if a != b {
            return is_near_at_rest(surface, contact, near, reach);
        }
        // Coarse meshes have folds, too.
        let edge = contact.pairs.iter().flatten().map(|&t| surface.longest_edge(t)).fold(0.0, f32::max);
        let (near, reach) = (near.max(NEAR_EDGES * edge), reach.max(REACH_EDGES * edge));
        let mut left: BTreeSet<u32> = corners(surface, contact, 0).into_iter().collect();
        let mut is_near = false;
        along.search(surface, corners(surface, contact, 1).into_iter(), reach, |vertex, length| {
            if !is_near && length > near {
                return Search::Ends;
            }
            is_near |= left.remove(&vertex);
            if left.is_empty() { Search::Ends } else { Search::GoesOn }
        });
        is_near && left.is_empty()
    }
}

/// The depth of a contact. Where a body part crosses itself nobody can tell one side from the other, and what is cut off is measured from
/// what it touches alone: then it is at most that of single edges.
pub fn depth_of(surface: &Surface, contact: &Contact, depth: &Depth) -> f32 {
    let cells = |side: usize| -> BTreeSet<u32> {
        contact.side(side).iter().map(|&triangle| surface.cell[triangle as usize]).collect()
    };
    if cells(0).is_disjoint(&cells(1)) { depth.depth } else { depth.depth.min(depth.of_edges) }
}

/// Whether the sides begin near each other at rest, and do not go far from there.
fn is_near_at_rest(surface: &Surface, contact: &Contact, near: f32, reach: f32) -> bool {
    let [from, to] = [0, 1].map(|side| corners(surface, contact, side));
    let distance = |&a: &u32| to.iter().map(|&b| surface.length(a, b)).fold(f32::INFINITY, f32::min);
    let (mut nearest, mut farthest) = (f32::INFINITY, 0.0f32);
    for distance in from.iter().map(distance) {
        (nearest, farthest) = (nearest.min(distance), farthest.max(distance));
    }
    nearest <= near && farthest <= reach
}

fn components(surface: &Surface, contact: &Contact, side: usize) -> [u32; 2] {
    let pair = contact.pairs[0];
    [pair[side], pair[1 - side]].map(|triangle| surface.component[triangle as usize])
}

/// The corners of the triangles of a side, ascending.
fn corners(surface: &Surface, contact: &Contact, side: usize) -> Vec<u32> {
    let mut vertices: Vec<u32> =
        contact.side(side).iter().flat_map(|&t| surface.triangles[t as usize]).collect();
    vertices.sort_unstable();
    vertices.dedup();
    vertices
}
