//! What a ray hits, for eyes.

use super::report::{Hit, JointShare, Report};
use crate::table::{counted, printable};

/// The whole report, ending with a line break.
pub fn text(report: &Report) -> String {
    let pose = match (&report.clip, report.time) {
        (Some(clip), Some(time)) => format!("clip {:?} at {time} s", printable(clip, 40)),
        _ => "rest pose".to_owned(),
    };
    let ray = &report.ray;
    let pixel = ray.pixel.map_or(String::new(), |[x, y]| format!(", through pixel {x},{y}"));
    let mut text = format!(
        "{}: {pose}, {} skinning\nray from {} along {}{pixel}\n",
        report.file,
        report.skinning,
        vector(&ray.from),
        vector(&ray.direction)
    );
    text += &match report.hits.len() {
        0 => "hits nothing\n".to_owned(),
        1 => String::new(),
        hits => format!("{}\n", counted(hits, "hit")),
    };
    for hit in &report.hits {
        text.push('\n');
        text += &of_hit(hit);
    }
    text
}

fn of_hit(hit: &Hit) -> String {
    let share = |joint: &JointShare| format!("{} {:.3}", printable(&joint.name, 40), joint.weight);
    let rows = [
        ("triangle", format!("{}, its {}", hit.triangle, if hit.back { "back" } else { "front" })),
        ("time", hit.time.to_string()),
        ("distance", hit.distance.to_string()),
        ("point", vector(&hit.point)),
        ("normal", vector(&hit.normal)),
        ("joints", hit.joints.iter().map(share).collect::<Vec<_>>().join(", ")),
        ("rest point", vector(&hit.rest_point)),
        ("uv", hit.uv.map_or("none".to_owned(), |uv| vector(&uv))),
        ("barycentrics", vector(&hit.barycentrics)),
    ];
    rows.iter().map(|(name, value)| format!("  {name:<12}  {value}\n")).collect()
}

/// As options take it, in digits that read back as the same f32.
fn vector(numbers: &[f32]) -> String {
    numbers.iter().map(f32::to_string).collect::<Vec<_>>().join(",")
}
