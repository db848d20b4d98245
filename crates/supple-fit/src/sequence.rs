//! The input: a rest mesh and the positions of its vertices in every frame.
//!
//! Must hold: all frames have the vertices of the rest mesh, numbers are finite and small enough that f64 sums of their
//! squares are, times ascend strictly (a clip has one key per frame). After that nothing checks again.

use glam::Vec3;
use supple::Mesh;

use crate::FitError;

/// Coordinates beyond this are refused: sums over vertices and frames of their fourth powers must stay finite in f64.
const LARGEST: f32 = 1e15;

/// A mesh that moves, frame by frame.
#[derive(Clone, Debug, PartialEq)]
pub struct MeshSequence {
    rest: Mesh,
    frames: Vec<Vec<Vec3>>,
    normals: Option<Vec<Vec<Vec3>>>,
    times: Vec<f32>,
}

impl MeshSequence {
    /// A rest mesh (the first frame, or better the shape before the simulation, e.g. a cloth spread out), positions of
    /// its vertices per frame, and the time of each frame in seconds.
    ///
    /// # Errors
    /// No frames, a frame with another number of vertices, a number that is not finite, times that do not ascend.
    pub fn new(rest: Mesh, frames: Vec<Vec<Vec3>>, times: Vec<f32>) -> Result<Self, FitError> {
        if frames.is_empty() {
            return Err(FitError::NoFrames);
        }
        if times.len() != frames.len() {
            return Err(FitError::TimeCount { expected: frames.len(), found: times.len() });
        }
        let ascends = |frame: usize| times[frame] >= 0.0 && (frame == 0 || times[frame] > times[frame - 1]);
        if let Some(frame) = (0..times.len()).find(|&f| !times[f].is_finite() || !ascends(f)) {
            return Err(FitError::BadTime { frame, time: times[frame] });
        }
        if let Some(vertex) = rest.positions().iter().position(|p| p.abs().max_element() > LARGEST) {
            return Err(FitError::BadRestVertex { vertex });
        }
        check_frames("position", rest.positions().len(), &frames)?;
        Ok(Self { rest, frames, normals: None, times })
    }

    /// Frames at a constant rate, the first at 0 s.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn evenly(rest: Mesh, frames: Vec<Vec<Vec3>>, frames_per_second: f32) -> Result<Self, FitError> {
        let times = (0..frames.len()).map(|f| (f as f64 / f64::from(frames_per_second)) as f32).collect();
        Self::new(rest, frames, times)
    }

    /// Whole meshes as frames, the first as rest mesh too; normals are kept where all of them have some.
    ///
    /// # Errors
    /// As [`new`](Self::new), and a mesh with other triangles than the first.
    pub fn from_meshes(meshes: &[Mesh], frames_per_second: f32) -> Result<Self, FitError> {
        let first = meshes.first().ok_or(FitError::NoFrames)?;
        if let Some(frame) = meshes.iter().position(|m| m.triangles() != first.triangles()) {
            return Err(FitError::TopologyChanges { frame });
        }
        let frames = meshes.iter().map(|m| m.positions().to_vec()).collect();
        let sequence = Self::evenly(first.clone(), frames, frames_per_second)?;
        match meshes.iter().map(|m| m.normals().map(<[Vec3]>::to_vec)).collect() {
            Some(normals) => sequence.with_normals(normals),
            None => Ok(sequence),
        }
    }

    /// Adds the vertex normals of every frame; the rest mesh must have normals for them to be fitted.
    ///
    /// # Errors
    /// Another number of frames or normals, a number that is not finite.
    pub fn with_normals(mut self, normals: Vec<Vec<Vec3>>) -> Result<Self, FitError> {
        if normals.len() != self.frames.len() {
            return Err(FitError::TimeCount { expected: self.frames.len(), found: normals.len() });
        }
        check_frames("normal", self.rest.positions().len(), &normals)?;
        self.normals = Some(normals);
        Ok(self)
    }

    /// The rest mesh.
    pub fn rest(&self) -> &Mesh {
        &self.rest
    }

    /// Positions of all vertices, frame by frame.
    pub fn frames(&self) -> &[Vec<Vec3>] {
        &self.frames
    }

    /// Normals of all vertices, frame by frame, if there are any.
    pub fn normals(&self) -> Option<&[Vec<Vec3>]> {
        self.normals.as_deref()
    }

    /// Seconds, one per frame.
    pub fn times(&self) -> &[f32] {
        &self.times
    }
}

fn check_frames(attribute: &'static str, expected: usize, frames: &[Vec<Vec3>]) -> Result<(), FitError> {
    for (frame, values) in frames.iter().enumerate() {
        if values.len() != expected {
            return Err(FitError::VertexCount { frame, expected, found: values.len() });
        }
        // Written so that NaN is bad as well.
        let bad = |v: &Vec3| !v.to_array().iter().all(|x| x.abs() <= LARGEST);
        if let Some(vertex) = values.iter().position(bad) {
            return Err(FitError::BadVertex { attribute, frame, vertex });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn triangle() -> Mesh {
        Mesh::new(vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![[0, 1, 2]]).unwrap()
    }

    #[test]
    fn bad_sequences_are_errors_with_a_place() {
        let frame = triangle().positions().to_vec();
        let error = |frames: Vec<Vec<Vec3>>, times: &[f32]| {
            MeshSequence::new(triangle(), frames, times.to_vec()).unwrap_err().to_string()
        };
        assert_eq!(error(vec![], &[]), "the sequence has no frames");
        assert_eq!(error(vec![frame.clone()], &[]), "0 times for 1 frames");
        let short = vec![frame.clone(), frame[..2].to_vec()];
        assert_eq!(
            error(short, &[0.0, 1.0]),
            "frame 1 has 2 vertices, the rest mesh has 3: its topology changes"
        );
        assert!(error(vec![frame.clone(); 2], &[1.0, 1.0]).starts_with("frame 1 is at 1 s"));
        assert!(error(vec![frame.clone()], &[f32::NAN]).starts_with("frame 0 is at NaN s"));
        let nan = vec![Vec3::ZERO, Vec3::NAN, Vec3::Y];
        assert!(
            error(vec![frame.clone(), nan], &[0.0, 1.0]).starts_with("the position of vertex 1 in frame 1")
        );
        assert!(error(vec![vec![Vec3::splat(1e30); 3]], &[0.0]).contains("beyond 1e15"));
        let other = Mesh::new(frame, vec![[0, 2, 1]]).unwrap();
        let error = MeshSequence::from_meshes(&[triangle(), other], 24.0).unwrap_err();
        assert_eq!(error, FitError::TopologyChanges { frame: 1 });
    }
}
