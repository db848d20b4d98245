//! `supple chains`: a character filled with spheres, and which of its parts come near each other.
//!
//! In: a model, regions of it if the rig is not to be asked, clips. Out: a table of regions with how well spheres fit them, the
//! chains, and for every clip which regions overlap in which frames; as text, JSON, a picture, or meshes that move.

mod covered;
mod meshes;
mod picture;
mod play;
mod report;
mod text;
mod warnings;

use supple::Clip;
use supple::Model;

use crate::arguments::ChainsArguments;
use crate::clip::find_clip;
use crate::deform::OutputKind;
use crate::failure::Failure;
use crate::output::{Contents, Files, check_picture, write_json_or_text};
use crate::print::print;
use crate::progress::while_waiting;
use crate::source;

use self::covered::covered;
use self::play::Player;
use self::report::Report;

/// Reads, covers, plays, and prints or writes what was found.
pub fn run(arguments: &ChainsArguments) -> Result<(), Failure> {
    let file = &arguments.input.file;
    let mut files = Files::reading(arguments.input.files());
    if let Some(path) = &arguments.output {
        OutputKind::of(path, None, &[OutputKind::Glb])?;
    }
    check_picture(arguments.picture.as_deref())?;
    let json_file = files.optional("--json", arguments.json.as_ref(), Contents::Text)?;
    let meshes_file = files.optional("-o", arguments.output.as_ref(), Contents::Binary)?;
    let picture_file = files.optional("--picture", arguments.picture.as_ref(), Contents::Binary)?;
    let shape = source::read_shape(&arguments.input)?;
    let here = |failure: Failure| failure.at(file);
    let clips = chosen_clips(shape.model(), arguments.clip.as_deref()).map_err(here)?;
    let chains = while_waiting(format!("covering {file}"), || covered(&shape, arguments)).map_err(here)?;
    let player = Player::new(&shape, &chains, arguments);
    let played = player.play(&clips).map_err(here)?;
    let report = Report::new(shape.model(), &chains, &played, arguments);
    if let Some(output) = &meshes_file {
        let written = || meshes::glb(&chains, &played);
        output.write(while_waiting(format!("writing {output}"), written)?)?;
    }
    if let Some(output) = &picture_file {
        output.write(picture::png(&player, &played)?)?;
    }
    write_json_or_text(json_file.as_ref(), &report, text::text)?;
    for output in [&meshes_file, &picture_file].into_iter().flatten() {
        print(&format!("written: {output}\n"))?;
    }
    Ok(())
}

/// Clips with their numbers: the one that was asked for, or all.
fn chosen_clips<'m>(model: &'m Model, name: Option<&str>) -> Result<Vec<(usize, &'m Clip)>, Failure> {
    let all = model.clips().iter().enumerate();
    let Some(name) = name else { return Ok(all.collect()) };
    let named = find_clip(model, name)?;
    Ok(all.filter(|(_, clip)| std::ptr::eq(*clip, named)).collect())
}
