//! Tests of what `refit/posed_vertices` keeps to itself: vertices that are posed in blocks have the bits of single ones.

use std::sync::Arc;

#[allow(dead_code, reason = "other tests use the rest")]
#[path = "../../subjects/random_model.rs"]
mod random_model;

use random_model::{RestKind, random_model, random_pose};

use super::*;
use crate::tree::{BuildOptions, Shape};

/// Poses the vertices of all slots with both widths of registers, and compares them with the function of one vertex.
struct CompareAll<'a> {
    tree: &'a Tree,
    slots: &'a Slots,
    name: &'a str,
}

impl Job for CompareAll<'_> {
    type Output = ();

    fn run(self, rest: impl RestStage, skin: impl SkinStage) {
        let Self { tree, slots, name } = self;
        let nothing = vec![[f32::NAN; 4]; tree.vertices.len()];
        let (mut narrow, mut wide, range) = (nothing.clone(), nothing, 0..slots.places.len());
        TwoStages { rest, skin }.pose::<TwoFours>(tree, slots, range.clone(), &mut narrow);
        simd::run(PoseSlotsWith { work: PoseSlots { tree, slots, range, to: &mut wide }, rest, skin });
        for (place, &vertex) in tree.vertices.iter().enumerate() {
            let one = deform::<TwoFours, POSITION>(rest, skin, vertex as usize).truncate();
            for [x, y, z, _] in [narrow[place], wide[place]] {
                let same = [x, y, z].map(f32::to_bits) == one.to_array().map(f32::to_bits);
                assert!(same, "{name}: vertex {vertex} is {:?}, alone it is {one}", [x, y, z]);
            }
        }
    }
}

fn compare(shape: &Arc<Shape>, pose: &crate::Pose, name: &str) {
    for skinning in Skinning::ALL {
        let mut body = Body::new(shape, skinning).unwrap();
        // Joints that scale too far are refused; that is an answer too.
        if body.set_pose(pose).is_err() {
            continue;
        }
        let tree = shape.tree();
        prepare_sets(shape.model(), &mut body.palette, tree, &tree.whole.places);
        for slots in [&tree.slots, &tree.whole] {
            let job = CompareAll { tree, slots, name: &format!("{name} {}", skinning.name()) };
            with_stages(shape.model(), &body.palette, &body.coefficients, job);
        }
    }
}

/// Random models of every rest stage in random poses, some of them scaled and mirrored.
#[test]
fn blocks_have_the_bits_of_single_vertices() {
    for seed in 0..120 {
        for kind in RestKind::ALL {
            let model = random_model(seed, kind);
            let options = BuildOptions::default().with_twig_size(1 + seed as usize % 64);
            let shape = Arc::new(Shape::build(model.clone(), &options).unwrap());
            for scaled in [false, true] {
                let mut pose = random_pose(&model, seed, scaled);
                compare(&shape, &pose, &format!("seed {seed} {kind:?}"));
                // Half turns between neighbours.
                for (i, node) in pose.nodes.iter_mut().enumerate() {
                    node.rotation *= glam::Quat::from_axis_angle(Vec3::Y, std::f32::consts::PI * i as f32);
                }
                compare(&shape, &pose, &format!("seed {seed} {kind:?}, half turns"));
            }
        }
    }
}

/// Rotations that cancel: such vertices follow their heaviest joint, alone and in a block.
#[test]
fn cancelled_rotations_have_the_bits_of_single_vertices() {
    let positions: Vec<Vec3> = (0..30).map(|i| Vec3::new(i as f32 * 0.3, (i as f32).sin(), 0.2)).collect();
    let triangles = (0..28).map(|i| [i, i + 1, i + 2]).collect();
    let influences: Vec<Vec<(u32, f32)>> = (0..30u32)
        .map(|i| match i % 5 {
            0 => vec![(i % 3, 1.0)],
            1 => vec![(0, 1e-3), (1, 0.4995), (2, 0.4995)],
            2 => vec![(1, 0.5), (2, 0.5)],
            3 => vec![(2, 0.7), (0, 0.3)],
            _ => vec![(0, 0.2), (1, 0.3), (2, 0.5)],
        })
        .collect();
    let skin = crate::Skin::new(3, influences.iter().map(Vec::as_slice)).unwrap();
    let nodes = (0..3).map(|_| crate::pose::Node::new("", None, crate::Transform::IDENTITY)).collect();
    let joint = |node| crate::pose::Joint { node, inverse_bind: glam::DAffine3::IDENTITY };
    let skeleton = crate::pose::Skeleton::new(nodes, (0..3).map(joint).collect()).unwrap();
    let mesh = crate::Mesh::new(positions, triangles).unwrap();
    let model = Model::new(mesh, skin, skeleton).unwrap();
    let shape = Arc::new(Shape::build(model, &BuildOptions::default()).unwrap());
    for small in [0.0, 1e-5, 1e-3, 0.3] {
        let mut pose = shape.model().rest_pose();
        pose.nodes[1].rotation = glam::Quat::from_xyzw(0.6, 0.8, 0.0, small).normalize();
        pose.nodes[2].rotation = glam::Quat::from_xyzw(-0.6, -0.8, 0.0, small).normalize();
        pose.nodes[2].translation = Vec3::new(0.0, 3.0, -1.0);
        compare(&shape, &pose, &format!("{small} from cancelling"));
    }
}
