//! Every real file at hand. `SUPPLE_ASSETS` names the folder; without it the tests say that they were skipped, in the
//! CI (variable `CI`) a missing folder is a failure.

use crate::assets::assets;
use crate::gltf_files::gltf_files;
use crate::supple::{inspect_json, supple, text};

#[test]
fn every_file_can_be_inspected() {
    let Some(folder) = assets() else { return };
    let files = gltf_files(&folder);
    assert!(!files.is_empty(), "no glTF files in {}", folder.display());
    for file in &files {
        let report = supple(["inspect", text(file)]).ok();
        let wide = report.lines().skip(1).find(|line| line.chars().count() > 100);
        assert_eq!(wide, None, "{}", file.display());
        let json = inspect_json(text(file));
        let model = supple_io::load(file).unwrap();
        assert_eq!(json["surface"]["triangles"], model.mesh().triangles().len(), "{}", file.display());
        assert_eq!(json["clips"].as_array().unwrap().len(), model.clips().len(), "{}", file.display());
    }
}

#[test]
fn a_walking_man_against_himself_is_right_in_every_frame() {
    let Some(folder) = assets() else { return };
    let files = gltf_files(&folder);
    let man = files.iter().find(|f| f.ends_with("CesiumMan.glb")).expect("the folder has CesiumMan.glb");
    let arguments =
        "--clip-a 0 --start-b 0.7 --turn-b 180 --offset-b 0.1,0,0.5 --velocity-b 0,0,-0.4 --fps 6 --check";
    let report = supple(["collide", text(man)].into_iter().chain(arguments.split(' '))).ok();
    assert!(report.contains("brute force gives the same in all 12 frames"), "{report}");
    assert!(!report.contains("In contact in 0 of"), "{report}");
}
