//! What a mesh refuses.

use glam::Vec3;
use supple::{Mesh, MeshError};

#[test]
fn errors_name_the_place() {
    let positions = vec![Vec3::ZERO, Vec3::X, Vec3::Y];
    assert_eq!(Mesh::new(positions.clone(), vec![]), Err(MeshError::Empty));
    let error = Mesh::new(positions.clone(), vec![[0, 1, 2], [0, 1, 3]]).unwrap_err();
    assert_eq!(error.to_string(), "triangle 1 names vertex 3, but there are only 3 vertices");
    let error = Mesh::new(vec![Vec3::ZERO, Vec3::NAN, Vec3::Y], vec![[0, 1, 2]]).unwrap_err();
    assert_eq!(error.to_string(), "the position of vertex 1 is not finite");
    let mesh = Mesh::new(positions, vec![[0, 1, 2]]).unwrap();
    let error = mesh.with_normals(vec![Vec3::Z]).unwrap_err();
    assert_eq!(error.to_string(), "1 normals for 3 vertices");
}
