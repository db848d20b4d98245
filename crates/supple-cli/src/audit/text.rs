//! The report for eyes: per file and clip a table of bones.

use super::report::{BonePair, FileReport, Motion, Report, Settings};
use crate::table::{Side, Table, counted, grouped, printable};

/// Rows of a table before the rest is only counted.
const ROWS: usize = 20;

/// Characters of a bone's name.
const NAME: usize = 20;

const MEANING: &str = "
  frames  first-last in which the bones intersect, and in how many of them; worst: the deepest
  new     most pairs of triangles in one frame that do not intersect in the rest pose
  rest    most of those that do
  depth   how far one surface is inside of the other, in the file's units; %: of the height at rest
";

/// The whole report, ending with a line break.
pub fn text(report: &Report) -> String {
    let mut text = String::new();
    for file in &report.files {
        text += &of_file(file, &report.settings);
        text.push('\n');
    }
    if report.files.iter().any(|f| f.motions().iter().chain([&f.rest]).any(|m| !m.bone_pairs.is_empty())) {
        text += MEANING.trim_start_matches('\n');
        text.push('\n');
    }
    let totals = &report.totals;
    if totals.files > 0 {
        text += &format!(
            "{}, {}: {} of {} with intersections.\n",
            counted(totals.files, "file"),
            counted(totals.clips, "clip"),
            grouped(totals.frames_with_pairs),
            counted(totals.frames, "frame"),
        );
    }
    text
}

fn of_file(file: &FileReport, settings: &Settings) -> String {
    let mut text = format!(
        "{}: {}, {}, height {}\n",
        file.file,
        counted(file.triangles, "triangle"),
        counted(file.bones, "bone"),
        length(file.height)
    );
    text += &match (file.rest.most_pairs, settings.ignore_rest) {
        (0, _) => "  rest pose: nothing intersects\n".to_owned(),
        (count, true) => {
            format!("  rest pose: {} of triangles intersect, ignored below\n", counted(count, "pair"))
        }
        (count, false) => format!("  rest pose: {} of triangles intersect\n", counted(count, "pair")),
    };
    if let Some(remark) = file.remark(settings) {
        text += &format!("  {remark}\n");
    }
    if file.clips.is_empty() {
        text += "  no clips: only the rest pose was looked at\n";
        text += &if file.rest.bone_pairs.is_empty() { String::new() } else { table(&file.rest) };
    }
    for clip in &file.clips {
        text += &of_clip(clip);
    }
    text
}

fn of_clip(clip: &Motion) -> String {
    let heading = format!(
        "\n  {} ({:.2} s, {})",
        printable(&clip.title(), 50),
        clip.duration,
        counted(clip.frames, "frame")
    );
    if clip.bone_pairs.is_empty() {
        return format!("{heading}: clean\n");
    }
    let limit = if clip.over_limit { ": over the limit" } else { "" };
    format!(
        "{heading}{limit}\n  {} of bones in {}; at most {} of triangles, in frame {}\n{}",
        counted(clip.bone_pairs.len(), "pair"),
        counted(clip.frames_with_pairs, "frame"),
        counted(clip.most_pairs, "pair"),
        clip.fullest_frame,
        table(clip)
    )
}

fn table(motion: &Motion) -> String {
    use Side::{Left, Right};
    let mut table = Table::new(&[
        ("bones", Left),
        ("", Left),
        ("frames", Right),
        ("", Right),
        ("worst", Right),
        ("new", Right),
        ("rest", Right),
        ("depth", Right),
        ("%", Right),
    ]);
    for pair in &motion.bone_pairs {
        table.row(cells(pair));
    }
    table.text(ROWS)
}

fn cells(pair: &BonePair) -> [String; 9] {
    [
        shortened(&pair.bones[0]),
        shortened(&pair.bones[1]),
        format!("{}-{}", pair.first_frame, pair.last_frame),
        format!("({})", pair.frames),
        pair.worst_frame.to_string(),
        grouped(pair.most_new_pairs),
        grouped(pair.most_rest_pairs),
        pair.depth.map_or("-".to_owned(), length),
        pair.depth_percent.map_or("-".to_owned(), |percent| format!("{percent:.2}")),
    ]
}

/// The names of bones often differ only at their ends: long ones lose their middle.
fn shortened(name: &str) -> String {
    let name: Vec<char> = printable(name, usize::MAX).chars().collect();
    if name.len() <= NAME {
        return name.into_iter().collect();
    }
    let (head, tail) = (NAME / 3, NAME - NAME / 3 - 1);
    name[..head].iter().chain(['…'].iter()).chain(&name[name.len() - tail..]).collect()
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
    fn long_names_keep_both_ends() {
        assert_eq!(shortened("Skeleton_arm_joint_L__4_"), "Skelet…m_joint_L__4_");
        assert_eq!(shortened("hand\u{1b}"), "hand\u{fffd}");
    }

    #[test]
    fn lengths_have_three_digits() {
        let shown = [0.0, 0.01234, 1.7349, 178.31, 2_345.6, 1.5e-7, 3e9].map(length);
        assert_eq!(shown, ["0", "0.0123", "1.73", "178", "2346", "1.50e-7", "3.00e9"]);
    }
}
