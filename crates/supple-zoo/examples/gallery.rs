//! Draws a character from several sides and in poses of its clips.
//!
//! `cargo run --release -p supple-zoo --example gallery NAME OUT_DIR`

use std::time::Instant;

use anyhow::{Context, Result};
use glam::Vec3;
use supple::{Model, Pose, Skinning};
use supple_draw::{BACK, Camera, Canvas, Colour, FRONT, SIDE, Style, THREE_QUARTER, TOP};

const CELL: [u32; 2] = [420, 560];

fn main() -> Result<()> {
    let name = std::env::args().nth(1).context("the name of a character")?;
    let folder = std::env::args().nth(2).unwrap_or_else(|| ".".to_owned());
    let start = Instant::now();
    let model = supple_zoo::make(&name, 0)?;
    let (vertices, triangles) = (model.mesh().positions().len(), model.mesh().triangles().len());
    let joints = model.skeleton().joints().len();
    println!("{name}: {vertices} vertices, {triangles} triangles, {joints} joints, {:?}", start.elapsed());
    views(&model)?.write_png(format!("{folder}/{name}.png"))?;
    if let Some(close) = close_ups(&model)? {
        close.write_png(format!("{folder}/{name}_close.png"))?;
    }
    for clip in model.clips() {
        let mut frames = Vec::new();
        for frame in 0..5 {
            let mut pose = model.rest_pose();
            clip.sample(clip.duration() * f64::from(frame) / 5.0, &mut pose)?;
            for direction in [SIDE, THREE_QUARTER] {
                frames.push(draw(&model, &pose, direction, false)?);
            }
        }
        sheet(&frames, 2)?.write_png(format!("{folder}/{name}_{}.png", clip.name()))?;
    }
    Ok(())
}

/// Front, side, three quarters and back; smooth above, with edges below.
fn views(model: &Model) -> Result<Canvas> {
    let mut pictures = Vec::new();
    for direction in [FRONT, THREE_QUARTER, SIDE, BACK] {
        for edges in [false, true] {
            pictures.push(draw(model, &model.rest_pose(), direction, edges)?);
        }
    }
    sheet(&pictures, 2)
}

/// Head and left hand from near, if there are joints of these names.
fn close_ups(model: &Model) -> Result<Option<Canvas>> {
    let pose = model.rest_pose();
    let positions = model.mesh().positions();
    let mut pictures = Vec::new();
    for joint in ["head", "hand_l"] {
        let Some(index) = model.skeleton().node_named(joint) else {
            continue;
        };
        // What mostly follows the joint or something below it.
        let follows = |mut node: usize| loop {
            match model.skeleton().nodes()[node].parent {
                _ if node == index => return true,
                Some(parent) => node = parent,
                None => return false,
            }
        };
        let kept: Vec<Vec3> = (0..positions.len() as u32)
            .filter(|&v| model.skin().influences(v).any(|(j, w)| w > 0.5 && follows(j.0 as usize)))
            .map(|v| positions[v as usize])
            .collect();
        let frame = bounds(&kept);
        for direction in [FRONT, THREE_QUARTER, SIDE, -SIDE, TOP] {
            for edges in [false, true] {
                pictures.push(draw_framed(model, &pose, direction, edges, frame)?);
            }
        }
    }
    if pictures.is_empty() { Ok(None) } else { sheet(&pictures, 4).map(Some) }
}

fn draw(model: &Model, pose: &Pose, direction: Vec3, edges: bool) -> Result<Canvas> {
    let positions = model.posed(pose, Skinning::DualQuaternion)?.positions();
    draw_framed(model, pose, direction, edges, bounds(&positions))
}

fn draw_framed(
    model: &Model,
    pose: &Pose,
    direction: Vec3,
    edges: bool,
    (min, max): (Vec3, Vec3),
) -> Result<Canvas> {
    let positions = model.posed(pose, Skinning::DualQuaternion)?.positions();
    let camera = Camera::framing(min, max, direction);
    let mut canvas = Canvas::new(CELL[0], CELL[1])?;
    let style = Style::smooth(Colour::CLAY);
    let style = if edges { style.with_edges(Colour::INK) } else { style };
    canvas.draw_mesh(&camera, &positions, model.mesh().triangles(), &style);
    Ok(canvas)
}

/// Pictures in columns of `rows`.
fn sheet(pictures: &[Canvas], rows: usize) -> Result<Canvas> {
    let columns = pictures.len().div_ceil(rows) as u32;
    let mut sheet = Canvas::new(columns * CELL[0], rows as u32 * CELL[1])?;
    for (index, picture) in pictures.iter().enumerate() {
        let (x, y) = ((index / rows) as u32 * CELL[0], (index % rows) as u32 * CELL[1]);
        sheet.paste(picture, x as i32, y as i32);
    }
    Ok(sheet)
}

fn bounds(positions: &[Vec3]) -> (Vec3, Vec3) {
    let start = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    positions.iter().fold(start, |(min, max), &p| (min.min(p), max.max(p)))
}
