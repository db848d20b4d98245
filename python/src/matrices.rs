//! Joint matrices as Python gives them.

use glam::{Affine3A, DAffine3, DMat4, Mat4, Vec3};
use pyo3::prelude::*;
use supple::Model;

use crate::arguments::Floats;
use crate::failure::bad_value;

/// One matrix per joint of a model.
pub fn joint_matrices(argument: &str, given: &Floats, model: &Model) -> PyResult<Vec<Affine3A>> {
    let joints = model.skin().joint_count();
    if !given.has_shape(&[Some(joints), Some(4), Some(4)])
        && !given.has_shape(&[Some(joints), Some(3), Some(4)])
    {
        let text = format!(
            "expected an array of shape ({joints}, 4, 4), one matrix per joint, got {:?}",
            given.shape
        );
        return Err(bad_value(argument, text));
    }
    matrices_of(argument, given.as_slice(), given.shape[1])
}

/// Matrices row after row, three or four rows each.
pub fn matrices_of(argument: &str, numbers: &[f32], rows: usize) -> PyResult<Vec<Affine3A>> {
    let matrix = |(joint, rows): (usize, &[f32])| {
        if let Some(last) = rows.get(12..).filter(|last| !last.is_empty() && *last != [0.0, 0.0, 0.0, 1.0]) {
            return Err(bad_value(
                argument,
                format!(
                    "the last row of matrix {joint} is {last:?}, expected [0, 0, 0, 1]; are rows and columns swapped?"
                ),
            ));
        }
        let columns = |i: usize| Vec3::new(rows[i], rows[4 + i], rows[8 + i]);
        Ok(Affine3A::from_cols(columns(0).into(), columns(1).into(), columns(2).into(), columns(3).into()))
    };
    numbers.chunks(4 * rows).enumerate().map(matrix).collect()
}

/// What moves vertices, of where joints are.
pub fn skinning_matrices(world: &[Affine3A], model: &Model) -> Vec<Affine3A> {
    let joints = model.skeleton().joints().iter().cycle();
    let moved = |(matrix, joint): (&Affine3A, &supple::pose::Joint)| {
        let matrix = DAffine3::from_mat4(Mat4::from(*matrix).as_dmat4());
        Affine3A::from_mat4(DMat4::from(matrix * joint.inverse_bind).as_mat4())
    };
    world.iter().zip(joints).map(moved).collect()
}
