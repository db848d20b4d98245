//! All tests of sphere chains as one binary: they are linked once.

#[path = "../../../supple-io/tests/assets/mod.rs"]
mod assets;
#[path = "../../../supple/tests/suite/characters/mod.rs"]
mod characters;
#[allow(dead_code, reason = "the tests of supple use the rest")]
#[path = "../../../supple/tests/suite/random_model/mod.rs"]
mod random_model;

mod chains;
mod threads;
