//! How far joints turn, and random poses within those limits.

use std::ops::RangeInclusive;

use supple::pose::ClipError;
use supple::{Clip, Model, Pose};

use super::puppet::{keyed, local_turn};

/// Limits of a joint about its own axes, in degrees from the rest pose.
#[derive(Clone, Debug, PartialEq)]
pub struct JointLimits {
    /// About X: how far the joint folds (positive) and overstretches (negative).
    pub bend: RangeInclusive<f32>,
    /// About Y, the bone itself.
    pub twist: RangeInclusive<f32>,
    /// About Z: sideways.
    pub swing: RangeInclusive<f32>,
}

/// A pose with every joint turned at random within its limits; the root stays in place.
///
/// The same seed gives the same pose. Works for every model; joints with unknown names turn a little.
///
/// ```
/// let man = supple_zoo::man();
/// let pose = supple_zoo::random_pose(&man, 7);
/// assert_ne!(pose, man.rest_pose());
/// ```
pub fn random_pose(model: &Model, seed: u64) -> Pose {
    let mut pose = model.rest_pose();
    // Splitmix64: one well-mixed number per call, in [0, 1).
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mut random = || {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 31)) as f64 / 2f64.powi(64)
    };
    for (index, node) in model.skeleton().nodes().iter().enumerate() {
        if node.parent.is_none() {
            continue;
        }
        let limits = joint_limits(&node.name);
        let mut within = |range: &RangeInclusive<f32>| {
            let (low, high) = (f64::from(*range.start()), f64::from(*range.end()));
            low + (high - low) * random()
        };
        let turn = local_turn(within(&limits.bend), within(&limits.twist), within(&limits.swing));
        pose.nodes[index].rotation = node.rest.rotation * turn.as_quat();
    }
    pose
}

/// The limits of a joint by its name; those of `_r` mirror those of `_l`.
pub fn joint_limits(joint: &str) -> JointLimits {
    let (stem, mirrored) = match (joint.strip_suffix("_l"), joint.strip_suffix("_r")) {
        (Some(stem), _) => (stem, false),
        (_, Some(stem)) => (stem, true),
        _ => (joint, false),
    };
    let stem = stem.trim_end_matches(|c: char| c.is_ascii_digit() || c == '_');
    let row = LIMITS.iter().find(|(names, ..)| names.contains(&stem));
    let [bend, twist, swing] = row.map_or([(-15.0, 15.0), (-10.0, 10.0), (-15.0, 15.0)], |row| row.1);
    let side = |(low, high): (f32, f32)| if mirrored { -high..=-low } else { low..=high };
    JointLimits { bend: bend.0..=bend.1, twist: side(twist), swing: side(swing) }
}

/// A clip through eight random poses and back to the first.
pub(super) fn random_clip(model: &Model) -> Result<Clip, ClipError> {
    let seeds = [1, 2, 3, 4, 5, 6, 7, 8, 1];
    let poses: Vec<Pose> = seeds.iter().map(|&seed| random_pose(model, seed)).collect();
    let times: Vec<f32> = (0..seeds.len()).map(|key| key as f32 * 0.75).collect();
    keyed(model, "random", &times, &poses)
}

/// Bend, twist and swing of joints by name, for the left side.
type Row = (&'static [&'static str], [(f32, f32); 3]);

const LIMITS: &[Row] = &[
    (&["spine"], [(-15.0, 30.0), (-20.0, 20.0), (-15.0, 15.0)]),
    (&["chest"], [(-10.0, 20.0), (-15.0, 15.0), (-10.0, 10.0)]),
    (&["neck"], [(-25.0, 25.0), (-35.0, 35.0), (-20.0, 20.0)]),
    (&["head"], [(-20.0, 20.0), (-35.0, 35.0), (-15.0, 15.0)]),
    (&["clavicle"], [(-8.0, 8.0), (0.0, 0.0), (-10.0, 15.0)]),
    (&["upper_arm"], [(-35.0, 90.0), (-45.0, 45.0), (-40.0, 70.0)]),
    (&["forearm"], [(0.0, 130.0), (-40.0, 40.0), (0.0, 0.0)]),
    (&["hand"], [(-50.0, 60.0), (-5.0, 5.0), (-20.0, 20.0)]),
    (&["thigh"], [(-20.0, 95.0), (-20.0, 20.0), (-15.0, 25.0)]),
    (&["shin"], [(0.0, 125.0), (0.0, 0.0), (0.0, 0.0)]),
    (&["foot"], [(-35.0, 20.0), (-8.0, 8.0), (-10.0, 10.0)]),
    (&["toe"], [(-10.0, 40.0), (0.0, 0.0), (0.0, 0.0)]),
    (&["fingers", "index", "middle", "ring", "little"], [(-5.0, 80.0), (0.0, 0.0), (-4.0, 4.0)]),
    (&["palm_ring", "palm_little"], [(-2.0, 6.0), (-2.0, 2.0), (-2.0, 2.0)]),
    (&["tail"], [(-12.0, 12.0), (-6.0, 6.0), (-18.0, 18.0)]),
    (&["cap", "beard", "moustache", "ear"], [(-15.0, 15.0), (-5.0, 5.0), (-12.0, 12.0)]),
    (&["jaw"], [(0.0, 25.0), (0.0, 0.0), (-4.0, 4.0)]),
    (&["wing"], [(-10.0, 45.0), (-10.0, 10.0), (-15.0, 15.0)]),
    (&["scapula"], [(-12.0, 12.0), (-4.0, 4.0), (-6.0, 6.0)]),
    (&["humerus", "femur"], [(-25.0, 35.0), (-8.0, 8.0), (-8.0, 15.0)]),
    (&["radius", "tibia", "hock"], [(-10.0, 40.0), (-4.0, 4.0), (-4.0, 4.0)]),
    (&["forefoot", "hindfoot", "foretoe", "hindtoe"], [(-15.0, 30.0), (-4.0, 4.0), (-6.0, 6.0)]),
    (&["thumb"], [(-10.0, 40.0), (-5.0, 5.0), (-10.0, 10.0)]),
];
