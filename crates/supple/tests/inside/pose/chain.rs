//! Tests of what `pose/chain` keeps to itself.

use super::*;
use glam::{Quat, Vec3};

#[test]
fn products_agree_with_glam() {
    let transform = |angle: f32| Transform {
        translation: Vec3::new(1.0, -2.0, angle),
        rotation: Quat::from_rotation_y(angle) * Quat::from_rotation_x(2.0 * angle) * 1.001,
        scale: Vec3::new(1.0, angle, -0.5),
    };
    for i in 1..50 {
        let (a, b) = (transform(i as f32 * 0.3), transform(i as f32 * -0.7));
        let expected = a.matrix() * b.matrix();
        let found = times(&local(&a), &local(&b));
        let expected = columns(&expected);
        let difference = found.as_flattened().iter().zip(expected.as_flattened());
        assert!(difference.map(|(x, y)| (x - y).abs()).fold(0.0, f64::max) < 1e-12);
    }
    let still = Transform { rotation: Quat::from_xyzw(0.0, 0.0, 0.0, 0.0), ..Transform::IDENTITY };
    assert_eq!(local(&still), columns(&DAffine3::IDENTITY));
}
