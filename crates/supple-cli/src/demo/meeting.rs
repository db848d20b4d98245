//! Two men walk into each other.
//!
//! In: nothing. Out: a table of frames from far apart to deep contact, and what the numbers mean.
//! Must hold: the command that is printed gives the frames that were shown.

use clap::Parser;

use crate::arguments::{Arguments, Command};
use crate::collide::{Meeting, evenly, full_deformations, introduction, median, microseconds, play};
use crate::failure::{Failure, bad_usage};
use crate::print::print;
use crate::table::{Side, Table, grouped};

/// The meeting; men walk on the spot, so the whole way is put into the motion of B.
const COMMAND: &str = "supple collide zoo:man --clip-a walk --turn-b 180 --offset-b 0,0,1.3 \
                       --velocity-b 0,0,-0.7 --frames 56";

/// Where the command is broken into two lines.
const BREAK: &str = " --velocity-b";

/// Rows of the table.
const ROWS: usize = 12;

/// Frames in contact that are compared with brute force; each takes a fifth of a second.
const CHECKED: [usize; 2] = [42, 55];

const MEANING: &str = "
  apart     distance between the middles of the men
  pairs     pairs of touching triangles: all of them, exactly
  visits    pairs of bounds that were compared
  refits    bounds that were computed; above the leaves they come from joints and weights alone
  vertices  how often one was posed, in leaves that bounds could not exclude (both have {VERTICES})
  µs        to pose both men and find all pairs

Apart, almost nothing is computed; in contact bounds and triangles around it are compared. With
four times the triangles (zoo:man:1 instead of zoo:man in the command below) there are twice the
pairs, and the counters grow by two to three.
";

const NEXT: &str = "
Try next:
  supple collide YOUR.glb OTHER.glb --clip-a 0 --offset-b 0.5,0,0 --check
  supple audit zoo:man        where a character goes through itself, clip by clip
  supple demo skinning        what skinning models do to a twisted man
  supple zoo                  all characters that need no file
  supple inspect YOUR.glb     what your own character is made of
";

/// Plays the meeting and prints it.
pub fn run() -> Result<(), Failure> {
    let Ok(Arguments { command: Some(Command::Collide(arguments)) }) =
        Arguments::try_parse_from(COMMAND.split_whitespace())
    else {
        return Err(bad_usage(format!("the demo does not understand itself: {COMMAND}")));
    };
    let mut meeting = Meeting::new(&arguments)?;
    let (frames, verdict) = play(&mut meeting, |frame| CHECKED.contains(&frame))?;
    let all = median(full_deformations(&mut meeting)?);
    let vertices = 2 * meeting.a.body.shape().model().mesh().positions().len();

    let names = ["second", "apart", "pairs", "visits", "refits", "vertices", "µs"];
    let mut table = Table::new(&names.map(|name| (name, Side::Right)));
    for frame in evenly(frames.len(), ROWS).into_iter().map(|i| &frames[i]) {
        let apart = (arguments.offset_b + arguments.velocity_b * frame.time).length();
        table.row([
            format!("{:.2}", frame.time),
            format!("{apart:.2} m"),
            grouped(frame.pairs.len()),
            grouped(frame.stats.node_visits as usize),
            grouped(frame.stats.refits as usize),
            grouped(frame.stats.vertices_deformed as usize),
            microseconds(frame.microseconds),
        ]);
    }
    print(&format!(
        "Two men walk into each other\n\n{}\n{}{}\
         Deforming all {} vertices of both alone would take {} µs, before any question is answered.\n",
        introduction(&meeting),
        table.text(usize::MAX - 1),
        MEANING.replace("{VERTICES}", &grouped(vertices)),
        grouped(vertices),
        microseconds(all)
    ))?;
    verdict.result()?;
    print(&format!(
        "\nBrute force over all triangles was asked in {} of these frames, too, and found the same pairs.\n\
         All {} frames, each compared with brute force:\n  {} --check\n{NEXT}",
        verdict.checked,
        frames.len(),
        COMMAND.replace(BREAK, &format!(" \\\n   {BREAK}"))
    ))
}
