//! `chair`: a garden chair out of one piece of plastic that bends and twists.
//!
//! Out: 17,900 triangles, 0.8 m high, seat towards +Z, feet on the ground, and ten displacement fields: its lowest vibration
//! modes; a coefficient of 1 is a clearly visible flex of 6 cm.

mod flex;
mod shape;

use supple::{Model, ModelError};

use crate::flexible::vibrating;
use crate::isosurface::isosurface;

const TRIANGLES: usize = 17_900;

/// A third of the thickness of the panels: surface nets need that where panels meet.
const CELL: f64 = 0.006;

pub(crate) fn build() -> Result<Model, ModelError> {
    let surface = isosurface(&shape::distance, shape::BOUNDS, CELL, TRIANGLES)
        .expect("the chair is thicker than its cells everywhere, as the tests check");
    vibrating(surface, include_bytes!("modes.bin"), flex::clip()?)
}
