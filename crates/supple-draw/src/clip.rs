//! Cutting triangles and lines to the space that can be projected: beyond the near plane, inside the guard
//! band.
//!
//! In comes a convex polygon (or a segment) in view space, out goes what is left of it. What must hold: two
//! triangles that share an edge get the same new corner on it, bit by bit, so that no gap opens: a cut always
//! starts from the inner end of the edge.
//! Based on: Sutherland and Hodgman, Reentrant Polygon Clipping, 1974.

use glam::Vec3;

use crate::view::{PLANES, View};

/// A corner of a polygon on its way to the picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Corner {
    pub point_in_view: Vec3,
    pub normal_in_view: Vec3,
    /// Whether the edge from here to the next corner is an edge of the mesh, not of a cut.
    pub starts_edge: bool,
}

/// Cuts `polygon` in place; empty if nothing is left. `spare` is scratch, to save allocations.
pub(crate) fn clip_polygon(view: &View, polygon: &mut Vec<Corner>, spare: &mut Vec<Corner>) {
    for plane in 0..PLANES {
        let outside = |corner: &Corner| view.outside(plane, corner.point_in_view);
        if polygon.iter().all(|corner| outside(corner) <= 0.0) {
            continue;
        }
        spare.clear();
        for (index, here) in polygon.iter().enumerate() {
            let next = &polygon[(index + 1) % polygon.len()];
            let (out_here, out_next) = (outside(here), outside(next));
            if out_here <= 0.0 {
                spare.push(*here);
            }
            if out_here <= 0.0 && out_next > 0.0 {
                let cut = between(here, next, out_here / (out_here - out_next));
                spare.push(Corner { starts_edge: false, ..cut });
            } else if out_here > 0.0 && out_next <= 0.0 {
                let cut = between(next, here, out_next / (out_next - out_here));
                spare.push(Corner { starts_edge: here.starts_edge, ..cut });
            }
        }
        std::mem::swap(polygon, spare);
    }
}

/// The part of a segment that can be projected.
pub(crate) fn clip_segment(view: &View, a: Vec3, b: Vec3) -> Option<[Vec3; 2]> {
    let (mut from, mut to) = (0.0_f32, 1.0_f32);
    for plane in 0..PLANES {
        let (out_a, out_b) = (view.outside(plane, a), view.outside(plane, b));
        if out_a > 0.0 && out_b > 0.0 {
            return None;
        } else if out_a > 0.0 {
            from = from.max(out_a / (out_a - out_b));
        } else if out_b > 0.0 {
            to = to.min(out_a / (out_a - out_b));
        }
    }
    (from < to).then(|| [a.lerp(b, from), a.lerp(b, to)])
}

fn between(inner: &Corner, outer: &Corner, share: f32) -> Corner {
    Corner {
        point_in_view: inner.point_in_view.lerp(outer.point_in_view, share),
        normal_in_view: inner.normal_in_view.lerp(outer.normal_in_view, share),
        starts_edge: inner.starts_edge,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::camera::Camera;

    fn corner(x: f32, y: f32, z: f32) -> Corner {
        Corner { point_in_view: Vec3::new(x, y, z), normal_in_view: Vec3::Z, starts_edge: true }
    }

    fn clipped(corners: [Corner; 3]) -> Vec<Corner> {
        let camera = Camera::perspective(Vec3::ZERO, Vec3::NEG_Z, Vec3::Y, 1.0);
        let mut polygon = corners.to_vec();
        clip_polygon(&View::new(&camera, 64, 64), &mut polygon, &mut Vec::new());
        polygon
    }

    #[test]
    fn inside_stays_and_behind_goes() {
        let inside = [corner(0., 0., -5.), corner(1., 0., -5.), corner(0., 1., -5.)];
        assert_eq!(clipped(inside), inside);
        let behind = [corner(0., 0., 5.), corner(1., 0., 5.), corner(0., 1., 5.)];
        assert!(clipped(behind).is_empty());
    }

    #[test]
    fn a_cut_edge_is_no_edge_of_the_mesh_and_neighbours_agree() {
        let (a, b) = (corner(0.1, 0.3, -5.), corner(0.2, -0.7, 5.));
        let left = clipped([a, b, corner(-1., 0., -4.)]);
        let right = clipped([b, a, corner(1., 0., -4.)]);
        // Cut by the near plane and the guard band: more sides, of which three are still (parts of) the
        // mesh's edges.
        assert!(left.len() > 3);
        assert_eq!(left.iter().filter(|corner| corner.starts_edge).count(), 3);
        let shared = left.iter().filter(|l| right.iter().any(|r| r.point_in_view == l.point_in_view));
        assert_eq!(shared.count(), 2);
    }

    #[test]
    fn a_segment_through_the_eye_keeps_its_front() {
        let camera = Camera::perspective(Vec3::ZERO, Vec3::NEG_Z, Vec3::Y, 1.0);
        let view = View::new(&camera, 64, 64);
        let front = Vec3::new(0.0, 0.0, -3.0);
        let kept = clip_segment(&view, Vec3::new(0.0, 0.0, 3.0), front).unwrap();
        assert_eq!(kept[1], front);
        assert!(kept[0].z < 0.0);
        assert!(clip_segment(&view, -front, -2.0 * front).is_none());
    }
}
