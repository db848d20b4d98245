//! Enclosing balls: the smallest one of points, a nearly smallest one of balls.
//!
//! In: points or balls in `f32`. Out: a ball that contains them all, by the `f64` tests of
//! [`Sphere`](super::Sphere), its radius rounded outward by derived amounts. Cost: linear in the input, 3
//! to 15 passes over random points or points of a sphere. Same input, same output.

mod balls;
mod points;

pub use balls::{BALLS_PRECISION, enclosing_ball_of_balls};
pub use points::smallest_enclosing_ball;
