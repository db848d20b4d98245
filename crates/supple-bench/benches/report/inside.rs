//! What the times are made of: parts, counters, bounds, memory.

use supple::QueryStats;
use supple_bench::marks::at_most;
use supple_bench::targets;
use supple_report::columns::{Columns, number};

use super::rows::{Run, rows};
use crate::measure::Measured;
use crate::parts::Part;

/// The parts of both sides.
pub fn parts(runs: &[Run]) -> Columns {
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

/// The library's counters.
pub fn counters(runs: &[Run]) -> Columns {
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
                number(row.mean(|frame| counter(&frame.stats[query]) as f64))
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

/// How tight bounds are, what they cost, and what bodies keep.
pub fn bounds(runs: &[Run]) -> Columns {
    let mut table = Columns::new(
        "Bounds: visits as times of those with perfect boxes; ns per refit (a query less the same again); bytes of a body",
        2,
        &["character", "class", "frames", "first", "all", "refit ns", "per triangle", "target"],
    );
    for row in rows(runs) {
        let mut cells = row.names();
        let mean = |of: &dyn Fn(&Measured) -> u64| row.mean(|frame| of(frame) as f64);
        for query in 0..2 {
            let exact = mean(&|frame| frame.exact_stats[query].node_visits);
            cells.push(number(mean(&|frame| frame.stats[query].node_visits) / exact));
        }
        let time = row.time(&[Part::All]) - row.time(&[Part::AllAgain]);
        cells.push(number(time * 1e3 / mean(&|frame| frame.stats[1].refits)));
        let bytes = row.frames.iter().map(|frame| frame.bytes).max().unwrap_or(0) as f64;
        cells.extend(at_most(bytes / row.run.triangles as f64, targets::BODY_BYTES));
        table.row(cells);
    }
    table
}
