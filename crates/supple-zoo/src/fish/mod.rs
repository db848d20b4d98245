//! `fish`: a fish that bends sideways.
//!
//! Out: one closed surface of 24,776 triangles, 0.6 m long, head towards +Z, its back up, and three displacement fields: the
//! first three bending modes of a free beam, as good as. A coefficient of 1 moves head or tail by about 6 cm.
//!
//! Based on: D. L. James, D. K. Pai, BD-Tree, 2004, Table 1, for the number of triangles and fields.

mod flap;
mod shape;

use supple::model::{Model, ModelError};

use crate::displacement::flexible;

pub(crate) fn build() -> Result<Model, ModelError> {
    flexible(shape::sculpt(), &flap::BENDS, flap::clip()?)
}
