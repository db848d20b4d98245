//! What a second core gives: building shapes, and all pairs of two bodies deep in each other.
//!
//! Pools of 1 and 2 threads take turns in one process; what they give is compared. With one thread alone, where the feature
//! `rayon` is off, there is nothing to compare. Times are those of a clock on the wall: a busy machine has no second core.

use std::sync::Arc;

use supple::{BuildOptions, Model, Shape, Skinning};
use supple_bench::quartile::lower_quartile;
use supple_bench::workload::{Class, Frame};
use supple_report::clock::{median, microseconds};
use supple_report::columns::{Columns, number};

use crate::ours::{Given, Ours};
use crate::threads::{self, Threads};

/// Builds of a shape on each number of threads.
const BUILDS: usize = 3;

/// All numbers of threads that are compared, and their tables.
pub struct Cores {
    threads: Vec<Threads>,
    builds: Columns,
    pairs: Columns,
}

impl Cores {
    /// Starts the threads.
    pub fn start() -> Self {
        let threads = threads::COUNTS.iter().map(|&count| Threads::start(count)).collect();
        let times = ["1 thread", "2 threads", "ratio"];
        let times = &times[..if threads::COUNTS.len() > 1 { 3 } else { 1 }];
        let table = |what: &str, count: &str| Columns::new(what, 1, &[&["character", count], times].concat());
        Self {
            threads,
            builds: table("Building a shape, ms, median of 3", "triangles"),
            pairs: table("All pairs of two bodies deep in each other, us from poses", "frames"),
        }
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

    /// Asks for all pairs of the frames that are deep.
    pub fn collide(&mut self, name: &str, shape: &Arc<Shape>, frames: &[Frame], rounds: usize) {
        let mut ours = Ours::new(shape, Skinning::Linear);
        let (mut means, mut count) = (vec![0.0; self.threads.len()], 0);
        for frame in frames {
            let given = Given::new(shape.model(), frame);
            let expected = ours.answers(|ours| ours.set_pose(&given)).0;
            if Class::of(expected.len()) != Class::Deep {
                continue;
            }
            let mut times = vec![Vec::new(); self.threads.len()];
            for _ in 0..rounds {
                for (times, threads) in times.iter_mut().zip(&self.threads) {
                    let time = threads.run(|| {
                        assert!(ours.pose_and_pairs(&given) == expected, "threads find other pairs");
                        microseconds(|| ours.pose_and_pairs(&given).len()).0
                    });
                    times.push(time);
                }
            }
            means.iter_mut().zip(times).for_each(|(mean, times)| *mean += lower_quartile(times));
            count += 1;
        }
        means.iter_mut().for_each(|mean| *mean /= count as f64);
        self.pairs.row(row(name, count, &means));
    }

    /// The tables that have rows.
    pub fn print(&self) {
        print!("{}{}", self.builds.text(), self.pairs.text());
    }
}

fn row(name: &str, count: usize, times: &[f64]) -> Vec<String> {
    let ratio = (times.len() > 1).then(|| times[0] / times[1]);
    let mut row = vec![name.to_owned(), count.to_string()];
    row.extend(times.iter().copied().chain(ratio).map(number));
    row
}
