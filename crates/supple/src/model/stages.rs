//! Finding out once which pair of stages a model has, for work that is compiled for each pair.

use super::Model;
use crate::rest::{FieldsAt, MorphAt, PlainRest, Rest, RestStage};
use crate::skin::{DualQuaternionSkin, LinearSkin, Palette, SkinStage, Skinning, SphericalSkin};

/// What is done with a pair of stages.
pub(crate) trait Job {
    type Output;
    fn run(self, rest: impl RestStage, skin: impl SkinStage) -> Self::Output;
}

/// Runs a job on the stages of a posed model. No coefficients are as good as zeros: fields that are all at rest, as a
/// character's face mostly is, then cost nothing.
#[inline(always)]
pub(crate) fn with_stages<J: Job>(
    model: &Model,
    palette: &Palette,
    coefficients: &[f32],
    job: J,
) -> J::Output {
    let mesh = model.mesh();
    match model.rest() {
        Rest::Plain => with_skin(model, palette, PlainRest(mesh), job),
        Rest::Fields(_) if coefficients.is_empty() => with_skin(model, palette, PlainRest(mesh), job),
        Rest::Fields(fields) => with_skin(model, palette, FieldsAt { mesh, fields, coefficients }, job),
        Rest::Morph(morph) => with_skin(model, palette, MorphAt { morph, weights: coefficients }, job),
    }
}

#[inline(always)]
fn with_skin<J: Job>(model: &Model, palette: &Palette, rest: impl RestStage, job: J) -> J::Output {
    let skin = model.skin();
    match palette.skinning() {
        Skinning::Linear => job.run(rest, LinearSkin { skin, palette }),
        Skinning::Spherical => job.run(rest, SphericalSkin { skin, palette }),
        Skinning::DualQuaternion => job.run(rest, DualQuaternionSkin { skin, palette }),
    }
}
