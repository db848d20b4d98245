//! Makes the data that `supple-zoo` has instead of a solver: vibration modes of its chair, fish and bridge, and principal
//! components of its curtain.
//!
//! ```text
//! cargo run --release -p supple-fit --example zoo_modes
//! ```
//!
//! Run it after a change of one of these shapes, of the solver, or of the materials in `data.rs`; a test of this crate compares the
//! files with what this program would write.

mod data;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for made in data::all()? {
        println!("{}: {} bytes", made.file, made.bytes.len());
        std::fs::write(data::path(made.file), &made.bytes)?;
    }
    Ok(())
}
