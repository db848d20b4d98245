//! All tests of the library that need no process of their own, as one binary: they are linked once. Folders and files are those of `src`.
//!
//! `cargo test -p supple --test library query::cast_ray` runs the tests of one file. Everything holds with the feature `rayon` and without; `.ci/run`
//! does the former. Tests run a part of their cases; `SUPPLE_ALL_CASES=1 cargo test -p supple --test library` runs all of them.

#[path = "../../supple-io/tests/assets/mod.rs"]
mod assets;
mod subjects;

mod math;
mod mesh;
mod pose;
mod rest;
mod skin;
mod model;
mod storage;
mod refit;
mod history;
mod narrow;
mod query;
mod scene;
mod api;
