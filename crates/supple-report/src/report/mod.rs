//! What a report is made of; it knows nothing of papers.
//!
//! A report has sections (a paper, or some chapters of it), a section has experiments (a table or figure), an experiment has
//! tables, plots, pictures and comparisons. Renderers: [`text`] for terminals, [`html`] for a page that needs no other file.

mod comparison;
mod table;
pub mod picture;
pub mod plot;
pub mod text;
pub mod html;

pub use comparison::{Better, Comparison, Expected, Verdict};
pub use table::{Cell, Table, grouped};

use self::picture::Picture;
use self::plot::Plot;

/// All that was done, and on which machine.
#[derive(Clone, Debug)]
pub struct Report {
    /// Processor, cores and operating system.
    pub machine: String,
    /// Revision of the sources.
    pub commit: String,
    /// Year-month-day.
    pub date: String,
    /// Whether fewer rounds and trials were made.
    pub quick: bool,
    /// One per paper.
    pub sections: Vec<Section>,
}

/// What a paper did, done again.
#[derive(Clone, Debug)]
pub struct Section {
    /// The subject in a few words.
    pub title: String,
    /// What the paper is about, for people who have not read it.
    pub idea: String,
    /// Author, title, year, chapters.
    pub citation: String,
    /// Tables and figures, in the order of the paper.
    pub experiments: Vec<Experiment>,
}

/// A table or figure of a paper, done again.
#[derive(Clone, Debug, Default)]
pub struct Experiment {
    /// With the number that the paper gives it.
    pub title: String,
    /// What the paper did.
    pub paper: String,
    /// What was done here: models, sizes, and where that differs.
    pub here: String,
    /// Tables, in reading order.
    pub tables: Vec<Table>,
    /// Plots.
    pub plots: Vec<Plot>,
    /// Pictures.
    pub pictures: Vec<Picture>,
    /// Ratios that carry over between machines.
    pub comparisons: Vec<Comparison>,
}

impl Experiment {
    /// An experiment without results.
    pub fn new(title: &str, paper: &str, here: impl Into<String>) -> Self {
        Self { title: title.to_owned(), paper: paper.to_owned(), here: here.into(), ..Self::default() }
    }

    /// Comparisons in which the paper's ratio was not reached, those with the same reason together.
    pub fn reasons(&self) -> Vec<(&str, Vec<&Comparison>)> {
        let mut reasons: Vec<(&str, Vec<&Comparison>)> = Vec::new();
        for comparison in &self.comparisons {
            let Some(why) = comparison.why() else { continue };
            match reasons.iter_mut().find(|(reason, _)| *reason == why) {
                Some((_, comparisons)) => comparisons.push(comparison),
                None => reasons.push((why, vec![comparison])),
            }
        }
        reasons
    }
}

impl Report {
    /// All experiments.
    pub fn experiments(&self) -> impl Iterator<Item = &Experiment> {
        self.sections.iter().flat_map(|section| &section.experiments)
    }

    /// How many comparisons have a verdict.
    pub fn count(&self, verdict: Verdict) -> usize {
        self.experiments().flat_map(|e| &e.comparisons).filter(|c| c.verdict() == verdict).count()
    }
}
