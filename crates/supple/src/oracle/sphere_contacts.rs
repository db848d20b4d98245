//! Which spheres overlap spheres, triangles or a plane: all of them.
//!
//! A query about pieces of bodies may leave out a pair whose spheres overlap if spheres further up are apart, but never one
//! whose triangles touch; and it reports nothing that is not found here.

use super::PosedMesh;
use crate::answer::Pair;
use crate::math::Sphere;
use crate::narrow::{Plane, closest_point_of_triangle};

/// All pairs of spheres that overlap, by their numbers, ascending.
pub fn sphere_contacts(a: &[Sphere], b: &[Sphere]) -> Vec<Pair> {
    let pairs =
        (0u32..).zip(a).flat_map(|(i, own)| (0u32..).zip(b).map(move |(j, other)| (i, own, j, other)));
    pairs.filter(|(_, own, _, other)| own.intersects(other)).map(|(i, _, j, _)| [i, j]).collect()
}

/// All spheres and triangles of a posed mesh that overlap: number of the sphere, number of the triangle; ascending.
pub fn sphere_triangle_contacts(a: &[Sphere], b: PosedMesh) -> Vec<Pair> {
    let triangles = b.triangles();
    let mut pairs = Vec::new();
    for (i, sphere) in (0u32..).zip(a) {
        let radius_sq = f64::from(sphere.radius) * f64::from(sphere.radius);
        for (j, (_, triangle)) in (0u32..).zip(&triangles) {
            if closest_point_of_triangle(sphere.center, triangle).distance_sq <= radius_sq {
                pairs.push([i, j]);
            }
        }
    }
    pairs
}

/// Numbers of all spheres that touch a plane or are partly below it.
pub fn sphere_plane_contacts(a: &[Sphere], plane: Plane) -> Vec<u32> {
    (0u32..).zip(a).filter(|(_, sphere)| plane.touches(**sphere)).map(|(i, _)| i).collect()
}
