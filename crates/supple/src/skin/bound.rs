//! Bounds of groups of vertices, for every skinning model.
//!
//! In: a group's weights and its box or sphere at rest. Out: a box or sphere that contains the group's posed vertices, as
//! the one vertex function computes them. Joint-sets are prepared. That margins are large enough is proved in
//! `docs/math/rounding.md`.

use glam::{Vec3, Vec4};

use super::corner_bound::{corner_box, corner_sphere_of_point};
use super::palette::column_vectors;
use super::rotation_bound::{RotationBlend, rotation_box, rotation_sphere};
use super::rounding::{largest_stretch, linear_margin};
use super::{Palette, SkinTerm, Skinning};
use crate::math::Sphere;
use crate::simd::Eight;

/// Least and greatest corner of the box of a group whose rest box has these rows; `changes` is the number of active
/// fields, for the rounding margin.
#[inline(always)]
pub(crate) fn group_box<E: Eight>(
    palette: &Palette,
    term: &SkinTerm,
    rest: [E; 2],
    changes: usize,
) -> [Vec4; 2] {
    match rotations(palette, term) {
        None => {
            let bound = linear_box(palette, term.joints, term.weights.base, term.weights.spread, rest);
            with_margin(palette, bound, term.joints.len(), changes)
        }
        Some(blend) => rotation_box(palette, term, rest, changes, blend),
    }
}

/// The same for linear blending, without a margin: of vertices whose weights lie in a simplex, or that one joint moves,
/// alone or with others.
#[inline(always)]
pub(crate) fn linear_box<E: Eight>(
    palette: &Palette,
    joints: &[u32],
    base: &[f32],
    spread: f32,
    rest: [E; 2],
) -> [Vec4; 2] {
    corner_box(&palette.matrices, joints, base, spread, rest)
}

/// With room for rounding.
#[inline(always)]
pub(crate) fn with_margin(
    palette: &Palette,
    [min, max]: [Vec4; 2],
    joints: usize,
    changes: usize,
) -> [Vec4; 2] {
    let margin = Vec4::splat(linear_margin(palette.magnitude, joints, changes));
    [min - margin, max + margin]
}

/// The sphere of a group with a sphere at rest.
pub(crate) fn group_sphere(palette: &Palette, term: &SkinTerm, rest: Sphere, changes: usize) -> Sphere {
    match rotations(palette, term) {
        None => linear_sphere(palette, term, rest, changes),
        Some(blend) => rotation_sphere(palette, term, rest, changes, blend),
    }
}

/// How rotations are blended; `None` where nothing but matrices is.
#[inline(always)]
fn rotations(palette: &Palette, term: &SkinTerm) -> Option<RotationBlend> {
    if term.joints.len() == 1 {
        return None;
    }
    let center: Option<Vec3> = palette.rotation_centers.get(term.set).copied().flatten();
    match palette.skinning() {
        Skinning::Linear => None,
        Skinning::Spherical => {
            let center = center.expect("joint-sets are prepared before their vertices are bounded");
            Some(RotationBlend::Spherical { center })
        }
        Skinning::DualQuaternion => Some(RotationBlend::Dual { anchor: center }),
    }
}

/// An offset from the center grows at most by the largest stretch.
fn linear_sphere(palette: &Palette, term: &SkinTerm, rest: Sphere, changes: usize) -> Sphere {
    let (center, spread) = corner_sphere_of_point(&palette.matrices, term.joints, &term.weights, rest.center);
    let stretch = |&joint: &u32| {
        let [x, y, z, _] = column_vectors(&palette.matrices[joint as usize]);
        largest_stretch([x, y, z])
    };
    let largest = term.joints.iter().map(stretch).fold(0.0, f32::max);
    // A margin per axis is at most twice as long in space.
    let margin = 2.0 * linear_margin(palette.magnitude, term.joints.len(), changes);
    Sphere::new(center, spread + largest * rest.radius + margin)
}
