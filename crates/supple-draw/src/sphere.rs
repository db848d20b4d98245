//! Drawing balls: shaded, translucent, with an outline.
//!
//! In comes a ball in the world, out goes the exact silhouette of it: each sample's ray is intersected with
//! the ball, no mesh is made. With the ball's center c and the ray's points o + t d, the first hit solves
//!
//! ```text
//! |o + t d - c|^2 = radius^2
//! ```

use glam::{Vec2, Vec3};

use crate::camera::Camera;
use crate::canvas::Canvas;
use crate::colour::Colour;
use crate::light::shade;
use crate::raster::{SAMPLES, pixel_range, sample_position};
use crate::view::{Projected, View};

impl Canvas {
    /// Draws a ball over what is already there; surfaces in front of it hide it, surfaces in it shine
    /// through.
    ///
    /// `opacity` 0 leaves only the outline, 1 makes a solid ball that hides what is drawn later behind it. A
    /// radius that is not positive, or anything that is not finite, draws nothing.
    pub fn draw_sphere(&mut self, camera: &Camera, center: Vec3, radius: f32, colour: Colour, opacity: f32) {
        let is_drawable = center.is_finite() && radius.is_finite() && radius > 0.0 && !opacity.is_nan();
        if !is_drawable {
            return;
        }
        let (view, opacity) = (self.view(camera), opacity.clamp(0.0, 1.0));
        let center_in_view = view.view_from_world(center);
        let (width, height) = self.size();
        let (low, high) = pixel_box(&view, center_in_view, radius);
        let surface = colour.to_linear();
        let (columns, rows) = (pixel_range(low.x, high.x, width), pixel_range(low.y, high.y, height));
        for row in rows.start * SAMPLES..rows.end * SAMPLES {
            for column in columns.start * SAMPLES..columns.end * SAMPLES {
                let pixel = sample_position(column, row);
                let Some(hit) = first_hit(&view, pixel, center_in_view, radius) else {
                    continue;
                };
                let Projected { key, .. } = view.project(hit);
                if !self.is_visible(column, row, key) {
                    continue;
                }
                let normal = (hit - center_in_view) / radius;
                let to_viewer = view.direction_to_eye(pixel);
                let light = shade(surface, normal, to_viewer);
                if opacity >= 1.0 {
                    self.set(column, row, key, light);
                } else {
                    let cover = opacity + (1.0 - opacity) * outline(normal.dot(to_viewer));
                    self.blend(column, row, light.lerp(surface, 0.5), cover);
                }
            }
        }
    }
}

/// A pixel box around the ball; the whole plane if the ball reaches behind the eye.
fn pixel_box(view: &View, center: Vec3, radius: f32) -> (Vec2, Vec2) {
    let (mut low, mut high) = (Vec2::INFINITY, Vec2::NEG_INFINITY);
    for corner in 0..8 {
        let sign = |bit: u32| {
            if corner >> bit & 1 == 0 { -radius } else { radius }
        };
        let point = center + Vec3::new(sign(0), sign(1), sign(2));
        if view.outside(0, point) > 0.0 {
            return (Vec2::NEG_INFINITY, Vec2::INFINITY);
        }
        let pixel = view.project(point).pixel;
        (low, high) = (low.min(pixel), high.max(pixel));
    }
    (low, high)
}

/// The nearest point of the ball's surface on the ray of a pixel; none if the ray misses or the eye is
/// inside.
fn first_hit(view: &View, pixel: Vec2, center: Vec3, radius: f32) -> Option<Vec3> {
    let on_ray = view.unproject(pixel);
    if !view.is_perspective() {
        let aside = on_ray.truncate() - center.truncate();
        let depth_sq = radius * radius - aside.length_squared();
        return (depth_sq >= 0.0).then(|| on_ray.with_z(center.z + depth_sq.sqrt()));
    }
    let direction = on_ray.normalize();
    let nearest = direction.dot(center);
    // The distance of the center from the ray, not |c|^2 - nearest^2, which cancels for small far balls.
    let depth_sq = radius * radius - (center - direction * nearest).length_squared();
    let hit = direction * (nearest - depth_sq.max(0.0).sqrt());
    (depth_sq >= 0.0 && view.outside(0, hit) <= 0.0).then_some(hit)
}

/// How much darker a translucent ball gets towards its outline, from 0 facing the viewer to 0.85.
fn outline(facing: f32) -> f32 {
    0.85 * (1.0 - facing.clamp(0.0, 1.0)).powi(3)
}
