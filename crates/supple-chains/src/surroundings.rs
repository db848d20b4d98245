//! Surrounding regions: every triangle belongs to the nearest sphere of its region.
//!
//! Based on: F. A. Madera, E. Ayala, F. Moo-Mena, Self-collision Detection using Sphere Chains, 2015, section 5.1.

use std::collections::BTreeMap;

use glam::Vec3;
use supple::Model;

use crate::pairs::PairSet;
use crate::pivots::Pivots;
use crate::{ChainSphere, Regions};

pub(crate) struct Surroundings {
    /// The sphere of each triangle.
    pub of_triangle: Vec<u32>,
    centers: Vec<Vec3>,
}

impl Surroundings {
    /// Gives the spheres their triangles; spheres that get none are removed.
    pub fn new(model: &Model, positions: &[Vec3], regions: &Regions, spheres: &mut Vec<ChainSphere>) -> Self {
        let centers: Vec<Vec3> = model
            .mesh()
            .triangles()
            .iter()
            .map(|corners| corners.map(|v| positions[v as usize]).iter().sum::<Vec3>() / 3.0)
            .collect();
        let nearest = |spheres: &[ChainSphere], triangle: usize| {
            let region = regions.of_triangles()[triangle];
            let distance = |sphere: &ChainSphere| sphere.adjusted.center.distance_squared(centers[triangle]);
            let own = spheres.iter().enumerate().filter(|(_, sphere)| sphere.region == region);
            own.min_by(|(_, a), (_, b)| distance(a).total_cmp(&distance(b))).map_or(0, |(number, _)| number)
        };
        let mut used = vec![false; spheres.len()];
        (0..centers.len()).for_each(|triangle| used[nearest(spheres, triangle)] = true);
        let mut used = used.into_iter();
        spheres.retain(|_| used.next().unwrap_or(false));
        let of_triangle: Vec<u32> = (0..centers.len()).map(|t| nearest(spheres, t) as u32).collect();
        for (triangle, &sphere) in (0..).zip(&of_triangle) {
            spheres[sphere as usize].triangles.push(triangle);
        }
        Self { of_triangle, centers }
    }

    /// What each sphere follows.
    pub fn pivots(&self, spheres: &[ChainSphere], count: usize) -> Vec<Pivots> {
        let follow = |sphere: &ChainSphere| {
            let candidates: Vec<(u32, Vec3)> =
                sphere.triangles.iter().map(|&t| (t, self.centers[t as usize])).collect();
            Pivots::new(&sphere.adjusted, &candidates, count)
        };
        spheres.iter().map(follow).collect()
    }

    /// Pairs of spheres whose triangles share a vertex, seams welded; and every sphere with itself.
    pub fn neighbours(&self, model: &Model, spheres: usize) -> PairSet {
        let welded = model.welded_vertices();
        let mut at_vertex: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for (corners, &sphere) in model.mesh().triangles().iter().zip(&self.of_triangle) {
            for vertex in corners {
                let there = at_vertex.entry(welded[*vertex as usize]).or_default();
                if !there.contains(&sphere) {
                    there.push(sphere);
                }
            }
        }
        let mut pairs = PairSet::new(spheres);
        (0..spheres).for_each(|sphere| pairs.insert(sphere, sphere));
        for there in at_vertex.values() {
            for &a in there {
                there.iter().for_each(|&b| pairs.insert(a as usize, b as usize));
            }
        }
        pairs
    }
}
