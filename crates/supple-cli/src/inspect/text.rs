//! The report for eyes: a summary, then a table each for parts, morph targets and clips, then problems.

use super::morphs::MorphKind;
use super::number::number;
use super::refusals::Refusal;
use super::report::{Numbers, Report};
use super::summary::summary;
use crate::table::{Side, Table, counted, first_few, grouped, printable};

/// Rows of a table before the rest is only counted.
const ROWS: usize = 12;

/// Lines of text end before this column.
const WIDTH: usize = 98;

/// The whole report, ending with a line break.
pub fn text(report: &Report) -> String {
    let mut text = headline(report);
    for (label, value) in summary(report) {
        text += &format!("  {label:<14} {value}\n");
    }
    let tables = [("parts", parts(report)), ("morph targets", morphs(report)), ("clips", clips(report))];
    for (title, table) in tables {
        if let Some(table) = table {
            text += &format!("\n{title}\n{}", table.text(ROWS));
        }
    }
    for file in &report.other_clips {
        let (headline, lines) = file.whole();
        text += &format!("\n{headline}\n");
        lines.iter().for_each(|line| text += &format!("  - {}\n", wrapped(line)));
    }
    if !report.refused.is_empty() {
        text += "\nnot for every command\n";
    }
    for Refusal { commands, why } in report.refused.iter().take(ROWS) {
        text += &format!("  - {}\n", wrapped(&printable(&format!("{commands}: {why}"), 400)));
    }
    if report.refused.len() > ROWS {
        text += &format!("  … and {} more\n", report.refused.len() - ROWS);
    }
    if report.problems.is_empty() {
        text += "\nno problems found\n";
        return text;
    }
    text += "\nproblems\n";
    for problem in report.problems.iter().take(ROWS) {
        text += &format!("  - {}\n", wrapped(&printable(problem, 400)));
    }
    if report.problems.len() > ROWS {
        text += &format!("  … and {} more\n", report.problems.len() - ROWS);
    }
    text
}

fn headline(report: &Report) -> String {
    format!("{}: {}\n\n", report.file, report.format)
}

fn parts(report: &Report) -> Option<Table> {
    use Side::{Left, Right};
    let columns = [
        ("#", Right),
        ("name", Left),
        ("vertices", Right),
        ("triangles", Right),
        ("surface", Left),
        ("primitives: materials", Left),
    ];
    let mut table = Table::new(&columns);
    for (index, part) in report.parts.iter().enumerate() {
        let materials = first_few(part.primitives.iter().map(|p| p.material.as_str()), 30);
        table.row([
            index.to_string(),
            printable(&part.name, 24),
            span(part.vertices),
            span(part.triangles),
            if part.surface.closed { "closed".to_owned() } else { "open".to_owned() },
            format!("{}: {materials}", part.primitives.len()),
        ]);
    }
    Some(table)
}

fn morphs(report: &Report) -> Option<Table> {
    use Side::{Left, Right};
    if report.morphs.targets.is_empty() {
        return None;
    }
    let moves = match report.morphs.kind {
        MorphKind::Shapes => "differs from the first in",
        _ => "moves",
    };
    let mut table = Table::new(&[
        ("#", Right),
        ("name", Left),
        ("default", Right),
        (moves, Right),
        ("at most by", Right),
    ]);
    for (index, target) in report.morphs.targets.iter().enumerate() {
        table.row([
            index.to_string(),
            printable(&target.name, 32),
            number(f64::from(target.default)),
            counted(target.vertices, "vertex"),
            number(f64::from(target.largest_displacement)),
        ]);
    }
    Some(table)
}

fn clips(report: &Report) -> Option<Table> {
    use Side::{Left, Right};
    if report.clips.is_empty() {
        return None;
    }
    let numbers = ["seconds", "keys", "translations", "rotations", "scales", "weights"];
    let columns: Vec<(&str, Side)> =
        [("#", Right), ("name", Left)].into_iter().chain(numbers.map(|n| (n, Right))).collect();
    let mut table = Table::new(&columns);
    for (index, clip) in report.clips.iter().enumerate() {
        let channels = &clip.channels;
        let counts = [channels.translation, channels.rotation, channels.scale, channels.weights];
        let cells = [
            index.to_string(),
            printable(&clip.name, 32),
            format!("{:.3}", clip.duration),
            grouped(clip.keys),
        ];
        table.row(cells.into_iter().chain(counts.map(|n| n.to_string())));
    }
    Some(table)
}

/// `0-1727`.
fn span(numbers: Numbers) -> String {
    match numbers.count {
        0 => "-".to_owned(),
        count => format!("{}-{}", numbers.first, numbers.first + count - 1),
    }
}

/// Breaks a sentence into lines that end before column 100; further lines are indented.
fn wrapped(sentence: &str) -> String {
    let mut lines = vec![String::new()];
    for word in sentence.split(' ') {
        let line = lines.last_mut().expect("there is always a line");
        if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > WIDTH - 4 {
            lines.push(word.to_owned());
            continue;
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    lines.join("\n    ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_sentences_are_broken() {
        let lines = wrapped(&"word ".repeat(40));
        assert!(lines.lines().count() == 3 && lines.lines().all(|l| l.chars().count() < 100), "{lines}");
        assert_eq!(wrapped("short"), "short");
    }

    #[test]
    fn ranges_name_the_first_and_the_last() {
        assert_eq!(span(Numbers { first: 10, count: 5 }), "10-14");
        assert_eq!(span(Numbers { first: 10, count: 0 }), "-");
    }
}
