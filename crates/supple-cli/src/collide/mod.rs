//! `supple collide`: which triangles of two animated models touch, frame by frame, and what it took to know.

mod actor;
mod baked;
mod by_joints;
mod check;
mod json;
mod meeting;
pub mod picture;
mod play;
mod text;
mod totals;

use crate::arguments::CollideArguments;
use crate::failure::{Blame, Failure, OrBlame};
use crate::output::Output;
use crate::print::print;

use self::by_joints::Owners;
use self::totals::Totals;

pub use self::baked::Baked;
pub use self::meeting::Meeting;
pub use self::play::{Frame, evenly, play};
pub use self::text::{introduction, microseconds};
pub use self::totals::median;

/// Reads, builds, plays, and prints or writes what was found.
pub fn run(arguments: &CollideArguments) -> Result<(), Failure> {
    let file = arguments.json.as_deref().filter(|file| *file != "-").map(Output::new).transpose()?;
    let picture = arguments.picture.as_deref().map(Output::new).transpose()?;
    let mut meeting = Meeting::new(arguments)?;
    let rows = if arguments.all_frames { usize::MAX } else { text::ROWS };
    let shown = evenly(meeting.frame_count, rows);
    let (frames, verdict) =
        play(&mut meeting, |_| arguments.check, |frame| shown.binary_search(&frame).is_ok())?;
    let totals = Totals::new(&frames);
    if let Some(picture) = picture {
        picture.write(picture::png(&mut meeting, &frames)?)?;
    }
    let owners = arguments.pairs.then(|| Owners::new(&meeting.a, &meeting.b));
    if arguments.json.is_some() {
        let json =
            json::json(&meeting.a, &meeting.b, &frames, owners.as_ref(), &totals).or_blame(Blame::Output)?;
        let Some(file) = file else {
            print(&json)?;
            return verdict.result();
        };
        file.write(json)?;
    }
    print(&text::text(&meeting, &frames, &totals, rows, arguments.details))?;
    if let Some(owners) = &owners {
        print(&by_joints::text(owners, &frames))?;
    }
    verdict.result()?;
    if verdict.checked > 0 {
        print(&format!("\nChecked: brute force gives the same in {}.\n", text::all_of(verdict.checked)))?;
    }
    Ok(())
}
