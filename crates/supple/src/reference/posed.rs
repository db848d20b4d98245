//! Reference bounds in one pose: refits a node as its paper does.
//!
//! Must hold: what is bounded are the vertices as skinning computes them in f32, from the same rounded numbers
//! (matrices, quaternions, rotation centres). Bounds are evaluated in f64, whose own rounding disappears in the margins,
//! so the margins are those of the vertex alone (`docs/math/corner-bounds.md`).

use glam::{Affine3A, DVec3, Vec3};

use super::bounds::{SetCorners, StageVolume};
use super::posed_joint::PosedJoint;
use super::spherical::CapRule;
use super::{Method, ReferenceBounds, ReferenceError, fields, linear, morph, spherical};
use crate::math::outward::radius_of;
use crate::math::{Aabb, Sphere};
use crate::model::PosedModel;
use crate::refit::VolumeKind;

/// `2^-24`, half the distance from 1 to the next f32.
pub(super) const UNIT_ROUNDOFF: f64 = f32::EPSILON as f64 / 2.0;

/// A shape's reference bounds in one pose.
#[derive(Clone, Debug)]
pub struct PosedReference<'b> {
    bounds: &'b ReferenceBounds,
    method: Method,
    joints: Vec<PosedJoint>,
    coefficients: Vec<f32>,
    positions: Vec<Vec3>,
}

/// A refitted bound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ReferenceVolume {
    /// Of the methods that use spheres.
    Ball(Sphere),
    /// Of the methods that use boxes.
    Box(Aabb),
}

impl ReferenceVolume {
    /// Whether the point is inside or on the surface.
    pub fn contains(&self, point: Vec3) -> bool {
        match self {
            Self::Ball(ball) => ball.contains(point),
            Self::Box(aabb) => aabb.contains(point),
        }
    }

    /// What tightness compares: the radius of a ball, the sum of a box's extents.
    pub fn size(&self) -> f64 {
        match self {
            Self::Ball(ball) => f64::from(ball.radius),
            Self::Box(aabb) => (aabb.max.as_dvec3() - aabb.min.as_dvec3()).element_sum(),
        }
    }
}

impl<'b> PosedReference<'b> {
    pub(super) fn new(
        bounds: &'b ReferenceBounds,
        method: Method,
        matrices: &[Affine3A],
        coefficients: &[f32],
    ) -> Result<Self, ReferenceError> {
        let model = bounds.shape().model();
        if !method.applies_to(model, method.skinning()) {
            return Err(ReferenceError::DoesNotApply { method });
        }
        let positions = PosedModel::new(model, method.skinning(), matrices, coefficients)?.positions();
        let coefficients = model.rest().checked_coefficients(coefficients)?.into_owned();
        let joint =
            |(joint, m): (usize, &Affine3A)| PosedJoint::new(m).ok_or(ReferenceError::NotRigid { joint });
        let joints = matrices.iter().enumerate().map(joint).collect::<Result<_, _>>()?;
        Ok(Self { bounds, method, joints, coefficients, positions })
    }

    /// The numbers that all poses share.
    pub fn bounds(&self) -> &'b ReferenceBounds {
        self.bounds
    }

    /// Whose bounds these are.
    pub fn method(&self) -> Method {
        self.method
    }

    /// Posed positions of all vertices.
    pub fn positions(&self) -> &[Vec3] {
        &self.positions
    }

    /// The bound of a node; 0 is the root.
    ///
    /// # Panics
    /// There is no such node.
    pub fn refit(&self, node: usize) -> ReferenceVolume {
        let volume = self.bounds.node(node);
        let q = &self.coefficients[..];
        match &volume.stage {
            StageVolume::Skinned(sets) => self.refit_skinned(&volume.ball, sets),
            StageVolume::Fields(changes) => {
                let margin = self.margin(1, changes.len(), fields::displaced_reach(&volume.ball, changes, q));
                let ball = || fields::displaced_ball(&volume.ball, changes, q);
                self.moved(ball, || fields::displaced_box(&volume.aabb, changes, q), margin)
            }
            StageVolume::Morph(shapes) => {
                let margin = self.margin(1, shapes.len(), morph::blended_reach(shapes));
                let ball = || morph::blended_ball(shapes, q);
                self.moved(ball, || morph::blended_box(shapes, q), margin)
            }
        }
    }

    fn refit_skinned(&self, rest: &Sphere, sets: &[SetCorners]) -> ReferenceVolume {
        let skin = self.bounds.shape().model().skin();
        let ball = match self.method {
            Method::Thesis61 => spherical::refit(rest, sets, skin, &self.joints, CapRule::Corrected),
            Method::Thesis61Printed => spherical::refit(rest, sets, skin, &self.joints, CapRule::Printed),
            _ => linear::refit(rest, sets, skin, &self.joints),
        };
        let most = sets.iter().map(|s| skin.joint_set(s.set).len()).max().unwrap_or(1);
        let reach = rest.center.as_dvec3().length() + f64::from(rest.radius);
        ReferenceVolume::Ball(ball.rounded(self.margin(most, 0, reach)))
    }

    /// The rest stage's volume, moved by the one joint.
    fn moved(
        &self,
        ball: impl FnOnce() -> MovedBall,
        aabb: impl FnOnce() -> MovedBox,
        margin: f64,
    ) -> ReferenceVolume {
        let joint = &self.joints[self.bounds.shape().model().skin().joint_set(0)[0] as usize];
        match self.method.volume() {
            VolumeKind::Ball => {
                let MovedBall { center, radius } = ball();
                let moved = MovedBall {
                    center: joint.matrix.transform_point3(center),
                    radius: radius * joint.largest_stretch,
                };
                ReferenceVolume::Ball(moved.rounded(margin))
            }
            VolumeKind::Box => {
                let MovedBox { center, half } = aabb();
                let moved = MovedBox {
                    center: joint.matrix.transform_point3(center),
                    half: joint.matrix.matrix3.abs() * half,
                };
                ReferenceVolume::Box(moved.rounded(margin))
            }
        }
    }

    /// How far f32 takes a coordinate off: the blend of `n` matrices, its application and the weights' sum `2 n + 4`, a
    /// rest stage of `m` terms `m + 1`, the rest generously for products of errors; in units of all terms' absolute values.
    fn margin(&self, n: usize, m: usize, reach: f64) -> f64 {
        let magnitude =
            |joint: &PosedJoint| joint.largest_stretch * reach + joint.matrix.translation.length();
        let largest = self.joints.iter().map(magnitude).fold(0.0, f64::max);
        (2 * n + m + 8) as f64 * UNIT_ROUNDOFF * largest
    }
}

/// A bound in f64.
#[derive(Clone, Copy, Debug)]
pub(super) struct MovedBall {
    pub center: DVec3,
    pub radius: f64,
}

impl MovedBall {
    /// In f32, with a margin per axis (at most twice as long in space); rounding the centre costs radius.
    fn rounded(&self, margin: f64) -> Sphere {
        let center = self.center.as_vec3();
        let moved = center.as_dvec3().distance(self.center);
        Sphere::new(center, radius_of(self.radius + 2.0 * margin + moved))
    }
}

/// A bound in f64.
#[derive(Clone, Copy, Debug)]
pub(super) struct MovedBox {
    pub center: DVec3,
    pub half: DVec3,
}

impl MovedBox {
    /// In f32, with a margin.
    fn rounded(&self, margin: f64) -> Aabb {
        let half = self.half + DVec3::splat(margin);
        let (min, max) = ((self.center - half).as_vec3(), (self.center + half).as_vec3());
        Aabb { min: min.map(f32::next_down), max: max.map(f32::next_up) }
    }
}
