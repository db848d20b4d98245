//! Reference shapes: weights are made convex, shapes blend and come back.

use glam::Vec3;
use supple::rest::{ConvexMorph, Reference, Rest};
use supple::{Mesh, Model, PoseError, Skinning};

fn shape(offset: f32) -> Reference {
    let positions = vec![Vec3::splat(offset), Vec3::X * offset];
    Reference { name: String::new(), positions, normals: vec![] }
}

#[test]
fn weights_are_made_convex() {
    let rest = Rest::Morph(ConvexMorph::new(&[shape(1.0), shape(3.0)]).unwrap());
    assert_eq!(rest.checked_coefficients(&[1.0, 3.0]).unwrap()[..], [0.25, 0.75]);
    assert!(matches!(rest.checked_coefficients(&[1.0, -0.5]), Err(PoseError::NotConvex { index: 1, .. })));
    assert!(rest.checked_coefficients(&[0.0, 0.0]).is_err());
}

#[test]
fn shapes_blend_and_come_back() {
    let morph = ConvexMorph::new(&[shape(1.0), shape(3.0)]).unwrap();
    let mesh = Mesh::new(shape(1.0).positions, vec![[0, 1, 1]]).unwrap();
    let model = Model::rigid(mesh).with_rest(Rest::Morph(morph.clone())).unwrap();
    let mut pose = model.rest_pose();
    pose.coefficients = vec![2.0, 2.0];
    let posed = model.posed(&pose, Skinning::Linear).unwrap();
    assert_eq!(posed.rest_positions(), [Vec3::splat(2.0), Vec3::X * 2.0]);
    assert_eq!(morph.to_references()[1], shape(3.0));
    assert_eq!(morph.vertex_count(), 2);
}

#[test]
fn shapes_of_different_sizes_are_errors() {
    let mut short = shape(1.0);
    short.positions.pop();
    let error = ConvexMorph::new(&[shape(1.0), short]).unwrap_err();
    assert_eq!(error.to_string(), "reference 1 has 1 positions, the first has 2 vertices");
}
