//! Shapes: models with their trees.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};
use supple::Shape;

use crate::failure::{bad_type, work, wrong};
use crate::model::PyModel;

/// A model with its tree: immutable, shared by any number of bodies. `Model.shape()` makes it; it can be pickled, and saved as bytes.
///
/// >>> import supple
/// >>> shape = supple.zoo("man").shape()
/// >>> supple.Shape.from_bytes(shape.to_bytes()).model.triangle_count
/// 8796
#[pyclass(frozen, name = "Shape", module = "supple")]
pub struct PyShape {
    pub shape: Arc<Shape>,
}

#[pymethods]
impl PyShape {
    /// A shape that was saved.
    #[staticmethod]
    pub fn from_bytes(py: Python, data: &Bound<PyAny>) -> PyResult<Self> {
        match data.cast::<PyBytes>() {
            Ok(data) => Self::read(py, data.as_bytes()),
            Err(_) => Err(bad_type("data", "bytes", data)),
        }
    }

    /// For files and other processes.
    pub fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = work(py, || self.shape.to_bytes())?.map_err(wrong("shape"))?;
        Ok(PyBytes::new(py, &bytes))
    }

    #[getter]
    fn model(&self) -> PyModel {
        PyModel::of_shape(&self.shape)
    }

    /// Levels of the tree below its root.
    #[getter]
    fn depth(&self) -> usize {
        self.shape.depth()
    }

    #[getter]
    fn memory_bytes(&self) -> usize {
        self.shape.memory_bytes()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let make = py.get_type::<Self>().getattr("from_bytes")?;
        Ok((make, PyTuple::new(py, [self.to_bytes(py)?])?))
    }

    fn __eq__(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.shape, &other.shape)
    }

    fn __hash__(&self) -> usize {
        Arc::as_ptr(&self.shape).addr()
    }

    fn __repr__(&self) -> String {
        let triangles = self.shape.model().mesh().triangles().len();
        format!("<supple.Shape: {triangles} triangles, {} levels>", self.shape.depth() + 1)
    }
}

impl PyShape {
    pub fn read(py: Python, bytes: &[u8]) -> PyResult<Self> {
        let shape = work(py, || Shape::from_bytes(bytes))?.map_err(wrong("data"))?;
        Ok(Self { shape: Arc::new(shape) })
    }
}

/// A shape; a model, whose tree is built if it has none yet; or what has a shape, as an `SmplModel` does.
pub fn shape_of(argument: &str, value: &Bound<PyAny>) -> PyResult<Arc<Shape>> {
    if let Ok(shape) = value.cast::<PyShape>() {
        return Ok(Arc::clone(&shape.get().shape));
    }
    if let Ok(model) = value.cast::<PyModel>() {
        return model.get().built(value.py());
    }
    let shape = value.getattr_opt("shape")?;
    match shape.as_ref().and_then(|shape| shape.cast::<PyShape>().ok()) {
        Some(shape) => Ok(Arc::clone(&shape.get().shape)),
        None => Err(bad_type(argument, "a Shape or a Model", value)),
    }
}
