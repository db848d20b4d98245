//! The GLB container: a header and two chunks, JSON and binary.
//!
//! Based on: Khronos Group, glTF 2.0 specification, section 4.4.

use serde_json::Value;

use super::GlbError;

const HEADER: usize = 12;
const CHUNK_HEADER: usize = 8;

/// Packs JSON and buffer; chunks are padded to 4 bytes with spaces and zeros.
pub(super) fn glb(root: &Value, buffer: &[u8]) -> Result<Vec<u8>, GlbError> {
    let mut text = root.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    let mut buffer = buffer.to_vec();
    buffer.resize(buffer.len().next_multiple_of(4), 0);
    let total = HEADER + CHUNK_HEADER + text.len() + CHUNK_HEADER + buffer.len();
    let total_u32 = u32::try_from(total).map_err(|_| GlbError::TooLarge { bytes: total })?;

    let mut bytes = Vec::with_capacity(total);
    bytes.extend(b"glTF");
    bytes.extend(2u32.to_le_bytes());
    bytes.extend(total_u32.to_le_bytes());
    for (kind, chunk) in [(b"JSON", &text), (b"BIN\0", &buffer)] {
        // Each chunk is shorter than the whole, which fits.
        bytes.extend((chunk.len() as u32).to_le_bytes());
        bytes.extend(kind);
        bytes.extend(chunk);
    }
    Ok(bytes)
}
