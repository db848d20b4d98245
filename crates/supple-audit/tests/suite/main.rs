//! The audit as a user of the crate sees it: numbers that are known beforehand, and brute force.

mod between;
mod brute_force;
mod hand_and_thigh;
mod known_numbers;
mod left_out;
mod options;
mod plain_data;
mod threads;
