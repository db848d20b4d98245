//! The unit sphere as a subdivided icosahedron: the most even triangles a sphere can have.
//!
//! In: a level. Out: `20 * 4^level` triangles, oriented outwards, vertices on the unit sphere.

use std::collections::BTreeMap;

use glam::Vec3;

/// More triangles than this nobody needs of a sphere: five million.
const MAX_LEVEL: u32 = 9;

/// Vertices and triangles of the unit sphere; levels above 9 count as 9.
pub fn icosphere(level: u32) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let (mut positions, mut triangles) = icosahedron();
    for _ in 0..level.min(MAX_LEVEL) {
        let mut midpoints = BTreeMap::new();
        let mut midpoint = |a: u32, b: u32| {
            *midpoints.entry((a.min(b), a.max(b))).or_insert_with(|| {
                positions.push((positions[a as usize] + positions[b as usize]).normalize());
                positions.len() as u32 - 1
            })
        };
        triangles = triangles
            .iter()
            .flat_map(|&[a, b, c]| {
                let (ab, bc, ca) = (midpoint(a, b), midpoint(b, c), midpoint(c, a));
                [[a, ab, ca], [b, bc, ab], [c, ca, bc], [ab, bc, ca]]
            })
            .collect();
    }
    (positions, triangles)
}

fn icosahedron() -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let golden = (1.0 + 5.0f32.sqrt()) / 2.0;
    let mut positions = Vec::with_capacity(12);
    for (a, b) in [(-1.0, golden), (1.0, golden), (-1.0, -golden), (1.0, -golden)] {
        positions.push(Vec3::new(a, b, 0.0).normalize());
    }
    for (a, b) in [(-1.0, golden), (1.0, golden), (-1.0, -golden), (1.0, -golden)] {
        positions.push(Vec3::new(0.0, a, b).normalize());
    }
    for (a, b) in [(-1.0, golden), (1.0, golden), (-1.0, -golden), (1.0, -golden)] {
        positions.push(Vec3::new(b, 0.0, a).normalize());
    }
    #[rustfmt::skip]
    let triangles = vec![
        [0, 11, 5], [0, 5, 1], [0, 1, 7], [0, 7, 10], [0, 10, 11],
        [1, 5, 9], [5, 11, 4], [11, 10, 2], [10, 7, 6], [7, 1, 8],
        [3, 9, 4], [3, 4, 2], [3, 2, 6], [3, 6, 8], [3, 8, 9],
        [4, 9, 5], [2, 4, 11], [6, 2, 10], [8, 6, 7], [9, 8, 1],
    ];
    (positions, triangles)
}
