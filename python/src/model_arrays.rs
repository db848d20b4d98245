//! What models are made of, from arrays: weights, joints, displacement fields.

use glam::{DAffine3, DMat4, DVec3};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use supple::pose::{Joint, Node, Skeleton};
use supple::rest::Field;
use supple::{Model, Transform};

use crate::arguments::{Floats, floats, indices, integers};
use crate::failure::{bad_value, wrong};

pub type Influences = Vec<Vec<(u32, f32)>>;

/// Joints and weights of each vertex, and how many joints the given form has room for.
pub fn influences(weights: &Bound<PyAny>, vertices: usize) -> PyResult<(Influences, Option<usize>)> {
    if weights.hasattr("tocsr")? {
        return sparse(&weights.call_method0("tocsr")?, vertices);
    }
    if let Ok(pair) = weights.cast::<PyTuple>()
        && pair.len() == 2
    {
        let (joints, shape) = indices("weights[0]", &pair.get_item(0)?)?;
        let &[rows, per_vertex] = shape.as_slice() else {
            return Err(bad_value(
                "weights[0]",
                format!("expected an array of shape ({vertices}, k), got {shape:?}"),
            ));
        };
        if rows != vertices || per_vertex == 0 {
            return Err(bad_value(
                "weights[0]",
                format!("expected an array of shape ({vertices}, k), got {shape:?}"),
            ));
        }
        let values = floats("weights[1]", &pair.get_item(1)?)?
            .expect("weights[1]", &[Some(rows), Some(per_vertex)])?;
        let all: Vec<(u32, f32)> = joints.into_iter().zip(values.as_slice().iter().copied()).collect();
        return Ok((all.chunks(per_vertex).map(<[_]>::to_vec).collect(), None));
    }
    let dense = floats("weights", weights)?.expect("weights", &[Some(vertices), None])?;
    let joints = dense.shape[1];
    if joints == 0 {
        return Err(bad_value("weights", "expected a column per joint, got none"));
    }
    let of_vertex = |row: &[f32]| -> Vec<(u32, f32)> {
        let some: Vec<(u32, f32)> =
            (0u32..).zip(row.iter().copied()).filter(|(_, weight)| *weight != 0.0).collect();
        if some.is_empty() { vec![(0, 0.0)] } else { some }
    };
    let influences: Influences = dense.as_slice().chunks(joints).map(of_vertex).collect();
    if let Some(vertex) = influences.iter().position(|of| of.iter().all(|(_, weight)| *weight == 0.0)) {
        return Err(bad_value("weights", format!("vertex {vertex} has no weight at all")));
    }
    Ok((influences, Some(joints)))
}

fn sparse(matrix: &Bound<PyAny>, vertices: usize) -> PyResult<(Influences, Option<usize>)> {
    let shape: (usize, usize) = matrix.getattr("shape")?.extract()?;
    if shape.0 != vertices {
        return Err(bad_value(
            "weights",
            format!("expected a row for each of {vertices} vertices, got {}", shape.0),
        ));
    }
    let starts = indices("weights", &matrix.getattr("indptr")?)?.0;
    let joints = indices("weights", &matrix.getattr("indices")?)?.0;
    let values = floats("weights", &matrix.getattr("data")?)?;
    let values = values.as_slice();
    let row = |vertex: usize| -> PyResult<Vec<(u32, f32)>> {
        let range = starts[vertex] as usize..starts[vertex + 1] as usize;
        let row = joints.get(range.clone()).zip(values.get(range));
        let row: Vec<(u32, f32)> = row
            .map(|(joints, values)| joints.iter().copied().zip(values.iter().copied()).collect())
            .ok_or_else(|| bad_value("weights", "a broken sparse matrix"))?;
        match row.iter().any(|(_, weight)| *weight != 0.0) {
            true => Ok(row),
            false => Err(bad_value("weights", format!("vertex {vertex} has no weight at all"))),
        }
    };
    if starts.len() != vertices + 1 {
        return Err(bad_value("weights", "a broken sparse matrix"));
    }
    Ok(((0..vertices).map(row).collect::<PyResult<_>>()?, Some(shape.1)))
}

/// Joints where they are at rest; where nobody says so, at the origin, so that their matrices are what moves vertices.
pub fn skeleton(
    count: usize,
    joints: Option<&Bound<PyAny>>,
    parents: Option<&Bound<PyAny>>,
    names: Option<Vec<String>>,
) -> PyResult<Skeleton> {
    let rest: Vec<DAffine3> = match joints {
        None => vec![DAffine3::IDENTITY; count],
        Some(joints) => rest_matrices(&floats("joints", joints)?)?,
    };
    let parents: Vec<Option<usize>> = match parents {
        None => vec![None; count],
        Some(parents) => {
            let (numbers, shape) = integers("parents", parents)?;
            if shape != [count] {
                return Err(bad_value(
                    "parents",
                    format!("expected one number for each of {count} joints, got shape {shape:?}"),
                ));
            }
            let parent = |(joint, &number): (usize, &i64)| match usize::try_from(number) {
                Ok(number) if number < count => Ok(Some(number)),
                _ if number == -1 => Ok(None),
                _ => Err(bad_value(
                    "parents",
                    format!("that of joint {joint} is {number}, expected -1 to {}", count - 1),
                )),
            };
            numbers.iter().enumerate().map(parent).collect::<PyResult<_>>()?
        }
    };
    let names = match names {
        Some(names) if names.len() != count => {
            return Err(bad_value(
                "names",
                format!("expected {count}, one for each joint, got {}", names.len()),
            ));
        }
        Some(names) => names,
        None => (0..count).map(|joint| format!("joint {joint}")).collect(),
    };
    let node = |(joint, name): (usize, String)| match parents[joint] {
        None if rest[joint] == DAffine3::IDENTITY => Node::new(name, None, Transform::IDENTITY),
        None => Node::from_matrix(name, None, rest[joint]),
        Some(parent) => Node::from_matrix(name, Some(parent), rest[parent].inverse() * rest[joint]),
    };
    let nodes = names.into_iter().enumerate().map(node).collect();
    let joint = |(node, rest): (usize, &DAffine3)| Joint { node, inverse_bind: rest.inverse() };
    Skeleton::new(nodes, rest.iter().enumerate().map(joint).collect()).map_err(wrong("joints, parents"))
}

fn rest_matrices(joints: &Floats) -> PyResult<Vec<DAffine3>> {
    let matrices: Vec<DAffine3> = if joints.has_shape(&[None, Some(3)]) {
        joints.vectors().iter().map(|point| DAffine3::from_translation(point.as_dvec3())).collect()
    } else if joints.has_shape(&[None, Some(4), Some(4)]) {
        let rows = joints.as_slice().as_chunks::<16>().0.iter();
        rows.map(|rows| DAffine3::from_mat4(DMat4::from_cols_array(&rows.map(f64::from)).transpose()))
            .collect()
    } else {
        return Err(bad_value(
            "joints",
            format!("expected an array of shape (j, 4, 4) or (j, 3), got {:?}", joints.shape),
        ));
    };
    let flat = matrices.iter().position(|matrix| {
        let is_turnable = matrix.matrix3.determinant().abs() > 0.0;
        !(is_turnable
            && matrix.inverse().is_finite()
            && matrix.translation.abs().cmple(DVec3::splat(1e30)).all())
    });
    match flat {
        Some(joint) => Err(bad_value("joints", format!("the matrix of joint {joint} has no inverse"))),
        None => Ok(matrices),
    }
}

pub fn coefficient_names_of(names: Option<Vec<String>>, count: usize) -> PyResult<Vec<String>> {
    match names {
        Some(names) if names.len() != count => Err(bad_value(
            "coefficient_names",
            format!("expected {count}, one for each coefficient, got {}", names.len()),
        )),
        Some(names) => Ok(names),
        None => Ok((0..count).map(|number| format!("coefficient {number}")).collect()),
    }
}

pub fn fields(model: &Model, given: &Floats, names: Vec<String>) -> PyResult<Vec<Field>> {
    let all = given.vectors();
    let per_field = model.mesh().positions().len().max(1);
    let field = |(name, displacements): (String, &[glam::Vec3])| match displacements
        .iter()
        .position(|displacement| !displacement.is_finite())
    {
        Some(vertex) => {
            Err(bad_value("displacements", format!("{name:?} moves vertex {vertex} by what is not finite")))
        }
        None => Ok(Field::displacing(name, model.mesh(), displacements)),
    };
    names.into_iter().zip(all.chunks(per_field)).map(field).collect()
}
