//! Welding of seams: vertices that lie at the same position become one.
//!
//! Files split a vertex wherever its normal or texture coordinate jumps. The surface is nevertheless one.

use std::collections::HashMap;

use glam::Vec3;

/// For every vertex the smallest vertex at exactly the same position (`-0.0` equals `0.0`).
///
/// ```
/// use glam::Vec3;
/// let welded = supple::mesh::weld_positions(&[Vec3::X, Vec3::Y, Vec3::X]);
/// assert_eq!(welded, [0, 1, 0]);
/// ```
pub fn weld_positions(positions: &[Vec3]) -> Vec<u32> {
    let mut first_at = HashMap::with_capacity(positions.len());
    positions
        .iter()
        .zip(0u32..)
        .map(|(&position, vertex)| *first_at.entry(bits(position)).or_insert(vertex))
        .collect()
}

/// Equal for equal positions: adding +0.0 turns -0.0 into 0.0.
pub(crate) fn bits(position: Vec3) -> [u32; 3] {
    position.to_array().map(|x| (x + 0.0).to_bits())
}
