//! Weights that fall linearly from a joint to the end of its reach.
//!
//! Must hold: every vertex has a joint, because its nearest one is within the radius and the reach is larger; a vertex
//! that no joint reaches along the surface follows the nearest through space.
//!
//! Based on: L. Kavan, Real-time Skeletal Animation, 2007, section 7.1.

use supple::Skin;
use supple::skin::SkinError;

use crate::distance::Surface;
use crate::placement::Centers;

/// `w_kj = 1 - d(k, j) / (P r_j)`, normalised. `radii` are the `r_j`: all the same for evenly spread joints. A vertex follows at
/// most `most` joints, the heaviest; the first of equals.
pub(crate) fn falling_weights(
    surface: &Surface,
    centers: &Centers,
    radii: &[f64],
    reach: f64,
    most: usize,
) -> Result<Skin, SkinError> {
    let mut influences: Vec<Vec<(u32, f32)>> = vec![Vec::new(); surface.positions.len()];
    for (joint, (&vertex, radius)) in centers.vertices.iter().zip(radii).enumerate() {
        let end = reach * radius;
        surface.visit_from(vertex, |v, distance| {
            // Without any radius a joint still moves what lies on it.
            let weight = if distance == 0.0 { 1.0 } else { 1.0 - distance / end };
            if weight > 0.0 {
                influences[v].push((joint as u32, weight as f32));
            }
            weight > 0.0
        });
    }
    for (vertex, list) in influences.iter_mut().enumerate().filter(|(_, list)| list.is_empty()) {
        let position = surface.positions[vertex];
        let distance = |joint: usize| surface.positions[centers.vertices[joint]].distance_squared(position);
        let nearer = |a: usize, b: usize| if distance(b) < distance(a) { b } else { a };
        let nearest = (0..centers.vertices.len()).reduce(nearer).unwrap_or(0);
        list.push((nearest as u32, 1.0));
    }
    for list in &mut influences {
        list.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        list.truncate(most);
        list.sort_by_key(|(joint, _)| *joint);
    }
    Skin::new(centers.vertices.len(), influences.iter().map(Vec::as_slice))
}
