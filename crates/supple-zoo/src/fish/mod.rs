//! `fish`: a fish that bends sideways.
//!
//! Out: one closed surface of 24,776 triangles, 0.6 m long, head towards +Z, its back up, and three displacement fields: its
//! lowest vibration modes, which bend it sideways, bend it up and down and twist it. A coefficient of 1 moves the tail by 6 cm.
//!
//! Based on: D. L. James, D. K. Pai, BD-Tree, 2004, Table 1, for the number of triangles and fields.

mod flap;
mod shape;

use supple::{Model, ModelError};

use crate::flexible::vibrating;

pub(crate) fn build() -> Result<Model, ModelError> {
    vibrating(shape::sculpt(), include_bytes!("modes.bin"), flap::clip()?)
}
