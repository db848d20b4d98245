//! Volumes under linear blending.
//!
//! ```text
//! S_ij = C_j S                                        for every joint j of every joint-set i
//! R_ih = sum_j c_ihj S_ij                             (5.4), for every corner c_ih of the set's weights
//! BOUNDINGSPHERE(all R_ih)
//! ```
//!
//! For slabs the last line is a maximum, and exact: the blend is linear in the weights, so its extremes lie at their corners.
//!
//! Based on: L. Kavan, Real-time Skeletal Animation, 2007, Algorithm 5.2.

use super::shape::SetCorners;
use super::{PosedJoint, Volume};
use supple::Skin;

/// Algorithm 5.2 for what lies below a node.
pub(super) fn refit<V: Volume>(rest: &V::Rest, sets: &[SetCorners], skin: &Skin, joints: &[PosedJoint]) -> V {
    let mut blended = Vec::new();
    let mut moved = Vec::new();
    for SetCorners { set, corners } in sets {
        moved.clear();
        moved.extend(skin.joint_set(*set).iter().map(|&j| V::moved(rest, &joints[j as usize])));
        for corner in corners {
            let mut sum = V::ORIGIN;
            moved.iter().zip(corner).for_each(|(image, &weight)| sum.add_scaled(image, weight));
            blended.push(sum);
        }
    }
    V::around(&blended)
}
