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
    /// Distance in pixels to the edge opposite of each corner.
    pub edge_distances: [f32; 3],
}

/// Where a sample lies, in pixels.
pub(crate) fn sample_position(column: usize, row: usize) -> Vec2 {
    let [x, y] = sample_eighths(column as i64, row as i64);
    Vec2::new(x as f32, y as f32) / 8.0
}

/// The rows or columns of pixels that touch the space between two coordinates, within a picture of `pixels`.
pub(crate) fn pixel_range(low: f32, high: f32, pixels: usize) -> Range<usize> {
    let last = pixels as f32;
    low.clamp(0.0, last).floor() as usize..high.clamp(0.0, last).ceil() as usize
}

/// Calls `emit` for every sample inside the triangle; the samples of a pixel follow each other.
/// `size` is in pixels.
///
/// Either orientation is covered; triangles without area or with absurd corners cover nothing.
pub(crate) fn cover_triangle(corners: [Vec2; 3], size: (usize, usize), mut emit: impl FnMut(Fragment)) {
    let Some(points) = snapped(corners) else {
        return;
    };
    let area = edge_function(points[0], points[1], points[2]);
    if area == 0 {
        return;
    }
    let edges = [[1, 2], [2, 0], [0, 1]].map(|[a, b]| Edge::new(points[a], points[b], area.signum()));
    let inverse_area = 1.0 / area.abs() as f32;
    let fragment = |x: usize, y: usize, sample: usize, values: [i64; 3]| {
        let exact = [0, 1, 2].map(|side| (values[side] + edges[side].least) as f32);
        Fragment {
            column: x * SAMPLES + sample % SAMPLES,
            row: y * SAMPLES + sample / SAMPLES,
            weights: exact.map(|value| value * inverse_area),
            edge_distances: [0, 1, 2].map(|side| exact[side] * edges[side].pixels_per_value),
        }
    };
    let (low, high) =
        (corners[0].min(corners[1]).min(corners[2]), corners[0].max(corners[1]).max(corners[2]));
    // A snapped corner is at most 1/512 pixel off; widen by that before rounding to whole pixels.
    let columns = pixel_range(low.x - 0.01, high.x + 0.01, size.0);
    for y in pixel_range(low.y - 0.01, high.y + 0.01, size.1) {
        let mut values = edges.each_ref().map(|edge| edge.at(columns.start, y));
        for x in columns.clone() {
            let best = [0, 1, 2].map(|side| values[side] + edges[side].farthest);
            if is_inside(best) {
                for sample in 0..SAMPLES * SAMPLES {
                    let at_sample = [0, 1, 2].map(|side| values[side] + edges[side].offsets[sample]);
                    if is_inside(at_sample) {
                        emit(fragment(x, y, sample, at_sample));
                    }
                }
            }
            values = [0, 1, 2].map(|side| values[side] + edges[side].step);
        }
    }
}

/// Whether the corners run counter-clockwise for somebody who looks at the picture.
pub(crate) fn faces_viewer(corners: [Vec2; 3]) -> bool {
    snapped(corners).is_some_and(|[a, b, c]| edge_function(a, b, c) < 0)
}

/// Units per pixel to which corners are rounded; a multiple of 8, so that samples lie on whole units.
const GRID: i64 = 256;

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
    /// From the pixel's top left corner to each of its samples, and the largest of these.
    offsets: [i64; SAMPLES * SAMPLES],
    farthest: i64,
    pixels_per_value: f32,
}

impl Edge {
    /// An edge of a triangle with the given orientation; values inside are positive.
    fn new(a: [i64; 2], b: [i64; 2], orientation: i64) -> Self {
        let delta = [(b[0] - a[0]) * orientation, (b[1] - a[1]) * orientation];
        // With y down and the inside at positive values, a top edge runs to +x and a left edge runs to -y.
        let owns_its_samples = delta[1] < 0 || (delta[1] == 0 && delta[0] > 0);
        let length = (delta[0] as f32).hypot(delta[1] as f32);
        let offsets = [0, 1, 2, 3].map(|sample| {
            let [x, y] = sample_eighths(sample % 2, sample / 2).map(|eighths| eighths * (GRID / 8));
            delta[0] * y - delta[1] * x
        });
        Self {
            start: a,
            delta,
            least: i64::from(!owns_its_samples),
            step: -delta[1] * GRID,
            offsets,
            farthest: offsets.into_iter().fold(i64::MIN, i64::max),
            pixels_per_value: 1.0 / (length * GRID as f32),
        }
    }

    /// The value at the top left corner of a pixel.
    fn at(&self, x: usize, y: usize) -> i64 {
        let (x, y) = (x as i64 * GRID - self.start[0], y as i64 * GRID - self.start[1]);
        self.delta[0] * y - self.delta[1] * x - self.least
    }
}

/// Whether no value is negative, by one test: the sign bits are joined.
fn is_inside(values: [i64; 3]) -> bool {
    values[0] | values[1] | values[2] >= 0
}

fn sample_eighths(column: i64, row: i64) -> [i64; 2] {
    [4 * column + 3 - 2 * (row & 1), 4 * row + 1 + 2 * (column & 1)]
}

fn snapped(corners: [Vec2; 3]) -> Option<[[i64; 2]; 3]> {
    // Not "any beyond": a NaN must fail the test too.
    let drawable = corners.iter().all(|corner| corner.abs().max_element() <= FARTHEST && !corner.is_nan());
    drawable.then(|| {
        corners.map(|corner| {
            let units = (corner * GRID as f32).round();
            [units.x as i64, units.y as i64]
        })
    })
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
