//! Models: from files, from the zoo, from arrays.

use std::sync::{Arc, OnceLock};

use numpy::{PyArray1, PyArray2, PyArray4};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use supple::pose::{JointId, Skeleton};
use supple::rest::{ConvexMorph, Fields, Reference, Rest};
use supple::{BuildOptions, Isometry, Mesh, Model, Shape, Skin};

use crate::arguments::{ClipName, floats, indices};
use crate::arrays::{list, matrix_rows, rows, vectors};
use crate::failure::{bad_value, work, wrong};
use crate::given;
use crate::model_arrays::{coefficient_names_of, fields, influences, skeleton};
use crate::shape::PyShape;

/// What a file says: a mesh, what deforms it, clips.
///
/// `Model(vertices, triangles)` makes one from arrays: `(v, 3)` numbers and `(t, 3)` integers.
///
/// - `weights`: `(v, j)`, dense or a sparse matrix of scipy, or `(indices, values)` of shape `(v, k)` each. Weights of a vertex are made to sum to 1.
/// - `joints`: where joints are at rest, as `(j, 4, 4)` matrices or `(j, 3)` points. Without them `Body.set_matrices` takes what moves vertices.
/// - `parents`: the joint above each joint, -1 where there is none.
/// - `names`: of joints.
/// - `displacements`: `(k, v, 3)`, fields that coefficients add; or `references`: `(k, v, 3)`, whole shapes that are blended. `coefficient_names` are theirs.
///
/// >>> import numpy as np, supple
/// >>> tip = supple.Model([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]], weights=[[1, 0], [0, 1], [1, 0]])
/// >>> body = supple.Body(tip)
/// >>> lift = np.eye(4); lift[2, 3] = 5
/// >>> body.set_matrices([np.eye(4), lift]).vertices[1].tolist()
/// [1.0, 0.0, 5.0]
#[pyclass(frozen, name = "Model", module = "supple")]
pub struct PyModel {
    pub model: Arc<Model>,
    notes: Vec<String>,
    shape: OnceLock<Arc<Shape>>,
}

impl PyModel {
    pub fn of(model: Arc<Model>) -> Self {
        Self { model, notes: Vec::new(), shape: OnceLock::new() }
    }

    /// With what was odd in its file.
    pub fn of_file(model: Arc<Model>, notes: Vec<String>) -> Self {
        Self { notes, ..Self::of(model) }
    }

    pub fn of_shape(shape: &Arc<Shape>) -> Self {
        Self { shape: OnceLock::from(Arc::clone(shape)), ..Self::of(Arc::clone(shape.model())) }
    }

    pub fn built(&self, py: Python) -> PyResult<Arc<Shape>> {
        if let Some(shape) = self.shape.get() {
            return Ok(Arc::clone(shape));
        }
        let model = Arc::clone(&self.model);
        let built = work(py, || Shape::build(model, &BuildOptions::default()))?;
        let built = Arc::new(built.map_err(wrong("model"))?);
        Ok(Arc::clone(self.shape.get_or_init(|| built)))
    }
}

#[pymethods]
impl PyModel {
    #[new]
    #[pyo3(signature = (vertices, triangles, *, weights=None, joints=None, parents=None, names=None, displacements=None, references=None, coefficient_names=None))]
    fn new(
        vertices: &Bound<PyAny>,
        triangles: &Bound<PyAny>,
        weights: Option<&Bound<PyAny>>,
        joints: Option<&Bound<PyAny>>,
        parents: Option<&Bound<PyAny>>,
        #[pyo3(from_py_with = given::names)] names: Option<Vec<String>>,
        displacements: Option<&Bound<PyAny>>,
        references: Option<&Bound<PyAny>>,
        #[pyo3(from_py_with = given::coefficient_names)] coefficient_names: Option<Vec<String>>,
    ) -> PyResult<Self> {
        let vertices = floats("vertices", vertices)?.expect("vertices", &[None, Some(3)])?.vectors().to_vec();
        let count = vertices.len();
        let (corners, shape) = indices("triangles", triangles)?;
        if shape.len() != 2 || shape[1] != 3 {
            return Err(bad_value("triangles", format!("expected an array of shape (n, 3), got {shape:?}")));
        }
        let corners = corners.as_chunks::<3>().0.to_vec();
        let mesh = Mesh::new(vertices, corners).map_err(wrong("vertices, triangles"))?;
        let (skin, skeleton) = match weights {
            None if joints.is_some() || parents.is_some() || names.is_some() => {
                return Err(bad_value("weights", "joints move nothing without weights"));
            }
            None => (Skin::rigid(count), Skeleton::single()),
            Some(weights) => {
                let (influences, columns) = influences(weights, count)?;
                let joint_count = match (joints, columns) {
                    (Some(joints), _) => floats("joints", joints)?.shape.first().copied().unwrap_or(0),
                    (None, Some(columns)) => columns,
                    (None, None) => {
                        influences.iter().flatten().map(|(j, _)| *j as usize + 1).max().unwrap_or(1)
                    }
                };
                if let Some(columns) = columns.filter(|columns| *columns != joint_count) {
                    return Err(bad_value(
                        "weights",
                        format!("expected a column for each of {joint_count} joints, got {columns}"),
                    ));
                }
                let skin =
                    Skin::new(joint_count, influences.iter().map(Vec::as_slice)).map_err(wrong("weights"))?;
                (skin, skeleton(joint_count, joints, parents, names)?)
            }
        };
        let model = Model::new(mesh, skin, skeleton).map_err(wrong("joints"))?;
        let model = match (displacements, references) {
            (Some(_), Some(_)) => {
                return Err(bad_value("references", "a model has displacements or references, not both"));
            }
            (None, None) => model,
            (Some(given), None) => {
                let given =
                    floats("displacements", given)?.expect("displacements", &[None, Some(count), Some(3)])?;
                let names = coefficient_names_of(coefficient_names, given.shape[0])?;
                let fields = fields(&model, &given, names)?;
                let fields = Fields::new(count, &fields).map_err(wrong("displacements"))?;
                model.with_rest(Rest::Fields(fields)).map_err(wrong("displacements"))?
            }
            (None, Some(given)) => {
                let given =
                    floats("references", given)?.expect("references", &[None, Some(count), Some(3)])?;
                let names = coefficient_names_of(coefficient_names, given.shape[0])?;
                let all = given.vectors();
                let reference = |(name, positions): (String, &[glam::Vec3])| Reference {
                    name,
                    positions: positions.to_vec(),
                    normals: Vec::new(),
                };
                let references: Vec<Reference> =
                    names.into_iter().zip(all.chunks(count.max(1))).map(reference).collect();
                let morph = ConvexMorph::new(&references).map_err(wrong("references"))?;
                model.with_rest(Rest::Morph(morph)).map_err(wrong("references"))?
            }
        };
        Ok(Self::of(Arc::new(model)))
    }

    /// Vertices as they were given, before anything moves them: `(v, 3)`. Those of the rest pose are `Body(model).vertices`: in many files they differ, as
    /// joints turn and scale the mesh.
    #[getter]
    fn vertices<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        vectors(py, self.model.mesh().positions().to_vec())
    }

    /// Corners of triangles: `(t, 3)`.
    #[getter]
    fn triangles<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u32>>> {
        rows(py, self.model.mesh().triangles().to_vec())
    }

    #[getter]
    fn vertex_count(&self) -> usize {
        self.model.mesh().positions().len()
    }

    #[getter]
    fn triangle_count(&self) -> usize {
        self.model.mesh().triangles().len()
    }

    /// Names of joints.
    #[getter]
    fn joints(&self) -> Vec<String> {
        let joints = 0..self.model.skin().joint_count() as u32;
        joints.map(|joint| self.model.joint_name(JointId(joint)).to_owned()).collect()
    }

    #[getter]
    fn joint_count(&self) -> usize {
        self.model.skin().joint_count()
    }

    /// The joint above each joint, -1 where there is none.
    #[getter]
    fn parents<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i32>> {
        let skeleton = self.model.skeleton();
        let joint_of = |node: usize| skeleton.joints().iter().position(|joint| joint.node == node);
        let parents = skeleton.nodes_of_parents().into_iter();
        list(py, parents.map(|parent| parent.and_then(joint_of).map_or(-1, |joint| joint as i32)).collect())
    }

    /// How much each joint moves each vertex: `(v, j)`, rows sum to 1.
    #[getter]
    fn weights<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        use numpy::PyArrayMethods;
        let skin = self.model.skin();
        let (vertices, joints) = (skin.vertex_count(), skin.joint_count());
        let mut dense = vec![0.0; vertices * joints];
        for vertex in 0..vertices {
            for (joint, weight) in skin.influences(vertex as u32) {
                dense[vertex * joints + joint.0 as usize] = weight;
            }
        }
        list(py, dense).reshape([vertices, joints])
    }

    /// The joint that each triangle belongs to: the one that moves it most.
    #[getter]
    fn owning_joints<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u32>> {
        let triangles = 0..self.model.mesh().triangles().len() as u32;
        list(py, triangles.map(|triangle| self.model.owning_joint(triangle).0).collect())
    }

    /// Names of displacement fields or reference shapes: what coefficients stand for.
    #[getter]
    fn coefficient_names(&self) -> Vec<String> {
        self.model.rest().names().to_vec()
    }

    /// Coefficients at rest.
    #[getter]
    fn coefficients<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f32>> {
        list(py, self.model.rest().default_coefficients())
    }

    /// Clips: name and duration in seconds each. Names may be empty, or there twice: clips can be asked for by their number.
    #[getter]
    fn clips(&self) -> Vec<(&str, f64)> {
        self.model.clips().iter().map(|clip| (clip.name(), clip.duration())).collect()
    }

    /// What was odd in the file, and how it was handled.
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.notes.clone()
    }

    /// What each joint does at rest, relative to the joint above it: rotations `(j, 4)`, quaternions (x, y, z, w), translations `(j, 3)` and scales
    /// `(j, 3)`; to change and give to `Body.set_pose`.
    ///
    /// >>> import numpy as np, supple
    /// >>> man = supple.zoo("man")
    /// >>> body = supple.Body(man).set_pose(*man.rest_pose())
    /// >>> np.array_equal(body.vertices, supple.Body(man).vertices)
    /// True
    fn rest_pose<'py>(&self, py: Python<'py>) -> PyResult<[Bound<'py, PyArray2<f32>>; 3]> {
        let (pose, skeleton) = (self.model.rest_pose(), self.model.skeleton());
        let nodes = || skeleton.joints().iter().map(|joint| pose.nodes[joint.node]);
        let rotations = rows(py, nodes().map(|node| node.rotation.to_array()).collect())?;
        let translations = vectors(py, nodes().map(|node| node.translation).collect())?;
        Ok([rotations, translations, vectors(py, nodes().map(|node| node.scale).collect())?])
    }

    /// The model with its tree. Built the first time, the same from then on.
    ///
    /// >>> import supple
    /// >>> man = supple.zoo("man")
    /// >>> man.shape() == man.shape()
    /// True
    fn shape(&self, py: Python) -> PyResult<PyShape> {
        Ok(PyShape { shape: self.built(py)? })
    }

    /// What moves vertices at one or more times of a clip: matrices `(t, j, 4, 4)` and coefficients `(t, k)`, as `self_collide_many` takes them.
    ///
    /// >>> import numpy as np, supple
    /// >>> matrices, coefficients = supple.zoo("man").sample("walk", np.arange(30) / 30)
    /// >>> matrices.shape, coefficients.shape
    /// ((30, 27, 4, 4), (30, 0))
    fn sample<'py>(
        &self,
        py: Python<'py>,
        clip: &Bound<'py, PyAny>,
        seconds: &Bound<'py, PyAny>,
    ) -> PyResult<(Bound<'py, PyArray4<f32>>, Bound<'py, PyArray2<f32>>)> {
        use numpy::PyArrayMethods;
        let times: Vec<f64> = match seconds.extract::<f64>() {
            Ok(one) => vec![one],
            Err(_) => floats_64("seconds", seconds)?,
        };
        if let Some(time) = times.iter().find(|time| !time.is_finite()) {
            return Err(bad_value("seconds", format!("expected finite numbers, got {time}")));
        }
        let clip = ClipName::from(clip)?.of(&self.model)?;
        let (model, count) = (&self.model, times.len());
        let sampled = work(py, || {
            let (mut matrices, mut coefficients) = (Vec::new(), Vec::new());
            for &time in &times {
                let pose = model.sample(clip, time)?;
                let posed = model.skeleton().joint_matrices(&pose, Isometry::IDENTITY)?;
                matrices.extend(posed.into_iter().map(matrix_rows));
                coefficients.extend(pose.coefficients);
            }
            Ok::<_, supple::PoseError>((matrices, coefficients))
        })?;
        let (matrices, coefficients) = sampled.map_err(wrong("seconds"))?;
        let per_frame = self.model.rest().coefficient_count();
        let joints = self.model.skin().joint_count();
        Ok((
            list(py, matrices.into_flattened().into_flattened()).reshape([count, joints, 4, 4])?,
            list(py, coefficients).reshape([count, per_frame])?,
        ))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let make = py.import("supple")?.getattr("_native")?.getattr("_model_from_bytes")?;
        let bytes = self.shape(py)?.to_bytes(py)?;
        Ok((make, PyTuple::new(py, [bytes])?))
    }

    fn __repr__(&self) -> String {
        let (mesh, skin) = (self.model.mesh(), self.model.skin());
        format!(
            "<supple.Model: {} vertices, {} triangles, {} joints, {} coefficients, {} clips>",
            mesh.positions().len(),
            mesh.triangles().len(),
            skin.joint_count(),
            self.model.rest().coefficient_count(),
            self.model.clips().len()
        )
    }
}

/// A model that was pickled.
#[pyfunction]
pub fn _model_from_bytes(py: Python, data: &Bound<PyAny>) -> PyResult<PyModel> {
    Ok(PyModel::of_shape(&PyShape::from_bytes(py, data)?.shape))
}

/// Times keep their precision.
fn floats_64(argument: &str, value: &Bound<PyAny>) -> PyResult<Vec<f64>> {
    let numbers: Vec<f64> = match value.extract::<Vec<f64>>() {
        Ok(numbers) => numbers,
        Err(_) => {
            floats(argument, value)?.expect(argument, &[None])?.as_slice().iter().map(|&x| x.into()).collect()
        }
    };
    Ok(numbers)
}
