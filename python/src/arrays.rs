//! Arrays for Python. Memory of vectors is handed over, not copied, unless there is little of it.

use glam::{Affine3A, Mat4, Vec3};
use numpy::{Element, PyArray1, PyArray2, PyArray3, PyArrayMethods};
use pyo3::prelude::*;

/// Up to so many numbers are copied: the object that keeps a vector alive costs more than that.
const FEW: usize = 1024;

pub fn list<T: Element + Copy>(py: Python<'_>, numbers: Vec<T>) -> Bound<'_, PyArray1<T>> {
    if numbers.len() <= FEW { PyArray1::from_slice(py, &numbers) } else { PyArray1::from_vec(py, numbers) }
}

/// `(n, N)`
pub fn rows<T: Element + Copy, const N: usize>(
    py: Python<'_>,
    rows: Vec<[T; N]>,
) -> PyResult<Bound<'_, PyArray2<T>>> {
    let count = rows.len();
    list(py, rows.into_flattened()).reshape([count, N])
}

/// `(n, 3)`
pub fn vectors(py: Python<'_>, vectors: Vec<Vec3>) -> PyResult<Bound<'_, PyArray2<f32>>> {
    rows::<f32, 3>(py, bytemuck::cast_vec(vectors))
}

/// `(n, M, N)`
pub fn blocks<T: Element + Copy, const M: usize, const N: usize>(
    py: Python<'_>,
    blocks: Vec<[[T; N]; M]>,
) -> PyResult<Bound<'_, PyArray3<T>>> {
    let count = blocks.len();
    list(py, blocks.into_flattened().into_flattened()).reshape([count, M, N])
}

/// Rows of a matrix as numpy has them: `matrix @ (x, y, z, 1)` moves a point.
pub fn matrix_rows(matrix: Affine3A) -> [[f32; 4]; 4] {
    Mat4::from(matrix).transpose().to_cols_array_2d()
}
