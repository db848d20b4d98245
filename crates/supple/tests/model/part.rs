//! Parts of a model must fit what is left of it.

use std::ops::Range;

use glam::Vec3;
use supple::model::Part;
use supple::pose::{Channel, Interpolation, Target};
use supple::rest::{Field, Fields, Rest};
use supple::{Clip, Mesh, Model, ModelError};

fn part(name: &str, vertices: Range<usize>, triangles: Range<usize>, coefficients: Range<usize>) -> Part {
    Part { name: name.to_owned(), node: 0, vertices, triangles, coefficients, primitives: Vec::new() }
}

/// Two triangles side by side, each with a field of its own, and one channel that animates both fields.
fn two_parts() -> Model {
    let positions = (0..6).map(|i| Vec3::new(i as f32, (i % 2) as f32, 0.0)).collect();
    let mesh = Mesh::new(positions, vec![[0, 1, 2], [3, 4, 5]]).unwrap();
    let field = |vertex| Field { displacements: vec![(vertex, Vec3::Z)], ..Field::default() };
    let channel = Channel {
        target: Target::Coefficients(0..2),
        interpolation: Interpolation::Linear,
        times: vec![0.0, 1.0],
        values: vec![0.0, 0.0, 1.0, 2.0],
    };
    Model::rigid(mesh)
        .with_rest(Rest::Fields(Fields::new(6, &[field(0), field(3)]).unwrap()))
        .unwrap()
        .with_clips(vec![Clip::new("both", vec![channel]).unwrap()])
        .unwrap()
        .with_parts(vec![part("left", 0..3, 0..1, 0..1), part("right", 3..6, 1..2, 1..2)])
        .unwrap()
}

#[test]
fn parts_must_fit_the_rest_stage() {
    let error = two_parts().with_rest(Rest::Plain).unwrap_err();
    assert_eq!(error, ModelError::PartOutOfRange { part: 0, what: "coefficients" });
}
