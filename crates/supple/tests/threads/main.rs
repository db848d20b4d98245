//! Tests of what the feature `rayon` changes inside: whole meshes, many rays, scenes. They are run with and without it.

#[path = "../../../supple-io/tests/assets/mod.rs"]
mod assets;
#[path = "../suite/characters/mod.rs"]
mod characters;
#[allow(dead_code, reason = "the suite uses the rest")]
#[path = "../suite/random_model/mod.rs"]
mod random_model;

mod chains;
mod deformation;
mod rays;
mod scene;
