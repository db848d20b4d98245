//! Spheres under linear blending.
//!
//! ```text
//! S_ij = C_j S                                        for every joint j of every joint-set i
//! R_ih = sum_j c_ihj S_ij                             (5.4), for every corner c_ih of the set's weights
//! BOUNDINGSPHERE(all R_ih)
//! ```
//!
//! Based on: L. Kavan, Real-time Skeletal Animation, 2007, Algorithm 5.2.

use glam::DVec3;

use super::bounding_sphere::{Ball, bounding_sphere};
use super::bounds::SetCorners;
use super::posed::MovedBall;
use super::posed_joint::PosedJoint;
use crate::math::Sphere;
use crate::skin::Skin;

/// Algorithm 5.2 for a node's rest sphere.
pub(super) fn refit(rest: &Sphere, sets: &[SetCorners], skin: &Skin, joints: &[PosedJoint]) -> MovedBall {
    let mut blended = Vec::new();
    for SetCorners { set, corners } in sets {
        let moved: Vec<MovedBall> =
            skin.joint_set(*set).iter().map(|&j| joints[j as usize].moved_ball(rest)).collect();
        for corner in corners {
            let (mut center, mut radius) = (DVec3::ZERO, 0.0);
            for (ball, &weight) in moved.iter().zip(corner) {
                center += ball.center * weight;
                radius += ball.radius * weight;
            }
            blended.push(Ball { center: center.to_array(), radius });
        }
    }
    let Ball { center, radius } = bounding_sphere(&blended);
    MovedBall { center: DVec3::from_array(center), radius }
}
