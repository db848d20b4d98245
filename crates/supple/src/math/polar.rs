//! Polar decomposition: the rotation inside an affine map.
//!
//! In: any finite 3x3 matrix, for instance the linear part of a joint transform. Out: `A = R S` with a proper
//! rotation `R` and a symmetric `S`. Where `det A > 0`, `S` is positive definite; where `det A < 0` (a
//! mirrored joint), `S` is negative definite. A joint that is rigid up to `f32` rounding gives exactly
//! `S = 1`, one with uniform scale exactly `S = s 1`, so callers may compare.
//!
//! A matrix of rank 2 or 1 (zero scale along one or two axes) leaves `R` open; the choice is: the missing
//! axes are completed to a proper rotation that turns no further than needed, and `S` is zero there. The sign
//! of the determinant counts only if it is more than rounding: see `RANK_TOLERANCE`.
//!
//! Based on: Higham, Computing the Polar Decomposition with Applications, 1986 (the decomposition); Hestenes,
//! Inversion of Matrices by Biorthogonalization, 1958 (one-sided Jacobi, which keeps small singular values).

use glam::{DMat3, DQuat, DVec3};

/// Decomposes `a = r * s`, see the module. Elements must be finite; if one is not, `s` is not finite either.
///
/// Costs about 30 multiplications when `a` is a rotation times a uniform scale.
pub fn polar(a: DMat3) -> (DQuat, DMat3) {
    if let Some(rotation_and_scale) = uniform(a) {
        return rotation_and_scale;
    }
    let size = a.to_cols_array().iter().fold(0.0f64, |m, x| m.max(x.abs()));
    if size == 0.0 || !a.is_finite() {
        return (DQuat::IDENTITY, a);
    }
    // Elements of size 1 keep squares of elements inside the range of f64.
    let unit = DMat3::from_cols(a.x_axis / size, a.y_axis / size, a.z_axis / size);
    let (rotation, stretch) = uniform(unit).unwrap_or_else(|| general(unit));
    (rotation, stretch * size)
}

/// Bound of the largest singular value of a matrix: by Gershgorin's theorem no eigenvalue of `M^T M` exceeds the largest sum
/// of absolute values of its rows. Exact (up to rounding) where the columns are orthogonal.
pub fn largest_stretch(m: DMat3) -> f64 {
    let [x, y, z] = [m.x_axis, m.y_axis, m.z_axis];
    let [xy, xz, yz] = [x.dot(y).abs(), x.dot(z).abs(), y.dot(z).abs()];
    let rows = [x.dot(x) + xy + xz, xy + y.dot(y) + yz, xz + yz + z.dot(z)];
    rows[0].max(rows[1]).max(rows[2]).sqrt()
}

/// How far `A^T A` may be from a multiple of 1 for `A` to count as rotation times uniform scale: matrices
/// from files are `f32`, and a product of a few of them is off by this much.
pub(super) const UNIFORM_TOLERANCE: f64 = 16.0 * f32::EPSILON as f64;

/// A singular value below this part of the largest is what `f32` rounding makes of zero: the sign of the
/// determinant means nothing then, and the rotation is completed from the other axes.
const RANK_TOLERANCE: f64 = 16.0 * f32::EPSILON as f64;

/// The fast path: `A^T A = s^2 1` within rounding. None otherwise, or if squares leave the range of f64.
pub(super) fn uniform(a: DMat3) -> Option<(DQuat, DMat3)> {
    let (xx, yy, zz) = (a.x_axis.length_squared(), a.y_axis.length_squared(), a.z_axis.length_squared());
    let s_sq = (xx + yy + zz) / 3.0;
    if !(1e-200..1e200).contains(&s_sq) {
        return None;
    }
    let tolerance = UNIFORM_TOLERANCE * s_sq;
    let near = |value: f64, wanted: f64| (value - wanted).abs() <= tolerance;
    let angles_right = near(a.x_axis.dot(a.y_axis), 0.0)
        && near(a.x_axis.dot(a.z_axis), 0.0)
        && near(a.y_axis.dot(a.z_axis), 0.0);
    if !(angles_right && near(xx, s_sq) && near(yy, s_sq) && near(zz, s_sq)) {
        return None;
    }
    let length = if (s_sq - 1.0).abs() <= UNIFORM_TOLERANCE { 1.0 } else { s_sq.sqrt() };
    let scale = if a.determinant() < 0.0 { -length } else { length };
    Some((quaternion(a * (1.0 / scale)), DMat3::from_diagonal(DVec3::splat(scale))))
}

/// `A V = U diag(sigma)`, then `R = U V^T` and `S = V diag(sigma) V^T`, both negated where the determinant is
/// negative.
fn general(a: DMat3) -> (DQuat, DMat3) {
    let (image, v) = orthogonal_columns(a);
    let sigma = DVec3::new(image.x_axis.length(), image.y_axis.length(), image.z_axis.length());
    let zero = RANK_TOLERANCE * sigma.x;
    let u_x = image.x_axis / sigma.x;
    if sigma.y <= zero {
        // Rank 1: only v_x -> u_x is known; take the shortest rotation that does it.
        let rotation = DQuat::from_rotation_arc(v.x_axis, u_x).normalize();
        return (rotation, symmetric_part(DMat3::from_quat(rotation).transpose() * a));
    }
    let u_y = (image.y_axis - u_x * u_x.dot(image.y_axis)).normalize();
    let u = DMat3::from_cols(u_x, u_y, u_x.cross(u_y));
    // v is a rotation, so the sign of the third stretch is the sign of det A.
    let third = u.z_axis.dot(image.z_axis);
    let mirrored = third < -zero;
    let (u, stretch) = if mirrored {
        // -U diag(-sigma): the first two columns of U change sign, the third is already the negative one.
        (DMat3::from_cols(-u.x_axis, -u.y_axis, u.z_axis), DVec3::new(-sigma.x, -sigma.y, third))
    } else {
        (u, DVec3::new(sigma.x, sigma.y, third))
    };
    (quaternion(u * v.transpose()), symmetric_part(v * DMat3::from_diagonal(stretch) * v.transpose()))
}

/// Rotates the columns of `a` until they are orthogonal: returns `(A V, V)`, longest column first, `V` a
/// rotation.
fn orthogonal_columns(a: DMat3) -> (DMat3, DMat3) {
    let (mut image, mut v) = (a, DMat3::IDENTITY);
    for _ in 0..MAX_SWEEPS {
        let mut turned = false;
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            turned |= orthogonalise_pair(&mut image, &mut v, p, q);
        }
        if !turned {
            break;
        }
    }
    for (p, q) in [(0, 1), (0, 2), (1, 2)] {
        if image.col(p).length_squared() < image.col(q).length_squared() {
            swap_columns(&mut image, p, q);
            swap_columns(&mut v, p, q);
        }
    }
    (image, v)
}

/// Quadratic convergence as for the symmetric problem: 20,000 random matrices, many of them singular or badly
/// scaled, took at most 5.
const MAX_SWEEPS: usize = 32;

/// One Jacobi rotation of columns `p` and `q`; false if they are orthogonal already.
fn orthogonalise_pair(image: &mut DMat3, v: &mut DMat3, p: usize, q: usize) -> bool {
    let (x, y) = (image.col(p), image.col(q));
    let (alpha, beta, gamma) = (x.length_squared(), y.length_squared(), x.dot(y));
    // A column below 1e-16 of the other is rounding of zero; turning it further would turn noise.
    let negligible = alpha.min(beta) <= 1e-32 * alpha.max(beta);
    if negligible || gamma.abs() <= 1e-15 * (alpha * beta).sqrt() {
        return false;
    }
    let zeta = (beta - alpha) / (2.0 * gamma);
    let t = zeta.signum() / (zeta.abs() + zeta.hypot(1.0));
    let cos = 1.0 / t.hypot(1.0);
    let sin = t * cos;
    for m in [image, v] {
        let (x, y) = (m.col(p), m.col(q));
        *m.col_mut(p) = x * cos - y * sin;
        *m.col_mut(q) = x * sin + y * cos;
    }
    true
}

/// Swaps and negates one of them, which keeps the determinant.
fn swap_columns(m: &mut DMat3, p: usize, q: usize) {
    let (x, y) = (m.col(p), m.col(q));
    *m.col_mut(p) = y;
    *m.col_mut(q) = -x;
}

fn quaternion(rotation: DMat3) -> DQuat {
    DQuat::from_mat3(&rotation).normalize()
}

fn symmetric_part(m: DMat3) -> DMat3 {
    (m + m.transpose()) * 0.5
}
