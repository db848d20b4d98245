//! How triangles turn, as points in a space whose distances are angles.
//!
//! In: a sequence. Out: a few numbers per triangle. With `R` the rotation of a triangle from rest to a frame, `|R -
//! R'|_F / sqrt 2` is about the angle between two rotations; rotations of some frames side by side, divided by the root
//! of their number, are at a distance of the root of the mean square angle. Principal components keep nearly all of
//! that in a few numbers.
//!
//! Must hold: triangles without area at rest are left out. In a frame without area a triangle turns as little as
//! possible.

use glam::{DMat3, Vec3};
use supple::math::polar;

use crate::MeshSequence;
use crate::symmetric_eigen::symmetric_eigen;

/// Frames that are looked at, evenly chosen: rotations of neighbouring frames are alike.
const FRAMES: usize = 20;
/// Principal components that are kept.
const COMPONENTS: usize = 12;
/// Triangles that principal components are computed from, evenly chosen.
const SAMPLES: usize = 4000;

/// Triangles with an area, and where they are in the space of turns.
pub(super) struct Turns {
    pub triangles: Vec<usize>,
    pub features: Vec<Vec<f64>>,
}

pub(super) fn triangle_turns(sequence: &MeshSequence) -> Turns {
    let rest = sequence.rest().positions();
    let count = sequence.frames().len();
    let chosen: Vec<&Vec<Vec3>> =
        (0..count.min(FRAMES)).map(|i| &sequence.frames()[i * count / count.min(FRAMES)]).collect();
    let (mut triangles, mut features) = (Vec::new(), Vec::new());
    for (triangle, corners) in sequence.rest().triangles().iter().enumerate() {
        let Some(frame) = edge_frame(rest, corners) else { continue };
        let inverse = frame.inverse();
        let scale = 1.0 / (2.0 * chosen.len() as f64).sqrt();
        let turn = |positions: &&Vec<Vec3>| {
            let map = edge_frame(positions, corners).map_or(DMat3::IDENTITY, |moved| moved * inverse);
            DMat3::from_quat(polar(map).0).to_cols_array().map(|x| x * scale)
        };
        triangles.push(triangle);
        features.push(chosen.iter().flat_map(turn).collect());
    }
    Turns { triangles, features: principal_components(&features) }
}

/// Two edges and the unit normal as columns; none without area.
fn edge_frame(positions: &[Vec3], corners: &[u32; 3]) -> Option<DMat3> {
    let [a, b, c] = corners.map(|v| positions[v as usize].as_dvec3());
    let (first, second) = (b - a, c - a);
    let normal = first.cross(second);
    let thin = normal.length_squared() <= 1e-20 * first.length_squared() * second.length_squared();
    if thin { None } else { normal.try_normalize().map(|n| DMat3::from_cols(first, second, n)) }
}

fn principal_components(features: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let Some(width) = features.first().map(Vec::len) else { return Vec::new() };
    let step = features.len().div_ceil(SAMPLES);
    let samples: Vec<&Vec<f64>> = features.iter().step_by(step).collect();
    let mean: Vec<f64> =
        (0..width).map(|d| samples.iter().map(|s| s[d]).sum::<f64>() / samples.len() as f64).collect();
    let mut covariance = vec![0.0; width * width];
    for sample in &samples {
        let off: Vec<f64> = sample.iter().zip(&mean).map(|(s, m)| s - m).collect();
        for i in 0..width {
            let row = &mut covariance[i * width..][..i + 1];
            row.iter_mut().zip(&off).for_each(|(c, o)| *c += off[i] * o);
        }
    }
    let axes = symmetric_eigen(&covariance, width).vectors;
    let component = |feature: &Vec<f64>, axis: &Vec<f64>| {
        feature.iter().zip(&mean).zip(axis).map(|((f, m), a)| (f - m) * a).sum()
    };
    features.iter().map(|f| axes.iter().take(COMPONENTS).map(|axis| component(f, axis)).collect()).collect()
}
