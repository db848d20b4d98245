//! Models that displacement fields bend, and clips of coefficients.
//!
//! In: a surface and the data of its lowest vibration modes. Out: a model whose displacement fields they are.

use std::f32::consts::TAU;

use glam::Vec3;
use supple::mesh::vertex_normals;
use supple::pose::{Channel, Interpolation, Target};
use supple::rest::{Field, Fields, Rest};
use supple::{Clip, Mesh, Model, ModelError};

use crate::mode_data::ModeData;

/// A model with one rigid joint that vibrates.
pub(crate) fn vibrating(
    (positions, triangles): (Vec<Vec3>, Vec<[u32; 3]>),
    modes: &[u8],
    clip: Clip,
) -> Result<Model, ModelError> {
    let modes = ModeData::from_bytes(modes).expect("a file of this crate, as the tests check");
    let displacements = modes.displacements(&positions);
    let normals = vertex_normals(&positions, &triangles);
    let mesh = Mesh::new(positions, triangles)?.with_normals(normals)?;
    let field = |(number, displacements): (usize, &Vec<Vec3>)| {
        Field::displacing(format!("mode {}", number + 1), &mesh, displacements)
    };
    let fields: Vec<Field> = displacements.iter().enumerate().map(field).collect();
    bending(mesh, &fields, clip)
}

/// A rigid model that fields bend.
pub(crate) fn bending(mesh: Mesh, fields: &[Field], clip: Clip) -> Result<Model, ModelError> {
    let rest = Rest::Fields(Fields::new(mesh.positions().len(), fields)?);
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
