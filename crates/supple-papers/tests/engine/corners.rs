//! The corners of weight polytopes span them.

use crate::cases;
use crate::random_model::Random;
use supple_papers::weight_corners;

/// Random weights with sum 1, and the intervals around them.
fn random_intervals(random: &mut Random, joints: usize) -> (Vec<Vec<f64>>, Vec<[f64; 2]>) {
    let weights: Vec<Vec<f64>> = (0..1 + random.below(6))
        .map(|_| {
            let raw: Vec<f64> =
                (0..joints).map(|_| f64::from(random.signed().abs()).powi(2) + 1e-3).collect();
            let sum: f64 = raw.iter().sum();
            raw.iter().map(|w| w / sum).collect()
        })
        .collect();
    let end = |i: usize, pick: fn(f64, f64) -> f64| weights.iter().map(|w| w[i]).reduce(pick).unwrap();
    let intervals = (0..joints).map(|i| [end(i, f64::min), end(i, f64::max)]).collect();
    (weights, intervals)
}

/// The largest `<d, w>` over the polytope, by filling the best weights first: an answer that knows no corners.
fn largest_by_filling(intervals: &[[f64; 2]], d: &[f64]) -> f64 {
    let mut order: Vec<usize> = (0..d.len()).collect();
    order.sort_by(|&a, &b| d[b].total_cmp(&d[a]));
    let mut left = 1.0 - intervals.iter().map(|i| i[0]).sum::<f64>();
    let mut value: f64 = intervals.iter().zip(d).map(|(i, d)| i[0] * d).sum();
    for i in order {
        let step = left.min(intervals[i][1] - intervals[i][0]);
        value += step * d[i];
        left -= step;
    }
    value
}

#[test]
fn corners_span_the_weights() {
    let mut random = Random(7);
    for round in 0..cases(200, 600) {
        let joints = 1 + random.below(6);
        let (weights, intervals) = random_intervals(&mut random, joints);
        let corners = weight_corners(&intervals);
        for corner in &corners {
            assert!((corner.iter().sum::<f64>() - 1.0).abs() < 1e-11, "round {round}");
            for (c, [low, high]) in corner.iter().zip(&intervals) {
                assert!((low - 1e-11..=high + 1e-11).contains(c), "round {round}: {corner:?} {intervals:?}");
            }
        }
        for _ in 0..30 {
            let d: Vec<f64> = (0..joints).map(|_| f64::from(random.signed())).collect();
            let dot = |w: &[f64]| w.iter().zip(&d).map(|(w, d)| w * d).sum::<f64>();
            let reach = corners.iter().map(|c| dot(c)).fold(f64::NEG_INFINITY, f64::max);
            // No direction in which a weight lies beyond all corners, and none in which the polytope does.
            assert!(weights.iter().all(|w| dot(w) <= reach + 1e-11), "round {round}: {intervals:?}");
            assert!(
                (largest_by_filling(&intervals, &d) - reach).abs() < 1e-11,
                "round {round}: {intervals:?}"
            );
        }
    }
}
