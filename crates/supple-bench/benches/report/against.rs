//! The library against the opponent, and against what no query can beat.

use supple_bench::marks::{at_least, mark, short};
use supple_bench::targets;
use supple_bench::workload::Class;
use supple_report::columns::{Columns, number};

use super::rows::{Run, rows};
use crate::behind::Behind;
use crate::parts::Part;

/// What both sides are asked, and the aim by class and number of triangles.
pub struct Question {
    what: &'static str,
    ours: Part,
    theirs: Part,
    aim: fn(Class, usize) -> f64,
}

/// All questions, in the order of the tables.
pub const QUESTIONS: [Question; 2] = [
    Question {
        what: "First contact",
        ours: Part::First,
        theirs: Part::OpponentFirst,
        aim: targets::first_contact,
    },
    Question { what: "All pairs", ours: Part::All, theirs: Part::OpponentAll, aim: targets::all_pairs },
];

/// A question, from poses and from joint matrices.
pub fn opponent(runs: &[Run], question: &Question, behind: &mut Behind) -> Columns {
    let what = question.what;
    let mut table = Columns::new(
        &format!(
            "{what}, us for two characters: from poses, then from joint matrices. Opponent: skin, refit, query"
        ),
        2,
        &[
            "character",
            "class",
            "frames",
            "ours",
            "opponent",
            "ratio",
            "matrices",
            "opponent",
            "ratio",
            "target",
            "",
            "",
        ],
    );
    for row in rows(runs) {
        let target = (question.aim)(row.class, row.run.triangles);
        let skin = [Part::Skin, Part::Refit, question.theirs];
        let from_pose =
            [row.time(&[Part::SetPose, question.ours]), row.time(&[Part::Hierarchy]) + row.time(&skin)];
        let from_matrices = [row.time(&[Part::SetMatrices, question.ours]), row.time(&skin)];
        let (mut cells, mut marks) = (row.names(), Vec::new());
        for (from, [ours, theirs]) in [("poses", from_pose), ("matrices", from_matrices)] {
            let ratio = theirs / ours;
            cells.extend([number(ours), number(theirs), number(ratio)]);
            marks.push(mark(ratio >= target).to_owned());
            behind.look(&format!("{what} from {from}"), &row.title(), ratio);
        }
        cells.push(format!(">={}", short(target)));
        cells.extend(marks);
        table.row(cells);
    }
    table
}

/// First contact with the pair of the frame before as a hint, where contact lasts.
pub fn with_hints(runs: &[Run], behind: &mut Behind) -> Columns {
    let mut table = Columns::new(
        "First contact with that of the frame before as a hint, us from poses, where contact lasts; share of hints that were right",
        2,
        &["character", "class", "frames", "right", "no hint", "hint", "opponent", "ratio", "target"],
    );
    for mut row in rows(runs).filter(|row| row.class != Class::Apart) {
        row.frames.retain(|frame| frame.hint_was_right.is_some());
        if row.frames.is_empty() {
            continue;
        }
        let [plain, near] = [Part::First, Part::FirstNear].map(|part| row.time(&[Part::SetPose, part]));
        let theirs = row.time(&[Part::Hierarchy, Part::Skin, Part::Refit, Part::OpponentFirst]);
        let right = row.mean(|frame| f64::from(u8::from(frame.hint_was_right == Some(true))));
        let mut cells = row.names();
        cells.extend([right, plain, near, theirs].map(number));
        cells.extend(at_least(theirs / near, targets::first_contact_near(row.run.triangles)));
        behind.look("First contact with a hint", &row.title(), theirs / near);
        table.row(cells);
    }
    table
}

/// Queries alone.
pub fn limit(runs: &[Run]) -> Columns {
    let mut table = Columns::new(
        "The query alone, us: ours with all refits in it, against exact trees built for that very pose (the limit)",
        2,
        &["character", "class", "frames", "first", "limit", "ratio", "all", "limit", "ratio"],
    );
    for row in rows(runs) {
        let mut cells = row.names();
        for (ours, limit) in [(Part::First, Part::LimitFirst), (Part::All, Part::LimitAll)] {
            let (ours, limit) = (row.time(&[ours]), row.time(&[limit]));
            cells.extend([ours, limit, ours / limit].map(number));
        }
        table.row(cells);
    }
    table
}
