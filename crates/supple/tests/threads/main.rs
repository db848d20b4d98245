//! Tests of what the feature `rayon` changes inside: whole meshes, many rays, scenes. They
//! hold with it (`cargo test --workspace`) and without (`cargo test -p supple --test threads`).

#[path = "../../../supple-io/tests/assets/mod.rs"]
mod assets;
#[path = "../suite/characters/mod.rs"]
mod characters;
#[allow(dead_code, reason = "the suite uses the rest")]
#[path = "../suite/random_model/mod.rs"]
mod random_model;

mod deformation;
mod rays;
mod scene;
