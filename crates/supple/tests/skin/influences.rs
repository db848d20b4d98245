//! Influences of joints: added up, divided by their sum, sorted; and what is refused.

use supple::skin::SkinError;
use supple::{JointId, Skin};

fn skin(joints: usize, lists: &[&[(u32, f32)]]) -> Result<Skin, SkinError> {
    Skin::new(joints, lists.iter().copied())
}

#[test]
fn repeated_joints_add_up_and_zeros_go() {
    let skin = skin(4, &[&[(3, 1.0), (1, 2.0), (3, 1.0), (2, 0.0), (99, 0.0)]]).unwrap();
    assert_eq!(skin.influences(0).collect::<Vec<_>>(), [(JointId(1), 0.5), (JointId(3), 0.5)]);
}

#[test]
fn no_weight_at_all_follows_the_first_joint() {
    let skin = skin(4, &[&[(2, 0.0), (1, 0.0)]]).unwrap();
    assert_eq!(skin.influences(0).collect::<Vec<_>>(), [(JointId(2), 1.0)]);
}

#[test]
fn the_heaviest_joint_of_a_set_comes_first_for_all_its_vertices() {
    let skin = skin(2, &[&[(0, 0.6), (1, 0.4)], &[(0, 0.1), (1, 0.9)]]).unwrap();
    assert_eq!(skin.joint_set_count(), 1);
    assert_eq!(skin.joint_set(0), [1, 0]);
    assert_eq!(skin.influences(0).collect::<Vec<_>>(), [(JointId(1), 0.4), (JointId(0), 0.6)]);
}

#[test]
fn huge_weights_are_weights() {
    let skin = skin(2, &[&[(0, 3e38), (0, 3e38), (1, 3e38)]]).unwrap();
    assert_eq!(skin.influences(0).map(|(j, _)| j).collect::<Vec<_>>(), [JointId(0), JointId(1)]);
    let many: Vec<(u32, f32)> = (0..300).map(|j| (j, 1.0)).collect();
    let error = Skin::new(300, [&many[..]]).unwrap_err();
    assert_eq!(error, SkinError::TooManyJoints { vertex: 0, joints: 300 });
}

#[test]
fn bad_influences_are_errors_with_a_place() {
    let error = skin(2, &[&[(0, 1.0)], &[(2, 0.5)]]).unwrap_err();
    assert_eq!(error.to_string(), "vertex 1 has weight 0.5 on joint 2, but there are only 2 joints");
    assert_eq!(skin(2, &[&[]]).unwrap_err(), SkinError::NoJoints { vertex: 0 });
    assert!(matches!(skin(2, &[&[(0, -1.0)]]), Err(SkinError::BadWeight { .. })));
    assert!(matches!(skin(2, &[&[(0, f32::NAN)]]), Err(SkinError::BadWeight { .. })));
}
