//! Which scene is read, and files that are something else than their names say.

mod from_memory;
mod small_files;

use glam::Vec3;
use serde_json::json;
use small_files::File;
use supple::Skinning;
use supple_io::{Loaded, Problem, ReadOptions, no_other_files, read_bytes, read_bytes_with};

/// Two scenes of a triangle each, one of them 10 higher, and a third triangle in none.
fn two_scenes() -> File {
    let mut file = File::triangle();
    file.push("nodes", json!({ "mesh": 0, "translation": [0, 10, 0] }));
    file.push("nodes", json!({ "children": [1] }));
    file.push("nodes", json!({ "mesh": 0 }));
    file.json["scenes"] = json!([{ "nodes": [0] }, { "name": "Upstairs", "nodes": [2] }]);
    file.json["scene"] = json!(1);
    file
}

fn read_scene(file: &File, scene: &str) -> Result<Loaded, Problem> {
    let options = ReadOptions::default().with_scene(scene);
    read_bytes_with("a.glb", &file.glb(), &mut no_other_files, &options).map_err(|error| error.problem)
}

fn lowest(loaded: &Loaded) -> f32 {
    let model = &loaded.model;
    let posed = model.posed(&model.rest_pose(), Skinning::Linear).unwrap().positions();
    posed.iter().map(|p| p.y).fold(f32::INFINITY, f32::min)
}

#[test]
fn the_scene_of_the_file_is_read_and_others_by_name_or_number() {
    let file = two_scenes();
    let loaded = file.read().unwrap();
    assert_eq!((loaded.model.mesh().triangles().len(), lowest(&loaded)), (1, 10.0));
    assert_eq!(
        (loaded.scenes.as_slice(), loaded.scene),
        (&["scene 0".to_owned(), "Upstairs".to_owned()][..], Some(1))
    );
    let note = "scene 1 (Upstairs): 2 nodes with a mesh are not in it; left out";
    assert_eq!(
        (loaded.notes.as_slice(), loaded.left_out.as_slice()),
        (&[note.to_owned()][..], &[note.to_owned()][..])
    );
    assert_eq!(read_scene(&file, "Upstairs").unwrap(), loaded);
    for scene in ["0", "scene 0"] {
        assert_eq!(lowest(&read_scene(&file, scene).unwrap()), 0.0);
    }
    let error = read_scene(&file, "Cellar").unwrap_err().to_string();
    assert_eq!(error, "there is no scene \"Cellar\"; the file has 0 \"scene 0\", 1 \"Upstairs\"");

    let mut first = file.clone();
    first.json.as_object_mut().unwrap().remove("scene");
    assert_eq!(first.read().unwrap().scene, Some(0));
    let mut none = first.clone();
    none.json.as_object_mut().unwrap().remove("scenes");
    let loaded = none.read().unwrap();
    assert_eq!((loaded.model.mesh().triangles().len(), loaded.scene, loaded.notes.len()), (3, None, 0));
    assert_eq!(
        read_scene(&none, "0").unwrap_err().to_string(),
        "there is no scene \"0\"; the file has no scenes"
    );
}

#[test]
fn scenes_that_are_wrong_are_errors() {
    let mut file = two_scenes();
    file.json["scene"] = json!(7);
    assert_eq!(file.error(), "scene 7: does not exist; there are 2");
    file.json["scene"] = json!(1);
    file.json["scenes"][1]["nodes"] = json!([9]);
    assert_eq!(file.error(), "scene 1, node 9: does not exist; there are 4");
    file.json["scenes"][1]["nodes"] = json!([]);
    assert_eq!(file.error(), "scene 1: no node has a mesh with triangles; expected at least one");
}

#[test]
fn joints_outside_of_the_scene_move_what_is_inside() {
    let mut file =
        File::skinned([1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0], [1., 0., 0., 0., 1., 0., 0., 0., 1., 0., 0., 0.]);
    file.json["scenes"] = json!([{ "nodes": [0] }]);
    let loaded = file.read().unwrap();
    assert_eq!(loaded.notes, [""; 0]);
    let model = &loaded.model;
    assert_eq!(
        model.posed(&model.rest_pose(), Skinning::Linear).unwrap().positions()[0],
        Vec3::new(0.0, 0.0, 5.0)
    );
}

#[test]
fn wrong_files_are_called_what_they_are() {
    let utf16: Vec<u8> = "\u{feff}{}".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n";
    for (bytes, expected) in [
        (&pointer[..], "git lfs pull"),
        (b"PK\x03\x04\x14\x00", "a zip archive"),
        (b"\x1f\x8b\x08\x00", "gzip"),
        (b"7z\xbc\xaf\x27\x1c", "7z"),
        (b"  <!DOCTYPE html><html>", "a web page"),
        (b"\xef\xbb\xbf<HTML>", "a web page"),
        (b"\x89PNG\r\n\x1a\n", "PNG"),
        (b"\xff\xd8\xff\xe0", "JPEG"),
        (b"BLENDER-v300", "a Blender file"),
        (&utf16, "UTF-16"),
    ] {
        for name in ["a.glb", "a.gltf", "a.vrm", "a.obj", "a.fbx", "a", "a.zip"] {
            let error = read_bytes(name, bytes, &mut no_other_files).unwrap_err().to_string();
            assert!(error.starts_with(&format!("{name}: this is ")) && error.contains(expected), "{error}");
        }
    }
}

#[test]
fn text_and_binary_are_told_apart_by_their_bytes() {
    let file = File::triangle();
    assert!(read_bytes("a.gltf", &file.glb(), &mut no_other_files).is_ok());
    let mut text = file.text();
    let data = base64::Engine::encode(&base64::prelude::BASE64_STANDARD, &file.binary);
    text["buffers"][0]["uri"] = json!(format!("data:;base64,{data}"));
    assert!(read_bytes("a.glb", text.to_string().as_bytes(), &mut no_other_files).is_ok());
}

#[test]
fn a_document_padded_with_zeros_is_read() {
    let file = File::triangle();
    let mut json = file.text().to_string().into_bytes();
    json.resize(json.len() + 4 - json.len() % 4, 0);
    assert!(from_memory::read_gltf(&small_files::glb(&json, &file.binary)).is_ok());
}
