//! Skeletons: order of nodes, what is refused, matrices that are no transforms.

use glam::{DAffine3, Quat, Vec3};
use supple::Isometry;
use supple::pose::{Joint, Node, Pose, Skeleton, SkeletonError, Transform};

fn joint(node: usize) -> Joint {
    Joint { node, inverse_bind: DAffine3::IDENTITY }
}

fn node(parent: Option<usize>) -> Node {
    Node::new("n", parent, Transform::from_translation(Vec3::X))
}

#[test]
fn children_may_come_before_parents() {
    let nodes = vec![node(Some(2)), node(Some(0)), node(None)];
    let skeleton = Skeleton::new(nodes, vec![joint(1)]).unwrap();
    let pose = Pose { nodes: vec![Transform::from_translation(Vec3::X); 3], coefficients: vec![] };
    let matrices = skeleton.joint_matrices(&pose, Isometry::IDENTITY).unwrap();
    assert_eq!(Vec3::from(matrices[0].translation), Vec3::new(3.0, 0.0, 0.0));
}

#[test]
fn cycles_and_bad_indices_are_errors() {
    let cyclic = vec![node(None), node(Some(2)), node(Some(1))];
    assert!(matches!(Skeleton::new(cyclic, vec![joint(0)]), Err(SkeletonError::Cycle { .. })));
    let error = Skeleton::new(vec![node(Some(7))], vec![joint(0)]).unwrap_err();
    assert_eq!(error.to_string(), "node 0 has parent 7, but there are only 1 nodes");
    let error = Skeleton::new(vec![node(None)], vec![joint(3)]).unwrap_err();
    assert_eq!(error.to_string(), "joint 0 refers to node 3, but there are only 1 nodes");
}

#[test]
fn sheared_matrices_survive_as_offsets() {
    let shear = DAffine3::from_cols_array(&[1., 0., 0., 0.5, 1., 0., 0., 0., 1., 1., 2., 3.]);
    let sheared = Node::from_matrix("sheared", None, shear);
    assert_eq!(sheared.offset, Some(shear));
    let plain = Transform {
        translation: Vec3::new(1.0, 2.0, 3.0),
        rotation: Quat::from_rotation_y(0.3),
        scale: Vec3::new(1.0, -2.0, 0.5),
    };
    assert_eq!(Node::from_matrix("plain", None, plain.matrix()).offset, None);
}
