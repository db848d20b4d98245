//! What a simulation took, step by step added up.
//!
//! Bounds are refitted on demand, in the middle of a walk. To tell both apart, on every [`SAMPLED`]th step the same pairs are
//! asked once more in the same pose, where every bound is known: the second time is the walk alone. The shares found on these steps
//! are taken for all; the second asking itself is not counted.

use std::time::Duration;

use supple::QueryStats;

/// One step of this many is asked twice.
pub(crate) const SAMPLED: usize = 16;

/// Counters and times of all steps together.
#[derive(Clone, Copy, Debug, Default)]
pub struct Statistics {
    /// Steps taken.
    pub steps: usize,
    /// Pairs of bodies whose bounds overlapped.
    pub pairs: usize,
    /// Touches: pairs of spheres, of spheres and triangles, spheres and the ground.
    pub contacts: usize,
    /// Counters of the queries.
    pub queries: QueryStats,
    /// Poses of bodies and backdrop.
    pub posing: Duration,
    /// Bounds of roots, and which of them overlap.
    pub broad_phase: Duration,
    /// Queries: refits and walks together.
    pub queried: Duration,
    /// Impulses, and moving on.
    pub response: Duration,
    /// On sampled steps: queries that found nothing computed, and those that found all.
    pub(crate) asked: [Duration; 2],
}

impl Statistics {
    /// Everything together.
    pub fn total(&self) -> Duration {
        self.posing + self.broad_phase + self.queried + self.response
    }

    /// The part of the queries that computed bounds.
    pub fn refits(&self) -> Duration {
        self.queried - self.walks()
    }

    /// The part of the queries that compared bounds.
    pub fn walks(&self) -> Duration {
        let [first, second] = self.asked.map(|time| time.as_secs_f64());
        let share = if first > 0.0 { (second / first).min(1.0) } else { 1.0 };
        self.queried.mul_f64(share)
    }
}
