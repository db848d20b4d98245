//! A quick run of all papers.

#[path = "../../supple-report/tests/checks/mod.rs"]
mod checks;

use checks::{check_page, check_text};
use supple_repro::report::html::html;
use supple_repro::report::text::text;
use supple_repro::report::{Cell, Comparison, Verdict};
use supple_repro::{Options, Paper, UnknownPaper, reproduce};

#[test]
fn a_quick_run_of_all_papers_gives_a_whole_report() {
    let mut told = Vec::new();
    let report = reproduce(&[], &Options { quick: true }, |line| told.push(line.to_owned()));
    assert_eq!(report.sections.len(), Paper::ALL.len());
    assert!(told.len() >= report.experiments().count(), "{told:?}");
    for experiment in report.experiments() {
        let title = &experiment.title;
        assert!(!experiment.paper.is_empty() && !experiment.here.is_empty(), "{title}");
        assert!(!experiment.tables.is_empty() || !experiment.plots.is_empty(), "{title} shows nothing");
        for table in &experiment.tables {
            assert!(!table.rows().is_empty(), "{title}: {}", table.caption);
            let values = table.rows().iter().flatten().filter_map(Cell::value);
            assert!(values.into_iter().all(f64::is_finite), "{title}: {}", table.caption);
        }
        for plot in &experiment.plots {
            assert!(
                !plot.values().is_empty() && plot.values().into_iter().all(f64::is_finite),
                "{}",
                plot.title
            );
        }
        for comparison in &experiment.comparisons {
            assert!(comparison.ours().is_finite(), "{title}: {}", comparison.what());
            assert_eq!(comparison.why().is_some(), comparison.verdict() == Verdict::Worse);
        }
    }
    check_page(&html(&report));
    check_text(&text(&report));
    // What table 4.1 of the thesis says does not depend on the machine: all marks but one are right.
    let comparisons = report.experiments().flat_map(|experiment| &experiment.comparisons);
    let marks: Vec<f64> = comparisons.filter(|c| c.what().contains("marks")).map(Comparison::ours).collect();
    assert_eq!(marks, [41.0]);
}

#[test]
fn papers_have_names() {
    for paper in Paper::ALL {
        assert_eq!(paper.name().parse(), Ok(paper));
    }
    let unknown = "cooking".parse::<Paper>();
    assert_eq!(unknown, Err(UnknownPaper { name: "cooking".to_owned() }));
    assert!(unknown.unwrap_err().to_string().contains("skinning"));
}
