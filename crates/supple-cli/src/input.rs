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
    /// Take another scene of a glTF, by name or by its number in `inspect`
    #[arg(long, value_name = "NAME|INDEX")]
    pub scene: Option<String>,
}

impl Input {
    /// All of a file.
    pub fn whole(file: impl Into<String>) -> Self {
        Self { file: file.into(), part: None, scene: None }
    }
}
