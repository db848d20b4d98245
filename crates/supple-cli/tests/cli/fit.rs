//! `supple fit`: sequences of all kinds become skins that play what they were made of.

use std::fs;
use std::path::{Path, PathBuf};

use glam::Vec3;
use supple::Model;
use supple::Skinning;

use crate::supple::{supple, text};

/// Runs `supple fit INPUT ARGUMENTS -o OUT` and returns what it says.
fn fit(input: &str, arguments: &str, output: &Path) -> String {
    let words = arguments.split(' ').filter(|word| !word.is_empty());
    supple(["fit", input].into_iter().chain(words).chain(["-o", text(output)])).ok()
}

fn deform(arguments: &str, output: &Path) {
    supple(["deform"].into_iter().chain(arguments.split(' ')).chain(["-o", text(output)])).ok();
}

/// A triangle strip of six vertices, moved.
fn strip(folder: &Path, frame: usize, moved: impl Fn(Vec3) -> Vec3) -> PathBuf {
    let file = folder.join(format!("strip_{frame}.obj"));
    let positions: Vec<Vec3> =
        (0..6).map(|v| moved(Vec3::new((v / 2) as f32, (v % 2) as f32, 0.0))).collect();
    let triangles = [[0, 2, 1], [1, 2, 3], [2, 4, 3], [3, 4, 5]];
    supple_io::write_obj(&file, &positions, &triangles, None, None).unwrap();
    file
}

/// `100 |exact - fitted| / |exact - average|`, written down once more.
fn distortion(exact: &[Vec<Vec3>], fitted: &[Vec<Vec3>]) -> f64 {
    let squares = |a: &[Vec3], b: &[Vec3]| -> f64 {
        a.iter().zip(b).map(|(a, b)| a.as_dvec3().distance_squared(b.as_dvec3())).sum()
    };
    let average: Vec<Vec3> =
        (0..exact[0].len()).map(|v| exact.iter().map(|f| f[v]).sum::<Vec3>() / exact.len() as f32).collect();
    let error: f64 = exact.iter().zip(fitted).map(|(a, b)| squares(a, b)).sum();
    let motion: f64 = exact.iter().map(|frame| squares(frame, &average)).sum();
    100.0 * (error / motion).sqrt()
}

fn played(model: &Model, frames: usize, fps: f64, skinning: Skinning) -> Vec<Vec<Vec3>> {
    let frame = |frame: usize| {
        let pose = model.sample(&model.clips()[0], frame as f64 / fps).unwrap();
        model.posed(&pose, skinning).unwrap().positions()
    };
    (0..frames).map(frame).collect()
}

/// The percentage behind a word.
fn percent_after(said: &str, word: &str) -> f64 {
    let line = said.lines().find(|line| line.contains(word)).unwrap_or_else(|| panic!("{word} in {said}"));
    let before = line[line.find(word).unwrap()..].split(" %").next().unwrap();
    before.split_whitespace().last().unwrap().parse().unwrap()
}

#[test]
fn all_kinds_of_sequences_give_the_same_skin() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("frames")).unwrap();
    let clip = "zoo:dolphin --clip 0 --fps 12";
    for cache in ["a.pc2", "a.mdd"] {
        deform(clip, &at(cache));
    }
    let count = supple_io::read_mdd(at("a.mdd")).unwrap().frames.len();
    deform(&format!("{clip} --frames {count}"), &at("frames/a.obj"));
    deform("zoo:dolphin", &at("rest.obj"));
    let rest = format!("--rest {}", text(&at("rest.obj")));
    let output = at("fitted.glb");
    let fitted = |input: &str, arguments: &str| {
        let said = fit(input, &format!("{arguments} --joints 12 --corrections 2"), &output);
        assert!(said.contains(&format!("284 vertices, 564 triangles, {count} frames")), "{said}");
        supple_io::load(&output).unwrap()
    };
    let expected = fitted("zoo:dolphin", "--fps 12");
    let (pc2, mdd) = (at("a.pc2"), at("a.mdd"));
    let (frames, pattern) = (at("frames"), at("frames/a_####.obj"));
    for (input, rate) in [(&pc2, " --fps 12"), (&mdd, ""), (&frames, " --fps 12"), (&pattern, " --fps 12")] {
        assert_same_skin(&fitted(text(input), &format!("{rest}{rate}")), &expected, text(input));
    }
}

/// But for times, which PC2 counts in frames, and normals, which are made unit length once more.
fn assert_same_skin(found: &Model, expected: &Model, what: &str) {
    assert_eq!(found.mesh().positions(), expected.mesh().positions(), "{what}");
    assert_eq!(found.mesh().triangles(), expected.mesh().triangles(), "{what}");
    assert!(found.skin() == expected.skin() && found.skeleton() == expected.skeleton(), "{what}");
    assert!(found.rest() == expected.rest(), "{what}");
    let channels = |model: &Model| model.clips()[0].channels().to_vec();
    assert_eq!(channels(found).len(), channels(expected).len(), "{what}");
    for (a, b) in channels(found).iter().zip(channels(expected)) {
        assert!(a.target == b.target && a.values == b.values, "{what}: {:?}", a.target);
        assert!(a.times.iter().zip(&b.times).all(|(a, b)| (a - b).abs() < 1e-6), "{what}");
    }
}

#[test]
fn the_file_plays_what_was_fitted_with_the_error_that_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("curtain.glb");
    let zoo = supple_zoo::make("curtain", 0).unwrap();
    let frames = (zoo.clips()[0].duration() * 6.0 + 1e-4) as usize + 1;
    let exact = played(&zoo, frames, 6.0, Skinning::Linear);
    for (name, skinning) in [("dual", Skinning::DualQuaternion), ("linear", Skinning::Linear)] {
        let said =
            fit("zoo:curtain", &format!("--fps 6 --joints 40 --corrections 3 --skinning {name}"), &file);
        assert!(said.contains("40 joints") && said.contains("3 corrections"), "{said}");
        assert!(said.contains("read back: the same in every frame"), "{said}");
        assert!(said.contains("  the file holds more than these: triangles, times, names\n"), "{said}");
        assert!(!said.contains("in every frame up to ") || said.contains(" units of the file"), "{said}");
        let read = supple_io::load(&file).unwrap();
        assert_eq!(read.mesh().triangles(), zoo.mesh().triangles());
        let error = distortion(&exact, &played(&read, frames, 6.0, skinning));
        let told = percent_after(&said, " all ");
        assert!((error - told).abs() < 0.006 * told, "{error}: {said}");
        assert!(told < percent_after(&said, "without corrections:"), "{said}");
        if skinning != Skinning::Linear {
            let linear = distortion(&exact, &played(&read, frames, 6.0, Skinning::Linear));
            let told = percent_after(&said, "blend matrices");
            assert!((linear - told).abs() < 0.006 * told, "{linear}: {said}");
        }
    }
}

#[test]
fn what_is_made_by_default_is_what_players_show() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("curtain.glb");
    let said = fit("zoo:curtain", "--fps 6 --joints 40", &file);
    assert!(said.contains("linear skinning, 4 per vertex at most"), "{said}");
    assert!(!said.contains("blend matrices") && !said.contains("not every tool"), "{said}");
    assert_eq!(supple_io::load(&file).unwrap().skin().max_influences(), 4);
    let said = fit("zoo:curtain", "--fps 6 --joints 40 --influences 9 --skinning dual", &file);
    assert!(said.contains("blend matrices") && said.contains("not every tool"), "{said}");
    assert!(supple_io::load(&file).unwrap().skin().max_influences() > 4);
}

#[test]
fn corrections_are_added_until_the_error_is_small_enough() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.glb");
    let options = "--fps 6 --joints 30 --reach 1.8 --geodesic --adaptive --least-squares --error";
    let loose = fit("zoo:curtain", &format!("{options} 50"), &file);
    assert!(loose.contains("0 corrections") && !loose.contains("without corrections"), "{loose}");
    let tight = fit("zoo:curtain", &format!("{options} 0.2%"), &file);
    assert!(percent_after(&tight, " all ") <= 0.2, "{tight}");
    assert!(percent_after(&tight, "without corrections:") > 0.2, "{tight}");
}

#[test]
fn a_fitted_cloth_collides_exactly() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("flag.glb");
    let said = fit("cloth:flag", "--joints 30 --corrections 4", &file);
    assert!(said.contains("6,882 vertices") && said.contains("200 frames"), "{said}");
    for skinning in ["dual", "linear"] {
        let words = format!(
            "--skinning-a {skinning} --clip-a 0 --clip-b walk --offset-b 0.7,-0.8,0 --frames 3 --fps 2 --check"
        );
        let run = supple(["collide", text(&file), "zoo:man"].into_iter().chain(words.split(' ')));
        let said = run.ok();
        assert!(said.contains("brute force"), "{said}");
        assert!(!said.contains(" 0 pairs"), "{said}");
    }
}

#[test]
fn degenerate_sequences_have_right_answers() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.glb");
    let made = |name: &str, moved: &dyn Fn(usize, Vec3) -> Vec3| {
        let folder = folder.path().join(name);
        fs::create_dir(&folder).unwrap();
        for frame in 0..4 {
            strip(&folder, frame, |p| moved(frame, p));
        }
        fit(text(&folder), "", &file)
    };
    let still = made("still", &|_, p| p);
    assert!(still.contains("6 joints") && percent_after(&still, " all ") < 1e-3, "{still}");
    let moving = made("moving", &|frame, p| p + Vec3::Z * frame as f32);
    assert!(percent_after(&moving, " all ") < 1e-3, "{moving}");
    let point = made("point", &|frame, _| Vec3::splat(frame as f32));
    assert!(point.contains("1 joint,") && percent_after(&point, " all ") < 1e-3, "{point}");
    let doubled = made("doubled", &|frame, p| Vec3::new(p.x, 0.0, p.x * p.x * frame as f32 * 0.1));
    assert!(doubled.contains("3 joints"), "{doubled}");
}

#[test]
fn what_cannot_be_fitted_is_refused_with_a_place() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let refused = |arguments: &[&str], code: i32| {
        supple(["fit", "-o", text(&at("out.glb"))].iter().chain(arguments)).fails_in_one_line(code)
    };
    fs::create_dir(at("frames")).unwrap();
    let first = strip(&at("frames"), 0, |p| p);
    let error = refused(&[text(&at("frames"))], 3);
    assert!(error.contains("frames: one frame is no animation"), "{error}");
    let error = refused(&[text(&first)], 3);
    assert!(error.contains("strip_0.obj: the model has no clips") && error.contains("####"), "{error}");
    let triangles = [[0, 2, 1], [1, 3, 2], [2, 4, 3], [3, 4, 5]];
    let positions: Vec<Vec3> = (0..6).map(|v| Vec3::splat(v as f32)).collect();
    supple_io::write_obj(at("frames/strip_1.obj"), &positions, &triangles, None, None).unwrap();
    let error = refused(&[text(&at("frames"))], 3);
    assert!(error.contains("strip_1.obj: triangle 1"), "{error}");
    supple_io::write_obj(at("frames/strip_1.obj"), &positions[..5], &triangles[..1], None, None).unwrap();
    let error = refused(&[text(&at("frames/strip_#.obj"))], 3);
    assert!(error.contains("strip_1.obj") && error.contains("5 vertices"), "{error}");
    deform("zoo:dolphin --clip 0 --fps 4", &at("a.mdd"));
    let error = refused(&[text(&at("a.mdd"))], 2);
    assert!(error.contains("--rest names the file of its mesh"), "{error}");
    let error = refused(&[text(&at("a.mdd")), "--rest", text(&first)], 3);
    assert!(error.contains("strip_0.obj: has 6 vertices") && error.contains("284 vertices"), "{error}");
    let error = refused(&[text(&at("a.mdd")), "--rest", text(&first), "--fps", "3"], 2);
    assert!(error.contains("times of their own"), "{error}");
    let error = refused(&["zoo:dolphin", "--rest", text(&first)], 3);
    assert!(error.contains("strip_0.obj: has 6 vertices, zoo:dolphin has 284 vertices"), "{error}");
    let error = refused(&["missing.pc2", "--rest", text(&first)], 3);
    assert!(error.contains("missing.pc2"), "{error}");
    assert!(!at("out.glb").exists(), "nothing is written where nothing was fitted");
    let nowhere = at("nowhere/out.glb");
    let error = supple(["fit", "zoo:dolphin", "-o", text(&nowhere)]).fails_in_one_line(4);
    assert!(error.contains("out.glb: cannot be written"), "{error}");
}
