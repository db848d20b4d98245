//! The ways to turn that are tried: some bones near a contact, some axes of each.
//!
//! A bone helps where it moves one side and not the other. Bones above both move both, and are left out. *Effort* tells how
//! much of the pose a turn changes:
//!
//! ```text
//! effort = degrees * sqrt(share)      share: of all weights of all vertices, those on the bone and on bones below it
//! ```
//!
//! Degrees alone would always turn a shoulder, which has the longest lever; how far the surface moves on the average
//! (about `degrees * share`) would always bend a finger. The root is between the two: 12 degrees of a finger are 4 of a
//! hand and 2 of an arm.
//!
//! Axes are the bone's own three, as people turn bones about these, and two that follow from the contact: for a contact at
//! `c`, a bone with its joint at `j`, and the way `n` in which its side leaves the other,
//!
//! ```text
//! axis = (c - j) x n      turning about it moves c towards n
//! ```
//!
//! where `n` is once what the normals of the touching triangles say, and once the way from the middle of the other side to
//! the middle of this one, which still says something where a limb sticks through another and the normals cancel out.

use std::collections::{BTreeMap, BTreeSet};

use glam::{DAffine3, DMat3, DVec3, Vec3};
use supple::narrow::contact;
use supple::{Model, Pair, Pose, PosedModel};

use super::judge::Judge;
use super::turn_hint::Axis;
use crate::bones::Bones;

/// As many bones as are tried; the nearest to the contact first. From a fingertip to the collarbone, and a thigh.
const MAX_BONES: usize = 8;

/// An axis without a name counts as so much more effort: it is harder to turn about.
const UNNAMED: f32 = 1.25;

/// An axis this close to one of the bone's own (by its cosine, 8 degrees) is not tried beside it.
const ALIKE: f32 = 0.99;

/// Contact normals whose mean is shorter than this cancel out.
const CANCELLED: f64 = 0.1;

/// One bone, one axis, one direction.
#[derive(Clone, Debug)]
pub struct Way {
    pub bone: u32,
    pub node: usize,
    /// In the bone's own space.
    pub axis: Vec3,
    pub name: Option<Axis>,
    /// 1 or -1.
    pub sign: f32,
    /// Effort of one degree.
    pub effort: f32,
    /// Tried earlier where smaller.
    rank: u32,
}

/// All ways to try; none where no bone moves one side only. Own axes come first, in the direction that moves the contact away,
/// then those that follow from the contact, then own axes the other way.
pub fn ways(
    model: &Model,
    bones: &Bones,
    judge: &Judge<'_>,
    pose: &Pose,
    posed: &PosedModel<'_>,
) -> Vec<Way> {
    let candidates = candidates(bones, judge);
    if candidates.is_empty() {
        return Vec::new();
    }
    let Ok(world) = model.skeleton().world_matrices(pose) else { return Vec::new() };
    let (place, shares) = (Place::new(model, bones, judge, posed), shares(model, bones));
    let mut ways = Vec::new();
    for Candidate { bone, side } in candidates {
        let node = bones.node(bone);
        let effort = shares[bone as usize].sqrt();
        let parent = model.skeleton().nodes()[node].parent.map_or(DAffine3::IDENTITY, |parent| world[parent]);
        // What the axis of a turn goes through on its way to the world.
        let frame = parent.matrix3 * DMat3::from_quat(pose.nodes[node].rotation.as_dquat());
        let lever = place.contact - world[node].translation;
        let away = if side == 0 { 1.0 } else { -1.0 };
        let axes = [Axis::X, Axis::Y, Axis::Z];
        let proposed = [place.by_normals, place.by_middles].map(|way| way.map(|way| lever.cross(way * away)));
        for axis in proposed.into_iter().flatten() {
            let Some(axis) = local(frame, axis) else { continue };
            let alike = axes.iter().any(|&name| axis.dot(unit(name)).abs() > ALIKE);
            if !alike {
                ways.push(Way { bone, node, axis, name: None, sign: 1.0, effort: effort * UNNAMED, rank: 1 });
            }
        }
        let away = place.by_normals.or(place.by_middles).unwrap_or(DVec3::ZERO) * away;
        for name in axes {
            let axis = unit(name);
            let moves_away = handedness(frame) * (frame * axis.as_dvec3()).cross(lever).dot(away) >= 0.0;
            for sign in [1.0, -1.0] {
                let rank = if moves_away == (sign > 0.0) { 0 } else { 2 };
                ways.push(Way { bone, node, axis, name: Some(name), sign, effort, rank });
            }
        }
    }
    // Stable: the nearest bones first among equals.
    ways.sort_by_key(|way| way.rank);
    ways
}

/// A bone that moves one side and not the other.
struct Candidate {
    bone: u32,
    side: usize,
}

/// Bones above (or at) the owners of at least half of the touching triangles of one side, and not above those of the other;
/// by how many bones they are away from the nearest of these owners.
fn candidates(bones: &Bones, judge: &Judge<'_>) -> Vec<Candidate> {
    let mut owners: BTreeMap<[u32; 2], usize> = BTreeMap::new();
    for &pair in &judge.touching {
        *owners.entry(judge.owners(pair)).or_default() += 1;
    }
    let chain = |bone: u32| std::iter::successors(Some(bone), |&above| bones.parent(above));
    let mut near: Vec<(usize, usize, u32)> = Vec::new();
    for side in 0..2 {
        for bone in owners.keys().flat_map(|pair| chain(pair[side])).collect::<BTreeSet<u32>>() {
            let steps = |owner: u32| chain(owner).position(|above| above == bone);
            let (mut separated, mut nearest) = (0, usize::MAX);
            for (pair, count) in owners.iter().filter(|(pair, _)| steps(pair[1 - side]).is_none()) {
                if let Some(steps) = steps(pair[side]) {
                    separated += count;
                    nearest = nearest.min(steps);
                }
            }
            if 2 * separated >= judge.touching.len() {
                near.push((nearest, side, bone));
            }
        }
    }
    near.sort_unstable();
    near.into_iter().take(MAX_BONES).map(|(_, side, bone)| Candidate { bone, side }).collect()
}

/// For every bone the share of all weights that it and the bones below it have.
fn shares(model: &Model, bones: &Bones) -> Vec<f32> {
    let mut own = vec![0.0f64; bones.count()];
    let vertices = model.mesh().positions().len() as u32;
    for vertex in 0..vertices {
        for (joint, weight) in model.skin().influences(vertex) {
            own[bones.of_joints()[joint.0 as usize] as usize] += f64::from(weight);
        }
    }
    let mut all = vec![0.0f64; own.len()];
    for (bone, weight) in (0u32..).zip(&own) {
        for above in std::iter::successors(Some(bone), |&above| bones.parent(above)) {
            all[above as usize] += weight;
        }
    }
    all.into_iter().map(|weight| (weight / f64::from(vertices.max(1))) as f32).collect()
}

/// Where two sides touch, and which way the first leaves the second.
struct Place {
    contact: DVec3,
    by_normals: Option<DVec3>,
    by_middles: Option<DVec3>,
}

impl Place {
    fn new(model: &Model, bones: &Bones, judge: &Judge<'_>, posed: &PosedModel<'_>) -> Self {
        let corners = |triangle: u32| model.mesh().triangles()[triangle as usize].map(|v| posed.position(v));
        let normal = |[a, b, c]: [Vec3; 3]| (b - a).cross(c - a).as_dvec3().normalize_or_zero();
        let (mut points, mut total, mut normals) = (DVec3::ZERO, 0.0, DVec3::ZERO);
        for &[a, b] in &judge.touching {
            let [a, b] = [a, b].map(corners);
            let Some(touch) = contact(&a, &b) else { continue };
            let [from, to] = touch.points.map(|point| point.as_dvec3());
            // Points count a little too, where triangles only touch.
            let length = from.distance(to) + f64::MIN_POSITIVE;
            points += (from + to) * (0.5 * length);
            normals += (normal(b) - normal(a)) * length;
            total += length;
        }
        let mean = |sum: DVec3| if total > 0.0 { sum / total } else { DVec3::ZERO };
        let (contact, mean_normal) = (mean(points), mean(normals));
        let [first, second] = [0, 1].map(|side| middle(model, bones, posed, &owners(judge, side)));
        let by_middles = first.zip(second).and_then(|(first, second)| (first - second).try_normalize());
        let is_clear = mean_normal.length() > CANCELLED;
        Self { contact, by_normals: mean_normal.try_normalize().filter(|_| is_clear), by_middles }
    }
}

fn owners(judge: &Judge<'_>, side: usize) -> BTreeSet<u32> {
    judge.touching.iter().map(|&pair: &Pair| judge.owners(pair)[side]).collect()
}

/// The mean of the corners of all triangles of some bones.
fn middle(model: &Model, bones: &Bones, posed: &PosedModel<'_>, of: &BTreeSet<u32>) -> Option<DVec3> {
    let own = bones.of_triangles().iter().zip(model.mesh().triangles()).filter(|(bone, _)| of.contains(bone));
    let corners: BTreeSet<u32> = own.flat_map(|(_, corners)| *corners).collect();
    let sum: DVec3 = corners.iter().map(|&vertex| posed.position(vertex).as_dvec3()).sum();
    (!corners.is_empty()).then(|| sum / corners.len() as f64)
}

/// An axis of the world in the space of a bone, to two digits; `None` where that says nothing.
fn local(frame: DMat3, axis: DVec3) -> Option<Vec3> {
    let axis = (frame.inverse() * axis.try_normalize()? * handedness(frame)).try_normalize()?;
    let rounded = (axis * 100.0).round() / 100.0;
    rounded.is_finite().then(|| rounded.as_vec3())
}

/// -1 for a space that is mirrored: it turns the other way.
fn handedness(frame: DMat3) -> f64 {
    if frame.determinant() < 0.0 { -1.0 } else { 1.0 }
}

fn unit(axis: Axis) -> Vec3 {
    match axis {
        Axis::X => Vec3::X,
        Axis::Y => Vec3::Y,
        Axis::Z => Vec3::Z,
    }
}
