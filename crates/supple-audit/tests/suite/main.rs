//! The audit as a user of the crate sees it: numbers that are known beforehand, and brute force.

#[path = "../../../supple-io/tests/assets/mod.rs"]
mod assets;
mod between;
mod bleeding;
mod brute_force;
mod depths;
mod figures;
mod hand_and_thigh;
mod hostile;
mod known_numbers;
mod options;
mod parts;
mod plain_data;
mod real_files;
mod threads;
mod turn_boxes;
mod turn_characters;
