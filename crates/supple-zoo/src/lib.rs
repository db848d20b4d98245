//! Animals that come out of nothing: procedural models with their motions, so that tests, benchmarks, demos and
//! reproductions run with no file at all.
//!
//! In: a name and a level of detail. Out: a [`Model`], the same one every time.
//! Must hold: every kind is a closed surface, oriented outwards, with normals; each level of detail has four times the
//! triangles of the one before and exactly its shape.
//!
//! ```
//! let blob = supple_zoo::make("blob", 0)?;
//! assert_eq!(blob.mesh().triangles().len(), 20_480);
//! assert_eq!(blob.rest().coefficient_count(), 3);
//! # Ok::<(), supple_zoo::ZooError>(())
//! ```

#![warn(clippy::unwrap_used, reason = "bad input is an error; where a value must exist an `expect` says why")]

mod blob;
mod characters;
mod clips;
mod chair;
mod displacement;
mod dolphin;
mod face;
mod icosphere;
mod isosurface;
mod normals;
mod sculpt;
mod subdivide;

use supple::model::{Model, ModelError};
use thiserror::Error;

pub use characters::{creature, dwarf, hand, human, man};
pub use clips::{JointLimits, joint_limits, random_pose};
pub use normals::vertex_normals;
pub use subdivide::subdivide;

/// One kind of animal. Later kinds only need a row in the registry.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// What [`make`] calls it.
    pub name: &'static str,
    /// What it is, in a few words.
    pub about: &'static str,
    /// Makes it at detail 0.
    build: fn() -> Result<Model, ModelError>,
}

/// All kinds, in the order in which they are shown.
pub fn kinds() -> &'static [Kind] {
    KINDS
}

/// Makes a model of that name, subdivided `detail` times.
///
/// # Errors
/// No kind of that name; a detail that would give more than [`MAX_TRIANGLES`].
pub fn make(name: &str, detail: u32) -> Result<Model, ZooError> {
    let kind = KINDS.iter().find(|kind| kind.name == name).ok_or_else(|| ZooError::UnknownName {
        name: name.to_owned(),
        available: KINDS.iter().map(|kind| kind.name).collect::<Vec<_>>().join(", "),
    })?;
    let mut model = (kind.build)()?;
    let triangles = model.mesh().triangles().len();
    let allowed = 4u64.checked_pow(detail).and_then(|factor| factor.checked_mul(triangles as u64));
    if allowed.is_none_or(|count| count > MAX_TRIANGLES) {
        return Err(ZooError::TooDetailed { name: kind.name, detail, triangles });
    }
    for _ in 0..detail {
        model = subdivide(&model)?;
    }
    Ok(model)
}

/// As many triangles as [`make`] makes at most: a few gigabytes of model.
pub const MAX_TRIANGLES: u64 = 20_000_000;

/// Why there is no such animal.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum ZooError {
    /// No kind of that name.
    #[error("there is no {name:?} in the zoo; there are {available}")]
    UnknownName {
        /// What was asked for.
        name: String,
        /// All names.
        available: String,
    },
    /// More triangles than anybody can want.
    #[error(
        "{name} has {triangles} triangles at detail 0; detail {detail} would exceed the limit of {MAX_TRIANGLES}"
    )]
    TooDetailed {
        /// The kind.
        name: &'static str,
        /// What was asked for.
        detail: u32,
        /// Triangles at detail 0.
        triangles: usize,
    },
    /// The pieces do not fit together.
    #[error(transparent)]
    Model(#[from] ModelError),
}

static KINDS: &[Kind] = &[
    Kind { name: "man", about: "a man of 27 joints", build: || Ok(man()) },
    Kind { name: "creature", about: "a four-legged dragon of 56 joints", build: || Ok(creature()) },
    Kind { name: "dwarf", about: "a stocky dwarf, one joint per vertex", build: || Ok(dwarf()) },
    Kind { name: "human", about: "a human whose arms and legs are tubes", build: || Ok(human()) },
    Kind { name: "hand", about: "a hand with all its fingers", build: || Ok(hand()) },
    Kind { name: "blob", about: "three smooth bodies that morph into each other", build: blob::build },
    Kind { name: "dolphin", about: "three phases of a swimming stroke", build: dolphin::build },
    Kind { name: "face", about: "a head with the 52 blend shapes of face trackers", build: face::build },
    Kind { name: "chair", about: "a plastic garden chair with ten ways to flex", build: chair::build },
];
