//! `supple collide`: which triangles of two animated models touch, frame by frame, and what it took to know.

mod actor;
mod check;
mod json;
mod play;
mod scene;
mod text;
mod totals;

use std::fs::{self, File};
use std::io;

use anyhow::Context;

use crate::arguments::CollideArguments;
use crate::failure::{Blame, Failure, OrBlame};
use crate::print::print;

use self::totals::Totals;

pub use self::play::{evenly, full_deformations, play};
pub use self::scene::Scene;
pub use self::text::{introduction, microseconds};
pub use self::totals::median;

/// Reads, builds, plays, and prints or writes what was found.
pub fn run(arguments: &CollideArguments) -> Result<(), Failure> {
    // A file that cannot be written is told before the work, and keeps what it holds until the work is done.
    let file = arguments.json.as_deref().filter(|file| *file != "-");
    let _held = file.map(|file| explained(file, open(file))).transpose()?;
    let mut scene = Scene::new(arguments)?;
    let (frames, verdict) = play(&mut scene, |_| arguments.check)?;
    let full = full_deformations(&mut scene)?;
    let totals = Totals::new(&frames, &full);
    if arguments.json.is_some() {
        let json = json::json(&scene.a, &scene.b, &frames, &totals).or_blame(Blame::Output)?;
        let Some(file) = file else {
            print(&json)?;
            return verdict.result();
        };
        explained(file, fs::write(file, json))?;
    }
    let rows = if arguments.all_frames { usize::MAX } else { text::ROWS };
    print(&text::text(&scene, &frames, &totals, rows))?;
    verdict.result()?;
    if verdict.checked > 0 {
        print(&format!("\nChecked: brute force gives the same in {}.\n", text::all_of(verdict.checked)))?;
    }
    Ok(())
}

fn open(file: &str) -> io::Result<File> {
    File::options().write(true).create(true).truncate(false).open(file)
}

fn explained<T>(file: &str, result: io::Result<T>) -> Result<T, Failure> {
    result.with_context(|| format!("{file}: cannot be written")).or_blame(Blame::Output)
}
