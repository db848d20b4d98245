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
    /// What deforming all vertices of both bodies would have cost: the median of some frames, times all frames.
    #[serde(serialize_with = "nanoseconds")]
    pub full_deformation_microseconds: f64,
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
    pub fn new(frames: &[Frame], full_deformations: &[f64]) -> Self {
        let mut stats = QueryStats::default();
        for frame in frames {
            stats += frame.stats;
        }
        Self {
            frames: frames.len(),
            frames_in_contact: frames.iter().filter(|f| !f.pairs.is_empty()).count(),
            pairs: frames.iter().map(|f| f.pairs.len()).sum(),
            cost: Cost::new(&stats, frames.iter().map(|f| f.microseconds).sum()),
            full_deformation_microseconds: median(full_deformations.to_vec()) * frames.len() as f64,
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
        let frame = |pairs: &[[u32; 2]], refits| {
            let mut stats = QueryStats::default();
            stats.refits = refits;
            Frame { frame: 0, time: 0.0, pairs: pairs.to_vec(), stats, microseconds: 2.5 }
        };
        let totals = Totals::new(&[frame(&[], 3), frame(&[[1, 2], [1, 3]], 4)], &[10.0, 30.0, 20.0]);
        assert_eq!((totals.frames, totals.frames_in_contact, totals.pairs), (2, 1, 2));
        assert_eq!((totals.cost.refits, totals.cost.microseconds), (7, 5.0));
        assert_eq!(totals.full_deformation_microseconds, 40.0);
    }
}
