//! `curtain`: a pleated curtain that blows in the wind.
//!
//! Out: a sheet of 2.4 m by 2.2 m, hung at y = 2.2, facing +Z, and twelve displacement fields: swinging, bellying, ripples
//! that run sideways and down as sine and cosine.
//! Must hold: zoo surfaces are closed, so the sheet has two sides, 4 mm apart; a published curtain of as many triangles has one
//! side and twice the resolution. Both sides are the same graph z(x, y), and fields depend on x and y alone: so the
//! sides cannot pass through each other, however far it blows.
//!
//! Based on: D. L. James, D. K. Pai, BD-Tree, 2004, Table 1 and section 4, for the number of triangles, fields and frames.

mod sheet;
mod wind;

use supple::model::{Model, ModelError};

use crate::displacement::flexible;

pub(crate) fn build() -> Result<Model, ModelError> {
    flexible(sheet::sheet(), &wind::FLEXES, wind::clip()?)
}
