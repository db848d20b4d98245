//! What the commands `supple` and `supple-lab` share: how they read, print, write and fail.
//!
//! In: what the user named. Out: models, tables, exit codes. Not meant for other programs: those use the crates `supple` and
//! `supple-io`; these modules change as the commands do. One part is for them: [`audit::embedded`] makes the report of `supple audit` from a
//! model in memory.
//!
//! Modules stand in the order in which data meets them.

#![warn(clippy::unwrap_used, reason = "where a value must exist an `expect` says why")]

pub mod failure;
pub mod print;
pub mod output;
pub mod table;
mod time_left;
pub mod progress;
pub mod number;
pub mod folder;
pub mod clip_files;
pub mod input;
pub mod short_names;
pub mod source;
pub mod other_clips;
pub mod clip;
pub mod skinning_name;
mod page;
pub mod audit;
