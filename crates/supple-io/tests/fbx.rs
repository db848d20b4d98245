//! A small text FBX with a skin, a blend shape and an animation, and broken input.

#![cfg(feature = "fbx")]

mod from_memory;

use from_memory::read_fbx;
use glam::Vec3;
use supple::Skinning;
use supple_io::Problem;

/// A unit square in centimetres; its upper two corners follow the bone `tip`, which turns by 90 degrees in a second.
const SQUARE: &str = r#"; FBX 7.4.0 project file
FBXHeaderExtension:  { FBXHeaderVersion: 1003 FBXVersion: 7400 }
GlobalSettings:  {
  Version: 1000
  Properties70:  {
    P: "UpAxis", "int", "Integer", "",1
    P: "UpAxisSign", "int", "Integer", "",1
    P: "FrontAxis", "int", "Integer", "",2
    P: "FrontAxisSign", "int", "Integer", "",1
    P: "CoordAxis", "int", "Integer", "",0
    P: "CoordAxisSign", "int", "Integer", "",1
    P: "UnitScaleFactor", "double", "Number", "",1
  }
}
Objects:  {
  Geometry: 10, "Geometry::square", "Mesh" {
    Vertices: *12 { a: 0,0,0,100,0,0,100,100,0,0,100,0 }
    PolygonVertexIndex: *4 { a: 0,1,2,-4 }
  }
  Geometry: 11, "Geometry::bulge", "Shape" {
    Version: 100
    Indexes: *1 { a: 1 }
    Vertices: *3 { a: 0,0,50 }
  }
  Model: 20, "Model::body", "Mesh" { Version: 232 }
  Model: 21, "Model::tip", "LimbNode" {
    Version: 232
    Properties70:  { P: "Lcl Translation", "Lcl Translation", "", "A",0,100,0 }
  }
  Deformer: 30, "Deformer::skin", "Skin" { Version: 101 }
  Deformer: 31, "SubDeformer::tip", "Cluster" {
    Version: 100
    Indexes: *2 { a: 2,3 }
    Weights: *2 { a: 1,1 }
    Transform: *16 { a: 1,0,0,0,0,1,0,0,0,0,1,0,0,-100,0,1 }
    TransformLink: *16 { a: 1,0,0,0,0,1,0,0,0,0,1,0,0,100,0,1 }
  }
  Deformer: 32, "Deformer::shapes", "BlendShape" { Version: 100 }
  Deformer: 33, "SubDeformer::bulge", "BlendShapeChannel" {
    Version: 100
    DeformPercent: 0
    FullWeights: *1 { a: 100 }
  }
  AnimationStack: 40, "AnimStack::turn", "" {
    Properties70:  { P: "LocalStop", "KTime", "Time", "",46186158000 }
  }
  AnimationLayer: 41, "AnimLayer::base", "" { }
  AnimationCurveNode: 42, "AnimCurveNode::R", "" {
    Properties70:  { P: "d|X", "Number", "", "A",0
      P: "d|Y", "Number", "", "A",0
      P: "d|Z", "Number", "", "A",0 }
  }
  AnimationCurve: 43, "AnimCurve::", "" {
    Default: 0
    KeyVer: 4008
    KeyTime: *2 { a: 0,46186158000 }
    KeyValueFloat: *2 { a: 0,90 }
    KeyAttrFlags: *1 { a: 4 }
    KeyAttrDataFloat: *4 { a: 0,0,0,0 }
    KeyAttrRefCount: *1 { a: 2 }
  }
}
Connections:  {
  C: "OO",20,0
  C: "OO",21,0
  C: "OO",10,20
  C: "OO",30,10
  C: "OO",31,30
  C: "OO",21,31
  C: "OO",32,10
  C: "OO",33,32
  C: "OO",11,33
  C: "OO",41,40
  C: "OO",42,41
  C: "OP",42,21, "Lcl Rotation"
  C: "OP",43,42, "d|Z"
}
"#;

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
