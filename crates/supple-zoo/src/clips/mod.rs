//! Motions: clips for every character, and random poses within joint limits.
//!
//! In: a model whose joints carry the names of this crate's rigs. Out: clips with linear keys, 30 per second. All but
//! `fall` loop: their last key equals their first.

mod biped;
mod fingers;
mod gait;
mod gestures;
mod limits;
mod puppet;
mod quadruped;

use supple::pose::ClipError;
use supple::{Clip, Model};

pub use limits::{JointLimits, joint_limits, random_pose};

/// The clips of a character, by the joints that it has.
pub(crate) fn for_rig(model: &Model) -> Result<Vec<Clip>, ClipError> {
    let has = |joint: &str| model.skeleton().node_named(joint).is_some();
    if has("hock_l") {
        quadruped::clips(model)
    } else if has("thigh_l") {
        biped::clips(model)
    } else {
        fingers::clips(model)
    }
}
