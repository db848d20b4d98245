//! How long something will still take.
//!
//! In: the share of the work that is done, now and then. Out: the time that is left, as soon as that can be told.
//!
//! The clock starts with the first step that is done: reading and building before it are no part of the rate. The rate is that of
//! all steps since then, so that one slow step counts as one of many. Nothing is told before some seconds and some of the work are
//! behind.

use std::time::Duration;

/// What must be behind: this long and this share; or longer, and less.
const SOON: (Duration, f64) = (Duration::from_secs(2), 0.03);
const LATE: (Duration, f64) = (Duration::from_secs(20), 0.003);

/// The first step, and so the rate.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TimeLeft {
    first: Option<(Duration, f64)>,
}

impl TimeLeft {
    /// Remembers when the first step was done; `now` and all times count from anywhere.
    pub fn saw(&mut self, now: Duration, share: f64) {
        if share > 0.0 && self.first.is_none() {
            self.first = Some((now, share));
        }
    }

    /// What is left now that a share is done.
    pub fn left(&self, now: Duration, share: f64) -> Option<Duration> {
        let (since, first) = self.first?;
        let (time, progress) = (now.saturating_sub(since), share - first);
        let is_enough = |(least, part): (Duration, f64)| time >= least && progress >= part;
        if !is_enough(SOON) && !is_enough(LATE) {
            return None;
        }
        Duration::try_from_secs_f64(time.as_secs_f64() * (1.0 - share).max(0.0) / progress).ok()
    }
}

/// `about 20 s left`: no more digits than can be known.
pub fn about(left: Duration) -> String {
    let seconds = left.as_secs_f64();
    match seconds {
        0.0..8.0 => "a few seconds left".to_owned(),
        0.0..55.0 => format!("about {} s left", 10 * (seconds / 10.0).round() as u64),
        0.0..5400.0 => format!("about {} min left", (seconds / 60.0).round() as u64),
        _ => format!("about {} h left", (seconds / 3600.0).round() as u64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: f64) -> Duration {
        Duration::from_secs_f64(seconds)
    }

    #[test]
    fn nothing_is_told_before_it_is_known() {
        let mut time_left = TimeLeft::default();
        assert_eq!(time_left.left(at(100.0), 0.0), None);
        // A file is read for 3 s, then frames take 1 ms each: 3 s are left for 3,000 of them, not hours.
        time_left.saw(at(3.0), 1.0 / 3000.0);
        assert_eq!(time_left.left(at(3.1), 0.03), None);
        let left = time_left.left(at(5.0), 0.4 + 1.0 / 3000.0).unwrap();
        assert!((left.as_secs_f64() - 3.0).abs() < 0.01, "{left:?}");
        time_left.saw(at(5.0), 0.9);
        assert_eq!(time_left.first, Some((at(3.0), 1.0 / 3000.0)), "the first stays");
    }

    #[test]
    fn one_slow_step_is_one_of_many() {
        // Ten seconds for the first percent after the first step, then a second per percent.
        let mut time_left = TimeLeft::default();
        time_left.saw(at(1.0), 0.01);
        assert_eq!(time_left.left(at(11.0), 0.02), None);
        let left = time_left.left(at(40.0), 0.31).unwrap().as_secs_f64();
        assert!((69.0..100.0).contains(&left), "{left}");
    }

    #[test]
    fn long_work_is_told_early_and_the_end_is_zero() {
        let mut time_left = TimeLeft::default();
        time_left.saw(at(0.0), 0.001);
        assert!(time_left.left(at(30.0), 0.006).is_some_and(|left| left > at(3600.0)));
        assert_eq!(time_left.left(at(30.0), 1.0), Some(Duration::ZERO));
    }

    #[test]
    fn words_have_no_more_digits_than_are_known() {
        let words = [0.0, 7.9, 8.1, 14.0, 54.0, 56.0, 149.0, 5399.0, 5401.0].map(|s| about(at(s)));
        let expected = [
            "a few seconds left",
            "a few seconds left",
            "about 10 s left",
            "about 10 s left",
            "about 50 s left",
            "about 1 min left",
            "about 2 min left",
            "about 90 min left",
            "about 2 h left",
        ];
        assert_eq!(words, expected);
    }
}
