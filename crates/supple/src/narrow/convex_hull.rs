//! The convex hull of points, by adding one point after the other.
//!
//! In: finite f32 points. Out: triangles of the surface, counter-clockwise from outside; `None` where all points lie in a plane.
//! Must hold: no point is outside any face. Every decision is the exact sign of a volume, so there is nothing to tune.
//! Time grows with points times faces: meant for dozens to a few thousand points.
//!
//! Why no face is ever flat: a new face joins the new point to an edge between a face that sees it and one that does not. If
//! the point were on the line of that edge, it would lie in the planes of both, and neither would see it.

use glam::{DVec3, Vec3};

use super::predicates::{area_along, volume_sign};

/// Corners of a face, as indices into the list of points.
pub(super) type Face = [usize; 3];

/// The faces of the hull.
pub(super) fn convex_hull(points: &[Vec3]) -> Option<Vec<Face>> {
    let at = |i: usize| points[i].as_dvec3();
    let sees = |[p, q, r]: Face, x: usize| volume_sign(at(p), at(q), at(r), at(x)) > 0;
    let start = first_tetrahedron(points)?;
    let [p, q, r, top] = start;
    let mut faces = vec![[p, r, q], [p, q, top], [q, r, top], [r, p, top]];
    for new in (0..points.len()).filter(|i| !start.contains(i)) {
        let (seen, kept): (Vec<Face>, Vec<Face>) = faces.iter().partition(|&&face| sees(face, new));
        if seen.is_empty() {
            continue;
        }
        let edges: Vec<[usize; 2]> = seen.iter().flat_map(|&[p, q, r]| [[p, q], [q, r], [r, p]]).collect();
        faces = kept;
        let horizon = edges.iter().filter(|&&[from, to]| !edges.contains(&[to, from]));
        faces.extend(horizon.map(|&[from, to]| [from, to, new]));
    }
    Some(faces)
}

/// Four points that are not in a plane, the last one on the side that the normal of the others points to.
fn first_tetrahedron(points: &[Vec3]) -> Option<[usize; 4]> {
    let at = |i: usize| -> DVec3 { points[i].as_dvec3() };
    let q = (1..points.len()).find(|&q| points[q] != points[0])?;
    let is_triangle =
        |r: &usize| (0..3).any(|axis| area_along(axis, points[0], points[q], points[*r]) != 0.0);
    let r = (q + 1..points.len()).find(is_triangle)?;
    let side = |x: usize| volume_sign(at(0), at(q), at(r), at(x));
    let top = (r + 1..points.len()).find(|&x| side(x) != 0)?;
    Some(if side(top) > 0 { [0, q, r, top] } else { [0, r, q, top] })
}

#[cfg(test)]
#[path = "../../tests/inside/narrow/convex_hull.rs"]
mod tests;
