//! A motion: from one pose and placement to another.
//!
//! In: two poses, two placements, a time from 0 to 1. Out: pose and placement at that time, as clips have them between two
//! keys: translations, scales and coefficients on straight lines, rotations on the shortest arc at constant speed.

use super::{Pose, PoseError};
use crate::math::Isometry;

/// How a body moves while time goes from 0 to 1.
///
/// ```
/// use glam::Vec3;
/// use supple::{math::Isometry, pose::Motion};
///
/// let man = supple_zoo::make("man", 0)?;
/// let walk = man.clip("walk")?;
/// let (there, here) = (Isometry::from_translation(Vec3::Z), Isometry::IDENTITY);
/// let motion = Motion::new((man.sample(walk, 0.0)?, there), (man.sample(walk, 0.1)?, here))?;
/// let (pose, placement) = motion.at(0.5);
/// assert_eq!(placement, Isometry::from_translation(Vec3::Z * 0.5));
/// # let _ = pose;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Motion {
    poses: [Pose; 2],
    placements: [Isometry; 2],
}

impl Motion {
    /// From the first pose and placement to the second.
    ///
    /// # Errors
    /// The poses are of different skeletons or rest stages, something is not finite, or a placement is not rigid.
    pub fn new(start: (Pose, Isometry), end: (Pose, Isometry)) -> Result<Self, PoseError> {
        start.0.check_counts(end.0.nodes.len(), end.0.coefficients.len())?;
        for pose in [&start.0, &end.0] {
            if let Some(index) = pose.nodes.iter().position(|node| !node.is_finite()) {
                return Err(PoseError::NotFinite { object: "node", index });
            }
            if let Some(index) = pose.coefficients.iter().position(|q| !q.is_finite()) {
                return Err(PoseError::NotFinite { object: "coefficient", index });
            }
        }
        let checked = |placement: Isometry| placement.checked().ok_or(PoseError::NotRigid);
        let placements = [checked(start.1)?, checked(end.1)?];
        Ok(Self { poses: [start.0, end.0], placements })
    }

    /// A pose that stays, with a placement that changes.
    ///
    /// # Errors
    /// Something is not finite, or a placement is not rigid.
    pub fn of_placement(pose: Pose, start: Isometry, end: Isometry) -> Result<Self, PoseError> {
        Self::new((pose.clone(), start), (pose, end))
    }

    /// Pose and placement at a time; before 0 it is the first, after 1 (and for NaN) the second.
    pub fn at(&self, time: f64) -> (Pose, Isometry) {
        let t = if time < 1.0 { time.max(0.0) } else { 1.0 };
        let [from, to] = &self.poses;
        let nodes = from.nodes.iter().zip(&to.nodes).map(|(a, b)| a.lerp(b, t)).collect();
        let pairs = from.coefficients.iter().zip(&to.coefficients);
        let coefficients = pairs.map(|(&a, &b)| mixed(a, b, t)).collect();
        let [start, end] = &self.placements;
        (Pose { nodes, coefficients }, start.between(end, t))
    }

    /// First and last pose.
    pub(crate) fn poses(&self) -> &[Pose; 2] {
        &self.poses
    }

    /// First and last placement.
    pub(crate) fn placements(&self) -> &[Isometry; 2] {
        &self.placements
    }
}

fn mixed(a: f32, b: f32, t: f64) -> f32 {
    (f64::from(a) + (f64::from(b) - f64::from(a)) * t) as f32
}
