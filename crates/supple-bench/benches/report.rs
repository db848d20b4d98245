//! The tables.

use supple::{QueryStats, Skinning};
use supple_bench::marks::{at_most, mark, short};
use supple_bench::targets;
use supple_bench::workload::Class;
use supple_report::columns::{Columns, number};

use crate::measure::Measured;
use crate::parts::{PEERS, Part, parts_of};

/// A character on a path.
pub struct Run {
    /// Character and path.
    pub name: String,
    /// How many triangles it has.
    pub triangles: usize,
    /// Its frames.
    pub frames: Vec<Measured>,
}

/// The frames of a class of a run.
struct Row<'r> {
    run: &'r Run,
    class: Class,
    frames: Vec<&'r Measured>,
}

impl Row<'_> {
    /// Mean microseconds of some parts together.
    fn time(&self, parts: &[Part]) -> f64 {
        let total = |frame: &&Measured| parts.iter().map(|&part| frame.times[part as usize]).sum::<f64>();
        self.frames.iter().map(total).sum::<f64>() / self.frames.len() as f64
    }

    fn names(&self) -> Vec<String> {
        vec![self.run.name.clone(), self.class.name().to_owned(), self.frames.len().to_string()]
    }
}

fn rows(runs: &[Run]) -> impl Iterator<Item = Row<'_>> {
    runs.iter().flat_map(|run| {
        Class::ALL.into_iter().filter_map(move |class| {
            let frames: Vec<_> = run.frames.iter().filter(|frame| frame.class == class).collect();
            (!frames.is_empty()).then_some(Row { run, class, frames })
        })
    })
}

/// All tables that compare sides.
pub fn print(runs: &[Run]) {
    print!("{}", against_opponent(runs, Query::First).text());
    print!("{}", against_opponent(runs, Query::All).text());
    print!("{}", against_limit(runs).text());
    print!("{}", parts(runs).text());
    print!("{}", rotations(runs).text());
    print!("{}", peers(runs).text());
    print!("{}", counters(runs).text());
    print!("{}", bounds(runs).text());
}

#[derive(Clone, Copy, PartialEq)]
enum Query {
    First,
    All,
}

fn against_opponent(runs: &[Run], query: Query) -> Columns {
    let (what, ours, theirs) = match query {
        Query::First => ("First contact", Part::First, Part::OpponentFirst),
        Query::All => ("All pairs", Part::All, Part::OpponentAll),
    };
    let mut table = Columns::new(
        &format!(
            "{what}, us for two characters: from poses, then from joint matrices. Opponent: skin, refit, query"
        ),
        2,
        &[
            "character",
            "class",
            "frames",
            "ours",
            "opponent",
            "ratio",
            "matrices",
            "opponent",
            "ratio",
            "target",
            "",
            "",
        ],
    );
    for row in rows(runs) {
        let target = match query {
            Query::First => targets::first_contact(row.class, row.run.triangles),
            Query::All => targets::all_pairs(row.class),
        };
        let skin = [Part::Skin, Part::Refit, theirs];
        let from_pose = [row.time(&[Part::SetPose, ours]), row.time(&[Part::Hierarchy]) + row.time(&skin)];
        let from_matrices = [row.time(&[Part::SetMatrices, ours]), row.time(&skin)];
        let mut cells = row.names();
        for [ours, theirs] in [from_pose, from_matrices] {
            cells.extend([number(ours), number(theirs), number(theirs / ours)]);
        }
        cells.push(format!(">={}", short(target)));
        cells.extend(
            [from_pose, from_matrices].map(|[ours, theirs]| mark(theirs / ours >= target).to_owned()),
        );
        table.row(cells);
    }
    table
}

fn against_limit(runs: &[Run]) -> Columns {
    let mut table = Columns::new(
        "The query alone, us: ours with all refits in it, against exact trees built for that very pose (the limit)",
        2,
        &[
            "character",
            "class",
            "frames",
            "first",
            "limit",
            "ratio",
            "target",
            "all",
            "limit",
            "ratio",
            "target",
        ],
    );
    for row in rows(runs) {
        let mut cells = row.names();
        for (ours, limit, target) in [
            (Part::First, Part::LimitFirst, targets::FIRST_TO_LIMIT),
            (Part::All, Part::LimitAll, targets::ALL_TO_LIMIT),
        ] {
            let (ours, limit) = (row.time(&[ours]), row.time(&[limit]));
            cells.extend([number(ours), number(limit)]);
            cells.extend(at_most(ours / limit, target));
        }
        table.row(cells);
    }
    table
}

fn parts(runs: &[Run]) -> Columns {
    let mut table = Columns::new(
        "What it is made of, us for two characters: four columns of ours, five of the opponent",
        2,
        &[
            "character",
            "class",
            "frames",
            "set pose",
            "matrices",
            "first",
            "all",
            "hierarchy",
            "skin",
            "refit",
            "first",
            "all",
        ],
    );
    for row in rows(runs) {
        let mut cells = row.names();
        let parts = [
            Part::SetPose,
            Part::SetMatrices,
            Part::First,
            Part::All,
            Part::Hierarchy,
            Part::Skin,
            Part::Refit,
            Part::OpponentFirst,
            Part::OpponentAll,
        ];
        cells.extend(parts.map(|part| number(row.time(&[part]))));
        table.row(cells);
    }
    table
}

fn rotations(runs: &[Run]) -> Columns {
    let mut table = Columns::new(
        "Spherical and dual quaternion skinning from poses, times of linear; target: at most 1.5 (classed by linear)",
        2,
        &["character", "class", "frames", "first: sph.", "", "dual", "", "all: sph.", "", "dual", ""],
    );
    for row in rows(runs) {
        let mut cells = row.names();
        let [linear_set, linear_first, linear_all] = parts_of(Skinning::Linear);
        for (which, linear) in [(1, linear_first), (2, linear_all)] {
            for skinning in [Skinning::Spherical, Skinning::DualQuaternion] {
                let parts = parts_of(skinning);
                let ratio = row.time(&[parts[0], parts[which]]) / row.time(&[linear_set, linear]);
                cells.extend([number(ratio), mark(ratio <= targets::ROTATIONS_TO_LINEAR).to_owned()]);
            }
        }
        table.row(cells);
    }
    table
}

fn counters(runs: &[Run]) -> Columns {
    let mut table = Columns::new(
        "Counters of the library per query, means: first contact on the left, all pairs on the right",
        2,
        &[
            "character",
            "class",
            "frames",
            "visits",
            "refits",
            "tests",
            "vertices",
            "visits",
            "refits",
            "tests",
            "vertices",
        ],
    );
    for row in rows(runs) {
        let mut cells = row.names();
        for query in 0..2 {
            let mean = |counter: fn(&QueryStats) -> u64| {
                let total: u64 = row.frames.iter().map(|frame| counter(&frame.stats[query])).sum();
                number(total as f64 / row.frames.len() as f64)
            };
            cells.extend([
                mean(|s| s.node_visits),
                mean(|s| s.refits),
                mean(|s| s.triangle_tests),
                mean(|s| s.vertices_deformed),
            ]);
        }
        table.row(cells);
    }
    table
}

fn bounds(runs: &[Run]) -> Columns {
    let mut table = Columns::new(
        "Bounds: visits as times of those with perfect boxes; ns per refit (a query less the same again); bytes of a body",
        2,
        &[
            "character",
            "class",
            "frames",
            "first",
            "target",
            "all",
            "target",
            "refit ns",
            "target",
            "per triangle",
            "target",
        ],
    );
    for row in rows(runs) {
        let mut cells = row.names();
        let sum =
            |of: &dyn Fn(&Measured) -> u64| row.frames.iter().map(|frame| of(frame)).sum::<u64>() as f64;
        for (query, target) in [(0, targets::FIRST_TO_EXACT), (1, targets::ALL_TO_EXACT)] {
            let ours = sum(&|frame| frame.stats[query].node_visits);
            cells.extend(at_most(ours / sum(&|frame| frame.exact_stats[query].node_visits), target));
        }
        let refits = sum(&|frame| frame.stats[1].refits) / row.frames.len() as f64;
        let time = row.time(&[Part::All]) - row.time(&[Part::AllAgain]);
        cells.extend(at_most(time * 1e3 / refits, targets::REFIT_NS));
        let bytes = row.frames.iter().map(|frame| frame.bytes).max().unwrap_or(0) as f64;
        cells.extend(at_most(bytes / row.run.triangles as f64, targets::BYTES_PER_TRIANGLE));
        table.row(cells);
    }
    table
}

fn peers(runs: &[Run]) -> Columns {
    let mut table = Columns::new(
        "Peers from joint matrices, us with the opponent's skinning (x: times of ours): parry3d, then obvhs",
        2,
        &[
            "character",
            "class",
            "frames",
            "refit",
            "first",
            "x",
            "all",
            "x",
            "refit",
            "first",
            "x",
            "all",
            "x",
        ],
    );
    for row in rows(runs) {
        let mut cells = row.names();
        for (_, [refit, first, all]) in PEERS {
            cells.push(number(row.time(&[refit])));
            for (query, ours) in [(first, Part::First), (all, Part::All)] {
                let theirs = row.time(&[Part::Skin, refit, query]);
                cells.extend([number(theirs), number(theirs / row.time(&[Part::SetMatrices, ours]))]);
            }
        }
        table.row(cells);
    }
    table
}

/// What 52 shapes cost.
pub fn print_shapes(runs: &[Run]) {
    let mut table = Columns::new(
        "52 shapes that move the surface before it is skinned, us for two characters from poses, without and with",
        2,
        &[
            "character",
            "class",
            "frames",
            "set pose",
            "with",
            "first",
            "with",
            "ratio",
            "",
            "all",
            "with",
            "ratio",
            "",
        ],
    );
    for row in rows(runs) {
        let mut cells = row.names();
        cells.extend([Part::SetPose, Part::ShapesSet].map(|part| number(row.time(&[part]))));
        for (plain, shapes) in [(Part::First, Part::ShapesFirst), (Part::All, Part::ShapesAll)] {
            let times = [row.time(&[Part::SetPose, plain]), row.time(&[Part::ShapesSet, shapes])];
            cells.extend(times.map(number));
            cells.extend(at_most(times[1] / times[0], targets::SHAPES_TO_PLAIN));
        }
        table.row(cells);
    }
    print!("{}", table.text());
}
