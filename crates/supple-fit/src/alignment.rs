//! The rigid transform that takes points nearest to others, in the sense of weighted least squares.
//!
//! In: weighted pairs of points, added one by one. Out: a rotation and a translation, never a reflection.
//! Must hold: where points leave the rotation open (one point, points on a line), it is the one nearest to none.
//!
//! Based on: B. K. P. Horn, Closed-form Solution of Absolute Orientation Using Unit Quaternions, 1987.

use glam::{DMat3, DQuat, DVec3};
use supple::Isometry;

use crate::symmetric_eigen::symmetric_eigen;

/// Sums over pairs of points.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Alignment {
    weight: f64,
    from: DVec3,
    to: DVec3,
    /// `sum w to from^T`, by columns.
    products: [DVec3; 3],
}

impl Alignment {
    #[inline(always)]
    pub fn add(&mut self, weight: f64, from: DVec3, to: DVec3) {
        self.weight += weight;
        self.from += from * weight;
        self.to += to * weight;
        let to = to * weight;
        self.products[0] += to * from.x;
        self.products[1] += to * from.y;
        self.products[2] += to * from.z;
    }

    /// `x -> R x + t`; nothing moves without any weight.
    pub fn solve(&self) -> Isometry {
        if self.weight <= 0.0 {
            return Isometry::IDENTITY;
        }
        let (from, to) = (self.from / self.weight, self.to / self.weight);
        let [x, y, z] = self.products;
        let rotation = nearest_rotation(DMat3::from_cols(
            x - self.to * from.x,
            y - self.to * from.y,
            z - self.to * from.z,
        ));
        Isometry { rotation, translation: to - rotation * from }
    }

    /// The rotation alone, about the origin: for normals.
    pub fn solve_rotation(&self) -> Isometry {
        let [x, y, z] = self.products;
        Isometry::from_rotation(nearest_rotation(DMat3::from_cols(x, y, z)))
    }
}

/// The rotation `R` with the largest `trace(R^T M)`: the eigenvector of Horn's matrix with the largest eigenvalue, as a
/// quaternion.
fn nearest_rotation(m: DMat3) -> DQuat {
    let [sxx, sxy, sxz] = m.x_axis.to_array();
    let [syx, syy, syz] = m.y_axis.to_array();
    let [szx, szy, szz] = m.z_axis.to_array();
    // Here s_ij = sum from_i to_j; order w, x, y, z.
    let mut horn = [
        sxx + syy + szz,
        0.0,
        0.0,
        0.0,
        syz - szy,
        sxx - syy - szz,
        0.0,
        0.0,
        szx - sxz,
        sxy + syx,
        syy - sxx - szz,
        0.0,
        sxy - syx,
        szx + sxz,
        syz + szy,
        szz - sxx - syy,
    ];
    let size = horn.iter().fold(0.0f64, |s, x| s.max(x.abs()));
    if size == 0.0 || !size.is_finite() {
        return DQuat::IDENTITY;
    }
    // Of rotations that are equally good, the one that turns least: an advantage far above rounding, far below any real
    // one.
    horn[0] += 1e-9 * size;
    let eigen = symmetric_eigen(&horn, 4);
    let [w, x, y, z] = [0, 1, 2, 3].map(|i| eigen.vectors[0][i]);
    DQuat::from_xyzw(x, y, z, w).normalize()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rigid_motion_is_found_again() {
        let points = [DVec3::ZERO, DVec3::X, DVec3::Y * 2.0, DVec3::new(0.3, -0.2, 0.7)];
        for (angle, count) in [(0.0, 4), (0.4, 4), (2.5, 4), (std::f64::consts::PI, 4), (1.0, 3)] {
            let axis = DVec3::new(1.0, 2.0, -0.5).normalize();
            let motion = Isometry::new(DQuat::from_axis_angle(axis, angle), DVec3::new(5.0, -3.0, 2.0));
            let mut sums = Alignment::default();
            for (i, &p) in points[..count].iter().enumerate() {
                sums.add(1.0 + i as f64, p, motion.transform_point(p));
            }
            let found = sums.solve();
            for &p in &points[..count] {
                assert!(
                    found.transform_point(p).distance(motion.transform_point(p)) < 1e-7,
                    "{angle} {count}"
                );
            }
        }
    }

    #[test]
    fn what_is_open_does_not_turn() {
        let mut one = Alignment::default();
        one.add(2.0, DVec3::X, DVec3::Y);
        assert_eq!(one.solve(), Isometry::from_translation(DVec3::Y - DVec3::X));
        let mut line = Alignment::default();
        for i in 0..3 {
            line.add(1.0, DVec3::X * i as f64, DVec3::X * i as f64);
        }
        assert!(line.solve().rotation.w.abs() > 1.0 - 1e-12);
        assert_eq!(Alignment::default().solve(), Isometry::IDENTITY);
    }
}
