//! Pairs of triangles that are coplanar, or of which at least one is flat to a segment or a point.
//!
//! Comes in: two triangles that are coplanar, or of which one is degenerate. Goes out: whether they share a point,
//! exactly. Each triangle becomes the simplex it is (point, segment, triangle); what the corners of
//! both span decides the test:
//!
//! - a line: collinear points lie on it in lexicographic order of their coordinates, so intervals are compared;
//! - a plane: along an axis that is not in the plane the projection is one-to-one, and two convex polygons are
//!   disjoint exactly when a line through an edge of one separates them (the edges of the Minkowski difference
//!   are parallel to edges of the two);
//! - space: then a segment stands against a triangle whose plane it is not in, and pierces it or does not.

use std::cmp::Ordering;

use glam::Vec3;

use super::Triangle;
use super::predicates::{self, Sign, area_along, sign};

/// Whether two triangles share a point, when they are coplanar or at least one is degenerate.
#[cold]
pub(super) fn flat_touch(a: &Triangle, b: &Triangle) -> bool {
    let (a, b) = (Simplex::of(a), Simplex::of(b));
    match Span::of(&a, &b) {
        Span::Line => !(before(a.last(), b.first()) || before(b.last(), a.first())),
        Span::Plane { axis } => !(edge_separates(&a, &b, axis) || edge_separates(&b, &a, axis)),
        Span::Space => match (a.points(), b.points()) {
            (&[from, to], &[p, q, r]) | (&[p, q, r], &[from, to]) => pierces(from, to, &[p, q, r]),
            // Two segments, or a point, that are not in one plane with the other.
            _ => false,
        },
    }
}

/// What a triangle is as a point set: the convex hull of affinely independent corners.
pub(super) struct Simplex {
    points: Triangle,
    corners: [usize; 3],
    len: usize,
    /// Of a triangle, the axis from which it is seen best.
    axis: usize,
}

impl Simplex {
    pub(super) fn of(triangle: &Triangle) -> Self {
        let [p, q, r] = *triangle;
        if let Some(axis) = best_axis(p, q, r) {
            return Self { points: *triangle, corners: [0, 1, 2], len: 3, axis };
        }
        let mut corners = [0, 1, 2];
        corners.sort_by(|&i, &j| lexicographic(triangle[i], triangle[j]));
        let ends = [corners[0], corners[2], corners[1]];
        let points = ends.map(|i| triangle[i]);
        Self { points, corners: ends, len: if points[0] == points[1] { 1 } else { 2 }, axis: 0 }
    }

    /// One, two or three points; the two of a segment in lexicographic order.
    pub(super) fn points(&self) -> &[Vec3] {
        &self.points[..self.len]
    }

    /// Where the points stand in the triangle.
    pub(super) fn corners(&self) -> &[usize] {
        &self.corners[..self.len]
    }

    /// Pairs of positions in [`Self::points`] that are the edges.
    pub(super) fn edges(&self) -> &'static [[usize; 2]] {
        match self.len {
            1 => &[],
            2 => &[[0, 1]],
            _ => &[[0, 1], [1, 2], [2, 0]],
        }
    }

    fn first(&self) -> Vec3 {
        self.points[0]
    }

    fn last(&self) -> Vec3 {
        self.points[self.len - 1]
    }
}

/// What the corners of two simplices span.
pub(super) enum Span {
    /// A line or a point.
    Line,
    /// A plane that does not contain the direction of the axis.
    Plane {
        /// The axis from which the plane is seen best.
        axis: usize,
    },
    /// All of space.
    Space,
}

impl Span {
    /// Of two simplices which, if both are triangles, are known to be coplanar.
    pub(super) fn of(a: &Simplex, b: &Simplex) -> Self {
        if a.len == 3 && b.len == 3 {
            return Self::Plane { axis: a.axis };
        }
        let all = || a.points().iter().chain(b.points()).copied();
        let p = a.first();
        let Some(q) = all().find(|&q| q != p) else { return Self::Line };
        let third = all().find_map(|r| best_axis(p, q, r).map(|axis| (r, axis)));
        let Some((r, axis)) = third else { return Self::Line };
        if all().all(|x| volume_sign(p, q, r, x) == 0) { Self::Plane { axis } } else { Self::Space }
    }
}

/// Whether a point of a plane lies in a simplex of the same plane, seen along an axis that is not in the plane.
/// The plane is spanned by more than the two on one line.
pub(super) fn contains_in_plane(simplex: &Simplex, x: Vec3, axis: usize) -> bool {
    match *simplex.points() {
        [p] => p == x,
        [p, q] => area_along(axis, p, q, x) == 0.0 && between(p, x, q),
        _ => same_side(
            simplex
                .edges()
                .iter()
                .map(|&[i, j]| sign(area_along(axis, simplex.points[i], simplex.points[j], x))),
        ),
    }
}

/// Whether a point of a line lies in a point or segment of the same line.
pub(super) fn contains_in_line(simplex: &Simplex, x: Vec3) -> bool {
    between(simplex.first(), x, simplex.last())
}

/// Whether a segment meets a triangle whose plane does not contain it: its ends are not strictly on one side,
/// and its line passes the three edges on one side.
pub(super) fn pierces(from: Vec3, to: Vec3, triangle: &Triangle) -> bool {
    let [p, q, r] = *triangle;
    volume_sign(p, q, r, from) * volume_sign(p, q, r, to) <= 0
        && same_side([[p, q], [q, r], [r, p]].map(|[p, q]| volume_sign(from, to, p, q)).into_iter())
}

/// The axis along which a triangle has its largest area; `None` when its corners are collinear.
fn best_axis(p: Vec3, q: Vec3, r: Vec3) -> Option<usize> {
    let areas = [0, 1, 2].map(|axis| area_along(axis, p, q, r).abs());
    let best = if areas[0] > areas[1] { 0 } else { 1 };
    let best = if areas[2] > areas[best] { 2 } else { best };
    (areas[best] > 0.0).then_some(best)
}

fn volume_sign(p: Vec3, q: Vec3, r: Vec3, x: Vec3) -> Sign {
    predicates::volume_sign(p.as_dvec3(), q.as_dvec3(), r.as_dvec3(), x.as_dvec3())
}

/// Whether the line through an edge of `a` has `a` on one closed side and `b` strictly on the other.
fn edge_separates(a: &Simplex, b: &Simplex, axis: usize) -> bool {
    a.edges().iter().any(|&[i, j]| {
        let side = |x: &Vec3| sign(area_along(axis, a.points[i], a.points[j], *x));
        let (low_a, high_a) = range(a.points().iter().map(side));
        let (low_b, high_b) = range(b.points().iter().map(side));
        (low_a >= 0 && high_b < 0) || (high_a <= 0 && low_b > 0)
    })
}

fn same_side(signs: impl Iterator<Item = Sign>) -> bool {
    let (low, high) = range(signs);
    low >= 0 || high <= 0
}

fn range(signs: impl Iterator<Item = Sign>) -> (Sign, Sign) {
    signs.fold((1, -1), |(low, high), sign| (low.min(sign), high.max(sign)))
}

fn between(first: Vec3, x: Vec3, last: Vec3) -> bool {
    !before(x, first) && !before(last, x)
}

fn before(x: Vec3, y: Vec3) -> bool {
    lexicographic(x, y) == Ordering::Less
}

/// Coordinates are finite, so they compare; the two zeros are equal.
fn lexicographic(x: Vec3, y: Vec3) -> Ordering {
    x.to_array().partial_cmp(&y.to_array()).unwrap_or(Ordering::Equal)
}

#[cfg(test)]
#[path = "../../tests/inside/narrow/flat.rs"]
mod tests;
