//! Bodies: instances of shapes, posed; and how questions get at them.

use std::sync::Arc;

use glam::{Affine3A, DAffine3, DMat4, Mat4, Quat, Vec3};
use numpy::{PyArray1, PyArray2, PyArray3};
use pyo3::prelude::*;
use supple::model::PosedModel;
use supple::{Body, Isometry, Model, Past, Pose, PoseError, QueryStats, VertexUpdate};

use crate::arguments::{ClipName, floats, isometry, skinning};
use crate::arrays::{blocks, list, matrix_rows, rows, vectors};
use crate::ask::body_mut;
use crate::failure::{bad_value, work, wrong};
use crate::given;
use crate::matrices::{joint_matrices, skinning_matrices};
use crate::shape::{PyShape, shape_of};
use crate::stats::Stats;

/// An instance of a shape, in a pose. Posing costs O(joints): no vertex is touched until a question needs it.
///
/// `skinning` is "linear", "dual" (dual quaternions) or "spherical". Methods that pose return the body.
///
/// >>> import supple
/// >>> man = supple.zoo("man")
/// >>> body = supple.Body(man, skinning="dual").pose("walk", 0.2, place=(0.4, 0, 0))
/// >>> body.vertices.shape
/// (4400, 3)
#[pyclass(subclass, name = "Body", module = "supple")]
pub struct PyBody {
    pub body: Body,
    given: Given,
    pub stats: QueryStats,
    /// A question to it failed inside of supple.
    pub is_broken: bool,
}

/// What a body was posed by.
#[derive(Clone)]
enum Given {
    Pose(Pose),
    Matrices { matrices: Vec<Affine3A>, coefficients: Vec<f32> },
    Vertices,
}

impl PyBody {
    pub fn model(&self) -> Arc<Model> {
        Arc::clone(self.body.shape().model())
    }

    fn pose_at(&mut self, pose: Pose, place: Isometry, argument: &str) -> PyResult<()> {
        self.body.set_pose_at(&pose, place).map_err(wrong(argument))?;
        self.given = Given::Pose(pose);
        Ok(())
    }

    pub fn last_stats(&self) -> QueryStats {
        self.stats
    }

    /// The pose, where it was set by one.
    pub fn pose_given(&self, argument: &str) -> PyResult<(Pose, Isometry)> {
        match &self.given {
            Given::Pose(pose) => Ok((pose.clone(), self.body.placement())),
            _ => Err(bad_value(argument, "expected a body that was posed by pose(), rest() or set_pose()")),
        }
    }

    /// Joint matrices before the placement, with coefficients, where it was set by them.
    pub fn matrices_given(&self) -> Option<(&[Affine3A], &[f32])> {
        match &self.given {
            Given::Matrices { matrices, coefficients } => Some((matrices, coefficients)),
            _ => None,
        }
    }

    fn joint_matrices(&self) -> Result<Vec<Affine3A>, PoseError> {
        let place = self.body.placement();
        match &self.given {
            Given::Pose(pose) => self.body.shape().model().skeleton().joint_matrices(pose, place),
            Given::Matrices { matrices, .. } => Ok(placed(matrices, place)),
            Given::Vertices => Ok(vec![place.to_affine3a(); self.body.shape().model().skin().joint_count()]),
        }
    }

    /// All posed vertices.
    pub fn positions(&mut self) -> Result<Vec<Vec3>, PoseError> {
        let (model, skinning, place) = (self.model(), self.body.skinning(), self.body.placement());
        let posed = match &self.given {
            Given::Pose(pose) => model.posed_at(pose, skinning, place)?,
            Given::Matrices { matrices, coefficients } if place == Isometry::IDENTITY => {
                PosedModel::new(&model, skinning, matrices, coefficients)?
            }
            _ => return Ok(self.body.positions()),
        };
        Ok(posed.positions())
    }

    /// Notes what it was posed by, where something else has posed it.
    pub fn was(&mut self, past: Past) {
        self.given = match past {
            Past::Pose(pose) => Given::Pose(pose),
            Past::Joints { matrices, coefficients } => Given::Matrices { matrices, coefficients },
        };
    }
}

fn placed(matrices: &[Affine3A], place: Isometry) -> Vec<Affine3A> {
    if place == Isometry::IDENTITY {
        return matrices.to_vec();
    }
    let place = place.to_affine();
    let moved = |matrix: &Affine3A| {
        let matrix = DAffine3::from_mat4(Mat4::from(*matrix).as_dmat4());
        Affine3A::from_mat4(DMat4::from(place * matrix).as_mat4())
    };
    matrices.iter().map(moved).collect()
}

#[pymethods]
impl PyBody {
    #[new]
    #[pyo3(signature = (shape, skinning="linear"))]
    fn new(shape: &Bound<PyAny>, skinning: &str) -> PyResult<Self> {
        let kind = self::skinning(skinning)?;
        let shape = shape_of("shape", shape)?;
        let body = Body::new(&shape, kind).map_err(wrong("shape"))?;
        let given = Given::Pose(shape.model().rest_pose());
        Ok(Self { body, given, stats: QueryStats::default(), is_broken: false })
    }

    /// A clip, by its name or number, at a time in seconds; held at both ends unless it is looped.
    ///
    /// Every call that poses also places: without `place` and `turn` the body is where its file has it. `place` moves the body by a vector, after `turn` has turned it: a quaternion (x, y, z, w) of length 1.
    #[pyo3(signature = (clip, seconds, *, place=None, turn=None, looped=false))]
    fn pose<'py>(
        slf: Bound<'py, Self>,
        clip: &Bound<'py, PyAny>,
        #[pyo3(from_py_with = given::seconds)] seconds: f64,
        place: Option<&Bound<'py, PyAny>>,
        turn: Option<&Bound<'py, PyAny>>,
        #[pyo3(from_py_with = given::looped)] looped: bool,
    ) -> PyResult<Bound<'py, Self>> {
        let mut this = body_mut(&slf, "body")?;
        let (model, place) = (this.model(), isometry(place, turn)?);
        let clip = ClipName::from(clip)?.of(&model)?;
        if !seconds.is_finite() {
            return Err(bad_value("seconds", format!("expected a finite number, got {seconds}")));
        }
        let pose = if looped { model.sample_looped(clip, seconds) } else { model.sample(clip, seconds) };
        this.pose_at(pose.map_err(wrong("seconds"))?, place, "clip, place")?;
        Ok(slf)
    }

    /// The rest pose.
    #[pyo3(signature = (*, place=None, turn=None))]
    fn rest<'py>(
        slf: Bound<'py, Self>,
        place: Option<&Bound<'py, PyAny>>,
        turn: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, Self>> {
        let mut this = body_mut(&slf, "body")?;
        let pose = this.model().rest_pose();
        let place = isometry(place, turn)?;
        this.pose_at(pose, place, "place")?;
        Ok(slf)
    }

    /// A pose of one's own: what each joint does relative to the joint above it. What is not given stays as it is at rest.
    ///
    /// Rotations and translations are whole ones, not what is added to the rest pose: `Model.rest_pose` has those to begin with.
    /// `rotations`: quaternions `(j, 4)` in the order x, y, z, w, of any length; `translations`: `(j, 3)`; `scales`: `(j, 3)`; `coefficients`: `(k,)`.
    ///
    /// >>> import numpy as np, supple
    /// >>> man = supple.zoo("man")
    /// >>> rotations, _, _ = man.rest_pose()
    /// >>> rotations[man.joints.index("shin_l")] = (0.7, 0, 0, 0.7)
    /// >>> len(supple.self_collide(supple.Body(man).set_pose(rotations)).pairs) > 0
    /// True
    #[pyo3(signature = (rotations=None, translations=None, scales=None, *, coefficients=None, place=None, turn=None))]
    fn set_pose<'py>(
        slf: Bound<'py, Self>,
        rotations: Option<&Bound<'py, PyAny>>,
        translations: Option<&Bound<'py, PyAny>>,
        scales: Option<&Bound<'py, PyAny>>,
        coefficients: Option<&Bound<'py, PyAny>>,
        place: Option<&Bound<'py, PyAny>>,
        turn: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, Self>> {
        let mut this = body_mut(&slf, "body")?;
        let model = this.model();
        let mut pose = model.rest_pose();
        let nodes: Vec<usize> = model.skeleton().joints().iter().map(|joint| joint.node).collect();
        let joints = nodes.len();
        if let Some(rotations) = rotations {
            let rotations = floats("rotations", rotations)?.expect("rotations", &[Some(joints), Some(4)])?;
            for (joint, rotation) in rotations.as_slice().as_chunks::<4>().0.iter().enumerate() {
                let rotation = Quat::from_array(*rotation);
                let length = rotation.length();
                if !(length.is_finite() && length > 0.0) {
                    return Err(bad_value(
                        "rotations",
                        format!("that of joint {joint} is {rotation}, no quaternion"),
                    ));
                }
                // One of length 1 stays as it is, so that the rest pose is the rest pose.
                let is_unit = (length - 1.0).abs() < 1e-6;
                pose.nodes[nodes[joint]].rotation = if is_unit { rotation } else { rotation.normalize() };
            }
        }
        for (argument, given) in [("translations", translations), ("scales", scales)] {
            let Some(given) = given else { continue };
            let given = floats(argument, given)?.expect(argument, &[Some(joints), Some(3)])?;
            for (node, &vector) in nodes.iter().zip(given.vectors()) {
                let transform = &mut pose.nodes[*node];
                *(if argument == "scales" { &mut transform.scale } else { &mut transform.translation }) =
                    vector;
            }
        }
        if let Some(coefficients) = coefficients {
            let count = pose.coefficients.len();
            let given = floats("coefficients", coefficients)?.expect("coefficients", &[Some(count)])?;
            pose.coefficients = given.as_slice().to_vec();
        }
        let place = isometry(place, turn)?;
        this.pose_at(pose, place, "rotations, translations, scales, coefficients, place")?;
        Ok(slf)
    }

    /// Joints as somebody else computed them: `(j, 4, 4)`, or `(j, 3, 4)`; a point moves by `matrix @ (x, y, z, 1)`.
    ///
    /// They are what moves vertices (joint times inverse of the joint at rest), or with `world=True` where joints are.
    #[pyo3(signature = (matrices, *, coefficients=None, world=false, place=None, turn=None))]
    fn set_matrices<'py>(
        slf: Bound<'py, Self>,
        matrices: &Bound<'py, PyAny>,
        coefficients: Option<&Bound<'py, PyAny>>,
        #[pyo3(from_py_with = given::world)] world: bool,
        place: Option<&Bound<'py, PyAny>>,
        turn: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, Self>> {
        let mut this = body_mut(&slf, "body")?;
        let model = this.model();
        let mut matrices = joint_matrices("matrices", &floats("matrices", matrices)?, &model)?;
        if world {
            matrices = skinning_matrices(&matrices, &model);
        }
        let coefficients = match coefficients {
            Some(given) => {
                let count = model.rest().coefficient_count();
                floats("coefficients", given)?.expect("coefficients", &[Some(count)])?.as_slice().to_vec()
            }
            None => model.rest().default_coefficients(),
        };
        let place = isometry(place, turn)?;
        this.body
            .set_joint_matrices_at(&matrices, &coefficients, place)
            .map_err(wrong("matrices, coefficients, place"))?;
        this.given = Given::Matrices { matrices, coefficients };
        Ok(slf)
    }

    /// Vertices that somebody else moved: cloth, simulations. Costs O(vertices). `update` is "hybrid", or "bottom_up", which is faster where
    /// questions need nearly everything.
    #[pyo3(signature = (vertices, *, update="hybrid"))]
    fn set_vertices<'py>(
        slf: Bound<'py, Self>,
        vertices: &Bound<'py, PyAny>,
        update: &str,
    ) -> PyResult<Bound<'py, Self>> {
        let mut this = body_mut(&slf, "body")?;
        let update = match update {
            "hybrid" => VertexUpdate::Hybrid,
            "bottom_up" => VertexUpdate::BottomUp,
            other => {
                return Err(bad_value(
                    "update",
                    format!("there is no {other:?}; there are \"hybrid\", \"bottom_up\""),
                ));
            }
        };
        let count = this.body.shape().model().mesh().positions().len();
        let vertices = floats("vertices", vertices)?.expect("vertices", &[Some(count), Some(3)])?;
        let (py, positions, body) = (slf.py(), vertices.vectors(), &mut this.body);
        let place = body.placement();
        let taken = work(py, || {
            body.set_placement(Isometry::IDENTITY)?;
            body.set_vertices(positions, update).or_else(|error| body.set_placement(place).and(Err(error)))
        })?;
        taken.map_err(wrong("vertices"))?;
        this.given = Given::Vertices;
        Ok(slf)
    }

    /// Puts the body elsewhere, in the same pose. Without `place` or `turn` that is none.
    #[pyo3(signature = (place=None, turn=None))]
    fn set_place<'py>(
        slf: Bound<'py, Self>,
        place: Option<&Bound<'py, PyAny>>,
        turn: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, Self>> {
        let mut this = body_mut(&slf, "body")?;
        let place = isometry(place, turn)?;
        this.body.set_placement(place).map_err(wrong("place"))?;
        Ok(slf)
    }

    /// A body of its own in the same pose, e.g. for another thread; the shape is shared.
    ///
    /// >>> import supple
    /// >>> body = supple.Body(supple.zoo("man")).pose("walk", 0.2)
    /// >>> supple.collide_any(body, body.copy()) is not None
    /// True
    fn copy(&self) -> Self {
        Self {
            body: self.body.clone(),
            given: self.given.clone(),
            stats: self.stats,
            is_broken: self.is_broken,
        }
    }

    fn __copy__(&self) -> Self {
        self.copy()
    }

    fn __deepcopy__(&self, _memo: &Bound<PyAny>) -> Self {
        self.copy()
    }

    /// Takes over what another body of the same shape is.
    fn _become(&mut self, other: &Bound<Self>) -> PyResult<()> {
        *self = body_mut(other, "other")?.copy();
        Ok(())
    }

    #[getter]
    fn shape(&self) -> PyShape {
        PyShape { shape: Arc::clone(self.body.shape()) }
    }

    #[getter]
    fn skinning(&self) -> &'static str {
        self.body.skinning().name()
    }

    /// All posed vertices: `(v, 3)`. Costs O(vertices).
    #[getter]
    fn vertices<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let mut body = body_mut(slf, "body")?;
        let this = &mut *body;
        let positions = work(slf.py(), || this.positions())?;
        vectors(slf.py(), positions.map_err(wrong("body"))?)
    }

    /// What moves vertices: `(j, 4, 4)`.
    #[getter]
    fn matrices<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray3<f32>>> {
        let matrices = self.joint_matrices().map_err(wrong("body"))?;
        blocks(py, matrices.into_iter().map(matrix_rows).collect())
    }

    /// Of displacement fields or reference shapes; those at rest where vertices were given.
    #[getter]
    fn coefficients<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f32>> {
        list(
            py,
            match &self.given {
                Given::Pose(pose) => pose.coefficients.clone(),
                Given::Matrices { coefficients, .. } => coefficients.clone(),
                Given::Vertices => self.body.shape().model().rest().default_coefficients(),
            },
        )
    }

    /// A box around the body, `(2, 3)`: not the smallest one, but it costs next to nothing.
    #[getter]
    fn bounds<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let bound = body_mut(slf, "body")?.body.bound();
        rows(slf.py(), vec![bound.min.to_array(), bound.max.to_array()])
    }

    /// Where it stands: a vector, and a quaternion (x, y, z, w).
    #[getter]
    fn place(&self) -> ([f64; 3], [f64; 4]) {
        let place = self.body.placement();
        (place.translation.to_array(), place.rotation.to_array())
    }

    /// What the last question to this body cost.
    #[getter]
    fn stats(&self) -> Stats {
        Stats(self.stats)
    }

    #[getter]
    fn memory_bytes(&self) -> usize {
        self.body.memory_bytes()
    }

    fn __repr__(&self) -> String {
        let triangles = self.body.shape().model().mesh().triangles().len();
        format!("<supple.Body: {triangles} triangles, {} skinning>", self.body.skinning().name())
    }
}
