//! The report for eyes: per file and clip a table of bones.

use supple_audit::{BonePair, Findings, Verdict};

use super::report::{FileReport, Report, Settings, left_out_words, title};
use crate::short_names::ShortNames;
use crate::table::{Side, Table, counted, grouped, printable, shortened};

/// Rows of a table before the rest is only counted.
const ROWS: usize = 20;

/// Characters of a line, and of a bone's name where the numbers are wide.
const WIDTH: usize = 100;
const NAME: usize = 20;

/// Where rows are that the table does not show.
const HINT: &str = ": --json FILE or --html FILE has all";

const MEANING: &str = "
  frames  first-last in which the bones intersect, and in how many of them; worst: the deepest
  new     most pairs of triangles in one frame that do not intersect in the rest pose
  rest    most of those that do
  depth   how far one surface is inside of the other, in the file's units; %: of the height at rest;
          0: they cross, but no vertex of one is inside of the other
";

/// The whole report, ending with a line break.
pub fn text(report: &Report) -> String {
    let mut text = String::new();
    for file in &report.files {
        text += &of_file(file, &report.settings);
        text.push('\n');
    }
    for skipped in &report.skipped {
        text += &format!("{}: {}, skipped\n", skipped.file, skipped.remark);
    }
    for failed in &report.failed {
        text += &format!("{}: not audited\n", failed.file);
    }
    if !report.skipped.is_empty() || !report.failed.is_empty() {
        text.push('\n');
    }
    if report
        .files
        .iter()
        .any(|f| f.audit.played().iter().chain([&f.audit.rest]).any(|m| !m.bone_pairs.is_empty()))
    {
        text += MEANING.trim_start_matches('\n');
        text.push('\n');
    }
    text + &summary(report)
}

fn summary(report: &Report) -> String {
    let (totals, all) = (&report.totals, report.all_files());
    let files = if totals.files == all { String::new() } else { format!("{} of ", grouped(totals.files)) };
    let mut text = format!(
        "{files}{}, {}: {} of {} with reported intersections{}{}.\n",
        counted(all, "file"),
        counted(totals.clips, "clip"),
        grouped(totals.frames_with_pairs),
        counted(totals.frames, "frame"),
        left_out(report.skipped.len(), "skipped"),
        left_out(report.failed.len(), "not audited"),
    );
    let played = report.files.iter().flat_map(|file| file.audit.played());
    let partly = played.filter(|findings| !findings.left_out.is_nothing()).count();
    if partly > 0 {
        text += &format!(
            "In {} more triangles intersect that were left out; what and why is said above.\n",
            counted(partly, "clip")
        );
    }
    if totals.clips > 0 {
        text += &format!(
            "Clips were looked at with {} frames per second; what happens in between was not.\n",
            report.settings.fps
        );
    }
    if totals.clean + totals.clean_except_left_out > 0 {
        text += "Triangles that share a vertex always touch there: they are not compared.\n";
    }
    text
}

fn left_out(files: usize, why: &str) -> String {
    if files == 0 { String::new() } else { format!("; {} {why}", counted(files, "file")) }
}

fn of_file(file: &FileReport, settings: &Settings) -> String {
    let mut text = format!(
        "{}: {}, {}, height {}\n",
        file.file,
        counted(file.audit.triangles, "triangle"),
        counted(file.audit.bones, "bone"),
        length(file.audit.height)
    );
    text += &match (file.audit.rest.most_pairs, settings.ignore_rest) {
        (0, _) if file.audit.rest.verdict == Verdict::Clean => "  rest pose: nothing intersects\n".to_owned(),
        (0, _) => "  rest pose: nothing intersects except what was left out\n".to_owned(),
        (count, true) => {
            format!("  rest pose: {} of triangles intersect, ignored below\n", counted(count, "pair"))
        }
        (count, false) => format!("  rest pose: {} of triangles intersect\n", counted(count, "pair")),
    };
    text += &left_out_of(&file.audit.rest);
    for remark in file.remarks() {
        text += &format!("  {remark}\n");
    }
    let names = &file.short_names;
    if let Some(remark) = names.remark()
        && file.audit.played().iter().any(|m| !m.bone_pairs.is_empty())
    {
        text += &format!("  {remark}\n");
    }
    if file.audit.clips.is_empty() {
        text += "  no clips: only the rest pose was looked at\n";
        text += &if file.audit.rest.bone_pairs.is_empty() {
            String::new()
        } else {
            table(&file.audit.rest, names)
        };
    }
    for clip in &file.audit.clips {
        text += &of_clip(clip, names);
    }
    text
}

fn of_clip(clip: &Findings, names: &ShortNames) -> String {
    let heading = format!(
        "\n  {} ({:.2} s, {})",
        printable(&title(clip), 50),
        clip.duration,
        counted(clip.frames, "frame")
    );
    match clip.verdict {
        Verdict::Clean => return format!("{heading}: clean, no triangles intersect\n"),
        Verdict::CleanExceptLeftOut => {
            return format!("{heading}: clean except what was left out\n{}", left_out_of(clip));
        }
        _ => {}
    }
    let limit = if clip.over_limit { ": over the limit" } else { "" };
    format!(
        "{heading}{limit}\n  {} of bones in {}; at most {} of triangles, in frame {}\n{}{}",
        counted(clip.bone_pairs.len(), "pair"),
        counted(clip.frames_with_pairs, "frame"),
        counted(clip.most_pairs, "pair"),
        clip.fullest_frame,
        left_out_of(clip),
        table(clip, names)
    )
}

/// A line about what intersects and is not in the table; none where that is nothing.
fn left_out_of(findings: &Findings) -> String {
    match left_out_words(&findings.left_out, findings.frames) {
        words if words.is_empty() => words,
        words => format!("  left out: {words}\n"),
    }
}

fn table(findings: &Findings, names: &ShortNames) -> String {
    let bones = ["bones", ""].map(|name| (name, Side::Left));
    let columns = ["frames", "", "worst", "new", "rest", "depth", "%"].map(|name| (name, Side::Right));
    let mut table = Table::new(&[&bones[..], &columns].concat());
    let numbers: Vec<[String; 7]> = findings.bone_pairs.iter().map(numbers).collect();
    // Two spaces stand before every column.
    let width = |i: usize| numbers.iter().map(|row| row[i].len()).fold(columns[i].0.len(), usize::max);
    let taken: usize = (0..columns.len()).map(|i| 2 + width(i)).sum();
    let limit = (WIDTH.saturating_sub(taken + 4) / 2).max(NAME);
    for (pair, numbers) in findings.bone_pairs.iter().zip(numbers) {
        let name = |bone: &String| shortened(names.cut(bone), limit);
        table.row(pair.bones.iter().map(name).chain(numbers));
    }
    table.text_with_hint(ROWS, HINT)
}

/// All that is told of a pair but its names.
fn numbers(pair: &BonePair) -> [String; 7] {
    [
        format!("{}-{}", pair.first_frame, pair.last_frame),
        format!("({})", pair.frames),
        pair.worst_frame.to_string(),
        grouped(pair.most_new_pairs),
        grouped(pair.most_rest_pairs),
        pair.depth.map_or("-".to_owned(), length),
        pair.depth_percent.map_or("-".to_owned(), |percent| format!("{percent:.2}")),
    ]
}

/// Three digits that count.
pub fn length(length: f32) -> String {
    let size = length.abs();
    match size {
        0.0 => "0".to_owned(),
        _ if !(1e-4..1e6).contains(&size) => format!("{length:.2e}"),
        _ => {
            let decimals = (2 - size.log10().floor() as i32).clamp(0, 6) as usize;
            format!("{length:.decimals$}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_have_three_digits() {
        let shown = [0.0, 0.01234, 1.7349, 178.31, 2_345.6, 1.5e-7, 3e9].map(length);
        assert_eq!(shown, ["0", "0.0123", "1.73", "178", "2346", "1.50e-7", "3.00e9"]);
    }
}
