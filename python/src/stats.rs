//! What questions cost.

use pyo3::prelude::*;
use supple::QueryStats;

/// What a question cost. What a body has computed before for the same pose is not counted again.
#[pyclass(frozen, name = "Stats", module = "supple")]
#[derive(Clone, Copy)]
pub struct Stats(pub QueryStats);

#[pymethods]
impl Stats {
    /// Pairs of nodes that were looked at; or nodes, where one body is asked.
    #[getter]
    fn node_visits(&self) -> u64 {
        self.0.node_visits
    }

    /// Nodes whose bounds were computed.
    #[getter]
    fn refits(&self) -> u64 {
        self.0.refits
    }

    /// Vertices that were posed.
    #[getter]
    fn vertices_deformed(&self) -> u64 {
        self.0.vertices_deformed
    }

    /// Pairs of triangles that were tested; or triangles, where one body is asked.
    #[getter]
    fn triangle_tests(&self) -> u64 {
        self.0.triangle_tests
    }

    /// Moments at which moving bodies were looked at.
    #[getter]
    fn moments(&self) -> u64 {
        self.0.moments
    }

    fn __repr__(&self) -> String {
        let QueryStats { node_visits, refits, vertices_deformed, triangle_tests, .. } = self.0;
        format!(
            "<supple.Stats: {node_visits} visits, {refits} refits, {vertices_deformed} vertices, {triangle_tests} tests>"
        )
    }
}
