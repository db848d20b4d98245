//! A turn of one bone, as plain data: what is said of it, and how it is applied to a pose.

use std::fmt;

use glam::{Quat, Vec3};
use supple::{ClassError, Pose, PoseError};
use thiserror::Error;

/// Turns of more degrees than this are not looked for: they are another pose, not a correction.
pub const MAX_TURN: f32 = 30.0;

/// As many exact queries as [`TurnFinder::least_turn`](crate::TurnFinder::least_turn) asks at most.
pub const MAX_TURN_QUERIES: usize = 400;

/// A turn of one bone that clears a contact.
///
/// ```
/// # use std::sync::Arc;
/// # use supple::{BuildOptions, Shape, Skinning};
/// # use supple_audit::{Bones, TurnFinder};
/// # let man = Arc::new(supple_zoo::make("man", 0)?);
/// # let shape = Arc::new(Shape::build(Arc::clone(&man), &BuildOptions::default())?);
/// # let finder = TurnFinder::new(&shape, Skinning::Linear)?;
/// # let bones = Bones::new(&man);
/// # let [hand, thigh] = ["hand_l+", "thigh_l"].map(|name| bones.named(name).unwrap().into_iter().collect::<Vec<_>>());
/// let mut pose = man.sample(man.clip("random")?, 5.0)?;
/// let hint = finder.least_turn(&pose, [&hand, &thigh], &[])?.found?;
/// println!("{hint}"); // turn upper_arm_l by 3.5 degrees about its own axis (-0.35, -0.38, 0.85)
/// hint.apply(&mut pose); // and nothing of the hand is in the thigh any more
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct TurnHint {
    /// The label of the bone ([`Bones::label`](crate::Bones::label)).
    pub bone: String,
    /// Its node in the skeleton.
    pub node: usize,
    /// The axis in the bone's own space, to two digits: exactly this one was tried. Its length is about 1.
    pub axis: [f32; 3],
    /// Set where the axis is one of the bone's own.
    pub axis_name: Option<Axis>,
    /// Right-handed about the axis, a multiple of one half; negative only about an axis with a name.
    pub degrees: f32,
    /// Pairs of triangles of the two sides that intersect in the pose, and not at rest.
    pub pairs_before: usize,
    /// The same after the turn: 0.
    pub pairs_after: usize,
    /// How many more pairs of triangles intersect elsewhere after the turn than before. Two bones between which fewer
    /// intersect than before do not make up for two others. Pairs at rest do not count, nor do creases.
    pub new_elsewhere: usize,
    /// The same of pairs within one bone, and of a bone and its parent: folds at the joints that were turned.
    pub new_in_creases: usize,
}

impl TurnHint {
    /// Turns the bone in a pose of the same model.
    ///
    /// # Panics
    /// The pose has no such node.
    pub fn apply(&self, pose: &mut Pose) {
        turn(pose, self.node, Vec3::from(self.axis), self.degrees);
    }
}

impl fmt::Display for TurnHint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "turn {} by {} degrees about its own ", self.bone, self.degrees)?;
        match (self.axis_name, self.axis) {
            (Some(name), _) => write!(f, "{name} axis")?,
            (None, [x, y, z]) => write!(f, "axis ({x}, {y}, {z})")?,
        }
        match self.new_elsewhere {
            0 => Ok(()),
            1 => write!(f, "; 1 pair of triangles then intersects elsewhere"),
            pairs => write!(f, "; {pairs} pairs of triangles then intersect elsewhere"),
        }
    }
}

/// An axis of a bone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Axis {
    /// Its x axis.
    X,
    /// Its y axis.
    Y,
    /// Its z axis.
    Z,
}

impl fmt::Display for Axis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::X => "x",
            Self::Y => "y",
            Self::Z => "z",
        })
    }
}

/// Why there is no turn to propose.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum NoTurn {
    /// Nothing intersects that does not at rest.
    #[error("the two sides do not intersect in this pose, or only as they do at rest")]
    NothingTouches,
    /// Both sides hang on the same bones.
    #[error("no bone moves one side without the other")]
    NoBoneBetween,
    /// Every way that was tried leaves some pair.
    #[error("no turn of one bone by up to {MAX_TURN} degrees clears it")]
    NothingSmall,
    /// Some turn would clear it, and make as many pairs intersect elsewhere.
    #[error("turns of one bone by up to {MAX_TURN} degrees only move it elsewhere")]
    MovesItElsewhere,
}

/// What was found, and what it cost.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct TurnAnswer {
    /// A turn, or why there is none.
    pub found: Result<TurnHint, NoTurn>,
    /// How many exact queries were asked, never more than [`MAX_TURN_QUERIES`].
    pub queries: usize,
}

/// Why a model cannot be asked for hints.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum HintError {
    /// A pose that the model cannot take.
    #[error(transparent)]
    Pose(#[from] PoseError),
    /// Triangles that cannot be told apart by bone.
    #[error(transparent)]
    Classes(#[from] ClassError),
}

/// Turns a node about an axis in its own space; the length of the axis does not matter.
pub(super) fn turn(pose: &mut Pose, node: usize, axis: Vec3, degrees: f32) {
    let axis = axis.try_normalize().unwrap_or(Vec3::X);
    pose.nodes[node].rotation *= Quat::from_axis_angle(axis, degrees.to_radians());
}
