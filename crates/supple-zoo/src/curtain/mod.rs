//! `curtain`: a pleated curtain that blows in the wind.
//!
//! Out: a sheet of 2.4 m by 2.2 m, hung at y = 2.2, facing +Z, in the middle of all it does in a gust; and twelve displacement fields, the
//! principal components of that gust. A coefficient of 1 is as far as the gust takes it.
//! Must hold: zoo surfaces are closed, so the sheet has two sides, 4 mm apart; a published curtain of as many triangles has one
//! side and twice the resolution. The wind moves the middle between the sides, which turn with it, so they stay apart.
//!
//! Based on: D. L. James, D. K. Pai, BD-Tree, 2004, Table 1 and section 4, for the number of triangles, fields and frames.

mod components;
mod sheet;
mod wind;

use glam::Vec3;
use supple::{Mesh, Model, ModelError};

use crate::flexible::{bending, looping_clip};
use components::Components;

const FRAMES_PER_SECOND: f32 = 30.0;

pub(crate) fn build() -> Result<Model, ModelError> {
    let (rest, frames) = curtain_gust()?;
    let gust = Components::new(rest.triangles(), &frames)?;
    let clip = looping_clip("wind", wind::FRAMES, FRAMES_PER_SECOND, |frame| gust.coefficients[frame])?;
    bending(gust.mean, &gust.fields, clip)
}

/// All frames of the gust in which the curtain of the zoo moves, 30 per second: the sheet at rest, and positions frame by frame.
/// The model `curtain` keeps their mean and their first twelve principal components.
///
/// ```
/// let (sheet, frames) = supple_zoo::curtain_gust()?;
/// assert!(frames.len() == 110 && frames.iter().all(|frame| frame.len() == sheet.positions().len()));
/// # Ok::<(), supple::ModelError>(())
/// ```
///
/// # Errors
/// None: the sheet is always the same.
pub fn curtain_gust() -> Result<(Mesh, Vec<Vec<Vec3>>), ModelError> {
    let (positions, triangles) = sheet::sheet();
    let blown = |frame: usize| positions.iter().map(|&p| wind::blown(p, frame)).collect();
    let frames = (0..wind::FRAMES).map(blown).collect();
    Ok((Mesh::new(positions, triangles)?, frames))
}
