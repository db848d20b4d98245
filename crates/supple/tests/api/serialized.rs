//! The feature `serde`: plain data goes to JSON and comes back the same; what could not have been made is not read.
//!
//! `cargo test -p supple --features serde --test library api::serialized`

use std::fmt::Debug;
use std::sync::Arc;

use glam::{Quat, Vec3};
use serde::Serialize;
use serde::de::DeserializeOwned;
use supple::{
    Aabb, Answer, Body, BodyContact, BodyContacts, Budget, BuildOptions, Certificates, CollideOptions,
    Distance, Faces, Groups, Isometry, JointId, Motion, NodeId, Past, Plane, Point, PoseHistory, Probe,
    QueryStats, Ray, Scene, SelfFilter, Shape, Skinning, Sphere, Transform, VertexUpdate, VolumeKind,
    cast_ray, cast_rays, closest_point, closest_points, collide, collide_any, collide_with, contact_details,
    locate_point, overlap, pairs_within, ray_hit_details, self_collide, sphere_contacts,
    sphere_plane_contacts, sphere_triangle_contacts, time_of_contact,
};

use crate::subjects::characters::{pose_at, shape_of};
use crate::subjects::random_model::{RestKind, random_model, random_pose};
use crate::subjects::zoo::zoo;

/// Numbers keep all their digits.
fn round_trip<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) {
    let text = serde_json::to_string(value).unwrap();
    let back: T = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
    assert_eq!(&back, value, "{text}");
}

fn refused<T: DeserializeOwned + Debug>(text: &str) -> String {
    serde_json::from_str::<T>(text).unwrap_err().to_string()
}

/// Two men in different poses, one beside the other.
fn men() -> (Arc<Shape>, [Body; 2]) {
    let shape = zoo("man");
    let mut a = Body::new(&shape, Skinning::DualQuaternion).unwrap();
    let mut b = Body::new(&shape, Skinning::Linear).unwrap();
    a.set_pose(&pose_at(shape.model(), 0, 0.2)).unwrap();
    let aside = Isometry::from_translation(Vec3::X * 0.4);
    b.set_pose_at(&pose_at(shape.model(), 0, 0.7), aside).unwrap();
    (shape, [a, b])
}

#[test]
fn poses() {
    for kind in RestKind::ALL {
        let model = random_model(3, kind);
        for seed in 0..20 {
            round_trip(&random_pose(&model, seed, true));
        }
    }
    round_trip(&Transform { scale: Vec3::new(1.0, -2.0, 1e-30), ..Transform::IDENTITY });
    round_trip(&Isometry::from_rotation_translation(Quat::from_rotation_x(0.3), Vec3::new(1e-40, 0.1, 3e17)));
    let shape = shape_of(random_model(1, RestKind::Fields));
    let body = Body::new(&shape, Skinning::Linear).unwrap();
    let mut history = PoseHistory::of_poses(&body, 2).unwrap();
    for tick in 0..2u8 {
        let pose = random_pose(shape.model(), tick.into(), false);
        history.record_pose(tick.into(), &pose, Isometry::IDENTITY).unwrap();
    }
    let (past, placement) = history.at(0.5).unwrap();
    assert!(matches!(past, Past::Pose(_)));
    round_trip(&past);
    round_trip(&placement);
}

#[test]
fn options_and_questions() {
    for skinning in Skinning::ALL {
        round_trip(&skinning);
    }
    for update in VertexUpdate::ALL {
        round_trip(&update);
    }
    round_trip(&(VolumeKind::Box, VolumeKind::Sphere, Faces::Both, Faces::Front));
    round_trip(&BuildOptions::default().with_leaf_size(3).with_collapse(0.25));
    let filter =
        SelfFilter::default().without_creases().with_rings(2).without_joints([JointId(3), JointId(7)]);
    round_trip(&filter.with_certificates(Certificates::Ignored));
    round_trip(&[Groups::ALL, Groups { member: 1, meets: 6 }]);
    round_trip(&(NodeId(7), JointId(8)));
    round_trip(&[Distance::ZERO, Distance::new(0.1).unwrap()]);
    round_trip(&Point::new(Vec3::new(0.1, -0.0, 1e38)).unwrap());
    round_trip(&(Aabb { min: Vec3::NEG_ONE, max: Vec3::ONE }, Sphere::new(Vec3::X, 0.1)));
}

#[test]
fn what_could_not_have_been_made_is_not_read() {
    assert!(
        refused::<Distance>("-0.5").contains("a distance must be a number that is not negative, it is -0.5")
    );
    // Numbers beyond f32 are infinite in f32.
    assert!(refused::<Point>("[0.0, 1e300, 0.0]").contains("a point must be finite"));
    refused::<Skinning>("\"Cubic\"");
}

#[test]
fn answers_of_two_bodies() {
    let (shape, [mut a, mut b]) = men();
    let pairs = collide(&mut a, &mut b);
    assert!(!pairs.found.is_empty() && pairs.stats != QueryStats::default());
    round_trip(&pairs);
    round_trip(&collide_any(&mut a, &mut b));
    let hasty = CollideOptions::default().with_budget(Budget::visits(300));
    let partial = collide_with(&mut a, &mut b, &hasty);
    assert!(!partial.found.open.is_empty());
    round_trip(&partial);
    round_trip(&contact_details(&mut a, &mut b, pairs.found[0]).unwrap());
    round_trip(&closest_points(&mut a, &mut b, Distance::UNLIMITED));
    round_trip(&pairs_within(&mut a, &mut b, Distance::new(0.01).unwrap()));
    round_trip(&sphere_contacts(&mut a, &mut b, [2, 3]));
    round_trip(&sphere_triangle_contacts(&mut a, &mut b, 2));
    round_trip(&sphere_plane_contacts(&mut a, Plane::new(Vec3::Y, 0.3).unwrap(), 3));
    round_trip(&shape.pieces(2));
    let rest = shape.model().rest_pose();
    let at = |x: f32| Isometry::from_translation(Vec3::X * x);
    let still = Motion::of_placement(rest.clone(), at(0.0), at(0.0)).unwrap();
    let near = Motion::of_placement(rest, at(3.0), at(0.0)).unwrap();
    let tolerance = Distance::new(1e-3).unwrap();
    let timed = time_of_contact([&mut a, &mut b], [&still, &near], tolerance).unwrap();
    assert!(timed.found.is_some());
    round_trip(&timed);
}

#[test]
fn answers_of_one_body_and_of_scenes() {
    let (_, [mut a, b]) = men();
    let ray = Ray::new(Vec3::new(0.1, 1.2, 3.0), Vec3::NEG_Z).unwrap();
    let hit = cast_ray(&mut a, ray);
    round_trip(&hit);
    round_trip(&cast_rays(&mut a, &[ray, ray]));
    round_trip(&ray_hit_details(&mut a, hit.found.unwrap()));
    let point = Point::new(Vec3::new(0.3, 1.0, 0.2)).unwrap();
    round_trip(&closest_point(&mut a, point, Distance::UNLIMITED));
    round_trip(&locate_point(&mut a, point).unwrap());
    let probe = Probe::sphere(Vec3::Y, 0.3).unwrap();
    round_trip(&overlap(&mut a, &probe));
    round_trip(&self_collide(&mut a));
    let mut scene = Scene::new();
    let ids = [scene.insert(a, Groups::ALL), scene.insert(b, Groups::ALL)];
    round_trip(&ids);
    let contacts: Answer<Vec<BodyContacts>> = scene.collide();
    assert_eq!(contacts.found.len(), 1);
    round_trip(&contacts);
    let contact: Answer<Vec<BodyContact>> = scene.collide_any();
    round_trip(&contact);
    let seen = scene.cast_ray(ray, Groups::ALL);
    assert!(seen.found.is_some());
    round_trip(&seen);
    round_trip(&scene.overlap(&probe, Groups::ALL));
    round_trip(&scene.closest_point(point, Distance::UNLIMITED, Groups::ALL));
}
