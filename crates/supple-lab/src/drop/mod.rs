//! `supple-lab drop`: things that fall and flex.
//!
//! In: a scene. Out: what a step takes, for flexible and rigid bodies; an animation or a picture.

mod text;

use std::path::Path;

use anyhow::Context;
use supple_cli::failure::{Blame, Failure, OrBlame, bad_usage};
use supple_cli::output::{Contents, Files, Output, is_no_file};
use supple_cli::print::print;
use supple_cli::progress::{bar, while_waiting};
use supple_drop::{
    Cast, DropError, Energy, FRAMES, Frame, MOST_ANIMATED, SceneKind, World, animation, picture,
};

use crate::arguments::{DropArguments, Film};

use self::text::{Run, contest, introduction, runs};

/// Frames of an animation, per second.
const FRAMES_PER_SECOND: f64 = 30.0;

/// More steps than this are a mistake in seconds or rate: an hour at 300 per second.
const MOST_STEPS: f64 = 1_080_000.0;

/// Simulates, prints and writes.
pub fn run(arguments: &DropArguments) -> Result<(), Failure> {
    let kind = arguments.scene;
    let count = arguments.count.unwrap_or(match kind {
        SceneKind::Chairs => 12,
        SceneKind::Fish => 200,
        SceneKind::Curtain => 1,
    });
    check(arguments, count)?;
    let output = arguments.out.as_deref().map(|path| written(path, arguments.format, count)).transpose()?;
    let cast = while_waiting(format!("preparing {kind}"), || Cast::new(kind, arguments.level));
    let cast = cast.or_blame(Blame::Usage)?;
    let mut casts = Vec::new();
    if !arguments.rigid {
        casts.push(cast.clone());
    }
    // Balls do not flex: there is nothing to compare them with.
    if arguments.rigid || (!arguments.flexible && kind != SceneKind::Curtain) {
        casts.push(cast.rigid().or_blame(Blame::Usage)?);
    }
    let (finished, frames) = fallen(arguments, &casts, count, output.is_some())?;
    print(&introduction(&cast, count, &finished))?;
    print(&runs(kind, &finished))?;
    if kind == SceneKind::Curtain {
        let mut world = new_world(arguments, &cast, count)?;
        let both = while_waiting("asking the curtain both ways", || world.contest(FRAMES));
        print(&contest(&both.or_blame(Blame::Check)?))?;
    }
    if let (Some((output, film)), Some(cast)) = (output, casts.first()) {
        let bytes = while_waiting(format!("writing {output}"), || film_bytes(film, cast, &frames));
        output.write(bytes.with_context(|| output.to_string()).or_blame(Blame::Output)?)?;
        print(&format!("\nwritten: {output}\n"))?;
    }
    Ok(())
}

fn film_bytes(film: Film, cast: &Cast, frames: &[Frame]) -> Result<Vec<u8>, DropError> {
    match film {
        Film::Glb => animation(cast, frames),
        Film::Png => Ok(picture(cast, frames)?.to_png_bytes()?),
    }
}

fn check(arguments: &DropArguments, count: usize) -> Result<(), Failure> {
    let steps = f64::from(arguments.seconds) * f64::from(arguments.rate);
    if steps > MOST_STEPS {
        return Err(bad_usage(format!("{steps:.0} steps are too many; {MOST_STEPS} are possible")));
    }
    supple_drop::check(arguments.scene, count, arguments.rate.into()).or_blame(Blame::Usage)
}

/// The place to write to, and what; told before anything is simulated.
fn written(path: &Path, format: Option<Film>, count: usize) -> Result<(Output, Film), Failure> {
    let extension = path.extension().map(|e| e.to_string_lossy().to_lowercase());
    let film = match (extension.as_deref(), format) {
        (Some("glb"), None | Some(Film::Glb)) | (None, Some(Film::Glb)) => Film::Glb,
        (Some("png"), None | Some(Film::Png)) | (None, Some(Film::Png)) => Film::Png,
        (None, None) if is_no_file(path) => {
            return Err(bad_usage(format!(
                "{}: this name does not tell the kind of file; say --format glb or png",
                path.display()
            )));
        }
        (Some(_), Some(_)) => {
            return Err(bad_usage(format!("{}: the name says something else than --format", path.display())));
        }
        _ => return Err(bad_usage(format!("{}: expected .glb or .png", path.display()))),
    };
    if film == Film::Glb && count > MOST_ANIMATED {
        return Err(bad_usage(DropError::TooManyToExport { count, most: MOST_ANIMATED }));
    }
    Ok((Files::reading::<String>([]).output("--out", path, Contents::Binary)?, film))
}

fn new_world(arguments: &DropArguments, cast: &Cast, count: usize) -> Result<World, Failure> {
    World::new(cast, count, arguments.seed, arguments.rate.into()).or_blame(Blame::Usage)
}

/// Lets everything fall, the worlds of all casts step by step in turn, so that a busy machine disturbs them alike; and frames of the
/// first world, if they are wanted.
fn fallen(
    arguments: &DropArguments,
    casts: &[Cast],
    count: usize,
    recorded: bool,
) -> Result<(Vec<Run>, Vec<Frame>), Failure> {
    let worlds = casts.iter().map(|cast| new_world(arguments, cast, count));
    let mut worlds: Vec<World> = worlds.collect::<Result<_, _>>()?;
    let starts: Vec<Energy> = worlds.iter().map(World::energy).collect();
    let steps = (f64::from(arguments.seconds) * f64::from(arguments.rate)).round().max(1.0) as usize;
    let every = (f64::from(arguments.rate) / FRAMES_PER_SECOND).round().max(1.0) as usize;
    // Of thousands of bodies only as many frames as a picture shows are kept.
    let every = if count > MOST_ANIMATED { every.max(steps / 5) } else { every };
    let mut frames = Vec::new();
    let progress = bar(steps, "falling");
    for step in 0..=steps {
        if recorded && (step % every == 0 || step == steps) {
            frames.extend(worlds.first().map(World::frame));
        }
        if step < steps {
            worlds.iter_mut().try_for_each(World::step).or_blame(Blame::Check)?;
            progress.inc(1);
        }
    }
    let runs = worlds.iter().zip(starts).map(|(world, start)| Run::new(world, start)).collect();
    Ok((runs, frames))
}
