//! Parts of a model, taken out with what moves them.

use std::ops::Range;

use glam::Vec3;
use supple::model::Part;
use supple::pose::{Channel, Interpolation, Target};
use supple::rest::{Field, Fields, Rest};
use supple::{Clip, Mesh, Model, Pose, Skinning};
use supple_io::{PartError, only_part};

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
fn a_part_keeps_its_own_shape_and_motion() {
    let right = only_part(&two_parts(), "right").unwrap();
    assert_eq!(right.mesh().triangles(), [[0, 1, 2]]);
    let mut pose: Pose = right.rest_pose();
    right.clip("both").unwrap().sample(0.5, &mut pose).unwrap();
    assert_eq!(pose.coefficients, [1.0]);
    let posed = right.posed(&pose, Skinning::Linear).unwrap();
    assert_eq!(posed.position(0), Vec3::new(3.0, 1.0, 1.0));
}

#[test]
fn parts_that_cannot_be_taken_out_are_errors() {
    let model = two_parts().with_parts(vec![part("cut", 0..2, 0..1, 0..0)]).unwrap();
    let error = only_part(&model, "cut").unwrap_err();
    assert_eq!(error, PartError::SharedVertex { name: "cut".to_owned(), triangle: 0, vertex: 2 });
    let error = only_part(&two_parts(), "up").unwrap_err();
    assert_eq!(error.to_string(), "there is no part \"up\"; the model has left, right");
}
