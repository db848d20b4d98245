//! How joints are blended, as the user names it.

use clap::ValueEnum;
use supple::Skinning;

/// The skinning models under their short names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SkinningName {
    /// Blend matrices, as engines do
    Linear,
    /// Blend rotations about a common centre
    Spherical,
    /// Blend dual quaternions
    Dual,
}

impl From<SkinningName> for Skinning {
    fn from(name: SkinningName) -> Self {
        match name {
            SkinningName::Linear => Self::Linear,
            SkinningName::Spherical => Self::Spherical,
            SkinningName::Dual => Self::DualQuaternion,
        }
    }
}
