//! Parts of a model must fit the rest of it.

use glam::Vec3;
use supple::model::Part;
use supple::rest::{Field, Fields, Rest};
use supple::{Mesh, Model, ModelError};

/// One triangle with a field, in parts that all have everything.
fn triangle(part_count: usize) -> Model {
    let mesh = Mesh::new(vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![[0, 1, 2]]).unwrap();
    let field = Field { displacements: vec![(0, Vec3::Z)], ..Field::default() };
    let part = Part {
        name: "moved".to_owned(),
        node: 0,
        vertices: 0..3,
        triangles: 0..1,
        coefficients: 0..1,
        primitives: Vec::new(),
    };
    let rest = Rest::Fields(Fields::new(3, &[field]).unwrap());
    Model::rigid(mesh).with_rest(rest).unwrap().with_parts(vec![part; part_count]).unwrap()
}

#[test]
fn parts_must_fit_the_rest_stage() {
    let error = triangle(2).with_rest(Rest::Plain).unwrap_err();
    assert_eq!(error, ModelError::PartOutOfRange { part: 0, what: "coefficients" });
}

#[test]
fn a_single_part_has_every_coefficient() {
    let model = triangle(1).with_rest(Rest::Plain).unwrap();
    assert_eq!(model.parts()[0].coefficients, 0..0);
}
