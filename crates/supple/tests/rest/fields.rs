//! Displacement fields: what is stored of them, what they do, and what is refused.

use glam::Vec3;
use supple::rest::{Field, Fields, FieldsError, Rest};
use supple::{Mesh, Model, Skinning};

fn field(displacements: &[(u32, Vec3)]) -> Field {
    Field { displacements: displacements.to_vec(), ..Field::default() }
}

#[test]
fn only_what_is_not_zero_is_stored() {
    let fields = [field(&[(2, Vec3::X), (0, Vec3::ZERO)]), field(&[(0, Vec3::Y), (2, Vec3::Z)])];
    let stored = Fields::new(3, &fields).unwrap();
    assert_eq!((0..3).map(|vertex| stored.of_vertex(vertex).count()).collect::<Vec<_>>(), [1, 0, 2]);
    assert_eq!(stored.of_vertex(2).collect::<Vec<_>>(), [(0, Vec3::X), (1, Vec3::Z)]);
    let back = stored.to_fields();
    assert_eq!(back[0].displacements, [(2, Vec3::X)]);
    assert_eq!(back[1].displacements, [(0, Vec3::Y), (2, Vec3::Z)]);
}

#[test]
fn coefficients_of_any_sign_and_size_add_up() {
    let mesh = Mesh::new(vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![[0, 1, 2]]).unwrap();
    let fields = Fields::new(3, &[field(&[(1, Vec3::Y)]), field(&[(1, Vec3::Z)])]).unwrap();
    let model = Model::rigid(mesh).with_rest(Rest::Fields(fields)).unwrap();
    let mut pose = model.rest_pose();
    pose.coefficients = vec![-3.0, 0.5];
    let posed = model.posed(&pose, Skinning::Linear).unwrap();
    assert_eq!(posed.rest_positions(), [Vec3::ZERO, Vec3::new(1.0, -3.0, 0.5), Vec3::Y]);
}

#[test]
fn errors_name_the_place() {
    let error = Fields::new(2, &[field(&[]), field(&[(2, Vec3::X)])]).unwrap_err();
    assert_eq!(error.to_string(), "field 1 displaces vertex 2, but there are only 2 vertices");
    let error = Fields::new(2, &[field(&[(1, Vec3::X), (1, Vec3::X)])]).unwrap_err();
    assert_eq!(error, FieldsError::RepeatedVertex { field: 0, vertex: 1 });
    let error = Fields::new(2, &[Field { default: f32::INFINITY, ..field(&[]) }]).unwrap_err();
    assert_eq!(error.to_string(), "field 0 has the default coefficient inf, which is not finite");
}
