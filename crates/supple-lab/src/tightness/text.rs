//! The measured ratios for eyes: a table per skinning model, and what its columns are.

use supple_cli::table::{Side, Table, counted, grouped};

use super::Report;
use super::measure::Measured;

const MEANING: &str = "
  level      0 is the root of the tree; the last one has only leaves
  nodes      nodes of that level that are larger than a point
  box, ball  refitted size divided by the smallest possible one, mean over nodes and poses;
             1 is optimal. The size of a box is the sum of its extents, of a ball its radius
  worst      the largest of these ratios
";

const PAPERS: &str =
    "  thesis-5.2, thesis-6.1, bd-tree, morph: the papers' own bounds on the same tree, as balls and
             as boxes; dual-quaternion: what no paper bounds, done in their way
";

/// The whole report, ending with a line break.
pub fn text(report: &Report) -> String {
    let mut text = format!(
        "{}: {}, {}, tree of {}; {}\n",
        report.file,
        counted(report.triangles, "triangle"),
        counted(report.vertices, "vertex"),
        counted(report.nodes, "node"),
        counted(report.poses, "pose")
    );
    for measured in &report.skinnings {
        text += &format!("\n{} skinning\n{}", measured.skinning, table(measured));
        for reason in &measured.left_out {
            text += &format!("  left out {reason}\n");
        }
    }
    text += MEANING;
    if report.skinnings.iter().any(|m| m.bounds.len() > 2) {
        text += PAPERS;
    }
    let outside: usize = report.skinnings.iter().map(Measured::violations).sum();
    if outside == 0 {
        text += "\nChecked: in every pose every bound contains all vertices below it.\n";
    }
    text
}

fn table(measured: &Measured) -> String {
    let mut names = vec!["level".to_owned(), "nodes".to_owned()];
    for bounds in &measured.bounds {
        names.extend([bounds.name.clone(), "worst".to_owned()]);
    }
    let columns: Vec<(&str, Side)> = names.iter().map(|name| (name.as_str(), Side::Right)).collect();
    let mut table = Table::new(&columns);
    let depth = measured.bounds.iter().map(|b| b.levels.len()).max().unwrap_or(0);
    for level in 0..depth {
        let nodes = measured.bounds.iter().filter_map(|b| b.levels.get(level)).map(|l| l.nodes).max();
        let mut cells = vec![level.to_string(), grouped(nodes.unwrap_or(0))];
        for bounds in &measured.bounds {
            let figures = bounds.levels.get(level).filter(|l| l.nodes > 0);
            let ratio = |number: Option<f64>| number.map_or("-".to_owned(), ratio);
            cells.extend([ratio(figures.map(|l| l.mean)), ratio(figures.map(|l| l.worst))]);
        }
        table.row(cells);
    }
    table.text(usize::MAX - 1)
}

/// Three decimals, none where they would mean nothing.
fn ratio(number: f64) -> String {
    if number < 100.0 { format!("{number:.3}") } else { grouped(number.round() as usize) }
}
