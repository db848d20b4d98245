//! Spheres of one cross-section: one around a limb, several side by side in a trunk, moved to where they fit best.
//!
//! ```text
//! F_i = r - |c - v_i|                      how far a point of the surface is from the sphere
//! c(t) = c_0 + t (disk - c_0),  r(t) = mean |c(t) - v_i|,  t from 0 to 1 such that the sum of F_i^2 is least
//! ```
//!
//! Based on: F. A. Madera, E. Ayala, F. Moo-Mena, Self-collision Detection using Sphere Chains, 2015, section 3.2, figures 3 to 5
//! (sphere adjustment).

use glam::{DVec3, Vec3};
use supple::Sphere;

use crate::axis::longest_direction;
use crate::disk::{Section, rounded};

/// A sphere of a level.
#[derive(Clone, Debug)]
pub(crate) struct Fitted {
    /// About the middle of its points, around all of them.
    pub first: Sphere,
    /// Moved towards the disk's center to where it fits best.
    pub adjusted: Sphere,
    pub hits: Vec<Vec3>,
}

/// Steps of the search for the best center.
const STEPS: usize = 64;

/// The spheres of a cross-section, from one end of its longest direction to the other.
pub(crate) fn spheres(section: &Section, count: usize) -> Vec<Fitted> {
    parts(section, count)
        .iter()
        .filter(|part| !part.is_empty())
        .map(|part| fit(part, section.center))
        .collect()
}

/// One sphere for a region that has no cross-sections.
pub(crate) fn around_all(points: &[DVec3]) -> Fitted {
    fit(points, points.iter().sum::<DVec3>() / points.len() as f64)
}

/// The points divided into pieces of equal length along the section's longest direction.
fn parts(section: &Section, count: usize) -> Vec<Vec<DVec3>> {
    if count == 1 {
        return vec![section.hits.clone()];
    }
    let along = longest_direction(&section.hits, section.center);
    // From the side of smaller coordinates, so that one side's spheres stand in one column.
    let along = if along.dot(DVec3::ONE) < 0.0 { -along } else { along };
    let distances: Vec<f64> = section.hits.iter().map(|&p| (p - section.center).dot(along)).collect();
    let (low, high) = distances
        .iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &x| (low.min(x), high.max(x)));
    let mut parts = vec![Vec::new(); count];
    for (&hit, &distance) in section.hits.iter().zip(&distances) {
        let part = ((distance - low) / (high - low).max(f64::MIN_POSITIVE) * count as f64) as usize;
        parts[part.min(count - 1)].push(hit);
    }
    parts
}

fn fit(points: &[DVec3], disk: DVec3) -> Fitted {
    let count = points.len() as f64;
    let start = points.iter().sum::<DVec3>() / count;
    let mean = |c: DVec3| points.iter().map(|p| p.distance(c)).sum::<f64>() / count;
    let misfit = |c: DVec3| {
        let radius = mean(c);
        points.iter().map(|p| (radius - p.distance(c)).powi(2)).sum::<f64>()
    };
    let at = |step: usize| start.lerp(disk, step as f64 / STEPS as f64);
    let best = (0..=STEPS).map(at).reduce(|a, b| if misfit(b) < misfit(a) { b } else { a }).unwrap_or(start);
    let farthest = points.iter().map(|p| p.distance(start)).fold(0.0, f64::max);
    Fitted {
        first: Sphere::new(start.as_vec3(), farthest as f32),
        adjusted: Sphere::new(best.as_vec3(), mean(best) as f32),
        hits: rounded(points),
    }
}
