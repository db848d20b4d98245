//! `supple ray`: what it hits is what brute force hits, and its pixels are those of its picture.

use std::fs;

use glam::{Vec2, Vec3};
use serde_json::{Value, json};
use supple::Aabb;
use supple::Model;
use supple::oracle::{PosedMesh, cast_ray_all};
use supple::{Ray, RayHit, Skinning};
use supple_draw::{Camera, SIDE};

use crate::supple::{Run, same_keys, supple, text};

fn ray(arguments: &str) -> Run {
    supple(["ray"].into_iter().chain(arguments.split(' ')))
}

fn ray_json(arguments: &str) -> Value {
    serde_json::from_str(&ray(&format!("{arguments} --json")).ok()).unwrap()
}

fn posed(model: &Model, clip: &str, time: f64, skinning: Skinning) -> Vec<Vec3> {
    let pose = model.sample(model.clip(clip).unwrap(), time).unwrap();
    model.posed(&pose, skinning).unwrap().positions()
}

fn vector(value: &Value) -> Vec3 {
    Vec3::from(serde_json::from_value::<[f32; 3]>(value.clone()).unwrap())
}

/// That the hits of a report are those of brute force, in order, with all that is told of them.
fn same_hits(model: &Model, positions: &[Vec3], ray: &Ray, expected: &[RayHit], report: &Value) {
    let found = report["hits"].as_array().unwrap();
    assert_eq!(found.len(), expected.len(), "{report}");
    for (hit, expected) in found.iter().zip(expected) {
        let corners = model.mesh().triangles()[expected.triangle as usize];
        let mix = |points: &[Vec3]| -> Vec3 {
            (0..3).map(|i| points[corners[i] as usize] * expected.barycentrics[i]).sum()
        };
        assert_eq!((&hit["triangle"], &hit["back"]), (&json!(expected.triangle), &json!(expected.back)));
        assert_eq!(serde_json::from_value::<f32>(hit["time"].clone()).unwrap(), expected.time);
        let distance = hit["distance"].as_f64().unwrap() as f32;
        assert!((distance - expected.time * ray.direction().length()).abs() < 1e-5 * distance.max(1.0));
        assert!((vector(&hit["point"]) - mix(positions)).length() < 1e-5, "{hit}");
        assert!((vector(&hit["point"]) - ray.point_at(expected.time)).length() < 1e-4, "{hit}");
        assert!((vector(&hit["rest_point"]) - mix(model.mesh().positions())).length() < 1e-5, "{hit}");
        let [p, q, r] = corners.map(|v| positions[v as usize]);
        assert!((vector(&hit["normal"]) - (q - p).cross(r - p).normalize()).length() < 1e-4, "{hit}");
        let joints = hit["joints"].as_array().unwrap();
        let sum: f64 = joints.iter().map(|joint| joint["weight"].as_f64().unwrap()).sum();
        assert!((sum - 1.0).abs() < 1e-4, "{hit}");
        for joint in joints {
            let node = model.skeleton().joints()[joint["joint"].as_u64().unwrap() as usize].node;
            assert_eq!(joint["name"], model.skeleton().nodes()[node].name);
        }
    }
}

#[test]
fn hits_are_those_of_brute_force() {
    let man = supple_zoo::make("man", 0).unwrap();
    let mut total = 0;
    for (name, skinning) in [("linear", Skinning::Linear), ("dual", Skinning::DualQuaternion)] {
        let positions = posed(&man, "walk", 0.3, skinning);
        for (from, direction) in [([0.05, 1.2, 5.0], [0.0, 0.0, -2.0]), ([-3.0, 0.4, 0.1], [3.0, 0.1, 0.0])] {
            let ray = Ray::new(from.into(), direction.into()).unwrap();
            let all = cast_ray_all(PosedMesh::new(man.mesh(), &positions), ray);
            let list = |numbers: [f32; 3]| numbers.map(|n| n.to_string()).join(",");
            let arguments = format!(
                "zoo:man --clip walk --time 0.3 --skinning {name} --from {} --direction {}",
                list(from),
                list(direction)
            );
            let report = ray_json(&format!("{arguments} --all"));
            same_hits(&man, &positions, &ray, &all, &report);
            same_hits(&man, &positions, &ray, &all[..all.len().min(1)], &ray_json(&arguments));
            assert_eq!(
                (&report["clip"], &report["time"], &report["skinning"]),
                (&json!("walk"), &json!(0.3), &json!(name))
            );
            total += all.len();
        }
    }
    assert!(total >= 6, "{total}");
}

#[test]
fn pixels_are_those_of_the_picture() {
    let dolphin = supple_zoo::make("dolphin", 0).unwrap();
    let positions = dolphin.posed(&dolphin.rest_pose(), Skinning::Linear).unwrap().positions();
    let bounds = Aabb::from_points(positions.iter().copied());
    let camera = Camera::framing(bounds.min, bounds.max, SIDE);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("hit.png");
    let arguments = "zoo:dolphin --view side --size 200x100 --pixel";
    let report = ray_json(&format!("{arguments} 100,50 --picture {}", text(&file)));
    let (start, direction) = camera.line_of_sight(200, 100, Vec2::new(100.5, 50.5));
    let sight = Ray::new(start, direction).unwrap();
    let all = cast_ray_all(PosedMesh::new(dolphin.mesh(), &positions), sight);
    same_hits(&dolphin, &positions, &sight, &all[..1], &report);
    assert_eq!(report["ray"]["pixel"], json!([100, 50]));
    // The view of 200 x 100 pixels, a gap, and a close-up as high as the view.
    let png = fs::read(&file).unwrap();
    assert!(png.starts_with(b"\x89PNG"));
    let side = |at: usize| u32::from_be_bytes([png[at], png[at + 1], png[at + 2], png[at + 3]]);
    assert_eq!((side(16), side(20)), (200 + 4 + 100, 100));
    let printed = ray(&format!("{arguments} 100,50 --picture {}", text(&file))).ok();
    assert!(printed.contains("through pixel 100,50") && printed.contains("written: "), "{printed}");
    // A corner of the view shows nothing; then there is nothing to look at closely.
    let printed = ray(&format!("{arguments} 0,0 --picture {}", text(&file))).ok();
    assert!(printed.contains("hits nothing"), "{printed}");
    let png = fs::read(&file).unwrap();
    assert_eq!(&png[16..24], [0, 0, 0, 200, 0, 0, 0, 100]);
}

#[test]
fn the_report_reads_well() {
    let report = ray("zoo:man --from 0.01,1.2,5 --direction 0,0,-1 --all").ok();
    for expected in [
        "zoo:man: rest pose, linear skinning",
        "ray from 0.01,1.2,5 along 0,0,-1",
        "2 hits",
        "its front",
        "its back",
        "rest point",
    ] {
        assert!(report.contains(expected), "{expected:?} in\n{report}");
    }
    let joints = report.lines().find(|line| line.trim_start().starts_with("joints")).unwrap();
    assert!(joints.contains("spine") || joints.contains("chest"), "{report}");
    assert!(ray("zoo:man --from 0,9,5 --direction 0,0,-1").ok().contains("hits nothing"));
    assert_eq!(ray_json("zoo:man --from 0,9,5 --direction 0,0,-1")["hits"], json!([]));
}

#[test]
fn texture_coordinates_are_told_where_there_are_some() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("wall.obj");
    fs::write(&file, "v 0 0 0\nv 2 0 0\nv 0 2 0\nvt 0 0\nvt 1 0\nvt 0 1\nf 1/1 2/2 3/3\n").unwrap();
    let report = ray_json(&format!("{} --from 0.5,1,3 --direction 0,0,-1", text(&file)));
    assert_eq!(
        (&report["hits"][0]["uv"], &report["hits"][0]["distance"]),
        (&json!([0.25, 0.5]), &json!(3.0))
    );
    let printed = ray(&format!("{} --from 0.5,1,3 --direction 0,0,-1", text(&file))).ok();
    assert!(printed.contains("uv            0.25,0.5"), "{printed}");
}

#[test]
fn the_json_in_the_help_is_the_json_that_is_printed() {
    let sample: Value = serde_json::from_str(include_str!("../../src/ray/sample.json")).unwrap();
    same_keys("", &sample, &ray_json("zoo:man --from 0,1.2,5 --direction 0,0,-1"));
    assert!(ray("--help").ok().contains("\"rest_point\""));
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("hit.json");
    let printed = ray(&format!("zoo:man --from 0,1.2,5 --direction 0,0,-1 --json {}", text(&file))).ok();
    assert!(printed.contains("triangle"), "{printed}");
    same_keys("", &sample, &serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap());
}

#[test]
fn bad_rays_pixels_and_files_are_errors() {
    for arguments in [
        "zoo:man --from 0,1,5",
        "zoo:man --direction 0,0,1",
        "zoo:man --from 0,1 --direction 0,0,1",
        "zoo:man --from 0,1,inf --direction 0,0,1",
        "zoo:man --from 0,1,5 --direction 0,0,-1 --pixel 1,2",
        "zoo:man --pixel 1",
        "zoo:man --pixel -1,2",
        "zoo:man --pixel 1.5,2",
        "zoo:man --pixel 1,2 --size 640",
        "zoo:man --pixel 1,2 --size 0x0",
        "zoo:man --pixel 1,2 --size 9000x9000",
        "zoo:man --pixel 1,2 --view below",
        "zoo:man --pixel 1,2 --time 1",
        "zoo:man --pixel 1,2 --clip walk --time soon",
        "zoo:man --pixel 1,2 --skinning cubic",
    ] {
        let error = ray(arguments).fails(2);
        assert!(error.contains("--help"), "{arguments}: {error}");
    }
    for (arguments, expected) in [
        ("missing.glb", "--from X,Y,Z with --direction X,Y,Z, or --pixel X,Y"),
        ("zoo:man --from 0,1,5 --direction 0,0,0", "not zero"),
        ("zoo:man --from 1e300,1,5 --direction 0,0,1", "must be finite"),
        ("zoo:man --from 0,1,5 --direction 0,0,1e300", "must be finite"),
        ("zoo:man --pixel 640,0", "whose last pixel is 639,479"),
        ("zoo:man --pixel 0,100 --size 200x100", "outside of the view of 200x100"),
        ("zoo:man --pixel 1,2 --clip fly", "\"fly\""),
        ("zoo:man --pixel 1,2 --picture hit.jpg", "pictures are .png files"),
        ("zoo:man --pixel 1,2 --picture hit.png --json hit.png", "the same file"),
        ("zoo:unicorn --pixel 1,2", "\"unicorn\""),
    ] {
        let error = ray(arguments).fails_in_one_line(2);
        assert!(error.contains(expected), "{arguments}: {error}");
    }
    assert!(ray("missing.glb --pixel 1,2").fails_in_one_line(3).contains("missing.glb"));
    // Told before any file is read.
    for option in ["--json nowhere/x.json", "--picture nowhere/x.png"] {
        let error = ray(&format!("missing.glb --pixel 1,2 {option}")).fails_in_one_line(4);
        assert!(error.contains("cannot be written"), "{error}");
    }
}
