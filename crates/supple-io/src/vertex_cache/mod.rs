//! Vertex caches: positions of all vertices, frame by frame, for cloth and baked animation.
//!
//! In and out: PC2 (3ds Max and others) and MDD (LightWave and others). Neither has triangles; the mesh comes from
//! another file and must have as many vertices.
//! Must hold: positions survive bit by bit; a header is compared with the length of the file before anything of its
//! size is allocated.

mod mdd;
mod pc2;

use glam::Vec3;

pub use mdd::{mdd_bytes, read_mdd, read_mdd_bytes, write_mdd};
pub use pc2::{pc2_bytes, read_pc2, read_pc2_bytes, write_pc2};

use crate::{Problem, Unsuitable};

/// Positions of all vertices at several times.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VertexCache {
    /// Seconds, one per frame.
    pub times: Vec<f32>,
    /// Positions of all vertices, frame by frame; all frames have the same number.
    pub frames: Vec<Vec<Vec3>>,
}

impl VertexCache {
    /// Frames at a constant rate: frame `i` is at `start + i / frames_per_second`.
    pub fn evenly(frames: Vec<Vec<Vec3>>, start: f32, frames_per_second: f32) -> Self {
        let seconds = |frame: usize| f64::from(start) + frame as f64 / f64::from(frames_per_second);
        Self { times: (0..frames.len()).map(|frame| seconds(frame) as f32).collect(), frames }
    }

    /// How many vertices every frame has.
    pub fn vertex_count(&self) -> usize {
        self.frames.first().map_or(0, Vec::len)
    }

    /// Checks that there is a time per frame and that all frames have the same number of vertices.
    fn check(&self) -> Result<(), Unsuitable> {
        if self.times.len() != self.frames.len() {
            let message = format!("{} times for {} frames", self.times.len(), self.frames.len());
            return Err(Unsuitable::new(message));
        }
        let expected = self.vertex_count();
        match self.frames.iter().position(|frame| frame.len() != expected) {
            Some(frame) => {
                let found = self.frames[frame].len();
                Err(Unsuitable::new(format!("frame {frame} has {found} vertices, the first has {expected}")))
            }
            None => Ok(()),
        }
    }
}

/// A count that the format stores as a signed 32-bit number.
fn stored_count(what: &str, count: usize) -> Result<[u8; 4], Unsuitable> {
    let too_many = |_| Unsuitable::new(format!("{count} {what} are more than 2147483647"));
    let count = i32::try_from(count).map_err(too_many)?;
    Ok(count.to_le_bytes())
}

/// Four bytes at a place of a header that is known to be there.
fn word(bytes: &[u8], at: usize) -> [u8; 4] {
    [bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]
}

/// A count from a header.
fn read_count(what: &str, at: usize, count: i32) -> Result<usize, Problem> {
    usize::try_from(count).map_err(|_| Problem::invalid(format!("byte {at}"), format!("{count} {what}")))
}

/// Compares the length of a file with what its header promises.
fn check_length(header: usize, frames: usize, frame_bytes: u128, found: usize) -> Result<(), Problem> {
    let expected = header as u128 + frames as u128 * frame_bytes;
    if expected == found as u128 {
        return Ok(());
    }
    let message = format!("the header promises a file of {expected} bytes, this one has {found}");
    Err(Problem::invalid("header", message))
}

/// Positions of all frames from bytes whose length was checked.
fn read_frames(
    bytes: &[u8],
    first: usize,
    frames: usize,
    vertices: usize,
    number: fn([u8; 4]) -> f32,
) -> Result<Vec<Vec<Vec3>>, Problem> {
    let mut all = Vec::with_capacity(frames);
    for frame in 0..frames {
        let data = &bytes[first + frame * vertices * 12..][..vertices * 12];
        let positions: Vec<Vec3> = data
            .chunks_exact(12)
            .map(|c| Vec3::from_array([0, 4, 8].map(|at| number(word(c, at)))))
            .collect();
        if let Some(vertex) = positions.iter().position(|p| !p.is_finite()) {
            let place = format!("frame {frame}, vertex {vertex}");
            return Err(Problem::invalid(place, format!("{} is not finite", positions[vertex])));
        }
        all.push(positions);
    }
    Ok(all)
}
