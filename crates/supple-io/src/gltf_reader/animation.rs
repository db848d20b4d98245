//! Animations as clips.
//!
//! In: channels that name nodes. Out: channels that name nodes and coefficients of the model.
//! Must hold: a clip with anything wrong is left out as a whole, as half a motion would be a wrong one; channels keep
//! their order; one that moves weights of a node without morph targets is dropped.
//!
//! Based on: Khronos Group, glTF 2.0 specification, section 3.11.

use std::collections::BTreeMap;
use std::ops::Range;

use gltf::json;
use json::accessor::{ComponentType, Type};
use json::animation::{Interpolation as Stored, Property};
use json::validation::Checked;
use supple::Clip;
use supple::pose::{Channel, Interpolation, Target};

use super::accessor::Accessor;
use super::contents::Contents;
use super::document::{Animation, lookup};
use crate::Problem;

/// Coefficients of the parts, by node.
pub(super) type CoefficientsOfNodes = BTreeMap<usize, Range<usize>>;

pub(super) fn read_clips(
    contents: &Contents<'_>,
    coefficients: &CoefficientsOfNodes,
    notes: &mut Vec<String>,
    left_out: &mut Vec<String>,
) -> Vec<Clip> {
    let mut clips = Vec::new();
    for (index, animation) in contents.document.animations.iter().enumerate() {
        let mut notes_of_clip = Vec::new();
        match read_clip(contents, index, animation, coefficients, &mut notes_of_clip) {
            Ok(clip) => {
                clips.push(clip);
                notes.append(&mut notes_of_clip);
            }
            Err(problem) => left_out.push(format!("{problem}; the clip is left out")),
        }
    }
    clips
}

fn read_clip(
    contents: &Contents<'_>,
    index: usize,
    animation: &Animation,
    coefficients: &CoefficientsOfNodes,
    notes: &mut Vec<String>,
) -> Result<Clip, Problem> {
    let place = contents.document.animation_place(index);
    let stored = animation.stored.as_ref().map_err(|error| Problem::invalid(&place, error))?;
    let mut channels = Vec::new();
    for (number, channel) in stored.channels.iter().enumerate() {
        let place = format!("{place}, channel {number}");
        channels.extend(read_channel(contents, stored, channel, coefficients, &place, notes)?);
    }
    let name = animation.name.clone().unwrap_or_else(|| format!("clip {index}"));
    Clip::new(name, channels).map_err(|error| Problem::invalid(place, error.to_string()))
}

fn read_channel(
    contents: &Contents<'_>,
    animation: &json::Animation,
    channel: &json::animation::Channel,
    coefficients: &CoefficientsOfNodes,
    place: &str,
    notes: &mut Vec<String>,
) -> Result<Option<Channel>, Problem> {
    let within = |problem: Problem| problem.within(place);
    let node = channel.target.node.value();
    lookup(&contents.document.nodes, "node", node).map_err(within)?;
    let Checked::Valid(property) = channel.target.path else {
        let message = format!("moves something unknown of node {node}");
        return Err(Problem::invalid(place, message));
    };
    let target = match property {
        Property::Translation => Target::Translation(node),
        Property::Rotation => Target::Rotation(node),
        Property::Scale => Target::Scale(node),
        Property::MorphTargetWeights => match coefficients.get(&node) {
            Some(range) if !range.is_empty() => Target::Coefficients(range.clone()),
            _ => {
                notes.push(format!("{place}: moves weights of node {node}, which has none; ignored"));
                return Ok(None);
            }
        },
    };
    let sampler = lookup(&animation.samplers, "sampler", channel.sampler.value()).map_err(within)?;
    let interpolation = match sampler.interpolation {
        Checked::Valid(Stored::Linear) => Interpolation::Linear,
        Checked::Valid(Stored::Step) => Interpolation::Step,
        Checked::Valid(Stored::CubicSpline) => Interpolation::CubicSpline,
        Checked::Invalid => {
            return Err(Problem::invalid(
                place,
                "has an unknown interpolation; expected LINEAR, STEP or CUBICSPLINE",
            ));
        }
    };
    let times = contents.accessor(sampler.input.value()).and_then(read_times).map_err(within)?;
    let output = contents.accessor(sampler.output.value()).map_err(within)?;
    let values = read_values(output, &target).map_err(within)?;
    check_counts(place, &target, interpolation, &times, &values)?;
    Ok(Some(Channel { target, interpolation, times, values }))
}

fn read_times(accessor: Accessor<'_>) -> Result<Vec<f32>, Problem> {
    accessor.checked_kind(Type::Scalar, &[ComponentType::F32])?.to_f32()
}

fn read_values(accessor: Accessor<'_>, target: &Target) -> Result<Vec<f32>, Problem> {
    use ComponentType::{F32, I8, I16, U8, U16};
    match target {
        Target::Translation(_) | Target::Scale(_) => {
            accessor.checked_kind(Type::Vec3, &[F32, I8, U8, I16, U16])
        }
        Target::Rotation(_) => accessor.checked_kind(Type::Vec4, &[F32, I8, U8, I16, U16]),
        Target::Coefficients(_) => accessor.checked_kind(Type::Scalar, &[F32, I8, U8, I16, U16]),
    }?
    .to_f32()
}

/// Counts are checked here, where the channel has a number that is the file's.
fn check_counts(
    place: &str,
    target: &Target,
    interpolation: Interpolation,
    times: &[f32],
    values: &[f32],
) -> Result<(), Problem> {
    let width = match target {
        Target::Translation(_) | Target::Scale(_) => 3,
        Target::Rotation(_) => 4,
        Target::Coefficients(range) => range.len(),
    };
    let expected = times.len().checked_mul(interpolation.tuples_per_key()).and_then(|t| t.checked_mul(width));
    if expected == Some(values.len()) {
        return Ok(());
    }
    Err(Problem::invalid(
        place,
        format!(
            "{} values for {} keys of {width} numbers ({interpolation:?}); expected {} values",
            values.len(),
            times.len(),
            expected.unwrap_or(usize::MAX)
        ),
    ))
}
