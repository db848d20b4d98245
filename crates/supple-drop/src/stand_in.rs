//! A coarse mesh that stands for a fine one where it is a few pixels large.
//!
//! In: a model. Out: some of its vertices and triangles between them. Must hold: vertices are the model's own, so that the model's
//! fields flex the stand-in too.
//!
//! Based on: J. Rossignac, P. Borrel, Multi-resolution 3D approximations for rendering complex scenes, 1993: vertices in a cell of a
//! grid become one.

use std::collections::{BTreeMap, BTreeSet};

use glam::Vec3;
use supple::{Isometry, Model};
use supple::rest::Rest;

/// A mesh with few triangles.
pub(crate) struct StandIn {
    positions: Vec<Vec3>,
    /// `displacements[vertex * fields + field]`
    displacements: Vec<Vec3>,
    pub triangles: Vec<[u32; 3]>,
}

impl StandIn {
    /// With so many cells along the longest side.
    pub fn new(model: &Model, cells: usize) -> Self {
        let positions = model.mesh().positions();
        let start = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        let (min, max) = positions.iter().fold(start, |(min, max), &p| (min.min(p), max.max(p)));
        let size = (max - min).max_element() / cells as f32;
        let cell = |p: Vec3| ((p - min) / size).as_ivec3().to_array();
        // The vertex nearest to the middle of its cell stands for all in there.
        let mut nearest: BTreeMap<[i32; 3], (f32, u32)> = BTreeMap::new();
        for (vertex, &p) in (0u32..).zip(positions) {
            let middle = min + (Vec3::from_array(cell(p).map(|index| index as f32)) + 0.5) * size;
            let found = (p.distance_squared(middle), vertex);
            let best = nearest.entry(cell(p)).or_insert(found);
            if found.0 < best.0 {
                *best = found;
            }
        }
        let kept: Vec<u32> = nearest.values().map(|&(_, vertex)| vertex).collect();
        let number: BTreeMap<[i32; 3], u32> = nearest.keys().copied().zip(0u32..).collect();
        let corner = |vertex: u32| number[&cell(positions[vertex as usize])];
        let coarse = model.mesh().triangles().iter().map(|triangle| triangle.map(corner));
        // Both sides of a thin panel fall on each other; one is enough.
        let mut seen = BTreeSet::new();
        let triangles = coarse
            .filter(|&[a, b, c]| a != b && b != c && c != a)
            .filter(|triangle| {
                let mut sorted = *triangle;
                sorted.sort_unstable();
                seen.insert(sorted)
            })
            .collect();
        let fields = model.rest().coefficient_count();
        let mut displacements = vec![Vec3::ZERO; kept.len() * fields];
        if let Rest::Fields(rest) = model.rest() {
            for (place, &vertex) in kept.iter().enumerate() {
                for (field, displacement) in rest.of_vertex(vertex as usize) {
                    displacements[place * fields + field] = displacement;
                }
            }
        }
        let positions = kept.iter().map(|&vertex| positions[vertex as usize]).collect();
        Self { positions, displacements, triangles }
    }

    /// Posed positions.
    pub fn posed(&self, place: &Isometry, coefficients: &[f32]) -> Vec<Vec3> {
        let matrix = place.to_affine3a();
        let fields = coefficients.len();
        let flexed = |(vertex, &p): (usize, &Vec3)| {
            let moved = self.displacements[vertex * fields..][..fields].iter().zip(coefficients);
            matrix.transform_point3(p + moved.map(|(displacement, &q)| *displacement * q).sum::<Vec3>())
        };
        self.positions.iter().enumerate().map(flexed).collect()
    }
}
