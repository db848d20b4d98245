//! What a ray hits, for eyes.

use super::report::{Hit, JointShare, Report};
use crate::short_names::ShortNames;
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
        text += &of_hit(hit, &report.short_names);
    }
    if let Some(remark) = report.short_names.remark().filter(|_| !report.hits.is_empty()) {
        text += &format!("\n{remark}\n");
    }
    text
}

fn of_hit(hit: &Hit, names: &ShortNames) -> String {
    let share = |joint: &JointShare| format!("{} {:.3}", printable(names.cut(&joint.name), 40), joint.weight);
    let rows = [
        ("triangle", format!("{}, its {}", hit.triangle, if hit.back { "back" } else { "front" })),
        ("time", rounded(&[hit.time])),
        ("distance", rounded(&[hit.distance])),
        ("point", rounded(&hit.point)),
        ("normal", rounded(&hit.normal)),
        ("joints", hit.joints.iter().map(share).collect::<Vec<_>>().join(", ")),
        ("rest point", rounded(&hit.rest_point)),
        ("uv", hit.uv.map_or("none".to_owned(), |uv| rounded(&uv))),
        ("barycentrics", rounded(&hit.barycentrics)),
    ];
    rows.iter().map(|(name, value)| format!("  {name:<12}  {value}\n")).collect()
}

/// As options take it, in digits that read back as the same f32.
fn vector(numbers: &[f32]) -> String {
    numbers.iter().map(f32::to_string).collect::<Vec<_>>().join(",")
}

/// Six digits of the largest number, as many behind the point of the others; --json has all of them.
fn rounded(numbers: &[f32]) -> String {
    let largest = numbers.iter().fold(0.0f32, |largest, number| largest.max(number.abs()));
    let before_point =
        if largest > 0.0 && largest.is_finite() { largest.log10().floor() as i32 + 1 } else { 1 };
    let behind_point = (6 - before_point).clamp(0, 45) as usize;
    let shown = |&number: &f32| {
        let text = format!("{number:.behind_point$}");
        let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
        if text == "-0" { "0".to_owned() } else { text.to_owned() }
    };
    numbers.iter().map(shown).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_nothing_beside_the_others_is_zero() {
        assert_eq!(rounded(&[2.0772038e-10, 1.2, 0.10429848]), "0,1.2,0.1043");
        assert_eq!(rounded(&[4.895_701_4]), "4.8957");
        assert_eq!(rounded(&[-1e-9, 1_234_567.0, -0.6]), "0,1234567,-1");
        assert_eq!(rounded(&[0.000_012_345_678]), "0.0000123457");
        assert_eq!(rounded(&[f32::INFINITY, 0.0]), "inf,0");
    }
}
