//! Tests of what `skin/influences` keeps to itself.

use super::*;

#[test]
fn normalized_influences_are_taken_as_they_are() {
    let lists = [vec![(0, 0.6), (1, 0.4)], vec![(1, 0.7), (0, 0.1), (2, 0.2)], vec![(0, 0.1), (1, 0.9)]];
    let first = Skin::new(3, lists.iter().map(Vec::as_slice)).unwrap();
    let own = |vertex| first.influences(vertex).map(|(joint, weight)| (joint.0, weight)).collect();
    let stored = (0..3).map(own).collect();
    assert_eq!(Skin::from_normalized(3, stored).unwrap(), first);
    let error = |list: &[(u32, f32)]| Skin::from_normalized(2, vec![list.to_vec()]).unwrap_err();
    assert_eq!(error(&[]), SkinError::NoJoints { vertex: 0 });
    assert_eq!(error(&[(0, 0.5), (1, 0.25)]), SkinError::NotNormalized { vertex: 0, sum: 0.75 });
    assert_eq!(error(&[(1, 0.5), (1, 0.5)]), SkinError::NotNormalized { vertex: 0, sum: 1.0 });
    assert!(matches!(error(&[(2, 1.0)]), SkinError::JointOutOfRange { .. }));
    assert!(matches!(error(&[(0, 1.0), (1, 0.0)]), SkinError::BadWeight { .. }));
    assert!(matches!(error(&[(0, f32::NAN)]), SkinError::BadWeight { .. }));
}
