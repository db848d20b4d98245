//! Mean shift: where points are dense.
//!
//! In: points. Out: points to which points move if each goes to the mean of what is within the bandwidth of it, again
//! and again.
//! Must hold: deterministic; modes closer than the bandwidth are one.
//!
//! Of many points evenly chosen ones are used: a piece of a hundredth of the surface still has a dozen of them.
//!
//! Based on: D. Comaniciu, P. Meer, Mean Shift: A Robust Approach toward Feature Space Analysis, 2002.

use rayon::prelude::*;

/// Points that are used.
const SAMPLES: usize = 1500;
/// Moves of a point at most; it ends sooner where it no longer moves.
const MOVES: usize = 60;

/// Modes with the most points first, at most `most`.
pub(super) fn modes(points: &[Vec<f64>], bandwidth: f64, most: usize) -> Vec<Vec<f64>> {
    let step = points.len().div_ceil(SAMPLES).max(1);
    let samples: Vec<&Vec<f64>> = points.iter().step_by(step).collect();
    let ends: Vec<Vec<f64>> = samples.par_iter().map(|start| climbed(&samples, start, bandwidth)).collect();
    let mut modes: Vec<(usize, Vec<f64>)> = Vec::new();
    for end in ends {
        match modes.iter_mut().find(|(_, mode)| distance_sq(mode, &end) < bandwidth * bandwidth) {
            Some((count, _)) => *count += 1,
            None => modes.push((1, end)),
        }
    }
    // Stable: of equally large ones the first.
    modes.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
    modes.truncate(most);
    modes.into_iter().map(|(_, mode)| mode).collect()
}

/// The nearest mode, the first of equals.
pub(super) fn nearest(modes: &[Vec<f64>], point: &[f64]) -> usize {
    let distance = |mode: usize| distance_sq(&modes[mode], point);
    (1..modes.len()).fold(0, |best, mode| if distance(mode) < distance(best) { mode } else { best })
}

fn climbed(samples: &[&Vec<f64>], start: &[f64], bandwidth: f64) -> Vec<f64> {
    let mut at = start.to_vec();
    for _ in 0..MOVES {
        let mut mean = vec![0.0; at.len()];
        let mut count = 0.0;
        for sample in samples.iter().filter(|s| distance_sq(s, &at) <= bandwidth * bandwidth) {
            mean.iter_mut().zip(sample.iter()).for_each(|(m, s)| *m += s);
            count += 1.0;
        }
        // Rounding may leave a lone point just outside.
        if count == 0.0 {
            return at;
        }
        mean.iter_mut().for_each(|m| *m /= count);
        let moved = distance_sq(&mean, &at);
        at = mean;
        if moved <= 1e-12 * bandwidth * bandwidth {
            break;
        }
    }
    at
}

fn distance_sq(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum()
}
