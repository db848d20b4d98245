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

use std::iter;

use crate::arguments::CollideArguments;
use crate::clip_files::files_behind;
use crate::failure::{Blame, Failure, OrBlame};
use crate::output::{Contents, Files, check_picture};
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
    check_picture(arguments.picture.as_deref())?;
    meeting::check(arguments)?;
    let mut files = Files::reading(
        iter::once(&arguments.a)
            .chain(&arguments.b)
            .cloned()
            .chain(files_behind(&arguments.clips_a))
            .chain(files_behind(&arguments.clips_b)),
    );
    let file = files.optional("--json", arguments.json.as_ref(), Contents::Text)?;
    let picture = files.optional("--picture", arguments.picture.as_ref(), Contents::Binary)?;
    let mut meeting = Meeting::new(arguments)?;
    let rows = if arguments.all_frames { usize::MAX } else { text::ROWS };
    let shown = evenly(meeting.frame_count, rows);
    let (frames, verdict) =
        play(&mut meeting, |_| arguments.check, |frame| shown.binary_search(&frame).is_ok())?;
    let totals = Totals::new(&frames);
    if let Some(picture) = &picture {
        picture.write(picture::png(&mut meeting, &frames)?)?;
    }
    let owners = arguments.pairs.then(|| Owners::new(&meeting.a, &meeting.b));
    if let Some(file) = file {
        let json = json::json(&meeting.a, &meeting.b, &frames, owners.as_ref(), &totals);
        file.write(json.or_blame(Blame::Output)?)?;
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
