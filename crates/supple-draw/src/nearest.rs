//! The nearest triangle at every sample of some rows of a picture.
//!
//! In come projected triangles, out goes for each sample the number of the nearest one and its depth key, and no colour: that is
//! found once, when it is known what is seen. A picture is made of few rows at a time, so that they stay in the processor's cache.
//! What must hold: the first of equally near triangles stays.

use std::ops::Range;

use crate::raster::{ALL_SAMPLES, SAMPLES, Walk};

/// The samples of a pixel.
pub(crate) const PER_PIXEL: usize = SAMPLES * SAMPLES;

/// The number of no triangle.
pub(crate) const NOTHING: u32 = u32::MAX;

/// What is seen in a pixel, sample by sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Seen {
    /// Larger is nearer; minus infinity where nothing is.
    pub keys: [f32; PER_PIXEL],
    pub triangles: [u32; PER_PIXEL],
}

impl Seen {
    const EMPTY: Self = Self { keys: [f32::NEG_INFINITY; PER_PIXEL], triangles: [NOTHING; PER_PIXEL] };

    pub fn is_empty(&self) -> bool {
        self.triangles == [NOTHING; PER_PIXEL]
    }
}

/// Rows of pixels.
#[derive(Clone, Debug)]
pub(crate) struct Nearest {
    width: usize,
    rows: Range<usize>,
    pixels: Vec<Seen>,
}

impl Nearest {
    pub fn new(width: usize) -> Self {
        Self { width, rows: 0..0, pixels: Vec::new() }
    }

    pub fn width(&self) -> usize {
        self.width
    }

    /// Empties it, for other rows.
    pub fn start(&mut self, rows: Range<usize>) {
        self.pixels.clear();
        self.pixels.resize(rows.len() * self.width, Seen::EMPTY);
        self.rows = rows;
    }

    /// Draws what is in the rows of a triangle with depth keys at its corners.
    pub fn draw(&mut self, triangle: u32, walk: &Walk, keys: [f32; 3]) {
        let depth = walk.linear(keys);
        let (first, width) = (self.rows.start, self.width);
        // A little above all, as sums are rounded.
        let nearest = keys[0].max(keys[1]).max(keys[2]);
        let nearest = nearest + 1e-5 * nearest.abs();
        walk.pixels(self.rows.clone(), |x, y, values, inside| {
            let seen = &mut self.pixels[(y - first) * width + x];
            let [a, b, c, d] = seen.keys;
            if (nearest < a) & (nearest < b) & (nearest < c) & (nearest < d) {
                return;
            }
            let keys = depth.at(values);
            if inside == ALL_SAMPLES {
                // Without branches, so that the processor does all at once.
                for sample in 0..PER_PIXEL {
                    let is_nearer = keys[sample] > seen.keys[sample];
                    seen.keys[sample] = if is_nearer { keys[sample] } else { seen.keys[sample] };
                    seen.triangles[sample] = if is_nearer { triangle } else { seen.triangles[sample] };
                }
                return;
            }
            for sample in 0..PER_PIXEL {
                if inside >> sample & 1 == 1 && keys[sample] > seen.keys[sample] {
                    (seen.keys[sample], seen.triangles[sample]) = (keys[sample], triangle);
                }
            }
        });
    }

    /// A pixel of these rows.
    pub fn at(&self, x: usize, y: usize) -> &Seen {
        &self.pixels[(y - self.rows.start) * self.width + x]
    }
}
