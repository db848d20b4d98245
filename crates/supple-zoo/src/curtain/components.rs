//! Principal components of the gust, put together from its frames.
//!
//! `components.bin` has a number per component and frame, f64, little-endian, component by component: how much of the frame's
//! difference from the mean is in the component. `cargo run --release -p supple-fit --example zoo_modes` makes it.
//!
//! Must hold: mean, fields and coefficients are those that `supple_fit::reduce::components` finds, bit by bit.

use glam::{DVec3, Vec3};
use supple::mesh::vertex_normals;
use supple::rest::Field;
use supple::{Mesh, ModelError};

use super::wind::FRAMES;

pub(super) const FIELDS: usize = 12;

const COMBINATIONS: &[u8; 8 * FIELDS * FRAMES] = include_bytes!("components.bin");

/// Mean, fields, and coefficients frame by frame.
pub(super) struct Components {
    pub mean: Mesh,
    pub fields: Vec<Field>,
    pub coefficients: Vec<[f32; FIELDS]>,
}

impl Components {
    pub fn new(triangles: &[[u32; 3]], frames: &[Vec<Vec3>]) -> Result<Self, ModelError> {
        let sum = |vertex: usize| frames.iter().map(|frame| frame[vertex].as_dvec3()).sum::<DVec3>();
        let middles: Vec<DVec3> = (0..frames[0].len()).map(|v| sum(v) / frames.len() as f64).collect();
        let positions: Vec<Vec3> = middles.iter().map(|p| p.as_vec3()).collect();
        let normals = vertex_normals(&positions, triangles);
        let mean = Mesh::new(positions, triangles.to_vec())?.with_normals(normals)?;
        let mut components = Self { mean, fields: Vec::new(), coefficients: vec![[0.0; FIELDS]; FRAMES] };
        for (number, parts) in combinations().enumerate() {
            let mut sums = vec![DVec3::ZERO; middles.len()];
            for (frame, part) in frames.iter().zip(parts) {
                let moved = frame.iter().zip(&middles).map(|(p, middle)| p.as_dvec3() - middle);
                sums.iter_mut().zip(moved).for_each(|(sum, moved)| *sum += moved * part);
            }
            // As large as its largest excursion.
            let largest = parts.iter().map(|&part| (part as f32).abs()).fold(0.0, f32::max);
            let scaled: Vec<Vec3> = sums.iter().map(|sum| sum.as_vec3() * largest).collect();
            let name = format!("component {}", number + 1);
            components.fields.push(Field::displacing(name, &components.mean, &scaled));
            for (coefficients, part) in components.coefficients.iter_mut().zip(parts) {
                coefficients[number] = part as f32 / largest;
            }
        }
        Ok(components)
    }
}

fn combinations() -> impl Iterator<Item = [f64; FRAMES]> {
    let (numbers, _) = COMBINATIONS.as_chunks::<8>();
    numbers.chunks_exact(FRAMES).map(|parts| std::array::from_fn(|frame| f64::from_le_bytes(parts[frame])))
}
