//! Where a blended dual quaternion takes a point, and how that changes with the blend.
//!
//! With `b = (a0 + r) + eps (ae + d)`, `n = |a0 + r|^2`:
//!
//! ```text
//! v'     = p + 2/n N,   N = r (r.p) - p (r.r) + a0 r x p + a0 d - ae r + r x d
//! dv'/db = 2/n ( dN/db - (v' - p) (a0 + r) )
//! ```
//!
//! Must hold: `v'` is what `supple` computes for unit joints, in f64.
//!
//! Based on: L. Kavan, Real-time Skeletal Animation, 2007, Algorithm 4.2 and section 7.2.2.

use glam::{DAffine3, DQuat, DVec3};
use supple::Isometry;
use supple::math::DualQuat;

/// Real x, y, z, w and dual x, y, z, w.
pub(crate) type Eight = [f64; 8];

pub(crate) fn to_eight(isometry: &Isometry) -> Eight {
    let q = DualQuat::from_isometry(*isometry);
    let ([x, y, z, w], [dx, dy, dz, dw]) = (q.real.to_array(), q.dual.to_array());
    [x, y, z, w, dx, dy, dz, dw]
}

/// The dual quaternion of a map that is rigid up to rounding.
pub(crate) fn dual_quaternion(map: &DAffine3) -> Eight {
    to_eight(&isometry(map))
}

/// A map that is rigid up to rounding, as one that is rigid.
pub(crate) fn isometry(map: &DAffine3) -> Isometry {
    Isometry::new(DQuat::from_mat3(&map.matrix3).normalize(), map.translation)
}

/// `sum w_i s_i q_i` with signs that align every joint with the first; writes `w_i s_i`.
#[inline(always)]
pub(crate) fn blend(quaternions: &[Eight], joints: &[u32], weights: &[f64], signed: &mut Vec<f64>) -> Eight {
    signed.clear();
    let pivot = &quaternions[joints[0] as usize];
    let mut sum = [0.0; 8];
    for (&joint, &weight) in joints.iter().zip(weights) {
        let q = &quaternions[joint as usize];
        let dot = pivot[0] * q[0] + pivot[1] * q[1] + pivot[2] * q[2] + pivot[3] * q[3];
        let weight = if dot < 0.0 { -weight } else { weight };
        signed.push(weight);
        for lane in 0..8 {
            sum[lane] += weight * q[lane];
        }
    }
    sum
}

fn parts(b: &Eight) -> (DVec3, f64, DVec3, f64) {
    (DVec3::new(b[0], b[1], b[2]), b[3], DVec3::new(b[4], b[5], b[6]), b[7])
}

fn norm_sq(b: &Eight) -> f64 {
    // Rotations that cancel have no direction; `supple` then follows the heaviest joint, here the error is just large.
    (b[0] * b[0] + b[1] * b[1] + b[2] * b[2] + b[3] * b[3]).max(1e-6)
}

/// `v'`.
#[inline(always)]
pub(crate) fn moved(b: &Eight, p: DVec3) -> DVec3 {
    let (r, a0, d, ae) = parts(b);
    let turn = r.cross(r.cross(p) + p * a0);
    p + (turn + d * a0 - r * ae + r.cross(d)) * (2.0 / norm_sq(b))
}

/// The rigid transform that a blend stands for.
pub(crate) fn rigid(b: &Eight) -> Isometry {
    let rotation = DQuat::from_xyzw(b[0], b[1], b[2], b[3]) * (1.0 / norm_sq(b).sqrt());
    Isometry { rotation: rotation.normalize(), translation: moved(b, DVec3::ZERO) }
}

/// `v'`, and the columns of `dv'/db`.
#[inline(always)]
pub(crate) fn moved_with_change(b: &Eight, p: DVec3) -> (DVec3, [DVec3; 8]) {
    let (r, a0, d, ae) = parts(b);
    let scale = 2.0 / norm_sq(b);
    let to = moved(b, p);
    let shift = to - p;
    let along = r.dot(p);
    // Column i of dN/dr: e_i (r.p) + r p_i - 2 p r_i + a0 e_i x p - ae e_i + e_i x d.
    let turned = p * a0 + d;
    let column = |e: DVec3, p_i: f64, r_i: f64| {
        (e * (along - ae) + r * p_i - p * (2.0 * r_i) + e.cross(turned) - shift * r_i) * scale
    };
    let dual = |e: DVec3| (e * a0 + r.cross(e)) * scale;
    let change = [
        column(DVec3::X, p.x, r.x),
        column(DVec3::Y, p.y, r.y),
        column(DVec3::Z, p.z, r.z),
        (r.cross(p) + d - shift * a0) * scale,
        dual(DVec3::X),
        dual(DVec3::Y),
        dual(DVec3::Z),
        -r * scale,
    ];
    (to, change)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_change_is_that_of_the_point() {
        let b: Eight = [0.3, -0.2, 0.5, 0.9, 0.4, -0.7, 0.1, 0.25];
        let p = DVec3::new(0.7, -1.2, 0.4);
        let (to, change) = moved_with_change(&b, p);
        assert_eq!(to, moved(&b, p));
        for lane in 0..8 {
            let step = |h: f64| {
                let mut c = b;
                c[lane] += h;
                moved(&c, p)
            };
            let difference = (step(1e-6) - step(-1e-6)) / 2e-6;
            assert!(difference.distance(change[lane]) < 1e-8, "{lane}: {difference} {}", change[lane]);
        }
        // A point moved by the blend is a point moved rigidly.
        assert!(rigid(&b).transform_point(p).distance(to) < 1e-12);
    }

    #[test]
    fn a_unit_dual_quaternion_moves_as_its_isometry() {
        let motion = Isometry::new(DQuat::from_rotation_y(1.1), DVec3::new(1.0, 2.0, 3.0));
        let p = DVec3::new(0.7, -1.2, 0.4);
        assert!(moved(&to_eight(&motion), p).distance(motion.transform_point(p)) < 1e-12);
    }
}
