//! The tables about two characters.

mod rows;
mod against;
mod peers;
mod inside;
mod skins;

pub use rows::Run;
pub use skins::print_shapes;

use crate::behind::Behind;

/// All tables that compare sides.
pub fn print(runs: &[Run], behind: &mut Behind) {
    for question in &against::QUESTIONS {
        print!("{}", against::opponent(runs, question, behind).text());
    }
    print!("{}", against::with_hints(runs, behind).text());
    print!("{}", against::limit(runs).text());
    print!("{}", inside::parts(runs).text());
    print!("{}", skins::rotations(runs).text());
    peers::print(runs, behind);
    print!("{}", inside::counters(runs).text());
    print!("{}", inside::bounds(runs).text());
}
