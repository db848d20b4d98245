//! The report as one page that needs no other file: totals, the worst of all, and per clip a timeline with pictures.

mod timeline;

use std::fmt::Write;

use supple_audit::{BonePair, Findings, Verdict};

use super::picture::Picture;
use super::report::{FileReport, Report, Settings, left_out_words, title};
use super::text::length;
use crate::page::{document, escaped, png_url};
use crate::short_names::ShortNames;
use crate::table::{counted, first_few, grouped};

use self::timeline::{CROSSES, STEPS, strip};

const STYLE: &str = include_str!("page.css");

/// Rows of a clip before the others are folded away.
const ROWS: usize = 12;

/// Characters of the files in the page's title.
const TITLE: usize = 60;

/// Rows of the list of the worst.
const WORST: usize = 10;

const DEFINITION: &str = "\
<p>A triangle belongs to the bone of its heaviest joint. <b>Pairs</b> are pairs of triangles that intersect, decided \
exactly; triangles that share a vertex always touch there, and are never compared. What is <b>left out</b> intersects, too, \
and is counted beside every clip; <b>clean</b> is a clip only where nothing is left out. Clips are looked at frame by \
frame: what happens between two frames is not. <b>New</b> pairs do not intersect in the rest pose, <b>rest</b> \
pairs do; both columns show the most in one frame.</p>\
<p><b>Depth</b> of two bones A and B: take the corners of A’s intersecting triangles that lie behind the plane of their \
partner; go on along edges of A, from vertex to vertex, as long as these are inside of B. The depth is the largest \
distance of such a vertex from the surface of B, or the same with A and B exchanged, whichever is larger. Inside of B is \
where B, seen from behind, covers at least a quarter of all directions and where the nearest point of B is not on the rim \
of its surface. Depth is measured at vertices, so surfaces that cross without a vertex of one inside of the other \
have depth 0, and a depth may come and go while they cross; a bone has no depth in itself.</p>";

/// The whole page.
pub fn page(report: &Report) -> String {
    let mut body = header(report);
    if report.files.iter().map(|f| f.audit.played().len()).sum::<usize>() > 1 {
        body += &worst_of_all(report);
    }
    for failed in &report.failed {
        let _ = write!(
            body,
            "<section class=\"failed\"><h2>{}</h2><p>Not audited: {}</p></section>",
            escaped(&failed.file),
            escaped(&failed.error)
        );
    }
    for skipped in &report.skipped {
        let _ = write!(
            body,
            "<section><h2>{}</h2><p class=\"remark\">Skipped: {}</p></section>",
            escaped(&skipped.file),
            escaped(&skipped.remark)
        );
    }
    for (index, file) in report.files.iter().enumerate() {
        body += &of_file(index, file, &report.settings);
    }
    document(&page_title(report), STYLE, &body)
}

/// What a tab of a browser shows: the files first, as far as there is room.
fn page_title(report: &Report) -> String {
    let files = report.files.iter().map(|f| f.file.as_str());
    let others =
        report.skipped.iter().map(|f| f.file.as_str()).chain(report.failed.iter().map(|f| f.file.as_str()));
    let names = files.chain(others).map(|file| file.rsplit(['/', '\\']).next().unwrap_or(file));
    format!("{} – supple audit", first_few(names, TITLE))
}

fn header(report: &Report) -> String {
    let totals = &report.totals;
    let mut tiles = String::new();
    let mut tile = |number: String, what: &str, class: &str| {
        let _ = write!(tiles, "<div class=\"tile {class}\"><b>{number}</b><span>{what}</span></div>");
    };
    tile(grouped(totals.files), if totals.files == 1 { "file" } else { "files" }, "");
    tile(grouped(totals.clips), if totals.clips == 1 { "clip" } else { "clips" }, "");
    tile(grouped(totals.frames), if totals.frames == 1 { "frame" } else { "frames" }, "");
    let found = totals.frames_with_pairs;
    let all_clean = totals.clean_except_left_out == 0;
    let colour = if found > 0 {
        "bad"
    } else if all_clean {
        "good"
    } else {
        "partly"
    };
    tile(grouped(found), "with intersections", colour);
    if totals.clean_except_left_out > 0 {
        tile(grouped(totals.clean_except_left_out), "clean except what was left out", "partly");
    }
    if let Some(limit) = report.settings.max_pairs {
        let over = totals.clips_over_limit;
        tile(
            grouped(over),
            &format!("over the limit of {}", counted(limit, "pair")),
            if over > 0 {
                "bad"
            } else if all_clean {
                "good"
            } else {
                "partly"
            },
        );
    }
    if !report.skipped.is_empty() {
        tile(grouped(report.skipped.len()), "skipped", "");
    }
    if !report.failed.is_empty() {
        tile(grouped(report.failed.len()), "not audited", "bad");
    }
    format!(
        "<header><h1>supple audit</h1><p class=\"lead\">Where characters go through themselves, frame by frame.</p>\
         <div class=\"tiles\">{tiles}</div><p class=\"settings\">{}</p>{}<details><summary>What is counted, and what \
         depth means</summary>{DEFINITION}</details></header>",
        settings(&report.settings),
        legend()
    )
}

fn settings(settings: &Settings) -> String {
    let mut parts =
        vec![format!("{} frames per second", settings.fps), format!("{} skinning", settings.skinning)];
    let mut left_out = vec!["pairs that share a vertex".to_owned()];
    if settings.rings > 0 {
        left_out
            .push(format!("pairs within {} along the surface", counted(settings.rings as usize, "triangle")));
    }
    if settings.skip_same_bone {
        left_out.push("pairs of one bone, unless it is the only one or morph targets move them".to_owned());
    }
    if settings.skip_parent_child {
        left_out.push("pairs of a bone and its parent".to_owned());
    }
    if settings.ignore_rest {
        left_out.push("pairs that intersect in the rest pose".to_owned());
    }
    parts.push(format!("left out: {}", left_out.join(", ")));
    if !settings.bones.is_empty() {
        parts.push(format!("only {}", settings.bones.join(", ")));
    }
    if !settings.clips.is_empty() {
        parts.push(format!("only clips {}", settings.clips.join(", ")));
    }
    escaped(&parts.join("; "))
}

fn legend() -> String {
    let mut cells = format!("<span><i class=\"s0\"></i>{CROSSES}; or a bone in itself</span>");
    for shade in 0..=STEPS.len() {
        let text = match shade {
            0 => format!("below {}", STEPS[0]),
            s if s == STEPS.len() => format!("{} and more", STEPS[s - 1]),
            s => format!("{}–{}", STEPS[s - 1], STEPS[s]),
        };
        let _ = write!(cells, "<span><i class=\"s{}\"></i>{text}</span>", shade + 1);
    }
    format!(
        "<p class=\"legend\"><b>Depth, % of the height</b>{cells}<span><i class=\"worst\"></i>worst frame</span></p>"
    )
}

fn worst_of_all(report: &Report) -> String {
    let mut all: Vec<(String, &FileReport, &Findings, &BonePair)> = Vec::new();
    for (f, file) in report.files.iter().enumerate() {
        for (m, findings) in file.audit.played().iter().enumerate() {
            all.extend(findings.bone_pairs.iter().map(|pair| (anchor(f, m), file, findings, pair)));
        }
    }
    let depth = |pair: &BonePair| pair.depth_percent.or(pair.depth).unwrap_or(-1.0);
    all.sort_by(|a, b| depth(b.3).total_cmp(&depth(a.3)));
    if all.is_empty() {
        return String::new();
    }
    let mut rows = String::new();
    for (anchor, file, findings, pair) in all.iter().take(WORST) {
        let _ = write!(
            rows,
            "<tr><td>{}</td><td><a href=\"#{anchor}\">{}</a></td><td class=\"dim\">{}</td><td class=\"n\">{}</td>\
             <td class=\"n\">{}</td><td class=\"n\">{}</td></tr>",
            bones(pair, &file.short_names),
            escaped(&title(findings)),
            escaped(&file.file),
            pair.worst_frame,
            depth_cell(pair),
            percent_cell(pair)
        );
    }
    format!(
        "<section><h2>The worst of all</h2><div class=\"wide\"><table><thead><tr><th>bones</th><th>clip</th><th>file</th>\
         <th class=\"n\">frame</th><th class=\"n\">depth</th><th class=\"n\">%</th></tr></thead><tbody>{rows}</tbody>\
         </table></div></section>"
    )
}

fn of_file(index: usize, file: &FileReport, settings: &Settings) -> String {
    let at_rest = match (file.audit.rest.most_pairs, settings.ignore_rest) {
        (0, _) if file.audit.rest.verdict == Verdict::Clean => {
            "nothing intersects in the rest pose".to_owned()
        }
        (0, _) => "nothing intersects in the rest pose except what was left out".to_owned(),
        (count, ignored) => format!(
            "{} intersect in the rest pose{}",
            counted(count, "pair"),
            if ignored { ", which are ignored" } else { "" }
        ),
    };
    let mut text = format!(
        "<section><h2>{}</h2><p class=\"dim\">{}, {}, height {}; {at_rest}{}</p>",
        escaped(&file.file),
        counted(file.audit.triangles, "triangle"),
        counted(file.audit.bones, "bone"),
        length(file.audit.height),
        if file.audit.clips.is_empty() { "; no clips, so only the rest pose was looked at" } else { "" }
    );
    if let Some(remark) = file.short_names.remark() {
        let _ = write!(text, "<p class=\"dim\">{}</p>", escaped(&remark));
    }
    for remark in file.remarks() {
        let _ = write!(text, "<p class=\"remark\">{}</p>", escaped(&remark));
    }
    text += &verdicts(file.audit.played());
    for (number, findings) in file.audit.played().iter().enumerate().filter(|(_, m)| !m.bone_pairs.is_empty())
    {
        let pictures = file.pictures.of_clip(number);
        text += &of_clip(&anchor(index, number), findings, file, pictures, f64::from(settings.fps));
    }
    text + "</section>"
}

/// Clips in which nothing intersects, and those in which nothing does but what is left out.
fn verdicts(played: &[Findings]) -> String {
    let mut text = String::new();
    let clean: Vec<String> =
        played.iter().filter(|m| m.verdict == Verdict::Clean).map(|m| escaped(&title(m))).collect();
    if !clean.is_empty() {
        let _ = write!(text, "<p><span class=\"badge good\">clean</span> {}</p>", clean.join(", "));
    }
    for findings in played.iter().filter(|m| m.verdict == Verdict::CleanExceptLeftOut) {
        let _ = write!(
            text,
            "<p><span class=\"badge partly\">clean except what was left out</span> {} \
             <span class=\"dim\">left out: {}</span></p>",
            escaped(&title(findings)),
            left_out_words(&findings.left_out, findings.frames)
        );
    }
    text
}

fn of_clip(anchor: &str, findings: &Findings, file: &FileReport, pictures: &[Picture], fps: f64) -> String {
    let names = &file.short_names;
    let badge = if findings.over_limit { "<span class=\"badge bad\">over the limit</span>" } else { "" };
    let mut text = format!("<article id=\"{anchor}\"><h3>{} {badge}</h3>", escaped(&title(findings)));
    let length =
        if findings.clip.is_some() { format!("{:.2} s, ", findings.duration) } else { String::new() };
    let _ = write!(
        text,
        "<p class=\"dim\">{length}intersections in {} of {}; at most {} in one frame, number {}</p>",
        grouped(findings.frames_with_pairs),
        counted(findings.frames, "frame"),
        counted(findings.most_pairs, "pair"),
        findings.fullest_frame
    );
    if !findings.left_out.is_nothing() {
        let words = left_out_words(&findings.left_out, findings.frames);
        let _ = write!(text, "<p class=\"dim\">left out: {words}</p>");
    }
    let (first, others) = findings.bone_pairs.split_at(findings.bone_pairs.len().min(ROWS));
    text += &table(findings, first, names);
    if !others.is_empty() {
        let _ = write!(
            text,
            "<details><summary>{} more</summary>{}</details>",
            grouped(others.len()),
            table(findings, others, names)
        );
    }
    let drawn = findings.bone_pairs.iter().zip(pictures);
    let figures: String = drawn.map(|(pair, picture)| figure(findings, pair, names, picture, fps)).collect();
    let _ = write!(text, "<div class=\"figures\">{figures}</div></article>");
    text
}

fn table(findings: &Findings, pairs: &[BonePair], names: &ShortNames) -> String {
    let last = findings.frames - 1;
    let mut rows = String::new();
    for pair in pairs {
        let _ = write!(
            rows,
            "<tr><td>{}</td><td class=\"strip\">{}</td><td class=\"n\">{}–{} ({})</td>\
             <td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td></tr>",
            bones(pair, names),
            strip(findings, pair),
            pair.first_frame,
            pair.last_frame,
            pair.frames,
            pair.worst_frame,
            grouped(pair.most_new_pairs),
            grouped(pair.most_rest_pairs),
            depth_cell(pair),
            percent_cell(pair)
        );
    }
    format!(
        "<div class=\"wide\"><table><thead><tr><th>bones</th><th class=\"strip\"><span class=\"axis\"><span>frame 0</span>\
         <span>{}</span><span>{last}</span></span></th><th class=\"n\">frames</th><th class=\"n\">worst</th>\
         <th class=\"n\">new</th><th class=\"n\">rest</th><th class=\"n\">depth</th><th class=\"n\">%</th></tr></thead>\
         <tbody>{rows}</tbody></table></div>",
        if last > 1 { (last / 2).to_string() } else { String::new() }
    )
}

fn figure(findings: &Findings, pair: &BonePair, names: &ShortNames, picture: &Picture, fps: f64) -> String {
    let when = match findings.clip {
        None => "rest pose".to_owned(),
        Some(_) => format!("frame {}, {:.2} s", pair.worst_frame, pair.worst_frame as f64 / fps),
    };
    let [a, b] = pair.bones.each_ref().map(|name| escaped(names.cut(name)));
    format!(
        "<figure><img alt=\"{a} and {b}, {when}\" src=\"{}\"><figcaption><span><i class=\"a\"></i>{a}</span> \
         <span><i class=\"b\"></i>{b}</span><br><span class=\"dim\">{when}, depth {}{}</span></figcaption></figure>",
        png_url(&picture.png),
        depth_cell(pair),
        pair.depth_percent.map_or(String::new(), |p| format!(" ({p:.2} %)"))
    )
}

fn bones(pair: &BonePair, names: &ShortNames) -> String {
    let [a, b] = pair.bones.each_ref().map(|name| escaped(names.cut(name)));
    format!("{a} <span class=\"dim\">×</span> {b}")
}

fn depth_cell(pair: &BonePair) -> String {
    match pair.depth {
        None => "–".to_owned(),
        Some(0.0) => format!("0 <span class=\"crosses\">{CROSSES}</span>"),
        Some(depth) => length(depth),
    }
}

fn percent_cell(pair: &BonePair) -> String {
    pair.depth_percent.map_or("–".to_owned(), |percent| format!("{percent:.2}"))
}

fn anchor(file: usize, findings: usize) -> String {
    format!("m{file}-{findings}")
}
