//! The `supple` binary as a user runs it: exit codes, what it prints, what it writes.

mod against;
#[path = "../../../supple-io/tests/assets/mod.rs"]
mod assets;
mod audit;
mod audit_embedded;
mod audit_files;
mod audit_models;
mod audit_outputs;
mod audit_page;
mod audit_pipeline;
mod broken_input;
mod build;
mod chains;
mod collide;
mod deform;
mod demo;
mod edit_rest;
mod fbx;
mod fit;
#[path = "../../../supple-io/tests/gltf_files/mod.rs"]
mod gltf_files;
mod inspect;
mod json_schema;
mod other_clips;
mod outputs;
mod ray;
mod real_files;
mod reduce;
mod run;
mod scenes_and_clips;
#[cfg(unix)]
mod signals;
mod supple;
mod usage;
mod view;
mod zoo;
