//! One strip per clip: frames along x, height and colour by depth, so that it is read without colours, too.
//!
//! In: depths at frames. Out: an SVG as wide as its place, of one path per shade. Frames share a column where there are many; a column
//! shows its deepest frame. The attribute `data-runs` has for the script what the paths show: column, columns, percent, event.

use std::fmt::Write;

use supple_audit::PlayedClip;

use super::super::report::Settings;
use super::words::{from_to, own_fps, percent, when};
use crate::page::escaped;

/// More columns than this are hardly seen, and make the page large.
const COLUMNS: usize = 300;

/// Depths in percent of the size from which on a cell has the next shade.
pub const STEPS: [f32; 5] = [0.25, 0.5, 1.0, 2.0, 4.0];

/// The top of each shade's bar; the bottom is at 12. Above is room for the mark of the deepest frame, which hides nothing there.
const TOPS: [&str; STEPS.len() + 1] = ["9", "7.5", "6", "4.8", "3.9", "3"];
const BOTTOM: usize = 12;
const MARK: &str = "2.5";

/// A frame in which something is there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cell {
    pub frame: usize,
    /// In percent of the size.
    pub depth: f32,
    /// The card that is opened by a click; none where the strip is in the card.
    pub event: Option<usize>,
}

/// Columns that look the same and belong to the same event.
#[derive(Clone, Debug, PartialEq)]
struct Run {
    columns: std::ops::Range<usize>,
    shade: usize,
    depth: f32,
    event: Option<usize>,
}

/// The strip of a clip; nothing for no cells.
pub fn strip(clip: &PlayedClip, cells: &[Cell], settings: &Settings) -> String {
    let Some(worst) = cells.iter().copied().reduce(|a, b| if b.depth > a.depth { b } else { a }) else {
        return String::new();
    };
    let frames = clip.frames.max(1);
    let share = frames.div_ceil(COLUMNS);
    let columns = frames.div_ceil(share);
    let runs = runs(cells, share, columns);
    let first = cells.iter().map(|cell| cell.frame).min().unwrap_or_default();
    let last = cells.iter().map(|cell| cell.frame).max().unwrap_or_default();
    let mut svg = format!(
        "<svg class=\"strip\" viewBox=\"0 0 {columns} {BOTTOM}\" preserveAspectRatio=\"none\" role=\"img\" data-frames=\"{frames}\" \
         data-share=\"{share}\""
    );
    if let Some(own) = own_fps(clip, settings) {
        let _ = write!(svg, " data-own=\"{own}\"");
    }
    let _ = write!(
        svg,
        " data-runs=\"{}\"><title>{}; deepest in {}: {} of the size</title>",
        runs.iter().map(Run::for_script).collect::<Vec<_>>().join(";"),
        escaped(&from_to(clip, first, last, settings)),
        escaped(&when(clip, worst.frame, settings)),
        percent(worst.depth)
    );
    for (shade, top) in TOPS.iter().enumerate() {
        let mut path = String::new();
        for run in runs.iter().filter(|run| run.shade == shade) {
            let _ = write!(path, "M{} {BOTTOM}V{top}h{}V{BOTTOM}z", run.columns.start, run.columns.len());
        }
        if !path.is_empty() {
            let _ = write!(svg, "<path class=\"s{shade}\" d=\"{path}\"/>");
        }
    }
    let width = columns as f32 / 100.0;
    let at = (worst.frame / share) as f32 + 0.5 - 0.5 * width;
    let _ = write!(svg, "<rect class=\"worst\" x=\"{at:.2}\" width=\"{width:.2}\" height=\"{MARK}\"/></svg>");
    svg
}

/// What the shades mean.
pub fn legend() -> String {
    let mut text = "<p class=\"legend\"><b>Timelines: depth in % of the size</b>".to_owned();
    for (shade, top) in TOPS.iter().enumerate() {
        let words = match shade {
            0 => format!("below {}", STEPS[0]),
            s if s == STEPS.len() => format!("{} and more", STEPS[s - 1]),
            s => format!("{}–{}", STEPS[s - 1], STEPS[s]),
        };
        let path = format!("<path class=\"s{shade}\" d=\"M0 {BOTTOM}V{top}h18V{BOTTOM}z\"/>");
        let _ = write!(text, "<span>{}{words}</span>", sample(&path));
    }
    let mark = format!("<rect class=\"worst\" x=\"7\" width=\"4\" height=\"{MARK}\"/>");
    text + &format!("<span>{}deepest frame</span></p>", sample(&mark))
}

/// A piece of a strip, for the legend.
fn sample(shapes: &str) -> String {
    format!("<svg viewBox=\"0 0 18 {BOTTOM}\" aria-hidden=\"true\">{shapes}</svg>")
}

impl Run {
    fn for_script(&self) -> String {
        let event = self.event.map_or(String::new(), |event| format!(",{event}"));
        format!("{},{},{:.2}{event}", self.columns.start, self.columns.len(), self.depth)
    }
}

fn shade(depth: f32) -> usize {
    STEPS.iter().filter(|step| depth >= **step).count()
}

/// The deepest cell of each column, equal neighbours in one.
fn runs(cells: &[Cell], share: usize, columns: usize) -> Vec<Run> {
    let mut deepest: Vec<Option<Cell>> = vec![None; columns];
    for cell in cells {
        if let Some(slot) = deepest.get_mut(cell.frame / share)
            && slot.is_none_or(|other| cell.depth > other.depth)
        {
            *slot = Some(*cell);
        }
    }
    let mut runs: Vec<Run> = Vec::new();
    for (column, cell) in deepest.iter().enumerate() {
        let Some(cell) = cell else { continue };
        let shade = shade(cell.depth);
        match runs.last_mut() {
            Some(run) if run.columns.end == column && (run.shade, run.event) == (shade, cell.event) => {
                run.columns.end += 1;
                run.depth = run.depth.max(cell.depth);
            }
            _ => runs.push(Run { columns: column..column + 1, shade, depth: cell.depth, event: cell.event }),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(frame: usize, depth: f32, event: usize) -> Cell {
        Cell { frame, depth, event: Some(event) }
    }

    fn shown(cells: &[Cell], share: usize, columns: usize) -> String {
        runs(cells, share, columns).iter().map(Run::for_script).collect::<Vec<_>>().join(";")
    }

    #[test]
    fn equal_neighbours_are_one_run() {
        let cells = [cell(1, 0.3, 0), cell(2, 0.4, 0), cell(3, 3.0, 0), cell(5, 3.0, 0), cell(6, 3.0, 1)];
        assert_eq!(shown(&cells, 1, 7), "1,2,0.40,0;3,1,3.00,0;5,1,3.00,0;6,1,3.00,1");
    }

    #[test]
    fn frames_that_share_a_column_show_the_deepest() {
        let cells = [cell(0, 0.1, 0), cell(1, 5.0, 1), cell(2, 0.3, 0), cell(9, 9.0, 0)];
        assert_eq!(shown(&cells, 2, 2), "0,1,5.00,1;1,1,0.30,0");
    }

    /// The page in web/page draws strips by the script that it shares with the report.
    #[test]
    fn the_script_draws_the_same_strips() {
        let script = include_str!("viewer.js");
        let steps = STEPS.map(|step| format!("{step:?}")).join(", ");
        let tops = TOPS.map(|top| format!("'{top}'")).join(", ");
        for line in [
            format!("const COLUMNS = {COLUMNS};"),
            format!("const STEPS = [{steps}];"),
            format!("const TOPS = [{tops}];"),
            format!("const BOTTOM = {BOTTOM};"),
            format!("const MARK = {MARK};"),
        ] {
            assert!(script.contains(&line), "{line}");
        }
    }

    #[test]
    fn depths_have_the_shade_of_their_step() {
        assert_eq!([0.0, 0.24, 0.25, 1.9, 2.0, 99.0, f32::NAN].map(shade), [0, 0, 1, 3, 4, 5, 0]);
    }
}
