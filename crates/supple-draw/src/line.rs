//! Drawing straight lines in space, a few pixels wide.
//!
//! In come two world points, out goes a strip of constant width in the picture. Lines are hidden by surfaces
//! in front of them, but lifted a little, so that a line on a surface is seen whole.

use glam::Vec3;

use crate::camera::Camera;
use crate::canvas::Canvas;
use crate::clip::clip_segment;
use crate::colour::Colour;
use crate::raster::cover_triangle;

impl Canvas {
    /// Draws the segment from `a` to `b`, `width` pixels wide, unshaded. Anything not finite draws nothing.
    pub fn draw_line(&mut self, camera: &Camera, a: Vec3, b: Vec3, width: f32, colour: Colour) {
        let view = self.view(camera);
        let ends = clip_segment(&view, view.view_from_world(a), view.view_from_world(b));
        let Some([a, b]) = ends.map(|ends| ends.map(|end| view.project(end))) else {
            return;
        };
        let aside = (b.pixel - a.pixel).normalize_or_zero().perp() * (width * 0.5);
        let strip = [a.pixel + aside, a.pixel - aside, b.pixel - aside, b.pixel + aside];
        let keys = [a.key, a.key, b.key, b.key].map(|key| view.lifted(key));
        let colour = colour.to_linear();
        for corners in [[0, 1, 2], [0, 2, 3]] {
            cover_triangle(corners.map(|corner| strip[corner]), self.size(), |hit| {
                let key = (0..3).map(|i| keys[corners[i]] * hit.weights[i]).sum();
                if self.is_visible(hit.column, hit.row, key) {
                    self.set(hit.column, hit.row, key, colour);
                }
            });
        }
    }
}
