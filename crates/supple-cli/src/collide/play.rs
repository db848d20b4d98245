//! Plays a meeting: poses both bodies, asks, and measures, frame by frame.

use std::time::Instant;

use glam::Vec3;
use supple::{QueryStats, collide_any, collide_into};

use super::actor::Actor;
use super::check::{Verdict, difference};
use super::meeting::{Meeting, Wanted};
use crate::failure::Failure;
use crate::one_thread::on_one_thread;
use crate::progress::bar;

/// Full deformation is measured in at most this many frames.
const FULL_DEFORMATIONS: usize = 30;

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
}

/// Plays all frames. Frames for which `checked` says so are compared with brute force.
pub fn play(
    meeting: &mut Meeting,
    checked: impl Fn(usize) -> bool,
) -> Result<(Vec<Frame>, Verdict), Failure> {
    let progress = bar(meeting.frame_count, "colliding").counting(" frames");
    let mut frames = Vec::with_capacity(meeting.frame_count);
    let mut verdict = Verdict::default();
    // Caches grow in the first query; that is no part of what a frame costs.
    ask(meeting, 0)?;
    for index in 0..meeting.frame_count {
        let frame = ask(meeting, index)?;
        if checked(index) {
            verdict.add(&frame, difference(meeting.wanted, &frame.pairs, &meeting.a, &meeting.b)?);
        }
        frames.push(frame);
        progress.inc(1);
    }
    Ok((frames, verdict))
}

/// Microseconds to deform all vertices of both bodies, in frames evenly chosen from all; on one thread, as queries are.
pub fn full_deformations(meeting: &mut Meeting) -> Result<Vec<f64>, Failure> {
    on_one_thread(|| deformations(meeting))
}

fn deformations(meeting: &mut Meeting) -> Result<Vec<f64>, Failure> {
    let vertices = |actor: &Actor| vec![Vec3::ZERO; actor.body.shape().model().mesh().positions().len()];
    let (mut positions_a, mut positions_b) = (vertices(&meeting.a), vertices(&meeting.b));
    let mut times = Vec::new();
    for frame in evenly(meeting.frame_count, FULL_DEFORMATIONS) {
        let time = meeting.time(frame);
        meeting.a.sample(time)?;
        meeting.b.sample(time)?;
        let start = Instant::now();
        meeting.a.deform_all(&mut positions_a)?;
        meeting.b.deform_all(&mut positions_b)?;
        times.push(start.elapsed().as_secs_f64() * 1e6);
    }
    Ok(times)
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
    let mut pairs = Vec::new();
    let start = Instant::now();
    a.take_pose()?;
    b.take_pose()?;
    let stats = match wanted {
        Wanted::AllPairs => collide_into(&mut a.body, &mut b.body, &mut pairs),
        Wanted::FirstPair => {
            let answer = collide_any(&mut a.body, &mut b.body);
            pairs.extend(answer.found);
            answer.stats
        }
    };
    let microseconds = start.elapsed().as_secs_f64() * 1e6;
    Ok(Frame { frame, time, pairs, stats, microseconds })
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
