//! The picture: linear colours and depth keys on a grid of samples, averaged to pixels when it is read.
//!
//! In come samples from the drawing modules, other canvases to paste, out go pixels. What must hold: both
//! buffers hold `SAMPLES * width` times `SAMPLES * height` samples; a depth key of minus infinity means
//! background.

use glam::{Vec2, Vec3};

use crate::camera::Camera;
use crate::colour::Colour;
use crate::error::DrawError;
use crate::raster::SAMPLES;
use crate::view::View;

/// A picture to draw on, with depth and antialiasing.
#[derive(Clone, Debug)]
pub struct Canvas {
    width: usize,
    height: usize,
    colours: Vec<Vec3>,
    keys: Vec<f32>,
}

impl Canvas {
    /// An empty picture of `width` times `height` pixels, light grey with a soft gradient.
    pub fn new(width: u32, height: u32) -> Result<Self, DrawError> {
        Self::with_background(width, height, Colour::hex(0xf7f8fa), Colour::hex(0xdfe2e7))
    }

    /// An empty picture whose background runs from the colour `top` to `bottom`.
    pub fn with_background(width: u32, height: u32, top: Colour, bottom: Colour) -> Result<Self, DrawError> {
        check_size(width, height)?;
        let (width, height) = (width as usize, height as usize);
        let (columns, rows) = (width * SAMPLES, height * SAMPLES);
        let mut colours = Vec::with_capacity(columns * rows);
        for row in 0..rows {
            let share = (row / SAMPLES) as f32 / (height - 1).max(1) as f32;
            let colour = top.to_linear().lerp(bottom.to_linear(), share);
            colours.resize(colours.len() + columns, colour);
        }
        Ok(Self { width, height, colours, keys: vec![f32::NEG_INFINITY; columns * rows] })
    }

    /// Pixels from left to right.
    pub fn width(&self) -> u32 {
        self.width as u32
    }

    /// Pixels from top to bottom.
    pub fn height(&self) -> u32 {
        self.height as u32
    }

    /// The colour of a pixel, counted from the top left; `None` outside the picture.
    pub fn pixel(&self, x: u32, y: u32) -> Option<Colour> {
        let (x, y) = (x as usize, y as usize);
        (x < self.width && y < self.height).then(|| self.resolve(x, y))
    }

    /// All pixels, row by row from the top, three sRGB bytes each.
    pub fn to_rgb_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.width * self.height * 3);
        for y in 0..self.height {
            for x in 0..self.width {
                let Colour { r, g, b } = self.resolve(x, y);
                bytes.extend([r, g, b]);
            }
        }
        bytes
    }

    /// Where a world point appears, in pixels from the top left; `None` if it is behind the eye or not
    /// finite.
    ///
    /// For placing labels; the result may lie outside the picture.
    pub fn project(&self, camera: &Camera, point: Vec3) -> Option<Vec2> {
        let view = self.view(camera);
        let point_in_view = view.view_from_world(point);
        let is_in_front = view.outside(0, point_in_view) <= 0.0;
        let pixel = is_in_front.then(|| view.project(point_in_view).pixel)?;
        pixel.is_finite().then_some(pixel)
    }

    /// Copies `other` with its top left corner at pixel (x, y); what falls outside is left out.
    ///
    /// Becomes background: whatever is drawn later covers it.
    pub fn paste(&mut self, other: &Canvas, x: i32, y: i32) {
        let (left, top) = (x as isize * SAMPLES as isize, y as isize * SAMPLES as isize);
        let (columns, rows) = (self.columns() as isize, self.rows() as isize);
        let (from_column, to_column) = (left.max(0), (left + other.columns() as isize).min(columns));
        if from_column >= to_column {
            return;
        }
        let length = (to_column - from_column) as usize;
        for row in top.max(0)..(top + other.rows() as isize).min(rows) {
            let source = (row - top) as usize * other.columns() + (from_column - left) as usize;
            let target = row as usize * self.columns() + from_column as usize;
            self.colours[target..target + length].copy_from_slice(&other.colours[source..source + length]);
            self.keys[target..target + length].fill(f32::NEG_INFINITY);
        }
    }

    pub(crate) fn view(&self, camera: &Camera) -> View {
        View::new(camera, self.width, self.height)
    }

    /// Width and height in pixels.
    pub(crate) fn size(&self) -> (usize, usize) {
        (self.width, self.height)
    }

    /// The number of the pixel that a sample belongs to.
    pub(crate) fn pixel_index(&self, column: usize, row: usize) -> usize {
        row / SAMPLES * self.width + column / SAMPLES
    }

    /// Whether something at this depth would be seen. What was drawn first wins ties; a NaN is never seen.
    pub(crate) fn is_visible(&self, column: usize, row: usize, key: f32) -> bool {
        key > self.keys[row * self.columns() + column]
    }

    /// Replaces a sample.
    pub(crate) fn set(&mut self, column: usize, row: usize, key: f32, colour: Vec3) {
        let index = row * self.columns() + column;
        self.keys[index] = key;
        self.colours[index] = colour;
    }

    /// Mixes a colour into a sample; the depth stays.
    pub(crate) fn blend(&mut self, column: usize, row: usize, colour: Vec3, opacity: f32) {
        let index = row * self.columns() + column;
        self.colours[index] = self.colours[index].lerp(colour, opacity);
    }

    fn columns(&self) -> usize {
        self.width * SAMPLES
    }

    fn rows(&self) -> usize {
        self.height * SAMPLES
    }

    fn resolve(&self, x: usize, y: usize) -> Colour {
        let mut sum = Vec3::ZERO;
        for row in y * SAMPLES..(y + 1) * SAMPLES {
            for column in x * SAMPLES..(x + 1) * SAMPLES {
                // Cut before averaging: a highlight must not bleed over an antialiased edge.
                sum += self.colours[row * self.columns() + column].min(Vec3::ONE);
            }
        }
        Colour::from_linear(sum / (SAMPLES * SAMPLES) as f32)
    }
}

/// Whether a picture can have this size.
pub(crate) fn check_size(width: u32, height: u32) -> Result<(), DrawError> {
    let is_drawable = |side: u32| (1..=MAX_SIDE).contains(&side);
    // Sides are checked first, so that the product fits.
    if is_drawable(width) && is_drawable(height) && width * height <= MAX_PIXELS {
        return Ok(());
    }
    Err(DrawError::Size { width, height })
}

/// Longest side in pixels; the rasteriser's integers are sized for it.
pub(crate) const MAX_SIDE: u32 = 1 << 14;

/// Most pixels in all; at 64 bytes per pixel this is 2 GiB.
pub(crate) const MAX_PIXELS: u32 = 1 << 25;
