//! The first lines of the report: one label each, with the figures that matter most.

use super::joints::JointReport;
use super::number::{decimals, number, trimmed};
use super::report::Report;
use super::scale::JointScales;
use super::surface::Surface;
use crate::short_names::ShortNames;
use crate::table::{counted, first_few, grouped, printable};

/// Columns beside the labels, so that lines end before column 100.
const WIDTH: usize = 82;

/// Labels and what stands beside them; a further line of the same label has an empty one.
pub fn summary(report: &Report) -> Vec<(&'static str, String)> {
    let surface = &report.surface;
    let mut attributes = Vec::new();
    for (has, name) in [(report.normals, "normals"), (report.texture_coordinates, "texture coordinates")] {
        attributes.push(if has { format!("with {name}") } else { format!("no {name}") });
    }
    let mut lines = Vec::new();
    if let Some(generator) = &report.generator {
        lines.push(("written by", printable(generator, WIDTH)));
    }
    if let (Some(scene), true) = (report.scene, report.scenes.len() > 1) {
        let names: Vec<String> = report
            .scenes
            .iter()
            .enumerate()
            .map(|(i, name)| format!("{i} {}", printable(name, 24)))
            .collect();
        lines.push(("scenes", listed(format!("{}, read is {scene}: ", names.len()), &names)));
    }
    lines.extend([
        (
            "vertices",
            format!(
                "{} at {}; {}",
                grouped(surface.vertices),
                counted(surface.distinct_positions, "distinct position"),
                attributes.join(", ")
            ),
        ),
        ("triangles", format!("{}; {}", grouped(surface.triangles), edges(surface))),
    ]);
    lines.extend(bounds(report));
    lines.extend([
        ("joints", joints(report)),
        ("influences", influences(report)),
        ("combinations", joint_sets(report)),
    ]);
    lines.extend(scales(report));
    if report.morphs.targets.is_empty() {
        lines.push(("morph targets", "none".to_owned()));
    }
    if report.clips.is_empty() {
        lines.push(("clips", "none".to_owned()));
    }
    lines
}

fn edges(surface: &Surface) -> String {
    let state = match (surface.closed, surface.boundary_edges) {
        (true, _) => "closed".to_owned(),
        (false, count) => format!("open, {}", counted(count, "boundary edge")),
    };
    match surface.non_manifold_edges {
        0 => state,
        count => format!("{state}, {count} non-manifold"),
    }
}

/// Size first, as it is what most people look for. All numbers with the precision that suits the largest.
fn bounds(report: &Report) -> [(&'static str, String); 2] {
    let (min, max) = (report.rest_bounds.min.map(f64::from), report.rest_bounds.max.map(f64::from));
    let largest = min.iter().chain(&max).fold(0.0, |m: f64, x| m.max(x.abs()));
    let rounded = |value: f64| trimmed(value, decimals(largest));
    let size = [0, 1, 2].map(|i| rounded(max[i] - min[i])).join(" x ");
    let corner = |corner: [f64; 3]| corner.map(rounded).join(", ");
    [("rest pose", size), ("", format!("from ({}) to ({})", corner(min), corner(max)))]
}

fn joints(report: &Report) -> String {
    let idle = report.joints.iter().filter(|j| j.vertices == 0).count();
    let idle = if idle > 0 { format!(", {idle} without vertices") } else { String::new() };
    let short = ShortNames::new(report.joints.iter().map(|joint| joint.name.as_str()));
    let remark = short.remark().map_or(String::new(), |remark| format!(", {remark}"));
    let name = |joint: &JointReport| match joint.name.as_str() {
        "" => format!("node {}", joint.node),
        name => short.cut(name).to_owned(),
    };
    let names: Vec<String> = report.joints.iter().map(name).collect();
    listed(format!("{}{idle}{remark}: ", report.joints.len()), &names)
}

fn influences(report: &Report) -> String {
    let histogram: Vec<String> = report
        .influences
        .histogram
        .iter()
        .map(|h| format!("{} with {}", grouped(h.vertices), h.joints))
        .collect();
    listed(format!("at most {} per vertex: ", report.influences.max), &histogram)
}

fn joint_sets(report: &Report) -> String {
    let sizes: Vec<String> = report
        .joint_sets
        .by_size
        .iter()
        .map(|s| format!("{} of {}", s.sets, counted(s.joints, "joint")))
        .collect();
    listed(format!("{} in which vertices follow joints: ", report.joint_sets.count), &sizes)
}

/// As many items as fit behind what the line already says.
fn listed(said: String, items: &[String]) -> String {
    let room = WIDTH.saturating_sub(said.chars().count());
    said + &first_few(items.iter().map(String::as_str), room)
}

fn scales(report: &Report) -> Vec<(&'static str, String)> {
    let scale = &report.scale;
    let at_rest = [&scale.rest, &scale.inverse_bind, &scale.skinning_at_rest];
    if !at_rest.into_iter().chain(&scale.skinning_in_clips).any(JointScales::is_any) {
        return vec![("joint scale", "none".to_owned())];
    }
    let mut lines = vec![
        ("joint scale", format!("rest pose: {}", kinds(&scale.rest))),
        ("", format!("inverse bind matrices: {}", kinds(&scale.inverse_bind))),
        ("", format!("skinning at rest (their product): {}", kinds(&scale.skinning_at_rest))),
    ];
    if let Some(in_clips) = &scale.skinning_in_clips {
        lines.push(("", format!("skinning in clips: {}", kinds(in_clips))));
    }
    lines
}

fn kinds(scales: &JointScales) -> String {
    let named = [
        (scales.uniform, "uniform"),
        (scales.non_uniform, "non-uniform"),
        (scales.negative, "negative"),
        (scales.singular, "singular"),
    ];
    let present: Vec<String> =
        named.iter().filter(|(count, _)| *count > 0).map(|(count, name)| format!("{count} {name}")).collect();
    if present.is_empty() {
        return "none".to_owned();
    }
    let (least, greatest) = (number(scales.least), number(scales.greatest));
    let range = if least == greatest { least } else { format!("{least} to {greatest}") };
    format!("{} ({range})", present.join(", "))
}
