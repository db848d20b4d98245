//! Whether a contact can be seen from outside: exact rays from points of its curve to everywhere.
//!
//! In: a posed body and a contact. Out: the share of rays that leave the body.
//!
//! Points are the middles of the segments in which pairs of triangles cross, evenly chosen; from each, rays go in all directions
//! alike. A ray begins a little away from its point, which lies on both surfaces. From a point in a fold between two surfaces,
//! rays leave through the wedge between them; from one that is covered, none does.

use glam::Vec3;
use supple::narrow::contact;
use supple::{Body, Ray, cast_ray_any};

use crate::contacts::Contact;
use crate::surface::Surface;

/// Points of a contact that are looked from, and rays per point.
const POINTS: usize = 8;
const RAYS: usize = 48;

/// Rays begin this far from their point, in parts of the size.
const AWAY: f32 = 5e-4;

/// A contact is seen if this share of all rays leaves: through a sleeve, a few always do.
const SEEN: f32 = 0.03;

/// Where a contact is, for rays.
pub struct Visibility {
    points: Vec<Vec3>,
    away: f32,
}

impl Visibility {
    /// Points of a contact, evenly chosen.
    pub fn new(surface: &Surface, positions: &[Vec3], found: &Contact, size: f32) -> Self {
        let corners = |t: u32| surface.triangles[t as usize].map(|v| positions[v as usize]);
        let count = found.pairs.len();
        let chosen =
            (0..count.min(POINTS)).map(|i| found.pairs[(2 * i + 1) * count / (2 * count.min(POINTS))]);
        let middle = |[a, b]: [u32; 2]| {
            let [from, to] = contact(&corners(a), &corners(b))?.points;
            Some(from.midpoint(to))
        };
        Self { points: chosen.filter_map(middle).collect(), away: AWAY * size }
    }

    /// The middle of the points.
    pub fn middle(&self) -> Vec3 {
        self.points.iter().sum::<Vec3>() / self.points.len().max(1) as f32
    }

    /// The share of rays that leave the body.
    pub fn share(&self, body: &mut Body) -> f32 {
        let free: usize = self.points.iter().map(|&point| self.free_rays(body, point)).sum();
        free as f32 / (RAYS * self.points.len()).max(1) as f32
    }

    /// Whether enough rays leave it; ends as soon as that is sure.
    pub fn is_seen(&self, body: &mut Body) -> bool {
        let needed = (SEEN * (RAYS * self.points.len()) as f32).ceil() as usize;
        let mut free = 0;
        for &point in &self.points {
            free += self.free_rays(body, point);
            if free >= needed.max(1) {
                return true;
            }
        }
        false
    }

    fn free_rays(&self, body: &mut Body, point: Vec3) -> usize {
        let leaves = |direction: &Vec3| {
            let ray = Ray::new(point + self.away * direction, *direction);
            ray.is_ok_and(|ray| cast_ray_any(body, ray).found.is_none())
        };
        directions().filter(leaves).count()
    }
}

/// Directions all around, alike in every region: a spiral from pole to pole.
fn directions() -> impl Iterator<Item = Vec3> {
    let golden = std::f32::consts::PI * (3.0 - 5.0f32.sqrt());
    (0..RAYS).map(move |i| {
        let y = 1.0 - (2 * i + 1) as f32 / RAYS as f32;
        let (sin, cos) = (golden * i as f32).sin_cos();
        let radius = (1.0 - y * y).max(0.0).sqrt();
        Vec3::new(radius * cos, y, radius * sin)
    })
}
