//! A disk of rays: what a region looks like from inside, in one plane.
//!
//! Rays leave the center of the disk in its plane. Of a ray counts where it leaves the region for good: inner parts like eyes and
//! teeth, and the fingers of a hand, lie in between. Rays that only meet other regions say nothing about this one.
//!
//! Based on: F. A. Madera, E. Ayala, F. Moo-Mena, Self-collision Detection using Sphere Chains, 2015, section 3.2.

use std::f64::consts::TAU;

use glam::{DVec3, Vec3};
use supple::{Body, Ray, cast_ray_all};

/// A ray that goes farther than this many times the median, and than the radius of the level before, is in another part of the
/// region, e.g. the foot of a bent leg.
const FARTHEST: f64 = 2.5;

/// What the rays of a disk met.
pub(crate) struct Section {
    /// The middle of the points.
    pub center: DVec3,
    /// Where rays left the region, in the order of their angles.
    pub hits: Vec<DVec3>,
    /// Rays that met nothing at all.
    pub escaped: usize,
    /// Length of the mean direction of the rays that met the region: 0 where it is all around, 0.64 where it is on one side.
    pub one_sidedness: f64,
}

/// Rays in one plane.
pub(crate) struct Disk<'a> {
    /// The region of each triangle.
    pub of_triangle: &'a [u32],
    /// The region it looks at.
    pub region: u32,
    /// Of the plane.
    pub normal: DVec3,
    pub rays: usize,
    /// Of the level before; 0 where there is none.
    pub radius_before: f64,
    /// Hits that are nearer are those of a surface on which the disk lies: it sees nothing there.
    pub nearest: f64,
}

impl Disk<'_> {
    /// Looks at the region around a point; the disk then moves to the middle of what it saw, and looks again.
    pub fn section(&self, body: &mut Body, around: DVec3) -> Section {
        let mut seen = self.look(body, around);
        for _ in 0..2 {
            if seen.hits.is_empty() {
                break;
            }
            seen = self.look(body, seen.center);
        }
        seen
    }

    fn look(&self, body: &mut Body, around: DVec3) -> Section {
        let (right, up) = self.normal.any_orthonormal_pair();
        let mut times: Vec<(DVec3, Vec<f64>)> = Vec::with_capacity(self.rays);
        let mut escaped = 0;
        for number in 0..self.rays {
            let (sin, cos) = (TAU * number as f64 / self.rays as f64).sin_cos();
            let direction = right * cos + up * sin;
            let Ok(ray) = Ray::new(around.as_vec3(), direction.as_vec3()) else { continue };
            let mut hits = cast_ray_all(body, ray).found;
            hits.retain(|hit| f64::from(hit.time) > self.nearest);
            escaped += usize::from(hits.is_empty());
            let own = hits.iter().filter(|hit| self.of_triangle[hit.triangle as usize] == self.region);
            times.push((direction, own.map(|hit| f64::from(hit.time)).collect()));
        }
        let mut last: Vec<f64> = times.iter().flat_map(|(_, own)| own.last()).copied().collect();
        last.sort_by(f64::total_cmp);
        let farthest =
            last.get(last.len() / 2).map_or(0.0, |median| FARTHEST * median.max(self.radius_before));
        let (mut hits, mut directions) = (Vec::new(), DVec3::ZERO);
        for (direction, own) in &times {
            if let Some(&time) = own.iter().rfind(|&&time| time <= farthest) {
                hits.push(around + *direction * time);
                directions += *direction;
            }
        }
        let center = middle(&hits).unwrap_or(around);
        let one_sidedness = directions.length() / hits.len().max(1) as f64;
        Section { center, hits, escaped, one_sidedness }
    }
}

/// The centroid of the closed line through points: rays crowd where the surface is near.
fn middle(points: &[DVec3]) -> Option<DVec3> {
    let (mut sum, mut length) = (DVec3::ZERO, 0.0);
    for (i, &p) in points.iter().enumerate() {
        let q = points[(i + 1) % points.len()];
        sum += (p + q) * (0.5 * p.distance(q));
        length += p.distance(q);
    }
    if length > 0.0 { Some(sum / length) } else { points.first().copied() }
}

/// For comparisons in f32.
pub(crate) fn rounded(points: &[DVec3]) -> Vec<Vec3> {
    points.iter().map(|p| p.as_vec3()).collect()
}
