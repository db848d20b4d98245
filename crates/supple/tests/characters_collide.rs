//! Characters of the zoo and of real files: bounds obey their law, and collisions equal brute force, pair by pair.

#[path = "../../supple-io/tests/assets/mod.rs"]
mod assets;

use std::sync::Arc;

use glam::{DVec3, Vec3};
use supple::math::{Aabb, Isometry};
use supple::model::Model;
use supple::oracle::touching_pairs;
use supple::pose::Pose;
use supple::refit::{VolumeKind, violations};
use supple::{Body, BuildOptions, Shape, Skinning, collide, first_contact};

/// The pose of a clip, or of made-up coefficients where a model has no clips.
fn pose_at(model: &Model, clip: usize, time: f64) -> Pose {
    let mut pose = model.rest_pose();
    if let Some(clip) = model.clips().get(clip) {
        clip.sample_looped(time, &mut pose).unwrap();
    } else {
        for (i, coefficient) in pose.coefficients.iter_mut().enumerate() {
            *coefficient = ((i as f64 + time) * 1.7).sin().abs() as f32;
        }
    }
    pose
}

fn assert_law(body: &mut Body, name: &str) {
    for volume in [VolumeKind::Box, VolumeKind::Ball] {
        let found = violations(body, volume);
        assert!(
            found.is_empty(),
            "{name} {volume:?} {:?}: {:?}",
            body.skinning(),
            &found[..found.len().min(5)]
        );
    }
}

fn assert_exact(a: &mut Body, b: &mut Body, name: &str) -> usize {
    let (positions_a, positions_b) = (a.positions(), b.positions());
    let (model_a, model_b) = (Arc::clone(a.shape().model()), Arc::clone(b.shape().model()));
    let expected = touching_pairs((model_a.mesh(), &positions_a), (model_b.mesh(), &positions_b));
    assert_eq!(collide(a, b).pairs, expected, "{name}");
    let first = first_contact(a, b).0;
    assert_eq!(first.is_some(), !expected.is_empty(), "{name}");
    expected.len()
}

/// Two copies of a character in different poses, one beside the other by shares of its width.
fn check_character(name: &str, model: Model, shares: &[f64]) -> usize {
    let model = Arc::new(model);
    let shape = Arc::new(Shape::build(Arc::clone(&model), &BuildOptions::default()).unwrap());
    let mut pairs = 0;
    for (i, skinning_a) in Skinning::ALL.into_iter().enumerate() {
        let skinning_b = Skinning::ALL[(i + 1) % 3];
        let (mut a, mut b) = (Body::new(&shape, skinning_a).unwrap(), Body::new(&shape, skinning_b).unwrap());
        for (k, share) in shares.iter().enumerate() {
            a.set_pose_and_place(&pose_at(&model, k, 0.2 + k as f64 * 0.31), Isometry::IDENTITY).unwrap();
            let bounds = Aabb::from_points(a.positions());
            let aside = DVec3::from((bounds.max - bounds.min) * Vec3::X) * *share;
            b.set_pose_and_place(&pose_at(&model, 0, 0.5), Isometry::from_translation(aside)).unwrap();
            assert_law(&mut a, name);
            assert_law(&mut b, name);
            pairs += assert_exact(&mut a, &mut b, &format!("{name} {skinning_a:?} {skinning_b:?} {share}"));
        }
    }
    pairs
}

#[test]
fn the_whole_zoo() {
    for kind in supple_zoo::kinds() {
        let pairs = check_character(kind.name, supple_zoo::make(kind.name, 0).unwrap(), &[0.3]);
        assert!(pairs > 0, "{} meets itself", kind.name);
    }
}

#[test]
fn different_animals_meet() {
    let bodies: Vec<(&str, Body)> = ["man", "dwarf", "blob", "dolphin", "hand"]
        .into_iter()
        .zip(Skinning::ALL.into_iter().cycle())
        .map(|(name, skinning)| {
            let model = Arc::new(supple_zoo::make(name, 0).unwrap());
            let shape = Arc::new(Shape::build(Arc::clone(&model), &BuildOptions::default()).unwrap());
            let mut body = Body::new(&shape, skinning).unwrap();
            // All of them about the same place, so that everybody meets everybody.
            let centre = Aabb::from_points(body.positions()).center();
            let place = Isometry::from_translation(Vec3::new(0.05, 0.02, 0.03) - centre);
            body.set_pose_and_place(&pose_at(&model, 0, 0.3), place).unwrap();
            (name, body)
        })
        .collect();
    let mut pairs = 0;
    for (i, (name_a, a)) in bodies.iter().enumerate() {
        for (name_b, b) in &bodies[i + 1..] {
            pairs += assert_exact(&mut a.clone(), &mut b.clone(), &format!("{name_a} and {name_b}"));
        }
    }
    assert!(pairs > 100, "they meet: {pairs}");
}

#[test]
fn real_files() {
    let Some(folder) = assets::assets() else { return };
    // Skins of every kind: plain, scaled, morphed, mirrored, many influences, many skins, duplicate triangles.
    for file in [
        "khronos/CesiumMan.glb",
        "khronos/Fox.glb",
        "khronos/RiggedFigure.glb",
        "khronos/SimpleSkin.gltf",
        "khronos/SimpleMorph.gltf",
        "khronos/MorphStressTest.glb",
        "khronos/AnimatedMorphCube-Quantized.glb",
        "godot/player.glb",
        "hands/aframe_leftHandHigh.glb",
        "quaternius/RobotExpressive.glb",
        "rocketbox/rocketbox_Male_Adult_01.glb",
        "vrm/100Avatars_013_Mint.vrm",
        "babylon/bars.glb",
        "momentum/test_24fps.glb",
        "momentum/blender_simple_armature.glb",
        "kaykit/Knight.glb",
    ] {
        let model = supple_io::load(folder.join(file)).unwrap();
        let pairs = check_character(file, model, &[0.25]);
        println!("{file}: {pairs} pairs");
    }
}

/// The large ones: the law, and one collision each.
#[test]
fn large_real_files() {
    let Some(folder) = assets::assets() else { return };
    for file in [
        "makehuman/makehuman_default163.glb",
        "babylon/Yeti.glb",
        "godot/mannequiny.glb",
        "ict/ict_face_head.glb",
    ] {
        let model = Arc::new(supple_io::load(folder.join(file)).unwrap());
        let shape = Arc::new(Shape::build(Arc::clone(&model), &BuildOptions::default()).unwrap());
        for skinning in Skinning::ALL {
            let mut body = Body::new(&shape, skinning).unwrap();
            body.set_pose(&pose_at(&model, 0, 0.7)).unwrap();
            assert_law(&mut body, file);
        }
        let (mut a, mut b) = (
            Body::new(&shape, Skinning::DualQuaternion).unwrap(),
            Body::new(&shape, Skinning::Linear).unwrap(),
        );
        a.set_pose(&pose_at(&model, 0, 0.4)).unwrap();
        let width = {
            let all = Aabb::from_points(a.positions());
            all.max.x - all.min.x
        };
        b.place(Isometry::from_translation(Vec3::X * width * 0.4)).unwrap();
        assert_exact(&mut a, &mut b, file);
    }
}
