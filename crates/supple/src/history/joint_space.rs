//! Joints between two ticks.
//!
//! A joint matrix `C` says where rest positions go. Blending two of them directly would let a joint that turns leave its
//! position, because `C` turns about the origin of the rest space. So `W = C * bind`, the joint's own frame in the world, is
//! interpolated: its origin on a straight line, its rotation on the shortest arc, its stretch linearly, `W = R S`. How far the
//! path between two ticks leaves its chord, and what a rounded `bind` does to it: `docs/math/sweep.md`.

use glam::{Affine3A, DAffine3, DMat3, DQuat, DVec3};

use crate::math::polar;
use crate::math::shortest_arc::shortest_arc;
use crate::pose::Joint;

/// Twelve numbers of a joint matrix, column by column: 48 bytes.
pub(super) type Columns = [f32; 12];

/// From the rest space to the space in which a joint is interpolated, and back.
#[derive(Clone, Copy, Debug)]
pub(super) struct JointSpace {
    pub from_rest: DAffine3,
    pub to_rest: DAffine3,
}

/// The frame of a joint in the world.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    pub origin: DVec3,
    pub rotation: DQuat,
    pub stretch: DMat3,
}

impl JointSpace {
    /// The joint's own space; the rest space where the inverse bind matrix has no inverse to rely on.
    pub fn new(joint: &Joint) -> Self {
        let bind = joint.inverse_bind.inverse();
        if bind.is_finite() && (joint.inverse_bind * bind).abs_diff_eq(DAffine3::IDENTITY, 1e-9) {
            return Self { from_rest: joint.inverse_bind, to_rest: bind };
        }
        Self { from_rest: DAffine3::IDENTITY, to_rest: DAffine3::IDENTITY }
    }

    /// The space of the joint's node, where poses say how the node itself moves and nothing has to be undone.
    pub fn of_node(joint: &Joint) -> Self {
        Self { from_rest: joint.inverse_bind, to_rest: DAffine3::IDENTITY }
    }

    pub fn frame(&self, matrix: &Columns) -> Frame {
        let world = Affine3A::from_cols_array(matrix).as_daffine3() * self.to_rest;
        let (rotation, stretch) = polar(world.matrix3);
        Frame { origin: world.translation, rotation, stretch }
    }

    /// The joint matrix between two; equal ones give just that.
    pub fn between(&self, a: &Columns, b: &Columns, t: f64) -> Affine3A {
        if a == b {
            return Affine3A::from_cols_array(a);
        }
        let (from, to) = (self.frame(a), self.frame(b));
        let rotation = DMat3::from_quat(shortest_arc(from.rotation, to.rotation, t));
        let stretch = from.stretch + (to.stretch - from.stretch) * t;
        let origin = from.origin + (to.origin - from.origin) * t;
        let world = DAffine3::from_mat3_translation(rotation * stretch, origin);
        (world * self.from_rest).as_affine3a()
    }
}
