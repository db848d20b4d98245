//! One of the two bodies with what moves it: a looping clip and a straight path.
//!
//! In: a shape and a motion. Out: the body, posed and placed for any time.

use std::sync::Arc;

use anyhow::Context;
use glam::{DVec3, Vec3};
use supple::Isometry;
use supple::pose::{Clip, Pose, PoseError};
use supple::{Body, Shape, Skinning};

use crate::failure::{Blame, Failure, OrBlame};

/// A body that plays a motion.
#[derive(Clone, Debug)]
pub struct Actor {
    /// Where the shape comes from, as the user named it.
    pub file: String,
    /// The body.
    pub body: Body,
    motion: Motion,
    /// The pose of the last sampled time.
    pose: Pose,
    placement: Isometry,
}

/// What moves a body.
#[derive(Clone, Debug)]
pub struct Motion {
    /// The clip; without one the rest pose is held.
    pub clip: Option<Clip>,
    /// Seconds into the clip at time 0.
    pub start: f64,
    /// Where the body is at time 0.
    pub placement: Isometry,
    /// Units of the model per second.
    pub velocity: DVec3,
}

impl Motion {
    /// Whether different times can look different.
    pub fn moves(&self) -> bool {
        self.clip.is_some() || self.velocity != DVec3::ZERO
    }
}

impl Actor {
    /// A body at time 0.
    pub fn new(file: &str, shape: &Arc<Shape>, skinning: Skinning, motion: Motion) -> Result<Self, Failure> {
        let body = Body::new(shape, skinning).context(file.to_owned()).or_blame(Blame::Input)?;
        let (pose, placement) = (shape.model().rest_pose(), motion.placement);
        let mut actor = Self { file: file.to_owned(), body, motion, pose, placement };
        actor.sample(0.0)?;
        Ok(actor)
    }

    /// What moves it.
    pub fn motion(&self) -> &Motion {
        &self.motion
    }

    /// Samples the motion; the body itself is not touched.
    pub fn sample(&mut self, time: f64) -> Result<(), Failure> {
        let Motion { clip, start, placement, velocity } = &self.motion;
        if let Some(clip) = clip {
            let sampled = clip.sample_looped(start + time, &mut self.pose);
            sampled.with_context(|| self.file.clone()).or_blame(Blame::Input)?;
        }
        self.placement = Isometry::new(placement.rotation, placement.translation + *velocity * time);
        Ok(())
    }

    /// Puts the body into the sampled pose and place.
    #[inline]
    pub fn take_pose(&mut self) -> Result<(), Failure> {
        let taken = self.body.set_pose_at(&self.pose, self.placement);
        self.explained(taken)
    }

    /// Deforms all vertices in the sampled pose and place, as a program without a tree would.
    pub fn deform_all(&self, positions: &mut [Vec3]) -> Result<(), Failure> {
        let model = self.body.shape().model();
        let posed = model.posed_at(&self.pose, self.body.skinning(), self.placement);
        self.explained(posed)?.positions_into(positions);
        Ok(())
    }

    /// All vertices in the sampled pose and place, without the body's stored state.
    pub fn positions(&self) -> Result<Vec<Vec3>, Failure> {
        let mut positions = vec![Vec3::ZERO; self.body.shape().model().mesh().positions().len()];
        self.deform_all(&mut positions)?;
        Ok(positions)
    }

    /// A pose that the body cannot take is the file's fault, unless the user has put it somewhere.
    fn explained<T>(&self, result: Result<T, PoseError>) -> Result<T, Failure> {
        let blame = if self.placement == Isometry::IDENTITY { Blame::Input } else { Blame::Usage };
        result.with_context(|| format!("{} at {}", self.file, self.placement.translation)).or_blame(blame)
    }
}
