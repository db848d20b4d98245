//! Which weights bleed: vertices that follow a bone of another limb.
//!
//! In: a model and its bones. Out: vertices, the wrong bone of each, and how much it follows it.
//!
//! Where weights are computed from distances in space, a hand that rests at a thigh gets weights of the thigh, and a finger
//! those of the finger beside it. Such a weight is told from a smooth transition by three things, and has to be all of them:
//!
//! - *far in the skeleton*: at least [`MIN_STEPS`] bones from the bone that the vertex lives on;
//! - *far along the surface* at rest: farther from the surface that lives on the wrong bone than the size of that surface
//!   (of the box around it, between [`MIN_REACH`] and [`MAX_REACH`] of the model's size);
//! - *cut off*: on every way from there along the surface are vertices that do not follow the bone at all. A transition,
//!   however wide, begins at the bone's own surface; what bleeds has crossed the air. Without this, broad weights of small
//!   bones, like collarbones and those of faces, were three quarters of what was found in a dozen characters.
//!
//! A vertex lives on its heaviest bone. Where a patch of vertices is moved by the wrong bone most, it is an island of that
//! bone's in another's surface: it lives on what surrounds it.
//!
//! What crosses the air next to a transition is not seen: the inside of an arm near the armpit, fingers down to their web.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use supple::{Aabb, JointId, Model};

use super::bone_steps::BoneSteps;
use super::linked_surface::LinkedSurface;
use crate::bones::Bones;

/// Weights below this do not count: files store weights in steps of 1/255, and tools leave crumbs of several steps.
const MIN_WEIGHT: f32 = 0.02;

/// From a hand to the third bone of a finger; thighs are 2 apart, and first bones of fingers, which have surface in common.
const MIN_STEPS: usize = 3;

/// From a collarbone to the second bone of a finger.
const LONG_LIMB: usize = 5;

/// As a part of the diagonal of the box around the model: 4 cm for an adult, half a finger.
const MIN_REACH: f32 = 0.02;

/// Likewise: 20 cm.
const MAX_REACH: f32 = 0.1;

/// A vertex with a weight on a bone of another limb.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Bleeding {
    /// The vertex.
    pub vertex: u32,
    /// The wrong bone, by its number in [`Bones`].
    pub bone: u32,
    /// How much the vertex follows it: more than 0, up to 1.
    pub weight: f32,
    /// The bone that the vertex lives on: its heaviest, or that of the surface around it where the wrong one is.
    pub owner: u32,
}

/// Vertices that follow a bone of another limb; the largest weight first, then by vertex and bone.
///
/// A weight counts where it is at least 0.02, its bone is at least three bones away in the skeleton, and its vertex is far
/// from that bone's surface along the surface, with vertices in between that do not follow it. Clothes and other pieces
/// count as parts of the surface that their bones have. No pose is looked at: this is about the model.
///
/// Costs about as much as loading the model: some milliseconds per 10,000 vertices.
///
/// ```
/// use supple::{Model, Skin};
/// use supple_audit::{Bones, bleeding, bleeding_map};
///
/// let man = supple_zoo::make("man", 0)?;
/// let bones = Bones::new(&man);
/// assert!(bleeding(&man, &bones).is_empty()); // as it should be
///
/// // A fifth of one vertex of a hand follows the thigh.
/// let joint = |name: &str| man.skeleton().joints().iter().position(|j| man.skeleton().nodes()[j.node].name == name).unwrap() as u32;
/// let (hand, thigh) = (joint("hand_l"), joint("thigh_l"));
/// let mut lists: Vec<Vec<(u32, f32)>> = (0..man.mesh().positions().len() as u32)
///     .map(|vertex| man.skin().influences(vertex).map(|(joint, weight)| (joint.0, weight)).collect())
///     .collect();
/// let vertex = lists.iter().position(|list| list[..] == [(hand, 1.0)]).unwrap();
/// lists[vertex] = vec![(hand, 0.8), (thigh, 0.2)];
/// let skin = Skin::new(man.skin().joint_count(), lists.iter().map(Vec::as_slice))?;
/// let spoilt = Model::new(man.mesh().clone(), skin, man.skeleton().clone())?;
///
/// let found = bleeding(&spoilt, &bones);
/// assert_eq!((found.len(), found[0].vertex as usize, found[0].weight), (1, vertex, 0.2));
/// assert_eq!([found[0].owner, found[0].bone].map(|bone| bones.label(bone)), ["hand_l", "thigh_l"]);
/// assert_eq!(bleeding_map(&spoilt, &found)[vertex], 0.2); // to draw it
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
/// These are the bones of another model.
pub fn bleeding(model: &Model, bones: &Bones) -> Vec<Bleeding> {
    let skin = model.skin();
    let vertices = model.mesh().positions().len() as u32;
    let weights: Vec<Vec<(u32, f32)>> = (0..vertices).map(|v| by_bone(skin.influences(v), bones)).collect();
    let steps = BoneSteps::new(bones);
    let mut surface = LinkedSurface::new(model);
    let home = homes(&surface, &weights, &steps);
    let mut suspects: BTreeMap<u32, Vec<Bleeding>> = BTreeMap::new();
    for (vertex, list) in (0u32..).zip(&weights) {
        let owner = home[surface.welded[vertex as usize] as usize];
        let far = list
            .iter()
            .filter(|(bone, weight)| *weight >= MIN_WEIGHT && steps.between(*bone, owner) >= MIN_STEPS);
        for &(bone, weight) in far {
            suspects.entry(bone).or_default().push(Bleeding { vertex, bone, weight, owner });
        }
    }
    if suspects.is_empty() {
        return Vec::new();
    }
    surface.link_pieces(bones.count() as u32, &home, |a, b| steps.between(a, b) < MIN_STEPS);
    let size = |points: &mut dyn Iterator<Item = u32>| {
        let around = Aabb::from_points(points.map(|v| surface.positions[v as usize]));
        (around.max - around.min).length()
    };
    let all = size(&mut (0..vertices));
    let mut found = Vec::new();
    for (bone, suspects) in suspects {
        let own = own_surface(bone, &surface, &home, &weights);
        let reach = size(&mut own.iter().copied()).min(MAX_REACH * all).max(MIN_REACH * all);
        let follows = |vertex: u32| weight_of(bone, &weights[vertex as usize]) > 0.0;
        let near = surface.near(&own, reach, follows);
        let is_far = |b: &Bleeding| {
            let point = surface.welded[b.vertex as usize];
            surface.contains(point) && !near[point as usize]
        };
        found.extend(suspects.into_iter().filter(is_far));
    }
    found.sort_by(|a, b| b.weight.total_cmp(&a.weight).then((a.vertex, a.bone).cmp(&(b.vertex, b.bone))));
    found
}

/// Like [`bleeding`], of vertices of one side that follow a bone of the other, in either direction: what weights have to do
/// with a contact. Sides are bones, by their numbers in [`Bones`].
///
/// ```
/// # use supple_audit::{Bones, bleeding_between};
/// let man = supple_zoo::make("man", 0)?;
/// let bones = Bones::new(&man);
/// let [hand, thigh] = ["hand_l+", "thigh_l"].map(|name| Vec::from_iter(bones.named(name).unwrap()));
/// assert!(bleeding_between(&man, &bones, [&hand, &thigh]).is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
/// These are the bones of another model.
pub fn bleeding_between(model: &Model, bones: &Bones, sides: [&[u32]; 2]) -> Vec<Bleeding> {
    let is_between = |b: &Bleeding| {
        let is = |one: usize| sides[one].contains(&b.bone) && sides[1 - one].contains(&b.owner);
        is(0) || is(1)
    };
    bleeding(model, bones).into_iter().filter(is_between).collect()
}

/// For every vertex of a model how much of it bleeds, from 0 to 1: weights on several wrong bones add up. To draw as
/// colours.
///
/// ```
/// # use supple_audit::{Bones, bleeding, bleeding_map};
/// let man = supple_zoo::make("man", 0)?;
/// let map = bleeding_map(&man, &bleeding(&man, &Bones::new(&man)));
/// assert!(map.len() == man.mesh().positions().len() && map.iter().all(|&weight| weight == 0.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn bleeding_map(model: &Model, found: &[Bleeding]) -> Vec<f32> {
    let mut map = vec![0.0f32; model.mesh().positions().len()];
    for bleeding in found {
        if let Some(weight) = map.get_mut(bleeding.vertex as usize) {
            *weight = (*weight + bleeding.weight).min(1.0);
        }
    }
    map
}

/// Weights of a vertex by bone: several joints may be one.
fn by_bone(influences: impl Iterator<Item = (JointId, f32)>, bones: &Bones) -> Vec<(u32, f32)> {
    let mut sums: BTreeMap<u32, f32> = BTreeMap::new();
    for (joint, weight) in influences {
        *sums.entry(bones.of_joints()[joint.0 as usize]).or_default() += weight;
    }
    sums.into_iter().collect()
}

fn weight_of(bone: u32, weights: &[(u32, f32)]) -> f32 {
    weights.iter().find(|(other, _)| *other == bone).map_or(0.0, |(_, weight)| *weight)
}

/// The heaviest bone, the first of equals.
fn heaviest(weights: &[(u32, f32)]) -> u32 {
    let heavier = |a: (u32, f32), b: (u32, f32)| if b.1 > a.1 { b } else { a };
    weights.iter().copied().reduce(heavier).map_or(0, |(bone, _)| bone)
}

/// The bone that each welded vertex lives on.
fn homes(surface: &LinkedSurface, weights: &[Vec<(u32, f32)>], steps: &BoneSteps<'_>) -> Vec<u32> {
    let mut home: Vec<u32> = weights.iter().map(|list| heaviest(list)).collect();
    let (pieces, islands) = (surface.pieces(|_| ()), surface.pieces(|v| home[v as usize]));
    let mut members: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for (vertex, &island) in (0u32..).zip(&islands) {
        members.entry(island).or_default().push(vertex);
    }
    // The largest island of a bone in a piece of surface is where it is at home.
    let mut largest: BTreeMap<(u32, u32), usize> = BTreeMap::new();
    let key = |member: u32| (home[member as usize], pieces[member as usize]);
    for own in members.values() {
        let size = largest.entry(key(own[0])).or_default();
        *size = own.len().max(*size);
    }
    let mut moved = Vec::new();
    for own in members.values().filter(|own| 2 * own.len() <= largest[&key(own[0])]) {
        let bone = home[own[0] as usize];
        let mut around: BTreeMap<u32, usize> = BTreeMap::new();
        for &next in own.iter().flat_map(|&vertex| surface.neighbours(vertex)) {
            let other = home[next as usize];
            *around.entry(other).or_default() += usize::from(other != bone);
        }
        let most = around.into_iter().max_by_key(|&(bone, count)| (count, Reverse(bone)));
        if let Some((host, 1..)) = most.filter(|&(host, _)| are_of_two_limbs(steps, host, bone)) {
            moved.extend(own.iter().map(|&vertex| (vertex, host)));
        }
    }
    for (vertex, host) in moved {
        home[vertex as usize] = host;
    }
    home
}

/// Whether neither bone is above the other, or one so far above that it is the root of everything.
fn are_of_two_limbs(steps: &BoneSteps<'_>, a: u32, b: u32) -> bool {
    steps.between(a, b) >= if steps.are_in_line(a, b) { LONG_LIMB } else { MIN_STEPS }
}

/// Welded vertices that live on a bone; where there are none, those that follow it most.
fn own_surface(bone: u32, surface: &LinkedSurface, home: &[u32], weights: &[Vec<(u32, f32)>]) -> Vec<u32> {
    let points = (0..home.len() as u32).filter(|&v| surface.welded[v as usize] == v && surface.contains(v));
    let own: Vec<u32> = points.clone().filter(|&v| home[v as usize] == bone).collect();
    if !own.is_empty() {
        return own;
    }
    let weight = |v: u32| weight_of(bone, &weights[v as usize]);
    let most = points.clone().map(weight).fold(0.0, f32::max);
    points.filter(|&v| weight(v) > 0.5 * most).collect()
}
