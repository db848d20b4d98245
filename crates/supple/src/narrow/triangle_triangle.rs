//! Whether two triangles share a point.
//!
//! Comes in: two triangles with finite corners. Goes out: the exact answer for the closed point sets. Only signs of
//! volumes decide (see `predicates`); coplanar and degenerate pairs, where those are all zero, go to `flat`.
//!
//! Based on: Devillers and Guigue, Faster triangle-triangle intersection tests, INRIA report 4488, 2002; derived
//! anew below with closed sides, so that one rule covers all positions of corners on planes.

use glam::{DVec3, Vec3};

use super::Triangle;
use super::flat::flat_touch;
use super::predicates::{Sides, Sign, rough_volume, volume_error, volume_sign};

/// Whether two closed triangles share a point.
///
/// Exact for all finite corners: no epsilon decides, touching counts, and coplanar or degenerate triangles
/// (segments, points) are handled as the point sets they are. Symmetric in `a` and `b` and in the corners.
///
/// ```
/// use glam::Vec3;
/// use supple::narrow::triangles_touch;
/// let a = [Vec3::ZERO, Vec3::X, Vec3::Y];
/// let tip_on_edge = [Vec3::new(0.5, 0.5, 0.0), Vec3::new(1.0, 1.0, 1.0), Vec3::new(1.0, 1.0, -1.0)];
/// assert!(triangles_touch(&a, &tip_on_edge));
/// assert!(!triangles_touch(&a, &tip_on_edge.map(|v| v + Vec3::X * 1e-7)));
/// ```
#[inline]
pub fn triangles_touch(a: &Triangle, b: &Triangle) -> bool {
    match Arrangement::of(a, b) {
        Arrangement::Apart => false,
        Arrangement::Crossing(crossing) => crossing.intervals_overlap(),
        Arrangement::Flat => flat_touch(a, b),
    }
}

/// The same where it is already certain that each triangle crosses the plane of the other, and with which corners: two volumes
/// decide instead of eight.
///
/// Bit `i` of `above_b` is set where corner `i` of `a` is strictly above the plane of `b`, to which the cross product of its edges
/// points, and clear where it is strictly below; likewise the bits of `above_a` for the corners of `b` and the plane of `a`. Some corner
/// is on either side. `extents` are those of a box around both triangles, or of a larger one.
///
/// ```
/// use glam::Vec3;
/// use supple::narrow::{crossing_triangles_touch, triangles_touch};
/// let a = [Vec3::ZERO, Vec3::X, Vec3::Y];
/// let b = [Vec3::new(0.2, 0.2, 1.0), Vec3::new(0.2, 0.2, -1.0), Vec3::new(1.0, 2.0, -1.0)];
/// // Corner 0 of `b` is above the plane of `a`; corner 1 of `a` is above that of `b`, the others are below.
/// assert!(crossing_triangles_touch(&a, &b, 0b010, 0b001, Vec3::new(1.0, 2.0, 2.0)));
/// assert!(triangles_touch(&a, &b));
/// ```
#[inline]
pub fn crossing_triangles_touch(a: &Triangle, b: &Triangle, above_b: u8, above_a: u8, extents: Vec3) -> bool {
    let sides = |above: u8| Sides { above, below: !above & 7 };
    debug_assert!(!sides(above_b).apart() && !sides(above_a).apart());
    // Extents may have been rounded to f32: twice of it is more.
    let error = 2.0 * volume_error(extents.as_dvec3());
    Crossing::of(a, b, sides(above_b), sides(above_a), error).intervals_overlap()
}

/// How two triangles lie to each other's planes.
pub(super) enum Arrangement {
    /// Their boxes are disjoint, or one is strictly on one side of the other's plane.
    Apart,
    /// Both are proper triangles, and both meet the line in which their planes cross.
    Crossing(Crossing),
    /// They are coplanar, or at least one is degenerate.
    Flat,
}

impl Arrangement {
    /// The filter has its say about both planes before anything is computed exactly.
    #[inline]
    pub(super) fn of(a: &Triangle, b: &Triangle) -> Self {
        let Some(extents) = extents_if_boxes_meet(a, b) else { return Self::Apart };
        let error = volume_error(extents);
        let (wide_a, wide_b) = (a.map(Vec3::as_dvec3), b.map(Vec3::as_dvec3));
        let mut sides_b = Sides::filtered(&wide_a, &wide_b, error);
        if sides_b.apart() {
            return Self::Apart;
        }
        let mut sides_a = Sides::filtered(&wide_b, &wide_a, error);
        if sides_a.apart() {
            return Self::Apart;
        }
        if !(sides_b.complete() && sides_a.complete()) {
            // An axis-aligned plane, like a floor: all volumes vanish.
            if error == 0.0 {
                return Self::Flat;
            }
            sides_b = sides_b.decided(&wide_a, &wide_b);
            if sides_b.apart() {
                return Self::Apart;
            }
            if sides_b == Sides::IN_PLANE {
                return Self::Flat;
            }
            sides_a = sides_a.decided(&wide_b, &wide_a);
            if sides_a.apart() {
                return Self::Apart;
            }
            if sides_a == Sides::IN_PLANE {
                return Self::Flat;
            }
        }
        Self::Crossing(Crossing::of(a, b, sides_a, sides_b, error))
    }
}

/// Two triangles that both meet the line in which their planes cross, with their corners in a canonical order.
///
/// Let `(p, q, r)` be the corners of one triangle, `(P, Q, R)` those of the other, `N` and `M` their normals.
/// The order is such that `p` is not below the plane of `PQR` and `q`, `r` are not above it, and likewise `P` to
/// the plane of `pqr`; and no edge at `p` or `P` lies in the other plane. The edges at `p` and `P` then meet the
/// line `L = {both planes}` in one point each: `pq` in `x`, `pr` in `y`, `PQ` in `X`, `PR` in `Y`. Let
/// `D = N x M` be the direction of `L`.
///
/// Order of `x` and `X`: with `x = p + s (q - p)`, `X = P + S (Q - P)` and `X - x = t D`,
///
/// ```text
/// volume(p, q, P, Q) = det(q - p, P - p, Q - P)                  P - p = s (q - p) + t D - S (Q - P)
///                    = t det(q - p, D, Q - P)
///                    = t (N x M) . ((Q - P) x (q - p))
///                    = t (N . (Q - P)) (M . (q - p))             N . (q - p) = 0 = M . (Q - P)
/// ```
///
/// and both factors are negative, so the volume has the sign of `t`: it is positive when `X` lies beyond `x`.
/// The same holds for each pair of one edge at `p` and one at `P`.
///
/// Order of `x` and `y`: with `h = M . (p - P) >= 0`, `D = (v x w) x M = w (v . M) - v (w . M)` for `v = q - p`,
/// `w = r - p`; as `s v . M = -h`, `D` is a negative multiple of `y - x`. So the triangles occupy `[y, x]` and, the
/// roles and with them `D` exchanged, `[X, Y]`.
pub(super) struct Crossing {
    /// Where `p, q, r` stand in `a`.
    pub(super) corners_a: [usize; 3],
    /// Where `P, Q, R` stand in `b`.
    pub(super) corners_b: [usize; 3],
    a: [DVec3; 3],
    b: [DVec3; 3],
    error: f64,
}

impl Crossing {
    #[inline(always)]
    fn of(a: &Triangle, b: &Triangle, sides_a: Sides, sides_b: Sides, error: f64) -> Self {
        let (apex_a, apex_b) = (Apex::of(sides_a), Apex::of(sides_b));
        let corners_a = apex_a.corners(apex_b);
        let corners_b = apex_b.corners(apex_a);
        // Reading the f32 corners again is twice as fast as picking from the wide ones, which would have to go
        // through memory first.
        Self {
            corners_a,
            corners_b,
            a: corners_a.map(|i| a[i].as_dvec3()),
            b: corners_b.map(|i| b[i].as_dvec3()),
            error,
        }
    }

    /// Whether `X <= x` and `y <= Y` along the line.
    #[inline(always)]
    pub(super) fn intervals_overlap(&self) -> bool {
        let ([p, q, r], [big_p, big_q, big_r]) = (self.a, self.b);
        let big_x_beyond_x = rough_volume(p, q, big_p, big_q);
        let big_y_beyond_y = rough_volume(p, r, big_p, big_r);
        if big_x_beyond_x > self.error || big_y_beyond_y < -self.error {
            false
        } else if big_x_beyond_x < -self.error && big_y_beyond_y > self.error {
            true
        } else {
            self.intervals_overlap_exactly()
        }
    }

    #[cold]
    fn intervals_overlap_exactly(&self) -> bool {
        self.order(1, 1) <= 0 && self.order(2, 2) >= 0
    }

    /// 1 when the edge from `P` to a corner of `b` meets the line beyond the edge from `p` to a corner of `a`, 0 when
    /// they meet it in the same point.
    pub(super) fn order(&self, corner_a: usize, corner_b: usize) -> Sign {
        volume_sign(self.a[0], self.a[corner_a], self.b[0], self.b[corner_b])
    }
}

/// The extents of a box around both, unless their own boxes are disjoint: most pairs of two clusters are.
#[inline(always)]
fn extents_if_boxes_meet(a: &Triangle, b: &Triangle) -> Option<DVec3> {
    let (min_a, max_a) = (a[0].min(a[1]).min(a[2]), a[0].max(a[1]).max(a[2]));
    let (min_b, max_b) = (b[0].min(b[1]).min(b[2]), b[0].max(b[1]).max(b[2]));
    let meet = min_a.cmple(max_b).all() && min_b.cmple(max_a).all();
    meet.then(|| max_a.max(max_b).as_dvec3() - min_a.min(min_b).as_dvec3())
}

/// The corner that a plane separates from the two others, and whether it is the one above.
#[derive(Clone, Copy)]
struct Apex {
    corner: u8,
    above: bool,
}

impl Apex {
    /// Of sides that are neither all above, nor all below, nor all in the plane.
    #[inline(always)]
    fn of(sides: Sides) -> Self {
        // By table: the sides of random pairs are random, and a branch on them is mispredicted half of the time.
        APEX[usize::from((sides.above | sides.below << 3) & 63)]
    }

    /// The corners from the apex on; in reverse when the apex of the other triangle would be below the plane.
    #[inline(always)]
    fn corners(self, other: Self) -> [usize; 3] {
        CORNERS[usize::from(other.above)][usize::from(self.corner & 3)]
    }
}

const CORNERS: [[[usize; 3]; 4]; 2] =
    [[[0, 2, 1], [1, 0, 2], [2, 1, 0], [0; 3]], [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0; 3]]];

/// The apex for each `above | below << 3`: the only corner above, else the only one below, else the only one in the
/// plane. One of these exists, and none of its two edges lies in the plane.
const APEX: [Apex; 64] = {
    let mut table = [Apex { corner: 0, above: false }; 64];
    let mut index = 0;
    while index < 64 {
        let (above, below) = (index as u8 & 7, index as u8 >> 3);
        table[index] = if above.count_ones() == 1 {
            Apex { corner: above.trailing_zeros() as u8, above: true }
        } else if below.count_ones() == 1 {
            Apex { corner: below.trailing_zeros() as u8, above: false }
        } else {
            // The two others are both above or both below; the apex, in the plane, counts as on the other side.
            let in_plane = !(above | below) & 7;
            Apex { corner: in_plane.trailing_zeros() as u8 % 3, above: below != 0 }
        };
        index += 1;
    }
    table
};

#[cfg(test)]
#[path = "../../tests/inside/narrow/triangle_triangle.rs"]
mod tests;
