//! A real file. `SUPPLE_ASSETS` names the folder; without it the test says that it was skipped, in the CI (variable `CI`) a
//! missing folder is a failure.

use crate::assets::assets;
use crate::gltf_files::gltf_files;
use crate::lab::{lab, text};

#[test]
fn the_bounds_of_a_walking_man_contain_him() {
    let Some(folder) = assets() else { return };
    let files = gltf_files(&folder);
    let man = files.iter().find(|f| f.ends_with("CesiumMan.glb")).expect("the folder has CesiumMan.glb");
    let report = lab(["tightness", text(man), "--samples", "1"]).ok();
    assert!(report.contains("contains all vertices below it"), "{report}");
}
