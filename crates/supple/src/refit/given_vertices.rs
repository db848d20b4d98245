//! Vertices that somebody else has moved: one position per vertex, and where the body is.
//!
//! In: positions and a placement. Out: placed positions, one by one or all.
//! Must hold: both are the same bits. With the columns `x, y, z, t` of the placement's matrix, rounded to f32, a vertex is
//! `(x p_x + z p_z) + (y p_y + t)`, as for a vertex of one joint; where the placement is the identity it is `p` itself.

use glam::{Vec3, Vec4};

use super::posed_twigs::Point;
use super::whole_body::PoseVertices;
use crate::math::Isometry;
use crate::mesh::{edge_counts, weld_positions};
use crate::pose::{PoseError, columns};
use crate::simd::{Block, Eight, TwoFours};
use crate::skin::transform_by;
use crate::tree::{MAX_COORDINATE, Tree};

/// Positions of all vertices; out of use, but with its memory, while joints move the body.
#[derive(Clone, Debug, Default)]
pub(crate) struct GivenVertices {
    /// As they were given; the fourth number is 0.
    positions: Vec<Vec4>,
    /// Of the placement; none where it is the identity.
    matrix: Option<Block<2>>,
    /// Edges of an odd number of triangles, if they have been counted.
    odd_edges: Option<usize>,
}

impl GivenVertices {
    /// Takes positions that were checked.
    pub fn set(&mut self, positions: &[Vec3], placement: &Isometry) {
        self.positions.clear();
        self.positions.extend(positions.iter().map(|p| p.extend(0.0)));
        self.odd_edges = None;
        self.set_placement(placement);
    }

    /// Takes a placement that was checked.
    pub fn set_placement(&mut self, placement: &Isometry) {
        let moved = *placement != Isometry::IDENTITY;
        self.matrix = moved.then(|| columns(&placement.to_affine3a()));
    }

    /// Refuses a placement that takes vertices too far.
    pub fn check_placement(&self, placement: &Isometry) -> Result<(), PoseError> {
        check_distance(self.positions.iter().map(|p| p.truncate()), placement)
    }

    /// One vertex, placed.
    pub fn position(&self, vertex: usize) -> Vec3 {
        placed::<TwoFours>(self.matrix.as_ref(), self.positions[vertex]).truncate()
    }

    /// What places the vertices.
    pub fn placing(&self) -> Placing<'_> {
        Placing { matrix: self.matrix.as_ref(), positions: &self.positions }
    }

    /// Edges of an odd number of triangles, where vertices at the same position are one. Counted once.
    pub fn odd_edges(&mut self, triangles: &[[u32; 3]]) -> usize {
        *self.odd_edges.get_or_insert_with(|| {
            let positions: Vec<Vec3> = self.positions.iter().map(|p| p.truncate()).collect();
            edge_counts(triangles, &weld_positions(&positions)).odd
        })
    }

    /// Bytes of memory held.
    pub fn bytes(&self) -> usize {
        self.positions.capacity() * size_of::<Vec4>()
    }
}

/// Refuses positions that are too many, too few, not finite or too far.
pub(super) fn check_positions(
    positions: &[Vec3],
    expected: usize,
    placement: &Isometry,
) -> Result<(), PoseError> {
    if positions.len() != expected {
        return Err(PoseError::VertexCount { expected, found: positions.len() });
    }
    // NaN and what is infinite are not below the limit either.
    let limit = Vec4::splat(MAX_COORDINATE);
    let near = positions.iter().fold(true, |near, p| near & p.extend(0.0).abs().cmple(limit).all());
    if !near && let Some(vertex) = positions.iter().position(|p| !p.is_finite()) {
        return Err(PoseError::VertexNotFinite { vertex: vertex as u32 });
    }
    check_distance(positions.iter().copied(), placement)
}

/// Refuses positions that are too far from the origin, where they are or where they are placed.
fn check_distance(
    positions: impl ExactSizeIterator<Item = Vec3> + Clone,
    placement: &Isometry,
) -> Result<(), PoseError> {
    let farthest = positions.clone().fold(Vec4::ZERO, |most, p| most.max(p.extend(0.0).abs()));
    let shift = placement.translation.abs().max_element();
    // A turned vector has no coordinate longer than itself.
    let most = f64::from(farthest.max_element()) * 3f64.sqrt() + shift;
    if most <= f64::from(MAX_COORDINATE) {
        return Ok(());
    }
    let distance =
        |p: Vec3| p.as_dvec3().abs().max_element().max(placement.transform_point(p).abs().max_element());
    match positions.map(distance).enumerate().find(|(_, distance)| *distance > f64::from(MAX_COORDINATE)) {
        Some((vertex, distance)) => Err(PoseError::VertexTooFar { vertex: vertex as u32, distance }),
        None => Ok(()),
    }
}

#[inline(always)]
fn placed<E: Eight>(matrix: Option<&Block<2>>, p: Vec4) -> Vec4 {
    match matrix {
        Some(matrix) => transform_by::<E>(matrix, p.truncate()),
        None => p,
    }
}

/// Places vertices.
#[derive(Clone, Copy)]
pub(super) struct Placing<'a> {
    matrix: Option<&'a Block<2>>,
    positions: &'a [Vec4],
}

impl PoseVertices for Placing<'_> {
    #[inline(always)]
    fn pose_all<E: Eight>(&self, tree: &Tree, to: &mut [Point]) {
        for (own, &vertex) in to.iter_mut().zip(&tree.vertices) {
            *own = placed::<E>(self.matrix, self.positions[vertex as usize]).to_array();
        }
    }
}
