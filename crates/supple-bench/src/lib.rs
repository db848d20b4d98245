//! How fast supple is: the workload, and the opponent that it has to beat.
//!
//! The opponent is what a good engineer writes today: skin every vertex eight at a time, refit a box tree with eight
//! children per node bottom-up, query it. It is given every chance; `benches/speed.rs` runs both in one process.
//!
//! Modules stand in the order in which data meets them.

pub mod workload;
pub mod morphs;
#[cfg(target_arch = "x86_64")]
pub mod opponent;
pub mod clock;
pub mod quartile;
pub mod targets;
pub mod marks;
