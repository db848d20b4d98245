//! Spheres: touching counts.

use glam::Vec3;
use supple::Sphere;

#[test]
fn touching_counts() {
    let sphere = Sphere::new(Vec3::X, 2.0);
    assert!(sphere.contains(Vec3::new(3.0, 0.0, 0.0)));
    assert!(!sphere.contains(Vec3::new(3.0f32.next_up(), 0.0, 0.0)));
    assert!(sphere.contains_sphere(&Sphere::new(Vec3::new(2.5, 0.0, 0.0), 0.5)));
    assert!(!sphere.contains_sphere(&Sphere::new(Vec3::new(2.5, 0.0, 0.0), 0.5f32.next_up())));
    assert!(sphere.intersects(&Sphere::new(Vec3::new(4.0, 0.0, 0.0), 1.0)));
    assert!(!sphere.intersects(&Sphere::new(Vec3::new(4.0, 0.0, 0.0), 0.999)));
}
