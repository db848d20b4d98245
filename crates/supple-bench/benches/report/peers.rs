//! The library against other libraries.

use supple_report::columns::{Columns, number};

use super::rows::{Row, Run, rows};
use crate::behind::Behind;
use crate::parts::Part;

/// A table per peer.
pub fn print(runs: &[Run], behind: &mut Behind) {
    let names = runs.first().map_or(&[][..], |run| &run.peers);
    for (index, name) in names.iter().enumerate() {
        let mut table = Columns::new(
            &format!(
                "{name} from joint matrices, us with the opponent's skinning (x: times of ours); frames that differ"
            ),
            2,
            &["character", "class", "frames", "refit", "first", "ours", "x", "all", "ours", "x", "differ"],
        );
        rows(runs).for_each(|row| table.row(cells(&row, index, name, behind)));
        print!("{}", table.text());
    }
}

fn cells(row: &Row<'_>, index: usize, name: &str, behind: &mut Behind) -> Vec<String> {
    let mut cells = row.names();
    let time = |of: fn(&[f64; 3]) -> f64| row.mean(|frame| of(&frame.peers[index].times));
    let refit = time(|t| t[0]);
    cells.push(number(refit));
    let prepare = row.time(&[Part::Skin]) + refit;
    let queries = [("first contact", time(|t| t[1]), Part::First), ("all pairs", time(|t| t[2]), Part::All)];
    for (what, query, ours) in queries {
        let (theirs, ours) = (prepare + query, row.time(&[Part::SetMatrices, ours]));
        cells.extend([theirs, ours, theirs / ours].map(number));
        behind.look(&format!("{what}, {name}"), &row.title(), theirs / ours);
    }
    let differ = row.frames.iter().filter(|frame| frame.peers[index].differs).count();
    cells.push(differ.to_string());
    cells
}
