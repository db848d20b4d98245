//! Weights that bleed, of a whole file: as a list, in words, and as colours.
//!
//! In: a model. Out: which vertices follow a bone of another limb.

use glam::Vec3;
use serde::Serialize;
use supple::Model;
use supple_audit::{Bones, bleeding, bleeding_map};
use supple_io::{ColouredFrame, ColouredMesh};

use super::report::FileReport;
use crate::table::counted;

/// A vertex that follows a bone of another limb.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BleedingWeight {
    pub vertex: u32,
    /// The bone that the vertex lives on.
    pub bone: String,
    /// The bone of another limb.
    pub follows: String,
    pub weight: f32,
}

/// All of a model, the largest weight first; and for every vertex how much of it bleeds.
pub fn of_model(model: &Model, bones: &Bones) -> (Vec<BleedingWeight>, Vec<f32>) {
    let found = bleeding(model, bones);
    let listed = found.iter().map(|one| BleedingWeight {
        vertex: one.vertex,
        bone: bones.label(one.owner).to_owned(),
        follows: bones.label(one.bone).to_owned(),
        weight: one.weight,
    });
    (listed.collect(), bleeding_map(model, &found))
}

/// `12 weights bleed: vertex 4711 of LeftHand follows LeftUpLeg by 0.31 ...`; nothing where none does.
pub fn words(file: &FileReport) -> Option<String> {
    let BleedingWeight { vertex, bone, follows, weight } = file.bleeding.first()?;
    let cut = |name| file.short_names.cut(name);
    Some(format!(
        "weights bleed at {}: the most at vertex {vertex} of {}, which follows {} by {weight:.2}",
        counted(file.bleeding.len(), "place"),
        cut(bone),
        cut(follows)
    ))
}

/// The rest pose, white where nothing bleeds, and the redder the more does.
pub fn coloured<'a>(model: &'a Model, positions: &'a [Vec3], map: &[f32]) -> ColouredFrame<'a> {
    let colour = |corners: &[u32; 3]| {
        let most = corners.iter().map(|&v| map[v as usize]).fold(0.0, f32::max);
        // Little is seen, too: from a third on it is all red.
        let pale = (255.0 * (1.0 - (3.0 * most).min(1.0))) as u8;
        if most > 0.0 { [255, pale / 2, pale / 2, 255] } else { [220, 220, 220, 255] }
    };
    let triangles = model.mesh().triangles();
    let mesh = |part: &supple::model::Part| ColouredMesh {
        name: part.name.clone(),
        positions,
        triangles: &triangles[part.triangles.clone()],
        colours: triangles[part.triangles.clone()].iter().map(colour).collect(),
    };
    ColouredFrame { name: "weights that bleed".to_owned(), meshes: model.parts().iter().map(mesh).collect() }
}
