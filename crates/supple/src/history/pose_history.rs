//! A ring of ticks: what a body's pose was, and where it stood.

use std::sync::Arc;

use glam::Affine3A;

use super::HistoryError;
use super::joint_space::{Columns, JointSpace};
use super::sweep::{EVERYTHING, Sweep, Tick, TickJoints};
use crate::math::{Aabb, Isometry};
use crate::pose::{Pose, PoseError, Transform};
use crate::refit::Body;
use crate::skin::Skinning;
use crate::tree::Shape;

/// The last ticks of one body: to ask questions about the past, e.g. what a player saw when a shot was fired.
///
/// All memory is taken when the history is made. An entry takes 88 bytes, 4 per coefficient, and 48 per node of the
/// skeleton (poses) or per joint (joint matrices).
///
/// Between two ticks, poses are interpolated as clips are: translations, scales and coefficients linearly, rotations on the
/// shortest arc, each relative to its parent, so limbs stay attached. Joint matrices are interpolated joint by joint, in
/// the joint's own space; limbs then part a little where both turn.
///
/// ```
/// # use std::sync::Arc;
/// use supple::{Body, BuildOptions, Isometry, PoseHistory, Shape, Skinning};
///
/// let man = Arc::new(supple_zoo::make("man", 0)?);
/// let shape = Arc::new(Shape::build(Arc::clone(&man), &BuildOptions::default())?);
/// let present = Body::new(&shape, Skinning::Linear)?;
/// let mut history = PoseHistory::of_poses(&present, 32)?;
/// for tick in 0..40 {
///     let time = f64::from(tick) / 60.0;
///     let pose = man.sample(man.clip("walk")?, time)?;
///     history.record_pose(time, &pose, Isometry::from_translation(glam::Vec3::Z * time as f32))?;
/// }
/// let mut spare = present.clone(); // one for all bodies of this shape
/// history.rewind(&mut spare, 0.5)?;
/// assert!(history.bound_at(0.5)?.contains(spare.position(0)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct PoseHistory {
    shape: Arc<Shape>,
    skinning: Skinning,
    capacity: usize,
    /// How many ticks were ever recorded: number `k` stands at `k % capacity`.
    recorded: usize,
    entries: Vec<Entry>,
    kept: Kept,
    coefficients: Vec<f32>,
    sweep: Sweep,
}

#[derive(Clone, Debug)]
struct Entry {
    time: f64,
    placement: Isometry,
    /// Around the body from the entry before until this one.
    bound: Aabb,
}

/// Entry by entry.
#[derive(Clone, Debug)]
enum Kept {
    Poses(Vec<Transform>),
    Matrices { matrices: Vec<Columns>, spaces: Vec<JointSpace> },
}

/// What a body was like at a past time.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Past {
    /// For [`Body::set_pose`].
    Pose(Pose),
    /// For [`Body::set_joint_matrices`].
    Joints {
        /// One per joint.
        matrices: Vec<Affine3A>,
        /// Of the rest stage.
        coefficients: Vec<f32>,
    },
}

/// Where a time lies: after one entry, before another, and how far between them.
#[derive(Clone, Copy)]
struct Between {
    before: usize,
    after: usize,
    fraction: f64,
}

impl PoseHistory {
    /// A history of this many [`Pose`]s, for a body of this shape and skinning.
    ///
    /// # Errors
    /// Less than two ticks, or more than fit into memory.
    pub fn of_poses(body: &Body, ticks: usize) -> Result<Self, HistoryError> {
        let skeleton = body.shape().model().skeleton();
        let spaces: Vec<JointSpace> = skeleton.joints().iter().map(JointSpace::of_node).collect();
        let kept = Kept::Poses(filled(ticks, skeleton.nodes().len(), Transform::IDENTITY)?);
        Self::new(body, ticks, kept, &spaces)
    }

    /// A history of this many sets of joint matrices, for a body of this shape and skinning whose joints an engine computes.
    ///
    /// # Errors
    /// Less than two ticks, or more than fit into memory.
    pub fn of_joint_matrices(body: &Body, ticks: usize) -> Result<Self, HistoryError> {
        let joints = body.shape().model().skeleton().joints();
        let spaces: Vec<JointSpace> = joints.iter().map(JointSpace::new).collect();
        let matrices = filled(ticks, joints.len(), [0.0; 12])?;
        let kept = Kept::Matrices { matrices, spaces: spaces.clone() };
        Self::new(body, ticks, kept, &spaces)
    }

    fn new(body: &Body, ticks: usize, kept: Kept, spaces: &[JointSpace]) -> Result<Self, HistoryError> {
        if ticks < 2 {
            return Err(HistoryError::BadCapacity(ticks));
        }
        let nothing = Entry { time: f64::NEG_INFINITY, placement: Isometry::IDENTITY, bound: EVERYTHING };
        Ok(Self {
            shape: Arc::clone(body.shape()),
            skinning: body.skinning(),
            capacity: ticks,
            recorded: 0,
            entries: filled(ticks, 1, nothing)?,
            kept,
            coefficients: filled(ticks, body.shape().model().rest().coefficient_count(), 0.0)?,
            sweep: Sweep::new(body.shape(), body.skinning(), spaces),
        })
    }

    /// Records a pose; the oldest one is forgotten if there is no room. O(nodes).
    ///
    /// # Errors
    /// A tick that is not after the newest one, a pose of another model, a number that is not finite, a history of joint
    /// matrices. The history is then unchanged.
    pub fn record_pose(&mut self, tick: f64, pose: &Pose, placement: Isometry) -> Result<(), HistoryError> {
        let nodes = self.shape.model().skeleton().nodes().len();
        let placement = self.check(tick, &pose.coefficients, &placement)?;
        if pose.nodes.len() != nodes {
            return Err(PoseError::NodeCount { expected: nodes, found: pose.nodes.len() }.into());
        }
        if let Some(index) = pose.nodes.iter().position(|transform| !transform.is_finite()) {
            return Err(PoseError::NotFinite { object: "node", index }.into());
        }
        let entry = self.recorded % self.capacity;
        let Kept::Poses(kept) = &mut self.kept else {
            return Err(HistoryError::WrongKind { kept: "joint matrices", given: "a pose" });
        };
        kept[entry * nodes..][..nodes].copy_from_slice(&pose.nodes);
        self.keep(tick, &pose.coefficients, placement);
        Ok(())
    }

    /// Records joint matrices `world(joint) * inverse_bind`, as [`Body::set_joint_matrices`] takes them, and the placement in
    /// front of them. The oldest entry is forgotten if there is no room. O(joints).
    ///
    /// # Errors
    /// A tick that is not after the newest one, wrong counts, a number that is not finite, a history of poses. The history is
    /// then unchanged.
    pub fn record_joint_matrices(
        &mut self,
        tick: f64,
        matrices: &[Affine3A],
        coefficients: &[f32],
        placement: Isometry,
    ) -> Result<(), HistoryError> {
        let joints = self.shape.model().skin().joint_count();
        let placement = self.check(tick, coefficients, &placement)?;
        if matrices.len() != joints {
            return Err(PoseError::JointCount { expected: joints, found: matrices.len() }.into());
        }
        if let Some(index) = matrices.iter().position(|matrix| !matrix.is_finite()) {
            return Err(PoseError::NotFinite { object: "joint", index }.into());
        }
        let entry = self.recorded % self.capacity;
        let Kept::Matrices { matrices: kept, .. } = &mut self.kept else {
            return Err(HistoryError::WrongKind { kept: "poses", given: "joint matrices" });
        };
        for (kept, matrix) in kept[entry * joints..].iter_mut().zip(matrices) {
            *kept = matrix.to_cols_array();
        }
        self.keep(tick, coefficients, placement);
        Ok(())
    }

    /// The placement, exactly rigid, if all is well.
    fn check(&self, tick: f64, coefficients: &[f32], placement: &Isometry) -> Result<Isometry, HistoryError> {
        let newest = self.newest().unwrap_or(f64::NEG_INFINITY);
        if !(tick.is_finite() && tick > newest) {
            return Err(HistoryError::NotIncreasing { tick, newest });
        }
        self.shape.model().rest().checked_coefficients(coefficients)?;
        placement.checked().ok_or(HistoryError::Placement { tick })
    }

    /// Completes an entry whose joints are there.
    fn keep(&mut self, time: f64, coefficients: &[f32], placement: Isometry) {
        let entry = self.recorded % self.capacity;
        let count = coefficients.len();
        self.coefficients[entry * count..][..count].copy_from_slice(coefficients);
        self.entries[entry] = Entry { time, placement, bound: EVERYTHING };
        let Self { shape, entries, kept, coefficients, sweep, .. } = self;
        let tick = |entry: usize| Tick {
            joints: kept.at(entry, shape),
            coefficients: &coefficients[entry * count..][..count],
            placement: &entries[entry].placement,
        };
        let before = self.recorded.checked_sub(1).map(|earlier| tick(earlier % self.capacity));
        let bound = sweep.between(shape, before, tick(entry));
        entries[entry].bound = bound;
        self.recorded += 1;
    }

    /// Puts a spare body to where this one was at a time. The present body is not involved. After the first time, nothing is
    /// allocated (but a few numbers where a model blends reference shapes).
    ///
    /// # Errors
    /// A time before the oldest or after the newest tick, an empty history, a body of another shape or skinning, a pose that
    /// bodies refuse because it takes them too far. The spare body is then unchanged.
    pub fn rewind(&self, spare: &mut Body, time: f64) -> Result<(), HistoryError> {
        if !Arc::ptr_eq(spare.shape(), &self.shape) || spare.skinning() != self.skinning {
            return Err(HistoryError::AnotherBody);
        }
        let between = self.find(time)?;
        let placement = self.placement(between);
        let mut pose = spare.take_spare_pose();
        self.write_coefficients(between, &mut pose.coefficients);
        let set = match &self.kept {
            Kept::Poses(_) => {
                self.write_nodes(between, &mut pose.nodes);
                spare.set_pose_at(&pose, placement)
            }
            Kept::Matrices { .. } => {
                spare.take_joint_matrices(self.matrices(between), &pose.coefficients, placement)
            }
        };
        spare.keep_spare_pose(pose);
        Ok(set?)
    }

    /// What the body was like at a time, and its placement.
    ///
    /// # Errors
    /// A time before the oldest or after the newest tick, an empty history.
    pub fn at(&self, time: f64) -> Result<(Past, Isometry), HistoryError> {
        let between = self.find(time)?;
        let mut pose = Pose::default();
        self.write_coefficients(between, &mut pose.coefficients);
        let past = match &self.kept {
            Kept::Poses(_) => {
                self.write_nodes(between, &mut pose.nodes);
                Past::Pose(pose)
            }
            Kept::Matrices { .. } => {
                Past::Joints { matrices: self.matrices(between).collect(), coefficients: pose.coefficients }
            }
        };
        Ok((past, self.placement(between)))
    }

    /// A box around the body at a time, looked up and not computed: to leave out bodies that a question cannot concern before
    /// they are rewound.
    ///
    /// It contains the body at all times between the two ticks around. Where rotations are blended and joints stretch, or
    /// joints of one vertex are almost half a turn apart, nothing cheap is proven, and the box is infinite.
    ///
    /// # Errors
    /// A time before the oldest or after the newest tick, an empty history.
    pub fn bound_at(&self, time: f64) -> Result<Aabb, HistoryError> {
        Ok(self.entries[self.find(time)?.after].bound)
    }

    /// The oldest tick.
    pub fn oldest(&self) -> Option<f64> {
        (self.recorded > 0).then(|| self.entries[self.entry_at(0)].time)
    }

    /// The newest tick.
    pub fn newest(&self) -> Option<f64> {
        self.recorded.checked_sub(1).map(|last| self.entries[last % self.capacity].time)
    }

    /// How many ticks there are.
    pub fn len(&self) -> usize {
        self.recorded.min(self.capacity)
    }

    /// Whether nothing was recorded.
    pub fn is_empty(&self) -> bool {
        self.recorded == 0
    }

    /// Forgets everything, e.g. when a player comes back to life elsewhere; keeps the memory.
    pub fn clear(&mut self) {
        self.recorded = 0;
    }

    /// Bytes of memory that the history takes, besides the shape.
    pub fn memory_bytes(&self) -> usize {
        let joints = match &self.kept {
            Kept::Poses(transforms) => size_of_val(&transforms[..]),
            Kept::Matrices { matrices, spaces } => size_of_val(&matrices[..]) + size_of_val(&spaces[..]),
        };
        let entries = size_of_val(&self.entries[..]) + size_of_val(&self.coefficients[..]);
        joints + entries + self.sweep.bytes()
    }

    /// Where the entry stands that has this many older ones.
    fn entry_at(&self, age: usize) -> usize {
        (self.recorded - self.len() + age) % self.capacity
    }

    fn find(&self, time: f64) -> Result<Between, HistoryError> {
        let (Some(oldest), Some(newest)) = (self.oldest(), self.newest()) else {
            return Err(HistoryError::Empty);
        };
        if !(oldest <= time && time <= newest) {
            return Err(HistoryError::OutOfRange { time, oldest, newest });
        }
        // The first entry that is not before the time.
        let (mut low, mut high) = (0, self.len() - 1);
        while low < high {
            let middle = (low + high) / 2;
            if self.entries[self.entry_at(middle)].time < time {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        let after = self.entry_at(low);
        let end = self.entries[after].time;
        if end == time {
            return Ok(Between { before: after, after, fraction: 0.0 });
        }
        let before = self.entry_at(low - 1);
        let start = self.entries[before].time;
        // Halved, as the difference of two times may overflow.
        let fraction = (time * 0.5 - start * 0.5) / (end * 0.5 - start * 0.5);
        Ok(Between { before, after, fraction })
    }

    fn placement(&self, between: Between) -> Isometry {
        let (a, b) = (&self.entries[between.before].placement, &self.entries[between.after].placement);
        if a == b { *a } else { a.between(b, between.fraction) }
    }

    fn write_nodes(&self, between: Between, nodes: &mut Vec<Transform>) {
        nodes.clear();
        if let (TickJoints::Pose(a), TickJoints::Pose(b)) =
            (self.kept.at(between.before, &self.shape), self.kept.at(between.after, &self.shape))
        {
            nodes.extend(a.iter().zip(b).map(|(a, b)| a.lerp(b, between.fraction)));
        }
    }

    fn write_coefficients(&self, between: Between, coefficients: &mut Vec<f32>) {
        let count = self.shape.model().rest().coefficient_count();
        let of = |entry: usize| &self.coefficients[entry * count..][..count];
        let linear = |(&a, &b): (&f32, &f32)| {
            let (a, b) = (f64::from(a), f64::from(b));
            (a + (b - a) * between.fraction) as f32
        };
        coefficients.clear();
        coefficients.extend(of(between.before).iter().zip(of(between.after)).map(linear));
    }

    fn matrices(&self, between: Between) -> impl Iterator<Item = Affine3A> {
        let (spaces, kept): (&[JointSpace], &[Columns]) = match &self.kept {
            Kept::Matrices { matrices, spaces } => (spaces, matrices),
            Kept::Poses(_) => (&[], &[]),
        };
        let of = move |entry: usize| kept[entry * spaces.len()..].iter();
        let pairs = of(between.before).zip(of(between.after));
        spaces.iter().zip(pairs).map(move |(space, (a, b))| space.between(a, b, between.fraction))
    }
}

impl Kept {
    /// The joints of an entry.
    fn at(&self, entry: usize, shape: &Shape) -> TickJoints<'_> {
        let skeleton = shape.model().skeleton();
        match self {
            Self::Poses(transforms) => {
                let count = skeleton.nodes().len();
                TickJoints::Pose(&transforms[entry * count..][..count])
            }
            Self::Matrices { matrices, .. } => {
                let count = skeleton.joints().len();
                TickJoints::Matrices(&matrices[entry * count..][..count])
            }
        }
    }
}

/// Memory for all ticks, or an error where there is not as much.
fn filled<T: Clone>(ticks: usize, each: usize, value: T) -> Result<Vec<T>, HistoryError> {
    let mut all = Vec::new();
    let count = ticks.checked_mul(each).ok_or(HistoryError::BadCapacity(ticks))?;
    all.try_reserve_exact(count).map_err(|_| HistoryError::BadCapacity(ticks))?;
    all.resize(count, value);
    Ok(all)
}
