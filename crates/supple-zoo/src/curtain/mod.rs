//! `curtain`: a pleated curtain that blows in the wind.
//!
//! Out: a sheet of 2.4 m by 2.2 m, hung at y = 2.2, facing +Z, in the middle of all it does in a gust; and twelve displacement fields, the
//! principal components of that gust. A coefficient of 1 is as far as the gust takes it.
//! Must hold: zoo surfaces are closed, so the sheet has two sides, 4 mm apart; a published curtain of as many triangles has one
//! side and twice the resolution. The wind moves the middle between the sides, which turn with it, so they stay apart.
//!
//! Based on: D. L. James, D. K. Pai, BD-Tree, 2004, Table 1 and section 4, for the number of triangles, fields and frames.

mod sheet;
mod wind;

use glam::Vec3;
use supple::mesh::Mesh;
use supple::model::{Model, ModelError};
use supple_fit::MeshSequence;
use supple_fit::reduce::{components, flexible_model};

use crate::flexible::looping_clip;

const FIELDS: usize = 12;
const FRAMES_PER_SECOND: f32 = 30.0;

pub(crate) fn build() -> Result<Model, ModelError> {
    let (positions, triangles) = sheet::sheet();
    let blown = |frame: usize| positions.iter().map(|&p| wind::blown(p, frame)).collect::<Vec<Vec3>>();
    let frames = (0..wind::FRAMES).map(blown).collect();
    let sequence = MeshSequence::evenly(Mesh::new(positions.clone(), triangles)?, frames, FRAMES_PER_SECOND)
        .expect("frames of one sheet at ascending times");
    let gust = components(&sequence, FIELDS).expect("the wind has more ways to blow than that");
    let coefficients = |frame: usize| std::array::from_fn::<f32, FIELDS, _>(|j| gust.coefficients[frame][j]);
    let clip = looping_clip("wind", wind::FRAMES, FRAMES_PER_SECOND, coefficients)?;
    flexible_model(gust.mean, &gust.fields, vec![clip])
}
