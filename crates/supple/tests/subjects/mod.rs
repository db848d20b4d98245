//! What tests are about: models and poses that several of them use, and the law that all bounds obey.

pub mod cases;
pub mod characters;
pub mod files;
pub mod law;
pub mod random_model;
pub mod zoo;
