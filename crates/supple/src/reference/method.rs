//! Which paper's bound, and to which models it applies.

use thiserror::Error;

use crate::model::Model;
use crate::pose::PoseError;
use crate::refit::VolumeKind;
use crate::rest::Rest;
use crate::skin::Skinning;

/// A bound as a paper gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// Spheres for linear blending: thesis, Algorithm 5.2.
    Thesis52,
    /// Spheres for spherical blending: thesis, Algorithm 6.1, with caps beyond 90 degrees bounded by the whole sphere.
    Thesis61,
    /// The same as printed. Not a bound: it loses vertices where rotations differ widely. Kept to show that.
    Thesis61Printed,
    /// Spheres for displacement fields: BD-Tree, equations 5 and 7.
    BdTreeSphere,
    /// Boxes for displacement fields: BD-Tree, equations 5 and 7 axis by axis (section 3.5).
    BdTreeBox,
    /// Spheres of reference shapes, blended: morphing, equation 7.
    MorphSphere,
    /// Boxes of reference shapes, blended: morphing, equation 3 for boxes.
    MorphBox,
}

impl Method {
    /// All methods that are bounds.
    pub const ALL: [Self; 6] = [
        Self::Thesis52,
        Self::Thesis61,
        Self::BdTreeSphere,
        Self::BdTreeBox,
        Self::MorphSphere,
        Self::MorphBox,
    ];

    /// A short name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Thesis52 => "thesis-5.2",
            Self::Thesis61 => "thesis-6.1",
            Self::Thesis61Printed => "thesis-6.1-printed",
            Self::BdTreeSphere => "bd-tree-sphere",
            Self::BdTreeBox => "bd-tree-box",
            Self::MorphSphere => "morph-sphere",
            Self::MorphBox => "morph-box",
        }
    }

    /// Whether the paper's bound is a ball or a box.
    pub fn volume(self) -> VolumeKind {
        match self {
            Self::BdTreeBox | Self::MorphBox => VolumeKind::Box,
            _ => VolumeKind::Ball,
        }
    }

    /// Whether the paper bounds such models: the thesis has no rest stage, the others have one joint that moves all.
    pub fn applies_to(self, model: &Model, skinning: Skinning) -> bool {
        let skin = model.skin();
        let one_joint = skin.joint_set_count() == 1 && skin.joint_set(0).len() == 1;
        match (self, model.rest()) {
            (Self::Thesis52, Rest::Plain) => skinning == Skinning::Linear,
            (Self::Thesis61 | Self::Thesis61Printed, Rest::Plain) => skinning == Skinning::Spherical,
            (Self::BdTreeSphere | Self::BdTreeBox, Rest::Fields(_)) => one_joint,
            (Self::MorphSphere | Self::MorphBox, Rest::Morph(_)) => one_joint,
            _ => false,
        }
    }

    /// The skinning whose vertices the method bounds. With a single joint all models agree.
    pub fn skinning(self) -> Skinning {
        match self {
            Self::Thesis61 | Self::Thesis61Printed => Skinning::Spherical,
            _ => Skinning::Linear,
        }
    }
}

/// Why a paper's bound cannot be computed.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum ReferenceError {
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
    /// The pose does not fit the model.
    #[error(transparent)]
    Pose(#[from] PoseError),
}
