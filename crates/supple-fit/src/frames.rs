//! Joints of all frames, for given weights.
//!
//! In: a sequence, a skin, where its joints are. Out: one affine map per joint and frame (rigid ones for dual
//! quaternions), and rotations for normals where the sequence has some.
//! Must hold: frames do not depend on each other, so threads share them and change nothing.
//!
//! A frame is first moved back as a whole (aligned with the rest mesh, about its middle), so that joints have little
//! left to do and numbers are small. Dual quaternion and linear blending do not mind: both commute with what is done to
//! all joints.

use std::sync::atomic::{AtomicUsize, Ordering};

use glam::{DAffine3, DQuat, DVec3, Vec3};
use rayon::prelude::*;
use supple::{Isometry, Skin, Skinning};

use crate::affine::AffineFit;
use crate::alignment::Alignment;
use crate::blending::Blending;
use crate::corrections::Correction;
use crate::dual_blend::isometry;
use crate::rigid::{NORMALS, POSITIONS, RigidFit};
use crate::{FitOptions, MeshSequence, Progress};

/// Reports are welcome from any thread.
pub(crate) type Report<'p> = &'p (dyn Fn(Progress) + Sync);

/// What is fitted: weights, and where joints are.
pub(crate) struct Frames<'a> {
    sequence: &'a MeshSequence,
    options: &'a FitOptions,
    pub blending: Blending,
    middle: DVec3,
    /// Rest positions and joints, about the middle.
    rest: Vec<DVec3>,
    pivots: Vec<DVec3>,
    /// How far joints reach.
    length: f64,
    /// What f32 does not resolve.
    negligible: f64,
}

impl<'a> Frames<'a> {
    /// `joints` are the vertices at which joints are, `length` is how far they reach.
    pub fn new(
        sequence: &'a MeshSequence,
        options: &'a FitOptions,
        skin: &Skin,
        joints: &[usize],
        length: f64,
    ) -> Self {
        let positions = sequence.rest().positions();
        let middle = positions.iter().map(|p| p.as_dvec3()).sum::<DVec3>() / positions.len() as f64;
        let rest: Vec<DVec3> = positions.iter().map(|p| p.as_dvec3() - middle).collect();
        let size = rest.iter().fold(0.0f64, |s, p| s.max(p.length()));
        Self {
            sequence,
            options,
            blending: Blending::new(skin),
            middle,
            pivots: joints.iter().map(|&v| rest[v]).collect(),
            rest,
            // A mesh that is a point turns about it by any unit of length.
            length: if length > 0.0 {
                length
            } else if size > 0.0 {
                size
            } else {
                1.0
            },
            negligible: 1e-8 * size,
        }
    }

    /// Joint maps, frame by frame.
    pub fn positions(&self, report: Report) -> Vec<Vec<DAffine3>> {
        let fit = self.rigid_fit(self.length, self.negligible);
        let affine = (self.options.skinning == Skinning::Linear).then(|| self.affine_fit(&self.rest));
        self.each(report, |frame, whole| {
            let goals = self.goals(frame, whole);
            match &affine {
                Some(affine) => {
                    affine.frame(&to_affine(&fit.aligned::<POSITIONS>(&self.rest, &goals)), &goals)
                }
                None => to_affine(&fit.frame::<POSITIONS>(&self.rest, &goals)),
            }
        })
    }

    /// Joint maps improved for rest shapes that are corrected frame by frame.
    pub fn positions_after(
        &self,
        maps: &[Vec<DAffine3>],
        correction: &Correction,
        report: Report,
    ) -> Vec<Vec<DAffine3>> {
        let fit = self.rigid_fit(self.length, self.negligible);
        let to_rest = DAffine3::from_translation(self.middle);
        self.each(report, |frame, whole| {
            let goals = self.goals(frame, whole);
            let mut rest = self.rest.clone();
            for (field, &coefficient) in correction.fields.iter().zip(&correction.coefficients[frame]) {
                for &(vertex, change) in &field.displacements {
                    rest[vertex as usize] += change.as_dvec3() * f64::from(coefficient);
                }
            }
            let back = whole.inverse().to_affine();
            let start: Vec<DAffine3> = maps[frame].iter().map(|map| back * *map * to_rest).collect();
            if self.options.skinning == Skinning::Linear {
                return self.affine_fit(&rest).frame(&start, &goals);
            }
            to_affine(&fit.improved::<POSITIONS>(start.iter().map(isometry).collect(), &rest, &goals))
        })
    }

    /// Fits every frame in the space in which it has not moved as a whole.
    fn each(
        &self,
        report: Report,
        fit: impl Fn(usize, &Isometry) -> Vec<DAffine3> + Sync,
    ) -> Vec<Vec<DAffine3>> {
        let from_rest = DAffine3::from_translation(-self.middle);
        let frames = self.sequence.frames();
        let counter = Counter::new("joints", frames.len(), report);
        let frame = |frame: usize| {
            let whole = self.whole(&frames[frame]);
            let local = fit(frame, &whole);
            counter.count();
            local.iter().map(|joint| whole.to_affine() * *joint * from_rest).collect()
        };
        (0..frames.len()).into_par_iter().map(frame).collect()
    }

    fn goals(&self, frame: usize, whole: &Isometry) -> Vec<DVec3> {
        let back = whole.inverse();
        self.sequence.frames()[frame].iter().map(|p| back.transform_point(p.as_dvec3())).collect()
    }

    fn affine_fit<'s>(&'s self, rest: &'s [DVec3]) -> AffineFit<'s> {
        AffineFit::new(&self.blending, rest, &self.pivots, self.length, self.options.solver)
    }

    /// Rotations for normals, frame by frame, where rest mesh and sequence have normals.
    pub fn normals(&self, report: Report) -> Option<Vec<Vec<DQuat>>> {
        let rest: Vec<DVec3> = self.sequence.rest().normals()?.iter().map(|n| n.as_dvec3()).collect();
        let normals = self.sequence.normals()?;
        let fit = self.rigid_fit(1.0, 1e-8);
        let counter = Counter::new("normals", normals.len(), report);
        let frame = |(positions, normals): (&Vec<Vec3>, &Vec<Vec3>)| {
            let whole = self.whole(positions).rotation;
            let goals: Vec<DVec3> = normals.iter().map(|n| whole.conjugate() * n.as_dvec3()).collect();
            let joints = fit.frame::<NORMALS>(&rest, &goals);
            counter.count();
            joints.iter().map(|joint| whole * joint.rotation).collect()
        };
        Some(self.sequence.frames().par_iter().zip(normals).map(frame).collect())
    }

    fn rigid_fit(&self, length: f64, negligible: f64) -> RigidFit<'_> {
        RigidFit {
            blending: &self.blending,
            pivots: &self.pivots,
            length,
            negligible,
            solver: self.options.solver,
            steps: self.options.steps,
        }
    }

    /// The motion of the frame as a whole, from rest positions about their middle.
    fn whole(&self, positions: &[Vec3]) -> Isometry {
        let mut sums = Alignment::default();
        self.rest.iter().zip(positions).for_each(|(&rest, p)| sums.add(1.0, rest, p.as_dvec3()));
        sums.solve()
    }
}

fn to_affine(joints: &[Isometry]) -> Vec<DAffine3> {
    joints.iter().map(Isometry::to_affine).collect()
}

/// Counts frames for a report.
struct Counter<'p> {
    stage: &'static str,
    done: AtomicUsize,
    total: usize,
    report: Report<'p>,
}

impl<'p> Counter<'p> {
    fn new(stage: &'static str, total: usize, report: Report<'p>) -> Self {
        Self { stage, done: AtomicUsize::new(0), total, report }
    }

    fn count(&self) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        (self.report)(Progress { stage: self.stage, done, total: self.total });
    }
}
