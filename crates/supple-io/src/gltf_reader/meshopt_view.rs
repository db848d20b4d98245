//! Buffer views compressed by meshoptimizer (`EXT_meshopt_compression`, `KHR_meshopt_compression`).
//!
//! In: a buffer view with the extension, the compressed bytes. Out: the bytes that the view stands for.
//! Must hold: no allocation that the compressed bytes cannot fill.
//!
//! Based on: A. Kapoulkine, EXT_meshopt_compression, glTF 2.0 vendor extension, 2020.

use gltf::json;
use meshoptimizer as codec;
use serde::Deserialize;
use serde_json::Value;

use crate::Problem;

const NAMES: [&str; 2] = ["EXT_meshopt_compression", "KHR_meshopt_compression"];

/// The best ratio the vertex codec can reach: a block of 256 elements whose four bytes per group do not change takes
/// one control byte, 256 * 4 bytes decoded.
const MAX_RATIO: usize = 1024;

/// Strides that the codec has.
const MAX_STRIDE: usize = 256;

/// Where compressed bytes are and what they become.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Compression {
    pub buffer: usize,
    #[serde(default)]
    pub byte_offset: u64,
    pub byte_length: u64,
    pub byte_stride: usize,
    pub count: usize,
    mode: Mode,
    #[serde(default)]
    filter: Filter,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
enum Mode {
    Attributes,
    Triangles,
    Indices,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
enum Filter {
    #[default]
    None,
    Octahedral,
    Quaternion,
    Exponential,
    Color,
}

/// Whether a buffer has no bytes of its own because compressed views stand in for it.
pub(super) fn is_placeholder(buffer: &json::Buffer) -> bool {
    let Some(extensions) = &buffer.extensions else { return false };
    let fallback = |name: &&str| extensions.others.get(*name)?.get("fallback")?.as_bool();
    NAMES.iter().any(|name| fallback(name) == Some(true))
}

impl Compression {
    /// What the extension says about a view, if it has it.
    pub fn of(view: &json::buffer::View) -> Result<Option<Self>, String> {
        let Some(extensions) = &view.extensions else { return Ok(None) };
        let found = NAMES.iter().find_map(|&name| Some((name, extensions.others.get(name)?)));
        let Some((name, value)) = found else { return Ok(None) };
        let parsed = Self::deserialize(value as &Value).map_err(|e| format!("{name}: {e}"))?;
        parsed.decoded_length().map(|_| Some(parsed)).map_err(|e| format!("{name}: {e}"))
    }

    /// Number of bytes after decompression.
    pub fn decoded_length(&self) -> Result<usize, String> {
        let strides: &[usize] = match self.mode {
            Mode::Attributes => &[],
            Mode::Triangles | Mode::Indices => &[2, 4],
        };
        let stride = self.byte_stride;
        let fits = match strides {
            [] => stride > 0 && stride.is_multiple_of(4) && stride <= MAX_STRIDE,
            strides => strides.contains(&stride),
        };
        if !fits {
            return Err(format!("byteStride {stride} does not suit the mode {:?}", self.mode));
        }
        let length = self.count.checked_mul(stride);
        let most = usize::try_from(self.byte_length).unwrap_or(usize::MAX).saturating_mul(MAX_RATIO);
        length.filter(|&length| length <= most).ok_or_else(|| {
            format!("{} elements of {stride} bytes cannot come from {} bytes", self.count, self.byte_length)
        })
    }

    /// Decompresses.
    pub fn decode(&self, place: &str, compressed: &[u8]) -> Result<Vec<u8>, Problem> {
        let bad = |message: String| Problem::invalid(place, message);
        let mut decoded = vec![0; self.decoded_length().map_err(bad)?];
        let (count, stride, size) = (self.count, self.byte_stride, compressed.len());
        let result = match self.mode {
            Mode::Attributes => codec::decode_vertex_buffer(&mut decoded, count, stride, compressed, size),
            Mode::Triangles => {
                decode_indices(codec::decode_index_buffer, count, compressed, &mut decoded, stride)
            }
            Mode::Indices => {
                decode_indices(codec::decode_index_sequence, count, compressed, &mut decoded, stride)
            }
        };
        result.and_then(|()| self.unfilter(&mut decoded)).map_err(|e| {
            bad(format!("{size} bytes do not decompress to {count} elements of {stride} bytes: {e}"))
        })?;
        Ok(decoded)
    }

    fn unfilter(&self, decoded: &mut [u8]) -> codec::Result<()> {
        let (count, stride) = (self.count, self.byte_stride);
        match self.filter {
            Filter::None => Ok(()),
            Filter::Octahedral => codec::decode_filter_oct(decoded, count, stride),
            Filter::Quaternion => codec::decode_filter_quat(decoded, count, stride),
            Filter::Exponential => codec::decode_filter_exp(decoded, count, stride),
            Filter::Color => codec::decode_filter_color(decoded, count, stride),
        }
    }
}

/// Indices are decoded as 32 bits and stored with `stride` bytes.
fn decode_indices(
    decode: impl Fn(&mut [u32], usize, &[u8], usize) -> codec::Result<()>,
    count: usize,
    compressed: &[u8],
    decoded: &mut [u8],
    stride: usize,
) -> codec::Result<()> {
    let mut indices = vec![0u32; count];
    decode(&mut indices, count, compressed, compressed.len())?;
    for (index, bytes) in indices.iter().zip(decoded.chunks_exact_mut(stride)) {
        bytes.copy_from_slice(&index.to_le_bytes()[..stride]);
    }
    Ok(())
}
