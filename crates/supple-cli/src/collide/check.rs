//! Compares answers with brute force.

use supple::oracle::{self, PosedMesh};

use super::actor::Actor;
use super::meeting::Wanted;
use super::play::Frame;
use crate::failure::{Failure, failed_check};

/// Pairs that are named before the rest is only counted.
const NAMED: usize = 5;

/// What all comparisons gave.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// Frames that were compared.
    pub checked: usize,
    wrong: usize,
    first_wrong: Option<String>,
}

impl Verdict {
    /// Adds the outcome of a frame.
    pub fn add(&mut self, frame: &Frame, difference: Option<String>) {
        self.checked += 1;
        if let Some(difference) = difference {
            self.wrong += 1;
            self.first_wrong
                .get_or_insert_with(|| format!("frame {} at {:.3} s: {difference}", frame.frame, frame.time));
        }
    }

    /// A failure if any frame differed.
    pub fn result(&self) -> Result<(), Failure> {
        self.first_wrong.as_ref().map_or(Ok(()), |first| {
            Err(failed_check(format!(
                "{} of {} frames differ from brute force; the first is {first}",
                self.wrong, self.checked
            )))
        })
    }
}

/// How an answer differs from what brute force says of the sampled poses. Nothing is taken from the bodies, whose
/// stored vertices and bounds are what is checked.
pub fn difference(
    wanted: Wanted,
    found: &[[u32; 2]],
    a: &Actor,
    b: &Actor,
) -> Result<Option<String>, Failure> {
    let (positions_a, positions_b) = (a.positions()?, b.positions()?);
    let (model_a, model_b) = (a.body.shape().model(), b.body.shape().model());
    let expected = oracle::collide(
        PosedMesh::new(model_a.mesh(), &positions_a),
        PosedMesh::new(model_b.mesh(), &positions_b),
    );
    Ok(compare(wanted, found, &expected))
}

/// `expected` is ascending and complete.
fn compare(wanted: Wanted, found: &[[u32; 2]], expected: &[[u32; 2]]) -> Option<String> {
    let listed = |all: &[[u32; 2]], pair: &[u32; 2]| all.binary_search(pair).is_ok();
    let wrong: Vec<_> = found.iter().copied().filter(|p| !listed(expected, p)).collect();
    let missing: Vec<_> = match wanted {
        Wanted::AllPairs => expected.iter().copied().filter(|p| !listed(found, p)).collect(),
        Wanted::FirstPair if found.is_empty() => expected.to_vec(),
        Wanted::FirstPair => Vec::new(),
    };
    let mut faults = Vec::new();
    if !missing.is_empty() {
        faults.push(format!("missing {}", named(&missing)));
    }
    if !wrong.is_empty() {
        faults.push(format!("not touching {}", named(&wrong)));
    }
    if faults.is_empty() && wanted == Wanted::AllPairs && found != expected {
        faults.push("pairs out of order or repeated".to_owned());
    }
    (!faults.is_empty()).then(|| faults.join("; "))
}

fn named(pairs: &[[u32; 2]]) -> String {
    let mut text: Vec<String> = pairs.iter().take(NAMED).map(|[a, b]| format!("[{a},{b}]")).collect();
    if pairs.len() > NAMED {
        text.push(format!("… and {} more", pairs.len() - NAMED));
    }
    text.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use supple::QueryStats;

    const TRUTH: [[u32; 2]; 3] = [[0, 7], [1, 2], [1, 3]];

    #[test]
    fn sets_must_be_complete_and_in_order() {
        let compared = |found: &[[u32; 2]]| compare(Wanted::AllPairs, found, &TRUTH);
        assert_eq!(compared(&TRUTH), None);
        assert_eq!(compared(&[[0, 7], [1, 3]]).unwrap(), "missing [1,2]");
        assert_eq!(compared(&[[0, 7], [1, 2], [1, 3], [9, 9]]).unwrap(), "not touching [9,9]");
        assert_eq!(compared(&[[0, 7], [1, 2], [1, 2], [1, 3]]).unwrap(), "pairs out of order or repeated");
        assert!(compare(Wanted::AllPairs, &[], &[[1, 1]; 9]).unwrap().ends_with("… and 4 more"));
    }

    #[test]
    fn any_touching_pair_will_do_as_the_first() {
        let compared = |found: &[[u32; 2]]| compare(Wanted::FirstPair, found, &TRUTH);
        assert_eq!(compared(&[[1, 2]]), None);
        assert_eq!(compared(&[[2, 1]]).unwrap(), "not touching [2,1]");
        assert!(compared(&[]).unwrap().starts_with("missing [0,7]"));
        assert_eq!(compare(Wanted::FirstPair, &[], &[]), None);
    }

    #[test]
    fn the_first_wrong_frame_is_told() {
        let frame = |frame| Frame {
            frame,
            time: frame as f64 / 10.0,
            pairs: Vec::new(),
            stats: QueryStats::default(),
            microseconds: 0.0,
            baking_microseconds: None,
        };
        let mut verdict = Verdict::default();
        verdict.add(&frame(0), None);
        assert!(verdict.result().is_ok());
        verdict.add(&frame(3), Some("missing [1,2]".to_owned()));
        verdict.add(&frame(4), Some("missing [5,6]".to_owned()));
        let failure = verdict.result().unwrap_err();
        assert_eq!(failure.exit_code(), 1);
        let expected =
            "2 of 3 frames differ from brute force; the first is frame 3 at 0.300 s: missing [1,2]";
        assert_eq!(failure.to_string(), expected);
    }
}
