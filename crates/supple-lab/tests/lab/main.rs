//! The `supple-lab` binary as a user runs it: exit codes, what it prints, what it writes.

#[path = "../../../supple-io/tests/assets/mod.rs"]
mod assets;
mod drop;
#[path = "../../../supple-io/tests/gltf_files/mod.rs"]
mod gltf_files;
mod help;
mod lab;
mod real_files;
mod reproduce;
#[path = "../../../supple-cli/tests/cli/run.rs"]
mod run;
mod tightness;
