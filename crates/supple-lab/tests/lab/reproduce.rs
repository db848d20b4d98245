//! `supple-lab reproduce`: what is refused at once. The run itself is tested in `supple-repro`.

use std::fs;

use crate::lab::{lab, text};

#[test]
fn unknown_papers_are_refused_with_the_known_ones() {
    for arguments in [&["reproduce", "cooking"][..], &["reproduce", "skinning", "cooking", "--quick"]] {
        let error = lab(arguments).fails(2);
        assert!(error.contains("there is no paper \"cooking\""), "{error}");
        for paper in supple_repro::Paper::ALL {
            assert!(error.contains(paper.name()), "{error}");
        }
    }
}

#[test]
fn places_that_cannot_be_written_are_known_before_the_work() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let error = lab(["reproduce", "--out", text(&file)]).fails_in_one_line(4);
    assert!(error.contains("cannot be made"), "{error}");
    let taken = folder.path().join("taken");
    fs::create_dir_all(taken.join("report.html")).unwrap();
    let error = lab(["reproduce", "--out", text(&taken)]).fails_in_one_line(4);
    assert!(error.contains("report.html: cannot be written"), "{error}");
}

#[test]
fn help_lists_the_papers() {
    let help = lab(["reproduce", "--help"]).ok();
    for paper in supple_repro::Paper::ALL {
        assert!(help.contains(&format!("\n  {}", paper.name())), "{help}");
    }
}
