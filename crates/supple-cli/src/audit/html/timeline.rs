//! One strip per pair of bones: frames along x, colour by depth.

use std::fmt::Write;

use supple_audit::{BonePair, Findings};

use super::super::text::length;

/// More columns than this are not seen; frames then share one, which shows the deepest.
const COLUMNS: usize = 600;

/// Depths in percent of the height from which on a cell has the next colour.
pub const STEPS: [f32; 6] = [0.1, 0.3, 1.0, 2.0, 4.0, 8.0];

/// What intersects at depth 0.
pub const CROSSES: &str = "crosses, no vertex inside";

/// An SVG as wide as its place.
pub fn strip(findings: &Findings, pair: &BonePair) -> String {
    let share = findings.frames.div_ceil(COLUMNS).max(1);
    let columns = findings.frames.div_ceil(share);
    let mut shades: Vec<Option<usize>> = vec![None; columns];
    for moment in &pair.timeline {
        let shade = &mut shades[moment.frame / share];
        *shade = (*shade).max(Some(shade_of(moment.depth, pair)));
    }
    let mut svg = format!(
        "<svg viewBox=\"0 0 {columns} 10\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"frames {} to {}, \
         worst {}\">",
        pair.first_frame, pair.last_frame, pair.worst_frame
    );
    for run in runs(&shades) {
        if let Some(shade) = shades[run.start] {
            let (first, last) = (run.start * share, (run.end * share - 1).min(findings.frames - 1));
            let depths =
                pair.timeline.iter().filter(|m| (first..=last).contains(&m.frame)).filter_map(|m| m.depth);
            let told = match depths.fold(0.0, f32::max) {
                _ if pair.depth.is_none() => "a bone in itself has no depth".to_owned(),
                0.0 => CROSSES.to_owned(),
                deepest => format!("depth up to {}", length(deepest)),
            };
            let _ = write!(
                svg,
                "<rect class=\"s{shade}\" x=\"{}\" width=\"{}\" height=\"10\"><title>frames {first}–{last}, \
                 {told}</title></rect>",
                run.start,
                run.len()
            );
        }
    }
    let width = (columns as f32 / 250.0).max(0.15);
    let at = (pair.worst_frame / share) as f32 + 0.5 - 0.5 * width;
    let _ = write!(svg, "<rect class=\"worst\" x=\"{at}\" width=\"{width}\" height=\"10\"/></svg>");
    svg
}

/// Colours count from 1; 0 is for what crosses without a vertex inside, and for a bone in itself.
fn shade_of(depth: Option<f32>, pair: &BonePair) -> usize {
    let Some(depth) = depth.filter(|d| *d > 0.0) else { return 0 };
    // The pair knows its largest depth in both units.
    let percent = match (pair.depth, pair.depth_percent) {
        (Some(most), Some(percent)) if most > 0.0 => depth / most * percent,
        _ => return STEPS.len(),
    };
    STEPS.iter().filter(|&&step| percent >= step).count() + 1
}

/// Ranges of equal neighbours.
fn runs(shades: &[Option<usize>]) -> Vec<std::ops::Range<usize>> {
    let mut runs: Vec<std::ops::Range<usize>> = Vec::new();
    for (index, shade) in shades.iter().enumerate() {
        match runs.last_mut() {
            Some(run) if shades[run.start] == *shade => run.end = index + 1,
            _ => runs.push(index..index + 1),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_neighbours_are_one() {
        assert_eq!(runs(&[None, Some(1), Some(1), None]), [0..1, 1..3, 3..4]);
        assert_eq!(runs(&[]), []);
    }
}
