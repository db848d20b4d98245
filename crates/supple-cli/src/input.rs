//! The argument that names a model.

use clap::Args;

/// What is read.
#[derive(Args, Debug)]
pub struct Input {
    /// A .glb, .gltf, .vrm, .fbx, .obj or .supple file, or zoo:NAME or zoo:NAME:DETAIL
    pub file: String,
    /// Take only the parts of that name
    #[arg(long, value_name = "NAME")]
    pub part: Option<String>,
}
