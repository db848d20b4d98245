//! All tests of the library that need no process of their own, as one binary: they are linked once.
//!
//! `cargo test -p supple --test suite rays::` runs those of one file.

#[path = "../../../supple-io/tests/assets/mod.rs"]
mod assets;
mod characters;
mod exact_oracle;
mod random_model;

mod bounds;
mod sphere_contacts;
mod budget;
mod characters_collide;
mod classes;
mod collision;
mod cost;
mod distance;
mod history;
mod narrow_distance;
mod narrow_exact;
mod overlap;
mod placement;
mod locate_point;
mod ray_exact;
mod self_collision;
mod self_cost;
mod storage;
mod tightness;
mod time_of_contact;
mod vertex_bodies;
