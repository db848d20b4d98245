//! Plays clips: every frame of every clip is asked, then frames become pairs of bones.
//!
//! Must hold: frames are answered on any thread in any order, and the audit is the same.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;

use glam::Vec3;
use supple::Aabb;
use supple::Model;
use supple::pose::{Pose, PoseError};
use supple::{Body, Shape, Skinning};

use crate::error::AuditError;
use crate::findings::{Audit, BonePair, Findings, Moment, Verdict};
use crate::in_order::in_order;
use crate::intersections::{Finder, FrameNumbers, Intersections};
use crate::left_out::LeftOut;
use crate::options::{AuditOptions, ChosenClip};

/// How far an audit is.
///
/// ```
/// use supple_audit::Progress;
///
/// let percent = |progress: Progress| 100 * progress.done / progress.frames.max(1);
/// # let _ = percent;
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// How many frames are done.
    pub done: usize,
    /// How many there are, of all clips that are played.
    pub frames: usize,
}

/// Plays clips of a model and finds where it goes through itself.
///
/// It costs a self-collision per frame, and where something intersects, posing all vertices and measuring the depth. With the
/// feature `rayon` frames and clips are done on all cores. To know only whether a body touches itself in one pose, ask
/// [`supple::self_collide`].
///
/// ```
/// use std::sync::Arc;
/// use supple::{BuildOptions, Shape};
/// use supple_audit::{AuditOptions, audit};
///
/// let man = supple_zoo::make("man", 0)?;
/// let shape = Arc::new(Shape::build(man, &BuildOptions::default())?);
/// let audit = audit(&shape, &AuditOptions::default().with_fps(5.0))?;
/// let clean: Vec<&str> =
///     audit.clips.iter().filter(|clip| clip.bone_pairs.is_empty()).map(|clip| clip.name.as_str()).collect();
/// println!("nothing intersects in {clean:?}");
/// # assert_eq!(audit.clips.len(), shape.model().clips().len());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Options that do not fit the model, or a clip that takes it where numbers are not finite.
pub fn audit(shape: &Arc<Shape>, options: &AuditOptions) -> Result<Audit, AuditError> {
    audit_with_progress(shape, options, |_| {})
}

/// Like [`audit`], and says how far it is: at the start, then after one or more frames, always on the caller's thread.
///
/// ```
/// # use std::sync::Arc;
/// # use supple::{BuildOptions, Shape};
/// use supple_audit::{AuditOptions, audit_with_progress};
/// # let man = supple_zoo::make("man", 0)?;
/// # let shape = Arc::new(Shape::build(man, &BuildOptions::default())?);
///
/// let mut last = None;
/// audit_with_progress(&shape, &AuditOptions::default().with_fps(2.0), |progress| last = Some(progress))?;
/// assert!(last.is_some_and(|progress| progress.done == progress.frames));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Options that do not fit the model, or a clip that takes it where numbers are not finite.
pub fn audit_with_progress(
    shape: &Arc<Shape>,
    options: &AuditOptions,
    mut progress: impl FnMut(Progress),
) -> Result<Audit, AuditError> {
    let model = shape.model();
    let clips = options.chosen_clips(model)?;
    let player = Player::new(shape, options)?;
    let mut so_far = Progress { done: 0, frames: clips.iter().map(|clip| clip.frames).sum() };
    progress(so_far);
    let rest = player.rest(clips.is_empty())?;
    let played = player.play(&clips, |frames| {
        so_far.done += frames;
        progress(so_far);
    })?;
    Ok(Audit {
        triangles: model.mesh().triangles().len(),
        vertices: model.mesh().positions().len(),
        bones: player.finder.bones.count(),
        height: player.height,
        rest,
        clips: played,
    })
}

/// A body and what it is asked.
struct Player<'a> {
    options: &'a AuditOptions,
    body: Body,
    finder: Finder,
    rest_positions: Vec<Vec3>,
    height: f32,
}

impl<'a> Player<'a> {
    fn new(shape: &Arc<Shape>, options: &'a AuditOptions) -> Result<Self, AuditError> {
        let (model, skinning) = (shape.model(), options.skinning);
        let mut body = Body::new(shape, skinning).map_err(AuditError::RestPose)?;
        let rest_positions = posed(model, &model.rest_pose(), skinning).map_err(AuditError::RestPose)?;
        let finder = Finder::new(&mut body, &rest_positions, options)?;
        let bounds = Aabb::from_points(rest_positions.iter().copied());
        Ok(Self { options, body, finder, rest_positions, height: bounds.max.y - bounds.min.y })
    }

    fn model(&self) -> &Model {
        self.body.shape().model()
    }

    /// The rest pose, as a clip of one frame.
    fn rest(&self, is_alone: bool) -> Result<Findings, AuditError> {
        let found = self.finder.at_rest(self.model());
        let numbers = self.finder.numbers(&found, 0, || Ok::<_, AuditError>(self.rest_positions.clone()))?;
        let mut findings = self.findings(&[numbers], |_| Ok(found.clone()))?;
        // The limit is about what is played: the rest pose only where nothing else is.
        findings.over_limit &= is_alone && !self.options.ignore_rest;
        Ok(findings)
    }

    /// All frames of all clips first, so that no thread waits for the end of a clip; then clip by clip.
    fn play(&self, clips: &[ChosenClip], finished: impl FnMut(usize)) -> Result<Vec<Findings>, AuditError> {
        let body = || self.body.clone();
        let frames: Vec<(ChosenClip, usize)> =
            clips.iter().flat_map(|&clip| (0..clip.frames).map(move |frame| (clip, frame))).collect();
        let ask = |body: &mut Body, (clip, frame): &(ChosenClip, usize)| {
            self.numbers(body, clip, *frame).map_err(|error| failed(clip, *frame, error))
        };
        let mut numbers = in_order(&frames, body, ask, finished)?.into_iter();
        let of_clips: Vec<(ChosenClip, Vec<FrameNumbers>)> =
            clips.iter().map(|&clip| (clip, numbers.by_ref().take(clip.frames).collect())).collect();
        let findings = |body: &mut Body, (clip, frames): &(ChosenClip, Vec<FrameNumbers>)| {
            let found = self.findings(frames, |frame| {
                let found = self.pose(clip, frame).and_then(|pose| self.finder.intersections(body, &pose));
                found.map_err(|error| failed(clip, frame, error))
            })?;
            let (name, duration) = (clip.clip.name().to_owned(), clip.clip.duration());
            Ok(Findings { name, clip: Some(clip.number), duration, ..found })
        };
        in_order(&of_clips, body, findings, |_| {})
    }

    fn pose(&self, clip: &ChosenClip, frame: usize) -> Result<Pose, PoseError> {
        self.model().sample(clip.clip, self.options.seconds(frame))
    }

    /// What is found in one frame.
    fn numbers(&self, body: &mut Body, clip: &ChosenClip, frame: usize) -> Result<FrameNumbers, PoseError> {
        let pose = self.pose(clip, frame)?;
        let found = self.finder.intersections(body, &pose)?;
        self.finder.numbers(&found, frame, || posed(self.model(), &pose, self.options.skinning))
    }

    /// Turns frames into bone pairs; `look_again` finds the triangles of a frame.
    fn findings(
        &self,
        frames: &[FrameNumbers],
        mut look_again: impl FnMut(usize) -> Result<Intersections, AuditError>,
    ) -> Result<Findings, AuditError> {
        let sum = |frame: &FrameNumbers| {
            frame.moments.iter().map(|(_, m)| m.new_pairs + m.rest_pairs).sum::<usize>()
        };
        let totals: Vec<usize> = frames.iter().map(sum).collect();
        let most_pairs = totals.iter().copied().max().unwrap_or(0);
        let mut timelines: BTreeMap<[u32; 2], Vec<Moment>> = BTreeMap::new();
        for (bones, moment) in frames.iter().flat_map(|frame| &frame.moments) {
            timelines.entry(*bones).or_default().push(*moment);
        }
        let mut found: Vec<([u32; 2], BonePair)> =
            timelines.into_iter().map(|(bones, timeline)| (bones, self.bone_pair(bones, timeline))).collect();
        found.sort_by(|(_, a), (_, b)| worse_first(a, b));
        let mut seen = BTreeMap::new();
        for (bones, pair) in &mut found {
            // Many pairs of bones are worst in the same frame.
            let in_frame = match seen.entry(pair.worst_frame) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(unknown) => unknown.insert(look_again(pair.worst_frame)?),
            };
            pair.worst_triangles =
                in_frame.groups.get(bones).map(|i| i.triangles.clone()).unwrap_or_default();
        }
        let left_out = LeftOut::of_frames(frames.iter().map(|frame| &frame.left_out));
        Ok(Findings {
            name: String::new(),
            clip: None,
            duration: 0.0,
            frames: frames.len(),
            frames_with_pairs: totals.iter().filter(|&&t| t > 0).count(),
            fullest_frame: totals.iter().position(|&t| t == most_pairs).unwrap_or(0),
            most_pairs,
            verdict: Verdict::new(most_pairs, &left_out),
            left_out,
            over_limit: self.options.max_pairs.is_some_and(|limit| most_pairs > limit),
            bone_pairs: found.into_iter().map(|(_, pair)| pair).collect(),
        })
    }

    fn bone_pair(&self, bones: [u32; 2], timeline: Vec<Moment>) -> BonePair {
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
            bones: bones.map(|b| self.finder.bones.label(b).to_owned()),
            nodes: bones.map(|b| self.finder.bones.node(b)),
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
        }
    }
}

fn failed(clip: &ChosenClip, frame: usize, source: PoseError) -> AuditError {
    AuditError::Pose { clip: clip.number, name: clip.clip.name().to_owned(), frame, source }
}

/// By depth, then by triangles, then by name.
fn worse_first(a: &BonePair, b: &BonePair) -> std::cmp::Ordering {
    let depth = |p: &BonePair| p.depth.unwrap_or(-1.0);
    let pairs = |p: &BonePair| p.most_new_pairs + p.most_rest_pairs;
    depth(b).total_cmp(&depth(a)).then(pairs(b).cmp(&pairs(a))).then_with(|| a.bones.cmp(&b.bones))
}

fn posed(model: &Model, pose: &Pose, skinning: Skinning) -> Result<Vec<Vec3>, PoseError> {
    Ok(model.posed(pose, skinning)?.positions())
}
