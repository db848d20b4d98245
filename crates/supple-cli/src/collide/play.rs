//! Plays a meeting: poses both bodies, asks, and measures, frame by frame.

use std::time::Instant;

use supple::{Body, QueryStats, collide, collide_any};

use super::baked::Baked;
use super::check::{Verdict, difference};
use super::meeting::{Meeting, Wanted};
use crate::failure::Failure;
use crate::progress::bar;

/// What one frame gave.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    pub frame: usize,
    pub time: f64,
    /// Touching triangles of A and B, ascending; at most one where only the first was asked for.
    pub pairs: Vec<[u32; 2]>,
    pub stats: QueryStats,
    /// To pose both bodies and to ask. Sampling the clips is not in it: every program has to do that.
    pub microseconds: f64,
    /// The same by [baking](super::baked), where it was measured.
    pub baking_microseconds: Option<f64>,
}

/// Plays all frames. Those that `checked` names are compared with brute force, those that `baked` names are baked, too.
pub fn play(
    meeting: &mut Meeting,
    checked: impl Fn(usize) -> bool,
    baked: impl Fn(usize) -> bool,
) -> Result<(Vec<Frame>, Verdict), Failure> {
    let is_checked = (0..meeting.frame_count).any(&checked);
    let message = if is_checked { "checking by brute force" } else { "colliding" };
    let progress = bar(meeting.frame_count, message).counting(" frames");
    let mut frames = Vec::with_capacity(meeting.frame_count);
    let mut verdict = Verdict::default();
    let mut bakery = Baked::new(meeting)?;
    // Caches grow in the first query; that is no part of what a frame costs.
    let first = ask(meeting, 0)?;
    bakery.ask(meeting, &first.pairs)?;
    for index in 0..meeting.frame_count {
        let mut frame = ask(meeting, index)?;
        if checked(index) {
            verdict.add(&frame, difference(meeting.wanted, &frame.pairs, &meeting.a, &meeting.b)?);
        }
        if baked(index) {
            frame.baking_microseconds = Some(bakery.ask(meeting, &frame.pairs)?);
        }
        frames.push(frame);
        progress.inc(1);
    }
    Ok((frames, verdict))
}

/// Every n-th number below `count`, and the last, so that there are at most `limit`.
pub fn evenly(count: usize, limit: usize) -> Vec<usize> {
    let last = count.saturating_sub(1);
    let chosen = (0..count).step_by(stride(count, limit));
    chosen.take_while(|&i| i < last).chain((count > 0).then_some(last)).collect()
}

/// The step between the numbers that [`evenly`] chooses.
pub fn stride(count: usize, limit: usize) -> usize {
    count.saturating_sub(1).div_ceil(limit.max(2) - 1).max(1)
}

fn ask(meeting: &mut Meeting, frame: usize) -> Result<Frame, Failure> {
    let time = meeting.time(frame);
    let Meeting { a, b, wanted, .. } = meeting;
    a.sample(time)?;
    b.sample(time)?;
    let start = Instant::now();
    a.take_pose()?;
    b.take_pose()?;
    let (pairs, stats) = asked(*wanted, &mut a.body, &mut b.body);
    let microseconds = start.elapsed().as_secs_f64() * 1e6;
    Ok(Frame { frame, time, pairs, stats, microseconds, baking_microseconds: None })
}

/// The question itself: pairs of touching triangles, and what it took.
pub fn asked(wanted: Wanted, a: &mut Body, b: &mut Body) -> (Vec<[u32; 2]>, QueryStats) {
    match wanted {
        Wanted::AllPairs => {
            let answer = collide(a, b);
            (answer.found, answer.stats)
        }
        Wanted::FirstPair => {
            let answer = collide_any(a, b);
            (answer.found.into_iter().collect(), answer.stats)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chosen_frames_span_all() {
        assert_eq!(evenly(0, 5), [0; 0]);
        assert_eq!(evenly(1, 5), [0]);
        assert_eq!(evenly(3, 5), [0, 1, 2]);
        assert_eq!(evenly(9, 5), [0, 2, 4, 6, 8]);
        assert_eq!(evenly(60, 12), [0, 6, 12, 18, 24, 30, 36, 42, 48, 54, 59]);
        for count in 1..300 {
            let chosen = evenly(count, 40);
            assert!(chosen.len() <= 40 && chosen[0] == 0 && chosen.last() == Some(&(count - 1)), "{count}");
        }
    }
}
