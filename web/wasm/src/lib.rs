//! supple for JavaScript. The npm package (`../package`) wraps these classes and functions; nobody else calls them.
//!
//! In: numbers and typed arrays. Out: typed arrays, or an error as a string.
//! Must hold: whatever comes in, no call ends in a trap without words. Objects are checked by the package, numbers here.

mod audit;
mod body;
mod boxes;
mod brute_force;
mod contacts;
mod distances;
mod model;
mod panic;
mod rays;
mod shape;
mod words;

pub use body::RawBody;
pub use boxes::exact_bounds;
