//! FBX files for tests: a small one as text, and ways to turn text into binary and back.
#![allow(dead_code, unused_imports, reason = "every test binary uses another part of it")]

mod binary;
mod printer;

pub use binary::as_binary;
pub use printer::as_text;

/// A unit square in centimetres; its upper two corners follow the bone `tip`, which turns by 90 degrees in a second.
pub const SQUARE: &str = r#"; FBX 7.4.0 project file
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
