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
mod drop;
mod edit_rest;
mod fit;
mod inspect;
mod ray;
mod real_files;
mod reduce;
mod reproduce;
mod supple;
mod tightness;
mod usage;
mod zoo;
