//! One file: every clip, every frame.
//!
//! Must hold: frames are answered on any thread in any order, and the report is the same.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;

use anyhow::Context;
use glam::Vec3;
use indicatif::ProgressBar;
use rayon::prelude::*;
use supple::math::Aabb;
use supple::model::Model;
use supple::pose::{Clip, Pose, PoseError};
use supple::{Body, Shape, Skinning};

use super::bones::Bones;
use super::depth::Surfaces;
use super::frame::{Intersections, Moments, Question};
use super::picture::{Scene, picture};
use super::report::{BonePair, FileReport, Moment, Motion};
use crate::arguments::{AuditArguments, Input, MAX_FRAMES};
use crate::clip::find_clip;
use crate::failure::{Blame, Failure, OrBlame, bad_usage};
use crate::source::read_shape_quietly;

/// Bone pairs per clip of which a picture is made.
const PICTURES: usize = 3;

/// What became of a file.
#[derive(Debug)]
pub struct Audited {
    /// Nothing where the file has none of the clips.
    pub report: Option<FileReport>,
    /// Clips that were asked for and are not there, and how to say that.
    pub missing: Vec<(String, Failure)>,
}

/// Reads and audits a file. A clip that is not there is an error only of the only file: others may have it.
pub fn audit_file(
    file: &str,
    is_only_file: bool,
    arguments: &AuditArguments,
    progress: &ProgressBar,
) -> Result<Audited, Failure> {
    let shape = read_shape_quietly(&Input { file: file.to_owned(), part: None })?;
    let model = shape.model();
    let here = |failure: Failure| failure.at(file);
    let (clips, missing) = chosen_clips(model, &arguments.clips);
    let mut missing: Vec<_> = missing.into_iter().map(|(name, failure)| (name, here(failure))).collect();
    if is_only_file && !missing.is_empty() {
        return Err(missing.swap_remove(0).1);
    }
    if clips.is_empty() && !missing.is_empty() {
        return Ok(Audited { report: None, missing });
    }
    let lengths =
        clips.iter().map(|(_, clip)| frame_count(clip, arguments.fps)).collect::<Result<Vec<_>, _>>();
    let lengths = lengths.map_err(here)?;
    progress.inc_length(lengths.iter().sum::<usize>() as u64);
    let player = Player::new(&shape, arguments, progress).map_err(here)?;
    let rest = player.rest().map_err(here)?;
    let mut played = Vec::new();
    for ((number, clip), frames) in clips.into_iter().zip(lengths) {
        let motion = player.play(number, clip, frames);
        played
            .push(motion.map_err(|failure| failure.at(format!("{file}: clip {number} {:?}", clip.name())))?);
    }
    let report = FileReport {
        file: file.to_owned(),
        triangles: model.mesh().triangles().len(),
        vertices: model.mesh().positions().len(),
        bones: player.question.bones.count(),
        height: player.height,
        rest,
        clips: played,
        missing_clips: missing.iter().map(|(name, _)| name.clone()).collect(),
        bone_prefix: player.question.bones.common_prefix().to_owned(),
    };
    Ok(Audited { report: Some(report), missing })
}

/// Clips with their numbers, and names that are no clip's.
type Chosen<'m> = (Vec<(usize, &'m Clip)>, Vec<(String, Failure)>);

fn chosen_clips<'m>(model: &'m Model, names: &[String]) -> Chosen<'m> {
    let all = model.clips().iter().enumerate();
    if names.is_empty() {
        return (all.collect(), Vec::new());
    }
    let (mut named, mut missing): (Vec<&Clip>, _) = (Vec::new(), Vec::new());
    for name in names {
        match find_clip(model, name) {
            Ok(clip) => named.push(clip),
            Err(failure) => missing.push((name.clone(), failure)),
        }
    }
    (all.filter(|(_, clip)| named.iter().any(|n| std::ptr::eq(*n, *clip))).collect(), missing)
}

/// From the start to the end of a clip, both included. A duration that is a whole number of frames, up to its rounding to
/// f32, ends with a frame.
fn frame_count(clip: &Clip, fps: f32) -> Result<usize, Failure> {
    let count = ((clip.duration() * f64::from(fps) + 1e-4).floor().max(0.0) as usize).saturating_add(1);
    if count > MAX_FRAMES {
        return Err(bad_usage(format!(
            "{count} frames of clip {:?} are too many, at most {MAX_FRAMES} are audited",
            clip.name()
        )));
    }
    Ok(count)
}

/// A body and what it is asked.
struct Player<'a> {
    arguments: &'a AuditArguments,
    progress: &'a ProgressBar,
    body: Body,
    skinning: Skinning,
    question: Question,
    height: f32,
}

impl<'a> Player<'a> {
    fn new(
        shape: &Arc<Shape>,
        arguments: &'a AuditArguments,
        progress: &'a ProgressBar,
    ) -> Result<Self, Failure> {
        let (model, skinning) = (shape.model(), Skinning::from(arguments.skinning));
        let mut body = Body::new(shape, skinning).or_blame(Blame::Input)?;
        let rest = posed(model, &model.rest_pose(), skinning)?;
        let bones = Bones::new(model);
        let surfaces = Surfaces::new(model, &bones, &rest);
        let question = Question::new(&mut body, bones, surfaces, arguments)?;
        let bounds = Aabb::from_points(rest);
        Ok(Self { arguments, progress, body, skinning, question, height: bounds.max.y - bounds.min.y })
    }

    fn model(&self) -> &Model {
        self.body.shape().model()
    }

    /// The rest pose, as a motion of one frame.
    fn rest(&self) -> Result<Motion, Failure> {
        let found = self.question.at_rest();
        let positions = posed(self.model(), &self.model().rest_pose(), self.skinning)?;
        let moments = self.question.moments(&found, 0, &positions);
        let pose = |_| Ok(self.model().rest_pose());
        let mut motion = self.motion(vec![moments], pose, |_, _| Ok(found.clone()))?;
        // The limit is about what is played: the rest pose only where nothing else is.
        motion.over_limit &= self.model().clips().is_empty() && !self.arguments.ignore_rest;
        Ok(motion)
    }

    fn play(&self, number: usize, clip: &Clip, frames: usize) -> Result<Motion, Failure> {
        let pose = |frame: usize| self.model().sample(clip, frame as f64 / f64::from(self.arguments.fps));
        let asked: Vec<Result<Moments, Failure>> = (0..frames)
            .into_par_iter()
            .map_init(
                || self.body.clone(),
                |body, frame| {
                    let pose = pose(frame).or_blame(Blame::Input)?;
                    let found = self.question.intersections(body, &pose)?;
                    self.progress.inc(1);
                    if found.is_empty() {
                        return Ok(Vec::new());
                    }
                    let positions = posed(self.model(), &pose, self.skinning)?;
                    Ok(self.question.moments(&found, frame, &positions))
                },
            )
            .collect();
        let moments = asked.into_iter().collect::<Result<Vec<_>, _>>()?;
        let motion = self.motion(moments, pose, |body, pose| self.question.intersections(body, pose))?;
        Ok(Motion { name: clip.name().to_owned(), clip: Some(number), duration: clip.duration(), ..motion })
    }

    /// Turns frames into bone pairs, and looks again at the worst frame of each.
    fn motion(
        &self,
        frames: Vec<Moments>,
        pose: impl Fn(usize) -> Result<Pose, PoseError>,
        ask: impl Fn(&mut Body, &Pose) -> Result<Intersections, Failure>,
    ) -> Result<Motion, Failure> {
        let sum = |frame: &Moments| frame.iter().map(|(_, m)| m.new_pairs + m.rest_pairs).sum::<usize>();
        let totals: Vec<usize> = frames.iter().map(sum).collect();
        let most_pairs = totals.iter().copied().max().unwrap_or(0);
        let mut timelines: BTreeMap<[usize; 2], Vec<Moment>> = BTreeMap::new();
        for (bones, moment) in frames.iter().flatten() {
            timelines.entry(*bones).or_default().push(*moment);
        }
        let mut found: Vec<([usize; 2], BonePair)> =
            timelines.into_iter().map(|(bones, timeline)| (bones, self.bone_pair(bones, timeline))).collect();
        found.sort_by(|(_, a), (_, b)| worse_first(a, b));
        let (mut body, mut asked) = (self.body.clone(), BTreeMap::new());
        for (rank, (bones, pair)) in found.iter_mut().enumerate() {
            let pose = pose(pair.worst_frame).or_blame(Blame::Input)?;
            // Many pairs of bones are worst in the same frame.
            let seen = match asked.entry(pair.worst_frame) {
                Entry::Occupied(seen) => seen.into_mut(),
                Entry::Vacant(place) => place.insert(ask(&mut body, &pose)?),
            };
            pair.worst_triangles = seen.get(bones).map(|i| i.triangles.clone()).unwrap_or_default();
            if rank < PICTURES && self.arguments.html.is_some() {
                let positions = posed(self.model(), &pose, self.skinning)?;
                let triangles = self.model().mesh().triangles();
                let owners = self.question.bones.of_triangles();
                let scene = Scene {
                    positions: &positions,
                    triangles,
                    owners,
                    bones: *bones,
                    pairs: &pair.worst_triangles,
                };
                pair.picture = Some(picture(&scene).context("a picture").or_blame(Blame::Output)?);
            }
        }
        Ok(Motion {
            name: String::new(),
            clip: None,
            duration: 0.0,
            frames: frames.len(),
            frames_with_pairs: totals.iter().filter(|&&t| t > 0).count(),
            fullest_frame: totals.iter().position(|&t| t == most_pairs).unwrap_or(0),
            most_pairs,
            over_limit: self.arguments.max_pairs.is_some_and(|limit| most_pairs > limit),
            bone_pairs: found.into_iter().map(|(_, pair)| pair).collect(),
        })
    }

    fn bone_pair(&self, bones: [usize; 2], timeline: Vec<Moment>) -> BonePair {
        let badness = |m: &Moment| (m.depth.unwrap_or(0.0), m.new_pairs + m.rest_pairs);
        let mut worst = timeline[0];
        for moment in &timeline {
            if badness(moment) > badness(&worst) {
                worst = *moment;
            }
        }
        let (height, most) =
            (self.height, |count: fn(&Moment) -> usize| timeline.iter().map(count).max().unwrap_or(0));
        BonePair {
            bones: bones.map(|b| self.question.bones.label(b).to_owned()),
            nodes: bones.map(|b| self.question.bones.node(b)),
            frames: timeline.len(),
            first_frame: timeline.iter().map(|m| m.frame).min().unwrap_or(0),
            last_frame: timeline.iter().map(|m| m.frame).max().unwrap_or(0),
            worst_frame: worst.frame,
            most_new_pairs: most(|m| m.new_pairs),
            most_rest_pairs: most(|m| m.rest_pairs),
            depth: worst.depth,
            depth_percent: worst.depth.filter(|_| height > 0.0).map(|depth| 100.0 * depth / height),
            worst_triangles: Vec::new(),
            timeline,
            picture: None,
        }
    }
}

/// By depth, then by triangles, then by name.
fn worse_first(a: &BonePair, b: &BonePair) -> std::cmp::Ordering {
    let depth = |p: &BonePair| p.depth.unwrap_or(-1.0);
    let pairs = |p: &BonePair| p.most_new_pairs + p.most_rest_pairs;
    depth(b).total_cmp(&depth(a)).then(pairs(b).cmp(&pairs(a))).then_with(|| a.bones.cmp(&b.bones))
}

fn posed(model: &Model, pose: &Pose, skinning: Skinning) -> Result<Vec<Vec3>, Failure> {
    Ok(model.posed(pose, skinning).or_blame(Blame::Input)?.positions())
}
