//! `supple zoo`.

use crate::supple::{supple, text};

#[test]
fn all_animals_are_listed_with_their_sizes() {
    let list = supple(["zoo"]).ok();
    for kind in supple_zoo::kinds() {
        assert!(list.contains(kind.about), "{} in {list}", kind.name);
    }
    let man = list.lines().find(|l| l.trim_start().starts_with("man ")).unwrap();
    let words: Vec<String> = man.split_whitespace().map(|w| w.replace(',', "")).collect();
    let model = supple_zoo::make("man", 0).unwrap();
    let counts = [model.mesh().positions().len(), model.mesh().triangles().len(), 27];
    assert_eq!(words[1..4], counts.map(|n| n.to_string()), "{man}");
}

#[test]
fn an_animal_survives_the_way_through_glb() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("man.glb");
    supple(["zoo", "man", "-o", text(&file)]).ok();
    let (man, read) = (supple_zoo::make("man", 0).unwrap(), supple_io::load(&file).unwrap());
    assert_eq!(read.mesh().positions(), man.mesh().positions());
    assert_eq!(read.mesh().triangles(), man.mesh().triangles());
    let names = |model: &supple::Model| -> Vec<String> {
        model.clips().iter().map(|c| c.name().to_owned()).collect()
    };
    assert_eq!(names(&read), names(&man));
}

#[test]
fn detail_gives_four_times_the_triangles_and_obj_the_rest_pose() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("dolphin.obj");
    let said = supple(["zoo", "dolphin", "--detail", "1", "-o", text(&file)]).ok();
    assert!(said.contains("2,256 triangles"), "{said}");
    let model = supple_zoo::make("dolphin", 1).unwrap();
    let posed = model.posed(&model.rest_pose(), supple::Skinning::Linear).unwrap();
    assert_eq!(supple_io::load(&file).unwrap().mesh().positions(), posed.positions());
}

#[test]
fn reference_shapes_become_targets_in_a_glb() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("blob.glb");
    let said = supple(["zoo", "blob", "-o", text(&file)]).ok();
    let (shapes, targets) = (
        supple_zoo::make("blob", 0).unwrap().rest().coefficient_count(),
        supple_io::load(&file).unwrap().rest().coefficient_count(),
    );
    assert!(said.contains(&format!("{targets} morph targets ({shapes} shapes as displacements")), "{said}");
}

#[test]
fn unknown_animals_and_absurd_details_are_bad_usage() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("x.glb");
    let error = supple(["zoo", "unicorn", "-o", text(&file)]).fails_in_one_line(2);
    assert!(error.contains("\"unicorn\"") && error.contains("man"), "{error}");
    let error = supple(["zoo", "dolphin", "-o", text(&file), "--detail", "40"]).fails_in_one_line(2);
    assert!(error.contains("detail 40"), "{error}");
    assert!(!file.exists());
}
