//! Which method, of which paper, and to which models it applies.

use thiserror::Error;

use supple::rest::Rest;
use supple::{Model, PoseError, Skinning};

/// How volumes follow a pose. Any volume goes with any method; the papers' own choice is in brackets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// Linear blending, on demand: thesis, Algorithm 5.2 (spheres).
    Linear,
    /// Spherical blending, on demand: thesis, Algorithm 6.1, with caps beyond 90 degrees bounded by the whole sphere (spheres).
    Spherical,
    /// The same as printed. Not a bound: it loses vertices where rotations differ widely. Kept to show that.
    SphericalAsPrinted,
    /// Dual quaternion blending, on demand: no paper; `docs/math/rotation-blending.md`.
    DualQuaternion,
    /// Displacement fields, on demand: BD-Tree, equations 5 to 7 and section 3.5 (spheres, boxes). Rigid things are the case without
    /// fields.
    Fields,
    /// Reference shapes, on demand: morphing, equations 3 and 7 (boxes). With a number of volumes more between neighbouring shapes.
    Morph {
        /// Volumes of blends between each reference shape and the next: 0, or 1 as in section 5; at most 255.
        between: usize,
    },
    /// All volumes from the leaves up: van den Bergen 1997 (boxes), Brown et al. 2001 (spheres).
    BottomUp,
    /// The upper half of the levels from below, the rest when it is reached: Larsson & Akenine-Moller 2001 (boxes).
    Hybrid,
    /// A new tree for every pose.
    Rebuild,
}

impl Method {
    /// Those that need no vertex, and are bounds.
    pub const ON_DEMAND: [Self; 5] =
        [Self::Linear, Self::Spherical, Self::DualQuaternion, Self::Fields, Self::Morph { between: 0 }];

    /// A short name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Linear => "thesis-5.2",
            Self::Spherical => "thesis-6.1",
            Self::SphericalAsPrinted => "thesis-6.1-printed",
            Self::DualQuaternion => "dual-quaternion",
            Self::Fields => "bd-tree",
            Self::Morph { between: 0 } => "morph",
            Self::Morph { .. } => "morph-between",
            Self::BottomUp => "bottom-up",
            Self::Hybrid => "hybrid",
            Self::Rebuild => "rebuild",
        }
    }

    /// Whether all vertices are posed before anything else.
    pub fn is_eager(self) -> bool {
        matches!(self, Self::BottomUp | Self::Hybrid | Self::Rebuild)
    }

    /// Whether the method bounds such models: the thesis has no rest stage, the other papers have one joint that moves all.
    pub fn applies_to(self, model: &Model, skinning: Skinning) -> bool {
        match (self, model.rest()) {
            (Self::Linear, Rest::Plain) => skinning == Skinning::Linear,
            (Self::Spherical | Self::SphericalAsPrinted, Rest::Plain) => skinning == Skinning::Spherical,
            (Self::DualQuaternion, Rest::Plain) => skinning == Skinning::DualQuaternion,
            (Self::Fields, Rest::Fields(_) | Rest::Plain) => only_joint(model).is_some(),
            (Self::Morph { .. }, Rest::Morph(_)) => only_joint(model).is_some(),
            (method, _) => method.is_eager(),
        }
    }
}

/// The joint that moves all vertices, if there is one. Such a model is bounded in the space of that joint.
pub(super) fn only_joint(model: &Model) -> Option<usize> {
    let skin = model.skin();
    let one = skin.joint_set_count() == 1 && skin.joint_set(0).len() == 1;
    one.then(|| skin.joint_set(0)[0] as usize)
}

/// Why a paper's method cannot be used.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum MethodError {
    /// Another kind of model.
    #[error("{} does not bound models of this rest stage and skin", method.name())]
    DoesNotApply {
        /// The method asked for.
        method: Method,
    },
    /// The papers know rotations and translations only; [`NEARLY_RIGID`](super::NEARLY_RIGID) is left for rounding.
    #[error("joint {joint} scales or mirrors; the papers bound rigid joints only")]
    NotRigid {
        /// The joint.
        joint: usize,
    },
    /// Corners of weight polytopes are found by trying all of them.
    #[error("a vertex follows {found} joints; the corners of more than {limit} weights are not enumerated")]
    TooManyJoints {
        /// Joints of the largest joint-set.
        found: usize,
        /// As many as are enumerated.
        limit: usize,
    },
    /// Volumes between reference shapes are stored, all of them.
    #[error("{found} volumes between reference shapes; at most {limit} are stored")]
    TooManyBetween {
        /// Volumes asked for.
        found: usize,
        /// As many as are stored.
        limit: usize,
    },
    /// The tree was built for another mesh.
    #[error("the tree has {found} triangles, the model {expected}")]
    OtherTree {
        /// Triangles of the model.
        expected: usize,
        /// Triangles of the tree.
        found: usize,
    },
    /// The pose does not fit the model.
    #[error(transparent)]
    Pose(#[from] PoseError),
}
