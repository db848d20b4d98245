//! Which samples of the picture a triangle covers.
//!
//! In come three corners in pixels, out goes every covered sample with its barycentric coordinates. What must
//! hold: samples on an edge that two triangles share belong to exactly one of them, so a closed surface has
//! no holes and no sample is drawn twice. Corners are rounded to 1/256 pixel and the edge functions are
//! integers, hence exact.
//!
//! Each pixel has four samples on a rotated grid, in eighths of a pixel at (3,1) (7,3) (1,5) (5,7): an edge
//! that is nearly level or nearly upright still meets four different heights, where a 2x2 grid has only two.
//! They are stored as a grid twice as wide and high as the picture; sample (column, row) lies at
//!
//! ```text
//! x = 4 column + (3 if row is even, else 1)      y = 4 row + (1 if column is even, else 3)      [1/8 pixel]
//! ```
//!
//! Based on: Pineda, A Parallel Algorithm for Polygon Rasterization, 1988.

use std::ops::Range;

use glam::Vec2;

/// Samples per pixel in each direction of the stored grid.
pub(crate) const SAMPLES: usize = 2;

/// One covered sample.
pub(crate) struct Fragment {
    pub column: usize,
    pub row: usize,
    /// Barycentric coordinates for the three corners in the order given.
    pub weights: [f32; 3],
}

/// Where a sample lies, in pixels.
pub(crate) fn sample_position(column: usize, row: usize) -> Vec2 {
    let [x, y] = sample_eighths(column as i64, row as i64);
    Vec2::new(x as f32, y as f32) / 8.0
}

/// The rows or columns of pixels that touch the space between two coordinates, within a picture of `pixels`.
pub(crate) fn pixel_range(low: f32, high: f32, pixels: usize) -> Range<usize> {
    let last = pixels as f32;
    // Whole numbers by conversion: without SSE 4.1 `floor`, `ceil` and `round` are calls, which small triangles feel.
    let (low, high) = (low.clamp(0.0, last), high.clamp(0.0, last));
    let below_high = high as usize;
    low as usize..below_high + usize::from((below_high as f32) < high)
}

/// Calls `emit` for every sample inside the triangle; the samples of a pixel follow each other.
/// `size` is in pixels.
///
/// Either orientation is covered; triangles without area or with absurd corners cover nothing.
pub(crate) fn cover_triangle(corners: [Vec2; 3], size: (usize, usize), mut emit: impl FnMut(Fragment)) {
    let Some(walk) = Walk::new(corners, size) else { return };
    walk.pixels(0..size.1, |x, y, values, inside| {
        for sample in 0..SAMPLES * SAMPLES {
            if inside >> sample & 1 == 1 {
                let weights = walk.weights(values, sample);
                let (column, row) = (x * SAMPLES + sample % SAMPLES, y * SAMPLES + sample / SAMPLES);
                emit(Fragment { column, row, weights });
            }
        }
    });
}

/// A triangle that is to be walked over, pixel by pixel.
pub(crate) struct Walk {
    edges: [Edge; 3],
    inverse_area: f32,
    columns: Range<usize>,
    rows: Range<usize>,
}

/// All samples of a pixel, as bits.
pub(crate) const ALL_SAMPLES: u32 = (1 << (SAMPLES * SAMPLES)) - 1;

impl Walk {
    /// Nothing for triangles that cover nothing.
    pub fn new(corners: [Vec2; 3], size: (usize, usize)) -> Option<Self> {
        let [a, b, c] = snapped(corners)?;
        // Small triangles often fall between the samples.
        let misses = |axis: usize| {
            let (low, high) = (a[axis].min(b[axis]).min(c[axis]), a[axis].max(b[axis]).max(c[axis]));
            let (last, first) = (high - FIRST_SAMPLE, low - FIRST_SAMPLE + (1 << SAMPLE_SHIFT) - 1);
            last >> SAMPLE_SHIFT < first >> SAMPLE_SHIFT
        };
        if misses(0) || misses(1) {
            return None;
        }
        let area = edge_function(a, b, c);
        if area == 0 {
            return None;
        }
        let (low, high) =
            (corners[0].min(corners[1]).min(corners[2]), corners[0].max(corners[1]).max(corners[2]));
        let orientation = area.signum();
        // A snapped corner is at most 1/512 pixel off; widen by that before rounding to whole pixels.
        Some(Self {
            edges: [Edge::new(b, c, orientation), Edge::new(c, a, orientation), Edge::new(a, b, orientation)],
            inverse_area: 1.0 / area.abs() as f32,
            columns: pixel_range(low.x - 0.01, high.x + 0.01, size.0),
            rows: pixel_range(low.y - 0.01, high.y + 0.01, size.1),
        })
    }

    /// Calls `emit` for every pixel in these rows that has samples inside: its column and row, its values, and the samples as bits.
    #[inline]
    pub fn pixels(&self, rows: Range<usize>, mut emit: impl FnMut(usize, usize, [i64; 3], u32)) {
        let [a, b, c] = &self.edges;
        for y in self.rows.start.max(rows.start)..self.rows.end.min(rows.end) {
            let columns = self.columns_of_row(y);
            let mut values = [a.at(columns.start, y), b.at(columns.start, y), c.at(columns.start, y)];
            for x in columns {
                let [at_a, at_b, at_c] = values;
                if is_inside(at_a + a.farthest, at_b + b.farthest, at_c + c.farthest) {
                    let mut inside = ALL_SAMPLES;
                    if !is_inside(at_a + a.nearest, at_b + b.nearest, at_c + c.nearest) {
                        let at = |i: usize| {
                            is_inside(at_a + a.offsets[i], at_b + b.offsets[i], at_c + c.offsets[i])
                        };
                        inside = (0..SAMPLES * SAMPLES).fold(0, |bits, i| bits | u32::from(at(i)) << i);
                    }
                    emit(x, y, values, inside);
                }
                values = [at_a + a.step, at_b + b.step, at_c + c.step];
            }
        }
    }

    /// Barycentric coordinates of a sample for the three corners in the order given.
    pub fn weights(&self, values: [i64; 3], sample: usize) -> [f32; 3] {
        let weight = |side: usize| {
            let edge = &self.edges[side];
            (values[side] + edge.offsets[sample] + edge.least) as f32 * self.inverse_area
        };
        [weight(0), weight(1), weight(2)]
    }

    /// A quantity that is linear over the picture, from its values at the three corners.
    pub fn linear(&self, at_corners: [f32; 3]) -> Linear {
        let slope = |side: usize| (at_corners[side] - at_corners[0]) * self.inverse_area;
        let (slope_b, slope_c) = (slope(1), slope(2));
        let [_, b, c] = &self.edges;
        let offset = |sample: usize| {
            (b.offsets[sample] + b.least) as f32 * slope_b + (c.offsets[sample] + c.least) as f32 * slope_c
        };
        let offsets = [offset(0), offset(1), offset(2), offset(3)];
        Linear { start: at_corners[0], slopes: [slope_b, slope_c], offsets }
    }

    /// Columns whose pixels may have samples inside. Narrow triangles are not worth the divisions.
    fn columns_of_row(&self, y: usize) -> Range<usize> {
        let Range { mut start, mut end } = self.columns.clone();
        if end - start < WIDE {
            return start..end;
        }
        let (first, wide) = (start, (end - start) as i64);
        for edge in &self.edges {
            // Inside where value + step * (x - first) >= 0.
            let value = edge.at(first, y) + edge.farthest;
            if edge.step > 0 && value < 0 {
                start = start.max(first + (-value / edge.step).min(wide) as usize);
            } else if edge.step < 0 {
                let pixels = if value < 0 { 0 } else { (value / -edge.step + 1).min(wide) };
                end = end.min(first + pixels as usize);
            }
        }
        start..end.max(start)
    }
}

/// A quantity that is linear over the picture.
pub(crate) struct Linear {
    start: f32,
    slopes: [f32; 2],
    offsets: [f32; SAMPLES * SAMPLES],
}

impl Linear {
    /// At the samples of a pixel with these values.
    pub fn at(&self, values: [i64; 3]) -> [f32; SAMPLES * SAMPLES] {
        let first = self.start + values[1] as f32 * self.slopes[0] + values[2] as f32 * self.slopes[1];
        let [a, b, c, d] = self.offsets;
        [first + a, first + b, first + c, first + d]
    }
}

/// Pixels in a row from which on the columns inside are computed instead of searched.
const WIDE: usize = 12;

/// Whether the corners run counter-clockwise for somebody who looks at the picture.
pub(crate) fn faces_viewer(corners: [Vec2; 3]) -> bool {
    snapped(corners).is_some_and(|[a, b, c]| edge_function(a, b, c) < 0)
}

/// Units per pixel to which corners are rounded; a multiple of 8, so that samples lie on whole units.
const GRID: i64 = 256;

/// Units from a pixel's border to its first sample in each direction, and the binary logarithm of those to the next: a quarter of a pixel.
const FIRST_SAMPLE: i64 = GRID / 8;
const SAMPLE_SHIFT: u32 = (GRID / 4).ilog2();

/// Corners beyond this many pixels are not drawn; keeps the edge functions within 2^57.
const FARTHEST: f32 = (1 << 19) as f32;

/// A side of a triangle. Its values are linear over the picture, and a sample is inside when all three are >=
/// 0.
struct Edge {
    start: [i64; 2],
    delta: [i64; 2],
    /// Subtracted from all values, so that ties fail: 0 for a top or left edge, 1 for the others.
    least: i64,
    /// How the value changes from one pixel to the next on the right.
    step: i64,
    /// From the pixel's top left corner to each of its samples, and the largest and the smallest of these.
    offsets: [i64; SAMPLES * SAMPLES],
    farthest: i64,
    nearest: i64,
}

impl Edge {
    /// An edge of a triangle with the given orientation; values inside are positive.
    fn new(a: [i64; 2], b: [i64; 2], orientation: i64) -> Self {
        let delta = [(b[0] - a[0]) * orientation, (b[1] - a[1]) * orientation];
        // With y down and the inside at positive values, a top edge runs to +x and a left edge runs to -y.
        let owns_its_samples = delta[1] < 0 || (delta[1] == 0 && delta[0] > 0);
        let offset = |sample: i64| {
            let [x, y] = sample_eighths(sample % 2, sample / 2);
            (delta[0] * y - delta[1] * x) * (GRID / 8)
        };
        let offsets = [offset(0), offset(1), offset(2), offset(3)];
        Self {
            start: a,
            delta,
            least: i64::from(!owns_its_samples),
            step: -delta[1] * GRID,
            offsets,
            farthest: offsets[0].max(offsets[1]).max(offsets[2]).max(offsets[3]),
            nearest: offsets[0].min(offsets[1]).min(offsets[2]).min(offsets[3]),
        }
    }

    /// The value at the top left corner of a pixel.
    fn at(&self, x: usize, y: usize) -> i64 {
        let (x, y) = (x as i64 * GRID - self.start[0], y as i64 * GRID - self.start[1]);
        self.delta[0] * y - self.delta[1] * x - self.least
    }
}

/// Whether no value is negative, by one test: the sign bits are joined.
fn is_inside(a: i64, b: i64, c: i64) -> bool {
    a | b | c >= 0
}

fn sample_eighths(column: i64, row: i64) -> [i64; 2] {
    [4 * column + 3 - 2 * (row & 1), 4 * row + 1 + 2 * (column & 1)]
}

fn snapped(corners: [Vec2; 3]) -> Option<[[i64; 2]; 3]> {
    // Not "beyond": a NaN must fail the test too.
    let is_drawable = |corner: Vec2| corner.x.abs() <= FARTHEST && corner.y.abs() <= FARTHEST;
    let [a, b, c] = corners;
    let whole = |corner: Vec2| [nearest_whole(corner.x * GRID as f32), nearest_whole(corner.y * GRID as f32)];
    (is_drawable(a) && is_drawable(b) && is_drawable(c)).then(|| [whole(a), whole(b), whole(c)])
}

/// Rounds to the nearest, ties away from zero. The difference is exact.
fn nearest_whole(x: f32) -> i64 {
    let towards_zero = x as i64;
    let rest = x - towards_zero as f32;
    towards_zero + i64::from(rest >= 0.5) - i64::from(rest <= -0.5)
}

/// Twice the signed area of a, b, c; positive when they run clockwise as seen (y is down).
fn edge_function(a: [i64; 2], b: [i64; 2], c: [i64; 2]) -> i64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: (usize, usize) = (40, 30);

    /// How often each sample is covered by a set of triangles.
    fn counts(triangles: impl IntoIterator<Item = [Vec2; 3]>) -> Vec<u32> {
        let mut counts = vec![0; SIZE.0 * SIZE.1 * 4];
        for corners in triangles {
            cover_triangle(corners, SIZE, |hit| counts[hit.row * SIZE.0 * 2 + hit.column] += 1);
        }
        counts
    }

    /// A grid of corners over the whole picture, both triangle orders and both diagonals, corners moved by
    /// `shift`.
    fn quilt(cells: usize, shift: impl Fn(usize, usize) -> Vec2) -> Vec<[Vec2; 3]> {
        let corner = |i: usize, j: usize| {
            let even = Vec2::new((SIZE.0 * i) as f32 / cells as f32, (SIZE.1 * j) as f32 / cells as f32);
            let is_inner = i > 0 && j > 0 && i < cells && j < cells;
            if is_inner { even + shift(i, j) } else { even }
        };
        let mut triangles = Vec::new();
        for i in 0..cells {
            for j in 0..cells {
                let [a, b, c, d] = [corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)];
                triangles.extend(match (i + j) % 3 {
                    0 => [[a, b, c], [a, c, d]],
                    1 => [[b, a, d], [b, c, d]],
                    _ => [[c, b, a], [d, a, c]],
                });
            }
        }
        triangles
    }

    #[test]
    fn a_subdivided_quad_covers_every_sample_exactly_once() {
        for cells in [1, 2, 7, 20, 40, 97] {
            assert!(counts(quilt(cells, |_, _| Vec2::ZERO)).iter().all(|&count| count == 1));
            let wobble = |i: usize, j: usize| {
                Vec2::new((i * 7 + j * 3) as f32, (i * 5 + j * 11) as f32).map(|x| (x % 13.0) / 13.0) * 6.0
                    / cells as f32
            };
            assert!(counts(quilt(cells, wobble)).iter().all(|&count| count == 1));
        }
    }

    #[test]
    fn edges_through_the_samples_are_drawn_once() {
        // Corners on the samples themselves: all three kinds of tie occur.
        let [a, b, c, d] = [(10, 10), (31, 10), (30, 41), (11, 41)].map(|(x, y)| sample_position(x, y));
        let whole = counts([[a, b, c], [a, c, d]]);
        assert_eq!(whole.iter().copied().max(), Some(1));
        let middle = sample_position(20, 24);
        let fan = counts([[a, b, middle], [b, c, middle], [c, d, middle], [d, a, middle]]);
        assert_eq!(whole, fan);
    }

    #[test]
    fn weights_sum_to_one_and_give_back_the_position() {
        let corners = [Vec2::new(3.0, 2.0), Vec2::new(33.0, 9.0), Vec2::new(12.0, 28.0)];
        let mut hits = 0;
        cover_triangle(corners, SIZE, |hit| {
            let position: Vec2 = (0..3).map(|i| corners[i] * hit.weights[i]).sum();
            assert!((position - sample_position(hit.column, hit.row)).length() < 1e-3);
            hits += 1;
        });
        let area = (corners[1] - corners[0]).perp_dot(corners[2] - corners[0]) / 2.0;
        assert!((hits as f32 / 4.0 - area).abs() < 4.0);
    }

    #[test]
    fn absurd_corners_cover_nothing() {
        for bad in [f32::NAN, f32::INFINITY, 1e30] {
            let corners = [Vec2::ZERO, Vec2::new(bad, 3.0), Vec2::new(0.0, 9.0)];
            assert_eq!(counts([corners]).iter().sum::<u32>(), 0);
        }
    }
}
