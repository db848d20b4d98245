//! The report for eyes: regions, chains, and per clip which regions come near each other.

use super::report::{AgreementReport, ClipReport, RegionPair, Report};
use crate::digits::three_digits;
use crate::short_names::ShortNames;
use crate::table::{Side, Table, counted, grouped, printable, shortened};

/// Rows of a table before the rest is only counted, and where it is then.
const ROWS: usize = 30;
const CHAINS: usize = 15;
const HINT: &str = ": --json FILE has all";

/// Characters of a region's name, and of a list of frames.
const NAME: usize = 18;
const FRAMES: usize = 20;

const FITS: &str = "
  off by      how far corners of triangles are from their sphere on average, in % of the radius
  sticks out  share of the surface that is outside of all spheres by more than half that radius
  too wide    share of the surface that spheres reach beyond by as much
";

const MEANING: &str = "
  frames   in which spheres of the two regions overlap, and how many these are
  chains   in how many of them spheres of one chain do
  most     pairs of spheres that overlap at once, and in which frame
";
const RESTING: &str =
    "  Left out: spheres whose triangles meet, and those that overlap at rest as they were fitted.\n";
const RESTING_KEPT: &str = "  Left out: spheres whose triangles meet.\n";
const TOUCHING: &str =
    "  touch    frames in which the two regions really touch, also where no spheres overlap\n";

/// The whole report, ending with a line break.
pub fn text(report: &Report) -> String {
    let from = if report.settings.regions_from_rig { "from the rig" } else { "as named" };
    let mut text = format!(
        "{}: {}, {} in {} ({from})\n\n",
        report.file,
        counted(report.regions.iter().map(|region| region.triangles).sum(), "triangle"),
        counted(report.spheres.len(), "sphere"),
        counted(report.regions.len(), "region"),
    );
    if let Some(remark) = report.short_names.remark() {
        text += &format!("{remark}\n\n");
    }
    text += &regions(report);
    text += &chains(report);
    let update = if report.settings.enclosing {
        "contain all of their triangles".to_owned()
    } else {
        format!("follow {} each", counted(report.settings.pivots, "triangle"))
    };
    text += &format!("\nSpheres {update}; {} skinning.\n", report.settings.skinning);
    for clip in &report.clips {
        text += &of_clip(clip, &report.short_names);
    }
    if report.clips.iter().any(|clip| !clip.region_pairs.is_empty()) {
        text += MEANING;
        text += if report.settings.check { TOUCHING } else { "" };
        text += if report.settings.keep_resting { RESTING_KEPT } else { RESTING };
    }
    if report.settings.check {
        text += &checked(report);
    }
    for (place, warning) in report.warnings.iter().enumerate() {
        text += if place == 0 { "\n" } else { "" };
        text += &format!("Warning: {}.\n", warning.replace("; ", ";\n  "));
    }
    text
}

fn regions(report: &Report) -> String {
    let mut table = Table::new(&[
        ("region", Side::Left),
        ("kind", Side::Left),
        ("spheres", Side::Right),
        ("triangles", Side::Right),
        ("radius", Side::Right),
        ("off by", Side::Right),
        ("sticks out", Side::Right),
        ("too wide", Side::Right),
        ("", Side::Left),
    ]);
    for region in &report.regions {
        let numbers = [grouped(region.spheres), grouped(region.triangles), three_digits(region.radius)];
        let shares =
            [region.fit.off_by.unwrap_or(f64::INFINITY), region.fit.outside, region.fit.beyond].map(share);
        let words = [shortened(report.short_names.cut(&region.name), NAME), region.kind.to_owned()];
        let bad = if region.fit.is_bad { "bad fit" } else { "" };
        table.row(words.into_iter().chain(numbers).chain(shares).chain([bad.to_owned()]));
    }
    table.text_with_hint(ROWS, HINT) + FITS
}

/// In percent, as far as that says anything: spheres of a flat region are points.
fn share(value: f64) -> String {
    if value < 100.0 { format!("{:.0} %", 100.0 * value) } else { "-".to_owned() }
}

fn chains(report: &Report) -> String {
    if report.chains.is_empty() {
        return "\nNo chains: they lead from limb to limb, and there are not two.\n".to_owned();
    }
    let mut table = Table::new(&[
        ("chain", Side::Left),
        ("", Side::Left),
        ("spheres", Side::Right),
        ("of the trunk", Side::Right),
    ]);
    for chain in &report.chains {
        let names = chain.limbs.iter().map(|limb| shortened(report.short_names.cut(limb), NAME));
        table.row(names.chain([grouped(chain.spheres.len()), grouped(chain.of_trunk)]));
    }
    let memberships: usize = report.chains.iter().map(|chain| chain.spheres.len()).sum();
    format!(
        "\n{} from limb to limb, of {:.1} spheres on average\n{}",
        counted(report.chains.len(), "chain"),
        memberships as f64 / report.chains.len() as f64,
        table.text_with_hint(CHAINS, HINT)
    )
}

fn of_clip(clip: &ClipReport, names: &ShortNames) -> String {
    let title = match clip.clip {
        None => "rest pose, there are no clips".to_owned(),
        Some(_) => {
            let frames = counted(clip.frames, "frame");
            format!("{} ({}, {frames})", printable(&clip.name, 50), seconds(clip.looked_at, clip.duration))
        }
    };
    let overlaps = match clip.frames_with_overlaps {
        0 => "no spheres overlap".to_owned(),
        frames => format!("spheres overlap in {}", counted(frames, "frame")),
    };
    let touches = match clip.check.as_ref().map(|check| check.frames_touching) {
        None => String::new(),
        Some(0) => ", triangles touch in none".to_owned(),
        Some(frames) => format!(", triangles touch in {}", counted(frames, "frame")),
    };
    let pairs = match clip.region_pairs.is_empty() {
        true => String::new(),
        false => region_pairs(&clip.region_pairs, names),
    };
    format!("\n{title}:\n  {overlaps}{touches}\n{pairs}")
}

/// `6.00 s`, or `the first 2.00 of 6.00 s` where that is not the same.
fn seconds(looked_at: f64, whole: f64) -> String {
    let [part, all] = [looked_at, whole].map(|seconds| format!("{seconds:.2}"));
    if part == all { format!("{all} s") } else { format!("the first {part} of {all} s") }
}

fn region_pairs(pairs: &[RegionPair], names: &ShortNames) -> String {
    let checked = pairs.iter().any(|pair| pair.frames_touching.is_some());
    let mut columns = vec![
        ("regions", Side::Left),
        ("", Side::Left),
        ("frames", Side::Left),
        ("", Side::Right),
        ("chains", Side::Right),
        ("most", Side::Right),
        ("in frame", Side::Right),
    ];
    if checked {
        columns.push(("touch", Side::Right));
    }
    let mut table = Table::new(&columns);
    for pair in pairs {
        let [first, second] = &pair.regions;
        let name = |name: &str| shortened(names.cut(name), NAME);
        let second = if first == second { "itself".to_owned() } else { name(second) };
        let mut cells = vec![name(first), second, ranges(&pair.frames, FRAMES)];
        cells.push(format!("({})", pair.frames.len()));
        cells.push(pair.frames_by_chains.to_string());
        cells.extend([
            grouped(pair.most_pairs),
            pair.fullest_frame.map_or("-".to_owned(), |frame| frame.to_string()),
        ]);
        cells.extend(pair.frames_touching.map(|frames| frames.to_string()));
        table.row(cells);
    }
    table.text_with_hint(ROWS, HINT)
}

/// Ascending numbers as `3-8, 12, …`: as many ranges as fit.
fn ranges(numbers: &[usize], width: usize) -> String {
    let mut ranges: Vec<[usize; 2]> = Vec::new();
    for &number in numbers {
        match ranges.last_mut() {
            Some([_, last]) if *last + 1 == number => *last = number,
            _ => ranges.push([number; 2]),
        }
    }
    let words: Vec<String> = ranges
        .iter()
        .map(|&[first, last]| if first == last { first.to_string() } else { format!("{first}-{last}") })
        .collect();
    let mut text = String::new();
    for (place, word) in words.iter().enumerate() {
        let comma = if place == 0 { "" } else { ", " };
        // Room for what says that there are more.
        let room = if place + 1 == words.len() { 0 } else { 3 };
        if text.len() + comma.len() + word.len() + room > width {
            return text + ", …";
        }
        text += comma;
        text += word;
    }
    if text.is_empty() { "-".to_owned() } else { text }
}

/// How much of what touches spheres find, and how much of what they find touches.
fn checked(report: &Report) -> String {
    let columns = ["clip", "touching", "tested", "chains: found", "right", "all: found", "right"];
    let side = |place: usize| if place == 0 { Side::Left } else { Side::Right };
    let columns: Vec<(&str, Side)> =
        columns.into_iter().enumerate().map(|(place, name)| (name, side(place))).collect();
    let mut table = Table::new(&columns);
    for (clip, check) in report.clips.iter().filter_map(|clip| Some((clip, clip.check.as_ref()?))) {
        let name = if clip.clip.is_some() { printable(&clip.name, NAME) } else { "rest pose".to_owned() };
        let numbers = [grouped(check.touching), grouped(check.tested)];
        let shares = [&check.chains, &check.all].into_iter().flat_map(shares);
        table.row([name].into_iter().chain(numbers).chain(shares));
    }
    let tested = match report.settings.keep_resting {
        true => "are no neighbours",
        false => "are neither neighbours nor overlap at rest",
    };
    format!(
        "\nBeside the exact self-collision, over all frames:\n{}\
         \n  touching   pairs of triangles that touch\
         \n  tested     those of them whose spheres {tested};\
         \n             the others cannot be found\
         \n  found      share of all that touch whose spheres overlap; - where nothing touches\
         \n  right      share of the overlapping pairs of spheres with triangles that touch;\
         \n             - where there are none\n",
        table.text_with_hint(ROWS, HINT)
    )
}

fn shares(agreement: &AgreementReport) -> [String; 2] {
    let percent =
        |share: Option<f64>| share.map_or("-".to_owned(), |share| format!("{:.1} %", 100.0 * share));
    [agreement.recall, agreement.precision].map(percent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_ranges_as_far_as_they_fit() {
        assert_eq!(ranges(&[3, 4, 5, 9, 11, 12], 30), "3-5, 9, 11-12");
        assert_eq!(ranges(&[3, 4, 5, 9, 11, 12], 10), "3-5, 9, …");
        assert_eq!(ranges(&[3], 1), "3");
        assert_eq!(ranges(&[], 9), "-");
    }

    #[test]
    fn a_part_of_a_clip_is_called_one() {
        assert_eq!(seconds(6.0, 6.0), "6.00 s");
        assert_eq!(seconds(2.0, 6.0), "the first 2.00 of 6.00 s");
    }
}
