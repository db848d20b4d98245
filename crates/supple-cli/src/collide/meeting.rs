//! Two bodies, their motions and the times at which they are looked at, out of the user's arguments.

use std::sync::Arc;

use glam::{DQuat, DVec3};
use supple::Clip;
use supple::Isometry;
use supple::{Shape, Skinning};

use super::actor::{Actor, Motion};
use crate::arguments::{CollideArguments, Input, MAX_FRAMES, OtherClips};
use crate::clip::find_clip;
use crate::failure::{Failure, bad_usage};
use crate::source;

/// Frames of bodies that move without a clip.
const FRAMES_WITHOUT_CLIP: usize = 60;

/// What is asked of every frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// All pairs of touching triangles.
    AllPairs,
    /// Any one pair.
    FirstPair,
}

/// All that is needed to play.
#[derive(Clone, Debug)]
pub struct Meeting {
    pub a: Actor,
    pub b: Actor,
    pub wanted: Wanted,
    pub frame_count: usize,
    fps: f64,
}

impl Meeting {
    /// Reads models, builds trees and finds clips.
    pub fn new(arguments: &CollideArguments) -> Result<Self, Failure> {
        let shape = |file: &str, scene: Option<&String>, clips: &[String]| {
            let other_clips =
                OtherClips { clips: clips.to_vec(), ignore_prefix: arguments.ignore_prefix.clone() };
            source::read_shape(&Input { scene: scene.cloned(), other_clips, ..Input::whole(file) })
        };
        let (scene_a, clips_a) = (arguments.scene_a.as_ref(), &arguments.clips_a);
        let shape_a = shape(&arguments.a, scene_a, clips_a)?;
        // A body that is not named differs from A only in what the user says of it.
        let alone = arguments.b.is_none();
        let scene_b = arguments.scene_b.as_ref().or(scene_a.filter(|_| alone));
        let clips_b = if alone && arguments.clips_b.is_empty() { clips_a } else { &arguments.clips_b };
        let file_b = arguments.b.as_ref().unwrap_or(&arguments.a);
        let shape_b = if *file_b == arguments.a && scene_b == scene_a && clips_b == clips_a {
            Arc::clone(&shape_a)
        } else {
            shape(file_b, scene_b, clips_b)?
        };
        let motion_a = motion(&shape_a, arguments.clip_a.as_ref(), arguments.start_a)?;
        let clip_b = arguments.clip_b.as_ref().or(arguments.clip_a.as_ref().filter(|_| alone));
        let motion_b = Motion {
            placement: Isometry::new(
                DQuat::from_rotation_y(arguments.turn_b.to_radians()),
                arguments.offset_b,
            ),
            velocity: arguments.velocity_b,
            ..motion(&shape_b, clip_b, arguments.start_b)?
        };
        let skinning_a = Skinning::from(arguments.skinning_a);
        let skinning_b = match arguments.skinning_b {
            Some(name) => name.into(),
            None if alone => skinning_a,
            None => Skinning::Linear,
        };
        let frame_count = frame_count(arguments, &motion_a, &motion_b)?;
        Ok(Self {
            a: Actor::new(&arguments.a, &shape_a, skinning_a, motion_a)?,
            b: Actor::new(file_b, &shape_b, skinning_b, motion_b)?,
            wanted: if arguments.first { Wanted::FirstPair } else { Wanted::AllPairs },
            frame_count,
            fps: f64::from(arguments.fps),
        })
    }

    /// Seconds of a frame.
    pub fn time(&self, frame: usize) -> f64 {
        frame as f64 / self.fps
    }
}

/// What can be told before anything is read.
pub fn check(arguments: &CollideArguments) -> Result<(), Failure> {
    let clip_b = arguments.clip_b.is_some() || (arguments.b.is_none() && arguments.clip_a.is_some());
    for (side, start, has_clip) in
        [("a", arguments.start_a, arguments.clip_a.is_some()), ("b", arguments.start_b, clip_b)]
    {
        if start.is_some() && !has_clip {
            return Err(bad_usage(format!("--start-{side} needs a clip: give --clip-{side}")));
        }
    }
    Ok(())
}

fn motion(shape: &Shape, clip: Option<&String>, start: Option<f64>) -> Result<Motion, Failure> {
    let clip = clip.map(|name| find_clip(shape.model(), name)).transpose()?.cloned();
    let start = start.unwrap_or(0.0);
    Ok(Motion { clip, start, placement: Isometry::IDENTITY, velocity: DVec3::ZERO })
}

/// As many as asked for; otherwise once through a clip.
fn frame_count(arguments: &CollideArguments, a: &Motion, b: &Motion) -> Result<usize, Failure> {
    let clip = a.clip.as_ref().or(b.clip.as_ref());
    let once = |clip: &Clip| (clip.duration() * f64::from(arguments.fps)).round().max(1.0) as usize;
    let count = match (arguments.frames, clip) {
        (Some(count), _) => count as usize,
        (None, Some(clip)) => once(clip),
        (None, None) if a.moves() || b.moves() => FRAMES_WITHOUT_CLIP,
        (None, None) => 1,
    };
    if count > MAX_FRAMES {
        return Err(bad_usage(format!("{count} frames are too many, at most {MAX_FRAMES} are played")));
    }
    Ok(count)
}
