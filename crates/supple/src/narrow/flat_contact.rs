//! Where two triangles touch that are coplanar, or of which at least one is degenerate.
//!
//! Comes in: pairs as in `flat`. Goes out: the two ends of a longest segment they share. What two convex sets in a
//! plane share is convex, and each of its corners is a corner of one set that lies in the other, or a point where
//! an edge of one crosses an edge of the other. A longest segment in it joins two of its corners. Which of them
//! exist is decided exactly.

use glam::Vec3;

use super::Triangle;
use super::contact::{End, normalized, one_sided, pierced, placed};
use super::double_double::area;
use super::flat::{Simplex, Span, contains_in_line, contains_in_plane, pierces};
use super::predicates::{area_along, sign};

/// The ends of a longest shared segment of two triangles that are coplanar or of which one is degenerate.
#[cold]
pub(super) fn flat_contact(a: &Triangle, b: &Triangle) -> Option<[End; 2]> {
    let (a, b) = (Simplex::of(a), Simplex::of(b));
    let mut ends = Ends::default();
    match Span::of(&a, &b) {
        Span::Line => {
            corners_inside(&a, &b, 0, contains_in_line, |end| ends.push(end));
            corners_inside(&b, &a, 0, contains_in_line, |end| ends.push(end.swapped()));
            ends.longest()
        }
        Span::Plane { axis } => {
            let inside = |simplex: &Simplex, x| contains_in_plane(simplex, x, axis);
            corners_inside(&a, &b, axis, inside, |end| ends.push(end));
            corners_inside(&b, &a, axis, inside, |end| ends.push(end.swapped()));
            edge_crossings(&a, &b, axis, |end| ends.push(end));
            ends.longest()
        }
        Span::Space => through(&a, &b).or_else(|| through(&b, &a).map(End::swapped)).map(|end| [end; 2]),
    }
}

/// Corners of what two triangles share, some perhaps twice: at most three of each, and nine crossings of edges. Kept
/// on the stack, as queries do not allocate.
#[derive(Default)]
struct Ends {
    ends: [Option<End>; 15],
    len: usize,
}

impl Ends {
    fn push(&mut self, end: End) {
        self.ends[self.len] = Some(end);
        self.len += 1;
    }

    /// The two that are farthest apart, the first such pair.
    fn longest(&self) -> Option<[End; 2]> {
        let ends = || self.ends.iter().flatten();
        let mut best = [*ends().next()?; 2];
        let mut best_sq = 0.0;
        for (i, from) in ends().enumerate() {
            for to in ends().skip(i + 1) {
                let distance_sq = from.point.distance_squared(to.point);
                if distance_sq > best_sq {
                    (best, best_sq) = ([*from, *to], distance_sq);
                }
            }
        }
        Some(best)
    }
}

/// The corners of `a` that lie in `b`.
fn corners_inside(
    a: &Simplex,
    b: &Simplex,
    axis: usize,
    inside: impl Fn(&Simplex, Vec3) -> bool,
    mut found: impl FnMut(End),
) {
    for (&x, &corner) in a.points().iter().zip(a.corners()) {
        if inside(b, x) {
            found(End {
                point: x.as_dvec3(),
                weights_a: placed(&[corner], &[1.0]),
                weights_b: weights_in(b, x, axis),
            });
        }
    }
}

/// The weights of the corners of a simplex at a point in it. The plane of a triangle does not contain the axis.
fn weights_in(simplex: &Simplex, x: Vec3, axis: usize) -> [f64; 3] {
    match *simplex.points() {
        [p, q, r] => {
            let areas = [[q, r], [r, p], [p, q]].map(|[i, j]| area(axis, x, i, j));
            placed(simplex.corners(), &normalized(one_sided(areas)))
        }
        [p, q] => {
            let along = (q.as_dvec3() - p.as_dvec3()).abs().max_position();
            let [p, x, q] = [p, x, q].map(|v| f64::from(v[along]));
            placed(simplex.corners(), &normalized([(q - x).abs(), (x - p).abs(), 0.0])[..2])
        }
        _ => placed(simplex.corners(), &[1.0]),
    }
}

/// The points where edges cross that have no end on each other's lines.
fn edge_crossings(a: &Simplex, b: &Simplex, axis: usize, mut found: impl FnMut(End)) {
    for &[i, j] in a.edges() {
        for &[k, l] in b.edges() {
            let edge_a = [a.points()[i], a.points()[j]];
            let edge_b = [b.points()[k], b.points()[l]];
            if separates(edge_a, edge_b, axis) && separates(edge_b, edge_a, axis) {
                let weights_a = weights_on(edge_a, edge_b, axis);
                let weights_b = weights_on(edge_b, edge_a, axis);
                found(End {
                    point: edge_a[0].as_dvec3() * weights_a[0] + edge_a[1].as_dvec3() * weights_a[1],
                    weights_a: placed(&[a.corners()[i], a.corners()[j]], &weights_a[..2]),
                    weights_b: placed(&[b.corners()[k], b.corners()[l]], &weights_b[..2]),
                });
            }
        }
    }
}

/// Whether the ends of `edge` are strictly on different sides of the line.
fn separates(line: [Vec3; 2], edge: [Vec3; 2], axis: usize) -> bool {
    let side = |x| sign(area_along(axis, line[0], line[1], x));
    side(edge[0]) * side(edge[1]) < 0
}

/// The weights of the ends of an edge where it crosses a line: as their distances from it.
fn weights_on(edge: [Vec3; 2], line: [Vec3; 2], axis: usize) -> [f64; 3] {
    let distance = edge.map(|x| area(axis, line[0], line[1], x).abs());
    normalized([distance[1], distance[0], 0.0])
}

/// The point in which a segment `a` pierces a triangle `b`.
fn through(a: &Simplex, b: &Simplex) -> Option<End> {
    let (&[from, to], &[p, q, r]) = (a.points(), b.points()) else { return None };
    let (edge, triangle) = ([a.corners()[0], a.corners()[1]], [p, q, r]);
    pierces(from, to, &triangle).then(|| pierced([from, to], edge, &triangle, [0, 1, 2]))
}
