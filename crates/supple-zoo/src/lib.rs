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
mod bridge;
mod characters;
mod chair;
mod clips;
pub mod cloth;
mod curtain;
mod dolphin;
mod face;
mod fish;
mod flexible;
mod icosphere;
mod isosurface;
#[doc(hidden)] // Only for the program that makes the data.
pub mod mode_data;
mod sculpt;
mod subdivide;

use supple::{Model, ModelError};
use thiserror::Error;

pub use characters::{creature, dwarf, hand, human, man};
pub use clips::{JointLimits, joint_limits, random_pose};
pub use curtain::curtain_gust;
pub use icosphere::icosphere;
pub use subdivide::subdivide;

/// One kind of animal. Later kinds only need a row in the registry.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// What [`make`] calls it.
    pub name: &'static str,
    /// What it is, in a few words.
    pub about: &'static str,
    /// Vertices at detail 0.
    pub vertices: usize,
    /// Triangles at detail 0; four times as many at each further detail.
    pub triangles: usize,
    /// Joints that move it.
    pub joints: usize,
    /// Displacement fields or reference shapes.
    pub shapes: usize,
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
    let allowed = 4u64.checked_pow(detail).and_then(|factor| factor.checked_mul(kind.triangles as u64));
    if allowed.is_none_or(|count| count > MAX_TRIANGLES) {
        return Err(ZooError::TooDetailed { name: kind.name, detail, triangles: kind.triangles });
    }
    let mut model = named((kind.build)()?, kind.name)?;
    for _ in 0..detail {
        model = subdivide(&model)?;
    }
    Ok(model)
}

/// The model with its parts called by its own name where they have none.
fn named(model: Model, name: &str) -> Result<Model, ModelError> {
    let mut parts = model.parts().to_vec();
    for part in parts.iter_mut().filter(|part| part.name.is_empty()) {
        name.clone_into(&mut part.name);
    }
    model.with_parts(parts)
}

/// As many triangles as [`make`] makes at most: a few gigabytes of model.
pub const MAX_TRIANGLES: u64 = 20_000_000;

/// Why there is no such animal.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
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
    /// No sheet, or more of it than anybody can want.
    #[error(
        "a cloth of {columns} by {rows} vertices in {frames} frames; it needs two of each and a frame, and at most {} positions",
        cloth::MAX_POSITIONS
    )]
    BadCloth {
        /// Across.
        columns: usize,
        /// Down.
        rows: usize,
        /// In time.
        frames: usize,
    },
    /// The pieces do not fit together.
    #[error(transparent)]
    Model(#[from] ModelError),
}

/// Counts are vertices, triangles, joints, shapes; a test compares them with what is built.
static KINDS: &[Kind] = &[
    kind("man", "a man of 27 joints", [4400, 8796, 27, 0], || Ok(man())),
    kind("creature", "a four-legged dragon of 56 joints", [6802, 13600, 56, 0], || Ok(creature())),
    kind("dwarf", "a stocky dwarf, one joint per vertex", [852, 1700, 45, 0], || Ok(dwarf())),
    kind("human", "a human whose arms and legs are tubes", [13002, 26000, 52, 0], || Ok(human())),
    kind("hand", "a hand with all its fingers", [2402, 4800, 19, 0], || Ok(hand())),
    kind("blob", "three smooth bodies that morph into each other", [10242, 20480, 1, 3], blob::build),
    kind("dolphin", "three phases of a swimming stroke", [284, 564, 1, 3], dolphin::build),
    kind("face", "a head with the 52 blend shapes of face trackers", [5002, 10000, 1, 52], face::build),
    kind("chair", "a plastic garden chair with ten ways to flex", [8938, 17900, 1, 10], chair::build),
    kind("fish", "a fish with three ways to bend", [12390, 24776, 1, 3], fish::build),
    kind("bridge", "a suspension bridge of thousands of members", [133620, 238288, 1, 10], bridge::build),
    kind("curtain", "a pleated curtain in the wind", [5994, 11984, 1, 12], curtain::build),
];

const fn kind(
    name: &'static str,
    about: &'static str,
    [vertices, triangles, joints, shapes]: [usize; 4],
    build: fn() -> Result<Model, ModelError>,
) -> Kind {
    Kind { name, about, vertices, triangles, joints, shapes, build }
}
