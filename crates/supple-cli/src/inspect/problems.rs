//! What a user should know before trusting the mesh: the reader's notes, then our own findings.

use std::collections::BTreeSet;

use supple::Model;

use super::report::Report;
use crate::table::counted;

/// All problems, as sentences without a full stop.
pub fn problems(notes: &[String], model: &Model, report: &Report) -> Vec<String> {
    let mut problems = notes.to_vec();
    let surface = &report.surface;
    let mut found = |count: usize, noun: &str, rest: &str| {
        if count > 0 {
            problems.push(format!("{} {rest}", counted(count, noun)));
        }
    };
    found(surface.degenerate_triangles, "triangle", "without area");
    found(surface.duplicate_triangles, "triangle", "with the same corners as an earlier one");
    found(surface.non_manifold_edges, "edge", "with more than two triangles");
    found(surface.unused_vertices, "vertex", "in no triangle");
    found(triangles_without_part(model), "triangle", "in no part");
    found(report.scale.skinning_at_rest.singular, "joint", "flattened to nothing at rest (scale 0)");
    let still = report.morphs.targets.iter().skip(usize::from(is_blend_of_shapes(report)));
    found(still.filter(|t| t.vertices == 0).count(), "morph target", "moving no vertex");
    let clips = &report.clips;
    found(clips.iter().filter(|c| c.duration <= 0.0).count(), "clip", "without duration");
    let names: BTreeSet<&str> = clips.iter().map(|c| c.name.as_str()).collect();
    found(clips.len() - names.len(), "clip", "with the name of an earlier one; use the number instead");
    problems
}

/// The first shape of a blend is the one others are compared with; it moves nothing by definition.
fn is_blend_of_shapes(report: &Report) -> bool {
    report.morphs.kind == super::morphs::MorphKind::Shapes
}

fn triangles_without_part(model: &Model) -> usize {
    let mut outside = vec![true; model.mesh().triangles().len()];
    for part in model.parts() {
        outside[part.triangles.clone()].fill(false);
    }
    outside.into_iter().filter(|&o| o).count()
}
