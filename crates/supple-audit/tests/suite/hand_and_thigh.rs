//! A thigh and a hand that moves into it, both boxes.

use std::sync::Arc;

use glam::{DAffine3, Vec3};
use supple::Mesh;
use supple::Model;
use supple::Skin;
use supple::pose::{Channel, Clip, Interpolation, Joint, Node, Skeleton, Target, Transform};
use supple::{BuildOptions, Shape};

/// A box, outward.
fn cube(half: f32) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let side = |i: u32, bit: u32| if i >> bit & 1 == 0 { -half } else { half };
    let sides = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles = sides.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    ((0..8).map(|i| Vec3::new(side(i, 0), side(i, 1), side(i, 2))).collect(), triangles)
}

/// A thigh of height 2 and a small hand beside it at `start`, which the clip `push` of a second moves by -1 along X and the
/// clip `pull` by 1.
pub fn hand_and_thigh(names: [&str; 2], start: f32) -> Arc<Shape> {
    let ((mut positions, mut triangles), (hand, own)) = (cube(1.0), cube(0.2));
    positions.extend(hand);
    triangles.extend(own.iter().map(|t| t.map(|v| v + 8)));
    let lists: Vec<[(u32, f32); 1]> = (0..16).map(|v| [(u32::from(v >= 8), 1.0)]).collect();
    let skin = Skin::new(2, lists.iter().map(|l| l.as_slice())).unwrap();
    let mut nodes = names.map(|name| Node::new(name, None, Transform::IDENTITY)).to_vec();
    nodes[1].rest.translation = Vec3::X * start;
    let joints = [0, 1].map(|node| Joint { node, inverse_bind: DAffine3::IDENTITY }).to_vec();
    let clip = |name: &str, way: f32| {
        let channel = Channel {
            target: Target::Translation(1),
            interpolation: Interpolation::Linear,
            times: vec![0.0, 1.0],
            values: vec![start, 0.0, 0.0, start + way, 0.0, 0.0],
        };
        Clip::new(name, vec![channel]).unwrap()
    };
    let mesh = Mesh::new(positions, triangles).unwrap();
    let model = Model::new(mesh, skin, Skeleton::new(nodes, joints).unwrap()).unwrap();
    let model = model.with_clips(vec![clip("push", -1.0), clip("pull", 1.0)]).unwrap();
    Arc::new(Shape::build(model, &BuildOptions::default()).unwrap())
}
