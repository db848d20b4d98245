//! One file or folder per paper, one function per table or figure.

pub mod contest;
pub mod walkers;
pub mod morphing;
pub mod bd_tree;
pub mod skinning;
pub mod linear;
pub mod spherical;
pub mod arbitrary;
pub mod chains;

use crate::Options;

/// What experiments are given.
pub struct Run<'a> {
    /// How much is measured.
    pub options: Options,
    /// Told before each experiment.
    pub progress: &'a mut (dyn FnMut(&str) + Send),
}
