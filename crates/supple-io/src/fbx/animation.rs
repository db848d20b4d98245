//! Animation stacks of an FBX file, baked to linear keys.
//!
//! FBX animates Euler angles, pivots and layers along cubic curves; the library evaluates all that and gives translations,
//! quaternions and scales. A clip is what the stack's own span of time shows, and starts at 0.
//!
//! Between the file's keys, curves are sampled [`SAMPLES_PER_SECOND`] times a second and straight in between: a turn by 90 degrees
//! in a second that starts and ends slowly is off by 0.005 degrees at most. Keys that are as dense as frames of a film are taken as
//! they are.

use std::collections::HashMap;

use supple::Clip;
use supple::pose::{Channel, Interpolation, Target};

use super::blend_channel::BlendChannel;
use super::scene::{invalid, memory_limit};
use super::{quat, vec3};
use crate::Problem;

/// Engines take 30, whose error is 16 times as large.
const SAMPLES_PER_SECOND: f64 = 120.0;
/// Between two keys of the file; longer spans get fewer samples a second.
const MOST_SAMPLES: usize = 1 << 14;

/// One clip per animation stack that has keys. `channels` are the blend channels of the model.
pub(super) fn clips(
    scene: &ufbx::Scene,
    bytes: usize,
    channels: &[BlendChannel],
    notes: &mut Vec<String>,
) -> Result<Vec<Clip>, Problem> {
    let mut channels_of: HashMap<u32, Vec<&BlendChannel>> = HashMap::new();
    for channel in channels {
        channels_of.entry(channel.element).or_default().push(channel);
    }
    let names = names(scene);
    let mut clips = Vec::new();
    for (index, stack) in scene.anim_stacks.iter().enumerate() {
        let place = format!("animation stack {index} ({})", stack.element.name);
        let baked = ufbx::bake_anim(scene, &stack.anim, options(bytes));
        let baked = baked.map_err(|error| invalid(&place, &error))?;
        let span = span(stack, &baked);
        let mut found = Vec::new();
        for node in baked.nodes.iter() {
            let index = node.typed_id as usize;
            found.push(vectors(Target::Translation(index), &node.translation_keys, &span));
            found.push(rotations(index, &node.rotation_keys, &span));
            found.push(vectors(Target::Scale(index), &node.scale_keys, &span));
        }
        for element in baked.elements.iter() {
            let channels = channels_of.get(&element.element_id).map_or(&[][..], Vec::as_slice);
            let weights = element.props.iter().filter(|prop| &*prop.name == "DeformPercent");
            for prop in weights {
                found.extend(channels.iter().map(|channel| coefficients(channel, &prop.keys, &span)));
            }
        }
        found.retain(|channel| !channel.times.is_empty());
        if found.is_empty() {
            notes.push(format!("{place}: has no keys and was left out"));
            continue;
        }
        let clip = Clip::new(names[index].clone(), found);
        clips.push(clip.map_err(|error| Problem::invalid(place, error.to_string()))?);
    }
    Ok(clips)
}

fn options(bytes: usize) -> ufbx::BakeOpts {
    ufbx::BakeOpts {
        temp_allocator: memory_limit(bytes),
        result_allocator: memory_limit(bytes),
        resample_rate: SAMPLES_PER_SECOND,
        max_keyframe_segments: MOST_SAMPLES,
        // Two keys at one time: what is there before it, and what is there from it on.
        step_handling: ufbx::BakeStepHandling::IdenticalTime,
        ..ufbx::BakeOpts::default()
    }
}

/// Blender calls a stack `Armature|walk` after object and action. Where all names stay different, the object is left out.
fn names(scene: &ufbx::Scene) -> Vec<String> {
    let whole: Vec<String> = scene.anim_stacks.iter().map(|stack| stack.element.name.to_string()).collect();
    let is_node = |name: &str| scene.nodes.iter().any(|node| &*node.element.name == name);
    let cut = |name: &String| match name.split_once('|') {
        Some((object, action)) if !action.is_empty() && is_node(object) => action.to_owned(),
        _ => name.clone(),
    };
    let short: Vec<String> = whole.iter().map(cut).collect();
    let mut different = short.clone();
    different.sort();
    different.dedup();
    if different.len() == short.len() { short } else { whole }
}

/// From when to when a stack plays, in the file's seconds.
struct Span {
    begin: f64,
    end: f64,
}

/// What the stack says; where it says nothing, from its first to its last key.
fn span(stack: &ufbx::AnimStack, baked: &ufbx::BakedAnim) -> Span {
    if stack.time_begin < stack.time_end {
        Span { begin: stack.time_begin, end: stack.time_end }
    } else {
        Span { begin: baked.key_time_min, end: baked.key_time_max }
    }
}

impl Span {
    /// Times and values of the keys within the span, with values at its ends where keys lie beyond them.
    fn cut<K, V: AsRef<[f32]>>(
        &self,
        keys: &[K],
        key: impl Fn(&K) -> (f64, V),
        at: impl Fn(f64) -> V,
    ) -> (Vec<f32>, Vec<f32>) {
        let (mut times, mut values) = (Vec::with_capacity(keys.len()), Vec::new());
        let mut push = |time: f64, value: V| {
            times.push((time - self.begin) as f32);
            values.extend_from_slice(value.as_ref());
        };
        let inside =
            keys.iter().map(&key).skip_while(|key| key.0 < self.begin).take_while(|key| key.0 <= self.end);
        let mut inside = inside.peekable();
        let starts_before = keys.first().is_some_and(|first| key(first).0 < self.begin);
        if starts_before && inside.peek().is_none_or(|first| first.0 > self.begin) {
            push(self.begin, at(self.begin));
        }
        let mut last = f64::NEG_INFINITY;
        for (time, value) in inside {
            last = time;
            push(time, value);
        }
        if last < self.end && keys.last().is_some_and(|last| key(last).0 > self.end) {
            push(self.end, at(self.end));
        }
        (times, values)
    }
}

fn vectors(target: Target, keys: &[ufbx::BakedVec3], span: &Span) -> Channel {
    let value = |v: &ufbx::Vec3| vec3(v).as_vec3().to_array();
    let at = |time| value(&ufbx::evaluate_baked_vec3(keys, time));
    linear(target, span.cut(keys, |key| (key.time, value(&key.value)), at))
}

fn rotations(node: usize, keys: &[ufbx::BakedQuat], span: &Span) -> Channel {
    let value = |q: &ufbx::Quat| quat(q).to_array();
    let at = |time| value(&ufbx::evaluate_baked_quat(keys, time));
    linear(Target::Rotation(node), span.cut(keys, |key| (key.time, value(&key.value)), at))
}

fn coefficients(channel: &BlendChannel, keys: &[ufbx::BakedVec3], span: &Span) -> Channel {
    let rounded = |shares: &[f64]| shares.iter().map(|&share| share as f32).collect::<Vec<f32>>();
    let weights: Vec<(f64, f64)> = keys.iter().map(|key| (key.time, key.value.x / 100.0)).collect();
    let at = |time| rounded(&channel.at(ufbx::evaluate_baked_vec3(keys, time).x / 100.0));
    let bent = channel.keys(&weights);
    linear(
        Target::Coefficients(channel.coefficients.clone()),
        span.cut(&bent, |key| (key.0, rounded(&key.1)), at),
    )
}

fn linear(target: Target, (times, values): (Vec<f32>, Vec<f32>)) -> Channel {
    Channel { target, interpolation: Interpolation::Linear, times, values }
}
