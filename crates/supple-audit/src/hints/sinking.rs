//! Whether a turn pushes one side of a contact deeper into the other.
//!
//! A hand that is pushed into a thigh as a whole does not intersect its surface any more. In: the triangles of both sides
//! and where they touched. Out: for a pose, how far the places of each side that touched are surrounded by the other side, on
//! the average: their winding number,
//!
//! ```text
//! winding(p) = sum over triangles solid_angle(triangle seen from p) / 4 pi      > 0 where its back is seen
//! ```
//!
//! Where two surfaces cross it is somewhere between that of a point outside and that of a point inside, whatever holes the
//! surfaces of some bones have where other bones go on; only the change from pose to pose is looked at. A limb that sinks in
//! changes it by about a half.
//!
//! Based on: A. Jacobson, L. Kavan, O. Sorkine-Hornung, *Robust inside-outside segmentation using generalized winding
//! numbers* (2013).

use std::collections::BTreeSet;
use std::f32::consts::PI;

use glam::Vec3;
use supple::{Isometry, JointId, Model, Pair, Pose, PoseError, Skinning};

/// So many vertices that touch are looked at on each side; their mean hardly changes with more.
const PLACES: usize = 16;

/// As much may change where nothing sinks: holes are seen from elsewhere.
const UNCHANGED: f32 = 0.1;

/// Two sides of a contact.
pub struct Sinking<'a> {
    model: &'a Model,
    skinning: Skinning,
    /// The triangles of each side, with the joint that they belong to.
    triangles: [Vec<(u32, JointId)>; 2],
    /// Corners of those that touch.
    places: [Vec<u32>; 2],
    /// How deep they are in the other side before any turn.
    before: [f32; 2],
}

impl<'a> Sinking<'a> {
    /// Takes the triangles of each side, the pairs of them that touch, that of the first side first, and the pose in which
    /// they do.
    pub fn new(
        model: &'a Model,
        skinning: Skinning,
        triangles: [Vec<u32>; 2],
        touching: &[Pair],
        pose: &Pose,
    ) -> Result<Self, PoseError> {
        let places = [0, 1].map(|side| {
            let corners = |pair: &Pair| model.mesh().triangles()[pair[side] as usize];
            let all: Vec<u32> =
                touching.iter().flat_map(corners).collect::<BTreeSet<u32>>().into_iter().collect();
            let count = all.len().min(PLACES);
            (0..count).map(|i| all[i * all.len() / count]).collect()
        });
        let triangles = triangles.map(|side| side.into_iter().map(|t| (t, model.owning_joint(t))).collect());
        let mut sinking = Self { model, skinning, triangles, places, before: [0.0; 2] };
        sinking.before = sinking.depths(pose)?;
        Ok(sinking)
    }

    /// Whether a side is deeper in the other than it was; also in a pose that the model cannot take.
    pub fn sinks(&self, pose: &Pose) -> bool {
        let depths = self.depths(pose);
        !depths.is_ok_and(|depths| (0..2).all(|side| depths[side] <= self.before[side] + UNCHANGED))
    }

    /// How far the places of each side are inside of the other, on the average: about 0 outside, 1 inside of closed surfaces.
    fn depths(&self, pose: &Pose) -> Result<[f32; 2], PoseError> {
        let positions = self.model.posed(pose, self.skinning)?.positions();
        let matrices = self.model.skeleton().joint_matrices(pose, Isometry::IDENTITY)?;
        let posed = |&(triangle, joint): &(u32, JointId)| {
            let [a, b, c] = self.model.mesh().triangles()[triangle as usize].map(|v| positions[v as usize]);
            // Joints that mirror turn their triangles inside out.
            let is_mirrored = matrices[joint.0 as usize].matrix3.determinant() < 0.0;
            if is_mirrored { [a, c, b] } else { [a, b, c] }
        };
        Ok([0, 1].map(|side| {
            let other: Vec<[Vec3; 3]> = self.triangles[1 - side].iter().map(posed).collect();
            let places = &self.places[side];
            let sum: f32 = places.iter().map(|&place| winding(&other, positions[place as usize])).sum();
            sum / places.len().max(1) as f32
        }))
    }
}

fn winding(triangles: &[[Vec3; 3]], point: Vec3) -> f32 {
    triangles.iter().map(|corners| solid_angle(corners.map(|corner| corner - point))).sum::<f32>()
        / (4.0 * PI)
}

/// Of a triangle seen from the origin.
fn solid_angle([a, b, c]: [Vec3; 3]) -> f32 {
    let [x, y, z] = [a, b, c].map(Vec3::length);
    2.0 * a.dot(b.cross(c)).atan2(x * y * z + a.dot(b) * z + b.dot(c) * x + c.dot(a) * y)
}
