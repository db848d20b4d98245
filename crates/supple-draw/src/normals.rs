//! Vertex normals for smooth shading, computed from the mesh.
//!
//! In come positions and triangles, out goes one unit normal per vertex. Vertices at exactly the same
//! position share their normal, so seams (of texture coordinates, of parts) do not show. Each triangle counts
//! by its angle at the vertex, which makes the normal independent of how a flat piece is cut into triangles.
//! Where the sum vanishes (no triangle, or two opposite sheets) the normal is zero and the caller falls back
//! to the triangle's own.
//! Based on: Thuermer and Wuethrich, Computing Vertex Normals from Polygonal Facets, 1998.

use std::collections::HashMap;

use glam::Vec3;

/// One normal per vertex, unit or zero.
pub(crate) fn vertex_normals(positions: &[Vec3], triangles: &[[u32; 3]]) -> Vec<Vec3> {
    let first_at = weld(positions);
    let mut sums = vec![Vec3::ZERO; positions.len()];
    for triangle in triangles {
        let Some(corners) = corners(positions, *triangle) else {
            continue;
        };
        let normal = face_normal(corners);
        for side in 0..3 {
            let here = corners[side];
            let (to_next, to_last) = (corners[(side + 1) % 3] - here, corners[(side + 2) % 3] - here);
            let angle = to_next.angle_between(to_last);
            if angle.is_finite() {
                sums[first_at[triangle[side] as usize]] += normal * angle;
            }
        }
    }
    // Sums of a few radians at most: below 1e-4 only rounding is left of opposite sheets.
    let unit = |sum: Vec3| {
        if sum.length() > 1e-4 { sum.normalize_or_zero() } else { Vec3::ZERO }
    };
    first_at.iter().map(|&first| unit(sums[first])).collect()
}

/// The three positions of a triangle, if its indices exist and the positions are finite.
pub(crate) fn corners(positions: &[Vec3], triangle: [u32; 3]) -> Option<[Vec3; 3]> {
    let corner = |index: u32| positions.get(index as usize).copied().filter(|position| position.is_finite());
    Some([corner(triangle[0])?, corner(triangle[1])?, corner(triangle[2])?])
}

/// The unit normal of a counter-clockwise triangle, zero if it has no area.
pub(crate) fn face_normal([a, b, c]: [Vec3; 3]) -> Vec3 {
    // Unit edges first: a tiny or huge triangle must not under- or overflow.
    (b - a).normalize_or_zero().cross((c - a).normalize_or_zero()).normalize_or_zero()
}

/// For each vertex the first vertex with exactly the same position.
fn weld(positions: &[Vec3]) -> Vec<usize> {
    let mut first_at = HashMap::with_capacity(positions.len());
    positions
        .iter()
        .enumerate()
        .map(|(index, position)| {
            // + 0 turns -0 into 0, which is the same position.
            let key = position.to_array().map(|x| (x + 0.0).to_bits());
            *first_at.entry(key).or_insert(index)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seams_share_their_normal() {
        // A roof of two quads whose ridge vertices are doubled.
        let positions = [
            Vec3::new(-1.0, 0.0, 0.0),
            Vec3::new(-1.0, 0.0, 1.0),
            Vec3::new(0.0, 1.0, 1.0),
            Vec3::new(0.0, 1.0, 0.0),
            Vec3::new(-0.0, 1.0, 0.0),
            Vec3::new(0.0, 1.0, 1.0),
            Vec3::new(1.0, 0.0, 1.0),
            Vec3::new(1.0, 0.0, 0.0),
        ];
        let triangles = [[0, 1, 2], [0, 2, 3], [4, 5, 6], [4, 6, 7]];
        let normals = vertex_normals(&positions, &triangles);
        for ridge in 2..6 {
            assert!((normals[ridge] - Vec3::Y).length() < 1e-6);
        }
        assert!((normals[0] - Vec3::new(-1.0, 1.0, 0.0).normalize()).length() < 1e-6);
    }

    #[test]
    fn bad_triangles_leave_no_trace() {
        let positions = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::NAN];
        let good = vertex_normals(&positions, &[[0, 1, 2]]);
        let with_bad = vertex_normals(&positions, &[[0, 1, 9], [0, 1, 3], [0, 0, 1], [0, 1, 2]]);
        assert_eq!(good[..3], with_bad[..3]);
        assert_eq!(good[0], Vec3::Z);
        assert_eq!(with_bad[3], Vec3::ZERO);
    }

    #[test]
    fn opposite_sheets_give_zero() {
        let positions = [Vec3::ZERO, Vec3::X, Vec3::Y];
        let normals = vertex_normals(&positions, &[[0, 1, 2], [2, 1, 0]]);
        assert_eq!(normals, [Vec3::ZERO; 3]);
    }
}
