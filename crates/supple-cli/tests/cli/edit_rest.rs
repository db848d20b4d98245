//! `supple edit-rest`: what is changed at rest is changed in every frame, and nothing else.

use std::path::Path;

use glam::Vec3;
use supple::Model;
use supple::Skinning;

use crate::supple::{supple, text};

fn fitted(folder: &Path) -> std::path::PathBuf {
    let file = folder.join("fitted.glb");
    // Rigid joints.
    let options = "--joints 9 --corrections 2 --fps 8 --skinning dual".split(' ');
    supple(["fit", "zoo:dolphin", "-o", text(&file)].into_iter().chain(options)).ok();
    file
}

fn edit(model: &Path, rest: &Path, output: &Path) -> String {
    supple(["edit-rest", text(model), text(rest), "-o", text(output)]).ok()
}

fn posed(model: &Model, time: f64) -> Vec<Vec3> {
    let pose = model.sample(&model.clips()[0], time).unwrap();
    model.posed(&pose, Skinning::DualQuaternion).unwrap().positions()
}

#[test]
fn a_bump_at_rest_is_in_every_frame() {
    let folder = tempfile::tempdir().unwrap();
    let (old, rest, new) =
        (fitted(folder.path()), folder.path().join("rest.obj"), folder.path().join("new.glb"));
    let before = supple_io::load(&old).unwrap();
    let mesh = before.mesh();
    let (vertex, bump) = (100, Vec3::new(0.01, 0.02, -0.03));
    let mut positions = mesh.positions().to_vec();
    positions[vertex] += bump;
    supple_io::write_obj(&rest, &positions, mesh.triangles(), None, None).unwrap();
    let said = edit(&old, &rest, &new);
    assert!(said.contains("1 of 284 vertices moved") && said.contains("normals computed anew"), "{said}");
    let after = supple_io::load(&new).unwrap();
    assert_eq!(after.mesh().positions(), positions);
    assert_eq!((after.skin(), after.rest(), after.clips()), (before.skin(), before.rest(), before.clips()));
    assert_eq!(after.skeleton(), before.skeleton());
    for time in [0.0, 0.3, 0.77] {
        for (v, (a, b)) in posed(&before, time).iter().zip(posed(&after, time)).enumerate() {
            // Rigid joints turn the bump and keep its length.
            let expected = if v == vertex { bump.length() } else { 0.0 };
            assert!((a.distance(b) - expected).abs() < 1e-5, "vertex {v} at {time} s: {a} and {b}");
        }
    }
}

#[test]
fn normals_of_the_new_mesh_are_taken() {
    let folder = tempfile::tempdir().unwrap();
    let (old, rest, new) =
        (fitted(folder.path()), folder.path().join("rest.obj"), folder.path().join("new.glb"));
    supple(["deform", text(&old), "-o", text(&rest)]).ok();
    assert!(edit(&old, &rest, &new).contains("normals of the new mesh"));
    let [before, after] = [&old, &new].map(|file| supple_io::load(file).unwrap());
    for (a, b) in before.mesh().positions().iter().zip(after.mesh().positions()) {
        assert!(a.distance(*b) < 1e-6);
    }
}

#[test]
fn other_meshes_are_refused_with_what_differs() {
    let folder = tempfile::tempdir().unwrap();
    let (old, new) = (fitted(folder.path()), folder.path().join("new.glb"));
    let rest = folder.path().join("rest.obj");
    let refused =
        |model: &str, rest: &str| supple(["edit-rest", model, rest, "-o", text(&new)]).fails_in_one_line(3);
    let error = refused(text(&old), "zoo:man");
    assert!(error.contains("zoo:man: has 4,400 vertices") && error.contains("has 284 vertices"), "{error}");
    let mesh = supple_zoo::make("dolphin", 0).unwrap().mesh().clone();
    let mut triangles = mesh.triangles().to_vec();
    triangles[7].rotate_left(1);
    supple_io::write_obj(&rest, mesh.positions(), &triangles, None, None).unwrap();
    let error = refused(text(&old), text(&rest));
    assert!(error.contains("they differ in 1 triangle, the first is triangle 7"), "{error}");
    supple_io::write_obj(&rest, mesh.positions(), &triangles[1..], None, None).unwrap();
    assert!(refused(text(&old), text(&rest)).contains("has 563 triangles"));
    assert!(refused("zoo:dolphin", "zoo:dolphin").contains("blends whole shapes"));
    assert!(!new.exists());
    let nowhere = folder.path().join("nowhere/x.glb");
    let run = supple(["edit-rest", text(&old), text(&old), "-o", text(&nowhere)]);
    assert!(run.fails_in_one_line(4).contains("x.glb: cannot be written"));
}
