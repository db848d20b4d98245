//! Where two touching triangles touch, and what an engine wants to know of the contact.

use glam::Vec3;

use super::surface_point::{corners_of, owning_joints, rest_point};
use crate::answer::Pair;
use crate::narrow::contact;
use crate::pose::JointId;
use crate::refit::Body;

/// A pair of touching triangles in detail.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
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
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ContactSide {
    /// Its number in the mesh.
    pub triangle: u32,
    /// Barycentric coordinates of both ends of the segment.
    pub barycentrics: [[f32; 3]; 2],
    /// Both ends on the mesh as the file has it, in the file's space and before morphing: for decals, damage, painting.
    pub rest_points: [Vec3; 2],
    /// Joints that move the triangle, with their weights in the middle of the segment; heaviest first.
    pub joints: Vec<(JointId, f32)>,
}

/// Details of a pair that a query reported for the bodies' current poses; `None` if these triangles do not touch. A look-up that poses
/// six vertices, not a search: it has no counters. For the two triangles of a self-collision, pass a clone of the body.
///
/// ```
/// # use std::sync::Arc;
/// # use supple::{Body, BuildOptions, Isometry, Shape, Skinning};
/// # let man = Arc::new(Shape::build(supple_zoo::make("man", 0)?, &BuildOptions::default())?);
/// # let mut a = Body::new(&man, Skinning::Linear)?;
/// # let mut b = Body::new(&man, Skinning::Linear)?;
/// # b.set_placement(Isometry::from_translation(glam::Vec3::X * 0.4))?;
/// let pairs = supple::collide(&mut a, &mut b).found;
/// let details = supple::contact_details(&mut a, &mut b, pairs[0]).expect("they touch");
/// let (joint, _) = details.a.joints[0];
/// println!("{} at {:?}", man.model().joint_name(joint), details.segment);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
/// A triangle is out of range.
pub fn contact_details(a: &mut Body, b: &mut Body, pair: Pair) -> Option<ContactDetails> {
    let corners_a = corners_of(a.model(), pair[0]);
    let corners_b = corners_of(b.model(), pair[1]);
    let posed_a = corners_a.map(|v| a.position(v));
    let posed_b = corners_b.map(|v| b.position(v));
    let touch = contact(&posed_a, &posed_b)?;
    Some(ContactDetails {
        segment: touch.points,
        a: side(a, pair[0], corners_a, touch.barycentric_a),
        b: side(b, pair[1], corners_b, touch.barycentric_b),
    })
}

fn side(body: &Body, triangle: u32, corners: [u32; 3], barycentrics: [[f32; 3]; 2]) -> ContactSide {
    let model = body.model();
    let middle = [0, 1, 2].map(|corner| (barycentrics[0][corner] + barycentrics[1][corner]) * 0.5);
    ContactSide {
        triangle,
        barycentrics,
        rest_points: barycentrics.map(|weights| rest_point(model, corners, weights)),
        joints: owning_joints(model, corners, middle),
    }
}
