//! `bridge`: a suspension bridge of thousands of slender members that sways, heaves and twists.
//!
//! Out: 240 m of bridge along Z, ground at y = 0, deck at 10 m, towers of 28 m; ten displacement fields: its lowest
//! vibration modes, which move neither the ground nor both ends. A coefficient of 1 moves it by 4 m.
//! Must hold: every member is a closed piece of its own, oriented outwards, and at rest none touches another, so that
//! self-collision finds only what the motion does.
//!
//! Based on: D. L. James, D. K. Pai, BD-Tree, 2004, Table 1 and figure 6: 240,316 triangles, 135,304 vertices, ten fields.
//! Closed pieces have two vertices more than half their triangles, so these are some 7,500 pieces of 32 triangles.

mod deck;
mod members;
mod plan;
mod suspension;
mod sway;

use supple::{Model, ModelError};

use crate::flexible::vibrating;
use members::Members;

pub(crate) fn build() -> Result<Model, ModelError> {
    let mut members = Members::default();
    deck::add_to(&mut members);
    suspension::add_to(&mut members);
    vibrating(members.into_surface(), include_bytes!("modes.bin"), sway::clip()?)
}
