//! The data that are checked in for the zoo are what `cargo run --release -p supple-fit --example zoo_modes` makes.
//!
//! Bit by bit on Linux on x86-64 with glibc, where they were made. Elsewhere `hypot` and the like may round the last digit in another
//! way, which the solver and the shapes carry on; there displacements must agree to a thousandth of the largest.

#[path = "../examples/zoo_modes/data.rs"]
mod data;

use supple::rest::Rest;
use supple_fit::reduce::modes;

#[test]
#[cfg(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu"))]
fn files_are_what_the_program_makes() {
    for made in data::all().unwrap() {
        let stored = std::fs::read(data::path(made.file)).unwrap();
        let differs = stored.iter().zip(&made.bytes).position(|(a, b)| a != b);
        assert_eq!((stored.len(), differs), (made.bytes.len(), None), "{}", made.file);
    }
}

#[test]
fn models_have_the_modes_that_the_solver_finds() {
    for vibrating in data::vibrating() {
        let model = supple_zoo::make(vibrating.name, 0).unwrap();
        let Rest::Fields(fields) = model.rest() else { panic!("{}", vibrating.name) };
        let found = modes(model.mesh(), &vibrating.options).unwrap();
        let allowed = 1e-3 * vibrating.options.amplitude.unwrap() as f32;
        for (stored, found) in fields.to_fields().iter().zip(&found.fields) {
            let at = |field: &supple::rest::Field| -> std::collections::HashMap<u32, glam::Vec3> {
                field.displacements.iter().copied().collect()
            };
            let (stored, found) = (at(stored), at(found));
            for vertex in 0..model.mesh().positions().len() as u32 {
                let [stored, found] = [&stored, &found].map(|f| f.get(&vertex).copied().unwrap_or_default());
                assert!(stored.distance(found) <= allowed, "{} vertex {vertex}", vibrating.name);
            }
        }
    }
}
