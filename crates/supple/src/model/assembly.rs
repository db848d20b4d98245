//! A model and the checks that its pieces fit together.

use std::ops::Range;

use thiserror::Error;

use super::{Part, PosedModel, Primitive};
use crate::math::Isometry;
use crate::mesh::{Mesh, MeshError};
use crate::pose::{Clip, ClipError, JointId, Pose, PoseError, Skeleton, SkeletonError, Transform};
use crate::rest::{FieldsError, MorphError, Rest};
use crate::skin::{Skin, SkinError, Skinning};

/// Everything a file says about a deforming mesh. Immutable; share it freely.
///
/// ```
/// use glam::Vec3;
/// use supple::{mesh::Mesh, model::Model, skin::Skinning};
///
/// let mesh = Mesh::new(vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![[0, 1, 2]])?;
/// let model = Model::rigid(mesh);
/// let mut pose = model.rest_pose();
/// pose.nodes[0].translation = Vec3::Z;
/// let posed = model.posed(&pose, Skinning::Linear)?;
/// assert_eq!(posed.position(1), Vec3::new(1.0, 0.0, 1.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    mesh: Mesh,
    rest: Rest,
    skin: Skin,
    skeleton: Skeleton,
    clips: Vec<Clip>,
    parts: Vec<Part>,
}

/// Why pieces do not make a model.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum ModelError {
    /// The mesh itself.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// The skeleton itself.
    #[error(transparent)]
    Skeleton(#[from] SkeletonError),
    /// The skin itself.
    #[error(transparent)]
    Skin(#[from] SkinError),
    /// The displacement fields themselves.
    #[error(transparent)]
    Fields(#[from] FieldsError),
    /// The reference shapes themselves.
    #[error(transparent)]
    Morph(#[from] MorphError),
    /// A clip itself.
    #[error(transparent)]
    Clip(#[from] ClipError),
    /// Pieces made for different numbers of things.
    #[error("the {piece} is made for {found} {what}, the model has {expected}")]
    Mismatch {
        /// Skin, rest stage, clip.
        piece: String,
        /// Vertices, joints, nodes, coefficients.
        what: &'static str,
        /// What the model has.
        expected: usize,
        /// What the piece has.
        found: usize,
    },
    /// A part that extends beyond the model.
    #[error("part {part} extends beyond the model's {what}, or a range of it ends before it starts")]
    PartOutOfRange {
        /// Index of the part.
        part: usize,
        /// Vertices, triangles, coefficients or nodes.
        what: &'static str,
    },
    /// A primitive that extends beyond its part.
    #[error("a primitive of part {part} extends beyond the part's {what}, or ends before it starts")]
    PrimitiveOutOfRange {
        /// Index of the part.
        part: usize,
        /// Vertices or triangles.
        what: &'static str,
    },
}

impl Model {
    /// A skinned mesh without clips, as one part.
    ///
    /// # Errors
    /// The skin is made for another number of vertices or joints.
    pub fn new(mesh: Mesh, skin: Skin, skeleton: Skeleton) -> Result<Self, ModelError> {
        let vertices = mesh.positions().len();
        check("skin", "vertices", vertices, skin.vertex_count())?;
        check("skin", "joints", skeleton.joints().len(), skin.joint_count())?;
        let parts = vec![whole(&mesh, 0)];
        Ok(Self { mesh, rest: Rest::Plain, skin, skeleton, clips: Vec::new(), parts })
    }

    /// A mesh that only moves as a whole: scenery, or something that only morphs.
    pub fn rigid(mesh: Mesh) -> Self {
        let skin = Skin::rigid(mesh.positions().len());
        let parts = vec![whole(&mesh, 0)];
        Self { mesh, rest: Rest::Plain, skin, skeleton: Skeleton::single(), clips: Vec::new(), parts }
    }

    /// Puts another mesh below the same rest stage, skin, clips and parts: an edited rest pose.
    ///
    /// Triangles may join other vertices. Reference shapes of a [`Rest::Morph`] stay as they are, and positions come from them.
    ///
    /// # Errors
    /// It has another number of vertices or triangles.
    pub fn with_mesh(mut self, mesh: Mesh) -> Result<Self, ModelError> {
        check("mesh", "vertices", self.mesh.positions().len(), mesh.positions().len())?;
        check("mesh", "triangles", self.mesh.triangles().len(), mesh.triangles().len())?;
        self.mesh = mesh;
        Ok(self)
    }

    /// Sets the rest stage. Set it before clips and parts that refer to its coefficients.
    ///
    /// # Errors
    /// It is made for another number of vertices.
    pub fn with_rest(mut self, rest: Rest) -> Result<Self, ModelError> {
        let vertices = self.mesh.positions().len();
        match &rest {
            Rest::Plain => {}
            Rest::Fields(f) => check("rest stage", "vertices", vertices, f.vertex_count())?,
            Rest::Morph(m) => check("rest stage", "vertices", vertices, m.vertex_count())?,
        }
        self.rest = rest;
        let count = self.rest.coefficient_count();
        if let [part] = &mut self.parts[..] {
            part.coefficients = 0..count;
        }
        match self.parts.iter().position(|part| part.coefficients.end > count) {
            Some(part) => Err(ModelError::PartOutOfRange { part, what: "coefficients" }),
            None => Ok(self),
        }
    }

    /// Sets the clips.
    ///
    /// # Errors
    /// A clip animates a node or coefficient that the model does not have.
    pub fn with_clips(mut self, clips: Vec<Clip>) -> Result<Self, ModelError> {
        for clip in &clips {
            let (nodes, coefficients) = clip.needed_counts();
            let piece = || format!("clip {:?}", clip.name());
            if nodes > self.skeleton.nodes().len() {
                check(piece(), "nodes", self.skeleton.nodes().len(), nodes)?;
            }
            if coefficients > self.rest.coefficient_count() {
                check(piece(), "coefficients", self.rest.coefficient_count(), coefficients)?;
            }
        }
        self.clips = clips;
        Ok(self)
    }

    /// Sets the parts.
    ///
    /// # Errors
    /// A part extends beyond the model.
    pub fn with_parts(mut self, parts: Vec<Part>) -> Result<Self, ModelError> {
        for (index, part) in parts.iter().enumerate() {
            let (vertices, triangles) = (self.mesh.positions().len(), self.mesh.triangles().len());
            let whole = [
                ("vertices", &part.vertices, vertices),
                ("triangles", &part.triangles, triangles),
                ("coefficients", &part.coefficients, self.rest.coefficient_count()),
            ];
            let outside =
                |(_, range, count): &(_, &Range<usize>, usize)| range.start > range.end || range.end > *count;
            if let Some((what, ..)) = whole.into_iter().find(outside) {
                return Err(ModelError::PartOutOfRange { part: index, what });
            }
            for primitive in &part.primitives {
                for (what, piece, part) in [
                    ("vertices", &primitive.vertices, &part.vertices),
                    ("triangles", &primitive.triangles, &part.triangles),
                ] {
                    if piece.start > piece.end || piece.start < part.start || piece.end > part.end {
                        return Err(ModelError::PrimitiveOutOfRange { part: index, what });
                    }
                }
            }
            if part.node >= self.skeleton.nodes().len() {
                return Err(ModelError::PartOutOfRange { part: index, what: "nodes" });
            }
        }
        self.parts = parts;
        Ok(self)
    }

    /// The mesh at rest.
    pub fn mesh(&self) -> &Mesh {
        &self.mesh
    }

    /// How the rest shape changes before skinning.
    pub fn rest(&self) -> &Rest {
        &self.rest
    }

    /// Joints and weights of the vertices.
    pub fn skin(&self) -> &Skin {
        &self.skin
    }

    /// Nodes and joints.
    pub fn skeleton(&self) -> &Skeleton {
        &self.skeleton
    }

    /// Animations.
    pub fn clips(&self) -> &[Clip] {
        &self.clips
    }

    /// Named pieces in the order of their vertices.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// The joint that a triangle belongs to: the heaviest by the sum of its corners' weights, the first of equals.
    ///
    /// # Panics
    /// The triangle is out of range.
    pub fn owning_joint(&self, triangle: u32) -> JointId {
        self.joint_at(triangle, [1.0; 3])
    }

    /// The joint that moves a point of a triangle most, e.g. that of a [`RayHit`](crate::RayHit); the first of equals.
    ///
    /// # Panics
    /// The triangle is out of range.
    pub fn joint_at(&self, triangle: u32, barycentrics: [f32; 3]) -> JointId {
        let mut sums: Vec<(JointId, f64)> = Vec::with_capacity(8);
        for (vertex, share) in self.mesh.triangles()[triangle as usize].into_iter().zip(barycentrics) {
            for (joint, weight) in self.skin.influences(vertex) {
                let weight = f64::from(share) * f64::from(weight);
                match sums.iter_mut().find(|(j, _)| *j == joint) {
                    Some((_, sum)) => *sum += weight,
                    None => sums.push((joint, weight)),
                }
            }
        }
        let heavier = |a: (JointId, f64), b: (JointId, f64)| {
            if b.1 > a.1 || (b.1 == a.1 && b.0 < a.0) { b } else { a }
        };
        sums.into_iter().reduce(heavier).map_or(JointId(0), |(joint, _)| joint)
    }

    /// The name of the node that a joint follows.
    ///
    /// # Panics
    /// The joint is out of range.
    pub fn joint_name(&self, joint: JointId) -> &str {
        &self.skeleton.nodes()[self.skeleton.joints()[joint.0 as usize].node].name
    }

    /// The pose in which nothing is animated.
    pub fn rest_pose(&self) -> Pose {
        Pose {
            nodes: self.skeleton.nodes().iter().map(|n| n.rest).collect(),
            coefficients: self.rest.default_coefficients(),
        }
    }

    /// The first clip of that name.
    ///
    /// # Errors
    /// There is none; the error lists what there is.
    pub fn clip(&self, name: &str) -> Result<&Clip, PoseError> {
        self.clips.iter().find(|c| c.name() == name).ok_or_else(|| PoseError::NoSuchName {
            what: "clip",
            name: name.to_owned(),
            available: listed(self.clips.iter().map(Clip::name)),
        })
    }

    /// The rest pose with a clip at a time in seconds, held at both ends.
    ///
    /// # Errors
    /// The clip belongs to a larger model.
    pub fn sample(&self, clip: &Clip, time: f64) -> Result<Pose, PoseError> {
        let mut pose = self.rest_pose();
        clip.sample(time, &mut pose)?;
        Ok(pose)
    }

    /// Like [`sample`](Self::sample), with the time wrapped at the clip's duration.
    ///
    /// # Errors
    /// The clip belongs to a larger model.
    pub fn sample_looped(&self, clip: &Clip, time: f64) -> Result<Pose, PoseError> {
        let mut pose = self.rest_pose();
        clip.sample_looped(time, &mut pose)?;
        Ok(pose)
    }

    /// The local transform of the first node of that name, to be set.
    ///
    /// ```
    /// let man = supple_zoo::make("man", 0)?;
    /// let mut pose = man.rest_pose();
    /// man.node_mut(&mut pose, "head")?.rotation *= glam::Quat::from_rotation_y(0.5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// No node of that name, or a pose of another model.
    pub fn node_mut<'p>(&self, pose: &'p mut Pose, name: &str) -> Result<&'p mut Transform, PoseError> {
        let nodes = self.skeleton.nodes();
        let index = self.skeleton.node_named(name).ok_or_else(|| PoseError::NoSuchName {
            what: "node",
            name: name.to_owned(),
            available: listed(nodes.iter().map(|n| n.name.as_str())),
        })?;
        let found = pose.nodes.len();
        pose.nodes.get_mut(index).ok_or(PoseError::NodeCount { expected: nodes.len(), found })
    }

    /// The coefficient of the first displacement field or reference shape of that name, to be set.
    ///
    /// # Errors
    /// None of that name, or a pose of another model.
    pub fn coefficient_mut<'p>(&self, pose: &'p mut Pose, name: &str) -> Result<&'p mut f32, PoseError> {
        let names = self.rest.names();
        let index = names.iter().position(|n| n == name).ok_or_else(|| PoseError::NoSuchName {
            what: "shape",
            name: name.to_owned(),
            available: listed(names.iter().map(String::as_str)),
        })?;
        let found = pose.coefficients.len();
        pose.coefficients.get_mut(index).ok_or(PoseError::CoefficientCount { expected: names.len(), found })
    }

    /// The model in a pose, at the origin.
    ///
    /// # Errors
    /// The pose does not fit or is not finite.
    pub fn posed(&self, pose: &Pose, skinning: Skinning) -> Result<PosedModel<'_>, PoseError> {
        self.posed_at(pose, skinning, Isometry::IDENTITY)
    }

    /// The model in a pose, placed in the world.
    ///
    /// # Errors
    /// The pose does not fit or is not finite.
    pub fn posed_at(
        &self,
        pose: &Pose,
        skinning: Skinning,
        placement: Isometry,
    ) -> Result<PosedModel<'_>, PoseError> {
        pose.check_counts(self.skeleton.nodes().len(), self.rest.coefficient_count())?;
        let matrices = self.skeleton.joint_matrices(pose, placement)?;
        PosedModel::new(self, skinning, &matrices, &pose.coefficients)
    }
}

/// Names for an error message: the first few, and how many more there are.
fn listed<'n>(names: impl ExactSizeIterator<Item = &'n str>) -> String {
    const SHOWN: usize = 20;
    let count = names.len();
    let mut text = names.take(SHOWN).collect::<Vec<_>>().join(", ");
    if count == 0 {
        text.push_str("none");
    } else if count > SHOWN {
        text.push_str(&format!(" and {} more", count - SHOWN));
    }
    text
}

fn check(
    piece: impl Into<String>,
    what: &'static str,
    expected: usize,
    found: usize,
) -> Result<(), ModelError> {
    if expected == found {
        return Ok(());
    }
    Err(ModelError::Mismatch { piece: piece.into(), what, expected, found })
}

fn whole(mesh: &Mesh, coefficients: usize) -> Part {
    let (vertices, triangles) = (0..mesh.positions().len(), 0..mesh.triangles().len());
    Part {
        name: String::new(),
        node: 0,
        vertices: vertices.clone(),
        triangles: triangles.clone(),
        coefficients: 0..coefficients,
        primitives: vec![Primitive { material: String::new(), vertices, triangles }],
    }
}
