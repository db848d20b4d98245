//! Displacement fields from functions of the position, and models that only such fields move.
//!
//! In: a mesh and a function that says how far a vertex moves. Out: a field that moves the positions and turns the normals
//! as far as a coefficient of 1 does. Must hold: what does not move has no entry.

use std::f32::consts::TAU;

use glam::Vec3;
use supple::mesh::Mesh;
use supple::model::{Model, ModelError};
use supple::pose::{Channel, Clip, Interpolation, Target};
use supple::rest::{Field, Fields, Rest};

use crate::normals::vertex_normals;

/// A name, and from a rest position to how far it moves for a coefficient of 1.
pub(crate) type Flex = (&'static str, fn(Vec3) -> Vec3);

/// A model with one rigid joint that flexes.
pub(crate) fn flexible(
    (positions, triangles): (Vec<Vec3>, Vec<[u32; 3]>),
    flexes: &[Flex],
    clip: Clip,
) -> Result<Model, ModelError> {
    let normals = vertex_normals(&positions, &triangles);
    let mesh = Mesh::new(positions, triangles)?.with_normals(normals)?;
    let fields: Vec<Field> =
        flexes.iter().map(|(name, flex)| displacement_field(name, &mesh, |_, p| flex(p))).collect();
    let rest = Rest::Fields(Fields::new(mesh.positions().len(), &fields)?);
    Model::rigid(mesh).with_rest(rest)?.with_clips(vec![clip])
}

/// A clip that plays all coefficients: `frames` equal steps, then the first frame again, so that it loops.
pub(crate) fn looping_clip<const COUNT: usize>(
    name: &str,
    frames: usize,
    frames_per_second: f32,
    coefficients: impl Fn(usize) -> [f32; COUNT],
) -> Result<Clip, ModelError> {
    let times = (0..=frames).map(|frame| frame as f32 / frames_per_second).collect();
    let values = (0..=frames).flat_map(|frame| coefficients(frame % frames)).collect();
    let target = Target::Coefficients(0..COUNT);
    let channel = Channel { target, interpolation: Interpolation::Linear, times, values };
    Ok(Clip::new(name, vec![channel])?)
}

/// Sine of that many whole turns per clip, which start `lead` of a turn early, at a share of the clip.
pub(crate) fn wave(turns: f32, lead: f32, share: f32) -> f32 {
    (TAU * (turns * share + lead)).sin()
}

/// Makes a field; `displacement` gets the vertex and its rest position.
pub(crate) fn displacement_field(
    name: &str,
    mesh: &Mesh,
    displacement: impl Fn(usize, Vec3) -> Vec3,
) -> Field {
    let rest = mesh.positions();
    let changes: Vec<Vec3> = rest.iter().enumerate().map(|(vertex, &p)| displacement(vertex, p)).collect();
    let moved: Vec<Vec3> = rest.iter().zip(&changes).map(|(&p, &change)| p + change).collect();
    // Both computed by the same sums: where nothing moves the difference is exactly zero.
    let before = vertex_normals(rest, mesh.triangles());
    let after = vertex_normals(&moved, mesh.triangles());
    let turns = before.iter().zip(&after).map(|(before, after)| *after - *before);
    Field {
        name: name.to_owned(),
        default: 0.0,
        displacements: entries(changes.into_iter()),
        normal_changes: entries(turns),
    }
}

fn entries(changes: impl Iterator<Item = Vec3>) -> Vec<(u32, Vec3)> {
    (0u32..).zip(changes).filter(|(_, change)| *change != Vec3::ZERO).collect()
}
