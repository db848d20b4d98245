//! What is asked of a fit.

use supple::Skinning;

use crate::FitError;

/// How a sequence becomes a skin. The default is the thesis' recommendation: 100 proxy-joints, rigid, dual quaternions.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct FitOptions {
    /// How many proxy-joints; fewer are made where the rest mesh has fewer different vertices.
    pub joints: usize,
    /// `P`: a joint moves what is within `P` times the covering radius of it. At least 1, or some vertex would be free;
    /// 1.5 is the thesis' choice.
    pub reach: f64,
    /// How many joints a vertex follows at most: its heaviest. Players of glTF show four.
    pub influences: usize,
    /// How distances between vertices and joints are measured.
    pub distance: Distance,
    /// Where the joints are.
    pub placement: Placement,
    /// Where the weights come from.
    pub weights: Weights,
    /// [`Skinning::DualQuaternion`] for rigid joints, [`Skinning::Linear`] for affine ones; the third is not supported.
    pub skinning: Skinning,
    /// How many eigen-displacements correct the rest shape.
    pub corrections: Corrections,
    /// How linear systems are solved.
    pub solver: Solver,
    /// How often rigid joints are improved by Gauss-Newton steps at most, after the thesis' linear fit; 0 leaves that
    /// as it is.
    pub steps: usize,
    /// How often joints and corrections are fitted in turn, each for what the other leaves; 1 is the thesis' single
    /// pass. Only with [`Corrections::Count`].
    pub rounds: usize,
}

impl Default for FitOptions {
    fn default() -> Self {
        Self {
            joints: 100,
            reach: 1.5,
            influences: usize::MAX,
            distance: Distance::Euclidean,
            placement: Placement::PCenter,
            weights: Weights::FallOff,
            skinning: Skinning::DualQuaternion,
            corrections: Corrections::None,
            solver: Solver::Direct,
            steps: 10,
            rounds: 1,
        }
    }
}

impl FitOptions {
    /// The same with another [`joints`](Self::joints).
    #[must_use]
    pub fn with_joints(mut self, joints: usize) -> Self {
        self.joints = joints;
        self
    }

    /// The same with another [`reach`](Self::reach).
    #[must_use]
    pub fn with_reach(mut self, reach: f64) -> Self {
        self.reach = reach;
        self
    }

    /// The same with another [`influences`](Self::influences).
    #[must_use]
    pub fn with_influences(mut self, influences: usize) -> Self {
        self.influences = influences;
        self
    }

    /// The same with another [`distance`](Self::distance).
    #[must_use]
    pub fn with_distance(mut self, distance: Distance) -> Self {
        self.distance = distance;
        self
    }

    /// The same with another [`placement`](Self::placement).
    #[must_use]
    pub fn with_placement(mut self, placement: Placement) -> Self {
        self.placement = placement;
        self
    }

    /// The same with another [`weights`](Self::weights).
    #[must_use]
    pub fn with_weights(mut self, weights: Weights) -> Self {
        self.weights = weights;
        self
    }

    /// The same with another [`skinning`](Self::skinning).
    #[must_use]
    pub fn with_skinning(mut self, skinning: Skinning) -> Self {
        self.skinning = skinning;
        self
    }

    /// The same with another [`corrections`](Self::corrections).
    #[must_use]
    pub fn with_corrections(mut self, corrections: Corrections) -> Self {
        self.corrections = corrections;
        self
    }

    /// The same with another [`solver`](Self::solver).
    #[must_use]
    pub fn with_solver(mut self, solver: Solver) -> Self {
        self.solver = solver;
        self
    }

    /// The same with another [`steps`](Self::steps).
    #[must_use]
    pub fn with_steps(mut self, steps: usize) -> Self {
        self.steps = steps;
        self
    }

    /// The same with another [`rounds`](Self::rounds).
    #[must_use]
    pub fn with_rounds(mut self, rounds: usize) -> Self {
        self.rounds = rounds;
        self
    }
}

/// How far a vertex is from a joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Distance {
    /// Through space.
    Euclidean,
    /// Along the rest surface, for folded meshes: shortest paths over edges and across pairs of triangles. Vertices at
    /// one position are one.
    Geodesic,
}

/// Where proxy-joints are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placement {
    /// Each at the vertex that is farthest from all before it.
    PCenter,
    /// Closer to each other where a first fit with half of them has larger errors. Pays where motion is local; where
    /// errors are even it only costs the time of a second fit.
    Adaptive,
}

/// Where weights come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weights {
    /// They fall linearly from the joint to the end of its reach.
    FallOff,
    /// Those, then improved by non-negative least squares over all frames; joints are fitted again.
    LeastSquares,
}

/// How many eigen-displacements there are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Corrections {
    /// None.
    None,
    /// This many, or as many as there are (never more than frames).
    Count(usize),
    /// As few as bring the distortion to at most this percentage; all that help if that cannot be reached.
    Error(f64),
}

/// How linear least squares are solved; both give the same answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Solver {
    /// Normal equations and a Cholesky factorisation that knows which joints overlap.
    Direct,
    /// LSQR as in the thesis: the reference, and many times slower.
    Lsqr,
}

/// How far a fit is; reported from any thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// What is done.
    pub stage: &'static str,
    /// Frames that are done.
    pub done: usize,
    /// All of them.
    pub total: usize,
}

impl FitOptions {
    pub(crate) fn check(&self) -> Result<(), FitError> {
        let bad = |option, value, expected| Err(FitError::BadOption { option, value, expected });
        if self.joints == 0 {
            return bad("joints", 0.0, "at least 1");
        }
        if !(self.reach > 1.0 && self.reach <= 100.0) {
            return bad("reach", self.reach, "more than 1 and at most 100");
        }
        if self.influences == 0 {
            return bad("influences", 0.0, "at least 1");
        }
        if self.rounds == 0 {
            return bad("rounds", 0.0, "at least 1");
        }
        if self.skinning == Skinning::Spherical {
            return bad("skinning", 1.0, "linear or dual quaternion");
        }
        match self.corrections {
            Corrections::Error(percent) if percent.is_nan() || percent < 0.0 => {
                bad("corrections", percent, "a percentage that is not negative")
            }
            _ => Ok(()),
        }
    }
}
