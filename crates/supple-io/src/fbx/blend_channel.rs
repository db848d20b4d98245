//! Blend channels: sliders that move vertices, some through in-between shapes.
//!
//! In: a channel's shapes, each with the weight at which it is reached. Out: one displacement field per shape, and the
//! coefficients of these fields for any weight of the channel.
//! Must hold: between two shapes the mesh goes straight from one to the other; beyond the last it goes on straight.

use std::ops::Range;

/// One channel of one mesh.
#[derive(Debug)]
pub(super) struct BlendChannel {
    /// The element of the file that is animated. Instances of a mesh share it.
    pub element: u32,
    /// The coefficients of its shapes, in the order of `targets`.
    pub coefficients: Range<usize>,
    /// Weights at which the shapes are reached, ascending.
    pub targets: Vec<f64>,
}

impl BlendChannel {
    /// The coefficients at a weight of the channel.
    pub fn at(&self, weight: f64) -> Vec<f64> {
        shares(&self.targets, weight)
    }

    /// Keys of the coefficients where the weight goes straight between `keys` of (time, weight). Where it passes a
    /// shape the coefficients have a bend, hence another key.
    pub fn keys(&self, keys: &[(f64, f64)]) -> Vec<(f64, Vec<f64>)> {
        let mut bent: Vec<(f64, f64)> = Vec::with_capacity(keys.len());
        for (index, &(end, to)) in keys.iter().enumerate() {
            if let Some(&(start, from)) = index.checked_sub(1).and_then(|before| keys.get(before)) {
                let inside =
                    |&&target: &&f64| (from < target && target < to) || (to < target && target < from);
                let time = |&target: &f64| (start + (end - start) * ((target - from) / (to - from)), target);
                let first = bent.len();
                bent.extend(self.targets.iter().chain(&[0.0]).filter(inside).map(time));
                bent[first..].sort_by(|a, b| a.0.total_cmp(&b.0));
            }
            bent.push((end, to));
        }
        bent.into_iter().map(|(time, weight)| (time, self.at(weight))).collect()
    }
}

/// How much of each shape a weight gives: the two shapes around it, or nothing and the first one. Beyond the last shape of
/// a side, and on a side without shapes, the straight line before goes on.
pub(super) fn shares(targets: &[f64], weight: f64) -> Vec<f64> {
    let mut shares = vec![0.0; targets.len()];
    let up: Vec<usize> = (0..targets.len()).filter(|&i| targets[i] > 0.0).collect();
    let down: Vec<usize> = (0..targets.len()).rev().filter(|&i| targets[i] < 0.0).collect();
    // The shapes on the weight's side of 0, from 0 on.
    let side = if weight > 0.0 { &up } else { &down };
    if side.is_empty() {
        let other = if weight > 0.0 { &down } else { &up };
        if let Some(&nearest) = other.first() {
            shares[nearest] = weight / targets[nearest];
        }
        return shares;
    }
    let beyond = side.iter().position(|&i| targets[i].abs() > weight.abs());
    let after = beyond.unwrap_or(side.len() - 1);
    let before = after.checked_sub(1).map(|place| side[place]);
    let start = before.map_or(0.0, |i| targets[i]);
    let length = targets[side[after]] - start;
    if length == 0.0 {
        return shares;
    }
    let fraction = (weight - start) / length;
    if let Some(before) = before {
        shares[before] = 1.0 - fraction;
    }
    shares[side[after]] = fraction;
    shares
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn in_between_shapes_take_turns() {
        assert_eq!(shares(&[1.0], 0.25), [0.25]);
        assert_eq!(shares(&[1.0], -0.5), [-0.5]);
        assert_eq!(shares(&[0.5], 0.25), [0.5]);
        for (weight, expected) in [
            (0.0, [0.0, 0.0]),
            (0.25, [0.5, 0.0]),
            (0.5, [1.0, 0.0]),
            (0.75, [0.5, 0.5]),
            (1.0, [0.0, 1.0]),
            (1.5, [-1.0, 2.0]),
        ] {
            assert_eq!(shares(&[0.5, 1.0], weight), expected, "{weight}");
        }
        assert_eq!(shares(&[-1.0, 1.0], -0.5), [0.5, 0.0]);
        assert_eq!(shares(&[], 1.0), [0.0; 0]);
    }

    #[test]
    fn a_slider_that_passes_a_shape_has_a_key_there() {
        let channel = BlendChannel { element: 0, coefficients: 0..2, targets: vec![0.5, 1.0] };
        let keys = channel.keys(&[(0.0, 1.0), (2.0, 0.0)]);
        assert_eq!(keys, [(0.0, vec![0.0, 1.0]), (1.0, vec![1.0, 0.0]), (2.0, vec![0.0, 0.0])]);
    }
}
