//! All that changes per frame: node transforms, blend coefficients, and the joint matrices they make.
//!
//! A [`Skeleton`] is the tree of nodes of a file with the joints that skins refer to. A [`Pose`] gives every node a
//! local transform and every displacement field a coefficient. A [`Clip`] writes a pose for a time. The skeleton
//! turns a pose into the palette: one matrix per joint.

mod clip;
mod keyframes;
mod chain;
mod posed_joints;
mod skeleton;
mod state;
mod transform;
mod motion;
mod point_rate;

pub use clip::{Channel, Clip, ClipError, Target};
pub use keyframes::Interpolation;
pub use motion::Motion;
pub use skeleton::{Joint, JointId, Node, Skeleton, SkeletonError};
pub use state::{Pose, PoseError};
pub use transform::Transform;

pub(crate) use point_rate::{JointRate, RestPoint, joint_rates};
pub(crate) use posed_joints::{PosedJoints, columns};
