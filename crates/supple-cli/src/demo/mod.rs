//! `supple` without arguments, and `supple demo`: what the library does, without any file.

mod meeting;
mod questions;
mod skinning;

use crate::arguments::DemoName;
use crate::failure::Failure;

/// Runs a demo.
pub fn run(name: DemoName) -> Result<(), Failure> {
    match name {
        DemoName::Collide => meeting::run(),
        DemoName::Skinning => skinning::run(),
    }
}
