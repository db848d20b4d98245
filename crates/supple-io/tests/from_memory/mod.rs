//! Files that stand alone, read from memory as one format.
#![allow(dead_code, reason = "every test binary uses another part of it")]

use supple::Model;
use supple_io::{Loaded, Problem, no_other_files, read_bytes};

pub fn read_gltf(bytes: &[u8]) -> Result<Loaded, Problem> {
    read_bytes("a.gltf", bytes, &mut no_other_files).map_err(|error| error.problem)
}

pub fn read_obj(bytes: &[u8]) -> Result<Model, Problem> {
    read_bytes("a.obj", bytes, &mut no_other_files).map(|read| read.model).map_err(|error| error.problem)
}

pub fn read_fbx(bytes: &[u8]) -> Result<Model, Problem> {
    read_bytes("a.fbx", bytes, &mut no_other_files).map(|read| read.model).map_err(|error| error.problem)
}
