//! `supple ray`: which triangle of a posed model a ray hits, and what moves it.
//!
//! In: a model in a pose, and a ray or a pixel of a view. Out: hits as text and JSON, and a picture with the hit marked.

mod ask;
mod overlay;
mod picture;
mod report;
mod text;

use crate::arguments::RayArguments;
use crate::failure::{Failure, bad_usage};
use crate::output::{Contents, Files, check_picture, write_json_or_text};
use crate::print::print;
use crate::source::read_shape;

use self::ask::Asked;

/// Reads, poses, casts, and prints, draws or writes what was hit.
pub fn run(arguments: &RayArguments) -> Result<(), Failure> {
    check_arguments(arguments)?;
    let mut files = Files::reading(arguments.input.files());
    let json_file = files.optional("--json", arguments.json.as_ref(), Contents::Text)?;
    let picture_file = files.optional("--picture", arguments.picture.as_ref(), Contents::Binary)?;
    let shape = read_shape(&arguments.input)?;
    let mut asked = Asked::new(&shape, arguments).map_err(|failure| failure.at(&arguments.input.file))?;
    if let Some(output) = &picture_file {
        output.write(picture::png(&mut asked)?)?;
    }
    write_json_or_text(json_file.as_ref(), &asked.report, text::text)?;
    match &picture_file {
        Some(output) => print(&format!("written: {output}\n")),
        None => Ok(()),
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
    match (arguments.pixel, arguments.from, arguments.direction) {
        (None, Some(from), Some(direction)) => {
            ask::checked_ray(from, direction)?;
        }
        (None, ..) => return Err(ask::no_ray()),
        (Some(_), ..) => {}
    }
    check_picture(arguments.picture.as_deref())
}
