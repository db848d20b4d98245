//! Brute force: all vertices posed, all triangles compared. Slow, simple, and what everything is compared with.

use glam::Vec3;
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use supple::oracle::{self, PosedMesh};
use supple::{Model, SelfFilter};

use crate::arrays::{list, rows};
use crate::ask::body_mut;
use crate::body::PyBody;
use crate::failure::{work, wrong};
use crate::given;
use crate::probes::PyProbe;
use crate::rays::{PyRayHit, ray};

fn posed(body: &Bound<PyBody>, argument: &str) -> PyResult<(std::sync::Arc<Model>, Vec<Vec3>)> {
    let mut body = body_mut(body, argument)?;
    Ok((body.model(), body.positions().map_err(wrong(argument))?))
}

/// All pairs of touching triangles of two bodies, by comparing everything.
#[pyfunction]
pub fn oracle_collide<'py>(
    py: Python<'py>,
    #[pyo3(from_py_with = given::a)] a: Bound<'py, PyBody>,
    #[pyo3(from_py_with = given::b)] b: Bound<'py, PyBody>,
) -> PyResult<Bound<'py, PyArray2<u32>>> {
    let ((model_a, at), (model_b, other)) = (posed(&a, "a")?, posed(&b, "b")?);
    let found = work(py, || {
        oracle::collide(PosedMesh::new(model_a.mesh(), &at), PosedMesh::new(model_b.mesh(), &other))
    })?;
    rows(py, found)
}

/// All pairs of touching triangles of one body, by comparing everything.
#[pyfunction]
#[pyo3(signature = (body, *, creases=true))]
pub fn oracle_self_collide<'py>(
    py: Python<'py>,
    #[pyo3(from_py_with = given::body)] body: Bound<'py, PyBody>,
    #[pyo3(from_py_with = given::creases)] creases: bool,
) -> PyResult<Bound<'py, PyArray2<u32>>> {
    let (model, positions) = posed(&body, "body")?;
    let filter = if creases { SelfFilter::default() } else { SelfFilter::default().without_creases() };
    rows(py, work(py, || oracle::self_collide_with(&model, &positions, &filter))?)
}

/// All hits of a ray, by time, by asking every triangle.
#[pyfunction]
pub fn oracle_cast_ray_all(
    py: Python,
    #[pyo3(from_py_with = given::body)] body: Bound<PyBody>,
    origin: &Bound<PyAny>,
    direction: &Bound<PyAny>,
) -> PyResult<Vec<PyRayHit>> {
    let (ray, (model, positions)) = (ray(origin, direction, None, false)?, posed(&body, "body")?);
    let hits = work(py, || oracle::cast_ray_all(PosedMesh::new(model.mesh(), &positions), ray))?;
    Ok(hits.into_iter().map(|hit| PyRayHit::new(&model, hit)).collect())
}

/// All triangles that a solid shape overlaps, by asking every triangle.
#[pyfunction]
pub fn oracle_overlap<'py>(
    py: Python<'py>,
    #[pyo3(from_py_with = given::body)] body: Bound<'py, PyBody>,
    #[pyo3(from_py_with = given::probe)] probe: Bound<PyProbe>,
) -> PyResult<Bound<'py, PyArray1<u32>>> {
    let (model, positions) = posed(&body, "body")?;
    let probe = &probe.get().probe;
    Ok(list(py, work(py, || oracle::overlap(PosedMesh::new(model.mesh(), &positions), probe))?))
}
