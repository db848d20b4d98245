//! Where two touching triangles touch, and what an engine wants to know of the place.

use glam::Vec3;

use crate::narrow::contact;
use crate::refit::Body;

/// A pair of touching triangles in detail.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactDetails {
    /// The contact segment in the world; both ends are equal where the triangles touch in a point.
    pub segment: [Vec3; 2],
    /// The triangle of the first body.
    pub a: ContactSide,
    /// The triangle of the second body.
    pub b: ContactSide,
}

/// One of two touching triangles.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactSide {
    /// Its number in the mesh.
    pub triangle: u32,
    /// Barycentric coordinates of both ends of the segment.
    pub barycentrics: [[f32; 3]; 2],
    /// Both ends on the mesh as the file has it, in the file's space and before morphing: for decals, damage, painting.
    pub rest_points: [Vec3; 2],
    /// Joints that move the triangle, as indices of the skeleton's joints, with their weight in the middle of the
    /// segment; heaviest first.
    pub joints: Vec<(u32, f32)>,
}

/// Details of a pair that a query reported for the bodies' current poses; `None` if these triangles do not touch.
///
/// # Panics
/// A triangle is out of range.
pub fn contact_details(a: &mut Body, b: &mut Body, pair: [u32; 2]) -> Option<ContactDetails> {
    let corners = |body: &Body, triangle: u32| body.model().mesh().triangles()[triangle as usize];
    let (corners_a, corners_b) = (corners(a, pair[0]), corners(b, pair[1]));
    let posed_a = corners_a.map(|v| a.position(v as usize));
    let posed_b = corners_b.map(|v| b.position(v as usize));
    let touch = contact(&posed_a, &posed_b)?;
    Some(ContactDetails {
        segment: touch.points,
        a: side(a, pair[0], corners_a, touch.barycentric_a),
        b: side(b, pair[1], corners_b, touch.barycentric_b),
    })
}

fn side(body: &Body, triangle: u32, corners: [u32; 3], barycentrics: [[f32; 3]; 2]) -> ContactSide {
    let model = body.model();
    let rest = corners.map(|v| model.mesh().positions()[v as usize]);
    let rest_points = barycentrics.map(|w| rest[0] * w[0] + rest[1] * w[1] + rest[2] * w[2]);
    let mut joints: Vec<(u32, f32)> = Vec::new();
    for (corner, vertex) in corners.into_iter().enumerate() {
        let share = (barycentrics[0][corner] + barycentrics[1][corner]) * 0.5;
        for (joint, weight) in model.skin().influences(vertex as usize) {
            match joints.iter_mut().find(|(j, _)| *j == joint) {
                Some((_, sum)) => *sum += weight * share,
                None => joints.push((joint, weight * share)),
            }
        }
    }
    joints.retain(|&(_, weight)| weight > 0.0);
    joints.sort_by(|x, y| y.1.total_cmp(&x.1).then(x.0.cmp(&y.0)));
    ContactSide { triangle, barycentrics, rest_points, joints }
}
