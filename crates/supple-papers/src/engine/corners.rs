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
/// use supple_papers::weight_corners;
///
/// let corners = weight_corners(&[[0.0, 0.75], [0.0, 1.0], [0.0, 1.0]]);
/// assert_eq!(corners, [[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [0.75, 0.0, 0.25], [0.75, 0.25, 0.0]]);
/// ```
pub fn weight_corners(intervals: &[[f64; 2]]) -> Vec<Vec<f64>> {
    let mut corners: Vec<Vec<f64>> = Vec::new();
    for (free, &[low, high]) in intervals.iter().enumerate() {
        // A corner with all weights at ends is found whichever of them is free: the first counts.
        let allowed = if free == 0 {
            [low - 2.0 * TOLERANCE, high + 2.0 * TOLERANCE]
        } else {
            [low + TOLERANCE, high - TOLERANCE]
        };
        for choice in 0..1usize << (intervals.len() - 1) {
            corners.extend(
                intersection(intervals, free, choice)
                    .filter(|corner| allowed[0] <= corner[free] && corner[free] <= allowed[1]),
            );
        }
    }
    corners.sort_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
    corners
}

/// The point where all weights but `free` are at an end: the bits of `choice` say at which. Equal ends are chosen once.
fn intersection(intervals: &[[f64; 2]], free: usize, choice: usize) -> Option<Vec<f64>> {
    let mut rest = choice;
    let mut corner = vec![0.0; intervals.len()];
    for (i, interval) in intervals.iter().enumerate().filter(|(i, _)| *i != free) {
        if rest & 1 == 1 && interval[0] == interval[1] {
            return None;
        }
        corner[i] = interval[rest & 1];
        rest >>= 1;
    }
    corner[free] = 1.0 - corner.iter().sum::<f64>();
    Some(corner)
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
    fn as_many_corners_as_there_are() {
        // Six weights of 0.15 and one of 0.1 are 1: 13 positions for that one, 924 for the others.
        assert_eq!(weight_corners(&[[0.0, 0.15]; 13]).len(), 13 * 924);
        // Three of a third: all at ends, each found once.
        assert_eq!(weight_corners(&[[0.0, 1.0 / 3.0]; 4]).len(), 4);
    }

    #[test]
    fn no_weights_have_no_corners() {
        assert!(weight_corners(&[[0.0, 0.25], [0.0, 0.5]]).is_empty());
    }
}
