//! What benchmarks and experiments share: time, tables, random numbers, and reports as text or as a page.
//!
//! In: numbers that were measured. Out: medians and ratios, lines for a terminal, one page that needs no other file.
//!
//! The feature `report` brings [`report`] and [`page`], and with them the crates that draw; everything else needs only glam.
//!
//! Modules stand in the order in which data meets them.

#![warn(clippy::unwrap_used, reason = "where a value must exist an `expect` says why")]

pub mod random;
pub mod clock;
pub mod measure;
pub mod machine;
pub mod columns;
// The file of the command `supple`, whose `audit` writes pages, too. It cannot depend on this crate, which is not published, and this
// one should not build all of the command.
#[cfg(feature = "report")]
#[path = "../../supple-cli/src/page.rs"]
pub mod page;
#[cfg(feature = "report")]
pub mod report;
