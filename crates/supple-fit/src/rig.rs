//! From joint transforms per frame to a model with a clip.
//!
//! In: affine maps, one per joint and frame. Out: proxy-joints as root nodes at their vertices, and one clip with a key
//! per frame.
//! Must hold: the clip is the truth. Joint matrices of a frame are what the skeleton computes from the clip at the
//! frame's time, so that whatever plays the model sees what was measured.
//!
//! A node has translation, rotation and scale, an affine map also shear: `M = R S` (polar), `S = V D V^T`, so `M = (R
//! V) D . V^T` is a node with a child that only turns. Rigid joints need no child. `V` is chosen near that of the frame
//! before, for what lies between keys.

use glam::{Affine3A, DAffine3, DMat3, DQuat, DVec3, Vec3};
use supple::math::{SymmetricEigen, polar};
use supple::pose::{Channel, Interpolation, Joint, Node, Skeleton, Target};
use supple::rest::{Fields, Rest};
use supple::{Clip, Isometry, Mesh, Model, ModelError, Skin, Skinning, Transform};

use crate::FitError;
use crate::corrections::Correction;

/// The clip's name.
const CLIP: &str = "sequence";

/// A model with its joint matrices, frame by frame.
pub(crate) struct Rig {
    pub model: Model,
    pub palettes: Vec<Vec<Affine3A>>,
    pub coefficients: Vec<Vec<f32>>,
}

/// Everything the sequence says about a model that the joints do not.
pub(crate) struct Cloth<'a> {
    pub mesh: &'a Mesh,
    pub skin: &'a Skin,
    pub times: &'a [f32],
    /// The vertex at which each joint is.
    pub joints: &'a [usize],
    pub skinning: Skinning,
}

impl Cloth<'_> {
    /// `frames` has the joints' maps, `correction` what the rest shape adds.
    pub fn rig(&self, frames: &[Vec<DAffine3>], correction: Option<&Correction>) -> Result<Rig, FitError> {
        let pivots: Vec<Vec3> = self.joints.iter().map(|&v| self.mesh.positions()[v]).collect();
        let sheared = self.skinning == Skinning::Linear;
        let mut model = Model::new(self.mesh.clone(), self.skin.clone(), skeleton(&pivots, sheared)?)?;
        let mut channels = Vec::new();
        for (joint, &pivot) in pivots.iter().enumerate() {
            let maps = frames.iter().map(|maps| maps[joint]);
            channels.extend(if sheared {
                self.sheared_channels(joint, pivot, maps)
            } else {
                self.rigid_channels(joint, pivot, maps)
            });
        }
        let mut coefficients = vec![Vec::new(); frames.len()];
        if let Some(correction) = correction.filter(|c| !c.fields.is_empty()) {
            let fields =
                Fields::new(self.mesh.positions().len(), &correction.fields).map_err(ModelError::from)?;
            model = model.with_rest(Rest::Fields(fields))?;
            let values = correction.coefficients.concat();
            channels.push(self.channel(Target::Coefficients(0..correction.fields.len()), values));
            coefficients.clone_from(&correction.coefficients);
        }
        let clip = Clip::new(CLIP, channels).map_err(ModelError::from)?;
        let model = model.with_clips(vec![clip])?;
        let palette = |&time: &f32| {
            let pose = model.sample(&model.clips()[0], f64::from(time))?;
            model.skeleton().joint_matrices(&pose, Isometry::IDENTITY)
        };
        let palettes = self.times.iter().map(palette).collect::<Result<_, _>>()?;
        Ok(Rig { model, palettes, coefficients })
    }

    fn channel(&self, target: Target, values: Vec<f32>) -> Channel {
        Channel { target, interpolation: Interpolation::Linear, times: self.times.to_vec(), values }
    }

    fn rigid_channels(
        &self,
        joint: usize,
        pivot: Vec3,
        maps: impl Iterator<Item = DAffine3>,
    ) -> Vec<Channel> {
        let (mut positions, mut turns) = (Vec::new(), Vec::new());
        for map in maps {
            positions.extend(map.transform_point3(pivot.as_dvec3()).as_vec3().to_array());
            turns.extend(DQuat::from_mat3(&map.matrix3).as_quat().to_array());
        }
        vec![
            self.channel(Target::Translation(joint), positions),
            self.channel(Target::Rotation(joint), turns),
        ]
    }

    fn sheared_channels(
        &self,
        joint: usize,
        pivot: Vec3,
        maps: impl Iterator<Item = DAffine3>,
    ) -> Vec<Channel> {
        let [mut positions, mut turns, mut scales, mut inner] = [const { Vec::new() }; 4];
        let mut axes = DMat3::IDENTITY;
        for map in maps {
            let (rotation, stretch) = polar(map.matrix3);
            axes = nearest_axes(SymmetricEigen::new(stretch).vectors, axes);
            let scale = axes.transpose() * stretch * axes;
            positions.extend(map.transform_point3(pivot.as_dvec3()).as_vec3().to_array());
            turns.extend((rotation * DQuat::from_mat3(&axes)).as_quat().to_array());
            scales.extend(DVec3::new(scale.x_axis.x, scale.y_axis.y, scale.z_axis.z).as_vec3().to_array());
            inner.extend(DQuat::from_mat3(&axes.transpose()).as_quat().to_array());
        }
        let child = self.joints.len() + joint;
        vec![
            self.channel(Target::Translation(joint), positions),
            self.channel(Target::Rotation(joint), turns),
            self.channel(Target::Scale(joint), scales),
            self.channel(Target::Rotation(child), inner),
        ]
    }
}

/// Joints without a hierarchy; those that shear are children that only turn.
fn skeleton(pivots: &[Vec3], sheared: bool) -> Result<Skeleton, FitError> {
    let node = |(joint, &pivot): (usize, &Vec3)| {
        Node::new(format!("proxy {joint}"), None, Transform::from_translation(pivot))
    };
    let mut nodes: Vec<Node> = pivots.iter().enumerate().map(node).collect();
    if sheared {
        nodes.extend(
            (0..pivots.len())
                .map(|joint| Node::new(format!("shear {joint}"), Some(joint), Transform::IDENTITY)),
        );
    }
    let first = if sheared { pivots.len() } else { 0 };
    let bind = |(joint, pivot): (usize, &Vec3)| Joint {
        node: first + joint,
        inverse_bind: DAffine3::from_translation(-pivot.as_dvec3()),
    };
    let joints = pivots.iter().enumerate().map(bind).collect();
    Ok(Skeleton::new(nodes, joints).map_err(ModelError::from)?)
}

/// The same three axes in the order and with the signs, of those that make a rotation, nearest to others.
fn nearest_axes(axes: DMat3, wanted: DMat3) -> DMat3 {
    let columns = [axes.x_axis, axes.y_axis, axes.z_axis];
    let mut best = (f64::NEG_INFINITY, axes);
    for [a, b, c] in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        for signs in 0..4u8 {
            let sign = |bit: u8| if signs & bit == 0 { 1.0 } else { -1.0 };
            let (x, y) = (columns[a] * sign(1), columns[b] * sign(2));
            let third = x.cross(y);
            debug_assert!(third.dot(columns[c]).abs() > 0.5, "three orthogonal axes");
            let likeness = x.dot(wanted.x_axis) + y.dot(wanted.y_axis) + third.dot(wanted.z_axis);
            if likeness > best.0 {
                best = (likeness, DMat3::from_cols(x, y, third));
            }
        }
    }
    best.1
}
