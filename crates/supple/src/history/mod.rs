//! Where bodies were: poses of the last ticks, and bodies put back to any time between them.
//!
//! In: a pose (or joint matrices) and a placement per tick. Out: a spare body at a past time, and a box around it that is
//! known without posing anything.
//! Must hold: at a tick the recorded pose comes back bit by bit; recording and rewinding never touch the present body;
//! the box contains the body at every time between two ticks.

mod error;
mod joint_space;
mod spheres;
mod movement;
mod sweep;
mod pose_history;

pub use error::HistoryError;
pub use pose_history::{Past, PoseHistory};
