//! The scenes by name.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// What there is to see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SceneKind {
    /// Plastic chairs crash to the ground.
    Chairs,
    /// Fish fall on a swaying bridge.
    Fish,
    /// Spheres are thrown at a curtain in the wind.
    Curtain,
}

impl SceneKind {
    /// All scenes.
    pub const ALL: [Self; 3] = [Self::Chairs, Self::Fish, Self::Curtain];
    /// Their names.
    pub const NAMES: [&'static str; 3] = ["chairs", "fish", "curtain"];

    /// How many bodies it takes at most.
    pub fn most(self) -> usize {
        match self {
            Self::Chairs | Self::Fish => 20_000,
            Self::Curtain => 100,
        }
    }
}

impl fmt::Display for SceneKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(Self::NAMES[*self as usize])
    }
}

impl FromStr for SceneKind {
    type Err = UnknownScene;

    fn from_str(name: &str) -> Result<Self, UnknownScene> {
        let known = Self::ALL.into_iter().find(|kind| Self::NAMES[*kind as usize] == name);
        known.ok_or_else(|| UnknownScene(name.to_owned()))
    }
}

/// No scene of that name.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("there is no scene {0:?}; there are {names}", names = SceneKind::NAMES.join(", "))]
pub struct UnknownScene(String);
