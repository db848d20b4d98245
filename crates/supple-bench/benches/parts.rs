//! What is timed, and the times of a frame's rounds.

use supple::Skinning;
use supple_bench::quartile::lower_quartile;

/// What is timed, for both characters together.
#[derive(Clone, Copy, Debug)]
pub enum Part {
    SetPose,
    SetMatrices,
    First,
    /// First contact near that of the frame before.
    FirstNear,
    All,
    AllAgain,
    Hierarchy,
    Skin,
    Refit,
    OpponentFirst,
    OpponentAll,
    LimitFirst,
    LimitAll,
    SphericalSet,
    SphericalFirst,
    SphericalAll,
    DualSet,
    DualFirst,
    DualAll,
    ShapesSet,
    ShapesFirst,
    ShapesAll,
}

/// Number of parts.
pub const PARTS: usize = Part::ShapesAll as usize + 1;

/// Parts of a skinning model.
pub fn parts_of(skinning: Skinning) -> [Part; 3] {
    match skinning {
        Skinning::Linear => [Part::SetPose, Part::First, Part::All],
        Skinning::Spherical => [Part::SphericalSet, Part::SphericalFirst, Part::SphericalAll],
        Skinning::DualQuaternion => [Part::DualSet, Part::DualFirst, Part::DualAll],
    }
}

/// Times of the rounds of a frame.
pub struct Rounds([Vec<f64>; PARTS]);

impl Rounds {
    /// None yet.
    pub fn new() -> Self {
        Self([const { Vec::new() }; PARTS])
    }

    /// Notes a time.
    pub fn note<T>(&mut self, part: Part, (time, result): (f64, T)) -> T {
        self.0[part as usize].push(time);
        result
    }

    /// The lower quartiles; 0 where nothing was measured.
    pub fn quartiles(self) -> [f64; PARTS] {
        self.0.map(|times| if times.is_empty() { 0.0 } else { lower_quartile(times) })
    }
}
