//! Rigged characters: each is a recipe of bones and lumps, cooked into a [`supple::Model`].

mod body_plan;
mod creature;
mod dwarf;
mod hand;
mod hand_shape;
mod head_shape;
mod human;
mod man;
mod recipe;
mod rig;

pub use creature::creature;
pub use dwarf::dwarf;
pub use hand::hand;
pub use human::human;
pub use man::man;
