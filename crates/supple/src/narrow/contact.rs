//! Where two triangles touch.
//!
//! Comes in: two triangles with finite corners. Goes out: nothing when they do not touch (the exact decision of
//! `triangle_triangle`), else the two ends of the segment they share. Which features meet at an end is decided
//! exactly too; only then are coordinates computed, so they are right to rounding, and never outside a triangle.

use glam::{DVec3, Vec3};

use super::Triangle;
use super::double_double::volume;
use super::flat_contact::flat_contact;
use super::triangle_triangle::{Arrangement, Crossing};

/// The segment in which two triangles touch.
///
/// Triangles that touch in one point have both ends there. Triangles that overlap in one plane share a polygon, and
/// the segment is a longest one in it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// The ends of the segment.
    pub points: [Vec3; 2],
    /// For each end, the weights of the corners of `a`: none negative, their sum 1 up to rounding. A triangle with
    /// collinear corners uses two of them at most.
    pub barycentric_a: [[f32; 3]; 2],
    /// For each end, the weights of the corners of `b`.
    pub barycentric_b: [[f32; 3]; 2],
}

/// Where two closed triangles touch; `None` exactly when [`triangles_touch`](super::triangles_touch) is false.
///
/// Costs about a microsecond when they touch.
///
/// ```
/// use glam::Vec3;
/// let a = [Vec3::ZERO, Vec3::X * 4.0, Vec3::Y * 4.0];
/// let b = [Vec3::new(1.0, 1.0, -1.0), Vec3::new(1.0, 1.0, 1.0), Vec3::new(9.0, 1.0, 0.0)];
/// let contact = supple::narrow::contact(&a, &b).expect("they cross");
/// assert_eq!(contact.points, [Vec3::new(3.0, 1.0, 0.0), Vec3::new(1.0, 1.0, 0.0)]);
/// assert_eq!(contact.barycentric_a[1], [0.5, 0.25, 0.25]);
/// ```
pub fn contact(a: &Triangle, b: &Triangle) -> Option<Contact> {
    let ends = match Arrangement::of(a, b) {
        Arrangement::Apart => return None,
        Arrangement::Crossing(crossing) => {
            crossing.intervals_overlap().then(|| shared_interval(a, b, &crossing))?
        }
        Arrangement::Flat => flat_contact(a, b)?,
    };
    Some(Contact {
        points: ends.map(|end| end.point.as_vec3()),
        barycentric_a: ends.map(|end| end.weights_a.map(|w| w as f32)),
        barycentric_b: ends.map(|end| end.weights_b.map(|w| w as f32)),
    })
}

/// One end of a contact, with the weights of the corners of both triangles.
#[derive(Clone, Copy)]
pub(super) struct End {
    pub(super) point: DVec3,
    pub(super) weights_a: [f64; 3],
    pub(super) weights_b: [f64; 3],
}

impl End {
    /// The same end with the roles of the triangles exchanged.
    pub(super) fn swapped(self) -> Self {
        Self { weights_a: self.weights_b, weights_b: self.weights_a, ..self }
    }
}

/// The point in which an edge of `a` meets triangle `b`, which is known to exist and to be one point. The corners
/// of both stand at the given indices of their triangles.
///
/// The weights of the edge's ends are as their distances from the plane, those of the corners of `b` as the volumes
/// that the opposite edges form with the edge:
///
/// ```text
/// x = from + s (to - from)      s = h(from) / (h(from) - h(to))      h(x) = volume(p, q, r, x)
/// x = (V(q, r) p + V(r, p) q + V(p, q) r) / sum                      V(p, q) = volume(from, to, p, q)
/// ```
pub(super) fn pierced([from, to]: [Vec3; 2], edge: [usize; 2], b: &Triangle, corners_b: [usize; 3]) -> End {
    let [p, q, r] = *b;
    let height = [from, to].map(|x| volume(p, q, r, x));
    let weights_edge = normalized([height[1].abs(), height[0].abs(), 0.0]);
    let volumes = [[q, r], [r, p], [p, q]].map(|[i, j]| volume(from, to, i, j));
    End {
        point: from.as_dvec3() * weights_edge[0] + to.as_dvec3() * weights_edge[1],
        weights_a: placed(&edge, &weights_edge[..2]),
        weights_b: placed(&corners_b, &normalized(one_sided(volumes))),
    }
}

/// Values that have one sign but for rounding, made positive.
pub(super) fn one_sided(values: [f64; 3]) -> [f64; 3] {
    let sign = values.iter().sum::<f64>().signum();
    values.map(|v| (v * sign).max(0.0))
}

/// Weights with sum 1. When all vanish, which takes more than 100 bits of cancellation, the first corner is taken.
pub(super) fn normalized(weights: [f64; 3]) -> [f64; 3] {
    let sum: f64 = weights.iter().sum();
    if sum > 0.0 { weights.map(|w| w / sum) } else { [1.0, 0.0, 0.0] }
}

/// Weights of some corners as weights of all three.
pub(super) fn placed(corners: &[usize], weights: &[f64]) -> [f64; 3] {
    let mut all = [0.0; 3];
    for (&corner, &weight) in corners.iter().zip(weights) {
        all[corner] = weight;
    }
    all
}

/// The ends of `[y, x]` and `[X, Y]` that bound what they share, in the names of [`Crossing`].
fn shared_interval(a: &Triangle, b: &Triangle, crossing: &Crossing) -> [End; 2] {
    let (corners_a, corners_b) = (crossing.corners_a, crossing.corners_b);
    let (a, b) = (corners_a.map(|i| a[i]), corners_b.map(|i| b[i]));
    let edge_of_a = |i: usize| pierced([a[0], a[i]], [corners_a[0], corners_a[i]], &b, corners_b);
    let edge_of_b = |i: usize| pierced([b[0], b[i]], [corners_b[0], corners_b[i]], &a, corners_a).swapped();
    let big_x_beyond_y = crossing.order(2, 1) > 0;
    let big_y_beyond_x = crossing.order(1, 2) > 0;
    [
        if big_x_beyond_y { edge_of_b(1) } else { edge_of_a(2) },
        if big_y_beyond_x { edge_of_a(1) } else { edge_of_b(2) },
    ]
}
