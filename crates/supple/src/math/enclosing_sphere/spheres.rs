//! A nearly smallest enclosing sphere of spheres, with a certificate: it stops when a lower bound of the radius
//! is reached.
//!
//! In: spheres. Out: a sphere that contains each of them, by [`Sphere::contains_sphere`].
//!
//! Based on: Ritter, An Efficient Bounding Sphere, 1990 (the start); Bădoiu, Clarkson, Smaller Core-Sets for
//! Balls, 2003 (few points stand for all).

use glam::{DVec3, Vec3};

use super::points::{farthest_from, smallest_sphere};
use crate::math::outward::radius_of;
use crate::math::sphere::Sphere;

/// A sphere around the spheres; radius 0 at the origin if there are none.
///
/// Exact, up to rounding, for two spheres and where one sphere contains the others. Otherwise the radius is at
/// most [`SPHERES_PRECISION`] above the smallest one, or slightly more where the largest sphere sticks out of its
/// surroundings but contains them almost (the search is limited, see `MAX_CORE`). Numbers must be finite,
/// radii not negative.
pub fn enclosing_sphere_of_spheres(spheres: &[Sphere]) -> Sphere {
    let Some(first) = spheres.first() else {
        return Sphere::new(Vec3::ZERO, 0.0);
    };
    let largest =
        spheres.iter().fold(first, |best, sphere| if sphere.radius > best.radius { sphere } else { best });
    if spheres.iter().all(|sphere| largest.contains_sphere(sphere)) {
        return *largest;
    }
    let center = match spheres {
        [a, b] => center_of_two(a, b),
        many => center_of_many(many, largest),
    };
    let center = center.as_vec3();
    Sphere::new(center, radius_of(farthest_side(center.as_dvec3(), spheres).0))
}

/// Where the search stops: upper and lower bound of the radius this close, relatively.
pub const SPHERES_PRECISION: f64 = 1e-3;

/// 10,000 random sets of 3 to 1,000 spheres took 2 to 11 points; spheres nearly inside their largest take more.
const MAX_CORE: usize = 48;

/// Center of the smallest sphere around two: the middle of their common line, or the larger if it contains the
/// other.
fn center_of_two(a: &Sphere, b: &Sphere) -> DVec3 {
    let (large, small) = if a.radius >= b.radius { (a, b) } else { (b, a) };
    let start = large.center.as_dvec3();
    let between = small.center.as_dvec3() - start;
    let distance = between.length();
    // Radius (distance + r + s) / 2, center that much less r away from the larger one.
    let step = (distance + f64::from(small.radius) - f64::from(large.radius)) * 0.5;
    if step > 0.0 { start + between * (step / distance) } else { start }
}

/// Grows a set of points of the spheres: its smallest sphere bounds the radius from below, and how far spheres extend from its
/// center from above; the far point of the sphere that extends farthest comes in next, until both bounds meet.
fn center_of_many(spheres: &[Sphere], largest: &Sphere) -> DVec3 {
    // Ritter's start: the farthest from anywhere, and the farthest from that.
    let origin = largest.center.as_dvec3();
    let (_, one_end) = farthest_side(origin, spheres);
    let (_, other_end) = farthest_side(one_end.center.as_dvec3(), spheres);
    let mut center = center_of_two(one_end, other_end);
    let mut best = (f64::INFINITY, center);
    let mut core = [DVec3::ZERO; MAX_CORE];
    for count in 0..MAX_CORE {
        let (radius, farthest) = farthest_side(center, spheres);
        if radius < best.0 {
            best = (radius, center);
        }
        core[count] = far_point(farthest, center) - origin;
        let points = &core[..=count];
        let lower = smallest_sphere(core[0], |center| farthest_from(center, points.iter().copied()));
        if best.0 <= lower.radius_sq.sqrt() * (1.0 + SPHERES_PRECISION) {
            break;
        }
        center = origin + lower.center;
    }
    best.1
}

/// Distance from `center` to the far side of the sphere that extends farthest, and that sphere; `spheres` is not
/// empty.
fn farthest_side(center: DVec3, spheres: &[Sphere]) -> (f64, &Sphere) {
    let far_side = |sphere: &Sphere| sphere.center.as_dvec3().distance(center) + f64::from(sphere.radius);
    let mut best = (far_side(&spheres[0]), &spheres[0]);
    for sphere in &spheres[1..] {
        let distance = far_side(sphere);
        if distance > best.0 {
            best = (distance, sphere);
        }
    }
    best
}

/// The point of the sphere that is farthest from `center`; any direction will do from its own center.
fn far_point(sphere: &Sphere, center: DVec3) -> DVec3 {
    let outward = (sphere.center.as_dvec3() - center).try_normalize().unwrap_or(DVec3::X);
    sphere.center.as_dvec3() + outward * f64::from(sphere.radius)
}
