//! `supple ray`: which triangle of a posed model a ray hits, and what moves it.
//!
//! In: a model in a pose, and a ray or a pixel of a view. Out: hits as text and JSON, and a picture with the hit marked.

mod ask;
mod overlay;
mod picture;
mod report;
mod text;

use std::path::Path;

use crate::arguments::RayArguments;
use crate::failure::{Failure, bad_usage};
use crate::output::{Output, is_same_file, write_json_or_text};
use crate::print::print;
use crate::source::read_shape;

use self::ask::Asked;

/// Reads, poses, casts, and prints, draws or writes what was hit.
pub fn run(arguments: &RayArguments) -> Result<(), Failure> {
    check_arguments(arguments)?;
    let json_file = arguments.json.as_deref().filter(|file| *file != "-").map(Output::new).transpose()?;
    let picture_file = arguments.picture.as_deref().map(Output::new).transpose()?;
    let shape = read_shape(&arguments.input)?;
    let mut asked = Asked::new(&shape, arguments).map_err(|failure| failure.at(&arguments.input.file))?;
    if let Some(output) = &picture_file {
        output.write(picture::png(&mut asked)?)?;
    }
    write_json_or_text(arguments.json.is_some(), json_file.as_ref(), &asked.report, text::text)?;
    match &arguments.picture {
        Some(path) if arguments.json.as_deref() != Some("-") => {
            print(&format!("written: {}\n", path.display()))
        }
        _ => Ok(()),
    }
}

/// What can be told before anything is read.
fn check_arguments(arguments: &RayArguments) -> Result<(), Failure> {
    let [width, height] = arguments.size;
    if let Some([x, y]) = arguments.pixel
        && (x >= width || y >= height)
    {
        return Err(bad_usage(format!(
            "--pixel {x},{y} is outside of the view of {width}x{height} pixels, whose last pixel is {},{}",
            width - 1,
            height - 1
        )));
    }
    let Some(path) = &arguments.picture else { return Ok(()) };
    if !path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("png")) {
        return Err(bad_usage(format!("{}: pictures are .png files", path.display())));
    }
    match &arguments.json {
        Some(json) if is_same_file(Path::new(json), path) => {
            Err(bad_usage(format!("{json}: two things would be written to the same file")))
        }
        _ => Ok(()),
    }
}
