//! A camera bound to a picture: from the world to view space to pixels and depth.
//!
//! View space has the eye at the origin, x to the right, y up and z towards the viewer. Pixels count from the
//! top left corner, y down. The depth key is larger for what is nearer and linear over the picture, so it can
//! be interpolated between the corners of a triangle without dividing:
//!
//! ```text
//! orthographic: key = z          perspective: key = 1 / -z
//! ```

use glam::{Vec2, Vec3};

use crate::camera::{Camera, Lens};

/// A camera and the pixel grid it looks through.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View {
    camera: Camera,
    /// Pixels from the top left corner to the middle of the picture.
    middle: Vec2,
    /// Pixels per world unit; for a perspective camera at distance 1 from the eye.
    scale: f32,
}

/// A point as the picture sees it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Projected {
    /// Pixels from the top left corner, y down.
    pub pixel: Vec2,
    /// Larger is nearer; linear over the picture.
    pub key: f32,
}

impl View {
    pub fn new(camera: &Camera, width: usize, height: usize) -> Self {
        let middle = Vec2::new(width as f32, height as f32) * 0.5;
        Self { camera: *camera, middle, scale: (middle / camera.half).min_element() }
    }

    pub fn view_from_world(&self, point_in_world: Vec3) -> Vec3 {
        self.turn(point_in_world - self.camera.eye)
    }

    /// A direction (or normal) of the world in view space.
    pub fn turn(&self, direction: Vec3) -> Vec3 {
        let camera = &self.camera;
        Vec3::new(direction.dot(camera.right), direction.dot(camera.up), direction.dot(camera.back))
    }

    /// The depth by which a perspective picture divides; 1 for an orthographic one.
    pub fn divisor(&self, point_in_view: Vec3) -> f32 {
        match self.camera.lens {
            Lens::Orthographic => 1.0,
            Lens::Perspective { .. } => -point_in_view.z,
        }
    }

    /// The point must be beyond the near plane (see [`View::outside`]).
    pub fn project(&self, point_in_view: Vec3) -> Projected {
        let flat = point_in_view.truncate() * Vec2::new(1.0, -1.0);
        let divisor = self.divisor(point_in_view);
        Projected {
            pixel: self.middle + flat * (self.scale / divisor),
            key: match self.camera.lens {
                Lens::Orthographic => point_in_view.z,
                Lens::Perspective { .. } => divisor.recip(),
            },
        }
    }

    /// The view-space point on the ray of a pixel position: at z = 0 (orthographic) or z = -1 (perspective).
    pub fn unproject(&self, pixel: Vec2) -> Vec3 {
        let flat = (pixel - self.middle) / self.scale * Vec2::new(1.0, -1.0);
        flat.extend(if self.is_perspective() { -1.0 } else { 0.0 })
    }

    /// The unit direction from what is seen at a pixel towards the eye.
    pub fn direction_to_eye(&self, pixel: Vec2) -> Vec3 {
        if self.is_perspective() { -self.unproject(pixel).normalize() } else { Vec3::Z }
    }

    /// Whether a surface with this normal (both in the world) shows its front to the eye.
    pub fn is_front(&self, point: Vec3, normal: Vec3) -> bool {
        let to_eye = match self.camera.lens {
            Lens::Orthographic => self.camera.back,
            Lens::Perspective { .. } => self.camera.eye - point,
        };
        normal.dot(to_eye) > 0.0
    }

    pub fn is_perspective(&self) -> bool {
        matches!(self.camera.lens, Lens::Perspective { .. })
    }

    /// How far the point lies outside the drawable space, for plane 0 (near) and planes 1 to 4 (guard band
    /// around the picture, so that pixel coordinates stay small). Inside is `<= 0`; linear in the point, so
    /// edges can be cut.
    pub fn outside(&self, plane: usize, point_in_view: Vec3) -> f32 {
        let reach = self.middle * (GUARD / self.scale) * self.divisor(point_in_view);
        match (plane, self.camera.lens) {
            (0, Lens::Orthographic) => -1.0,
            (0, Lens::Perspective { near }) => near + point_in_view.z,
            (1, _) => point_in_view.x - reach.x,
            (2, _) => -point_in_view.x - reach.x,
            (3, _) => point_in_view.y - reach.y,
            _ => -point_in_view.y - reach.y,
        }
    }

    /// A key slightly nearer: lifts lines off the surface that they lie on, by 0.2 % of the visible size or
    /// distance.
    pub fn lifted(&self, key: f32) -> f32 {
        match self.camera.lens {
            Lens::Orthographic => key + 0.002 * self.camera.half.max_element(),
            Lens::Perspective { .. } => key * 1.002,
        }
    }
}

/// Planes of [`View::outside`].
pub(crate) const PLANES: usize = 5;

/// The guard band's half width in half pictures. With sides up to 2^14 pixels a coordinate stays below 2^17
/// pixels.
const GUARD: f32 = 8.0;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::camera::{FRONT, SIDE, THREE_QUARTER, TOP};

    #[test]
    fn framing_keeps_every_corner_inside_any_picture() {
        let (min, max) = (Vec3::new(-3.0, 10.0, 0.5), Vec3::new(1.0, 10.5, 9.0));
        for direction in [FRONT, SIDE, TOP, THREE_QUARTER, Vec3::new(-1.0, -2.0, 0.3)] {
            for camera in
                [Camera::framing(min, max, direction), Camera::framing_perspective(min, max, direction, 0.7)]
            {
                for (width, height) in [(100, 100), (300, 80), (50, 400)] {
                    check_corners(&View::new(&camera, width, height), min, max);
                }
            }
        }
    }

    /// All corners inside the picture, and the box fills at least half of it in one direction.
    fn check_corners(view: &View, min: Vec3, max: Vec3) {
        let size = view.middle * 2.0;
        let (mut low, mut high) = (Vec2::INFINITY, Vec2::NEG_INFINITY);
        for corner in 0..8 {
            let pick = |axis: usize| {
                if corner >> axis & 1 == 0 { min[axis] } else { max[axis] }
            };
            let pixel = view.project(view.view_from_world(Vec3::new(pick(0), pick(1), pick(2)))).pixel;
            (low, high) = (low.min(pixel), high.max(pixel));
        }
        assert!(low.min_element() > 0.0 && (size - high).min_element() > 0.0);
        let largest = ((high - low) / size).max_element();
        assert!(largest > 0.5, "the box fills only {largest} of {size}");
    }

    #[test]
    fn unproject_inverts_project() {
        let point = Vec3::new(0.2, -0.4, 0.1);
        for camera in [
            Camera::orthographic(Vec3::Z, Vec3::ZERO, Vec3::Y, 3.0),
            Camera::perspective(Vec3::Z, Vec3::ZERO, Vec3::Y, 0.9),
        ] {
            let view = View::new(&camera, 640, 480);
            let seen = view.view_from_world(point);
            let ray = view.unproject(view.project(seen).pixel) * view.divisor(seen);
            assert!((ray.truncate() - seen.truncate()).length() < 1e-6);
        }
    }
}
