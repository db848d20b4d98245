//! The curtain at rest: two grids over the same x and y, and a round hem between them.
//!
//! Out: positions and triangles. With c columns and r rows of cells per side there are `4 c r + 8 (c + r)` triangles. The hem has
//! a line of vertices of its own, whose normals point away from the sheet.

use std::f32::consts::TAU;

use glam::Vec3;

pub(super) const HALF_WIDTH: f32 = 1.2;
pub(super) const HEIGHT: f32 = 2.2;

/// Cells: 11,984 triangles, nine columns per fold.
const COLUMNS: usize = 73;
const ROWS: usize = 38;
const FOLDS: f32 = 8.0;
const HALF_THICKNESS: f32 = 0.002;

pub(super) fn sheet() -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let point = |row: usize, column: usize| {
        let x = HALF_WIDTH * (2.0 * column as f32 / COLUMNS as f32 - 1.0);
        let y = HEIGHT * (1.0 - row as f32 / ROWS as f32);
        Vec3::new(x, y, fold(x, y))
    };
    let mut positions = Vec::new();
    for side in [HALF_THICKNESS, -HALF_THICKNESS] {
        let vertices = (0..=ROWS).flat_map(|row| (0..=COLUMNS).map(move |column| (row, column)));
        positions.extend(vertices.map(|(row, column)| point(row, column) + Vec3::Z * side));
    }
    let front = |(row, column): (usize, usize)| (row * (COLUMNS + 1) + column) as u32;
    let back = |knot: (usize, usize)| front(knot) + front((ROWS + 1, 0));
    let mut triangles = Vec::new();
    let mut quad = |[a, b, c, d]: [u32; 4]| triangles.extend([[a, b, c], [a, c, d]]);
    for (row, column) in (0..ROWS).flat_map(|row| (0..COLUMNS).map(move |column| (row, column))) {
        // Rows go down, columns to the right, seen from the front.
        let corners = [(row, column), (row + 1, column), (row + 1, column + 1), (row, column + 1)];
        quad(corners.map(front));
        let [a, b, c, d] = corners.map(back);
        quad([a, d, c, b]);
    }
    let edge = edge();
    let first = positions.len();
    for (i, &knot) in edge.iter().enumerate() {
        let next = (i + 1) % edge.len();
        let [hem, next_hem] = [i, next].map(|i| (first + i) as u32);
        quad([front(knot), hem, next_hem, front(edge[next])]);
        quad([hem, back(knot), back(edge[next]), next_hem]);
        positions.push(point(knot.0, knot.1) + outwards(knot) * HALF_THICKNESS);
    }
    (positions, triangles)
}

/// Rows and columns once around the sheet: down the left edge, along the lower one, up and back.
fn edge() -> Vec<(usize, usize)> {
    let down = (0..ROWS).map(|row| (row, 0));
    let right = (0..COLUMNS).map(|column| (ROWS, column));
    let up = (1..=ROWS).rev().map(|row| (row, COLUMNS));
    let left = (1..=COLUMNS).rev().map(|column| (0, column));
    down.chain(right).chain(up).chain(left).collect()
}

/// Away from the sheet at a vertex of its edge.
fn outwards((row, column): (usize, usize)) -> Vec3 {
    let sign = |index: usize, last: usize| match index {
        0 => -1.0,
        _ if index == last => 1.0,
        _ => 0.0,
    };
    Vec3::new(sign(column, COLUMNS), -sign(row, ROWS), 0.0)
}

/// Pleats: tight at the rod, wider and softer below, not all alike.
pub(super) fn fold(x: f32, y: f32) -> f32 {
    let down = 1.0 - y / HEIGHT;
    let turns = 0.5 * FOLDS * x / HALF_WIDTH;
    let wander = 0.35 * down * (TAU * (0.31 * turns + 0.2)).sin();
    (0.028 + 0.022 * down) * (TAU * turns + wander).sin() + 0.008 * down * (TAU * 0.5 * turns).cos()
}
