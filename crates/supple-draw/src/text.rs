//! Labels in a built-in bitmap font.
//!
//! In comes a line of text, out go square dots of whole pixels, in front of everything drawn before or after.

use crate::canvas::Canvas;
use crate::colour::Colour;
use crate::font::{GLYPH_COLUMNS, GLYPH_ROWS, glyph};
use crate::raster::SAMPLES;

impl Canvas {
    /// Writes text with its top left corner at pixel (x, y); each dot of the 5 x 7 font is `scale` pixels
    /// wide.
    ///
    /// A newline starts a new line; characters outside printable ASCII appear as a box. What falls outside
    /// the picture is left out. See [`text_size`] for the room it takes.
    pub fn draw_text(&mut self, x: i32, y: i32, scale: u32, text: &str, colour: Colour) {
        for (line_number, line) in text.split('\n').enumerate() {
            for (place, character) in line.chars().enumerate() {
                let left = i64::from(x) + place as i64 * ADVANCE * i64::from(scale);
                let top = i64::from(y) + line_number as i64 * LINE_HEIGHT * i64::from(scale);
                self.draw_glyph(left, top, scale, character, colour);
            }
        }
    }

    /// Fills a square with its top left corner at pixel (x, y), e.g. of a legend. What falls outside the picture is left out.
    pub fn draw_square(&mut self, x: i32, y: i32, side: u32, colour: Colour) {
        self.fill_square(i64::from(x), i64::from(y), side, colour);
    }

    fn draw_glyph(&mut self, left: i64, top: i64, scale: u32, character: char, colour: Colour) {
        for (dot_column, dots) in glyph(character).into_iter().enumerate() {
            for dot_row in 0..GLYPH_ROWS {
                if dots >> dot_row & 1 == 1 {
                    let (x, y) = (dot_column as i64 * i64::from(scale), dot_row as i64 * i64::from(scale));
                    self.fill_square(left + x, top + y, scale, colour);
                }
            }
        }
    }

    fn fill_square(&mut self, left: i64, top: i64, side: u32, colour: Colour) {
        let (width, height) = self.size();
        let samples = |from: i64, limit: usize| {
            let pixel = |at: i64| at.clamp(0, limit as i64) as usize;
            pixel(from) * SAMPLES..pixel(from + i64::from(side)) * SAMPLES
        };
        for row in samples(top, height) {
            for column in samples(left, width) {
                self.set(column, row, f32::INFINITY, colour.to_linear());
            }
        }
    }
}

/// Width and height in pixels of a text drawn at a scale, the row below the line included.
pub fn text_size(text: &str, scale: u32) -> (u32, u32) {
    let longest = text.split('\n').map(|line| line.chars().count()).max().unwrap_or(0) as u32;
    let lines = text.split('\n').count() as u32;
    let gap = ADVANCE as u32 - GLYPH_COLUMNS as u32;
    let wide = (longest * ADVANCE as u32).saturating_sub(gap);
    let high = lines * LINE_HEIGHT as u32 - (LINE_HEIGHT as u32 - GLYPH_ROWS as u32);
    (wide.saturating_mul(scale), high.saturating_mul(scale))
}

/// Dots from one character to the next.
const ADVANCE: i64 = GLYPH_COLUMNS as i64 + 1;

/// Dots from one line to the next.
const LINE_HEIGHT: i64 = GLYPH_ROWS as i64 + 2;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dots_land_on_whole_pixels_and_stay_in_their_box() {
        let mut canvas = Canvas::new(40, 40).unwrap();
        let before = canvas.clone();
        canvas.draw_text(3, 4, 2, "L", Colour::RED);
        let (wide, high) = text_size("L", 2);
        assert_eq!((wide, high), (10, 16));
        for y in 0..40 {
            for x in 0..40 {
                let is_stem = (3..5).contains(&x) && (4..18).contains(&y);
                let is_foot = (3..13).contains(&x) && (16..18).contains(&y);
                let expected = if is_stem || is_foot { Some(Colour::RED) } else { before.pixel(x, y) };
                assert_eq!(canvas.pixel(x, y), expected, "pixel {x} {y}");
            }
        }
    }

    #[test]
    fn squares_fill_their_pixels() {
        let mut canvas = Canvas::new(8, 8).unwrap();
        canvas.draw_square(2, 3, 4, Colour::RED);
        canvas.draw_square(i32::MAX, -9, u32::MAX, Colour::BLUE);
        let is_red = |x, y| canvas.pixel(x, y) == Some(Colour::RED);
        assert!(is_red(2, 3) && is_red(5, 6) && !is_red(1, 3) && !is_red(6, 6) && !is_red(2, 7));
    }

    #[test]
    fn text_outside_is_left_out() {
        let mut canvas = Canvas::new(8, 8).unwrap();
        let before = canvas.to_rgb_bytes();
        canvas.draw_text(i32::MAX, i32::MIN, 3, "far", Colour::RED);
        canvas.draw_text(100, 0, 1, "away\nand below", Colour::RED);
        assert_eq!(canvas.to_rgb_bytes(), before);
        canvas.draw_text(-2, -3, 1, "\u{e9}", Colour::RED);
        assert_eq!(canvas.pixel(2, 0), Some(Colour::RED));
    }
}
