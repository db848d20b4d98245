//! What rays hit.

use std::sync::Arc;

use numpy::{PyArray1, PyArray2};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use supple::{JointId, Model, Ray, RayHit};

use crate::arguments::{Floats, floats, vector};
use crate::arrays::{list, rows};
use crate::ask::ask;
use crate::body::PyBody;
use crate::failure::{bad_value, work, wrong};
use crate::given;

/// Where a ray meets a triangle.
#[pyclass(frozen, name = "RayHit", module = "supple")]
pub struct PyRayHit {
    pub hit: RayHit,
    /// The joint that moves the point most.
    #[pyo3(get)]
    joint: u32,
}

#[pymethods]
impl PyRayHit {
    /// In units of the direction.
    #[getter]
    fn time(&self) -> f32 {
        self.hit.time
    }

    #[getter]
    fn triangle(&self) -> u32 {
        self.hit.triangle
    }

    /// Weights of the triangle's corners.
    #[getter]
    fn barycentrics(&self) -> [f32; 3] {
        self.hit.barycentrics
    }

    /// Whether the back is hit.
    #[getter]
    fn back(&self) -> bool {
        self.hit.back
    }

    fn __repr__(&self) -> String {
        format!("<supple.RayHit: triangle {} at time {}>", self.hit.triangle, self.hit.time)
    }
}

impl PyRayHit {
    pub fn new(model: &Model, hit: RayHit) -> Self {
        Self { hit, joint: model.joint_at(hit.triangle, hit.barycentrics).0 }
    }
}

/// More about a hit.
#[pyclass(frozen, name = "RayHitDetails", module = "supple")]
pub struct PyRayHitDetails {
    #[pyo3(get)]
    point: [f32; 3],
    /// Of the posed triangle's front, of length 1.
    #[pyo3(get)]
    normal: [f32; 3],
    /// Where the point is at rest.
    #[pyo3(get)]
    rest_point: [f32; 3],
    /// Of the texture, where there is one.
    #[pyo3(get)]
    uv: Option<[f32; 2]>,
    /// Joints that move the point, with their weights; the heaviest first.
    #[pyo3(get)]
    joints: Vec<(u32, f32)>,
}

#[pymethods]
impl PyRayHitDetails {
    fn __repr__(&self) -> String {
        let [x, y, z] = self.point;
        format!("<supple.RayHitDetails: point ({x}, {y}, {z})>")
    }
}

/// Hits of many rays, or all hits of one. A row without a hit has NaN and -1.
#[pyclass(frozen, name = "RayHits", module = "supple")]
pub struct RayHits {
    /// `(n,)`, in units of the direction.
    #[pyo3(get)]
    times: Py<PyArray1<f32>>,
    /// `(n,)`
    #[pyo3(get)]
    triangles: Py<PyArray1<i64>>,
    /// `(n,)`: the joints that move the points most.
    #[pyo3(get)]
    joints: Py<PyArray1<i32>>,
    /// `(n, 3)`
    #[pyo3(get)]
    barycentrics: Py<PyArray2<f32>>,
    /// `(n,)`: whether backs are hit.
    #[pyo3(get)]
    backs: Py<PyArray1<bool>>,
    hits: Vec<Option<RayHit>>,
    model: Arc<Model>,
}

#[pymethods]
impl RayHits {
    fn __len__(&self) -> usize {
        self.hits.len()
    }

    /// The hit of a row, for `ray_hit_details`; None where nothing is hit.
    fn __getitem__(&self, row: isize) -> PyResult<Option<PyRayHit>> {
        let count = self.hits.len() as isize;
        let at = if row < 0 { row + count } else { row };
        if !(0..count).contains(&at) {
            return Err(PyIndexError::new_err(format!("there is no row {row}, there are {count}")));
        }
        Ok(self.hits[at as usize].map(|hit| PyRayHit::new(&self.model, hit)))
    }

    fn __repr__(&self) -> String {
        format!(
            "<supple.RayHits: {} of {} rows are hits>",
            self.hits.iter().flatten().count(),
            self.hits.len()
        )
    }
}

impl RayHits {
    fn new(py: Python, model: &Arc<Model>, hits: Vec<Option<RayHit>>) -> PyResult<Self> {
        let joint = |hit: RayHit| model.joint_at(hit.triangle, hit.barycentrics).0 as i32;
        let joints = work(py, || hits.iter().map(|hit| hit.map_or(-1, joint)).collect())?;
        let nowhere = [f32::NAN; 3];
        Ok(Self {
            times: list(py, hits.iter().map(|hit| hit.map_or(f32::NAN, |hit| hit.time)).collect()).unbind(),
            triangles: list(py, hits.iter().map(|hit| hit.map_or(-1, |hit| hit.triangle.into())).collect())
                .unbind(),
            joints: list(py, joints).unbind(),
            barycentrics: rows(
                py,
                hits.iter().map(|hit| hit.map_or(nowhere, |hit| hit.barycentrics)).collect(),
            )?
            .unbind(),
            backs: list(py, hits.iter().map(|hit| hit.is_some_and(|hit| hit.back)).collect()).unbind(),
            hits,
            model: Arc::clone(model),
        })
    }
}

/// A ray of what Python gives.
pub fn ray(
    origin: &Bound<PyAny>,
    direction: &Bound<PyAny>,
    max_time: Option<f32>,
    front_only: bool,
) -> PyResult<Ray> {
    let ray = Ray::new(vector("origin", origin)?, vector("direction", direction)?);
    finished(ray.map_err(wrong("origin, direction"))?, max_time, front_only)
}

fn finished(ray: Ray, max_time: Option<f32>, front_only: bool) -> PyResult<Ray> {
    let ray = match max_time {
        Some(max_time) => ray.until(max_time).map_err(wrong("max_time"))?,
        None => ray,
    };
    Ok(if front_only { ray.front_faces_only() } else { ray })
}

/// The first hit of a ray, or None. A ray is watertight: it does not slip through edges.
///
/// >>> import supple
/// >>> body = supple.Body(supple.zoo("man"))
/// >>> hit = supple.cast_ray(body, (0, 1.2, 5), (0, 0, -1))
/// >>> round(hit.time, 1), body.shape.model.joints[hit.joint]
/// (4.9, 'spine')
#[pyfunction]
#[pyo3(signature = (body, origin, direction, *, max_time=None, front_only=false))]
pub fn cast_ray(
    #[pyo3(from_py_with = given::body)] body: Bound<PyBody>,
    origin: &Bound<PyAny>,
    direction: &Bound<PyAny>,
    #[pyo3(from_py_with = given::max_time)] max_time: Option<f32>,
    #[pyo3(from_py_with = given::front_only)] front_only: bool,
) -> PyResult<Option<PyRayHit>> {
    let ray = ray(origin, direction, max_time, front_only)?;
    let found = ask(&body, |body| supple::cast_ray(body, ray))?;
    Ok(found.map(|hit| PyRayHit::new(body.borrow().body.shape().model(), hit)))
}

/// Some hit of a ray, or None: is the view blocked?
///
/// >>> import supple
/// >>> supple.cast_ray_any(supple.Body(supple.zoo("man")), (0, 1.2, 5), (0, 0, -1), max_time=2.0) is None
/// True
#[pyfunction]
#[pyo3(signature = (body, origin, direction, *, max_time=None, front_only=false))]
pub fn cast_ray_any(
    #[pyo3(from_py_with = given::body)] body: Bound<PyBody>,
    origin: &Bound<PyAny>,
    direction: &Bound<PyAny>,
    #[pyo3(from_py_with = given::max_time)] max_time: Option<f32>,
    #[pyo3(from_py_with = given::front_only)] front_only: bool,
) -> PyResult<Option<PyRayHit>> {
    let ray = ray(origin, direction, max_time, front_only)?;
    let found = ask(&body, |body| supple::cast_ray_any(body, ray))?;
    Ok(found.map(|hit| PyRayHit::new(body.borrow().body.shape().model(), hit)))
}

/// All hits of a ray, by time.
///
/// >>> import supple
/// >>> len(supple.cast_ray_all(supple.Body(supple.zoo("man")), (0, 1.2, 5), (0, 0, -1)))
/// 2
#[pyfunction]
#[pyo3(signature = (body, origin, direction, *, max_time=None, front_only=false))]
pub fn cast_ray_all(
    py: Python,
    #[pyo3(from_py_with = given::body)] body: Bound<PyBody>,
    origin: &Bound<PyAny>,
    direction: &Bound<PyAny>,
    #[pyo3(from_py_with = given::max_time)] max_time: Option<f32>,
    #[pyo3(from_py_with = given::front_only)] front_only: bool,
) -> PyResult<RayHits> {
    let ray = ray(origin, direction, max_time, front_only)?;
    let hits: Vec<Option<RayHit>> =
        ask(&body, |body| supple::cast_ray_all(body, ray))?.into_iter().map(Some).collect();
    RayHits::new(py, body.borrow().body.shape().model(), hits)
}

/// First hits of many rays: `origins` and `directions` are `(n, 3)`, or `(3,)` if all have the same.
///
/// >>> import numpy as np, supple
/// >>> origins = np.array([[0, 1.2, 5], [3, 1.2, 5]])
/// >>> supple.cast_rays(supple.Body(supple.zoo("man")), origins, (0, 0, -1)).triangles >= 0
/// array([ True, False])
#[pyfunction]
#[pyo3(signature = (body, origins, directions, *, max_time=None, front_only=false))]
pub fn cast_rays(
    py: Python,
    #[pyo3(from_py_with = given::body)] body: Bound<PyBody>,
    origins: &Bound<PyAny>,
    directions: &Bound<PyAny>,
    #[pyo3(from_py_with = given::max_time)] max_time: Option<f32>,
    #[pyo3(from_py_with = given::front_only)] front_only: bool,
) -> PyResult<RayHits> {
    let (origins, directions) = (floats("origins", origins)?, floats("directions", directions)?);
    let count = [&origins, &directions]
        .into_iter()
        .find(|given| given.shape.len() == 2)
        .map_or(1, |given| given.shape[0]);
    let one_or_all = |given: &Floats| match given.shape.len() {
        1 => vec![Some(3)],
        _ => vec![Some(count), Some(3)],
    };
    let (one, other) = (one_or_all(&origins), one_or_all(&directions));
    let (origins, directions) = (origins.expect("origins", &one)?, directions.expect("directions", &other)?);
    let (origins, directions) = (origins.vectors(), directions.vectors());
    let made = |number: usize| {
        // One for all, or one each.
        let ray =
            Ray::new(origins[number.min(origins.len() - 1)], directions[number.min(directions.len() - 1)]);
        let ray =
            ray.map_err(|error| bad_value(&format!("origins, directions: ray {number}"), error.to_string()))?;
        finished(ray, max_time, front_only)
    };
    let rays: Vec<Ray> = (0..count).map(made).collect::<PyResult<_>>()?;
    let hits = ask(&body, |body| supple::cast_rays(body, &rays))?;
    RayHits::new(py, body.borrow().body.shape().model(), hits)
}

/// More about a hit: the point, the normal, which joints move it.
///
/// >>> import supple
/// >>> body = supple.Body(supple.zoo("man"))
/// >>> hit = supple.cast_ray(body, (0, 1.2, 5), (0, 0, -1))
/// >>> supple.ray_hit_details(body, hit).normal[2] > 0.5
/// True
#[pyfunction]
pub fn ray_hit_details(
    #[pyo3(from_py_with = given::body)] body: Bound<PyBody>,
    #[pyo3(from_py_with = given::hit)] hit: Bound<PyRayHit>,
) -> PyResult<PyRayHitDetails> {
    let count = crate::ask::body_mut(&body, "body")?.model().mesh().triangles().len();
    if hit.get().hit.triangle as usize >= count {
        return Err(bad_value(
            "hit",
            format!("triangle {} of another body; this one has {count}", hit.get().hit.triangle),
        ));
    }
    let hit = hit.get().hit;
    let details = ask(&body, |body| supple::Answer {
        found: supple::ray_hit_details(body, hit),
        stats: supple::QueryStats::default(),
    })?;
    Ok(PyRayHitDetails {
        point: details.point.to_array(),
        normal: details.normal.to_array(),
        rest_point: details.rest_point.to_array(),
        uv: details.uv.map(|uv| uv.to_array()),
        joints: details.joints.into_iter().map(|(JointId(joint), weight)| (joint, weight)).collect(),
    })
}
