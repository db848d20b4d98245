//! Table 4.1: the blending methods as its columns, and by how much each violates the properties of its rows.
//!
//! In: a method and the transforms to blend. Out: a violation: rounding where the property holds, of the order of magnitude
//! of 1 where it does not. Nothing lies between.
//!
//! Based on: Kavan, Real-time Skeletal Animation, 2007, sections 4.1 to 4.4.

use glam::{DAffine3, DMat3, DQuat, DVec3};
use supple::Isometry;
use supple::math::{DualQuat, SymmetricEigen};

use super::{ScrewAlgebra, dib, dlb, linear, log_matrix, qlb0, sclerp, spherical};

/// A column of the table.
#[derive(Clone, Copy, Debug)]
pub struct BlendMethod {
    /// As the thesis calls it.
    pub name: &'static str,
    /// Transforms and convex weights to their blend.
    pub blend: fn(&[Isometry], &[f64]) -> DAffine3,
}

/// [`linear`](super::linear()) blending.
pub const LINEAR: BlendMethod = BlendMethod { name: "linear", blend: linear };
/// [`qlb0`].
pub const QLB0: BlendMethod = BlendMethod { name: "QLB'_0", blend: |m, w| qlb0(m, w).to_affine() };
/// [`spherical`](super::spherical()) blending.
pub const SPHERICAL: BlendMethod = BlendMethod { name: "SB", blend: |m, w| spherical(m, w).to_affine() };
/// [`log_matrix`](super::log_matrix()) blending.
pub const LOG: BlendMethod = BlendMethod { name: "Log", blend: |m, w| log_matrix(m, w).to_affine() };
/// [`sclerp`] of the first two.
pub const SCLERP: BlendMethod =
    BlendMethod { name: "ScLERP", blend: |m, w| sclerp(w[1] / (w[0] + w[1]), m[0], m[1]).to_affine() };
/// [`dlb`].
pub const DLB: BlendMethod = BlendMethod { name: "DLB", blend: |m, w| dlb(m, w).to_affine() };
/// [`dib`], as far as f64 goes.
pub const DIB: BlendMethod =
    BlendMethod { name: "DIB", blend: |m, w| dib(m, w, 1e-13, 100).blend.to_affine() };

/// The columns in the order of the thesis.
pub const METHODS: [BlendMethod; 7] = [LINEAR, QLB0, SPHERICAL, LOG, SCLERP, DLB, DIB];

/// By how much the way from one transform to another differs from the shortest one, at the worst of several times.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PathViolation {
    /// How far angle (radians) and translation of the screw are from what is linear in time.
    pub speed: f64,
    /// How far the direction of the axis turns, or the rotation overshoots: first half of "shortest path".
    pub direction: f64,
    /// How far the axis moves away: second half of "shortest path".
    pub moment: f64,
}

impl BlendMethod {
    /// `U blend(M) = blend(U M)`
    pub fn left_violation(&self, u: Isometry, m: &[Isometry], w: &[f64]) -> f64 {
        difference(u.to_affine() * (self.blend)(m, w), (self.blend)(&mapped(m, |m| u * m), w))
    }

    /// `blend(M) U = blend(M U)`
    pub fn right_violation(&self, u: Isometry, m: &[Isometry], w: &[f64]) -> f64 {
        difference((self.blend)(m, w) * u.to_affine(), (self.blend)(&mapped(m, |m| m * u), w))
    }

    /// `U blend(M) U^-1 = blend(U M U^-1)`
    pub fn coordinate_violation(&self, u: Isometry, m: &[Isometry], w: &[f64]) -> f64 {
        let back = u.inverse();
        let moved = u.to_affine() * (self.blend)(m, w) * back.to_affine();
        difference(moved, (self.blend)(&mapped(m, |m| u * m * back), w))
    }

    /// How far the blend is from a rotation and a translation: see [`rigidity_violation`].
    pub fn rigidity_violation(&self, m: &[Isometry], w: &[f64]) -> f64 {
        rigidity_violation((self.blend)(m, w))
    }

    /// Section 4.2: whether two transforms, which must not have the same rotation, are blended along one screw at constant speed.
    pub fn path_violation(&self, pair: [Isometry; 2]) -> PathViolation {
        let whole = Screw::of(pair[0].inverse() * pair[1]);
        let mut worst = PathViolation::default();
        for t in TIMES {
            let screw = Screw::at(self, pair, t);
            let (angle, pitch) = (screw.angle - t * whole.angle, screw.pitch - t * whole.pitch);
            worst.speed = worst.speed.max(angle.abs()).max(pitch.abs());
            let overshoot = screw.angle - whole.angle;
            worst.direction = worst.direction.max(screw.axis.distance(whole.axis)).max(overshoot);
            worst.moment = worst.moment.max(screw.moment.distance(whole.moment));
        }
        worst
    }
}

/// Times at which a path is looked at.
const TIMES: [f64; 6] = [0.1, 0.25, 0.4, 0.6, 0.75, 0.9];

/// Largest difference of matrix elements.
pub fn difference(a: DAffine3, b: DAffine3) -> f64 {
    a.to_cols_array().iter().zip(b.to_cols_array()).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max)
}

/// All transforms with something done to each.
pub fn mapped(transforms: &[Isometry], f: impl Fn(Isometry) -> Isometry) -> Vec<Isometry> {
    transforms.iter().map(|m| f(*m)).collect()
}

/// Distance of the matrix from a rotation: largest element of `A^T A - 1`, and at least 1 if it mirrors.
pub fn rigidity_violation(blend: DAffine3) -> f64 {
    let a = blend.matrix3;
    let excess = a.transpose() * a - DMat3::IDENTITY;
    let mirrored = if a.determinant() < 0.0 { 1.0 } else { 0.0 };
    excess.to_cols_array().iter().fold(mirrored, |largest, x| x.abs().max(largest))
}

/// The smallest singular value of the system for the rotation center (formula 3.1), pair by pair; two transforms always have
/// one that is 0, so of theirs the second counts. Where it is small the center is cut off (by design), and spherical
/// blending is invariant to 1e-3 only.
pub fn smallest_singular_value(transforms: &[Isometry]) -> f64 {
    let mut normal = DMat3::ZERO;
    for (i, a) in transforms.iter().enumerate() {
        for b in &transforms[..i] {
            let d = DMat3::from_quat(a.rotation) - DMat3::from_quat(b.rotation);
            normal += d.transpose() * d;
        }
    }
    let values = SymmetricEigen::new(normal).values.max(DVec3::ZERO).map(f64::sqrt);
    if transforms.len() == 2 { values.x.min(values.y) } else { values.min_element() }
}

/// Weights of the sum 1, in the ratios of these.
pub fn convex(raw: &[f64]) -> Vec<f64> {
    let sum: f64 = raw.iter().sum();
    raw.iter().map(|w| w / sum).collect()
}

/// Screw of a rigid transform: axis direction and moment, angle, translation along the axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Screw {
    /// Direction of the axis, of unit length.
    pub axis: DVec3,
    /// `p x axis` for any point `p` of the axis.
    pub moment: DVec3,
    /// In radians.
    pub angle: f64,
    /// Translation along the axis.
    pub pitch: f64,
}

impl Screw {
    /// Of a transform that does rotate: `log = (axis + eps moment) (angle + eps pitch) / 2`.
    pub fn of(m: Isometry) -> Self {
        let q = DualQuat::from_isometry(m);
        let log = if q.real.w < 0.0 { -q } else { q }.log();
        let (l, e) = (log.real.xyz(), log.dual.xyz());
        let axis = l.normalize();
        let moment = (e - axis * axis.dot(e)) / l.length();
        Self { axis, moment, angle: 2.0 * l.length(), pitch: 2.0 * axis.dot(e) }
    }

    /// Of the way from the first transform to the blend at `t`.
    pub fn at(method: &BlendMethod, [a, b]: [Isometry; 2], t: f64) -> Self {
        let blend = (method.blend)(&[a, b], &[1.0 - t, t]);
        let rotation = DQuat::from_mat3(&blend.matrix3).normalize();
        Self::of(a.inverse() * Isometry::new(rotation, blend.translation))
    }
}
