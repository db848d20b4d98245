//! `fish`: a fish that bends sideways.
//!
//! Out: one closed surface of 24,776 triangles, 0.6 m long, head towards +Z, its back up, and three displacement fields: its
//! lowest vibration modes, which bend it sideways, bend it up and down and twist it. A coefficient of 1 moves the tail by 6 cm.
//!
//! Based on: D. L. James, D. K. Pai, BD-Tree, 2004, Table 1, for the number of triangles and fields.

mod flap;
mod shape;

use supple::model::{Model, ModelError};
use supple_fit::reduce::ModeOptions;

use crate::flexible::vibrating;

pub(crate) fn build() -> Result<Model, ModelError> {
    // Cells as thick as the body: in finer ones fins are as soft as they are thin, and the lowest modes are theirs.
    let options = ModeOptions {
        count: 3,
        amplitude: Some(0.06),
        resolution: 12,
        density: 1050.0,
        young: 1e5,
        poisson: 0.45,
        ..ModeOptions::default()
    };
    vibrating(shape::sculpt(), &options, flap::clip()?)
}
