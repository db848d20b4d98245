//! A quick run of all papers, and the renderers on a report made by hand.

use glam::Vec3;
use supple_draw::{Colour, FRONT};
use supple_repro::report::html::html;
use supple_repro::report::picture::{Ball, Panel, View, side_by_side};
use supple_repro::report::plot::{Axis, Kind, Plot};
use supple_repro::report::text::{WIDTH, text};
use supple_repro::report::{Better, Cell, Comparison, Expected, Experiment, Section, Table, Verdict};
use supple_repro::{Options, Paper, Report, UnknownPaper, reproduce};

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
    assert!(page.find("What falls short").unwrap() < page.find("id=\"s0\"").unwrap());
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
fn balls_of_two_colours_are_seen() {
    let png = |balls: &[Ball]| {
        let corners = [Vec3::ZERO, Vec3::X, Vec3::Y];
        let panel = Panel { label: "one", positions: &corners, triangles: &[[0, 1, 2]], balls };
        let view = View::around(&corners, FRONT, [64, 48]);
        side_by_side("a triangle", &view, &[panel, panel]).png
    };
    let ball = |colour| Ball { center: Vec3::splat(0.3), radius: 0.2, colour };
    let pictures = [png(&[]), png(&[ball(Colour::BLUE)]), png(&[ball(Colour::RED)])];
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

fn check_text(text: &str) {
    let wide: Vec<&str> = text.lines().filter(|line| line.chars().count() > WIDTH).collect();
    assert!(wide.is_empty(), "{wide:#?}");
    assert!(text.lines().all(|line| line == line.trim_end()), "{text}");
}

/// Tags are balanced, ids are there where links lead, and nothing is fetched.
fn check_page(page: &str) {
    // Any letters may stand in the bytes of a picture.
    let mut pieces = page.split("data:image/png;base64,");
    let first = pieces.next().unwrap().to_owned();
    let page = &pieces.fold(first, |text, piece| text + &piece[piece.find('"').unwrap()..]);
    assert!(!page.contains("http"), "the page asks for something");
    assert!(!page.contains("NaN"), "the page shows what is no number");
    assert!(page.contains("prefers-color-scheme: dark"));
    for link in page.split("href=\"#").skip(1).map(|rest| rest.split('"').next().unwrap()) {
        assert!(page.contains(&format!("id=\"{link}\"")), "{link} leads nowhere");
    }
    let mut open = Vec::new();
    for tag in page.split('<').skip(1).map(|rest| rest.split('>').next().unwrap()) {
        let name = tag.split([' ', '\n', '/']).next().unwrap();
        if let Some(closed) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(closed), "</{closed}> closes something else");
        } else if !(tag.ends_with('/') || tag.starts_with('!') || ["meta", "img", "br"].contains(&name)) {
            open.push(name);
        }
    }
    assert!(open.is_empty(), "{open:?} are not closed");
}
