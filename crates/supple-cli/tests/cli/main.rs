//! The `supple` binary as a user runs it: exit codes, what it prints, what it writes.

#[path = "../../../supple-io/tests/assets/mod.rs"]
mod assets;
mod audit;
mod broken_input;
mod build;
mod chains;
mod collide;
mod deform;
mod demo;
mod edit_rest;
mod fit;
#[path = "../../../supple-io/tests/gltf_files/mod.rs"]
mod gltf_files;
mod inspect;
mod other_clips;
mod ray;
mod real_files;
mod reduce;
mod run;
mod supple;
mod usage;
mod zoo;
