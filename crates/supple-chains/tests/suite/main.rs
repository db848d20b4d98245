//! All tests of sphere chains as one binary: they are linked once.

#[path = "../../../supple-io/tests/assets/mod.rs"]
mod assets;
#[path = "../../../supple/tests/subjects/characters.rs"]
mod characters;
#[allow(dead_code, reason = "the tests of supple use the rest")]
#[path = "../../../supple/tests/subjects/random_model.rs"]
mod random_model;

mod chains;
mod threads;
