//! A model for audits whose answers are known, and how the tests of audits run the command.

use std::path::{Path, PathBuf};

use glam::{DAffine3, Vec3};
use serde_json::Value;
use supple::pose::{Channel, Clip, Interpolation, Joint, Node, Skeleton, Target, Transform};
use supple::{Mesh, Model, Skin};

use crate::supple::{Run, supple, text};

/// Runs `supple audit` with arguments that have no spaces.
pub fn audit(arguments: &str) -> Run {
    supple(["audit"].into_iter().chain(arguments.split(' ')))
}

/// The JSON of an audit that may find something.
pub fn audit_json(arguments: &str) -> Value {
    let run = audit(&format!("{arguments} --json -"));
    assert!(run.code < 2, "{}", run.stderr);
    serde_json::from_str(&run.stdout).unwrap()
}

/// The events of the first file.
pub fn events(json: &Value) -> &[Value] {
    json["files"][0]["events"].as_array().unwrap()
}

/// A box, outward.
fn cube(half: f32) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let side = |i: u32, bit: u32| if i >> bit & 1 == 0 { -half } else { half };
    let sides = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles = sides.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    ((0..8).map(|i| Vec3::new(side(i, 0), side(i, 1), side(i, 2))).collect(), triangles)
}

/// A thigh of height 2 and a hand of height 0.4 beside it at `start`; no clips.
pub fn hand_and_thigh_at_rest(names: [&str; 2], start: f32) -> Model {
    let ((mut positions, mut triangles), (hand, own)) = (cube(1.0), cube(0.2));
    positions.extend(hand);
    triangles.extend(own.iter().map(|t| t.map(|v| v + 8)));
    let lists: Vec<[(u32, f32); 1]> = (0..16).map(|v| [(u32::from(v >= 8), 1.0)]).collect();
    let skin = Skin::new(2, lists.iter().map(|l| l.as_slice())).unwrap();
    let mut nodes = names.map(|name| Node::new(name, None, Transform::IDENTITY)).to_vec();
    nodes[1].rest.translation = Vec3::X * start;
    let joints = [0, 1].map(|node| Joint { node, inverse_bind: DAffine3::IDENTITY }).to_vec();
    let skeleton = Skeleton::new(nodes, joints).unwrap();
    Model::new(Mesh::new(positions, triangles).unwrap(), skin, skeleton).unwrap()
}

/// A channel of two keys, a second apart.
pub fn channel(target: Target, from: [f32; 3], to: [f32; 3]) -> Channel {
    let values = from.into_iter().chain(to).collect();
    Channel { target, interpolation: Interpolation::Linear, times: vec![0.0, 1.0], values }
}

/// A clip of a second that moves the hand by -1 along X.
pub fn push(name: &str, start: f32) -> Clip {
    Clip::new(name, vec![channel(Target::Translation(1), [start, 0.0, 0.0], [start - 1.0, 0.0, 0.0])])
        .unwrap()
}

/// Writes [`hand_and_thigh_at_rest`] with the clip that pushes the hand.
pub fn hand_and_thigh(file: &Path, names: [&str; 2], clip: &str, start: f32) {
    let model = hand_and_thigh_at_rest(names, start).with_clips(vec![push(clip, start)]).unwrap();
    supple_io::write_glb(file, &model).unwrap();
}

/// The same with usual names.
pub fn written(folder: &Path, name: &str, start: f32) -> PathBuf {
    let file = folder.join(name);
    hand_and_thigh(&file, ["thigh", "hand"], "push", start);
    file
}

/// The file as an argument, with ten frames per second.
pub fn at_ten(file: &Path) -> String {
    format!("{} --fps 10", text(file))
}
