//! Deformed vertices against Blender: files by its own FBX exporter, under several settings.
//!
//! `blender/export.py` writes the files and where Blender puts their vertices. It needs a Python with the module `bpy`,
//! which `SUPPLE_BLENDER` names; without it the test says that it was skipped.
#![cfg(feature = "fbx")]

mod assets;
mod fbx_files;

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use glam::Vec3;
use serde::Deserialize;
use supple::{Model, Pose, Skinning};

/// Of the model's size; the largest that was measured is 1.3e-6. An FBX holds animated angles in degrees, lengths and scales as
/// f32, Blender multiplies matrices and weights in f32, and a clip's keys are f32: half a unit in the last place is 6e-8, and adds
/// up along some twenty bones.
const TOLERANCE: f32 = 2e-6;

#[derive(Deserialize)]
struct Case {
    /// The exporter's setting.
    scale: f32,
    /// Without animation.
    still: bool,
    original: Vec<BlenderClip>,
    imported: Vec<BlenderClip>,
}

#[derive(Deserialize)]
struct BlenderClip {
    name: Option<String>,
    frames: Vec<Frame>,
}

#[derive(Deserialize)]
struct Frame {
    time: f64,
    /// Flat positions by the name of the object.
    meshes: BTreeMap<String, Vec<f32>>,
}

#[test]
fn vertices_are_where_blender_has_them() {
    let Some(folder) = exported() else { return };
    let mut frames = 0;
    for file in sorted_files(&folder) {
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        let case: Case = serde_json::from_slice(&fs::read(file.with_extension("json")).unwrap()).unwrap();
        let model = supple_io::load(&file).unwrap();
        assert!(model == same_as_text(&file), "{name}: binary and text are read differently");
        let scenes = [("original", &case.original, case.scale), ("imported", &case.imported, 1.0)];
        for (scene, clips, scale) in scenes {
            for (index, clip) in clips.iter().enumerate() {
                for frame in &clip.frames {
                    let pose = pose_at(&model, &case, clip, index, frame.time);
                    let error = largest_error(&model, &pose, frame, scale);
                    let place = format!("{name}, {scene}, clip {index}, {:.3} s", frame.time);
                    println!("{place}: {error:.1e}");
                    assert!(error < TOLERANCE, "{place}: {error:e} of the size");
                    frames += 1;
                }
            }
        }
    }
    assert!(frames > 100, "{frames}");
}

/// The same file, read as text.
fn same_as_text(file: &Path) -> Model {
    let text = fbx_files::as_text(&fs::read(file).unwrap());
    supple_io::read_bytes("a.fbx", text.as_bytes(), &mut supple_io::no_other_files).unwrap().model
}

fn sorted_files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|e| e == "fbx"));
    files.sort();
    files
}

fn pose_at(model: &Model, case: &Case, clip: &BlenderClip, index: usize, time: f64) -> Pose {
    if case.still {
        return model.rest_pose();
    }
    let ours = &model.clips()[index];
    if let Some(name) = &clip.name {
        assert_eq!(ours.name(), name);
    }
    model.sample(ours, time).unwrap()
}

/// The largest distance of a vertex from Blender's, as a part of the model's largest extent.
fn largest_error(model: &Model, pose: &Pose, frame: &Frame, scale: f32) -> f32 {
    let positions = model.posed(pose, Skinning::Linear).unwrap().positions();
    assert_eq!(model.parts().len(), frame.meshes.len());
    let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    let mut error = 0.0f32;
    for part in model.parts() {
        let expected = frame.meshes.get(&part.name).unwrap_or_else(|| panic!("no mesh {}", part.name));
        let (expected, _) = expected.as_chunks::<3>();
        let found = &positions[part.vertices.clone()];
        assert_eq!(found.len(), expected.len());
        for (&found, &[x, y, z]) in found.iter().zip(expected) {
            // Blender's +Z is up, its -Y is the front.
            let expected = scale * Vec3::new(x, z, -y);
            (low, high) = (low.min(expected), high.max(expected));
            error = error.max(found.distance(expected));
        }
    }
    error / (high - low).max_element()
}

/// The folder of exported files; `None` (with a word about it) where there is no Blender.
fn exported() -> Option<PathBuf> {
    let Some(python) = env::var_os("SUPPLE_BLENDER") else {
        let _ = writeln!(io::stderr(), "skipped: SUPPLE_BLENDER is not set");
        return None;
    };
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("blender");
    let _ = fs::remove_dir_all(&folder);
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/blender/export.py");
    let done = Command::new(python).arg(script).args([&assets::assets()?, &folder]).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    Some(folder)
}
