//! Lines over a finished picture, in pixels: nothing hides them.

use glam::{Vec2, Vec3};
use supple_draw::{Camera, Canvas, Colour};

/// Nearer than everything that is drawn.
const FRONT: f32 = 1e30;

/// Sides of a circle.
const SIDES: usize = 64;

/// How wide the light rim around lines is, so that they are seen on everything.
const RIM: f32 = 2.0;

/// Draws over a canvas.
pub struct Overlay<'c> {
    canvas: &'c mut Canvas,
    camera: Camera,
    middle: Vec2,
}

/// How a line looks.
#[derive(Clone, Copy, Debug)]
pub struct Pen {
    pub colour: Colour,
    /// Pixels.
    pub width: f32,
    /// Pixels of a dash and of a gap; 0 for a whole line.
    pub dash: f32,
}

impl<'c> Overlay<'c> {
    /// One unit of the camera is one pixel.
    pub fn new(canvas: &'c mut Canvas) -> Self {
        let size = Vec2::new(canvas.width() as f32, canvas.height() as f32);
        let camera = Camera::orthographic(Vec3::ZERO, Vec3::NEG_Z, Vec3::Y, size.min_element());
        Self { canvas, camera, middle: 0.5 * size }
    }

    /// Draws a connected line through pixels.
    pub fn line(&mut self, points: &[Vec2], pen: Pen) {
        let pieces = pieces(points, pen.dash);
        for (width, colour) in [(pen.width + RIM, Colour::WHITE), (pen.width, pen.colour)] {
            for &[from, to] in &pieces {
                let [from, to] = [from, to].map(|p| ((p - self.middle) * Vec2::new(1.0, -1.0)).extend(FRONT));
                // What is drawn first stays where both are equally near, so the line itself is put nearer.
                let nearer = if colour == Colour::WHITE { 1.0 } else { 2.0 };
                let [from, to] = [from, to].map(|p| p.with_z(p.z * nearer));
                self.canvas.draw_line(&self.camera, from, to, width, colour);
            }
        }
    }

    /// Draws a circle.
    pub fn circle(&mut self, center: Vec2, radius: f32, pen: Pen) {
        let point = |side: usize| {
            let turn = std::f32::consts::TAU * side as f32 / SIDES as f32;
            center + radius * Vec2::from_angle(turn)
        };
        self.line(&(0..=SIDES).map(point).collect::<Vec<_>>(), pen);
    }

    /// Draws an arrow that ends `before` pixels in front of its target.
    pub fn arrow(&mut self, from: Vec2, target: Vec2, before: f32, pen: Pen) {
        let Some(along) = (target - from).try_normalize() else { return };
        let tip = target - along * before;
        if (tip - from).dot(along) <= 0.0 {
            return;
        }
        let barb = |side: f32| tip - 12.0 * along + 6.0 * side * along.perp();
        self.line(&[from, tip], pen);
        self.line(&[barb(1.0), tip, barb(-1.0)], Pen { dash: 0.0, ..pen });
    }
}

/// The segments that are drawn: all, or those that dashes cover.
fn pieces(points: &[Vec2], dash: f32) -> Vec<[Vec2; 2]> {
    let mut pieces = Vec::new();
    let mut walked = 0.0f32;
    for ends in points.windows(2) {
        let (from, to) = (ends[0], ends[1]);
        let length = (to - from).length();
        if dash <= 0.0 || length > 1e4 {
            pieces.push([from, to]);
            continue;
        }
        let mut at = 0.0;
        while at < length {
            let in_period = (walked + at) % (2.0 * dash);
            let is_dash = in_period < dash;
            let step = (if is_dash { dash } else { 2.0 * dash } - in_period).max(0.1).min(length - at);
            if is_dash {
                pieces.push([from.lerp(to, at / length), from.lerp(to, (at + step) / length)]);
            }
            at += step.max(1e-3);
        }
        walked += length;
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dashes_cover_half_of_a_line() {
        let ends = [Vec2::ZERO, Vec2::new(37.0, 0.0), Vec2::new(100.0, 0.0)];
        let covered = |dash| pieces(&ends, dash).iter().map(|[a, b]| (b - a).length()).sum::<f32>();
        assert_eq!(covered(0.0), 100.0);
        assert!((covered(5.0) - 50.0).abs() < 1.0, "{}", covered(5.0));
    }

    #[test]
    fn lines_go_over_everything() {
        let mut canvas = Canvas::new(40, 20).unwrap();
        let near = [Vec3::new(-9.0, -9.0, 1e6), Vec3::new(9.0, -9.0, 1e6), Vec3::new(0.0, 9.0, 1e6)];
        let camera = Camera::framing(Vec3::ZERO, Vec3::ONE, Vec3::Z);
        canvas.draw_mesh(&camera, &near, &[[0, 1, 2]], &supple_draw::Style::flat(Colour::CLAY));
        let pen = Pen { colour: Colour::RED, width: 3.0, dash: 0.0 };
        Overlay::new(&mut canvas).line(&[Vec2::new(4.0, 10.0), Vec2::new(36.0, 10.0)], pen);
        assert_eq!((canvas.pixel(20, 10), canvas.pixel(5, 9)), (Some(Colour::RED), Some(Colour::RED)));
        assert_ne!(canvas.pixel(20, 16), Some(Colour::RED));
    }
}
