//! A lower bound of the distance of two triangles, by gaps along a few axes.
//!
//! Exact for neighbours in a smooth surface, whose nearest features are edges and corners seen from above, and 0 where none of the axes
//! separates.

use glam::{DVec3, Vec3};

/// A lower bound of the distance of two triangles; 0 where none is found. Any axis gives one, however it was computed:
/// the gap along it, less what rounding in f64 may add. Where the bound is `enough`, it may be any that is.
///
/// Must be inlined where the processor's features are known: four axes are looked at side by side.
#[inline(always)]
pub(super) fn separation(a: &[Vec3; 3], b: &[Vec3; 3], enough: f64) -> f64 {
    // Relative to one corner, which f64 subtracts all but exactly. No closures: the standard library would not inline them.
    let origin = a[0].as_dvec3();
    let a = [a[0].as_dvec3() - origin, a[1].as_dvec3() - origin, a[2].as_dvec3() - origin];
    let b = [b[0].as_dvec3() - origin, b[1].as_dvec3() - origin, b[2].as_dvec3() - origin];
    let mut size_sq = larger(a[1].length_squared(), a[2].length_squared());
    for corner in b {
        size_sq = larger(size_sq, corner.length_squared());
    }
    let between = a[0] + a[1] + a[2] - b[0] - b[1] - b[2];
    let gap = gap_along(between, &a, &b);
    // A clear case needs neither root nor quotient: what is left out below is far less than a part in 20000.
    let enough_sq = enough * enough;
    if gap > 0.0 && gap * gap > 1.0001 * enough_sq * between.length_squared() && enough_sq > 1e-18 * size_sq {
        return enough;
    }
    let rounding = 1e-14 * size_sq.sqrt();
    let mut best = larger(0.0, apart(gap, between.length(), rounding));
    for [p, q, r] in [a, b] {
        if best >= enough {
            return best;
        }
        let normal = (q - p).cross(r - p);
        let axes = Axes::across(normal, [q - p, r - q, p - r]);
        best = larger(best, axes.farthest_apart(&a, &b, rounding));
    }
    best
}

/// The distance along an axis of some length with a gap; not positive where it does not separate.
#[inline(always)]
fn apart(gap: f64, length: f64, rounding: f64) -> f64 {
    if gap > 0.0 && length > 0.0 && length.is_finite() {
        gap / length * (1.0 - 1e-12) - rounding
    } else {
        0.0
    }
}

/// The gap between two triangles along an axis, times its length.
#[inline(always)]
fn gap_along(axis: DVec3, a: &[DVec3; 3], b: &[DVec3; 3]) -> f64 {
    let ([a_min, a_max], [b_min, b_max]) = (range_along(axis, a), range_along(axis, b));
    larger(b_min - a_max, a_min - b_max)
}

/// Least and greatest of three points along an axis.
#[inline(always)]
fn range_along(axis: DVec3, [p, q, r]: &[DVec3; 3]) -> [f64; 2] {
    let (p, q, r) = (axis.dot(*p), axis.dot(*q), axis.dot(*r));
    [smaller(smaller(p, q), r), larger(larger(p, q), r)]
}

/// Four axes side by side.
struct Axes {
    x: [f64; 4],
    y: [f64; 4],
    z: [f64; 4],
}

impl Axes {
    /// A normal, and what is across three edges: `normal x edge`.
    #[inline(always)]
    fn across(normal: DVec3, [e, f, g]: [DVec3; 3]) -> Self {
        let (ex, ey, ez) = ([0.0, e.x, f.x, g.x], [0.0, e.y, f.y, g.y], [0.0, e.z, f.z, g.z]);
        let mut axes = Self { x: [0.0; 4], y: [0.0; 4], z: [0.0; 4] };
        for i in 0..4 {
            axes.x[i] = normal.y * ez[i] - ey[i] * normal.z;
            axes.y[i] = normal.z * ex[i] - ez[i] * normal.x;
            axes.z[i] = normal.x * ey[i] - ex[i] * normal.y;
        }
        (axes.x[0], axes.y[0], axes.z[0]) = (normal.x, normal.y, normal.z);
        axes
    }

    /// The largest distance along any of them; 0 where none separates.
    #[inline(always)]
    fn farthest_apart(&self, a: &[DVec3; 3], b: &[DVec3; 3], rounding: f64) -> f64 {
        let ([a_min, a_max], [b_min, b_max]) = (self.ranges(a), self.ranges(b));
        let (mut gaps, mut lengths) = ([0.0; 4], [0.0; 4]);
        for i in 0..4 {
            gaps[i] = larger(b_min[i] - a_max[i], a_min[i] - b_max[i]);
            let [x, y, z] = [self.x[i], self.y[i], self.z[i]];
            lengths[i] = (x * x + y * y + z * z).sqrt();
        }
        let mut best = 0.0;
        for i in 0..4 {
            best = larger(best, apart(gaps[i], lengths[i], rounding));
        }
        best
    }

    /// Least and greatest of three points along each axis.
    #[inline(always)]
    fn ranges(&self, points: &[DVec3; 3]) -> [[f64; 4]; 2] {
        let mut along = [[0.0; 4]; 3];
        for k in 0..3 {
            for i in 0..4 {
                along[k][i] = self.x[i] * points[k].x + self.y[i] * points[k].y + self.z[i] * points[k].z;
            }
        }
        let [p, q, r] = along;
        let (mut min, mut max) = ([0.0; 4], [0.0; 4]);
        for i in 0..4 {
            min[i] = smaller(smaller(p[i], q[i]), r[i]);
            max[i] = larger(larger(p[i], q[i]), r[i]);
        }
        [min, max]
    }
}

/// Of numbers: neither is NaN, so that one instruction is enough.
#[inline(always)]
fn larger(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

/// Likewise.
#[inline(always)]
fn smaller(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

#[cfg(test)]
#[path = "../../tests/inside/tree/separation.rs"]
mod tests;
