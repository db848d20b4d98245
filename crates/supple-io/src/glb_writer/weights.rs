//! The weights of one mesh over a clip.
//!
//! In: the clip's channels of coefficients, any number of them. Out: one track, because glTF allows one per mesh.
//! Must hold: a channel that is just the mesh's coefficients is written as it is. Others are sampled at all their
//! keys, which is exact if all are linear or all are steps; mixed ones also 60 times a second, and linearly between.

use std::ops::Range;

use supple::pose::{Channel, Interpolation, Target};
use supple::rest::Rest;
use supple::{Clip, Model};

use super::keys::ascending_keys;

/// Samples per second where an interpolation has no exact counterpart.
const RATE: f64 = 60.0;

/// Keyframes of the weights of one mesh.
#[derive(Debug)]
pub(super) struct WeightTrack {
    pub interpolation: Interpolation,
    pub times: Vec<f32>,
    pub values: Vec<f32>,
}

/// The track of these coefficients, if the clip moves any of them.
pub(super) fn weight_track(model: &Model, clip: &Clip, coefficients: &[usize]) -> Option<WeightTrack> {
    let convex = matches!(model.rest(), Rest::Morph(_));
    let channels: Vec<(&Channel, &Range<usize>)> = clip
        .channels()
        .iter()
        .filter_map(|channel| match &channel.target {
            Target::Coefficients(range) => Some((channel, range)),
            _ => None,
        })
        // Convex weights are divided by their sum, so that each moves all.
        .filter(|(_, range)| convex || coefficients.iter().any(|c| range.contains(c)))
        .collect();
    match channels[..] {
        [] => None,
        _ if coefficients.is_empty() => None,
        [(channel, range)] if !convex && range.clone().eq(coefficients.iter().copied()) => {
            let (times, values) = ascending_keys(channel, range.len());
            Some(WeightTrack { interpolation: channel.interpolation, times, values })
        }
        _ => sampled(model, clip, &channels, coefficients),
    }
}

fn sampled(
    model: &Model,
    clip: &Clip,
    channels: &[(&Channel, &Range<usize>)],
    coefficients: &[usize],
) -> Option<WeightTrack> {
    let all = |kind| channels.iter().all(|(channel, _)| channel.interpolation == kind);
    let mut times: Vec<f32> =
        channels.iter().flat_map(|(channel, _)| channel.times.iter().copied()).collect();
    if !all(Interpolation::Step) && !all(Interpolation::Linear) {
        let last = times.iter().copied().fold(0.0, f32::max);
        let ticks = (f64::from(last) * RATE) as usize;
        times.extend((0..=ticks).map(|tick| (tick as f64 / RATE) as f32));
    }
    times.sort_by(f32::total_cmp);
    times.dedup();
    let interpolation = if all(Interpolation::Step) { Interpolation::Step } else { Interpolation::Linear };
    let mut values = Vec::with_capacity(times.len() * coefficients.len());
    for &time in &times {
        let pose = model.sample(clip, f64::from(time)).ok()?;
        let checked = model.rest().checked_coefficients(&pose.coefficients).ok()?;
        values.extend(coefficients.iter().map(|&c| checked[c]));
    }
    Some(WeightTrack { interpolation, times, values })
}
