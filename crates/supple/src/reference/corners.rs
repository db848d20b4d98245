//! Corners of the weight polytope `{w : l_i <= w_i <= h_i, sum w_i = 1}`.
//!
//! In: one interval per joint. Out: the polytope's corners.
//! Must hold: the polytope is the convex hull of the corners; each corner satisfies the constraints up to rounding.
//!
//! A corner is a point where as many constraints are tight as there are dimensions: all weights but one are at an end of
//! their intervals, and the sum gives the last one.
//!
//! Based on: L. Kavan, Real-time Skeletal Animation, 2007, section 5.2.1 (all intersections, those outside discarded).

/// `n 2^(n-1)` intersections are tried: 53,000 for 13 joints.
pub(super) const MAX_JOINTS: usize = 13;

/// Sums of intervals' ends are off by a few units of 1e-16; f32 weights that differ do so by more than this.
const TOLERANCE: f64 = 1e-12;

/// Corners of the weights in the intervals `[l_i, h_i]`, in ascending order; empty if no weights in them have the sum 1.
///
/// The cost is `n 2^(n-1)` for `n` intervals.
///
/// ```
/// use supple::reference::weight_corners;
///
/// let corners = weight_corners(&[[0.0, 0.75], [0.0, 1.0], [0.0, 1.0]]);
/// assert_eq!(corners, [[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [0.75, 0.0, 0.25], [0.75, 0.25, 0.0]]);
/// ```
pub fn weight_corners(intervals: &[[f64; 2]]) -> Vec<Vec<f64>> {
    let mut corners: Vec<Vec<f64>> = Vec::new();
    for free in 0..intervals.len() {
        for choice in 0..1usize << (intervals.len() - 1) {
            let corner = intersection(intervals, free, choice);
            let [low, high] = intervals[free];
            if (low - TOLERANCE..=high + TOLERANCE).contains(&corner[free]) && !contains(&corners, &corner) {
                corners.push(corner);
            }
        }
    }
    corners.sort_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
    corners
}

/// The point where all weights but `free` are at an end: the bits of `choice` say at which.
fn intersection(intervals: &[[f64; 2]], free: usize, choice: usize) -> Vec<f64> {
    let mut rest = choice;
    let mut corner = vec![0.0; intervals.len()];
    for (i, interval) in intervals.iter().enumerate().filter(|(i, _)| *i != free) {
        corner[i] = interval[rest & 1];
        rest >>= 1;
    }
    corner[free] = 1.0 - corner.iter().sum::<f64>();
    corner
}

/// The same corner is found once for every weight at an end, and equal ends double it.
fn contains(corners: &[Vec<f64>], corner: &[f64]) -> bool {
    let same = |other: &Vec<f64>| other.iter().zip(corner).all(|(a, b)| (a - b).abs() <= TOLERANCE);
    corners.iter().any(same)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_ends_have_one_corner() {
        assert_eq!(weight_corners(&[[0.25, 0.25], [0.75, 0.75]]), [[0.25, 0.75]]);
        assert_eq!(weight_corners(&[[1.0, 1.0]]), [[1.0]]);
    }

    #[test]
    fn no_weights_have_no_corners() {
        assert!(weight_corners(&[[0.0, 0.25], [0.0, 0.5]]).is_empty());
    }
}
