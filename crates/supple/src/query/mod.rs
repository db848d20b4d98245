//! Questions to bodies. Each returns its answer with what it cost.

mod planes;
mod walk;
mod collide;
mod details;

pub use crate::query_stats::QueryStats;
pub use collide::{Collision, collide, collide_into, collide_with, first_contact};
pub use details::{ContactDetails, ContactSide, contact_details};
