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

use std::path::Path;

use supple::Clip;
use supple::Model;

use crate::arguments::ChainsArguments;
use crate::clip::find_clip;
use crate::deform::OutputKind;
use crate::failure::{Failure, bad_usage};
use crate::output::{Output, is_same_file, write_json_or_text};
use crate::print::print;
use crate::progress::while_waiting;
use crate::source;

use self::covered::covered;
use self::play::Player;
use self::report::Report;

/// Reads, covers, plays, and prints or writes what was found.
pub fn run(arguments: &ChainsArguments) -> Result<(), Failure> {
    check_names(arguments)?;
    let file = &arguments.input.file;
    let shape = source::read_shape(&arguments.input)?;
    let here = |failure: Failure| failure.at(file);
    let clips = chosen_clips(shape.model(), arguments.clip.as_deref()).map_err(here)?;
    let chains = while_waiting(format!("covering {file}"), || covered(&shape, arguments)).map_err(here)?;
    // Only now is it known that there is something to write.
    let json_file = arguments.json.as_deref().filter(|file| *file != "-").map(Output::new).transpose()?;
    let meshes_file = arguments.output.as_deref().map(Output::new).transpose()?;
    let picture_file = arguments.picture.as_deref().map(Output::new).transpose()?;
    let player = Player::new(&shape, &chains, arguments);
    let played = player.play(&clips).map_err(here)?;
    let report = Report::new(shape.model(), &chains, &played, arguments);
    if let (Some(output), Some(path)) = (&meshes_file, &arguments.output) {
        let written = || meshes::glb(&chains, &played);
        output.write(while_waiting(format!("writing {}", path.display()), written)?)?;
    }
    if let Some(output) = &picture_file {
        output.write(picture::png(&player, &played)?)?;
    }
    write_json_or_text(arguments.json.is_some(), json_file.as_ref(), &report, text::text)?;
    if arguments.json.as_deref() == Some("-") {
        return Ok(());
    }
    for path in [&arguments.output, &arguments.picture].into_iter().flatten() {
        print(&format!("written: {}\n", Path::display(path)))?;
    }
    Ok(())
}

/// What can be told about the files to write before anything is read.
fn check_names(arguments: &ChainsArguments) -> Result<(), Failure> {
    if let Some(path) = &arguments.output {
        OutputKind::of(path, &[OutputKind::Glb])?;
    }
    if let Some(path) = &arguments.picture
        && !path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("png"))
    {
        return Err(bad_usage(format!("{}: pictures are .png files", path.display())));
    }
    let others = || [&arguments.output, &arguments.picture].into_iter().flatten();
    match &arguments.json {
        Some(json) if others().any(|other| is_same_file(Path::new(json), other)) => {
            Err(bad_usage(format!("{json}: two things would be written to the same file")))
        }
        _ => Ok(()),
    }
}

/// Clips with their numbers: the one that was asked for, or all.
fn chosen_clips<'m>(model: &'m Model, name: Option<&str>) -> Result<Vec<(usize, &'m Clip)>, Failure> {
    let all = model.clips().iter().enumerate();
    let Some(name) = name else { return Ok(all.collect()) };
    let named = find_clip(model, name)?;
    Ok(all.filter(|(_, clip)| std::ptr::eq(*clip, named)).collect())
}
