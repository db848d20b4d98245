//! Morph targets: what the rest stage can blend, and how much of the mesh each target moves.

use glam::Vec3;
use serde::Serialize;
use supple::Model;
use supple::rest::Rest;

/// All morph targets.
#[derive(Debug, Serialize)]
pub struct Morphs {
    pub kind: MorphKind,
    pub targets: Vec<MorphTarget>,
}

/// How targets are blended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum MorphKind {
    /// There are none.
    None,
    /// Displacements are added with any weights.
    Displacements,
    /// Whole shapes are blended by weights with sum 1.
    Shapes,
}

/// One morph target.
#[derive(Debug, Serialize)]
pub struct MorphTarget {
    pub name: String,
    pub default: f32,
    /// How many vertices it moves; for shapes, how many differ from the first shape.
    pub vertices: usize,
    /// The farthest it moves one, at weight 1.
    pub largest_displacement: f32,
}

/// Lists the targets of a model.
pub fn morphs(model: &Model) -> Morphs {
    let rest = model.rest();
    let mut targets: Vec<MorphTarget> = rest
        .names()
        .iter()
        .zip(rest.default_coefficients())
        .map(|(name, default)| MorphTarget {
            name: name.clone(),
            default,
            vertices: 0,
            largest_displacement: 0.0,
        })
        .collect();
    let mut count = |target: usize, displacement: Vec3| {
        if displacement != Vec3::ZERO {
            let target = &mut targets[target];
            target.vertices += 1;
            target.largest_displacement = target.largest_displacement.max(displacement.length());
        }
    };
    let vertices = 0..model.mesh().positions().len();
    let kind = match rest {
        Rest::Plain => MorphKind::None,
        Rest::Fields(fields) => {
            vertices.flat_map(|v| fields.of_vertex(v)).for_each(|(field, change)| count(field, change));
            MorphKind::Displacements
        }
        Rest::Morph(morph) => {
            for vertex in vertices {
                let shapes = morph.of_vertex(vertex);
                shapes.iter().enumerate().for_each(|(i, &p)| count(i, p - shapes[0]));
            }
            MorphKind::Shapes
        }
    };
    Morphs { kind, targets }
}
