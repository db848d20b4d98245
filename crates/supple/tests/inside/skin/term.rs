//! Tests of what `skin/term` keeps to itself.

use super::*;

#[test]
fn weights_lie_in_the_simplex() {
    let group: [[f32; 3]; 4] = [[0.5, 0.3, 0.2], [0.6, 0.2, 0.2], [0.45, 0.35, 0.2], [0.5, 0.25, 0.25]];
    let range = OwnedWeightRange::around(3, group.iter().map(|w| &w[..]));
    for weights in &group {
        // w = base + spread u with convex u.
        let u: Vec<f32> = weights.iter().zip(&range.base).map(|(w, b)| (w - b) / range.spread).collect();
        assert!(u.iter().all(|&u| u > -1e-5), "{range:?} {u:?}");
        assert!((u.iter().sum::<f32>() - 1.0).abs() < 1e-5);
    }
    assert_eq!(range.products.len(), 3);
    assert_eq!(range.products[0], [0.6 * 0.2, 0.45 * 0.35]);
}

#[test]
fn two_joints_keep_their_interval() {
    let group = [[0.25f32, 0.75], [0.5, 0.5]];
    let range = OwnedWeightRange::around(2, group.iter().map(|w| &w[..]));
    assert_eq!((range.base.as_slice(), range.spread), ([0.25, 0.5].as_slice(), 0.25));
}
