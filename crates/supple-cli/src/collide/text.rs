//! A played meeting for eyes: who collides, a table of frames, what it means.

use std::sync::Arc;

use super::actor::Actor;
use super::meeting::{Meeting, Wanted};
use super::play::{Frame, evenly, stride};
use super::totals::{Totals, median};
use crate::table::{Side, Table, counted, grouped, printable};

/// Rows of the table where the user does not ask for all.
pub const ROWS: usize = 40;

/// The whole report, ending with a line break.
pub fn text(meeting: &Meeting, frames: &[Frame], totals: &Totals, rows: usize) -> String {
    let shown = evenly(frames.len(), rows);
    let mut text = introduction(meeting) + "\n" + &table(meeting, frames, &shown);
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

fn table(meeting: &Meeting, frames: &[Frame], shown: &[usize]) -> String {
    let answer = if meeting.wanted == Wanted::FirstPair { "pair" } else { "pairs" };
    let columns = ["frame", "second", answer, "visits", "refits", "vertices", "tests", "µs"];
    let mut table = Table::new(&columns.map(|name| (name, Side::Right)));
    for frame in shown.iter().map(|&i| &frames[i]) {
        let cells = [frame.frame.to_string(), format!("{:.3}", frame.time), answered(meeting, frame)];
        table.row(
            cells
                .into_iter()
                .chain(costs(frame).map(|n| grouped(n as usize)))
                .chain([microseconds(frame.microseconds)]),
        );
    }
    if frames.len() > 1 {
        table.row(columns.map(|_| String::new()));
        table.row(figures(meeting, "median", frames, median));
        table.row(figures(meeting, "mean", frames, |n| n.iter().sum::<f64>() / n.len() as f64));
        table.row(figures(meeting, "most", frames, |n| n.into_iter().fold(0.0, f64::max)));
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

fn costs(frame: &Frame) -> [u64; 4] {
    let stats = &frame.stats;
    [stats.node_visits, stats.refits, stats.vertices_deformed, stats.triangle_tests]
}

/// One number for each column of the table, taken from all frames.
fn figures(meeting: &Meeting, name: &str, frames: &[Frame], figure: impl Fn(Vec<f64>) -> f64) -> Vec<String> {
    let of = |number: &dyn Fn(&Frame) -> f64| figure(frames.iter().map(number).collect());
    let pairs = match meeting.wanted {
        Wanted::AllPairs => rounded(of(&|f| f.pairs.len() as f64)),
        Wanted::FirstPair => String::new(),
    };
    let mut cells = vec![name.to_owned(), String::new(), pairs];
    cells.extend((0..4).map(|column| rounded(of(&|f| costs(f)[column] as f64))));
    cells.push(microseconds(of(&|f| f.microseconds)));
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
    let posed = totals.cost.vertices_deformed as f64 / (totals.frames * vertices) as f64;
    let full = totals.full_deformation_microseconds / totals.frames as f64;
    format!(
        "In contact in {} of {}{pairs}; {:.1} % of all vertices were posed.\n\
         Posing both bodies and asking took {} µs per frame in the median, {} in the mean; sampling the\n\
         clips is not counted. Deforming all {} vertices of both takes {} µs with vector instructions\n\
         and answers nothing yet: trees must then be refitted or rebuilt, and asked.\n",
        totals.frames_in_contact,
        counted(totals.frames, "frame"),
        100.0 * posed,
        microseconds(median(frames.iter().map(|f| f.microseconds).collect())),
        microseconds(totals.cost.microseconds / totals.frames as f64),
        grouped(vertices),
        microseconds(full),
    )
}
