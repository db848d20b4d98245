//! What the models of the zoo are made of, and the files that follow from it.

use std::error::Error;
use std::path::{Path, PathBuf};

use glam::DVec3;
use supple_fit::MeshSequence;
use supple_fit::reduce::{ModeLattice, ModeOptions, components, mode_lattice, modes};
use supple_zoo::mode_data::ModeData;

/// A file of the zoo.
pub struct Made {
    /// Below the sources of the zoo.
    pub file: &'static str,
    pub bytes: Vec<u8>,
}

/// A model of the zoo that vibrates.
pub struct Vibrating {
    /// As the zoo calls it.
    pub name: &'static str,
    /// Below the sources of the zoo.
    pub file: &'static str,
    /// Bytes of a number: the fewer, the more corrections.
    pub width: usize,
    pub options: ModeOptions,
}

/// All of them.
pub fn vibrating() -> [Vibrating; 3] {
    // Polypropylene. Finer lattices give the same shapes in other orders.
    let chair = ModeOptions::default()
        .with_count(10)
        .with_amplitude(Some(0.06))
        .with_resolution(24)
        .with_density(900.0)
        .with_young(1.3e9)
        .with_poisson(0.4);
    // Cells as thick as the body: in finer ones fins are as soft as they are thin, and the lowest modes are theirs.
    let fish = ModeOptions::default()
        .with_count(3)
        .with_amplitude(Some(0.06))
        .with_resolution(12)
        .with_density(1050.0)
        .with_young(1e5)
        .with_poisson(0.45);
    // Steel, in cells of 3 m, which join members that stand apart; held by the ground, and by the blocks at both ends, 120 m from the
    // middle. The ends of the deck do not move either: they are a hand away from the blocks.
    let end = f64::from(0.5f32 * 1.2 * 200.0) - 1.0;
    let ground = [DVec3::NEG_INFINITY, DVec3::new(f64::INFINITY, 0.0, f64::INFINITY)];
    let near = [DVec3::NEG_INFINITY, DVec3::new(f64::INFINITY, f64::INFINITY, -end)];
    let far = [DVec3::new(f64::NEG_INFINITY, f64::NEG_INFINITY, end), DVec3::INFINITY];
    let bridge = ModeOptions::default()
        .with_count(10)
        .with_amplitude(Some(4.0))
        .with_resolution(80)
        .with_density(7800.0)
        .with_young(2e11)
        .with_poisson(0.3)
        .with_held(vec![ground, near, far]);
    [
        Vibrating { name: "chair", file: "chair/modes.bin", width: 4, options: chair },
        Vibrating { name: "fish", file: "fish/modes.bin", width: 5, options: fish },
        Vibrating { name: "bridge", file: "bridge/modes.bin", width: 6, options: bridge },
    ]
}

/// All files.
pub fn all() -> Result<Vec<Made>, Box<dyn Error>> {
    vibrating().iter().map(modes_file).chain([components_file()]).collect()
}

/// Where a file is in the workspace.
pub fn path(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../supple-zoo/src").join(file)
}

fn modes_file(vibrating: &Vibrating) -> Result<Made, Box<dyn Error>> {
    let Vibrating { name, file, width, options } = vibrating;
    let model = supple_zoo::make(name, 0)?;
    let mesh = model.mesh();
    let exact: Vec<_> = modes(mesh, options)?.fields.into_iter().map(|field| field.displacements).collect();
    let ModeLattice { origin, size, counts, cells, nodes, displacements } = mode_lattice(mesh, options)?;
    let data = ModeData::new((origin, size, counts), &cells, &nodes, &displacements, *width);
    let data = data.corrected(mesh.positions(), &exact);
    Ok(Made { file, bytes: data.to_bytes() })
}

fn components_file() -> Result<Made, Box<dyn Error>> {
    let (rest, frames) = supple_zoo::curtain_gust()?;
    let gust = components(&MeshSequence::evenly(rest, frames, 30.0)?, 12)?;
    let bytes = gust.combinations.iter().flatten().flat_map(|part| part.to_le_bytes()).collect();
    Ok(Made { file: "curtain/components.bin", bytes })
}
