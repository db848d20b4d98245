//! Names of pictures.

use std::path::Path;

use super::place::is_no_file;
use crate::failure::{Failure, bad_usage};

/// Pictures are PNG; stdout and pipes need no extension.
pub fn check_picture(path: Option<&Path>) -> Result<(), Failure> {
    let Some(path) = path else { return Ok(()) };
    let is_png = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("png"));
    if is_png || (path.extension().is_none() && is_no_file(path)) {
        return Ok(());
    }
    Err(bad_usage(format!("{}: pictures are .png files", path.display())))
}
