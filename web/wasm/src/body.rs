//! Bodies: instances of shapes, posed.

use std::sync::Arc;

use glam::{Affine3A, DMat4, DQuat, DVec3, Mat4};
use supple::model::PosedModel;
use supple::{Body, Isometry, Model, Pose, PoseError, QueryStats, Skinning, VertexUpdate};
use wasm_bindgen::prelude::*;

use crate::model::{numbers, vectors};
use crate::rays::HIT_NUMBERS;
use crate::shape::RawShape;
use crate::words::words;

/// A body, and what it was last given.
#[wasm_bindgen]
pub struct RawBody {
    pub(crate) body: Body,
    given: Given,
    /// Counters of the last question.
    pub(crate) stats: QueryStats,
    /// The hit of the last ray, where JavaScript reads it.
    pub(crate) hit: [f64; HIT_NUMBERS],
    /// Memory for matrices, kept from frame to frame.
    matrices: Vec<Affine3A>,
}

/// What a body was posed by.
enum Given {
    Pose(Pose),
    /// In `matrices`, with these coefficients.
    Matrices(Vec<f32>),
    Vertices,
}

impl RawBody {
    pub(crate) fn model(&self) -> Arc<Model> {
        Arc::clone(self.body.shape().model())
    }

    fn pose_at(&mut self, pose: Pose, place: &[f64]) -> Result<(), String> {
        self.body.set_pose_at(&pose, isometry(place)?).map_err(words)?;
        self.given = Given::Pose(pose);
        Ok(())
    }

    fn joint_matrices_now(&self) -> Result<Vec<Affine3A>, PoseError> {
        match &self.given {
            Given::Pose(pose) => {
                self.body.shape().model().skeleton().joint_matrices(pose, self.body.placement())
            }
            Given::Matrices(_) => Ok(self.matrices.clone()),
            Given::Vertices => {
                let place = Affine3A::from_mat4(Mat4::from(self.body.placement().to_affine3a()));
                Ok(vec![place; self.body.shape().model().skin().joint_count()])
            }
        }
    }
}

#[wasm_bindgen]
impl RawBody {
    /// In the rest pose.
    #[wasm_bindgen(constructor)]
    pub fn new(shape: &RawShape, skinning: &str) -> Result<Self, String> {
        let kind = skinning_of(skinning)?;
        let body = Body::new(&shape.shape, kind).map_err(words)?;
        let given = Given::Pose(shape.shape.model().rest_pose());
        let stats = QueryStats::default();
        Ok(Self { body, given, stats, hit: [0.0; HIT_NUMBERS], matrices: Vec::new() })
    }

    /// A clip at a time; `place` is a translation and a rotation.
    pub fn pose(&mut self, clip: &str, seconds: f64, place: &[f64]) -> Result<(), String> {
        let model = self.model();
        let pose = model.clip(clip).and_then(|clip| model.sample(clip, seconds)).map_err(words)?;
        self.pose_at(pose, place)
    }

    /// The rest pose.
    pub fn rest(&mut self, place: &[f64]) -> Result<(), String> {
        let pose = self.model().rest_pose();
        self.pose_at(pose, place)
    }

    /// 16 numbers per joint, column after column; coefficients of morphs, none for those at rest. Each matrix becomes
    /// `before * matrix * after`, where these have 16 numbers.
    pub fn set_matrices(
        &mut self,
        matrices: &[f32],
        coefficients: &[f32],
        before: &[f64],
        after: &[f64],
    ) -> Result<(), String> {
        let joints = self.body.shape().model().skin().joint_count();
        let (all, rest) = matrices.as_chunks::<16>();
        if all.len() != joints || !rest.is_empty() {
            return Err(format!(
                "matrices has {} numbers, {joints} joints need {}",
                matrices.len(),
                16 * joints
            ));
        }
        let at_rest = self.body.shape().model().rest().default_coefficients();
        let coefficients = if coefficients.is_empty() { &at_rest } else { coefficients };
        let taken: Vec<Affine3A> = if before.is_empty() && after.is_empty() {
            all.iter().map(|matrix| Affine3A::from_mat4(Mat4::from_cols_array(matrix))).collect()
        } else {
            let (before, after) = (matrix_of(before)?, matrix_of(after)?);
            let moved = |matrix: &[f32; 16]| before * Mat4::from_cols_array(matrix).as_dmat4() * after;
            all.iter().map(|matrix| Affine3A::from_mat4(moved(matrix).as_mat4())).collect()
        };
        self.body.set_joint_matrices_at(&taken, coefficients, Isometry::IDENTITY).map_err(words)?;
        self.matrices = taken;
        self.given = Given::Matrices(coefficients.to_vec());
        Ok(())
    }

    /// Vertices that somebody else moved.
    pub fn set_vertices(&mut self, vertices: &[f32]) -> Result<(), String> {
        let positions = vectors("vertices", vertices)?;
        self.body.set_placement(Isometry::IDENTITY).map_err(words)?;
        self.body.set_vertices(&positions, VertexUpdate::default()).map_err(words)?;
        self.given = Given::Vertices;
        Ok(())
    }

    /// Posed vertices.
    pub fn vertices(&mut self) -> Result<Vec<f32>, String> {
        let (model, skinning) = (self.model(), self.body.skinning());
        let posed = match &self.given {
            Given::Pose(pose) => model.posed_at(pose, skinning, self.body.placement()),
            Given::Matrices(coefficients) => PosedModel::new(&model, skinning, &self.matrices, coefficients),
            Given::Vertices => return Ok(numbers(&self.body.positions())),
        };
        Ok(numbers(&posed.map_err(words)?.positions()))
    }

    /// 16 numbers per joint, column after column.
    pub fn joint_matrices(&self) -> Result<Vec<f32>, String> {
        let matrices = self.joint_matrices_now().map_err(words)?;
        Ok(matrices.into_iter().flat_map(|matrix| Mat4::from(matrix).to_cols_array()).collect())
    }

    /// Coefficients of morphs; those at rest where vertices were given.
    pub fn coefficients(&self) -> Vec<f32> {
        match &self.given {
            Given::Pose(pose) => pose.coefficients.clone(),
            Given::Matrices(coefficients) => coefficients.clone(),
            Given::Vertices => self.body.shape().model().rest().default_coefficients(),
        }
    }

    /// Bytes that the body takes.
    pub fn memory_bytes(&self) -> usize {
        self.body.memory_bytes()
    }

    /// Visits of the last question.
    pub fn visits(&self) -> f64 {
        self.stats.node_visits as f64
    }

    /// Refits of the last question.
    pub fn refits(&self) -> f64 {
        self.stats.refits as f64
    }

    /// Tests of triangles of the last question.
    pub fn tests(&self) -> f64 {
        self.stats.triangle_tests as f64
    }
}

/// By its short name.
pub fn skinning_of(name: &str) -> Result<Skinning, String> {
    let known = Skinning::ALL.into_iter().find(|skinning| skinning.name() == name);
    known.ok_or_else(|| {
        let names: Vec<_> = Skinning::ALL.iter().map(|skinning| format!("{:?}", skinning.name())).collect();
        format!("there is no skinning {name:?}; there are {}", names.join(", "))
    })
}

/// Three numbers of a translation, four of a quaternion; nothing for the origin.
fn isometry(place: &[f64]) -> Result<Isometry, String> {
    match *place {
        [] => Ok(Isometry::IDENTITY),
        [x, y, z, i, j, k, w] => {
            let turn = DQuat::from_xyzw(i, j, k, w);
            let length = turn.length();
            if !(length.is_finite() && (length - 1.0).abs() < 1e-3) {
                return Err(format!("turn must be a quaternion of length 1, its length is {length}"));
            }
            Ok(Isometry::new(turn.normalize(), DVec3::new(x, y, z)))
        }
        _ => Err(format!("a place has 7 numbers, {} were given", place.len())),
    }
}

fn matrix_of(numbers: &[f64]) -> Result<DMat4, String> {
    if numbers.is_empty() {
        return Ok(DMat4::IDENTITY);
    }
    let columns =
        numbers.try_into().map_err(|_| format!("a matrix has 16 numbers, not {}", numbers.len()))?;
    Ok(DMat4::from_cols_array(columns))
}
