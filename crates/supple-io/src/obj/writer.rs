//! OBJ text that reads back the same numbers.

use std::fmt::Write;
use std::path::Path;

use glam::{Vec2, Vec3};

use crate::write_error::{Unsuitable, WriteError, write_bytes};

/// Writes a mesh as an OBJ file. Every number has just enough digits to read back the same `f32`.
///
/// # Errors
/// The file cannot be written; normals or texture coordinates are not one per position; an index is out of range.
pub fn write_obj(
    path: impl AsRef<Path>,
    positions: &[Vec3],
    triangles: &[[u32; 3]],
    normals: Option<&[Vec3]>,
    uvs: Option<&[Vec2]>,
) -> Result<(), WriteError> {
    let path = path.as_ref();
    let bytes = obj_bytes(positions, triangles, normals, uvs).map_err(|e| e.in_file(path))?;
    write_bytes(path, &bytes)
}

/// The bytes of an OBJ file, which are text. Every number has just enough digits to read back the same `f32`.
///
/// ```
/// use glam::Vec3;
///
/// let corners = [Vec3::ZERO, Vec3::X, Vec3::Y];
/// let bytes = supple_io::obj_bytes(&corners, &[[0, 1, 2]], None, None)?;
/// assert_eq!(bytes, b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
/// # Ok::<(), supple_io::Unsuitable>(())
/// ```
///
/// # Errors
/// Normals or texture coordinates are not one per position; an index is out of range.
pub fn obj_bytes(
    positions: &[Vec3],
    triangles: &[[u32; 3]],
    normals: Option<&[Vec3]>,
    uvs: Option<&[Vec2]>,
) -> Result<Vec<u8>, Unsuitable> {
    let counts = [("normals", normals.map(<[_]>::len)), ("texture coordinates", uvs.map(<[_]>::len))];
    for (what, count) in counts {
        if let Some(count) = count.filter(|&count| count != positions.len()) {
            return Err(Unsuitable::new(format!("{count} {what} for {} positions", positions.len())));
        }
    }
    if let Some(index) = triangles.iter().position(|t| t.iter().any(|&v| v as usize >= positions.len())) {
        let message = format!("triangle {index} names a vertex beyond the {} positions", positions.len());
        return Err(Unsuitable::new(message));
    }
    let mut text = String::with_capacity(positions.len() * 40 + triangles.len() * 24);
    // `{}` prints the shortest decimal that reads back the same number. Writing into a string cannot fail.
    for p in positions {
        let _ = writeln!(text, "v {} {} {}", p.x, p.y, p.z);
    }
    for uv in uvs.unwrap_or_default() {
        let _ = writeln!(text, "vt {} {}", uv.x, uv.y);
    }
    for n in normals.unwrap_or_default() {
        let _ = writeln!(text, "vn {} {} {}", n.x, n.y, n.z);
    }
    for triangle in triangles {
        text.push('f');
        for corner in triangle.map(|v| u64::from(v) + 1) {
            let _ = match (uvs.is_some(), normals.is_some()) {
                (false, false) => write!(text, " {corner}"),
                (true, false) => write!(text, " {corner}/{corner}"),
                (false, true) => write!(text, " {corner}//{corner}"),
                (true, true) => write!(text, " {corner}/{corner}/{corner}"),
            };
        }
        text.push('\n');
    }
    Ok(text.into_bytes())
}
