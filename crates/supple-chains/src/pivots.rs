//! Pivots: a few triangles that a sphere follows.
//!
//! The paper puts the center at the mean of four triangles around it, and makes the mean of the distances to them the radius. Here the
//! weights of the triangles differ from equal ones by as little as it takes to give the center at rest, and the radius is
//! scaled by the distances:
//!
//! ```text
//! c = sum b_i p_i,   b_i = 1/n + d_i . l,   d_i = p_i - m,   (sum d_i d_i^T) l = c_0 - m,   m the mean of p_i at rest
//! r = r_0 (sum |p_i - c|) / (the same at rest)
//! ```
//!
//! Directions in which the triangles hardly differ are left out of `l`: weights would be large, and shake the sphere.
//!
//! Based on: F. A. Madera, E. Ayala, F. Moo-Mena, Self-collision Detection using Sphere Chains, 2015, section 5.1.

use glam::{DMat3, DVec3, Vec3};
use supple::Sphere;
use supple::math::SymmetricEigen;

/// Directions with less than this share of the largest spread are left out.
const LEAST_SPREAD: f64 = 0.05;

/// What a sphere follows.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Pivots {
    /// Triangles, with their weights.
    pub triangles: Vec<(u32, f32)>,
    /// Radius at rest by the sum of distances there.
    scale: f32,
}

impl Pivots {
    /// Triangles in directions as different as possible, out of some with their centers.
    pub fn new(sphere: &Sphere, candidates: &[(u32, Vec3)], count: usize) -> Self {
        let center = sphere.center.as_dvec3();
        let directions: Vec<DVec3> =
            candidates.iter().map(|(_, p)| (p.as_dvec3() - center).normalize_or_zero()).collect();
        // The first is the one that lies on the sphere best.
        let off = |candidate: usize| {
            (candidates[candidate].1.as_dvec3().distance(center) - f64::from(sphere.radius)).abs()
        };
        let nearer = |a: usize, b: usize| if off(b) < off(a) { b } else { a };
        let mut chosen: Vec<usize> = (0..candidates.len()).reduce(nearer).into_iter().collect();
        let mut closest: Vec<f64> = vec![f64::NEG_INFINITY; candidates.len()];
        while chosen.len() < count.min(candidates.len()) {
            let last = directions[chosen[chosen.len() - 1]];
            for (closest, direction) in closest.iter_mut().zip(&directions) {
                *closest = closest.max(direction.dot(last));
            }
            let farther = |a: usize, b: usize| if closest[b] < closest[a] { b } else { a };
            let free = (0..candidates.len()).filter(|candidate| !chosen.contains(candidate));
            chosen.extend(free.reduce(farther));
        }
        let points: Vec<DVec3> = chosen.iter().map(|&candidate| candidates[candidate].1.as_dvec3()).collect();
        let weights = weights(&points, center);
        let follows: DVec3 = points.iter().zip(&weights).map(|(&p, &b)| p * b).sum();
        let distances: f64 = points.iter().map(|p| p.distance(follows)).sum();
        let scale = if distances > 0.0 { f64::from(sphere.radius) / distances } else { 0.0 };
        let triangles =
            chosen.iter().zip(weights).map(|(&candidate, weight)| (candidates[candidate].0, weight as f32));
        Self { triangles: triangles.collect(), scale: scale as f32 }
    }

    /// The sphere, from where the centers of the triangles are now.
    pub fn sphere(&self, points: &[Vec3]) -> Sphere {
        let center: Vec3 = points.iter().zip(&self.triangles).map(|(&p, &(_, weight))| p * weight).sum();
        let distances: f32 = points.iter().map(|p| p.distance(center)).sum();
        Sphere::new(center, self.scale * distances)
    }
}

fn weights(points: &[DVec3], center: DVec3) -> Vec<f64> {
    let count = points.len() as f64;
    let mean = points.iter().sum::<DVec3>() / count;
    let spread = points.iter().fold(DMat3::ZERO, |sum, &p| {
        let d = p - mean;
        sum + DMat3::from_cols(d * d.x, d * d.y, d * d.z)
    });
    let SymmetricEigen { values, vectors } = SymmetricEigen::new(spread);
    let mut shift = DVec3::ZERO;
    for axis in 0..3 {
        if values[axis] > LEAST_SPREAD * values.x && values[axis] > 0.0 {
            let direction = vectors.col(axis);
            shift += direction * (direction.dot(center - mean) / values[axis]);
        }
    }
    points.iter().map(|&p| 1.0 / count + (p - mean).dot(shift)).collect()
}
