//! A played meeting for eyes: who collides, a table of frames, what it means.

use std::sync::Arc;

use supple::QueryStats;

use super::actor::Actor;
use super::meeting::{Meeting, Wanted};
use super::play::{Frame, evenly, stride};
use super::totals::{Baking, Totals, median};
use crate::digits::three_digits;
use crate::table::{Side, Table, counted, grouped, printable};

/// Rows of the table where the user does not ask for all.
pub const ROWS: usize = 40;

/// The whole report, ending with a line break.
pub fn text(meeting: &Meeting, frames: &[Frame], totals: &Totals, rows: usize, with_details: bool) -> String {
    let shown = evenly(frames.len(), rows);
    let mut text = introduction(meeting) + "\n" + &table(meeting, frames, &shown, with_details);
    if shown.len() < frames.len() {
        let (n, count) = (stride(frames.len(), rows), frames.len());
        text += &format!(
            "  (one in {n} of {count} frames is shown, --all-frames shows all; the figures are of all)\n"
        );
    }
    text + "\n" + &summary(meeting, frames, totals)
}

/// Who collides with whom, two lines each.
pub fn introduction(meeting: &Meeting) -> String {
    let (a, b) = (&meeting.a, &meeting.b);
    let shared = Arc::ptr_eq(a.body.shape(), b.body.shape());
    let sizes_b = if shared { "the same shape".to_owned() } else { sizes(b) };
    let lines =
        |name, actor: &Actor, sizes| format!("{name}  {}\n   {sizes}; {}\n", actor.file, motion(actor));
    lines("A", a, sizes(a)) + &lines("B", b, sizes_b)
}

/// `1 frame`, `all 12 frames`.
pub fn all_of(frames: usize) -> String {
    if frames == 1 { "1 frame".to_owned() } else { format!("all {}", counted(frames, "frame")) }
}

/// A time with as many decimals as can be trusted.
pub fn microseconds(time: f64) -> String {
    if time < 10.0 { format!("{time:.1}") } else { grouped(time.round() as usize) }
}

fn sizes(actor: &Actor) -> String {
    let shape = actor.body.shape();
    let mesh = shape.model().mesh();
    format!(
        "{}, {}, {}, tree of {}",
        counted(mesh.triangles().len(), "triangle"),
        counted(mesh.positions().len(), "vertex"),
        counted(shape.model().skeleton().joints().len(), "joint"),
        counted(shape.node_count(), "node")
    )
}

fn motion(actor: &Actor) -> String {
    let skinning = actor.body.skinning().name();
    match &actor.motion().clip {
        Some(clip) => format!("{skinning} skinning, clip {:?}", printable(clip.name(), 30)),
        None => format!("{skinning} skinning, rest pose"),
    }
}

/// What a query counts, by the words of the table.
fn counters(frame: &Frame, with_details: bool) -> Vec<(&'static str, u64)> {
    let QueryStats { node_visits, refits, vertices_deformed, triangle_tests, .. } = frame.stats;
    let details =
        [("boxes compared", node_visits), ("boxes computed", refits), ("triangles tested", triangle_tests)];
    let details = details.into_iter().filter(|_| with_details);
    details.chain([("vertices posed", vertices_deformed)]).collect()
}

fn table(meeting: &Meeting, frames: &[Frame], shown: &[usize], with_details: bool) -> String {
    let answer = if meeting.wanted == Wanted::FirstPair { "pair" } else { "pairs" };
    let counted = counters(&frames[0], with_details);
    let columns = ["frame", "second", answer]
        .into_iter()
        .chain(counted.iter().map(|(name, _)| *name))
        .chain(["µs", "baking µs"]);
    let columns: Vec<_> = columns.map(|name| (name, Side::Right)).collect();
    let mut table = Table::new(&columns);
    for frame in shown.iter().map(|&i| &frames[i]) {
        let mut cells = vec![frame.frame.to_string(), format!("{:.3}", frame.time), answered(meeting, frame)];
        cells.extend(counters(frame, with_details).iter().map(|(_, count)| grouped(*count as usize)));
        cells.push(microseconds(frame.microseconds));
        cells.push(frame.baking_microseconds.map_or_else(String::new, microseconds));
        table.row(cells);
    }
    if frames.len() > 1 {
        table.row(columns.iter().map(|_| String::new()));
        let figures = |name, figure| figures(meeting, name, frames, with_details, figure);
        table.row(figures("median", median));
        table.row(figures("mean", |n| n.iter().sum::<f64>() / n.len() as f64));
        table.row(figures("most", |n| n.into_iter().fold(0.0, f64::max)));
    }
    table.text(usize::MAX - 1)
}

fn answered(meeting: &Meeting, frame: &Frame) -> String {
    match (meeting.wanted, frame.pairs.first()) {
        (Wanted::FirstPair, Some([a, b])) => format!("{a}/{b}"),
        (Wanted::FirstPair, None) => "-".to_owned(),
        (Wanted::AllPairs, _) => grouped(frame.pairs.len()),
    }
}

/// One number for each column of the table, taken from all frames.
fn figures(
    meeting: &Meeting,
    name: &str,
    frames: &[Frame],
    with_details: bool,
    figure: fn(Vec<f64>) -> f64,
) -> Vec<String> {
    let of = |number: &dyn Fn(&Frame) -> f64| figure(frames.iter().map(number).collect());
    let pairs = match meeting.wanted {
        Wanted::AllPairs => rounded(of(&|f| f.pairs.len() as f64)),
        Wanted::FirstPair => String::new(),
    };
    let mut cells = vec![name.to_owned(), String::new(), pairs];
    let counters_of = |frame: &Frame| counters(frame, with_details);
    let columns = counters_of(&frames[0]).len();
    cells.extend((0..columns).map(|column| rounded(of(&|f| counters_of(f)[column].1 as f64))));
    cells.push(microseconds(of(&|f| f.microseconds)));
    cells.push(microseconds(figure(frames.iter().filter_map(|f| f.baking_microseconds).collect())));
    cells
}

/// Whole numbers, but a mean of few is not rounded away.
fn rounded(number: f64) -> String {
    if number < 10.0 && number.fract() != 0.0 {
        format!("{number:.1}")
    } else {
        grouped(number.round() as usize)
    }
}

fn summary(meeting: &Meeting, frames: &[Frame], totals: &Totals) -> String {
    let vertices: usize =
        [&meeting.a, &meeting.b].iter().map(|a| a.body.shape().model().mesh().positions().len()).sum();
    let pairs = match meeting.wanted {
        Wanted::AllPairs => format!(", {} in all", counted(totals.pairs, "pair")),
        Wanted::FirstPair => String::new(),
    };
    format!(
        "In contact in {} of {}{pairs}.\n\n{}",
        totals.frames_in_contact,
        counted(totals.frames, "frame"),
        comparison(frames, &totals.baking, vertices)
    )
}

/// What the times mean.
fn comparison(frames: &[Frame], baking: &Baking, vertices: usize) -> String {
    let mean = |sum: f64| microseconds(sum / baking.frames as f64);
    let mut text = format!(
        "  vertices posed  of {} that both have; some are posed for more than one piece of the mesh\n\
         \x20 µs              to pose both and find this, on one core\n\
         \x20 baking µs       to deform all vertices, fit all boxes to them and find the same\n\n\
         In {}, supple took {} µs in the mean and baking {}: {}.\n",
        grouped(vertices),
        if baking.frames == frames.len() {
            all_of(baking.frames)
        } else {
            format!("the {} frames shown", baking.frames)
        },
        mean(baking.supple_microseconds),
        mean(baking.microseconds),
        times_as_fast(baking.microseconds / baking.supple_microseconds),
    );
    if baking.faster > 0 {
        text += &format!(
            "Baking was faster in {} of them. It is where most of one body is near the other.\n",
            baking.faster
        );
    }
    text
}

/// `6.2 times as fast`, or how much slower.
pub fn times_as_fast(ratio: f64) -> String {
    if ratio >= 1.0 {
        format!("supple is {} times as fast", three_digits(ratio))
    } else {
        format!("baking is {} times as fast", three_digits(1.0 / ratio))
    }
}
