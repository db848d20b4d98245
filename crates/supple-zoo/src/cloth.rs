//! Cloth that moves like cloth without a simulation, as positions of vertices: sheets carried by a few travelling waves, shortened
//! where they bulge so that lengths are nearly kept.
//!
//! In: which cloth, and how fine. Out: a mesh spread out, and the positions of its vertices in every frame. No joints and no fields:
//! this is what a simulation would give, and what skins are fitted to. Unlike the animals these sheets are open.

use std::f32::consts::TAU;

use glam::{Quat, Vec2, Vec3};
use supple::mesh::vertex_normals;
use supple::{Mesh, ModelError};

use crate::ZooError;

/// Which piece of cloth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cloth {
    /// Held at one side, waves run along it.
    Flag,
    /// Hangs from above, folds sway.
    Curtain,
    /// A cone about a body that walks and turns.
    Skirt,
    /// A sheet that falls over a sphere.
    Drape,
}

impl Cloth {
    /// All pieces.
    pub const ALL: [Self; 4] = [Self::Flag, Self::Curtain, Self::Skirt, Self::Drape];

    /// What it is called.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Flag => "flag",
            Self::Curtain => "curtain",
            Self::Skirt => "skirt",
            Self::Drape => "drape",
        }
    }
}

/// As many positions, over all frames, as [`sequence`] makes at most: a gigabyte.
pub const MAX_POSITIONS: usize = 100_000_000;

/// A mesh of `columns * rows` vertices at rest, with normals, and the positions of its vertices in that many frames.
///
/// ```
/// use supple_zoo::cloth::{Cloth, sequence};
///
/// let (rest, frames) = sequence(Cloth::Flag, 30, 20, 24)?;
/// assert_eq!((rest.positions().len(), rest.triangles().len()), (600, 2 * 29 * 19));
/// assert!(frames.len() == 24 && frames.iter().all(|positions| positions.len() == 600));
/// # Ok::<(), supple_zoo::ZooError>(())
/// ```
///
/// # Errors
/// Fewer than two columns or rows, no frame, more than [`MAX_POSITIONS`].
pub fn sequence(
    cloth: Cloth,
    columns: usize,
    rows: usize,
    frames: usize,
) -> Result<(Mesh, Vec<Vec<Vec3>>), ZooError> {
    let size = columns.checked_mul(rows).and_then(|vertices| vertices.checked_mul(frames));
    if columns < 2 || rows < 2 || frames == 0 || size.is_none_or(|size| size > MAX_POSITIONS) {
        return Err(ZooError::BadCloth { columns, rows, frames });
    }
    let closed = cloth == Cloth::Skirt;
    let u = |v: usize| {
        let across = (v % columns) as f32 / (columns - usize::from(!closed)) as f32;
        Vec2::new(across, (v / columns) as f32 / (rows - 1) as f32)
    };
    let positions =
        |t: Option<f32>| (0..columns * rows).map(|v| point(cloth, u(v), t)).collect::<Vec<Vec3>>();
    let (rest, triangles) = (positions(None), grid(columns as u32, rows as u32, closed));
    let normals = vertex_normals(&rest, &triangles);
    let mesh =
        Mesh::new(rest, triangles).and_then(|mesh| mesh.with_normals(normals)).map_err(ModelError::from)?;
    Ok((mesh, (0..frames).map(|f| positions(Some(f as f32 / frames as f32))).collect()))
}

/// Two triangles per cell; around if the last column is next to the first.
fn grid(columns: u32, rows: u32, closed: bool) -> Vec<[u32; 3]> {
    let mut triangles = Vec::new();
    for row in 0..rows - 1 {
        for column in 0..columns - u32::from(!closed) {
            let next = (column + 1) % columns;
            let at = |c: u32, r: u32| r * columns + c;
            triangles.push([at(column, row), at(next, row), at(next, row + 1)]);
            triangles.push([at(column, row), at(next, row + 1), at(column, row + 1)]);
        }
    }
    triangles
}

/// A point of the cloth at a time from 0 to 1, or at rest.
fn point(cloth: Cloth, u: Vec2, time: Option<f32>) -> Vec3 {
    let (x, y) = (u.x, u.y);
    match (cloth, time) {
        (Cloth::Flag, None) => Vec3::new(1.5 * x, y, 0.0),
        (Cloth::Curtain, None) => Vec3::new(2.0 * x, -1.6 * y, 0.0),
        (Cloth::Skirt, None) => cone(x, y, 0.0),
        (Cloth::Drape, None) => Vec3::new(2.0 * x - 1.0, 0.6, 2.0 * y - 1.0),
        (Cloth::Flag, Some(t)) => flag(x, y, t),
        (Cloth::Curtain, Some(t)) => curtain(x, y, t),
        (Cloth::Skirt, Some(t)) => skirt(x, y, t),
        (Cloth::Drape, Some(t)) => drape(Vec2::new(2.0 * x - 1.0, 2.0 * y - 1.0), t),
    }
}

fn flag(x: f32, y: f32, t: f32) -> Vec3 {
    let heading = |x: f32| {
        let wave = 0.75 * (0.3 + 0.7 * x) * (TAU * (1.3 * x - 2.0 * t + 0.1 * y)).cos();
        wave + 0.15 * x * (TAU * (2.3 * x - 3.0 * t) + 0.5 * y).cos()
    };
    let way = carried(1.5, x, heading);
    let sag = 0.12 * x * x * (1.0 + 0.3 * (TAU * t).sin());
    Vec3::new(way.x, y - sag, way.y)
}

/// The more it is drawn, the deeper its folds; they sway, more below.
fn curtain(x: f32, y: f32, t: f32) -> Vec3 {
    let depth = 0.55 - 0.3 * (TAU * t).cos();
    let heading = |x: f32| depth * (TAU * 2.5 * x + 0.4 * (TAU * t).sin() * y).cos();
    let way = carried(2.0, x, heading);
    let sway = 0.15 * y * y * (TAU * (t - 0.3 * y + 0.1 * x)).sin();
    Vec3::new(way.x, -1.6 * y - 0.3 * sway * sway, way.y + sway)
}

fn skirt(x: f32, y: f32, t: f32) -> Vec3 {
    let angle = TAU * x;
    let swing = 0.10 * y * y * (angle - TAU * 2.0 * t).sin() + 0.05 * y * (3.0 * angle + TAU * t).sin();
    let lift = 0.06 * y * y * (2.0 * angle + TAU * 2.0 * t).cos();
    let turn = Quat::from_rotation_y(0.8 * (TAU * t).sin() + 0.3 * y * (TAU * t).cos());
    turn * (cone(x, y, swing) + Vec3::Y * lift) + Vec3::new(0.0, 0.04 * (2.0 * TAU * t).sin(), 1.5 * t)
}

/// What is beyond the sphere's top hangs down, more and more, in folds: over a sphere of growing curvature, and straight below its side.
fn drape(flat: Vec2, t: f32) -> Vec3 {
    /// Of the sphere in the end.
    const RADIUS: f32 = 0.5;
    /// The angle from the top beyond which the cloth hangs straight.
    const SIDE: f32 = 1.4;
    let from_top = flat.length();
    // Not quite flat in the beginning: a sphere of no curvature has no center.
    let fall = (t / 0.8).clamp(1e-3, 1.0);
    let radius = RADIUS / fall;
    let (sin, cos) = (from_top / radius).min(SIDE).sin_cos();
    let hanging = (from_top - radius * SIDE).max(0.0);
    let (side_sin, side_cos) = SIDE.sin_cos();
    let (out, drop) = (radius * sin + hanging * side_cos, radius * (1.0 - cos) + hanging * side_sin);
    let folds = 1.0 + 0.08 * fall * from_top * (5.0 * flat.y.atan2(flat.x) + t).sin();
    let way = flat.normalize_or_zero() * out * folds;
    Vec3::new(way.x, 0.6 - 0.1 * fall - drop, way.y)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_keep_their_length_more_or_less() {
        for cloth in Cloth::ALL {
            let (rest, frames) = sequence(cloth, 24, 20, 12).unwrap();
            let length = |positions: &[Vec3]| -> f32 {
                let edge = |&[a, b, _]: &[u32; 3]| positions[a as usize].distance(positions[b as usize]);
                rest.triangles().iter().map(edge).sum()
            };
            for positions in &frames {
                assert!(positions.iter().all(|p| p.is_finite()));
                let change = length(positions) / length(rest.positions());
                assert!((0.8..1.25).contains(&change), "{}: {change}", cloth.name());
            }
            assert!(frames.iter().any(|positions| positions != &frames[0]), "{} moves", cloth.name());
        }
    }

    #[test]
    fn what_is_no_sheet_is_refused() {
        for [columns, rows, frames] in
            [[1, 2, 1], [2, 1, 1], [2, 2, 0], [usize::MAX, 2, 1], [10_000, 10_001, 1]]
        {
            let error = sequence(Cloth::Flag, columns, rows, frames).unwrap_err();
            assert_eq!(error, ZooError::BadCloth { columns, rows, frames });
        }
    }
}
