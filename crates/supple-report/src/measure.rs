//! Times of sides that are compared.
//!
//! Sides that are compared take turns in one process, so that a slow moment of the machine hits all of them. Each side is
//! run once before it is timed: the others have just swept the caches. What is reported are medians, and medians of the ratios
//! within a round.

use crate::clock::{median, microseconds};

/// Microseconds of several sides in several rounds.
#[derive(Clone, Debug)]
pub struct Times {
    /// By side, then by round.
    samples: Vec<Vec<f64>>,
}

/// Lets all sides take turns; at least one round.
pub fn take_turns(rounds: usize, sides: &mut [&mut dyn FnMut()]) -> Times {
    let mut samples = vec![Vec::with_capacity(rounds); sides.len()];
    for _ in 0..rounds.max(1) {
        for (side, samples) in sides.iter_mut().zip(&mut samples) {
            side();
            samples.push(microseconds(&mut **side).0);
        }
    }
    Times { samples }
}

impl Times {
    /// The median of a side, in microseconds.
    ///
    /// # Panics
    /// There is no such side.
    pub fn microseconds(&self, side: usize) -> f64 {
        median(self.samples[side].clone())
    }

    /// How many times as long as another a side takes: the median over the rounds.
    ///
    /// # Panics
    /// There is no such side.
    pub fn ratio(&self, side: usize, to: usize) -> f64 {
        let pairs = self.samples[side].iter().zip(&self.samples[to]);
        // The clock may not see very short work.
        median(pairs.map(|(a, b)| a.max(1e-3) / b.max(1e-3)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_take_turns_and_every_round_counts() {
        let calls = std::cell::RefCell::new(String::new());
        let times =
            take_turns(2, &mut [&mut || calls.borrow_mut().push('a'), &mut || calls.borrow_mut().push('b')]);
        assert_eq!(calls.into_inner(), "aabbaabb");
        assert!(times.microseconds(0) >= 0.0 && times.ratio(0, 1) > 0.0);
    }
}
