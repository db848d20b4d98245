//! The whole way from a sequence to a model.

use glam::{Affine3A, DAffine3, Quat, Vec3};
use rayon::prelude::*;
use supple::{Model, ModelError, PosedModel, Skin, Skinning};

use crate::corrections::{Correction, EigenDisplacements, rest_errors};
use crate::distance::Surface;
use crate::distortion::variation;
use crate::falloff::falling_weights;
use crate::frames::{Frames, Report};
use crate::placement::Centers;
use crate::rig::{Cloth, Rig};
use crate::vertex_weights::improved_weights;
use crate::{Corrections, Distortion, FitError, FitOptions, MeshSequence, Placement, Weights};

/// A sequence as a skin.
#[derive(Clone, Debug)]
pub struct Fitted {
    /// Mesh, weights, proxy-joints, displacement fields, and one clip with a key per frame. Its joint matrices at the
    /// frames' times are `palettes`, bit by bit.
    pub model: Model,
    /// How the model is to be skinned.
    pub skinning: Skinning,
    /// Joint matrices, frame by frame.
    pub palettes: Vec<Vec<Affine3A>>,
    /// Coefficients of the displacement fields, frame by frame.
    pub coefficients: Vec<Vec<f32>>,
    /// A second set of rotations, to be blended in the same way, that turn rest normals; if the sequence and its rest
    /// mesh have normals.
    pub normal_rotations: Option<Vec<Vec<Quat>>>,
    /// How far the model would be from the sequence without displacement fields.
    pub uncorrected: Distortion,
    /// How far it is.
    pub distortion: Distortion,
    /// What it takes to store.
    pub sizes: Sizes,
}

/// Bytes, with four per number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sizes {
    /// Positions, and normals if there are any, of all frames.
    pub sequence: usize,
    /// Positions and normals of the rest mesh.
    pub rest: usize,
    /// Six per weight: a joint's number and a number.
    pub weights: usize,
    /// A dual quaternion or a 3 x 4 matrix per joint and frame, and a quaternion where normals have their own.
    pub joints: usize,
    /// Displacement fields and their coefficients.
    pub corrections: usize,
}

impl Sizes {
    /// How many times smaller the skin is than the sequence. Triangles are in both and not counted.
    pub fn ratio(&self) -> f64 {
        self.sequence as f64 / (self.rest + self.weights + self.joints + self.corrections) as f64
    }

    /// As the thesis counts: without weights, which can be computed again from the joints' positions.
    pub fn ratio_without_weights(&self) -> f64 {
        Self { weights: 0, ..*self }.ratio()
    }
}

/// How often weights and joints are fitted in turn: the second time still gains a tenth to a quarter of the error.
const WEIGHT_ROUNDS: usize = 2;

/// Fits a skin to a sequence. `report` is called after every frame, from any thread.
///
/// # Errors
/// An option that makes no sense.
pub fn fit(
    sequence: &MeshSequence,
    options: &FitOptions,
    report: &(dyn Fn(crate::Progress) + Sync),
) -> Result<Fitted, FitError> {
    options.check()?;
    let surface = Surface::new(sequence.rest(), options.distance);
    let wanted = match options.placement {
        Placement::PCenter => options.joints,
        Placement::Adaptive => options.joints.div_ceil(2),
    };
    let mut centers = Centers::greedy(&surface, wanted, |_| 1.0);
    let mut length = centers.radius() * options.reach;
    let mut radii = vec![centers.radius(); centers.vertices.len()];
    let mut skin = falling_weights(&surface, &centers, &radii, options.reach, options.influences)
        .map_err(ModelError::from)?;
    let mut frames = Frames::new(sequence, options, &skin, &centers.vertices, length);
    let mut joints = frames.positions(report);
    if options.placement == Placement::Adaptive {
        let rig = cloth(sequence, options, &skin, &centers.vertices).rig(&joints, None)?;
        let importance = importance(sequence, &posed(&rig, options.skinning)?, &centers);
        centers = Centers::greedy(&surface, options.joints, |vertex| importance[vertex]);
        radii = centers.radii(sequence.rest().triangles());
        length = centers.radius() * options.reach;
        skin = falling_weights(&surface, &centers, &radii, options.reach, options.influences)
            .map_err(ModelError::from)?;
        frames = Frames::new(sequence, options, &skin, &centers.vertices, length);
        joints = frames.positions(report);
    }
    if options.weights == Weights::LeastSquares {
        for _ in 0..WEIGHT_ROUNDS {
            skin = improved_weights(sequence, &frames.blending, &joints, options.skinning)
                .map_err(ModelError::from)?;
            frames = Frames::new(sequence, options, &skin, &centers.vertices, length);
            joints = frames.positions(report);
        }
    }
    finish(sequence, options, &skin, &centers.vertices, &frames, joints, report)
}

fn cloth<'a>(
    sequence: &'a MeshSequence,
    options: &FitOptions,
    skin: &'a Skin,
    joints: &'a [usize],
) -> Cloth<'a> {
    Cloth { mesh: sequence.rest(), skin, times: sequence.times(), joints, skinning: options.skinning }
}

/// Corrections, normals and figures.
pub(crate) fn finish(
    sequence: &MeshSequence,
    options: &FitOptions,
    skin: &Skin,
    joints: &[usize],
    frames: &Frames,
    mut maps: Vec<Vec<DAffine3>>,
    report: Report,
) -> Result<Fitted, FitError> {
    let cloth = cloth(sequence, options, skin, joints);
    let mut rig = cloth.rig(&maps, None)?;
    let uncorrected = Distortion::new(sequence.frames(), &posed(&rig, options.skinning)?);
    let mut distortion = uncorrected.clone();
    let rounds = match options.corrections {
        Corrections::None => 0,
        Corrections::Count(_) => options.rounds,
        Corrections::Error(percent) => usize::from(uncorrected.percent > percent),
    };
    let mut best = None;
    for round in 0..rounds {
        let frame = |(goals, palette): (&Vec<Vec3>, &Vec<Affine3A>)| {
            rest_errors(&frames.blending, sequence.rest().positions(), palette, options.skinning, goals)
        };
        let errors: Vec<_> = sequence.frames().par_iter().zip(&rig.palettes).map(frame).collect();
        let displacements = EigenDisplacements::new(&errors);
        let corrected = |count: usize| -> Result<_, FitError> {
            let mut correction = displacements.correction(count);
            if options.skinning == Skinning::Linear {
                let rest = sequence.rest().positions();
                let frame = |(frame, goals): (usize, &Vec<Vec3>)| {
                    correction.best_coefficients(frame, &frames.blending, rest, &rig.palettes[frame], goals)
                };
                correction.coefficients = sequence.frames().par_iter().enumerate().map(frame).collect();
            }
            let rig = cloth.rig(&maps, Some(&correction))?;
            let distortion = Distortion::new(sequence.frames(), &posed(&rig, options.skinning)?);
            Ok((correction, rig, distortion))
        };
        let (correction, next, reached) = match options.corrections {
            Corrections::Error(percent) => {
                let allowed = variation(sequence.frames()) * (percent / 100.0).powi(2);
                fewest(displacements.count_for(allowed), percent, corrected)?
            }
            Corrections::Count(count) => corrected(count)?,
            Corrections::None => break,
        };
        // Affine joints may gain where corrections then lose more.
        if round > 0 && reached.percent >= distortion.percent {
            break;
        }
        distortion = reached;
        best = Some(next);
        if round + 1 < rounds {
            maps = frames.positions_after(&maps, &correction, report);
            rig = cloth.rig(&maps, Some(&correction))?;
        }
    }
    let rig = best.unwrap_or(rig);
    let normal_rotations = frames.normals(report).map(|frames| {
        frames.iter().map(|joints| joints.iter().map(|q| q.as_quat()).collect()).collect::<Vec<Vec<Quat>>>()
    });
    let sizes = sizes(sequence, &rig.model, options.skinning, normal_rotations.is_some());
    let Rig { model, palettes, coefficients } = rig;
    Ok(Fitted {
        model,
        skinning: options.skinning,
        palettes,
        coefficients,
        normal_rotations,
        uncorrected,
        distortion,
        sizes,
    })
}

/// A correction with what it makes of the model.
type Corrected = (Correction, Rig, Distortion);

/// The fewest fields that reach a percentage, or all of them. Where maps stretch, errors at rest do not quite tell how
/// large posed ones are, so what they tell is only where to begin.
fn fewest(
    start: usize,
    percent: f64,
    corrected: impl Fn(usize) -> Result<Corrected, FitError>,
) -> Result<Corrected, FitError> {
    let mut count = start;
    let mut best = corrected(count)?;
    while best.2.percent > percent && best.0.fields.len() == count {
        count += 1;
        best = corrected(count)?;
    }
    while count > 1 && best.2.percent <= percent {
        let fewer = corrected(count - 1)?;
        if fewer.2.percent > percent {
            break;
        }
        (count, best) = (count - 1, fewer);
    }
    Ok(best)
}

/// What the model makes of every frame.
fn posed(rig: &Rig, skinning: Skinning) -> Result<Vec<Vec<Vec3>>, FitError> {
    let frame = |(palette, coefficients): (&Vec<Affine3A>, &Vec<f32>)| {
        Ok(PosedModel::new(&rig.model, skinning, palette, coefficients)?.positions())
    };
    rig.palettes.par_iter().zip(&rig.coefficients).map(frame).collect()
}

/// How much nearer than others the joints of a vertex should be, from a fit with evenly spread ones.
///
/// Between joints at a distance `d` the error grows as `d^2`, so it is even everywhere if `d^2 error` is: `d` counts
/// times the root of the error. That is the mean over the vertices nearest to a joint, because at a joint itself there
/// is hardly any.
fn importance(sequence: &MeshSequence, posed: &[Vec<Vec3>], centers: &Centers) -> Vec<f64> {
    let mut sums = vec![(0.0, 0.0); centers.vertices.len()];
    for (vertex, &joint) in centers.nearest.iter().enumerate() {
        let distance =
            |(a, b): (&Vec<Vec3>, &Vec<Vec3>)| a[vertex].as_dvec3().distance_squared(b[vertex].as_dvec3());
        sums[joint].0 += sequence.frames().iter().zip(posed).map(distance).sum::<f64>();
        sums[joint].1 += 1.0;
    }
    let root = |&(sum, count): &(f64, f64)| if count > 0.0 { f64::sqrt(sum / count).sqrt() } else { 0.0 };
    let roots: Vec<f64> = sums.iter().map(root).collect();
    let mean = roots.iter().sum::<f64>() / roots.len() as f64;
    // What has no error at all still counts a little, and where nothing has, all is alike.
    let least = if mean > 0.0 { 0.05 * mean } else { 1.0 };
    centers.nearest.iter().map(|&joint| roots[joint].max(least)).collect()
}

fn sizes(sequence: &MeshSequence, model: &Model, skinning: Skinning, normals: bool) -> Sizes {
    let (frames, vertices) = (sequence.frames().len(), model.mesh().positions().len());
    let per_vertex = if normals { 24 } else { 12 };
    let per_joint = if skinning == Skinning::Linear { 48 } else { 32 } + if normals { 16 } else { 0 };
    let influences: usize = (0..vertices as u32).map(|v| model.skin().influences(v).len()).sum();
    Sizes {
        sequence: frames * vertices * per_vertex,
        rest: vertices * per_vertex,
        weights: 6 * influences,
        joints: frames * model.skin().joint_count() * per_joint,
        corrections: model.rest().coefficient_count() * (12 * vertices + 4 * frames),
    }
}
