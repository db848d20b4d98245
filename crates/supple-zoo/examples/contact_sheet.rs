//! Draws the zoo: one row per kind with three views, the triangles, and poses from its clips.
//!
//! `cargo run --release -p supple-zoo --example contact_sheet OUT.png [NAME...]`

use std::time::Instant;

use anyhow::{Context, Result};
use glam::Vec3;
use supple::{Model, Pose, Skinning};
use supple_draw::{Camera, Canvas, Colour, FRONT, SIDE, Style, THREE_QUARTER};

const CELL: u32 = 300;
const VIEWS: [(&str, Vec3); 3] = [("front", FRONT), ("side", SIDE), ("three-quarter", THREE_QUARTER)];
const CLIP_POSES: usize = 5;

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().context("the first argument is the picture to write")?;
    let mut names: Vec<String> = arguments.collect();
    if names.is_empty() {
        names = supple_zoo::kinds().iter().map(|kind| kind.name.to_owned()).collect();
    }
    let columns = (VIEWS.len() + 1 + CLIP_POSES) as u32;
    let mut sheet =
        Canvas::with_background(columns * CELL, names.len() as u32 * CELL, Colour::WHITE, Colour::WHITE)?;
    for (row, name) in names.iter().enumerate() {
        let start = Instant::now();
        let model = supple_zoo::make(name, 0)?;
        let seconds = start.elapsed().as_secs_f64();
        let (vertices, triangles) = (model.mesh().positions().len(), model.mesh().triangles().len());
        println!("{name}: {vertices} vertices, {triangles} triangles, {seconds:.2} s");
        for (column, cell) in cells(name, &model)?.iter().enumerate() {
            sheet.paste(cell, column as i32 * CELL as i32, row as i32 * CELL as i32);
        }
    }
    sheet.write_png(&path)?;
    println!("{path}: {} x {} pixels", sheet.width(), sheet.height());
    Ok(())
}

fn cells(name: &str, model: &Model) -> Result<Vec<Canvas>> {
    let rest = model.rest_pose();
    let smooth = Style::smooth(Colour::CLAY);
    let mut cells = Vec::new();
    for (view, direction) in VIEWS {
        cells.push(cell(model, &rest, direction, &smooth, &format!("{name}, {view}"))?);
    }
    let count = format!("{} triangles", model.mesh().triangles().len());
    let edges = Style::flat(Colour::GREY).with_edges(Colour::INK);
    cells.push(cell(model, &rest, THREE_QUARTER, &edges, &count)?);
    if model.clips().is_empty() {
        return Ok(cells);
    }
    for sample in 0..CLIP_POSES {
        let clip = &model.clips()[sample % model.clips().len()];
        // Different times where a clip comes again.
        let time = clip.duration() * (0.17 + 0.66 * sample as f64 / CLIP_POSES as f64);
        let mut pose = rest.clone();
        clip.sample(time, &mut pose)?;
        let label = format!("{} at {time:.2} s", clip.name());
        cells.push(cell(model, &pose, THREE_QUARTER, &smooth, &label)?);
    }
    Ok(cells)
}

fn cell(model: &Model, pose: &Pose, direction: Vec3, style: &Style, label: &str) -> Result<Canvas> {
    let positions = model.posed(pose, Skinning::DualQuaternion)?.positions();
    let (min, max) = positions
        .iter()
        .fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(min, max), &p| (min.min(p), max.max(p)));
    let mut canvas = Canvas::new(CELL - 4, CELL - 4)?;
    let camera = Camera::framing_perspective(min, max, direction, 0.5);
    canvas.draw_mesh(&camera, &positions, model.mesh().triangles(), style);
    canvas.draw_text(8, 8, 2, label, Colour::INK);
    Ok(canvas)
}
