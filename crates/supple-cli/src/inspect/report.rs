//! Everything `inspect` has to say about a model, as plain data: the JSON is this, the text is made from this.

use std::ops::Range;

use anyhow::Context;
use serde::Serialize;
use supple::Aabb;
use supple::Skinning;
use supple::model::{Model, Part};

use super::clips::{ClipReport, clips};
use super::joints::{Influences, JointReport, JointSets, influences, joint_sets, joints};
use super::morphs::{Morphs, morphs};
use super::problems::problems;
use super::refusals::{Refusal, refusals};
use super::scale::{Scale, scale};
use super::surface::{Surface, surfaces};
use crate::source::Source;
use supple_cli::other_clips::ClipsOfFile;

/// What is in a file.
#[derive(Debug, Serialize)]
pub struct Report {
    pub file: String,
    pub format: String,
    pub generator: Option<String>,
    /// Names of the file's scenes.
    pub scenes: Vec<String>,
    /// The number of the scene that was read; nothing if the file has none.
    pub scene: Option<usize>,
    /// Sums over all parts.
    pub surface: Surface,
    pub normals: bool,
    pub texture_coordinates: bool,
    /// Of the rest pose, linearly skinned.
    pub rest_bounds: Bounds,
    pub parts: Vec<PartReport>,
    pub nodes: usize,
    pub joints: Vec<JointReport>,
    pub influences: Influences,
    pub joint_sets: JointSets,
    pub scale: Scale,
    pub morphs: Morphs,
    pub clips: Vec<ClipReport>,
    /// Clips of other files, which are among the clips.
    pub other_clips: Vec<ClipsOfFile>,
    pub problems: Vec<String>,
    /// What other commands would refuse the file for.
    pub refused: Vec<Refusal>,
}

/// A mesh of the file at a node.
#[derive(Debug, Serialize)]
pub struct PartReport {
    pub name: String,
    pub node: usize,
    pub vertices: Numbers,
    pub triangles: Numbers,
    pub morph_targets: Numbers,
    pub surface: Surface,
    pub primitives: Vec<PrimitiveReport>,
}

/// A piece of a part with one material.
#[derive(Debug, Serialize)]
pub struct PrimitiveReport {
    pub material: String,
    pub vertices: Numbers,
    pub triangles: Numbers,
}

/// Consecutive numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Numbers {
    pub first: usize,
    pub count: usize,
}

/// A box along the axes.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Bounds {
    pub min: [f32; 3],
    pub max: [f32; 3],
}

impl Report {
    /// Looks at everything. Fails where the rest pose is not finite.
    pub fn new(file: &str, source: &Source) -> anyhow::Result<Self> {
        let model = &source.model;
        let per_part = surfaces(model);
        let mut report = Self {
            file: file.to_owned(),
            format: source.format.clone(),
            generator: source.generator.clone(),
            scenes: source.scenes.clone(),
            scene: source.scene,
            surface: Surface::sum(&per_part),
            normals: model.mesh().normals().is_some(),
            texture_coordinates: model.mesh().uvs().is_some(),
            rest_bounds: rest_bounds(model).with_context(|| format!("{file}: the rest pose"))?,
            parts: model.parts().iter().zip(per_part).map(|(p, s)| part(p, s)).collect(),
            nodes: model.skeleton().nodes().len(),
            joints: joints(model),
            influences: influences(model.skin()),
            joint_sets: joint_sets(model.skin()),
            scale: scale(model).with_context(|| format!("{file}: the skeleton"))?,
            morphs: morphs(model),
            clips: clips(model),
            other_clips: source.other_clips.clone(),
            problems: Vec::new(),
            refused: refusals(model),
        };
        report.problems = problems(&source.notes, model, &report);
        Ok(report)
    }
}

impl From<&Range<usize>> for Numbers {
    fn from(range: &Range<usize>) -> Self {
        Self { first: range.start, count: range.len() }
    }
}

fn part(part: &Part, surface: Surface) -> PartReport {
    PartReport {
        name: part.name.clone(),
        node: part.node,
        vertices: (&part.vertices).into(),
        triangles: (&part.triangles).into(),
        morph_targets: (&part.coefficients).into(),
        surface,
        primitives: part
            .primitives
            .iter()
            .map(|p| PrimitiveReport {
                material: p.material.clone(),
                vertices: (&p.vertices).into(),
                triangles: (&p.triangles).into(),
            })
            .collect(),
    }
}

fn rest_bounds(model: &Model) -> anyhow::Result<Bounds> {
    let positions = model.posed(&model.rest_pose(), Skinning::Linear)?.positions();
    let bounds = Aabb::from_points(positions);
    Ok(Bounds { min: bounds.min.to_array(), max: bounds.max.to_array() })
}
