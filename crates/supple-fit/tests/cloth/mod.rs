//! Cloth that moves like cloth without a simulation: sheets carried by a few travelling waves, shortened where they
//! bulge so that lengths are nearly kept.

use std::f32::consts::TAU;

use glam::{Quat, Vec2, Vec3};
use supple::mesh::Mesh;
use supple_fit::MeshSequence;

/// Which piece of cloth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cloth {
    /// Held at one side, waves run along it.
    Flag,
    /// Hangs from above, folds sway.
    Curtain,
    /// A cone about a body that walks and turns.
    Skirt,
    /// A sheet that falls over a ball.
    Drape,
}

#[allow(dead_code, reason = "the example chooses its own")]
pub const ALL: [Cloth; 4] = [Cloth::Flag, Cloth::Curtain, Cloth::Skirt, Cloth::Drape];

/// `columns * rows` vertices at rest, and that many frames.
pub fn sequence(cloth: Cloth, columns: usize, rows: usize, frames: usize) -> MeshSequence {
    let closed = cloth == Cloth::Skirt;
    let u = |v: usize| {
        let along = v % columns;
        Vec2::new(
            along as f32 / (columns - usize::from(!closed)) as f32,
            (v / columns) as f32 / (rows - 1) as f32,
        )
    };
    let mut triangles = Vec::new();
    for row in 0..rows as u32 - 1 {
        for column in 0..columns as u32 - u32::from(!closed) {
            let next = (column + 1) % columns as u32;
            let at = |c: u32, r: u32| r * columns as u32 + c;
            triangles.push([at(column, row), at(next, row), at(next, row + 1)]);
            triangles.push([at(column, row), at(next, row + 1), at(column, row + 1)]);
        }
    }
    let place = |t: Option<f32>| (0..columns * rows).map(|v| point(cloth, u(v), t)).collect::<Vec<Vec3>>();
    let rest = Mesh::new(place(None), triangles).unwrap();
    let moved = (0..frames).map(|f| place(Some(f as f32 / frames as f32))).collect();
    MeshSequence::evenly(rest, moved, 24.0).unwrap()
}

/// A point of the cloth at a time from 0 to 1, or at rest.
fn point(cloth: Cloth, u: Vec2, time: Option<f32>) -> Vec3 {
    let (x, y) = (u.x, u.y);
    let Some(t) = time else {
        return match cloth {
            Cloth::Flag => Vec3::new(1.5 * x, y, 0.0),
            Cloth::Curtain => Vec3::new(2.0 * x, -1.6 * y, 0.0),
            Cloth::Skirt => cone(x, y, 0.0),
            Cloth::Drape => Vec3::new(2.0 * x - 1.0, 0.6, 2.0 * y - 1.0),
        };
    };
    match cloth {
        Cloth::Flag => {
            let heading = |x: f32| {
                let wave = 0.75 * (0.3 + 0.7 * x) * (TAU * (1.3 * x - 2.0 * t + 0.1 * y)).cos();
                wave + 0.15 * x * (TAU * (2.3 * x - 3.0 * t) + 0.5 * y).cos()
            };
            let way = carried(1.5, x, heading);
            let sag = 0.12 * x * x * (1.0 + 0.3 * (TAU * t).sin());
            Vec3::new(way.x, y - sag, way.y)
        }
        Cloth::Curtain => {
            // The more it is drawn, the deeper its folds; they sway, more below.
            let depth = 0.55 - 0.3 * (TAU * t).cos();
            let heading = |x: f32| depth * (TAU * 2.5 * x + 0.4 * (TAU * t).sin() * y).cos();
            let way = carried(2.0, x, heading);
            let sway = 0.15 * y * y * (TAU * (t - 0.3 * y + 0.1 * x)).sin();
            Vec3::new(way.x, -1.6 * y - 0.3 * sway * sway, way.y + sway)
        }
        Cloth::Skirt => {
            let angle = TAU * x;
            let swing =
                0.10 * y * y * (angle - TAU * 2.0 * t).sin() + 0.05 * y * (3.0 * angle + TAU * t).sin();
            let lift = 0.06 * y * y * (2.0 * angle + TAU * 2.0 * t).cos();
            let turn = Quat::from_rotation_y(0.8 * (TAU * t).sin() + 0.3 * y * (TAU * t).cos());
            turn * (cone(x, y, swing) + Vec3::Y * lift)
                + Vec3::new(0.0, 0.04 * (2.0 * TAU * t).sin(), 1.5 * t)
        }
        Cloth::Drape => {
            // What is beyond the ball's top hangs down, more and more, in folds.
            let flat = Vec2::new(2.0 * x - 1.0, 2.0 * y - 1.0);
            let from_top = flat.length();
            let fall = t.min(0.8) / 0.8;
            let bend = (from_top / 0.5) * fall;
            let folds = 1.0 + 0.08 * fall * from_top * (5.0 * flat.y.atan2(flat.x) + t).sin();
            let radius = if bend > 1e-6 {
                0.5 / fall.max(1e-6) * bend.min(1.4).sin() + (bend - 1.4).max(0.0) * 0.085 / fall
            } else {
                from_top
            };
            let drop =
                0.5 / fall.max(1e-6) * (1.0 - bend.min(1.4).cos()) + (bend - 1.4).max(0.0) * 0.493 / fall;
            let drop = if fall > 1e-6 { drop } else { 0.0 };
            let direction = if from_top > 1e-6 { flat / from_top } else { Vec2::ZERO };
            let out = direction * radius * folds;
            Vec3::new(out.x, 0.6 - 0.1 * fall - drop, out.y)
        }
    }
}

/// Where a strip of a length ends up at a part of it, if it heads for an angle at every part: bent, not stretched.
fn carried(length: f32, part: f32, heading: impl Fn(f32) -> f32) -> Vec2 {
    const STEPS: usize = 24;
    let step = part / STEPS as f32;
    (0..STEPS).map(|i| Vec2::from_angle(heading((i as f32 + 0.5) * step)) * (step * length)).sum()
}

fn cone(x: f32, y: f32, swing: f32) -> Vec3 {
    let (sin, cos) = (TAU * x).sin_cos();
    let radius = 0.2 + 0.25 * y + swing;
    Vec3::new(radius * cos, -0.7 * y, radius * sin)
}

/// A closed ball about the origin.
#[allow(dead_code, reason = "not every test collides")]
pub fn ball(radius: f32) -> Mesh {
    let (rows, columns) = (10u32, 20u32);
    let point = |(i, j): (u32, u32)| {
        let (around, down) = (j as f32 / columns as f32 * TAU, i as f32 / rows as f32 * TAU / 2.0);
        Vec3::new(down.sin() * around.cos(), down.cos(), down.sin() * around.sin()) * radius
    };
    let at = |i: u32, j: u32| columns * i + j % columns;
    let corners = (0..=rows).flat_map(|i| (0..columns).map(move |j| (i, j)));
    let quads = (0..rows).flat_map(|i| (0..columns).map(move |j| (i, j)));
    let halves =
        |(i, j)| [[at(i, j), at(i, j + 1), at(i + 1, j)], [at(i, j + 1), at(i + 1, j + 1), at(i + 1, j)]];
    Mesh::new(corners.map(point).collect(), quads.flat_map(halves).collect()).unwrap()
}
