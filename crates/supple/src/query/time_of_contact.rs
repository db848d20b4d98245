//! When two moving bodies first touch: conservative advancement.
//!
//! Two triangles at the distance `d`, whose vertices move no faster than `v_a` and `v_b`, do not touch for a time of
//! `d / (v_a + v_b)`. The smallest such time over all pairs is safe to pass, and is found by walking the trees: a pair of nodes
//! whose boxes are too far apart for their speeds is left out. Passing it again and again leads to the contact from before.
//! Must hold: no contact at any time before the reported one, on the f32 vertices of the posed bodies. Vertices are off their
//! exact paths by the noise `N` of both bodies, now and later, so `2 N` of every distance does not count.
//!
//! Based on: B. Mirtich, Impulse-based Dynamic Simulation of Rigid Body Systems, 1996; M. Tang, Y. J. Kim, D. Manocha, C2A:
//! Controlled Conservative Advancement for Continuous Collision Detection of Polygonal Models, 2009.

use std::sync::Arc;

use thiserror::Error;

use super::closest_points::closest_points;
use super::near::{NearVisitor, walk_near};
use super::walk::Search;
use crate::answer::{Answer, QueryStats};
use crate::math::Distance;
use crate::narrow::{ClosestPoints, NearPair};
use crate::pose::{Motion, PoseError};
use crate::refit::{Body, NoSpeed, Speeds};
use crate::tree::Shape;

/// A contact, or a moment before it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TimedContact {
    /// From 0 to 1; never later than the first contact: rounded down.
    pub time: f32,
    /// The closest triangles at that time, at most the tolerance apart.
    pub closest: NearPair,
}

/// Why there is no time of contact.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum MotionError {
    /// A motion that does not fit its body, or takes it too far.
    #[error(transparent)]
    Pose(#[from] PoseError),
    /// A tolerance that is infinite, or below what rounding of f32 vertices leaves to be told.
    #[error("the tolerance is {tolerance}; these motions need at least {least:e}")]
    Tolerance {
        /// What was given.
        tolerance: f32,
        /// What would do.
        least: f64,
    },
    /// Two joints of a vertex are half a turn apart, or nearly: the blend of their dual quaternions may jump there.
    #[error(
        "at time {time} joints that share vertices are turned against each other by half a turn: no bound of their speed"
    )]
    NotContinuous {
        /// When.
        time: f64,
    },
    /// Spherical skinning of vertices with several joints moves rotation centers that may jump.
    #[error("spherical skinning may jump: no bound of its speed")]
    Spherical,
    /// Dual quaternion skinning takes joints apart into rotation and stretch; where joints that share vertices are scaled
    /// differently, along axes or in time, these may jump.
    #[error("joints that share vertices are scaled differently: no bound of the speed of their rotation")]
    Stretched,
    /// So slow an approach that it was given up.
    #[error("no decision after {MOST_MOMENTS} moments, at time {time}; a larger tolerance takes fewer")]
    TooManySteps {
        /// There is no contact before.
        time: f64,
    },
}

/// Moments that are looked at, at most.
const MOST_MOMENTS: u64 = 20_000;

/// Blends have to be steady for so long, or they are as good as jumping.
const SHORTEST_SPAN: f64 = 1e-6;

/// The first contact of two bodies that move while time goes from 0 to 1; `None` if they touch at no time.
///
/// The time found is never later than the first contact, and the bodies are then at most `tolerance` apart; bodies that
/// come closer than the tolerance without touching may be reported as well. Afterwards the bodies are in the pose of the time of
/// contact, or of time 1 where there is none; after an error, in some pose of their motions, or the one they had.
///
/// Works for linear skinning of any joints, and for dual quaternion skinning of joints that are all scaled by one number, if at
/// all, that does not change. Vertices of one joint move alike in every model.
///
/// Costs a walk per moment looked at ([`QueryStats::moments`]), usually 3 to 50. With linear skinning there are at most
/// `2 + V / (tolerance - 2 N)` of them, where `V` bounds the speed of the two bodies towards each other and `N` is the rounding noise of
/// their vertices; dual quaternion blends are looked at again after an eighth of the time at the latest. Where bodies move by less than their
/// thickness between frames, [`collide`](crate::collide) at the end of the frame costs less.
///
/// ```
/// # use std::sync::Arc;
/// # use glam::Vec3;
/// # use supple::{Body, BuildOptions, Distance, Isometry, Mesh, Model, Motion, Shape, Skinning};
/// # let mesh = Mesh::new(vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![[0, 1, 2]])?;
/// # let shape = Arc::new(Shape::build(Model::rigid(mesh), &BuildOptions::default())?);
/// let (mut a, mut b) = (Body::new(&shape, Skinning::Linear)?, Body::new(&shape, Skinning::Linear)?);
/// let (rest, at) = (shape.model().rest_pose(), |z: f32| Isometry::from_translation(Vec3::Z * z));
/// let still = Motion::of_placement(rest.clone(), at(0.0), at(0.0))?;
/// let fall = Motion::of_placement(rest, at(1.0), at(-3.0))?;
/// let answer = supple::time_of_contact([&mut a, &mut b], [&still, &fall], Distance::new(1e-3)?)?;
/// let contact = answer.found.expect("it falls through");
/// assert!(contact.time <= 0.25 && contact.closest.distance <= 1e-3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// A motion does not fit, the tolerance is too small, or there is no bound of the speed; see [`MotionError`].
pub fn time_of_contact(
    [a, b]: [&mut Body; 2],
    [motion_a, motion_b]: [&Motion; 2],
    tolerance: Distance,
) -> Result<Answer<Option<TimedContact>>, MotionError> {
    // The end first: what does not fit is then known before anything is computed.
    set_time(a, motion_a, 1.0)?;
    set_time(b, motion_b, 1.0)?;
    let speeds = [Speeds::new(a, motion_a).map_err(no_speed)?, Speeds::new(b, motion_b).map_err(no_speed)?];
    let shapes = [Arc::clone(a.shape()), Arc::clone(b.shape())];
    let mut advance =
        Advance { shapes, speeds, tolerance: tolerance.get().into(), margin: 0.0, step: 0.0, near: false };
    let mut stats = QueryStats::default();
    let mut time = 0.0;
    while time <= 1.0 {
        if stats.moments == MOST_MOMENTS {
            return Err(MotionError::TooManySteps { time });
        }
        stats.moments += 1;
        set_time(a, motion_a, time)?;
        set_time(b, motion_b, time)?;
        advance.begin([a, b], time)?;
        walk_near(a, b, &mut stats, &mut advance);
        if advance.near {
            let near = closest_points(a, b, tolerance);
            stats += near.stats;
            let found = near.found.map(|closest| TimedContact { time: rounded_down(time), closest });
            return Ok(Answer { found, stats });
        }
        // At the end of time every step, even the smallest, leads out of it.
        time = if time < 1.0 { time + advance.step } else { f64::INFINITY };
    }
    set_time(a, motion_a, 1.0)?;
    set_time(b, motion_b, 1.0)?;
    Ok(Answer { found: None, stats })
}

/// The largest f32 that is not later.
fn rounded_down(time: f64) -> f32 {
    let nearest = time as f32;
    if f64::from(nearest) > time { nearest.next_down() } else { nearest }
}

fn set_time(body: &mut Body, motion: &Motion, time: f64) -> Result<(), PoseError> {
    let (pose, placement) = motion.at(time);
    body.set_pose_at(&pose, placement)
}

fn no_speed(why: NoSpeed) -> MotionError {
    match why {
        NoSpeed::Spherical => MotionError::Spherical,
        NoSpeed::Stretched => MotionError::Stretched,
    }
}

/// Looks for the longest step in time that is safe for all pairs.
struct Advance {
    shapes: [Arc<Shape>; 2],
    speeds: [Speeds; 2],
    /// An f32, so its square is exact.
    tolerance: f64,
    /// `2 N`.
    margin: f64,
    /// Safe for all pairs found so far.
    step: f64,
    /// Whether a pair is within the tolerance.
    near: bool,
}

impl Advance {
    /// Begins at a time at which the bodies are posed.
    fn begin(&mut self, bodies: [&Body; 2], time: f64) -> Result<(), MotionError> {
        let mut span = 1.0 - time;
        for (speeds, body) in self.speeds.iter().zip(bodies) {
            let steady = speeds.longest_span(body).map_err(no_speed)?;
            if steady < SHORTEST_SPAN {
                return Err(MotionError::NotContinuous { time });
            }
            span = span.min(steady);
        }
        self.margin = 0.0;
        for (speeds, body) in self.speeds.iter_mut().zip(bodies) {
            speeds.set_span(body, span);
            self.margin += 2.0 * speeds.noise();
        }
        let least = 2.0 * self.margin;
        if !(self.tolerance >= least && self.tolerance.is_finite()) {
            return Err(MotionError::Tolerance { tolerance: self.tolerance as f32, least });
        }
        (self.step, self.near) = (span, false);
        Ok(())
    }

    fn speed(&mut self, nodes: [usize; 2]) -> f64 {
        let [a, b] = &mut self.speeds;
        a.of_node(&self.shapes[0], nodes[0]) + b.of_node(&self.shapes[1], nodes[1])
    }
}

/// More than all rounding of f64 in speeds, steps and distances.
const SLACK: f64 = 1e-9;

impl NearVisitor for Advance {
    #[inline(always)]
    fn limit_sq(&mut self, nodes: [usize; 2]) -> f64 {
        let nearest_safe = (self.margin + self.step * self.speed(nodes)).max(self.tolerance) * (1.0 + SLACK);
        nearest_safe * nearest_safe
    }

    #[inline(always)]
    fn found(&mut self, nodes: [usize; 2], _: [u32; 2], closest: &ClosestPoints) -> Search {
        if closest.distance_sq <= self.tolerance * self.tolerance {
            self.near = true;
            return Search::Stop;
        }
        let safe = (closest.distance() - self.margin) * (1.0 - SLACK) / self.speed(nodes);
        // Nothing moves: NaN never is, as the distance is above the margin.
        self.step = self.step.min(safe);
        Search::GoOn
    }
}
