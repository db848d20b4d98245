//! How fast a motion carries points that follow a joint, at most.
//!
//! A point `x` of a node's space, `|x| <= r`, `|x'| <= v`, stands in its parent's space at `y = t + R S x`. While
//! translation and scale change linearly and the rotation turns at the constant rate `w`,
//!
//! ```text
//! |y|  <= |t| + |S| r
//! |y'| <= |t'| + w |S| r + |S'| r + |S| v
//! ```
//!
//! with `|t|` and `|S|` largest at one of the two ends, because they are convex. From the joint up to the root, then
//! through the placement, this gives a bound for the whole motion. Beside it goes the *noise*: how far the point may be
//! from where exact numbers would take it, because poses are rounded to f32: translations and scales by `u` of themselves,
//! quaternions by `u`, which turns by at most `2 u`.

use glam::{DMat3, DQuat, DVec3};

use super::{Motion, Skeleton};
use crate::math::largest_stretch;
use crate::math::shortest_arc::{FASTEST, arc_angle};

/// `2^-24`.
const UNIT_ROUNDOFF: f64 = f32::EPSILON as f64 / 2.0;

/// What a motion does to the points that one joint moves.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct JointRate {
    /// Largest speed of a point, per unit of time.
    pub speed: f64,
    /// Largest rate at which the joint turns, in radians; all there is only where no node is stretched unevenly.
    pub turn: f64,
    /// Largest distance of a point from where it would be without rounding of the pose.
    pub noise: f64,
    /// Largest angle by which that turns the joint.
    pub turn_noise: f64,
    /// Largest distance of a point from the origin of the world.
    pub radius: f64,
    /// Largest stretch from the rest space to the world.
    pub stretch: f64,
    /// How far the nodes' scales are from one number for all axes and times, as a part of it.
    pub unevenness: f64,
}

/// The points that a joint moves, before it does.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RestPoint {
    /// Largest distance from the joint's origin, in the joint's space.
    pub radius: f64,
    /// How far they may be from there in the rest space.
    pub displacement: f64,
    /// How fast they move in the rest space.
    pub speed: f64,
    /// How far rounding may put them aside in the rest space.
    pub noise: f64,
}

/// Rates of all joints, for points that `rest` knows.
pub(crate) fn joint_rates(
    motion: &Motion,
    skeleton: &Skeleton,
    rest: impl Fn(usize) -> RestPoint,
) -> Vec<JointRate> {
    let steps = local_steps(motion, skeleton);
    let placing = placement_step(motion);
    let rate = |(index, joint): (usize, &super::Joint)| {
        let (point, bind) = (rest(index), &joint.inverse_bind);
        let stretch = largest_stretch(bind.matrix3);
        let mut rate = JointRate {
            speed: stretch * point.speed,
            turn: 0.0,
            noise: stretch * point.noise,
            turn_noise: 0.0,
            radius: point.radius + stretch * point.displacement,
            stretch,
            unevenness: unevenness(bind.matrix3),
        };
        let mut node = Some(joint.node);
        while let Some(index) = node {
            if let Some(offset) = &skeleton.nodes()[index].offset {
                rate.through(&Step::fixed(offset.matrix3, offset.translation));
            }
            rate.through(&steps[index]);
            node = skeleton.nodes()[index].parent;
        }
        rate.through(&placing);
        rate
    };
    skeleton.joints().iter().enumerate().map(rate).collect()
}

/// From a node's space to its parent's, over the whole motion.
#[derive(Clone, Copy, Debug)]
struct Step {
    shift: f64,
    shift_rate: f64,
    stretch: f64,
    stretch_rate: f64,
    turn: f64,
    unevenness: f64,
    roundoff: f64,
}

impl Step {
    fn fixed(matrix: DMat3, translation: DVec3) -> Self {
        Self {
            shift: translation.length(),
            shift_rate: 0.0,
            stretch: largest_stretch(matrix),
            stretch_rate: 0.0,
            turn: 0.0,
            unevenness: unevenness(matrix),
            roundoff: 0.0,
        }
    }
}

impl JointRate {
    fn through(&mut self, step: &Step) {
        let Step { shift, shift_rate, stretch, stretch_rate, turn, roundoff, .. } = *step;
        self.speed = shift_rate + (turn * stretch + stretch_rate) * self.radius + stretch * self.speed;
        // 2 u of turning and u of scaling, and one u for what is left out at second order.
        self.noise = roundoff * (shift + 4.0 * stretch * self.radius) + stretch * self.noise;
        self.radius = shift + stretch * self.radius;
        self.turn += turn;
        self.turn_noise += 4.0 * roundoff;
        self.stretch *= stretch;
        self.unevenness += step.unevenness;
    }
}

fn local_steps(motion: &Motion, skeleton: &Skeleton) -> Vec<Step> {
    let [from, to] = motion.poses();
    let step = |index: usize| {
        let (a, b) = (&from.nodes[index], &to.nodes[index]);
        let scales = [a.scale.as_dvec3(), b.scale.as_dvec3()];
        let (least, greatest) =
            (scales[0].min(scales[1]).min_element(), scales[0].max(scales[1]).max_element());
        let size = least.abs().max(greatest.abs());
        Step {
            shift: a.translation.as_dvec3().length().max(b.translation.as_dvec3().length()),
            shift_rate: a.translation.as_dvec3().distance(b.translation.as_dvec3()),
            stretch: size,
            stretch_rate: (scales[1] - scales[0]).abs().max_element(),
            turn: turn_rate(a.rotation.as_dquat(), b.rotation.as_dquat()),
            unevenness: if greatest > least { (greatest - least) / size } else { 0.0 },
            roundoff: UNIT_ROUNDOFF,
        }
    };
    (0..skeleton.nodes().len()).map(step).collect()
}

/// Placements are not rounded to f32.
fn placement_step(motion: &Motion) -> Step {
    let [from, to] = motion.placements();
    Step {
        shift: from.translation.length().max(to.translation.length()),
        shift_rate: from.translation.distance(to.translation),
        stretch: 1.0,
        stretch_rate: 0.0,
        turn: turn_rate(from.rotation, to.rotation),
        unevenness: 0.0,
        roundoff: f64::EPSILON,
    }
}

/// How fast one rotation turns into another on the shortest arc, rounded up.
fn turn_rate(a: DQuat, b: DQuat) -> f64 {
    arc_angle(a, b) * FASTEST + if a == b { 0.0 } else { 1e-12 }
}

/// How far `M^T M` is from a multiple of 1, as a part of it; infinite where there is nothing left.
fn unevenness(m: DMat3) -> f64 {
    let gram = m.transpose() * m;
    let size = (gram.x_axis.x + gram.y_axis.y + gram.z_axis.z) / 3.0;
    let off = (gram - DMat3::from_diagonal(DVec3::splat(size))).to_cols_array();
    let most = off.iter().fold(0.0f64, |most, x| most.max(x.abs()));
    if size > 0.0 { most / size } else { f64::INFINITY }
}
