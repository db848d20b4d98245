//! A small text FBX with a skin, a blend shape and an animation, and broken input.

#![cfg(feature = "fbx")]

mod fbx_files;
mod from_memory;

use fbx_files::SQUARE;
use from_memory::read_fbx;
use glam::Vec3;
use supple::Skinning;
use supple_io::Problem;

#[test]
fn a_skinned_square_loads_in_metres() {
    let model = read_fbx(SQUARE.as_bytes()).unwrap();
    let positions = model.posed(&model.rest_pose(), Skinning::Linear).unwrap().positions();
    let expected = [Vec3::ZERO, Vec3::X, Vec3::new(1.0, 1.0, 0.0), Vec3::Y];
    for (found, expected) in positions.iter().zip(expected) {
        assert!(found.abs_diff_eq(expected, 1e-6), "{found} {expected}");
    }
    assert_eq!(model.mesh().triangles().len(), 2);
    assert_eq!(model.parts()[0].name, "body");
    assert_eq!(model.rest().names(), ["bulge"]);
}

#[test]
fn bones_and_shapes_move_it() {
    let model = read_fbx(SQUARE.as_bytes()).unwrap();
    let mut pose = model.sample(model.clip("turn").unwrap(), 1.0).unwrap();
    pose.coefficients[0] = 1.0;
    let positions = model.posed(&pose, Skinning::Linear).unwrap().positions();
    let expected = [Vec3::ZERO, Vec3::new(1.0, 0.0, 0.5), Vec3::new(0.0, 2.0, 0.0), Vec3::Y];
    for (found, expected) in positions.iter().zip(expected) {
        assert!(found.abs_diff_eq(expected, 1e-5), "{positions:?}");
    }
}

#[test]
fn broken_files_are_errors() {
    let place = |bytes: &[u8]| match read_fbx(bytes) {
        Err(Problem::Invalid { place, .. }) => place,
        other => panic!("{other:?}"),
    };
    assert_eq!(place(b""), "FBX");
    assert_eq!(place(b"no such thing"), "FBX");
    assert_eq!(place(b"Kaydara FBX Binary  \0\x1a\0\xe8\x1c\0\0\xff\xff\xff\xff"), "FBX");
    assert_eq!(place(&[0xa5; 4096]), "FBX");
    // Cut before the meshes are connected to their nodes, a text is either broken or has no meshes.
    let end = SQUARE.find("C: \"OO\",10,20").unwrap();
    for length in (0..end).step_by(97) {
        assert!(read_fbx(&SQUARE.as_bytes()[..length]).is_err(), "{length}");
    }
}
