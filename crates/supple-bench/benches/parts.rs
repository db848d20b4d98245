//! What is timed, and the times of a frame's rounds.

use supple::Skinning;
use supple_report::clock::median;

/// What is timed, for both characters together.
#[derive(Clone, Copy, Debug)]
pub enum Part {
    SetPose,
    SetMatrices,
    First,
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
    ParryRefit,
    ParryFirst,
    ParryAll,
    ObvhsRefit,
    ObvhsFirst,
    ObvhsAll,
}

/// Number of parts.
pub const PARTS: usize = Part::ObvhsAll as usize + 1;

/// Parts of the peers: name, refit, first contact, all pairs.
pub const PEERS: [(&str, [Part; 3]); 2] = [
    ("parry3d", [Part::ParryRefit, Part::ParryFirst, Part::ParryAll]),
    ("obvhs", [Part::ObvhsRefit, Part::ObvhsFirst, Part::ObvhsAll]),
];

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

    /// The medians; 0 where nothing was measured.
    pub fn medians(self) -> [f64; PARTS] {
        self.0.map(|times| if times.is_empty() { 0.0 } else { median(times) })
    }
}
