//! Arguments that do not fit together, and help.

use crate::supple::supple;

#[test]
fn contradictions_are_bad_usage() {
    for arguments in [
        "deform zoo:dolphin -o x.obj --clip 0 --time 1 --frames 3",
        "deform zoo:dolphin -o x.obj --clip 0 --time 1 --start 1",
        "deform zoo:dolphin -o x.obj --clip 0 --frames 0",
        "deform zoo:dolphin -o x.obj --clip 0 --frames 3 --fps 0",
        "deform zoo:dolphin -o x.obj --clip 0 --time nan",
        "deform zoo:dolphin -o x.obj --time 1",
        "deform zoo:dolphin -o x.obj --frames 3",
        "deform zoo:dolphin -o x.obj --skinning cubic",
        "deform zoo:dolphin -o x.obj --weights a",
        "deform zoo:dolphin",
        "deform zoo:dolphin -o x.obj --clip 0 --frames 3 --fps -3",
        "zoo -o x.glb",
        "fit cloth:flag",
        "fit cloth:flag -o x.glb --joints 0",
        "fit cloth:flag -o x.glb --reach 1",
        "fit cloth:flag -o x.glb --error -1",
        "fit cloth:flag -o x.glb --error 1 --corrections 2",
        "fit cloth:flag -o x.glb --rounds 2",
        "fit cloth:flag -o x.glb --skinning spherical",
        "inspect",
        "dance",
    ] {
        let error = supple(arguments.split(' ')).fails(2);
        assert!(error.contains("--help"), "{arguments}: {error}");
    }
}

#[test]
fn combinations_that_no_file_can_hold_are_bad_usage() {
    for (arguments, expected) in [
        ("deform zoo:dolphin -o x.glb --clip 0 --frames 3", ".glb holds one pose"),
        ("deform zoo:dolphin -o x.obj --clip 0 --start 1", "--start and --fps need --frames"),
        ("deform zoo:dolphin -o x.pc2 --clip 0 --fps 1e9", "are too many"),
        ("deform zoo:dolphin -o x.fbx", "\"fbx\""),
        ("deform zoo:dolphin -o x", "expected .obj, .glb, .pc2 or .mdd"),
        ("zoo dolphin -o x.pc2", "expected .glb or .obj"),
        ("zoo dolphin -o x.stl", "expected .glb or .obj"),
        ("zoo dolphin", "--output is missing"),
        ("zoo unicorn", "\"unicorn\""),
        ("zoo unicorn -o x.stl", "\"unicorn\""),
        ("fit cloth:flag -o x.obj", "expected .glb"),
        ("fit cloth:sail -o x.glb", "flag, curtain, skirt, drape"),
        ("fit zoo:man -o x.glb --clip swim", "\"swim\""),
        ("fit zoo:man -o x.glb --fps 1e5", "too many"),
        ("fit cloth:flag -o x.glb --clip 0", "--clip is for models"),
        ("edit-rest zoo:curtain zoo:curtain -o x.obj", "expected .glb"),
        ("inspect zoo:unicorn", "\"unicorn\""),
        ("inspect zoo:dolphin:many", "\"many\" is not a number"),
        ("inspect zoo:dolphin --part fin", "\"fin\""),
    ] {
        let error = supple(arguments.split(' ')).fails_in_one_line(2);
        assert!(error.contains(expected), "{arguments}: {error}");
    }
}

#[test]
fn help_fits_into_100_columns() {
    for command in [
        "",
        "inspect",
        "deform",
        "fit",
        "edit-rest",
        "reduce",
        "zoo",
        "collide",
        "ray",
        "audit",
        "build",
        "chains",
        "demo",
    ] {
        for flag in ["-h", "--help"] {
            let help = supple([command, flag].into_iter().filter(|word| !word.is_empty())).ok();
            let wide: Vec<&str> = help.lines().filter(|line| line.chars().count() > 100).collect();
            assert!(wide.is_empty(), "{command} {flag}: {wide:#?}");
        }
    }
    assert!(supple(["--help"]).ok().starts_with("Exact collision detection of deforming meshes"));
}

#[test]
fn help_tells_exit_codes_and_shows_the_json() {
    let help = supple(["--help"]).ok();
    for line in ["Exit codes:", "  3  the input file", "  4  the output", "zoo:man"] {
        assert!(help.contains(line), "{line} in {help}");
    }
    assert!(supple(["inspect", "--help"]).ok().contains("\"distinct_positions\""));
    assert!(supple(["deform", "--help"]).ok().contains("beyond the end"));
    assert!(supple(["collide", "--help"]).ok().contains("\"vertices_deformed\""));
    assert!(supple(["--version"]).ok().starts_with("supple "));
}
