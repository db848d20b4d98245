//! Triangles from index lists: single triangles, strips and fans.
//!
//! Must hold: front faces keep their side; triangles keep the order of their indices; degenerate ones stay.
//!
//! Based on: Khronos Group, glTF 2.0 specification, section 3.7.2.1.

use gltf::json::mesh::Mode;

use crate::Problem;

/// Triangles of a primitive; points and lines have none.
pub(super) fn triangles(
    place: &str,
    mode: Mode,
    indices: &[u32],
    vertices: usize,
) -> Result<Vec<[u32; 3]>, Problem> {
    if let Some(i) = indices.iter().position(|&v| v as usize >= vertices) {
        return Err(Problem::invalid(
            place,
            format!("index {i} is {}; expected less than the {vertices} vertices", indices[i]),
        ));
    }
    Ok(match mode {
        Mode::Points | Mode::Lines | Mode::LineLoop | Mode::LineStrip => Vec::new(),
        Mode::Triangles => {
            let (triangles, rest) = indices.as_chunks::<3>();
            if !rest.is_empty() {
                return Err(Problem::invalid(
                    place,
                    format!("{} indices do not make triangles; expected a multiple of 3", indices.len()),
                ));
            }
            triangles.to_vec()
        }
        // p_i = {v_i, v_(i + 1 + i % 2), v_(i + 2 - i % 2)}
        Mode::TriangleStrip => (2..indices.len())
            .map(|end| {
                let i = end - 2;
                [indices[i], indices[i + 1 + i % 2], indices[i + 2 - i % 2]]
            })
            .collect(),
        // p_i = {v_(i + 1), v_(i + 2), v_0}
        Mode::TriangleFan => (2..indices.len()).map(|i| [indices[i - 1], indices[i], indices[0]]).collect(),
    })
}
