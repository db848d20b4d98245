//! `supple chains`: what it tells, draws and writes is what the library finds.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use glam::{DAffine3, Vec3};
use serde_json::Value;
use supple::Mesh;
use supple::Model;
use supple::Skin;
use supple::pose::{Joint, Node, Skeleton, Transform};
use supple::{Body, BuildOptions, Shape, Skinning};
use supple_chains::{ChainOptions, Grouping, PosedSpheres, Regions, SphereChains, Testing};

use crate::assets::assets;
use crate::supple::{Run, same_keys, supple, text};

fn chains(arguments: &str) -> Run {
    supple(["chains"].into_iter().chain(arguments.split(' ')))
}

fn chains_json(arguments: &str) -> Value {
    serde_json::from_str(&chains(&format!("{arguments} --json -")).ok()).unwrap()
}

fn list(value: &Value) -> &Vec<Value> {
    value.as_array().unwrap()
}

fn fits(report: &str) {
    let wide: Vec<&str> = report.lines().filter(|line| line.chars().count() > 100).collect();
    assert!(wide.is_empty(), "{wide:#?}");
}

fn shape_of(model: Model) -> Arc<Shape> {
    Arc::new(Shape::build(model, &BuildOptions::default()).unwrap())
}

#[test]
fn the_json_is_what_the_library_finds() {
    let json = chains_json("zoo:man --clip random --fps 5 --overlap 0.2 --pivots 8 --skinning dual");
    let shape = shape_of(supple_zoo::make("man", 0).unwrap());
    let model = shape.model();
    let options = ChainOptions::default().with_overlap(0.2).with_pivots(8);
    let own = SphereChains::build(&shape, &Regions::from_rig(model).unwrap(), &options).unwrap();
    assert_eq!(list(&json["spheres"]).len(), own.spheres().len());
    for (told, sphere) in list(&json["spheres"]).iter().zip(own.spheres()) {
        assert_eq!(told["radius"].as_f64().unwrap() as f32, sphere.adjusted.radius);
        assert_eq!(told["triangles"], sphere.triangles.len());
    }
    assert_eq!(list(&json["regions"]).len(), own.regions().len());
    let told: Vec<Vec<u32>> = list(&json["chains"])
        .iter()
        .map(|chain| list(&chain["spheres"]).iter().map(|s| s.as_u64().unwrap() as u32).collect())
        .collect();
    assert_eq!(told, own.chains().iter().map(|chain| chain.spheres.clone()).collect::<Vec<_>>());
    let clip = &json["clips"][0];
    let played = model.clip("random").unwrap();
    assert_eq!(clip["frames"], (played.duration() * 5.0 + 1e-4) as u64 + 1);
    let mut body = Body::new(&shape, Skinning::DualQuaternion).unwrap();
    let (mut pairs, mut in_chains) = (0, 0);
    for frame in 0..clip["frames"].as_u64().unwrap() {
        body.set_pose(&model.sample(played, frame as f64 / 5.0).unwrap()).unwrap();
        let spheres = own.follow(&mut body).unwrap().found;
        let all = own.overlaps(&spheres, Grouping::All, Testing::Scalar).unwrap();
        let regions = own.regions_of(&all.found).len();
        let near =
            list(&clip["region_pairs"]).iter().filter(|pair| list(&pair["frames"]).contains(&frame.into()));
        assert_eq!(near.count(), regions, "frame {frame}");
        let chained = own.overlaps(&spheres, Grouping::Chains, Testing::Scalar).unwrap();
        (pairs, in_chains) = (pairs + all.found.len(), in_chains + chained.found.len());
    }
    assert!(pairs > 0);
    assert_eq!((&clip["pairs"], &clip["pairs_in_chains"]), (&pairs.into(), &in_chains.into()));
}

#[test]
fn the_report_reads_well() {
    let report = chains("zoo:human --frames 12 --fps 2 --check").ok();
    fits(&report);
    assert!(report.starts_with("zoo:human: 26,000 triangles, "), "{report}");
    for part in ["6 regions (from the rig)", "thigh_l", "10 chains from limb to limb", "in frame"] {
        assert!(report.contains(part), "{part} in {report}");
    }
    for clip in ["walk (", "random (", "Beside the exact self-collision"] {
        assert!(report.contains(clip), "{clip} in {report}");
    }
}

#[test]
fn what_spheres_miss_is_a_share_of_all_that_touches() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.json");
    let arguments = "chains zoo:human --clip random --frames 60 --check --json";
    let report = supple(arguments.split(' ').chain([text(&file)])).ok();
    let json: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
    let check = &json["clips"][0]["check"];
    let model = supple_zoo::make("human", 0).unwrap();
    let shape = shape_of(model);
    let (mut body, mut touching) = (Body::new(&shape, Skinning::Linear).unwrap(), 0);
    for frame in 0..60 {
        let clip = shape.model().clip("random").unwrap();
        body.set_pose(&shape.model().sample(clip, f64::from(frame) / 30.0).unwrap()).unwrap();
        touching += supple::self_collide(&mut body).found.len();
    }
    assert_eq!(check["touching"], touching);
    assert!(check["tested"].as_u64().unwrap() < touching as u64, "{check}");
    let share = check["all"]["found"].as_f64().unwrap() / touching as f64;
    let told = check["all"]["recall"].as_f64().unwrap();
    // Reading a number from JSON may round its last bit.
    assert!((told - share).abs() < 1e-15, "{told}");
    assert!(share < 0.5, "{share}");
    let warning = format!("spheres find only {:.0} % of what touches in random", 100.0 * share);
    assert!(report.contains(&warning), "{warning} in {report}");
    assert!(report.contains("random (the first 2.00 of 6.00 s, 60 frames)"), "{report}");
    // Regions that touch while no spheres of theirs overlap have no fullest frame.
    let missed =
        list(&json["clips"][0]["region_pairs"]).iter().filter(|pair| list(&pair["frames"]).is_empty());
    assert!(missed.clone().count() > 0, "{json}");
    for pair in missed {
        assert!(pair["fullest_frame"].is_null() && pair["frames_touching"].as_u64() > Some(0), "{pair}");
    }
}

#[test]
fn overlaps_of_what_never_touches_are_a_warning() {
    let report = chains("zoo:man --clip walk --check").ok();
    let warning = "Warning: nothing that overlaps in walk really touches;";
    assert!(report.contains(warning), "{report}");
}

#[test]
fn the_sample_in_the_help_is_what_is_written() {
    let sample = include_str!("../../src/chains/sample.json");
    let json = chains_json("zoo:hand --clip random --fps 2 --check");
    same_keys("", &serde_json::from_str(sample).unwrap(), &json);
    let help = supple(["chains", "--help"]).ok();
    assert!(help.contains(sample.trim_end()), "{help}");
}

#[test]
fn enclosing_spheres_lose_nothing() {
    let json = chains_json("zoo:creature --clip run --fps 8 --enclosing --check");
    let check = &json["clips"][0]["check"];
    assert!(check["tested"].as_u64().unwrap() > 0, "{check}");
    assert_eq!(check["all"]["found"], check["tested"]);
    // What is left out counts as missed.
    let [found, touching] = [&check["all"]["found"], &check["touching"]].map(|n| n.as_f64().unwrap());
    let told = check["all"]["recall"].as_f64().unwrap();
    assert!((told - found / touching).abs() < 1e-15, "{told}");
    fits(&chains("zoo:creature --clip walk --frames 3 --check --keep-resting").ok());
}

#[test]
fn regions_can_be_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.json");
    let regions = "left arm=upper_arm_l;right arm=upper_arm_r; thigh_l";
    let named = ["chains", "zoo:man", "--regions", regions, "--regions", "leg=thigh_r", "--frames", "2"];
    let report = supple(named.into_iter().chain(["--json", text(&file)])).ok();
    assert!(report.contains("5 regions (as named)") && report.contains("left arm"), "{report}");
    let json: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
    let names: Vec<&str> = list(&json["regions"]).iter().map(|r| r["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["left arm", "right arm", "thigh_l", "leg", "trunk"]);
    assert_eq!(list(&json["chains"]).len(), 6);
    assert_eq!(list(&json["clips"]).len(), supple_zoo::make("man", 0).unwrap().clips().len());
}

#[test]
fn the_meshes_are_where_the_spheres_are() {
    let folder = tempfile::tempdir().unwrap();
    let (file, picture) = (folder.path().join("spheres.glb"), folder.path().join("spheres.png"));
    let arguments = ["chains", "zoo:hand", "--clip", "grasp", "--fps", "4", "--enclosing"];
    let outputs = ["-o", text(&file), "--picture", text(&picture)];
    let report = supple(arguments.into_iter().chain(outputs)).ok();
    assert!(report.contains("spheres.glb") && report.contains("spheres.png"), "{report}");
    let png = fs::read(&picture).unwrap();
    assert!(png.starts_with(b"\x89PNG"));
    // Three panels, and the legend has room of its own beside them.
    let width = u32::from_be_bytes(png[16..20].try_into().unwrap());
    assert!(width > 3 * 560 + 2 * 4 + 40, "{width}");
    let shape = shape_of(supple_zoo::make("hand", 0).unwrap());
    let regions = Regions::from_rig(shape.model()).unwrap();
    let own = SphereChains::build(&shape, &regions, &ChainOptions::default()).unwrap();
    let read = supple_io::load(&file).unwrap();
    let (count, vertices) = (own.spheres().len(), supple_zoo::icosphere(2).0.len());
    assert_eq!((read.parts().len(), read.mesh().positions().len()), (count, count * vertices));
    assert_eq!(read.parts()[0].primitives[0].material, own.regions()[0].name);
    let clip = shape.model().clip("grasp").unwrap();
    let mut body = Body::new(&shape, Skinning::Linear).unwrap();
    let compare = |positions: Vec<Vec3>, spheres: &PosedSpheres| {
        for (number, sphere) in spheres.iter().enumerate() {
            for &p in &positions[number * vertices..(number + 1) * vertices] {
                let off = (p.distance(sphere.center) - sphere.radius).abs();
                assert!(off < 1e-5, "{number}: {p} on {sphere:?}");
            }
        }
    };
    let spheres = own.enclose(&mut body).unwrap().found;
    compare(read.posed(&read.rest_pose(), Skinning::Linear).unwrap().positions(), &spheres);
    assert_eq!(read.clips()[0].name(), "grasp");
    for frame in 0..=(clip.duration() * 4.0) as usize {
        let time = frame as f64 / 4.0;
        body.set_pose(&shape.model().sample(clip, time).unwrap()).unwrap();
        let spheres = own.enclose(&mut body).unwrap().found;
        let pose = read.sample(&read.clips()[0], time).unwrap();
        compare(read.posed(&pose, Skinning::Linear).unwrap().positions(), &spheres);
    }
}

#[test]
fn a_real_walking_man_is_covered() {
    let Some(folder) = assets() else { return };
    let file = folder.join("khronos/CesiumMan.glb");
    let report = supple(["chains", text(&file), "--check", "--fps", "10"]).ok();
    fits(report.split_once('\n').unwrap().1);
    assert!(report.contains("6 regions (from the rig)") && report.contains("10 chains"), "{report}");
    let fox = supple(["chains", text(&folder.join("khronos/Fox.glb")), "--check", "--clip", "0"]).ok();
    assert!(fox.contains("Warning: nothing of what touches in Survey was found;"), "{fox}");
}

/// A model whose vertices follow one joint each; nodes hang from each other in a row, one unit apart along X.
fn row_of_joints(file: &Path, joints: usize, vertices: Vec<(Vec3, u32)>, triangles: Vec<[u32; 3]>) {
    let (positions, followed): (Vec<Vec3>, Vec<[(u32, f32); 1]>) =
        vertices.into_iter().map(|(position, joint)| (position, [(joint, 1.0)])).unzip();
    let skin = Skin::new(joints, followed.iter().map(|joints| &joints[..])).unwrap();
    let node = |number: usize| {
        let rest = Transform::from_translation(if number == 0 { Vec3::ZERO } else { Vec3::X });
        Node::new(format!("joint {number}"), number.checked_sub(1), rest)
    };
    let bind = |number: usize| Joint {
        node: number,
        inverse_bind: DAffine3::from_translation(-glam::DVec3::X * number as f64),
    };
    let skeleton = Skeleton::new((0..joints).map(node).collect(), (0..joints).map(bind).collect()).unwrap();
    let model = Model::new(Mesh::new(positions, triangles).unwrap(), skin, skeleton).unwrap();
    supple_io::write_glb(file, &model).unwrap();
}

/// Two narrow strips of squares along X, one above the other: open on both sides.
fn strips(file: &Path, joints: usize) {
    let of_strip = 2 * (joints + 1);
    let vertex = |number: usize| {
        let (strip, column, row) = (number / of_strip, number % of_strip / 2, number % 2);
        let position = Vec3::new(column as f32, 0.2 * row as f32 - 0.1, 0.6 * strip as f32 - 0.3);
        (position, column.min(joints - 1) as u32)
    };
    let square = |strip: usize, column: usize| {
        let [a, b, c, d] = [0, 1, 2, 3].map(|corner| (strip * of_strip + 2 * column + corner) as u32);
        [[a, c, b], [b, c, d]]
    };
    let squares = (0..2).flat_map(|strip| (0..joints).flat_map(move |column| square(strip, column)));
    row_of_joints(file, joints, (0..2 * of_strip).map(vertex).collect(), squares.collect());
}

#[test]
fn what_cannot_be_covered_is_refused_with_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    let open = folder.path().join("open.glb");
    strips(&open, 5);
    let error = supple(["chains", text(&open)]).fails_in_one_line(3);
    assert!(error.contains("open.glb") && error.contains("the surface is open there"), "{error}");
    let hinge = folder.path().join("hinge.glb");
    strips(&hinge, 2);
    let error = supple(["chains", text(&hinge)]).fails_in_one_line(3);
    assert!(error.contains("hinge.glb: the rig has no limbs"), "{error}");
    let error = chains("zoo:chair").fails_in_one_line(3);
    assert!(error.contains("zoo:chair: the model has no rig") && error.contains("name regions"), "{error}");
    for (arguments, expected) in [
        ("--regions arm=wing", "region 'arm' names the joint 'wing'"),
        ("--regions arm=thumb_1;arm=index_1", "two regions are called 'arm'"),
        ("--clip swim", "\"swim\""),
        ("-o spheres.obj", "expected .glb"),
        ("--picture spheres.jpg", "pictures are .png files"),
        ("--fps 1e9", "too many"),
    ] {
        let error = chains(&format!("zoo:hand {arguments}")).fails_in_one_line(2);
        assert!(error.contains(expected), "{arguments}: {error}");
    }
    for (arguments, expected) in [
        ("--regions =", "expected NAME=JOINT"),
        ("--frames 0", "100000"),
        ("--rays x", "8 to 4096"),
        ("--rays 7", "8 to 4096"),
        ("--step 0", "0.0001 to 0.5"),
        ("--step nan", "0.0001 to 0.5"),
        ("--overlap 0.95", "0 to 0.9"),
        ("--overlap -1", "0 to 0.9"),
        ("--spheres-per-level 0", "1 to 64"),
        ("--pivots 0", "1 to 1024"),
        ("--fps 0", "greater than 0"),
        ("--regions arm=", "expected NAME=JOINT"),
    ] {
        // Before anything is read.
        let error = chains(&format!("missing.glb {arguments}")).fails(2);
        assert!(error.contains("--help") && error.contains(expected), "{arguments}: {error}");
    }
    let nowhere = folder.path().join("nowhere/a.glb");
    let error = supple(["chains", "zoo:hand", "-o", text(&nowhere)]).fails_in_one_line(4);
    assert!(error.contains("a.glb: cannot be written"), "{error}");
    let same = folder.path().join("same.glb");
    let error = supple(["chains", "zoo:hand", "-o", text(&same), "--json", text(&same)]).fails_in_one_line(2);
    assert!(error.contains("same file"), "{error}");
}

#[test]
fn spheres_that_fit_badly_are_a_warning() {
    let folder = tempfile::tempdir().unwrap();
    let (file, picture) = (folder.path().join("a.json"), folder.path().join("a.png"));
    let arguments =
        ["chains", "zoo:creature", "--frames", "2", "--json", text(&file), "--picture", text(&picture)];
    let report = supple(arguments).ok();
    for wing in ["wing_1_l", "wing_1_r"] {
        let warning = format!("Warning: the spheres do not fit {wing};");
        assert_eq!(report.matches(&warning).count(), 1, "{report}");
    }
    assert!(report.contains(" % of its surface sticks out and "), "{report}");
    assert!(report.contains(" % is too wide: answers about it mean little.\n"), "{report}");
    let json: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
    let bad: Vec<&str> = list(&json["regions"])
        .iter()
        .filter(|region| region["fit"]["is_bad"] == true)
        .map(|region| region["name"].as_str().unwrap())
        .collect();
    assert_eq!(bad, ["wing_1_l", "wing_1_r"]);
    assert_eq!(list(&json["warnings"]).len(), 2);
    let human = supple(["chains", "zoo:human", "--frames", "2"]).ok();
    assert!(!human.contains("Warning") && !human.contains("bad fit"), "{human}");
}
