//! A played scene for eyes: who collides, a table of frames, what it means.

use std::sync::Arc;

use super::actor::Actor;
use super::play::{Frame, evenly, stride};
use super::scene::{Question, Scene};
use super::totals::{Totals, median};
use crate::table::{Side, Table, counted, grouped, printable};

/// Rows of the table where the user does not ask for all.
pub const ROWS: usize = 40;

/// The whole report, ending with a line break.
pub fn text(scene: &Scene, frames: &[Frame], totals: &Totals, rows: usize) -> String {
    let shown = evenly(frames.len(), rows);
    let mut text = introduction(scene) + "\n" + &table(scene, frames, &shown);
    if shown.len() < frames.len() {
        let (n, count) = (stride(frames.len(), rows), frames.len());
        text += &format!(
            "  (one in {n} of {count} frames is shown, --all-frames shows all; the figures are of all)\n"
        );
    }
    text + "\n" + &summary(scene, frames, totals)
}

/// Who collides with whom, two lines each.
pub fn introduction(scene: &Scene) -> String {
    let (a, b) = (&scene.a, &scene.b);
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

fn table(scene: &Scene, frames: &[Frame], shown: &[usize]) -> String {
    let answer = if scene.question == Question::FirstPair { "pair" } else { "pairs" };
    let columns = ["frame", "second", answer, "visits", "refits", "vertices", "tests", "µs"];
    let mut table = Table::new(&columns.map(|name| (name, Side::Right)));
    for frame in shown.iter().map(|&i| &frames[i]) {
        let cells = [frame.frame.to_string(), format!("{:.3}", frame.time), answered(scene, frame)];
        table.row(
            cells
                .into_iter()
                .chain(costs(frame).map(|n| grouped(n as usize)))
                .chain([microseconds(frame.microseconds)]),
        );
    }
    if frames.len() > 1 {
        table.row(columns.map(|_| String::new()));
        table.row(figures(scene, "median", frames, median));
        table.row(figures(scene, "mean", frames, |n| n.iter().sum::<f64>() / n.len() as f64));
        table.row(figures(scene, "most", frames, |n| n.into_iter().fold(0.0, f64::max)));
    }
    table.text(usize::MAX - 1)
}

fn answered(scene: &Scene, frame: &Frame) -> String {
    match (scene.question, frame.pairs.first()) {
        (Question::FirstPair, Some([a, b])) => format!("{a}/{b}"),
        (Question::FirstPair, None) => "-".to_owned(),
        (Question::AllPairs, _) => grouped(frame.pairs.len()),
    }
}

fn costs(frame: &Frame) -> [u64; 4] {
    let stats = &frame.stats;
    [stats.node_visits, stats.refits, stats.vertices_deformed, stats.triangle_tests]
}

/// One number for each column of the table, taken from all frames.
fn figures(scene: &Scene, name: &str, frames: &[Frame], figure: impl Fn(Vec<f64>) -> f64) -> Vec<String> {
    let of = |number: &dyn Fn(&Frame) -> f64| figure(frames.iter().map(number).collect());
    let pairs = match scene.question {
        Question::AllPairs => rounded(of(&|f| f.pairs.len() as f64)),
        Question::FirstPair => String::new(),
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

fn summary(scene: &Scene, frames: &[Frame], totals: &Totals) -> String {
    let vertices: usize =
        [&scene.a, &scene.b].iter().map(|a| a.body.shape().model().mesh().positions().len()).sum();
    let pairs = match scene.question {
        Question::AllPairs => format!(", {} in all", counted(totals.pairs, "pair")),
        Question::FirstPair => String::new(),
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
