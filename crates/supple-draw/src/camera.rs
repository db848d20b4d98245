//! Cameras: where the eye is, how it is turned, and how much of the world it must show.
//!
//! In comes an eye and a target, or a box and a direction. Out goes a camera that knows nothing of pixels: it
//! says which extent must be visible, and each canvas fits that extent into its own shape. What must hold: a
//! framing camera shows the whole box on any canvas.

use glam::{Vec2, Vec3};

use crate::view::View;

/// From the front: the eye is on +Z, as glTF models face +Z.
pub const FRONT: Vec3 = Vec3::Z;
/// From behind.
pub const BACK: Vec3 = Vec3::NEG_Z;
/// From the side: the eye is on +X, the model looks to the left of the picture.
pub const SIDE: Vec3 = Vec3::X;
/// From above; +Z of the model points down in the picture.
pub const TOP: Vec3 = Vec3::Y;
/// From the front, half to the side and a little from above: the view that shows most shape.
pub const THREE_QUARTER: Vec3 = Vec3::new(0.62, 0.36, 0.7);

/// An eye in the world, orthographic or perspective.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    pub(crate) eye: Vec3,
    pub(crate) right: Vec3,
    pub(crate) up: Vec3,
    /// Towards the viewer: the eye looks along `-back`.
    pub(crate) back: Vec3,
    pub(crate) lens: Lens,
    /// Half of the extent that must be visible; for a perspective camera at distance 1 from the eye.
    pub(crate) half: Vec2,
}

/// How depth meets the picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Lens {
    /// Parallel rays; sees everything on its line of sight, also behind the eye.
    Orthographic,
    /// Rays through the eye; sees what is at least `near` in front of it.
    Perspective { near: f32 },
}

impl Camera {
    /// A camera with parallel rays that shows at least `size` world units in width and height around
    /// `target`.
    pub fn orthographic(eye: Vec3, target: Vec3, up: Vec3, size: f32) -> Self {
        let half = Vec2::splat(positive_or(size * 0.5, 0.5));
        Self::look_at(eye, target - eye, up, Lens::Orthographic, half)
    }

    /// A camera with rays through `eye` that shows at least the angle `fov` (radians) in width and height.
    pub fn perspective(eye: Vec3, target: Vec3, up: Vec3, fov: f32) -> Self {
        let near = positive_or((target - eye).length() * NEAR_FRACTION, NEAR_FRACTION);
        let half = Vec2::splat(half_tangent(fov));
        Self::look_at(eye, target - eye, up, Lens::Perspective { near }, half)
    }

    /// Fits the box into the picture, with parallel rays and a small margin.
    ///
    /// `direction` points from the model to the eye: [`FRONT`], [`SIDE`], [`THREE_QUARTER`] or any other. +Y
    /// is up in the picture. An empty or not finite box frames the unit cube around the origin.
    pub fn framing(bounds_min: Vec3, bounds_max: Vec3, direction: Vec3) -> Self {
        let (center, half_box) = checked_box(bounds_min, bounds_max);
        let distance = half_box.length() * 2.0;
        let mut camera = Self::looking_along(center, distance, direction, Lens::Orthographic);
        // The reach of a box along a direction d is |d| . half_box.
        let reach = Vec2::new(camera.right.abs().dot(half_box), camera.up.abs().dot(half_box));
        camera.half = reach.max(Vec2::splat(reach.max_element() * 1e-3)) * MARGIN;
        camera
    }

    /// Fits all points into the picture, with parallel rays and a small margin: closer than their box, which has corners where
    /// no point is. Points that are not finite are left out.
    ///
    /// Otherwise as [`Camera::framing`].
    pub fn framing_points(points: impl IntoIterator<Item = Vec3>, direction: Vec3) -> Self {
        let mut camera = Self::looking_along(Vec3::ZERO, 0.0, direction, Lens::Orthographic);
        let axes = [camera.right, camera.up, camera.back];
        let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        for point in points.into_iter().filter(|point| point.is_finite()) {
            let turned = Vec3::from(axes.map(|axis| axis.dot(point)));
            (low, high) = (low.min(turned), high.max(turned));
        }
        let (center, half) = checked_box(low, high);
        let distance = center.z + 2.0 * half.length();
        camera.eye = camera.right * center.x + camera.up * center.y + camera.back * distance;
        camera.half = half.truncate().max(Vec2::splat(half.max_element() * 1e-3)) * MARGIN;
        camera
    }

    /// Fits the box into the picture, with rays through the eye that span at most the angle `fov` (radians).
    ///
    /// Otherwise as [`Camera::framing`].
    pub fn framing_perspective(bounds_min: Vec3, bounds_max: Vec3, direction: Vec3, fov: f32) -> Self {
        let (center, half_box) = checked_box(bounds_min, bounds_max);
        let tangent = half_tangent(fov);
        let mut camera = Self::looking_along(center, 0.0, direction, Lens::Orthographic);
        // A corner at (x, y, z) from the center is visible when |x| and |y| <= tangent * (distance - z).
        let mut distance = half_box.length() * 1.01;
        let corners = box_corners(half_box).map(|corner| {
            let flat = Vec2::new(camera.right.dot(corner), camera.up.dot(corner)).abs();
            flat.extend(camera.back.dot(corner))
        });
        for corner in corners {
            distance = distance.max(corner.z + corner.truncate().max_element() * MARGIN / tangent);
        }
        // From there the box may be flat or narrow; pictures of that shape shall be filled.
        let needed = corners.map(|corner| corner.truncate() / (distance - corner.z));
        let needed = needed.into_iter().fold(Vec2::ZERO, Vec2::max) * MARGIN;
        camera.eye = center + camera.back * distance;
        camera.lens = Lens::Perspective { near: distance * NEAR_FRACTION };
        camera.half = needed.max(Vec2::splat(needed.max_element() * 1e-3));
        camera
    }

    /// The line of sight through a point of a picture of `width` times `height` pixels, as a start and a unit direction: what
    /// is first on it is what [`Canvas`](crate::Canvas) shows there. `pixel` counts from the top left corner, y down; the
    /// middle of the first pixel is at (0.5, 0.5).
    ///
    /// ```
    /// use glam::{Vec2, Vec3};
    /// use supple_draw::{Camera, FRONT};
    ///
    /// let camera = Camera::framing(Vec3::ZERO, Vec3::ONE, FRONT);
    /// let (start, direction) = camera.line_of_sight(640, 480, Vec2::new(320.0, 240.0)); // the middle
    /// assert_eq!(direction, Vec3::NEG_Z);
    /// assert!((start - Vec3::new(0.5, 0.5, start.z)).length() < 1e-6 && start.z > 1.0);
    /// ```
    pub fn line_of_sight(&self, width: u32, height: u32, pixel: Vec2) -> (Vec3, Vec3) {
        let in_view = View::new(self, width.max(1) as usize, height.max(1) as usize).unproject(pixel);
        let in_world = self.right * in_view.x + self.up * in_view.y;
        match self.lens {
            Lens::Orthographic => (self.eye + in_world, -self.back),
            Lens::Perspective { .. } => (self.eye, (in_world - self.back).normalize()),
        }
    }

    fn looking_along(center: Vec3, distance: f32, direction: Vec3, lens: Lens) -> Self {
        let back = direction.try_normalize().unwrap_or(FRONT);
        Self::look_at(center + back * distance, -back, Vec3::Y, lens, Vec2::ONE)
    }

    fn look_at(eye: Vec3, forward: Vec3, up: Vec3, lens: Lens, half: Vec2) -> Self {
        let back = (-forward).try_normalize().unwrap_or(FRONT);
        // Looking straight down (or up), the model's back (or front) is at the top of the picture.
        let spare = if back.y > 0.0 { Vec3::NEG_Z } else { Vec3::Z };
        let right = [up, spare, Vec3::X]
            .into_iter()
            .filter_map(Vec3::try_normalize)
            .map(|up| up.cross(back))
            .find(|right| right.length_squared() > 1e-8)
            .and_then(Vec3::try_normalize)
            .unwrap_or(Vec3::X);
        let eye = if eye.is_finite() { eye } else { Vec3::ZERO };
        Self { eye, right, up: back.cross(right), back, lens, half }
    }
}

/// Room around a framed box: 6 % of its extent.
const MARGIN: f32 = 1.06;

/// The near plane's share of the distance to the target: small enough for any close-up of what is framed.
const NEAR_FRACTION: f32 = 1e-3;

fn positive_or(value: f32, fallback: f32) -> f32 {
    if value.is_finite() && value > 0.0 { value } else { fallback }
}

/// Half the picture at distance 1, for angles from about 1 to 160 degrees.
fn half_tangent(fov: f32) -> f32 {
    (positive_or(fov, 0.6).clamp(0.02, 2.8) * 0.5).tan()
}

/// Center and half extent, of the unit cube if the box is empty or not finite; a single point gets some room.
fn checked_box(min: Vec3, max: Vec3) -> (Vec3, Vec3) {
    // Halved before adding: the extremes of f32 must not overflow.
    let (center, half) = (min * 0.5 + max * 0.5, max * 0.5 - min * 0.5);
    if !half.length().is_finite() || !center.is_finite() || half.min_element() < 0.0 {
        return (Vec3::ZERO, Vec3::splat(0.5));
    }
    let room = if half == Vec3::ZERO { 0.5 } else { 0.0 };
    (center, half + room)
}

fn box_corners(half: Vec3) -> [Vec3; 8] {
    std::array::from_fn(|corner| {
        let sign = |bit: usize| if corner >> bit & 1 == 0 { -1.0 } else { 1.0 };
        half * Vec3::new(sign(0), sign(1), sign(2))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_are_right_handed_and_y_is_up() {
        for direction in [FRONT, BACK, SIDE, TOP, -TOP, THREE_QUARTER] {
            let camera = Camera::framing(Vec3::ZERO, Vec3::ONE, direction);
            assert!((camera.right.cross(camera.up) - camera.back).length() < 1e-6);
            assert!((camera.back - direction.normalize()).length() < 1e-6);
            assert!(camera.up.y > -1e-6);
        }
        assert_eq!(Camera::framing(Vec3::ZERO, Vec3::ONE, FRONT).right, Vec3::X);
        assert_eq!(Camera::framing(Vec3::ZERO, Vec3::ONE, SIDE).right, Vec3::NEG_Z);
    }

    #[test]
    fn lines_of_sight_meet_what_is_seen_there() {
        let (min, max) = (Vec3::new(-3.0, 1.0, 0.5), Vec3::new(1.0, 2.5, 9.0));
        let point = Vec3::new(-1.0, 1.2, 4.0);
        for camera in [
            Camera::framing(min, max, THREE_QUARTER),
            Camera::framing_perspective(min, max, THREE_QUARTER, 0.7),
        ] {
            let view = View::new(&camera, 300, 80);
            let pixel = view.project(view.view_from_world(point)).pixel;
            let (start, direction) = camera.line_of_sight(300, 80, pixel);
            let way = (point - start).dot(direction);
            assert!(way > 0.0 && (start + direction * way - point).length() < 1e-4);
        }
    }

    #[test]
    fn nonsense_gives_a_usable_camera() {
        let nan = Vec3::NAN;
        let huge = Vec3::splat(f32::MAX);
        for camera in [
            Camera::framing(nan, nan, nan),
            Camera::framing(Vec3::INFINITY, Vec3::NEG_INFINITY, FRONT),
            Camera::framing(-huge, huge, FRONT),
            Camera::framing(Vec3::ONE, Vec3::ONE, Vec3::ZERO),
            Camera::framing_perspective(Vec3::ONE, Vec3::ONE, TOP, f32::NAN),
            Camera::orthographic(Vec3::ONE, Vec3::ONE, Vec3::ZERO, -1.0),
            Camera::perspective(nan, Vec3::ONE, nan, 1e9),
        ] {
            assert!(camera.eye.is_finite() && camera.half.min_element() > 0.0);
            assert!((camera.right.cross(camera.up) - camera.back).length() < 1e-5);
        }
    }
}
