//! Sums over all frames, and what lies in their middle.

use serde::{Serialize, Serializer};
use supple::QueryStats;

use super::play::Frame;

/// Sums over all frames.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Totals {
    pub frames: usize,
    pub frames_in_contact: usize,
    pub pairs: usize,
    #[serde(flatten)]
    pub cost: Cost,
    pub baking: Baking,
}

/// Frames that were [baked](super::baked), too, and what they took either way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Baking {
    pub frames: usize,
    /// Frames in which baking was faster.
    pub faster: usize,
    #[serde(serialize_with = "nanoseconds")]
    pub microseconds: f64,
    #[serde(serialize_with = "nanoseconds")]
    pub supple_microseconds: f64,
}

impl Baking {
    fn new(frames: &[Frame]) -> Self {
        let mut all = Self::default();
        for (frame, baking) in frames.iter().filter_map(|f| Some((f, f.baking_microseconds?))) {
            all.frames += 1;
            all.faster += usize::from(baking < frame.microseconds);
            all.microseconds += baking;
            all.supple_microseconds += frame.microseconds;
        }
        all
    }
}

/// Counters and time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Cost {
    pub node_visits: u64,
    pub refits: u64,
    pub vertices_deformed: u64,
    pub triangle_tests: u64,
    #[serde(serialize_with = "nanoseconds")]
    pub microseconds: f64,
}

impl Cost {
    pub fn new(stats: &QueryStats, microseconds: f64) -> Self {
        let QueryStats { node_visits, refits, vertices_deformed, triangle_tests, .. } = *stats;
        Self { node_visits, refits, vertices_deformed, triangle_tests, microseconds }
    }
}

impl Totals {
    pub fn new(frames: &[Frame]) -> Self {
        let mut stats = QueryStats::default();
        for frame in frames {
            stats += frame.stats;
        }
        Self {
            frames: frames.len(),
            frames_in_contact: frames.iter().filter(|f| !f.pairs.is_empty()).count(),
            pairs: frames.iter().map(|f| f.pairs.len()).sum(),
            cost: Cost::new(&stats, frames.iter().map(|f| f.microseconds).sum()),
            baking: Baking::new(frames),
        }
    }
}

/// The middle number, or the mean of the two in the middle; 0 of none.
pub fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    let middle = numbers.len() / 2;
    match numbers.len() {
        0 => 0.0,
        n if n % 2 == 1 => numbers[middle],
        _ => 0.5 * (numbers[middle - 1] + numbers[middle]),
    }
}

/// The nearest multiple of `1 / per_unit`: no digits that were not measured.
pub fn rounded(number: f64, per_unit: f64) -> f64 {
    (number * per_unit).round() / per_unit
}

/// Microseconds to the nanosecond; the clock knows no more.
fn nanoseconds<S: Serializer>(microseconds: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(rounded(*microseconds, 1e3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_has_no_digits_that_were_not_measured() {
        let cost = Cost::new(&QueryStats::default(), 11.450_999_999_999_999);
        assert!(serde_json::to_string(&cost).unwrap().ends_with("\"microseconds\":11.451}"));
        assert_eq!(rounded(1.0 / 3.0, 1e9), 0.333_333_333);
    }

    #[test]
    fn the_median_is_in_the_middle() {
        assert_eq!(median(vec![]), 0.0);
        assert_eq!(median(vec![5.0, 1.0, 3.0]), 3.0);
        assert_eq!(median(vec![4.0, 1.0, 3.0, 100.0]), 3.5);
    }

    #[test]
    fn totals_are_sums() {
        let frame = |pairs: &[[u32; 2]], refits, baking_microseconds| {
            let mut stats = QueryStats::default();
            stats.refits = refits;
            Frame {
                frame: 0,
                time: 0.0,
                pairs: pairs.to_vec(),
                stats,
                microseconds: 2.5,
                baking_microseconds,
            }
        };
        let frames = [frame(&[], 3, Some(2.0)), frame(&[[1, 2], [1, 3]], 4, None), frame(&[], 0, Some(4.0))];
        let totals = Totals::new(&frames);
        assert_eq!((totals.frames, totals.frames_in_contact, totals.pairs), (3, 1, 2));
        assert_eq!((totals.cost.refits, totals.cost.microseconds), (7, 7.5));
        let baking = Baking { frames: 2, faster: 1, microseconds: 6.0, supple_microseconds: 5.0 };
        assert_eq!(totals.baking, baking);
    }
}
