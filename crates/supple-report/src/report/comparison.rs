//! A number of a paper beside ours: reached, better or worse, and why it is worse.
//!
//! Must hold: whoever compares has to say why ours could be worse before it is known whether it is.

use std::fmt;

use crate::columns::number;

/// How far from [`Expected::About`] a ratio may be and still count as reached: times vary by as much between compilers.
const TOLERANCE: f64 = 1.1;

/// What a paper says about a ratio.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Expected {
    /// A number; a tenth more or less is the same.
    About(f64),
    /// "More than twice."
    AtLeast(f64),
    /// "Never more than three."
    AtMost(f64),
    /// From one number to another.
    Between(f64, f64),
}

/// Which direction is good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Better {
    /// Speed-ups.
    Higher,
    /// Costs, sizes, errors.
    Lower,
}

/// What came of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// As the paper says.
    Reached,
    /// Clearly better than the paper says.
    Better,
    /// Clearly worse than the paper says, or not a number.
    Worse,
}

/// A ratio that carries over between machines, of the paper and ours.
#[derive(Clone, Debug)]
pub struct Comparison {
    what: String,
    paper: Expected,
    ours: f64,
    better: Better,
    why_if_worse: String,
}

impl Comparison {
    /// Compares. `why_if_worse` is only shown where ours is worse, but must be given always.
    ///
    /// # Panics
    /// `what` or `why_if_worse` is empty.
    pub fn new(
        what: impl Into<String>,
        paper: Expected,
        ours: f64,
        better: Better,
        why_if_worse: impl Into<String>,
    ) -> Self {
        let (what, why_if_worse) = (what.into(), why_if_worse.into());
        assert!(!what.trim().is_empty(), "a comparison without a name");
        assert!(!why_if_worse.trim().is_empty(), "no reason is given why {what:?} may be worse");
        Self { what, paper, ours, better, why_if_worse }
    }

    /// What is compared.
    pub fn what(&self) -> &str {
        &self.what
    }

    /// What the paper says.
    pub fn paper(&self) -> Expected {
        self.paper
    }

    /// What was measured.
    pub fn ours(&self) -> f64 {
        self.ours
    }

    /// Which direction is good.
    pub fn better(&self) -> Better {
        self.better
    }

    /// Reached, better or worse.
    pub fn verdict(&self) -> Verdict {
        let (low, high) = match self.paper {
            Expected::About(x) => (x / TOLERANCE, x * TOLERANCE),
            Expected::AtLeast(x) => (x, f64::INFINITY),
            Expected::AtMost(x) => (f64::NEG_INFINITY, x),
            Expected::Between(low, high) => (low, high),
        };
        let ours = self.ours;
        let is_better = match self.better {
            Better::Higher => ours > high,
            Better::Lower => ours < low,
        };
        match () {
            () if is_better => Verdict::Better,
            () if (low..=high).contains(&ours) => Verdict::Reached,
            () => Verdict::Worse,
        }
    }

    /// The reason, where ours is worse.
    pub fn why(&self) -> Option<&str> {
        (self.verdict() == Verdict::Worse).then_some(&self.why_if_worse)
    }
}

/// A number of a comparison: counts have no digits after the point.
pub(super) fn figure(value: f64) -> String {
    if value.fract() == 0.0 { format!("{value}") } else { number(value) }
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::About(x) => write!(f, "{}", figure(x)),
            Self::AtLeast(x) => write!(f, ">= {}", figure(x)),
            Self::AtMost(x) => write!(f, "<= {}", figure(x)),
            Self::Between(low, high) => write!(f, "{} to {}", figure(low), figure(high)),
        }
    }
}

impl Better {
    /// In a word.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Higher => "higher",
            Self::Lower => "lower",
        }
    }
}

impl Verdict {
    /// All verdicts, the good ones first.
    pub const ALL: [Self; 3] = [Self::Reached, Self::Better, Self::Worse];

    /// In a word.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Reached => "reached",
            Self::Better => "better",
            Self::Worse => "worse",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_follow_from_the_numbers() {
        use Expected::{About, AtLeast, AtMost, Between};
        for (paper, ours, better, verdict) in [
            (About(2.0), 2.1, Better::Lower, Verdict::Reached),
            (About(2.0), 2.3, Better::Lower, Verdict::Worse),
            (About(2.0), 1.5, Better::Lower, Verdict::Better),
            (About(2.0), 1.5, Better::Higher, Verdict::Worse),
            (About(2.0), 2.3, Better::Higher, Verdict::Better),
            (AtLeast(2.0), 1.99, Better::Higher, Verdict::Worse),
            (AtLeast(2.0), 9.0, Better::Higher, Verdict::Reached),
            (AtMost(2.0), 2.01, Better::Lower, Verdict::Worse),
            (AtMost(2.0), 0.1, Better::Lower, Verdict::Reached),
            (Between(1.0, 1.5), 0.9, Better::Lower, Verdict::Better),
            (Between(1.0, 1.5), 1.5, Better::Lower, Verdict::Reached),
            (Between(1.0, 1.5), f64::NAN, Better::Lower, Verdict::Worse),
        ] {
            let comparison = Comparison::new("it", paper, ours, better, "because");
            assert_eq!(comparison.verdict(), verdict, "{comparison:?}");
            assert_eq!(comparison.why().is_some(), verdict == Verdict::Worse);
        }
    }

    #[test]
    #[should_panic(expected = "no reason is given")]
    fn a_reason_is_never_forgotten() {
        Comparison::new("it", Expected::About(1.0), 1.0, Better::Lower, " ");
    }
}
