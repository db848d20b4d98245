//! What a second core gives to building shapes.
//!
//! Pools of 1 and 2 threads take turns in one process; their times are compared. With one thread alone, where the feature
//! `rayon` is off, there is nothing to compare. Times are those of a clock on the wall: a busy machine has no second core.

use std::sync::Arc;

use supple::{BuildOptions, Model, Shape};
use supple_report::clock::{median, microseconds};
use supple_report::columns::{Columns, number};

use crate::threads::{self, Threads};

/// Builds of a shape on each number of threads.
const BUILDS: usize = 3;

/// All numbers of threads that are compared, and their table.
pub struct Cores {
    threads: Vec<Threads>,
    builds: Columns,
}

impl Cores {
    /// Starts the threads.
    pub fn start() -> Self {
        let threads = threads::COUNTS.iter().map(|&count| Threads::start(count)).collect();
        let times = ["1 thread", "2 threads", "ratio"];
        let times = &times[..if threads::COUNTS.len() > 1 { 3 } else { 1 }];
        let header = [&["character", "triangles"], times].concat();
        Self { threads, builds: Columns::new("Building a shape, ms, median of 3", 1, &header) }
    }

    /// Builds a shape several times.
    pub fn build(&mut self, name: &str, model: &Arc<Model>) {
        let mut times = vec![Vec::new(); self.threads.len()];
        for _ in 0..BUILDS {
            for (times, threads) in times.iter_mut().zip(&self.threads) {
                let build = || microseconds(|| Shape::build(Arc::clone(model), &BuildOptions::default()));
                let (time, shape) = threads.run(build);
                shape.expect("characters can be built");
                times.push(time / 1e3);
            }
        }
        let times: Vec<_> = times.into_iter().map(median).collect();
        self.builds.row(row(name, model.mesh().triangles().len(), &times));
    }

    /// The table, if it has rows.
    pub fn print(&self) {
        print!("{}", self.builds.text());
    }
}

fn row(name: &str, count: usize, times: &[f64]) -> Vec<String> {
    let ratio = (times.len() > 1).then(|| times[0] / times[1]);
    let mut row = vec![name.to_owned(), count.to_string()];
    row.extend(times.iter().copied().chain(ratio).map(number));
    row
}
