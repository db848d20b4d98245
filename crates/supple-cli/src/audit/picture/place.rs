//! Where a contact is, and how much around it a close-up shows.
//!
//! In: a subject. Out: the contact's lines, its center, and the room around it. Must hold: the room is positive and the center
//! finite, whatever the subject.

use glam::Vec3;
use supple::Aabb;
use supple::narrow::contact;
use supple_draw::Camera;

use super::Subject;

/// Room in radii of the contact. Small contacts get more, to tell what is around them, up to a share of the body's size; the tiniest get
/// a smaller share, so that they are still seen.
const RADII: f32 = 1.7;
const MORE_RADII: f32 = 10.0;
const WIDE_ROOM: f32 = 0.1;
const LEAST_ROOM: f32 = 0.045;

/// What a close-up shows.
#[derive(Clone, Debug)]
pub struct Place {
    /// Where triangles cross.
    pub lines: Vec<[Vec3; 2]>,
    pub center: Vec3,
    /// From the center to the upper border.
    pub room: f32,
}

impl Place {
    pub fn new(subject: &Subject) -> Self {
        let corners = |t: u32| {
            let vertices = subject.triangles.get(t as usize)?;
            let [a, b, c] = vertices.map(|v| subject.positions.get(v as usize).copied());
            Some([a?, b?, c?]).filter(|corners| corners.iter().all(|corner| corner.is_finite()))
        };
        let line = |&[a, b]: &[u32; 2]| Some(contact(&corners(a)?, &corners(b)?)?.points);
        let lines: Vec<[Vec3; 2]> = subject.pairs.iter().filter_map(line).collect();
        let body = finite_box(subject.positions.iter().copied());
        let marked = || subject.pairs.iter().flatten().filter_map(|&t| corners(t)).flatten();
        let spot = finite_box(lines.iter().flatten().copied())
            .or_else(|| finite_box(marked()))
            .or(body)
            .unwrap_or(Aabb { min: Vec3::ZERO, max: Vec3::ZERO });
        let size = body.map_or(0.0, |body| 2.0 * body.half_extents().max_element());
        let radius = spot.half_extents().length();
        let wide = (MORE_RADII * radius).clamp(LEAST_ROOM * size, WIDE_ROOM * size);
        let room = (RADII * radius).max(wide).max(f32::MIN_POSITIVE);
        Self { lines, center: spot.center(), room }
    }

    /// The camera of the close-up.
    pub fn camera(&self, direction: Vec3) -> Camera {
        Camera::orthographic(self.center + direction, self.center, Vec3::Y, 2.0 * self.room)
    }
}

fn finite_box(points: impl Iterator<Item = Vec3>) -> Option<Aabb> {
    let bounds = Aabb::from_points(points.filter(|point| point.is_finite()));
    (bounds.half_extents().is_finite() && bounds.center().is_finite()).then_some(bounds)
}
