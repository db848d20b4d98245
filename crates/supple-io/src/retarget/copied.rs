//! Channels as they are, on other nodes: for skeletons whose bones have the same axes.
//!
//! In: channels of the motion. Out: channels of the character. Rotations keep their numbers. Translations are scaled by the length
//! of the leg where offsets are; others stay at rest, and are counted.

use glam::Vec3;
use supple::pose::{Channel, Clip, ClipError, Interpolation, Node, Target};

use super::Players;
use super::rest::nearly;

/// A clip on the character, under its own name. `dropped` gets the bones whose translation or scale was left out.
pub(super) fn clip(players: &Players<'_>, clip: &Clip, dropped: &mut Vec<usize>) -> Result<Clip, ClipError> {
    let bones = players.bones;
    let ratio = bones.leg_ratio(|_, bone| {
        [&players.source.nodes()[bone.pair.source], &players.target.nodes()[bone.pair.target]]
            .map(|node| f64::from(node.rest.translation.length()))
    });
    let ratio = if (ratio - 1.0).abs() < 1e-4 { 1.0 } else { ratio as f32 };
    let carriers: Vec<usize> = bones.carriers().iter().map(|&bone| bones.all[bone].pair.target).collect();
    let mut channels = Vec::new();
    for channel in clip.channels() {
        let (Target::Translation(source) | Target::Rotation(source) | Target::Scale(source)) = channel.target
        else {
            continue;
        };
        let Some(target) = players.target_of[source] else { continue };
        let (from, to) = (&players.source.nodes()[source], &players.target.nodes()[target]);
        let moved = match channel.target {
            Target::Rotation(_) => Some(Channel { target: Target::Rotation(target), ..channel.clone() }),
            Target::Translation(_) => {
                let same = nearly(from.rest.translation * ratio, to.rest.translation);
                let wanted = same || carriers.contains(&target);
                wanted.then(|| translated(channel, from, to, target, ratio))
            }
            _ => nearly(from.rest.scale, to.rest.scale)
                .then(|| Channel { target: Target::Scale(target), ..channel.clone() }),
        };
        match moved {
            Some(channel) => channels.push(channel),
            // One that holds the motion's rest pose says nothing.
            None if is_still(channel, rest_of(channel, from)) => {}
            None => dropped.push(target),
        }
    }
    channels.extend(players.weights(clip));
    Clip::new(clip.name(), channels)
}

/// `to.rest + ratio * (value - from.rest)`; numbers stay as they are where nothing changes.
fn translated(channel: &Channel, from: &Node, to: &Node, target: usize, ratio: f32) -> Channel {
    let mut moved = Channel { target: Target::Translation(target), ..channel.clone() };
    let (start, end) = (from.rest.translation, to.rest.translation);
    if ratio == 1.0 && nearly(start, end) {
        return moved;
    }
    let is_cubic = channel.interpolation == Interpolation::CubicSpline;
    for (tuple, values) in moved.values.as_chunks_mut::<3>().0.iter_mut().enumerate() {
        let value = Vec3::from_array(*values);
        // The first and last of three are slopes.
        let is_slope = is_cubic && tuple % 3 != 1;
        *values = if is_slope { value * ratio } else { end + (value - start) * ratio }.to_array();
    }
    moved
}

fn rest_of(channel: &Channel, node: &Node) -> Vec3 {
    match channel.target {
        Target::Scale(_) => node.rest.scale,
        _ => node.rest.translation,
    }
}

/// Whether all values are those of the rest pose.
pub(super) fn is_still(channel: &Channel, rest: Vec3) -> bool {
    let (values, _) = channel.values.as_chunks::<3>();
    channel.interpolation != Interpolation::CubicSpline
        && values.iter().all(|value| Vec3::from_array(*value).distance(rest) <= 1e-3 * rest.length())
}
