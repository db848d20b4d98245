//! A picture by the terminal's own means: two pixels per character, one above the other, in all
//! colours where the terminal has them, else in the 256 of most terminals.
//!
//! In: a drawn canvas. Out: lines of text. Nothing where there is no terminal that shows colours.

use console::Term;
use supple_draw::Canvas;

/// Wider than this is more than one sees at a glance.
const WIDEST: u32 = 96;

/// How many columns a picture on stdout may have; none where nobody would see it.
pub fn width() -> Option<u32> {
    let columns = Term::stdout().size_checked().map_or(80, |(_, columns)| u32::from(columns));
    console::colors_enabled()
        .then_some(columns.saturating_sub(1).min(WIDEST))
        .filter(|&columns| columns >= 20)
}

/// The picture, that wide.
pub fn text(canvas: &Canvas, width: u32) -> String {
    drawn(canvas, width, if console::true_colors_enabled() { true_colour } else { nearest_colour })
}

fn true_colour([r, g, b]: [u8; 3]) -> String {
    format!("2;{r};{g};{b}")
}

fn nearest_colour(colour: [u8; 3]) -> String {
    format!("5;{}", colour_number(colour))
}

fn drawn(canvas: &Canvas, width: u32, code: fn([u8; 3]) -> String) -> String {
    let width = width.min(canvas.width());
    let height = (u64::from(canvas.height()) * u64::from(width) / u64::from(canvas.width())).max(2) as u32;
    let pixels = canvas.to_rgb_bytes();
    let mut text = String::new();
    for line in 0..height / 2 {
        for x in 0..width {
            let colour = |y| code(mean(&pixels, canvas, [x, y], [width, height]));
            text += &format!("\x1b[38;{};48;{}m▀", colour(2 * line), colour(2 * line + 1));
        }
        text += "\x1b[0m\n";
    }
    text
}

/// So different are the channels of colours that mark something; bodies and background are paler.
const STRIKING: u8 = 110;

/// The mean colour of the part of a canvas that one pixel of `size` stands for. Where a quarter of it is marked it is that of
/// the marks, or thin contacts would fade.
fn mean(pixels: &[u8], canvas: &Canvas, [x, y]: [u32; 2], [width, height]: [u32; 2]) -> [u8; 3] {
    let range = |at: u32, of: u32, size: u32| {
        let from = (u64::from(at) * u64::from(size) / u64::from(of)) as usize;
        let to = (u64::from(at + 1) * u64::from(size) / u64::from(of)) as usize;
        from..to.max(from + 1)
    };
    let (mut all, mut marked) = ([0u64; 4], [0u64; 4]);
    for row in range(y, height, canvas.height()) {
        for column in range(x, width, canvas.width()) {
            let at = 3 * (row * canvas.width() as usize + column);
            let [r, g, b] = [pixels[at], pixels[at + 1], pixels[at + 2]];
            let is_marked = r.max(g).max(b) - r.min(g).min(b) >= STRIKING;
            for sums in [Some(&mut all), is_marked.then_some(&mut marked)].into_iter().flatten() {
                for (sum, value) in sums.iter_mut().zip([r, g, b, 1]) {
                    *sum += u64::from(value);
                }
            }
        }
    }
    let [r, g, b, count] = if 4 * marked[3] >= all[3] { marked } else { all };
    [r, g, b].map(|sum| (sum / count) as u8)
}

/// The nearest of the 216 colours (6 levels per channel: 0, 95, 135 .. 255) and 24 greys (8, 18 .. 238).
fn colour_number(colour: [u8; 3]) -> u8 {
    let level = |value: u8| if value < 48 { 0 } else { ((u16::from(value) - 35) / 40).clamp(1, 5) as u8 };
    let levels = colour.map(level);
    let value = |level: u8| if level == 0 { 0 } else { 55 + 40 * level };
    let grey = colour.iter().map(|&c| u16::from(c)).sum::<u16>() / 3;
    let grey_level = (grey.saturating_sub(3) / 10).min(23) as u8;
    let distance =
        |other: [u8; 3]| -> u32 { (0..3).map(|i| u32::from(colour[i].abs_diff(other[i])).pow(2)).sum() };
    if distance([8 + 10 * grey_level; 3]) < distance(levels.map(value)) {
        232 + grey_level
    } else {
        16 + 36 * levels[0] + 6 * levels[1] + levels[2]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use supple_draw::Colour;

    #[test]
    fn colours_are_the_nearest_of_the_terminal() {
        for (colour, number) in [
            ([0, 0, 0], 16),
            ([255, 255, 255], 231),
            ([255, 0, 0], 196),
            ([128, 128, 128], 244),
            ([95, 135, 175], 67),
        ] {
            assert_eq!(colour_number(colour), number, "{colour:?}");
        }
    }

    #[test]
    fn a_picture_keeps_its_shape() {
        let red = Colour::hex(0xff0000);
        let canvas = Canvas::with_background(60, 40, red, red).unwrap();
        let text = drawn(&canvas, 30, nearest_colour);
        assert_eq!(text.lines().count(), 10);
        assert!(text.lines().all(|line| line.matches("\x1b[38;5;196;48;5;196m▀").count() == 30), "{text}");
    }
}
