//! Help.

use crate::lab::lab;

#[test]
fn help_fits_into_100_columns() {
    for command in ["", "tightness", "reproduce", "drop"] {
        for flag in ["-h", "--help"] {
            let help = lab([command, flag].into_iter().filter(|word| !word.is_empty())).ok();
            let wide: Vec<&str> = help.lines().filter(|line| line.chars().count() > 100).collect();
            assert!(wide.is_empty(), "{command} {flag}: {wide:#?}");
        }
    }
}

#[test]
fn help_tells_exit_codes() {
    let help = lab(["--help"]).ok();
    for line in ["Exit codes:", "  3  the input file", "  4  the output"] {
        assert!(help.contains(line), "{line} in {help}");
    }
    assert!(lab(["--version"]).ok().starts_with("supple-lab "));
}
