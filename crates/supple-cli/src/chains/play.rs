//! Every frame of some clips: where the spheres are, which overlap, and what the exact answer is.
//!
//! Must hold: frames are answered on any thread in any order, and the outcome is the same.

use std::sync::Arc;

use anyhow::Context;
use rayon::prelude::*;
use supple::{Answer, Body, Clip, Model, Pair, Pose, Shape, Skinning, self_collide};
use supple_chains::{Agreement, Grouping, PosedSpheres, SphereChains, Testing};

use crate::arguments::ChainsArguments;
use crate::failure::{Blame, Failure, OrBlame};
use crate::frames::Frames;
use crate::progress::bar;

/// A body with its spheres, and how both are to move.
pub struct Player<'a> {
    shape: &'a Arc<Shape>,
    pub chains: &'a SphereChains,
    pub skinning: Skinning,
    arguments: &'a ChainsArguments,
}

/// All that was played, and the pose it starts from.
pub struct PlayedClips<'m> {
    pub rest: PosedSpheres,
    pub clips: Vec<PlayedClip<'m>>,
}

/// A clip, or the rest pose of a model without clips.
pub struct PlayedClip<'m> {
    /// With its number.
    pub clip: Option<(usize, &'m Clip)>,
    pub times: Vec<f64>,
    /// Seconds that the frames stand for, at most all of the clip.
    pub seconds: f64,
    pub frames: Vec<Frame>,
}

/// One frame.
pub struct Frame {
    pub spheres: PosedSpheres,
    /// Pairs that share a chain (the paper's M1).
    pub chained: Answer<Vec<Pair>>,
    /// All pairs (the paper's M2).
    pub all: Answer<Vec<Pair>>,
    /// Only where it was asked for.
    pub exact: Option<Exact>,
}

/// What the triangles say.
pub struct Exact {
    /// Pairs of touching triangles, whatever their spheres.
    pub touching: usize,
    /// Different pairs of regions with touching triangles, whatever their spheres.
    pub regions: Vec<[u32; 2]>,
    pub chained: Agreement,
    pub all: Agreement,
}

impl<'a> Player<'a> {
    /// Of a covered shape.
    pub fn new(shape: &'a Arc<Shape>, chains: &'a SphereChains, arguments: &'a ChainsArguments) -> Self {
        Self { shape, chains, skinning: arguments.skinning.into(), arguments }
    }

    /// The model that is played.
    pub fn model(&self) -> &'a Model {
        self.shape.model()
    }

    /// Plays clips; the rest pose where there are none.
    pub fn play(&self, clips: &[(usize, &'a Clip)]) -> Result<PlayedClips<'a>, Failure> {
        let body = Body::new(self.shape, self.skinning).or_blame(Blame::Input)?;
        let Self { arguments, .. } = self;
        let numbered = |&(number, clip): &(usize, &'a Clip)| Some((number, clip));
        let clips: Vec<Option<(usize, &Clip)>> =
            if clips.is_empty() { vec![None] } else { clips.iter().map(numbered).collect() };
        let times = |clip: &Option<(usize, &Clip)>| match clip {
            None => Ok((vec![0.0], 0.0)),
            Some((_, clip)) => {
                let frames = Frames::of_clip(Some(clip), 0.0, arguments.fps, arguments.frames)?;
                let seconds = frames.count() as f64 / f64::from(frames.fps);
                Ok((frames.times().collect(), seconds.min(clip.duration())))
            }
        };
        let times = clips.iter().map(times).collect::<Result<Vec<(Vec<f64>, f64)>, Failure>>()?;
        let progress = bar(times.iter().map(|(times, _)| times.len()).sum(), "playing").counting(" frames");
        let mut played = Vec::new();
        for (clip, (times, seconds)) in clips.into_iter().zip(times) {
            let frame = |body: &mut Body, &time: &f64| {
                let frame = self.frame(body, &self.pose(clip, time)?);
                progress.inc(1);
                frame
            };
            let frames: Result<Vec<Frame>, Failure> =
                times.par_iter().map_init(|| body.clone(), frame).collect();
            let in_clip = |failure: Failure| match clip {
                Some((number, clip)) => failure.at(format!("clip {number} {:?}", clip.name())),
                None => failure,
            };
            played.push(PlayedClip { clip, frames: frames.map_err(in_clip)?, times, seconds });
        }
        Ok(PlayedClips { rest: self.spheres(&mut body.clone())?, clips: played })
    }

    /// What a clip says about a time.
    pub fn pose(&self, clip: Option<(usize, &Clip)>, time: f64) -> Result<Pose, Failure> {
        match clip {
            None => Ok(self.model().rest_pose()),
            Some((_, clip)) => {
                let sampled = self.model().sample(clip, time);
                sampled.with_context(|| format!("at {time:.3} s")).or_blame(Blame::Input)
            }
        }
    }

    fn spheres(&self, body: &mut Body) -> Result<PosedSpheres, Failure> {
        let moved =
            if self.arguments.enclosing { self.chains.enclose(body) } else { self.chains.follow(body) };
        Ok(moved.or_blame(Blame::Input)?.found)
    }

    fn frame(&self, body: &mut Body, pose: &Pose) -> Result<Frame, Failure> {
        body.set_pose(pose).or_blame(Blame::Input)?;
        let spheres = self.spheres(body)?;
        let overlaps =
            |grouping| self.chains.overlaps(&spheres, grouping, Testing::Lanes).or_blame(Blame::Input);
        let (chained, all) = (overlaps(Grouping::Chains)?, overlaps(Grouping::All)?);
        let exact = self.arguments.check.then(|| self.exact(body, &chained.found, &all.found));
        Ok(Frame { spheres, chained, all, exact })
    }

    fn exact(&self, body: &mut Body, chained: &[Pair], all: &[Pair]) -> Exact {
        let touching = self_collide(body).found;
        let spheres: Vec<Pair> =
            touching.iter().map(|pair| pair.map(|triangle| self.chains.sphere_of(triangle))).collect();
        Exact {
            touching: touching.len(),
            regions: self.chains.regions_of(&spheres),
            chained: self.chains.agreement(chained, &touching),
            all: self.chains.agreement(all, &touching),
        }
    }
}

impl<'m> PlayedClips<'m> {
    /// Clip and frame with the most overlaps, the first of equals.
    pub fn fullest(&self) -> Option<(&PlayedClip<'m>, usize)> {
        let mut best: Option<(&PlayedClip, usize)> = None;
        let count = |(played, frame): (&PlayedClip, usize)| played.frames[frame].all.found.len();
        for played in &self.clips {
            for frame in 0..played.frames.len() {
                if best.is_none_or(|best| count((played, frame)) > count(best)) {
                    best = Some((played, frame));
                }
            }
        }
        best
    }
}
