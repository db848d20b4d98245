//! Two people brush past each other, and end up inside each other.
//!
//! In: nothing. Out: a table of frames with what they take and what baking takes, a picture, other questions.
//! Must hold: the commands that are printed give the frames that were shown.

use clap::Parser;

use super::questions;
use crate::arguments::{Arguments, Command};
use crate::collide::{Frame, Meeting, evenly, introduction, median, microseconds, picture, play};
use crate::digits::three_digits;
use crate::failure::{Failure, bad_usage};
use crate::print::print;
use crate::table::{Side, Table, grouped};
use crate::terminal_picture;

/// They pass: people walk on the spot, so the whole way is put into the motion of B.
const PASSING: &str = "supple collide zoo:human --clip-a walk --start-b 0.3 --turn-b 180 \
                       --offset-b 0.45,0,1.3 --velocity-b 0,0,-0.8 --frames 76";

/// They stand in each other, which a game would not let happen.
const INSIDE: &str =
    "supple collide zoo:human --clip-a walk --start-b 0.3 --turn-b 180 --offset-b 0,0,0.05 --frames 2";

/// Rows of the table while they pass.
const ROWS: usize = 13;

/// Frames in contact that are compared with brute force.
const CHECKED: [usize; 1] = [42];

/// How often a frame is measured; the time in the middle counts.
const REPETITIONS: usize = 3;

const MEANING: &str = "
  touching   pairs of touching triangles: all of them, exactly
  supple     to pose both and find the pairs; only vertices near the contact are posed
  baking     to deform all {VERTICES} vertices, fit all boxes to them and find the same pairs, as engines do
  faster     how many times as fast supple is

The last two rows are another scene, in which the two stand inside each other: nearly everything is
near something else, all of it has to be posed, and there is next to nothing to gain.
";

const NEXT: &str = "
Try next:
  supple collide YOUR.glb OTHER.glb --clip-a 0 --offset-b 0.5,0,0 --check --picture both.png
  supple audit YOUR.glb       where a character goes through itself, clip by clip
  supple inspect YOUR.glb     what your own character is made of
  supple demo skinning        what skinning models do to a twisted man
  supple zoo                  all characters that need no file
";

/// Plays the meeting and prints it.
pub fn run() -> Result<(), Failure> {
    let mut passing = meeting(PASSING)?;
    let frames = measured(&mut passing, &CHECKED)?;
    let mut inside = meeting(INSIDE)?;
    let inside_frames = measured(&mut inside, &[])?;
    let vertices = 2 * passing.a.body.shape().model().mesh().positions().len();

    let names = ["second", "touching", "supple", "baking", "faster"];
    let mut table = Table::new(&names.map(|name| (name, Side::Right)));
    let row = |frame: &Frame| {
        let baking = frame.baking_microseconds.unwrap_or_default();
        [
            format!("{:.2}", frame.time),
            grouped(frame.pairs.len()),
            format!("{} µs", microseconds(frame.microseconds)),
            format!("{} µs", microseconds(baking)),
            format!("{} x", three_digits(baking / frame.microseconds)),
        ]
    };
    for frame in evenly(frames.len(), ROWS) {
        table.row(row(&frames[frame]));
    }
    table.row(names.map(|_| String::new()));
    inside_frames.iter().for_each(|frame| table.row(row(frame)));
    print(&format!(
        "Two people brush past each other. Which of their triangles touch?\n\n{}\n{}{}",
        introduction(&passing),
        table.text(usize::MAX - 1),
        MEANING.replace("{VERTICES}", &grouped(vertices))
    ))?;
    if let Some(width) = terminal_picture::width() {
        let seen = picture::canvas(&mut passing, &frames)?;
        print(&format!("\n{}", terminal_picture::text(&seen, width)))?;
    }
    print(&format!(
        "\nOther questions, in the mean of the {} frames in which they pass:\n\n{}",
        frames.len(),
        questions::text(&mut passing)?
    ))?;
    print(&format!(
        "\nBrute force over all pairs of triangles agrees with frame {}. To compare all frames, and to see it:\n  {}\n{NEXT}",
        CHECKED[0],
        PASSING.replace(" --offset-b", " \\\n    --offset-b") + " --check --picture passing.png"
    ))
}

fn meeting(command: &str) -> Result<Meeting, Failure> {
    let Ok(Arguments { command: Some(Command::Collide(arguments)) }) =
        Arguments::try_parse_from(command.split_whitespace())
    else {
        return Err(bad_usage(format!("the demo does not understand itself: {command}")));
    };
    Meeting::new(&arguments)
}

/// All frames, with the times in the middle of several runs. A frame that brute force contradicts is a failure.
fn measured(meeting: &mut Meeting, checked: &[usize]) -> Result<Vec<Frame>, Failure> {
    let (mut frames, verdict) = play(meeting, |frame| checked.contains(&frame), |_| true)?;
    verdict.result()?;
    let mut runs = Vec::new();
    for _ in 0..REPETITIONS {
        runs.push(play(meeting, |_| false, |_| true)?.0);
    }
    for (index, frame) in frames.iter_mut().enumerate() {
        let of_runs = |time: &dyn Fn(&Frame) -> Option<f64>| {
            median(runs.iter().filter_map(|run| time(&run[index])).collect())
        };
        frame.microseconds = of_runs(&|frame| Some(frame.microseconds));
        frame.baking_microseconds = Some(of_runs(&|frame| frame.baking_microseconds));
    }
    Ok(frames)
}
