//! The renderers on a report made by hand.

#![cfg(feature = "report")]

mod checks;

use checks::{check_page, check_text};
use glam::Vec3;
use supple_draw::{Colour, FRONT};
use supple_report::report::html::html;
use supple_report::report::picture::{ColouredSphere, Panel, View, side_by_side};
use supple_report::report::plot::{Axis, Kind, Plot};
use supple_report::report::text::text;
use supple_report::report::{
    Better, Cell, Comparison, Expected, Experiment, Report, Section, Table, Verdict,
};

#[test]
fn what_is_worse_stands_first_with_its_reason() {
    let report = by_hand();
    let (page, printed) = (html(&report), text(&report));
    check_page(&page);
    check_text(&printed);
    let first = printed.find("worse: An experiment").expect("it is listed");
    assert!(first < printed.find("A section").expect("sections are printed"), "{printed}");
    assert!(printed.contains("Why worse (slow): <because> of rain"), "{printed}");
    assert!(!printed.contains("never shown") && !page.contains("never shown"));
    let place = |text: &str| page.find(text).unwrap_or_else(|| panic!("{text} in {page}"));
    assert!(place("Something &lt; simple.") < place("What falls short"), "an introduction first");
    assert!(place("What falls short") < place("id=\"s0\""));
    assert!(printed.contains("Something < simple."), "{printed}");
    assert!(page.contains("&lt;because&gt; of rain") && !page.contains("<because>"));
    assert_eq!(Verdict::ALL.map(|verdict| report.count(verdict)), [1, 0, 1]);
}

#[test]
fn plots_take_the_colour_of_the_text() {
    let report = by_hand();
    for plot in report.experiments().flat_map(|experiment| &experiment.plots) {
        let svg = plot.svg();
        assert!(svg.starts_with("<svg ") && svg.trim_end().ends_with("</svg>"), "{svg}");
        assert!(svg.contains("currentColor") && svg.contains(&plot.y.label), "{svg}");
        for black_or_white in ["#000000", "#FFFFFF", "black", "white"] {
            assert!(!svg.contains(black_or_white), "{black_or_white} in {svg}");
        }
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }
}

#[test]
fn spheres_of_two_colours_are_seen() {
    let png = |spheres: &[ColouredSphere]| {
        let corners = [Vec3::ZERO, Vec3::X, Vec3::Y];
        let panel = Panel { label: "one", positions: &corners, triangles: &[[0, 1, 2]], spheres };
        let view = View::around(&corners, FRONT, [64, 48]);
        side_by_side("a triangle", &view, &[panel, panel]).png
    };
    let sphere = |colour| ColouredSphere { center: Vec3::splat(0.3), radius: 0.2, colour };
    let pictures = [png(&[]), png(&[sphere(Colour::BLUE)]), png(&[sphere(Colour::RED)])];
    assert!(pictures.iter().all(|png| png.starts_with(b"\x89PNG")));
    assert!(pictures[0] != pictures[1] && pictures[1] != pictures[2]);
}

/// All kinds of cells, plots and verdicts, with text that must be escaped.
fn by_hand() -> Report {
    let mut experiment = Experiment::new("An experiment", "Tea & <cake>", "long words ".repeat(40));
    let mut table = Table::new("Numbers", ["name", "count", "size"]);
    table.row(["<a>".into(), 1234.into(), Cell::Size(1e-9)]);
    table.row(["b".into(), Cell::ratio(2.0), "-".into()]);
    experiment.tables.push(table);
    let points = |f: fn(f64) -> f64| (1..6).map(|x| [f64::from(x), f(f64::from(x))]).collect::<Vec<_>>();
    for (x, y) in [(false, false), (true, false), (false, true), (true, true)] {
        let axis = |logarithmic, label: &str| {
            if logarithmic { Axis::logarithmic(label) } else { Axis::linear(label) }
        };
        let series = vec![("square".to_owned(), points(|x| x * x)), ("root".to_owned(), points(f64::sqrt))];
        experiment.plots.push(Plot {
            title: "Curves".to_owned(),
            kind: Kind::Lines { x: axis(x, "across"), series },
            y: axis(y, "upwards"),
        });
        let series = vec![("one".to_owned(), vec![1.0, 30.0]), ("two".to_owned(), vec![f64::NAN, 3.0])];
        experiment.plots.push(Plot {
            title: "Bars".to_owned(),
            kind: Kind::Bars { groups: vec!["left".to_owned(), "right".to_owned()], series },
            y: axis(y, "upwards"),
        });
    }
    experiment.plots.push(Plot {
        title: "Nothing".to_owned(),
        kind: Kind::Bars { groups: Vec::new(), series: Vec::new() },
        y: Axis::linear("upwards"),
    });
    experiment.comparisons = vec![
        Comparison::new("slow", Expected::About(2.0), 9.0, Better::Lower, "<because> of rain"),
        Comparison::new("good", Expected::AtLeast(2.0), 9.0, Better::Higher, "never shown"),
    ];
    let section = Section {
        title: "A section".to_owned(),
        idea: "Something < simple.".to_owned(),
        citation: "Nobody".to_owned(),
        experiments: vec![experiment],
    };
    Report {
        machine: "a \"machine\"".to_owned(),
        commit: "unknown".to_owned(),
        date: "2000-02-29".to_owned(),
        quick: true,
        sections: vec![section],
    }
}
