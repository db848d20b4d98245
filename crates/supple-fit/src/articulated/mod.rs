//! Skinning mesh animations, for comparison: joints where triangles turn alike.
//!
//! In: a sequence that is nearly made of rigid pieces. Out: a model as [`fit`](crate::fit) makes it, with as many
//! joints as there are pieces. Triangles are clustered by how they turn; each cluster is a joint, aligned rigidly with
//! its triangles in every frame; every vertex gets convex weights on the few joints that suit it best.
//!
//! Must hold: pieces are found from rotations alone, wherever they are; joints are not optimised together, unlike those
//! of the thesis.
//!
//! Based on: D. L. James, C. D. Twigg, Skinning Mesh Animations, 2005, sections 3 and 4 (rigid joints).

mod mean_shift;
mod turns;

use glam::{DAffine3, DVec3};
use rayon::prelude::*;
use supple::{Isometry, ModelError, Skin, Skinning};

use crate::alignment::Alignment;
use crate::fitting::{Fitted, finish};
use crate::frames::Frames;
use crate::simplex::convex_weights;
use crate::{Corrections, FitError, FitOptions, MeshSequence, Progress};

/// How a sequence becomes an articulated skin.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ArticulatedOptions {
    /// Triangles that turn differently by less than about this many radians (root of the mean square over frames) are
    /// one piece.
    pub bandwidth: f64,
    /// As many joints, at most; the largest pieces count.
    pub joints: usize,
    /// As many joints may move a vertex.
    pub influences: usize,
    /// How rigid joints are blended: linearly, or as dual quaternions.
    pub skinning: Skinning,
    /// How many eigen-displacements correct the rest shape.
    pub corrections: Corrections,
}

impl Default for ArticulatedOptions {
    fn default() -> Self {
        Self {
            bandwidth: 0.3,
            joints: 100,
            influences: 4,
            skinning: Skinning::Linear,
            corrections: Corrections::None,
        }
    }
}

impl ArticulatedOptions {
    /// The same with another [`bandwidth`](Self::bandwidth).
    #[must_use]
    pub fn with_bandwidth(mut self, bandwidth: f64) -> Self {
        self.bandwidth = bandwidth;
        self
    }

    /// The same with another [`joints`](Self::joints).
    #[must_use]
    pub fn with_joints(mut self, joints: usize) -> Self {
        self.joints = joints;
        self
    }

    /// The same with another [`influences`](Self::influences).
    #[must_use]
    pub fn with_influences(mut self, influences: usize) -> Self {
        self.influences = influences;
        self
    }

    /// The same with another [`skinning`](Self::skinning).
    #[must_use]
    pub fn with_skinning(mut self, skinning: Skinning) -> Self {
        self.skinning = skinning;
        self
    }

    /// The same with another [`corrections`](Self::corrections).
    #[must_use]
    pub fn with_corrections(mut self, corrections: Corrections) -> Self {
        self.corrections = corrections;
        self
    }
}

/// Finds pieces that are nearly rigid, and skins a sequence with them. Weights are optimised for linear blending.
///
/// ```
/// use glam::{Quat, Vec3};
/// use supple::Mesh;
/// use supple_fit::{ArticulatedOptions, MeshSequence, articulated};
///
/// // A strip with a hinge in its middle.
/// let folded = |angle: f32| -> Vec<Vec3> {
///     let point = |i: usize| Vec3::new((i / 2) as f32 - 5.0, (i % 2) as f32, 0.0);
///     (0..22).map(|i| if i > 10 { Quat::from_rotation_y(angle) * point(i) } else { point(i) }).collect()
/// };
/// let triangles = (0..10u32).flat_map(|q| [[2 * q, 2 * q + 2, 2 * q + 1], [2 * q + 1, 2 * q + 2, 2 * q + 3]]).collect();
/// let frames = (0..8).map(|t| folded(0.2 * t as f32)).collect();
/// let sequence = MeshSequence::evenly(Mesh::new(folded(0.0), triangles)?, frames, 24.0)?;
/// let fitted = articulated::fit(&sequence, &ArticulatedOptions::default(), &|_| ())?;
/// assert_eq!(fitted.model.skin().joint_count(), 2);
/// assert!(fitted.distortion.percent < 0.01);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// An option that makes no sense.
pub fn fit(
    sequence: &MeshSequence,
    options: &ArticulatedOptions,
    report: &(dyn Fn(Progress) + Sync),
) -> Result<Fitted, FitError> {
    let bad = |option, value, expected| Err(FitError::BadOption { option, value, expected });
    if !(options.bandwidth > 0.0 && options.bandwidth.is_finite()) {
        return bad("bandwidth", options.bandwidth, "a positive angle");
    }
    if options.influences == 0 {
        return bad("influences", 0.0, "at least 1");
    }
    let common = FitOptions {
        joints: options.joints,
        skinning: options.skinning,
        corrections: options.corrections,
        ..FitOptions::default()
    };
    common.check()?;
    let pieces = pieces(sequence, options);
    let maps = rigid_maps(sequence, &pieces);
    let influences: Vec<Vec<(u32, f32)>> = (0..sequence.rest().positions().len())
        .into_par_iter()
        .map(|vertex| influences(sequence, &maps, vertex, options.influences))
        .collect();
    let skin = Skin::new(pieces.len(), influences.iter().map(Vec::as_slice)).map_err(ModelError::from)?;
    let joints: Vec<usize> = pieces.iter().map(|piece| middle_vertex(sequence, piece)).collect();
    let frames = Frames::new(sequence, &common, &skin, &joints, 0.0);
    finish(sequence, &common, &skin, &joints, &frames, maps, report)
}

/// Triangles of each piece, the largest piece first.
fn pieces(sequence: &MeshSequence, options: &ArticulatedOptions) -> Vec<Vec<usize>> {
    let turns = turns::triangle_turns(sequence);
    let modes = mean_shift::modes(&turns.features, options.bandwidth, options.joints);
    let mut pieces = vec![Vec::new(); modes.len()];
    for (&triangle, feature) in turns.triangles.iter().zip(&turns.features) {
        pieces[mean_shift::nearest(&modes, feature)].push(triangle);
    }
    pieces.retain(|piece| !piece.is_empty());
    if pieces.is_empty() {
        // No triangle has an area: one piece of everything.
        pieces.push((0..sequence.rest().triangles().len()).collect());
    }
    pieces
}

/// Each piece aligned with itself, by frame and piece.
fn rigid_maps(sequence: &MeshSequence, pieces: &[Vec<usize>]) -> Vec<Vec<DAffine3>> {
    let (rest, triangles) = (sequence.rest().positions(), sequence.rest().triangles());
    // About its first corner, where numbers are small.
    let map = |frame: &Vec<glam::Vec3>, piece: &Vec<usize>| {
        let origin = rest[triangles[piece[0]][0] as usize].as_dvec3();
        let mut sums = Alignment::default();
        for corner in piece.iter().flat_map(|&t| triangles[t]) {
            sums.add(1.0, rest[corner as usize].as_dvec3() - origin, frame[corner as usize].as_dvec3());
        }
        (sums.solve() * Isometry::from_translation(-origin)).to_affine()
    };
    sequence.frames().par_iter().map(|frame| pieces.iter().map(|piece| map(frame, piece)).collect()).collect()
}

/// The joints that are best alone, then those of them with the most weight.
fn influences(
    sequence: &MeshSequence,
    maps: &[Vec<DAffine3>],
    vertex: usize,
    count: usize,
) -> Vec<(u32, f32)> {
    let rest = sequence.rest().positions()[vertex].as_dvec3();
    let wrong = |joint: usize| -> Vec<DVec3> {
        let frames = maps.iter().zip(sequence.frames());
        frames.map(|(maps, goals)| maps[joint].transform_point3(rest) - goals[vertex].as_dvec3()).collect()
    };
    let dot = |a: &[DVec3], b: &[DVec3]| a.iter().zip(b).map(|(a, b)| a.dot(*b)).sum::<f64>();
    let mut candidates: Vec<(f64, usize, Vec<DVec3>)> = (0..maps[0].len())
        .map(|joint| (joint, wrong(joint)))
        .map(|(joint, wrong)| (dot(&wrong, &wrong), joint, wrong))
        .collect();
    candidates.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    // Twice as many as are kept: the best pair need not contain the best one.
    candidates.truncate(2 * count);
    let weighted = |candidates: &[(f64, usize, Vec<DVec3>)]| -> Vec<(usize, f64)> {
        let row = |a: &[DVec3]| candidates.iter().map(|(_, _, b)| dot(a, b)).collect();
        let h: Vec<Vec<f64>> = candidates.iter().map(|(_, _, a)| row(a)).collect();
        candidates.iter().map(|c| c.1).zip(convex_weights(&h)).collect()
    };
    let mut first = weighted(&candidates);
    first.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    first.truncate(count);
    candidates.retain(|c| first.iter().any(|f| f.0 == c.1));
    weighted(&candidates).into_iter().map(|(joint, weight)| (joint as u32, weight as f32)).collect()
}

/// The vertex of a piece nearest to its middle.
fn middle_vertex(sequence: &MeshSequence, piece: &[usize]) -> usize {
    let (rest, triangles) = (sequence.rest().positions(), sequence.rest().triangles());
    let corners = || piece.iter().flat_map(|&t| triangles[t]).map(|v| v as usize);
    let middle = corners().map(|v| rest[v].as_dvec3()).sum::<DVec3>() / (3 * piece.len()) as f64;
    let distance = |v: usize| rest[v].as_dvec3().distance_squared(middle);
    corners().reduce(|a, b| if distance(b) < distance(a) { b } else { a }).unwrap_or(0)
}
