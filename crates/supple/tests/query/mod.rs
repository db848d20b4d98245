//! Tests of queries, each against brute force.

mod budget;
mod cast_ray;
mod closest_points;
mod collide;
mod collide_characters;
mod collide_cost;
mod locate_point;
mod overlap;
mod self_collide;
mod self_collide_between;
mod self_collide_cost;
mod sphere_contacts;
mod time_of_contact;
