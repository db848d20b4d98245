//! What was measured, by character, path and class.

use supple_bench::workload::Class;

use crate::measure::Measured;
use crate::parts::Part;

/// A character on a path.
pub struct Run {
    /// Character and path.
    pub name: String,
    /// How many triangles it has.
    pub triangles: usize,
    /// Names of the peers.
    pub peers: Vec<&'static str>,
    /// Its frames.
    pub frames: Vec<Measured>,
}

/// The frames of a class of a run.
pub struct Row<'r> {
    pub run: &'r Run,
    pub class: Class,
    pub frames: Vec<&'r Measured>,
}

impl Row<'_> {
    /// The mean over the frames.
    pub fn mean(&self, of: impl Fn(&Measured) -> f64) -> f64 {
        self.frames.iter().map(|frame| of(frame)).sum::<f64>() / self.frames.len() as f64
    }

    /// Mean microseconds of some parts together.
    pub fn time(&self, parts: &[Part]) -> f64 {
        self.mean(|frame| parts.iter().map(|&part| frame.times[part as usize]).sum())
    }

    /// The first cells.
    pub fn names(&self) -> Vec<String> {
        vec![self.run.name.clone(), self.class.name().to_owned(), self.frames.len().to_string()]
    }

    /// What lists call it.
    pub fn title(&self) -> String {
        format!("{}, {}", self.run.name, self.class.name())
    }
}

/// All classes of all runs that have frames.
pub fn rows(runs: &[Run]) -> impl Iterator<Item = Row<'_>> {
    runs.iter().flat_map(|run| {
        Class::ALL.into_iter().filter_map(move |class| {
            let frames: Vec<_> = run.frames.iter().filter(|frame| frame.class == class).collect();
            (!frames.is_empty()).then_some(Row { run, class, frames })
        })
    })
}
