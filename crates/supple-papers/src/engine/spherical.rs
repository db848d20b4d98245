//! Spheres under spherical blending: the rotation center's linear blend plus a cap of blended rotations.
//!
//! Per joint-set with the corners `c_h`, the rotation center `r_c` and the rest sphere `(p, r)`:
//!
//! ```text
//! r_h   = sum_g c_hg C_g r_c                          (5) linear part
//! q_h   = sum_g c_hg q_g, divided by its length       (6), (7) blended rotations at the corners
//! (c_E, r_E) = BOUNDINGSPHERE(q_1 .. q_m)             (9) in R^4
//! d_H   = (1 + |c_E|^2 - r_E^2) / (2 |c_E|)           (6.9) all blended rotations have <q, c_E/|c_E|> >= d_H
//! alpha = 2 arccos(d_H)                               (11)
//! F     = sphere of the cap of angle alpha around Rot(c_E) (p - r_c)    (13), corrected beyond 90 degrees
//! BOUNDINGSPHERE(all r_h + F) + r                     (14)
//! ```
//!
//! Joints that are rigid only nearly, `C_i = R_i S_i + t_i`, stretch a vertex by `sum w_i S_i` first. So `(p, r)` is replaced by
//! a sphere around all stretched ones: around the corners' `sum_g c_hg S_g p`, with `r` times the largest stretch.
//!
//! Quaternion signs are aligned with the first joint of the set, as skinning aligns them. Where the blended quaternion
//! may vanish (the papers exclude it), vertices may follow single joints, and those are enclosed too.
//!
//! Based on: L. Kavan, Real-time Skeletal Animation, 2007, Algorithm 6.1.

use glam::{DQuat, DVec3, DVec4, Vec3};

use super::cap::{printed_sphere_of_cap, sphere_of_cap};
use super::centroid_sphere::centroid_sphere;
use super::shape::SetCorners;
use super::{BoundingSphere, Method, PosedJoint, UNIT_ROUNDOFF, Volume};
use supple::math::{DualQuat, rotation_center};
use supple::{Isometry, Skin};

/// Which sphere is put around a cap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CapRule {
    Corrected,
    Printed,
}

impl CapRule {
    /// As the method says.
    pub fn of(method: Method) -> Self {
        if method == Method::SphericalAsPrinted { Self::Printed } else { Self::Corrected }
    }
}

/// Skinning follows the heaviest joint where `|b|` is below 1e-3; twice that leaves room for its rounding.
pub(super) const NEARLY_SINGULAR: f64 = 2e-3;

/// Algorithm 6.1 for what lies below a node. Rotation centers are kept per joint-set and pose, marked by its epoch.
pub(super) fn refit<V: Volume>(
    rest: &V::Rest,
    sets: &[SetCorners],
    skin: &Skin,
    joints: &[PosedJoint],
    centers: &mut [(u32, DVec3)],
    epoch: u32,
    rule: CapRule,
) -> V {
    let mut parts = Vec::new();
    for SetCorners { set, corners } in sets {
        let members: Vec<&PosedJoint> = skin.joint_set(*set).iter().map(|&j| &joints[j as usize]).collect();
        match members[..] {
            // A single joint moves everything directly.
            [joint] => parts.push(V::moved(rest, joint)),
            _ => {
                let center = &mut centers[*set];
                if center.0 != epoch {
                    *center = (epoch, center_of(&members));
                }
                push_set(rest, corners, &members, center.1, rule, &mut parts);
            }
        }
    }
    V::around(&parts)
}

/// Lines 3 to 13: the spheres of one joint-set; `r` is in them already, which does not change their enclosing sphere's
/// center and adds `r` to its radius.
fn push_set<V: Volume>(
    rest: &V::Rest,
    corners: &[Vec<f64>],
    members: &[&PosedJoint],
    center: DVec3,
    rule: CapRule,
    parts: &mut Vec<V>,
) {
    let stretched = stretched_sphere(&V::sphere_at_rest(rest), corners, members);
    let offset = stretched.center - center;
    let rotations = BlendedRotations::new(corners, members);
    let apex = rotations.middle * offset;
    let (cap_center, cap_radius) = match rule {
        CapRule::Corrected => sphere_of_cap(apex, rotations.angle),
        CapRule::Printed => printed_sphere_of_cap(apex, rotations.angle),
    };
    let radius =
        cap_radius + stretched.radius + vertex_margin(&stretched, center, members, rotations.shortest);
    for corner in corners {
        let linear: DVec3 =
            members.iter().zip(corner).map(|(m, &weight)| m.rigid.transform_point3(center) * weight).sum();
        parts.push(V::of_sphere(linear + cap_center, radius));
    }
    if rotations.shortest < NEARLY_SINGULAR {
        parts.extend(members.iter().map(|joint| V::moved(rest, joint)));
    }
}

/// The rest sphere after the blended stretch, whatever the weights. A stretch is linear in the weights, so the stretched
/// center is between those of the corners; and no blend stretches more than its joints.
pub(super) fn stretched_sphere(
    rest: &BoundingSphere,
    corners: &[Vec<f64>],
    members: &[&PosedJoint],
) -> BoundingSphere {
    let center = |corner: &Vec<f64>| -> DVec3 {
        members.iter().zip(corner).map(|(m, &weight)| m.stretch * rest.center * weight).sum()
    };
    let largest = members.iter().map(|m| m.largest_stretch).fold(0.0, f64::max);
    let (center, radius) = centroid_sphere(corners.iter().map(|c| (center(c), 0.0)), DVec3::distance);
    BoundingSphere { center, radius: radius + largest * rest.radius }
}

/// How far f32 takes a vertex off, in space: `b` is off by `(n + 1) u`, which turns by `2 (n + 1) u / |b|`; the rotation
/// formula adds at most `45 u` of the offset's length, the blended stretch `(n + 4) u` of the rest position's and the
/// linear part `(2 n + 6) u` of its terms; twice for the step from coordinates to lengths.
fn vertex_margin(stretched: &BoundingSphere, center: DVec3, members: &[&PosedJoint], shortest: f64) -> f64 {
    let n = members.len() as f64;
    let reach = stretched.center.length() + stretched.radius + center.length();
    let farthest = members.iter().map(|m| m.rigid.translation.length()).fold(0.0, f64::max);
    let turn = 2.0 * (n + 1.0) / shortest.max(0.5 * NEARLY_SINGULAR);
    2.0 * UNIT_ROUNDOFF * ((turn + 45.0 + n + 4.0) * reach + (2.0 * n + 6.0) * (reach + farthest))
}

/// The rotation center of a joint-set, from the same f32 dual quaternions as skinning's own.
fn center_of(members: &[&PosedJoint]) -> DVec3 {
    let rigid: Vec<Isometry> = members
        .iter()
        .map(|m| DualQuat { real: m.quaternion, dual: m.dual }.normalized().to_isometry())
        .collect();
    let center: Vec3 = rotation_center(&rigid).as_vec3();
    center.as_dvec3()
}

/// All rotations that the weights of a joint-set can blend.
struct BlendedRotations {
    /// Rotation in the middle of the cap.
    middle: DQuat,
    /// They turn a vector at most this far away from where `middle` turns it; pi where nothing is known.
    angle: f64,
    /// Lower bound of `|b|`.
    shortest: f64,
}

impl BlendedRotations {
    fn new(corners: &[Vec<f64>], members: &[&PosedJoint]) -> Self {
        let unknown = Self { middle: DQuat::IDENTITY, angle: std::f64::consts::PI, shortest: 0.0 };
        let pivot = members[0];
        let aligned: Vec<DVec4> = members.iter().map(|m| m.aligned_with(pivot)).collect();
        let mut unit = Vec::new();
        let mut shortest_corner = f64::INFINITY;
        for corner in corners {
            let blend: DVec4 = aligned.iter().zip(corner).map(|(&q, &weight)| q * weight).sum();
            shortest_corner = shortest_corner.min(blend.length());
            unit.push((blend / blend.length(), 0.0));
        }
        // A corner without a direction is beyond Lemma 6.2.
        if shortest_corner < UNIT_ROUNDOFF {
            return unknown;
        }
        let (center, radius) = centroid_sphere(unit.into_iter(), DVec4::distance);
        let distance = center.length();
        // Lemma 6.3 needs r_E < 1; otherwise all rotations are possible.
        if radius >= 1.0 || distance < UNIT_ROUNDOFF {
            return unknown;
        }
        let d_h = ((1.0 + distance * distance - radius * radius) / (2.0 * distance)).min(1.0);
        let middle = DQuat::from_vec4(center / distance);
        Self { middle, angle: 2.0 * d_h.acos(), shortest: d_h * shortest_corner }
    }
}
