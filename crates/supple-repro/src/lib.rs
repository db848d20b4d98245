//! Reproduces the tables and figures of the papers that supple builds on, beside the papers' own numbers.
//!
//! In: which papers, and how long it may take. Out: a [`Report`], which prints as text and as one self-contained page.
//!
//! Milliseconds of twenty years ago say nothing about today, ratios do: speed-ups, growth of radii, counts. Each ratio that a
//! paper gives is a [`Comparison`](report::Comparison), which says whether it was reached, and must know why where it was not.
//!
//! ```no_run
//! use supple_repro::{Options, Paper, reproduce};
//!
//! let report = reproduce(&Paper::ALL, &Options { quick: true }, |line| eprintln!("{line}"));
//! println!("{}", supple_repro::report::text::text(&report));
//! ```
//!
//! Modules stand in the order in which data meets them: what is measured with, the papers.

#![warn(clippy::unwrap_used, reason = "where a value must exist an `expect` says why")]

// The file of the command `supple`, of which nothing else is needed.
#[path = "../../supple-cli/src/one_thread.rs"]
mod one_thread;
mod papers;

use std::str::FromStr;

use thiserror::Error;

use supple_report::{machine, measure, random};

pub use supple_report::report;
pub use supple_report::report::Report;

/// A paper, or chapters of one, whose tables and figures can be made again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paper {
    /// Larsson & Akenine-Moller, Efficient collision detection for models deformed by morphing, 2003.
    Morphing,
    /// James & Pai, BD-Tree: output-sensitive collision detection for reduced deformable models, 2004.
    BdTree,
    /// Kavan, Real-time Skeletal Animation, 2007, chapters 3 and 4: how skins are blended.
    Skinning,
    /// The same, chapter 5: collision detection for linear blend skinning.
    Linear,
    /// The same, chapter 6, and Kavan, O'Sullivan & Zara, 2006: collision detection for spherical blend skinning.
    Spherical,
    /// The same, chapter 7: skins fitted to arbitrary deformations.
    Arbitrary,
    /// Madera, Ayala & Moo-Mena, Self-collision detection using sphere chains, 2015.
    Chains,
}

/// How much is measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Fewer rounds and trials: sooner done, with noisier times.
    pub quick: bool,
}

impl Options {
    /// A number of rounds, frames or trials: `few` where it must be quick, otherwise `many`.
    pub fn count(&self, few: usize, many: usize) -> usize {
        if self.quick { few } else { many }
    }
}

impl Paper {
    /// All papers, in the order in which they are reported.
    pub const ALL: [Self; 7] = [
        Self::Morphing,
        Self::BdTree,
        Self::Skinning,
        Self::Linear,
        Self::Spherical,
        Self::Arbitrary,
        Self::Chains,
    ];

    /// What the command line calls it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Morphing => "morphing",
            Self::BdTree => "bd-tree",
            Self::Skinning => "skinning",
            Self::Linear => "linear",
            Self::Spherical => "spherical",
            Self::Arbitrary => "arbitrary",
            Self::Chains => "chains",
        }
    }

    fn section(self, run: &mut papers::Run) -> report::Section {
        let section = match self {
            Self::Morphing => papers::morphing::section,
            Self::BdTree => papers::bd_tree::section,
            Self::Skinning => papers::skinning::section,
            Self::Linear => papers::linear::section,
            Self::Spherical => papers::spherical::section,
            // Fits use all threads, and so do chains where they are asked to.
            Self::Arbitrary => return papers::arbitrary::section(run),
            Self::Chains => return papers::chains::section(run),
        };
        one_thread::on_one_thread(|| section(run))
    }
}

/// No paper of that name.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("there is no paper {name:?}; there are {}", Paper::ALL.map(Paper::name).join(", "))]
pub struct UnknownPaper {
    /// What was asked for.
    pub name: String,
}

impl FromStr for Paper {
    type Err = UnknownPaper;

    fn from_str(name: &str) -> Result<Self, UnknownPaper> {
        let found = Self::ALL.into_iter().find(|paper| paper.name() == name);
        found.ok_or_else(|| UnknownPaper { name: name.to_owned() })
    }
}

/// Runs the experiments of some papers; no papers at all means all of them. `progress` is called with a line before each
/// experiment.
///
/// Papers are reported in the order of [`Paper::ALL`], each once.
pub fn reproduce(papers: &[Paper], options: &Options, progress: impl FnMut(&str) + Send) -> Report {
    let wanted = |paper: &Paper| papers.is_empty() || papers.contains(paper);
    let mut progress = progress;
    let mut run = papers::Run { options: *options, progress: &mut progress };
    let sections = Paper::ALL.into_iter().filter(wanted).map(|paper| paper.section(&mut run)).collect();
    Report {
        machine: machine::machine(),
        commit: machine::commit(),
        date: machine::date(),
        quick: options.quick,
        sections,
    }
}
