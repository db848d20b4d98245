//! `supple collide`: which triangles of two animated models touch, frame by frame, and what it took to know.

mod actor;
mod by_joints;
mod check;
mod json;
mod meeting;
mod picture;
mod play;
mod text;
mod totals;

use crate::arguments::CollideArguments;
use crate::failure::{Blame, Failure, OrBlame};
use crate::output::Output;
use crate::print::print;

use self::by_joints::Owners;
use self::totals::Totals;

pub use self::meeting::Meeting;
pub use self::play::{evenly, full_deformations, play};
pub use self::text::{introduction, microseconds};
pub use self::totals::median;

/// Reads, builds, plays, and prints or writes what was found.
pub fn run(arguments: &CollideArguments) -> Result<(), Failure> {
    let file = arguments.json.as_deref().filter(|file| *file != "-").map(Output::new).transpose()?;
    let picture = arguments.picture.as_deref().map(Output::new).transpose()?;
    let mut meeting = Meeting::new(arguments)?;
    let (frames, verdict) = play(&mut meeting, |_| arguments.check)?;
    let full = full_deformations(&mut meeting)?;
    let totals = Totals::new(&frames, &full);
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
    let rows = if arguments.all_frames { usize::MAX } else { text::ROWS };
    print(&text::text(&meeting, &frames, &totals, rows))?;
    if let Some(owners) = &owners {
        print(&by_joints::text(owners, &frames))?;
    }
    verdict.result()?;
    if verdict.checked > 0 {
        print(&format!("\nChecked: brute force gives the same in {}.\n", text::all_of(verdict.checked)))?;
    }
    Ok(())
}
