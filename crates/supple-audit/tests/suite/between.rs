//! Audits between two sets of meshes, against the collision of two bodies.

use std::sync::Arc;

use glam::Vec3;
use supple::{Body, BuildOptions, Isometry, Model, Shape, Skinning, Transform, collide, self_collide};
use supple_audit::{Audit, AuditError, AuditOptions, Class, FrameRecord, audit, audit_with_progress};
use supple_io::{attach, side_by_side};

const FPS: f32 = 4.0;

fn shape(model: Model) -> Arc<Shape> {
    Arc::new(Shape::build(model, &BuildOptions::default()).unwrap())
}

fn between(a: &str, b: &str) -> AuditOptions {
    AuditOptions::default().with_fps(FPS).with_between([vec![a.to_owned()], vec![b.to_owned()]])
}

fn records(shape: &Arc<Shape>, options: &AuditOptions) -> (Audit, Vec<FrameRecord>) {
    let mut records = Vec::new();
    let audit = audit_with_progress(shape, options, |progress| records.extend(progress.records.to_vec()));
    (audit.unwrap(), records)
}

/// Pairs of triangles in a frame.
fn pairs(record: &FrameRecord) -> usize {
    record.contacts.iter().map(|contact| contact.pairs).sum()
}

#[test]
fn two_characters_have_the_pairs_of_two_bodies() {
    let man = supple_zoo::make("man", 0).unwrap();
    let offset = Vec3::new(0.3, 0.0, 0.05);
    let both = side_by_side(&man, &man, &Transform::from_translation(offset)).unwrap().model;
    let both = shape(both);
    let (audit, records) = records(&both, &between("man", "man (2)").with_clips(["walk", "random"]));
    let alone = shape(man.clone());
    let [mut a, mut b] = [(); 2].map(|()| Body::new(&alone, Skinning::Linear).unwrap());
    let (mut count, mut own) = (0, [0; 2]);
    for record in &records {
        let clip = man.clip(&audit.clips[record.clip].name).unwrap();
        let pose = man.sample(clip, record.frame as f64 / f64::from(FPS)).unwrap();
        a.set_pose(&pose).unwrap();
        b.set_pose_at(&pose, Isometry::from_translation(offset)).unwrap();
        let expected = collide(&mut a, &mut b).found.len();
        assert_eq!(pairs(record), expected, "{} {}", record.clip, record.frame);
        count += expected;
        own[record.clip] = own[record.clip].max(2 * self_collide(&mut a).found.len());
    }
    assert!(count > 1000, "{count}");
    let left_out: Vec<usize> = audit.clips.iter().map(|clip| clip.left_out.other_meshes.most_pairs).collect();
    assert_eq!(left_out, own); // both have the same pose
    for event in &audit.events {
        let mut meshes: Vec<_> = event.sides.iter().map(|side| side.mesh.as_deref().unwrap()).collect();
        meshes.sort_unstable();
        assert_eq!(meshes, ["man", "man (2)"]);
    }
}

#[test]
fn the_rest_pose_counts_only_where_it_is_meant_to() {
    let man = supple_zoo::make("man", 0).unwrap();
    let both =
        side_by_side(&man, &man, &Transform::from_translation(Vec3::new(0.25, 0.0, 0.0))).unwrap().model;
    let both = shape(both);
    let options = between("man", "man (2)").with_clips(["walk"]);
    let layered = |options: &AuditOptions| audit(&both, options).unwrap().of_class(Class::Layered).count();
    assert!(layered(&options) > 0);
    assert_eq!(layered(&options.with_rest_compared(false)), 0);
}

#[test]
fn percents_are_of_the_size_that_is_given() {
    let (man, chair) = (supple_zoo::make("man", 0).unwrap(), supple_zoo::make("chair", 0).unwrap());
    let far = Transform::from_translation(Vec3::new(50.0, 0.0, 0.0));
    let both = shape(side_by_side(&man, &chair, &far).unwrap().model);
    let options = between("man", "chair").with_clips(["walk"]);
    assert!(audit(&both, &options).unwrap().size > 49.0);
    assert_eq!(audit(&both, &options.with_size(1.75)).unwrap().size, 1.75);
}

#[test]
fn what_a_hand_carries_goes_into_the_body() {
    let (man, chair) = (supple_zoo::make("man", 0).unwrap(), supple_zoo::make("chair", 0).unwrap());
    let place = Transform::from_translation(Vec3::new(0.0, -0.3, 0.0));
    let armed = shape(attach(&man, &chair, "hand_r", &place).unwrap());
    let audit = audit(&armed, &between("chair", "man").with_clips(["random"])).unwrap();
    assert!(audit.faults().count() > 0);
    let error = supple_audit::audit(&armed, &between("chair", "table")).unwrap_err();
    assert!(matches!(&error, AuditError::UnknownPart { name, .. } if name == "table"), "{error}");
}
