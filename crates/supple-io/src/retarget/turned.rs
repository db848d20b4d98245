//! Turns of the motion's bones from their rest, in the world, as turns of the character's bones.
//!
//! In: a clip of the motion. Out: a clip of the character, with keys where the motion has some and in between.
//!
//! ```text
//! W'(t) = D(t) C W'(0),   D(t) = rotation of W(t) W(0)^-1
//! ```
//!
//! with `W` the world matrix of the motion's bone after the whole motion was turned to where the character faces, `W'` the character's, `C` the correction of the rest pose. What moves bones that the
//! character lacks is part of `D` of the bones below. Bones that carry the body also move, by lengths of the leg.

use glam::{DAffine3, DMat3, DQuat, DVec3};
use supple::math::polar;
use supple::pose::{Channel, Clip, Interpolation, Pose, Target};

use super::rest::{Bones, parents_first, rest_pose};
use super::{Players, RetargetError};

/// Keys are at most this far apart, in seconds.
const LONGEST_GAP: f64 = 1.0 / 30.0;

/// Rotations of one clip: some hundred bones for some hours.
const MOST_KEYS: usize = 30_000_000;

/// A clip on the character, under its own name.
pub(super) fn clip(players: &Players<'_>, clip: &Clip) -> Result<Clip, RetargetError> {
    let times = key_times(clip);
    let bones = players.bones;
    if times.len().saturating_mul(bones.all.len()) > MOST_KEYS {
        return Err(RetargetError::TooManyKeys { clip: clip.name().to_owned() });
    }
    let corrections: Vec<DQuat> = bones.corrections().iter().map(|(turn, _)| *turn).collect();
    let carriers = bones.carriers();
    let mut rotations = vec![Vec::with_capacity(times.len() * 4); bones.all.len()];
    let mut translations = vec![Vec::with_capacity(times.len() * 3); carriers.len()];
    let mut poser = Poser::new(players, &corrections);
    let mut source_pose = rest_pose(players.source);
    source_pose.coefficients = vec![0.0; players.coefficients];
    let facing = bones.turn();
    let mut raise = None;
    for &time in &times {
        clip.sample(f64::from(time), &mut source_pose)?;
        let mut world = players.source.world_matrices(&source_pose)?;
        world.iter_mut().for_each(|matrix| *matrix = facing * *matrix);
        let raise = *raise.get_or_insert_with(|| raised(players, &world, &carriers));
        poser.pose(&world, &carriers, raise);
        for (bone, values) in bones.all.iter().zip(&mut rotations) {
            values.extend(poser.pose.nodes[bone.pair.target].rotation.to_array());
        }
        for (&carrier, values) in carriers.iter().zip(&mut translations) {
            values.extend(poser.pose.nodes[bones.all[carrier].pair.target].translation.to_array());
        }
    }
    let keyed = |target, values| Channel {
        target,
        interpolation: Interpolation::Linear,
        times: times.clone(),
        values,
    };
    let mut channels = Vec::new();
    for (&carrier, values) in carriers.iter().zip(translations) {
        channels.push(keyed(Target::Translation(bones.all[carrier].pair.target), values));
    }
    for (bone, values) in bones.all.iter().zip(rotations) {
        channels.push(keyed(Target::Rotation(bone.pair.target), values));
    }
    channels.extend(players.weights(clip));
    Ok(Clip::new(clip.name(), channels)?)
}

/// All keys, the moment before each jump, and times in between.
fn key_times(clip: &Clip) -> Vec<f32> {
    let moving = clip.channels().iter().filter(|channel| !matches!(channel.target, Target::Coefficients(_)));
    let mut keys = vec![0.0];
    for channel in moving {
        keys.extend(&channel.times);
        if channel.interpolation == Interpolation::Step {
            keys.extend(channel.times.iter().map(|time| time.next_down().max(0.0)));
        }
    }
    keys.sort_by(f32::total_cmp);
    keys.dedup();
    let gap = LONGEST_GAP.max(clip.duration() / 10_000.0);
    let mut times = vec![keys[0]];
    for ends in keys.windows(2) {
        let (start, length) = (f64::from(ends[0]), f64::from(ends[1]) - f64::from(ends[0]));
        let pieces = (length / gap - 1e-3).ceil().max(1.0) as usize;
        times.extend((1..pieces).map(|piece| (start + length * piece as f64 / pieces as f64) as f32));
        times.push(ends[1]);
    }
    times.dedup();
    times
}

/// How far the motion's rest pose must be raised to stand on the ground of the motion. Usually it does; in many BVH files the hips are at
/// the origin at rest, and at their height above 0 in motion.
fn raised(players: &Players<'_>, world: &[DAffine3], carriers: &[usize]) -> f64 {
    let Some(&hips) = carriers.last() else { return 0.0 };
    let hips = players.bones.all[hips].pair.source;
    let rest = &players.bones.worlds[0];
    let up = players.bones.up();
    let height = |matrix: &DAffine3| matrix.translation.dot(up);
    let lowest = rest.iter().fold(f64::INFINITY, |lowest, matrix| lowest.min(height(matrix)));
    let apart = (height(&world[hips]) - height(&rest[hips])).abs();
    if apart > 0.5 * (height(&rest[hips]) - lowest) { -lowest } else { 0.0 }
}

/// Poses the character.
struct Poser<'p> {
    players: &'p Players<'p>,
    corrections: &'p [DQuat],
    /// The bone of each node of the character.
    bone_of: Vec<Option<usize>>,
    order: Vec<usize>,
    ratio: f64,
    pose: Pose,
    world: Vec<DAffine3>,
}

impl<'p> Poser<'p> {
    fn new(players: &'p Players<'p>, corrections: &'p [DQuat]) -> Self {
        let bones: &Bones = players.bones;
        let mut bone_of = vec![None; players.target.nodes().len()];
        bones.all.iter().enumerate().for_each(|(index, bone)| bone_of[bone.pair.target] = Some(index));
        let ratio = bones.leg_ratio(|a, b| [0, 1].map(|side| a.places[side].distance(b.places[side])));
        let world = vec![DAffine3::IDENTITY; bone_of.len()];
        let order = parents_first(players.target);
        Self { players, corrections, bone_of, order, ratio, pose: rest_pose(players.target), world }
    }

    fn pose(&mut self, source: &[DAffine3], carriers: &[usize], raise: f64) {
        let nodes = self.players.target.nodes();
        for at in 0..self.order.len() {
            let node = self.order[at];
            let parent = nodes[node].parent.map_or(DAffine3::IDENTITY, |parent| self.world[parent]);
            if let Some(bone) = self.bone_of[node] {
                self.turn(node, bone, &parent, source);
                if carriers.contains(&bone) {
                    self.carry(node, bone, &parent, source, raise);
                }
            }
            let local = self.pose.nodes[node].matrix() * nodes[node].offset.unwrap_or(DAffine3::IDENTITY);
            self.world[node] = parent * local;
        }
    }

    /// Sets the rotation of a node. One that has no thickness cannot be turned, and stays.
    fn turn(&mut self, node: usize, bone: usize, parent: &DAffine3, source: &[DAffine3]) {
        let bones = self.players.bones;
        let from = bones.all[bone].pair.source;
        let (turn, _) = polar(source[from].matrix3 * bones.worlds[0][from].matrix3.inverse());
        let wanted = DMat3::from_quat(turn * self.corrections[bone]) * bones.worlds[1][node].matrix3;
        // parent * rotation * scale * offset = wanted
        let after = DMat3::from_diagonal(self.pose.nodes[node].scale.as_dvec3())
            * self.players.target.nodes()[node].offset.map_or(DMat3::IDENTITY, |offset| offset.matrix3);
        let local = parent.matrix3.inverse() * wanted * after.inverse();
        if !local.is_finite() {
            return;
        }
        let (rotation, _) = polar(local);
        let (new, last) = (rotation.normalize().as_quat(), self.pose.nodes[node].rotation);
        self.pose.nodes[node].rotation = if new.dot(last) < 0.0 { -new } else { new };
    }

    /// Sets the translation of a node that carries the body.
    fn carry(&mut self, node: usize, bone: usize, parent: &DAffine3, source: &[DAffine3], raise: f64) {
        let Self { players, ratio, .. } = *self;
        let [from, to] = players.bones.all[bone].places;
        let now = source[players.bones.all[bone].pair.source].translation;
        let wanted = to + ratio * (now - from - players.bones.up() * raise);
        let own = self.pose.nodes[node];
        let offset = players.target.nodes()[node].offset.map_or(DVec3::ZERO, |offset| offset.translation);
        let offset = own.rotation.as_dquat() * (own.scale.as_dvec3() * offset);
        let local = (parent.inverse().transform_point3(wanted) - offset).as_vec3();
        if local.is_finite() {
            self.pose.nodes[node].translation = local;
        }
    }
}
