//! A report for a terminal of 100 columns.

use std::fmt::Write;

use super::comparison::figure;
use super::{Comparison, Experiment, Report, Section, Table, Verdict};
use crate::columns::Columns;

/// No line is longer, unless a table has wider cells.
pub const WIDTH: usize = 100;

/// The whole report: what falls short first, then every table.
pub fn text(report: &Report) -> String {
    let mut out = header(report);
    for section in &report.sections {
        out += &of_section(section);
    }
    out
}

fn header(report: &Report) -> String {
    let quick = if report.quick { "; quick: few rounds, times are rough" } else { "" };
    let about = format!("{}; sources {}; {}{quick}", report.machine, report.commit, report.date);
    let counts = Verdict::ALL.map(|verdict| format!("{} {}", report.count(verdict), verdict.name()));
    let mut out = format!("{}\nRatios of the papers: {}\n", wrapped(&about, 0), counts.join(", "));
    for experiment in report.experiments() {
        let worse: Vec<&Comparison> = experiment.reasons().into_iter().flat_map(|(_, worse)| worse).collect();
        if !worse.is_empty() {
            let line = format!("  worse: {}: {}", experiment.title, told(&worse));
            let _ = writeln!(out, "  {}", wrapped(&line, 4));
        }
    }
    out
}

fn of_section(section: &Section) -> String {
    let rule = "=".repeat(section.title.chars().count());
    let mut out = format!(
        "\n{}\n{rule}\n{}\n{}\n",
        section.title,
        wrapped(&section.idea, 0),
        wrapped(&section.citation, 0)
    );
    for experiment in &section.experiments {
        out += &of_experiment(experiment);
    }
    out
}

fn of_experiment(experiment: &Experiment) -> String {
    let rule = "-".repeat(experiment.title.chars().count());
    let mut out = format!("\n{}\n{rule}\n", experiment.title);
    let _ = writeln!(out, "{}", wrapped(&format!("Paper: {}", experiment.paper), 2));
    let _ = writeln!(out, "{}", wrapped(&format!("Here: {}", experiment.here), 2));
    for table in &experiment.tables {
        out += &of_table(table);
    }
    if !experiment.comparisons.is_empty() {
        out += &of_comparisons(experiment);
    }
    let plots = experiment.plots.iter().map(|plot| ("plot", &plot.title));
    let pictures = experiment.pictures.iter().map(|picture| ("picture", &picture.caption));
    for (index, (kind, caption)) in plots.chain(pictures).enumerate() {
        let gap = if index == 0 { "\n" } else { "" };
        let _ = writeln!(out, "{gap}{}", wrapped(&format!("[{kind} on the page of --out] {caption}"), 2));
    }
    out
}

fn of_table(table: &Table) -> String {
    let texts = (0..table.columns().len()).take_while(|&column| !table.is_numeric(column)).count();
    let header: Vec<&str> = table.columns().iter().map(String::as_str).collect();
    let mut columns = Columns::new(&wrapped(&table.caption, 2), texts, &header);
    for row in table.rows() {
        columns.row(row.iter().map(ToString::to_string).collect());
    }
    columns.text()
}

fn of_comparisons(experiment: &Experiment) -> String {
    let header = ["what carries over", "good is", "paper", "ours", "verdict"];
    let mut columns = Columns::new("Compared with the paper", 2, &header);
    for comparison in &experiment.comparisons {
        columns.row(vec![
            comparison.what().to_owned(),
            comparison.better().name().to_owned(),
            comparison.paper().to_string(),
            figure(comparison.ours()),
            comparison.verdict().name().to_owned(),
        ]);
    }
    let mut out = columns.text();
    for (why, worse) in experiment.reasons() {
        let names: Vec<&str> = worse.iter().map(|comparison| comparison.what()).collect();
        let _ = writeln!(out, "  {}", wrapped(&format!("Why worse ({}): {why}", names.join("; ")), 4));
    }
    out
}

/// Numbers of comparisons: `a / b: 2.91 (paper 2.16); c / d: ...`
pub(super) fn told(comparisons: &[&Comparison]) -> String {
    let one = |c: &&Comparison| format!("{}: {} (paper {})", c.what(), figure(c.ours()), c.paper());
    comparisons.iter().map(one).collect::<Vec<_>>().join("; ")
}

/// Lines of at most [`WIDTH`] columns, words whole; all but the first are indented.
fn wrapped(text: &str, indent: usize) -> String {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().expect("there is a first line");
        let length = line.chars().count();
        if length == 0 {
            line.push_str(word);
        } else if length + 1 + word.chars().count() <= WIDTH - indent {
            *line = format!("{line} {word}");
        } else {
            lines.push(word.to_owned());
        }
    }
    lines.join(&format!("\n{}", " ".repeat(indent)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_between_words() {
        let text = wrapped(&"word ".repeat(50), 4);
        assert!(text.lines().all(|line| line.chars().count() <= WIDTH && !line.ends_with(' ')));
        assert!(text.lines().skip(1).all(|line| line.starts_with("    word")));
        assert_eq!(text.split_whitespace().count(), 50);
    }
}
