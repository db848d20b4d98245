//! Clips as glTF animations.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use supple::pose::{Interpolation, Target};
use supple::{Clip, Model};

use super::accessors::Binary;
use super::keys::ascending_keys;
use super::nodes::Nodes;
use super::weights::weight_track;

/// One animation per clip that has channels. `tracks` are the nodes of meshes with the coefficients that move them.
pub(super) fn animations(
    model: &Model,
    nodes: &Nodes,
    tracks: &[(usize, Vec<usize>)],
    binary: &mut Binary,
) -> Vec<Value> {
    let mut animations = Vec::new();
    for clip in model.clips() {
        let mut animation = Animation::default();
        animation.add_nodes(clip, nodes, binary);
        for (node, coefficients) in tracks {
            if let Some(track) = weight_track(model, clip, coefficients) {
                let output = binary.floats("SCALAR", 1, &track.values);
                let input = binary.key_times(&track.times);
                animation.add(*node, "weights", track.interpolation, input, output);
            }
        }
        animations.extend(animation.to_json(clip.name()));
    }
    animations
}

/// Channels of one animation with their samplers.
#[derive(Debug, Default)]
pub(super) struct Animation {
    channels: Vec<Value>,
    samplers: Vec<Value>,
}

impl Animation {
    /// The animation, if it has channels.
    pub(super) fn to_json(&self, name: &str) -> Option<Value> {
        let mut value = json!({ "channels": self.channels, "samplers": self.samplers });
        if !name.is_empty() {
            value["name"] = json!(name);
        }
        (!self.channels.is_empty()).then_some(value)
    }

    fn add_nodes(&mut self, clip: &Clip, nodes: &Nodes, binary: &mut Binary) {
        let property = |target: &Target| match target {
            Target::Translation(node) => Some((*node, "translation", "VEC3", 3)),
            Target::Rotation(node) => Some((*node, "rotation", "VEC4", 4)),
            Target::Scale(node) => Some((*node, "scale", "VEC3", 3)),
            Target::Coefficients(_) => None,
        };
        // glTF allows one channel per property; in a clip the last one has its way.
        let last: BTreeMap<(usize, &str), usize> = clip
            .channels()
            .iter()
            .enumerate()
            .filter_map(|(index, c)| property(&c.target).map(|(node, path, ..)| ((node, path), index)))
            .collect();
        for (index, channel) in clip.channels().iter().enumerate() {
            let Some((node, path, kind, width)) = property(&channel.target) else { continue };
            if last[&(node, path)] != index {
                continue;
            }
            let (times, values) = ascending_keys(channel, width);
            let output = binary.floats(kind, width, &values);
            let input = binary.key_times(&times);
            self.add(nodes.animated(node), path, channel.interpolation, input, output);
        }
    }

    /// A channel: what moves, and the accessors of its key times and values.
    pub(super) fn add(
        &mut self,
        node: usize,
        path: &str,
        interpolation: Interpolation,
        input: usize,
        output: usize,
    ) {
        let interpolation = match interpolation {
            Interpolation::Linear => "LINEAR",
            Interpolation::Step => "STEP",
            Interpolation::CubicSpline => "CUBICSPLINE",
        };
        let sampler = self.samplers.len();
        self.samplers.push(json!({ "input": input, "output": output, "interpolation": interpolation }));
        self.channels.push(json!({ "sampler": sampler, "target": { "node": node, "path": path } }));
    }
}
