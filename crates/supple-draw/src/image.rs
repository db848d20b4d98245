//! Finished pixels: what is drawn in one go needs no depth any more.
//!
//! In come colours of pixels and other images, out go bytes. What must hold: three sRGB bytes per pixel, row by row from the top.

use crate::canvas::check_size;
use crate::colour::Colour;
use crate::error::DrawError;

/// A picture of opaque pixels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    width: usize,
    height: usize,
    bytes: Vec<u8>,
}

impl Image {
    /// A picture of `width` times `height` pixels in one colour.
    pub fn new(width: u32, height: u32, colour: Colour) -> Result<Self, DrawError> {
        check_size(width, height)?;
        let bytes = [colour.r, colour.g, colour.b].repeat((width * height) as usize);
        Ok(Self { width: width as usize, height: height as usize, bytes })
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
        let [r, g, b] = *self.bytes.as_chunks().0.get(y * self.width + x)?;
        (x < self.width).then_some(Colour { r, g, b })
    }

    /// All pixels, row by row from the top, three sRGB bytes each.
    pub fn rgb_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Copies `other` with its top left corner at pixel (x, y); what falls outside is left out.
    pub fn paste(&mut self, other: &Self, x: u32, y: u32) {
        let (x, y) = (x as usize, y as usize);
        let wide = other.width.min(self.width.saturating_sub(x)) * 3;
        for row in 0..other.height.min(self.height.saturating_sub(y)) {
            let (from, to) = (row * other.width * 3, ((y + row) * self.width + x) * 3);
            self.bytes[to..to + wide].copy_from_slice(&other.bytes[from..from + wide]);
        }
    }

    /// Fills the pixels from `low` to before `high`; what falls outside is left out.
    pub fn fill(&mut self, low: [i32; 2], high: [i32; 2], colour: Colour) {
        let within = |at: i32, side: usize| at.clamp(0, side as i32) as usize;
        let columns = within(low[0], self.width)..within(high[0], self.width);
        for y in within(low[1], self.height)..within(high[1], self.height) {
            for x in columns.clone() {
                self.set(x, y, colour);
            }
        }
    }

    /// Replaces a pixel, which must exist.
    pub(crate) fn set(&mut self, x: usize, y: usize, Colour { r, g, b }: Colour) {
        let at = (y * self.width + x) * 3;
        self.bytes[at..at + 3].copy_from_slice(&[r, g, b]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pasting_and_filling_stop_at_the_border() {
        let mut sheet = Image::new(5, 4, Colour::WHITE).unwrap();
        let tile = Image::new(3, 3, Colour::RED).unwrap();
        sheet.paste(&tile, 3, 2);
        sheet.paste(&tile, 9, 0);
        sheet.fill([-4, 1], [1, i32::MAX], Colour::BLUE);
        for (x, y) in (0..4).flat_map(|y| (0..5).map(move |x| (x, y))) {
            let expected = match (x, y) {
                (3.., 2..) => Colour::RED,
                (0, 1..) => Colour::BLUE,
                _ => Colour::WHITE,
            };
            assert_eq!(sheet.pixel(x, y), Some(expected), "{x} {y}");
        }
        assert_eq!((sheet.pixel(5, 0), sheet.pixel(0, 4), sheet.rgb_bytes().len()), (None, None, 60));
        assert!(matches!(Image::new(0, 3, Colour::RED), Err(DrawError::Size { width: 0, height: 3 })));
    }
}
