//! Which joints move which vertex, and how much.
//!
//! In: per vertex a list of (joint, weight) as files have them. Out: joint-sets, and per vertex its set and weights.
//! Must hold: weights are positive and sum to 1; a set's first joint is the one with the largest total weight in
//! that set, and quaternion signs are aligned with it.
//!
//! A *joint-set* is the set of joints that move a vertex. Characters have few of them (tens to hundreds), so all
//! that depends on the set alone (rotation center, signs, bounds) is shared by many vertices.
//!
//! Based on: L. Kavan, Real-time Skeletal Animation, 2007, sections 2.2.1 and 3.1.

use std::collections::HashMap;

use thiserror::Error;

use crate::pose::JointId;

/// Joint-sets and weights of all vertices.
///
/// ```
/// use supple::{JointId, Skin};
///
/// // Two vertices over three joints; weights need not be normalised.
/// let skin = Skin::new(3, [&[(0, 2.0), (2, 6.0)][..], &[(1, 1.0)][..]])?;
/// assert_eq!(skin.influences(0).collect::<Vec<_>>(), [(JointId(2), 0.75), (JointId(0), 0.25)]);
/// assert_eq!(skin.joint_set_count(), 2);
/// # Ok::<(), supple::skin::SkinError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Skin {
    joint_count: usize,
    /// Joints of set `s` are `set_joints[set_offsets[s]..set_offsets[s + 1]]`.
    set_offsets: Vec<u32>,
    set_joints: Vec<u32>,
    /// The set of each vertex.
    vertex_sets: Vec<u32>,
    /// Joints and weights of vertex `v` are at `offsets[v]..offsets[v + 1]`, in the order of its set.
    offsets: Vec<u32>,
    /// Repeats the set's joints: one look-up less per vertex in the loop over all of them.
    joints: Vec<u32>,
    weights: Vec<f32>,
}

/// As many joints as may move one vertex; files have up to a dozen.
pub const MAX_INFLUENCES: usize = 256;

/// Why lists of influences do not make a skin.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum SkinError {
    /// A vertex nobody moves.
    #[error("vertex {vertex} has no joints")]
    NoJoints {
        /// The vertex.
        vertex: usize,
    },
    /// A joint that does not exist, with a weight.
    #[error("vertex {vertex} has weight {weight} on joint {joint}, but there are only {joints} joints")]
    JointOutOfRange {
        /// The vertex.
        vertex: usize,
        /// The joint it names.
        joint: u32,
        /// Its weight.
        weight: f32,
        /// How many joints there are.
        joints: usize,
    },
    /// More joints than anybody needs: bounds keep a number for every pair of them.
    #[error("vertex {vertex} is moved by {joints} joints; at most {MAX_INFLUENCES} are supported")]
    TooManyJoints {
        /// The vertex.
        vertex: usize,
        /// How many joints have a weight.
        joints: usize,
    },
    /// A weight that is negative or not finite.
    #[error("vertex {vertex} has weight {weight} on joint {joint}; weights must be finite and not negative")]
    BadWeight {
        /// The vertex.
        vertex: usize,
        /// The joint.
        joint: u32,
        /// Its weight.
        weight: f32,
    },
    /// Weights that should be normalised but are not.
    #[error(
        "vertex {vertex} has weights of sum {sum}, or a joint twice; each joint once and sum 1 were expected"
    )]
    NotNormalized {
        /// The vertex.
        vertex: usize,
        /// What its weights sum to.
        sum: f64,
    },
}

impl Skin {
    /// Makes a skin from one list of (joint, weight) per vertex.
    ///
    /// Weights are normalised to sum 1, repeated joints are added up, zero weights are dropped. A vertex whose
    /// weights sum to 0 follows its first joint. A joint out of range is dropped if its weight is 0.
    ///
    /// # Errors
    /// A vertex without joints, a joint out of range with a weight, a weight that is negative or not finite.
    pub fn new<'a>(
        joint_count: usize,
        influences: impl IntoIterator<Item = &'a [(u32, f32)]>,
    ) -> Result<Self, SkinError> {
        let normalized = influences
            .into_iter()
            .enumerate()
            .map(|(vertex, given)| normalized(vertex, given, joint_count))
            .collect::<Result<Vec<_>, _>>()?;
        Ok(Self::from_checked(joint_count, &normalized))
    }

    /// Makes a skin from the influences of one that exists: weights are taken as they are, bit by bit.
    ///
    /// # Errors
    /// A vertex without joints, a joint that is out of range or there twice, weights that are not positive with sum 1.
    pub(crate) fn from_normalized(
        joint_count: usize,
        mut influences: Vec<Vec<(u32, f32)>>,
    ) -> Result<Self, SkinError> {
        for (vertex, list) in influences.iter_mut().enumerate() {
            list.sort_unstable_by_key(|&(joint, _)| joint);
            check_normalized(vertex, list, joint_count)?;
        }
        Ok(Self::from_checked(joint_count, &influences))
    }

    /// Influences sorted by joint.
    fn from_checked(joint_count: usize, normalized: &[Influences]) -> Self {
        let (sets, vertex_sets) = collect_sets(normalized);
        let mut skin = Self {
            joint_count,
            set_offsets: vec![0],
            set_joints: Vec::new(),
            vertex_sets,
            offsets: vec![0],
            joints: Vec::new(),
            weights: Vec::new(),
        };
        for joints in sets {
            skin.set_joints.extend(joints);
            skin.set_offsets.push(skin.set_joints.len() as u32);
        }
        for (vertex, list) in normalized.iter().enumerate() {
            let set = skin.vertex_sets[vertex] as usize;
            for index in skin.set_offsets[set]..skin.set_offsets[set + 1] {
                let joint = skin.set_joints[index as usize];
                skin.joints.push(joint);
                skin.weights.extend(list.iter().filter(|(j, _)| *j == joint).map(|(_, w)| w));
            }
            skin.offsets.push(skin.weights.len() as u32);
        }
        skin
    }

    /// A skin whose vertices all follow joint 0: a rigid thing.
    pub fn rigid(vertex_count: usize) -> Self {
        Self {
            joint_count: 1,
            set_offsets: vec![0, 1],
            set_joints: vec![0],
            vertex_sets: vec![0; vertex_count],
            offsets: (0..=vertex_count as u32).collect(),
            joints: vec![0; vertex_count],
            weights: vec![1.0; vertex_count],
        }
    }

    /// Number of joints the skin refers to.
    pub fn joint_count(&self) -> usize {
        self.joint_count
    }

    /// Number of vertices.
    pub fn vertex_count(&self) -> usize {
        self.vertex_sets.len()
    }

    /// Number of different joint-sets.
    pub fn joint_set_count(&self) -> usize {
        self.set_offsets.len() - 1
    }

    /// Joints of a set, the one with the most weight first.
    #[inline(always)]
    pub fn joint_set(&self, set: usize) -> &[u32] {
        &self.set_joints[self.set_offsets[set] as usize..self.set_offsets[set + 1] as usize]
    }

    /// The joint-set of a vertex.
    #[inline(always)]
    pub fn set_of_vertex(&self, vertex: u32) -> usize {
        self.vertex_sets[vertex as usize] as usize
    }

    /// Joints of a vertex and their weights, in the order of its joint-set.
    #[inline(always)]
    pub(crate) fn joints_and_weights(&self, vertex: usize) -> (&[u32], &[f32]) {
        let range = self.offsets[vertex] as usize..self.offsets[vertex + 1] as usize;
        (&self.joints[range.clone()], &self.weights[range])
    }

    /// Joints of a vertex paired with their weights.
    pub fn influences(&self, vertex: u32) -> impl ExactSizeIterator<Item = (JointId, f32)> {
        let (joints, weights) = self.joints_and_weights(vertex as usize);
        joints.iter().map(|&joint| JointId(joint)).zip(weights.iter().copied())
    }

    /// The largest number of joints of any vertex.
    pub fn max_influences(&self) -> usize {
        (0..self.joint_set_count()).map(|s| self.joint_set(s).len()).max().unwrap_or(0)
    }
}

type Influences = Vec<(u32, f32)>;

/// Sorted by joint, positive weights with sum 1.
fn normalized(vertex: usize, given: &[(u32, f32)], joints: usize) -> Result<Influences, SkinError> {
    let mut sums: Vec<(u32, f64)> = Vec::with_capacity(given.len());
    for &(joint, weight) in given {
        if !weight.is_finite() || weight < 0.0 {
            return Err(SkinError::BadWeight { vertex, joint, weight });
        }
        if weight == 0.0 {
            continue;
        }
        if joint as usize >= joints {
            return Err(SkinError::JointOutOfRange { vertex, joint, weight, joints });
        }
        match sums.iter_mut().find(|(j, _)| *j == joint) {
            Some((_, sum)) => *sum += f64::from(weight),
            None => sums.push((joint, f64::from(weight))),
        }
    }
    if sums.len() > MAX_INFLUENCES {
        return Err(SkinError::TooManyJoints { vertex, joints: sums.len() });
    }
    if sums.is_empty() {
        let first = given.iter().map(|&(joint, _)| joint).find(|&j| (j as usize) < joints);
        return first.map(|joint| vec![(joint, 1.0)]).ok_or(SkinError::NoJoints { vertex });
    }
    let total: f64 = sums.iter().map(|(_, w)| w).sum();
    let mut list: Influences = sums.iter().map(|&(joint, w)| (joint, (w / total) as f32)).collect();
    // A weight that vanishes in the rounding of the others is no weight.
    list.retain(|&(_, weight)| weight > 0.0);
    list.sort_unstable_by_key(|&(joint, _)| joint);
    Ok(list)
}

/// What [`normalized`] gives: joints ascending, weights positive, sum 1 up to the rounding of each.
fn check_normalized(vertex: usize, list: &[(u32, f32)], joints: usize) -> Result<(), SkinError> {
    for &(joint, weight) in list {
        if joint as usize >= joints {
            return Err(SkinError::JointOutOfRange { vertex, joint, weight, joints });
        }
        if !(weight > 0.0 && weight <= 1.0) {
            return Err(SkinError::BadWeight { vertex, joint, weight });
        }
    }
    let sum: f64 = list.iter().map(|&(_, weight)| f64::from(weight)).sum();
    // Weights are at most 1, so each is rounded by at most half an epsilon.
    let rounding = list.len() as f64 * f64::from(f32::EPSILON);
    if list.is_empty() {
        return Err(SkinError::NoJoints { vertex });
    }
    if (sum - 1.0).abs() > rounding || list.windows(2).any(|pair| pair[0].0 == pair[1].0) {
        return Err(SkinError::NotNormalized { vertex, sum });
    }
    Ok(())
}

/// The different sets in order of first use, their joints by falling total weight, and the set of each vertex.
fn collect_sets(normalized: &[Influences]) -> (Vec<Vec<u32>>, Vec<u32>) {
    let mut set_of: HashMap<Vec<u32>, u32> = HashMap::new();
    let mut sets: Vec<Vec<(u32, f64)>> = Vec::new();
    let mut vertex_sets = Vec::with_capacity(normalized.len());
    for list in normalized {
        let key: Vec<u32> = list.iter().map(|&(joint, _)| joint).collect();
        let set = *set_of.entry(key).or_insert_with_key(|key| {
            sets.push(key.iter().map(|&joint| (joint, 0.0)).collect());
            sets.len() as u32 - 1
        });
        for (total, &(_, weight)) in sets[set as usize].iter_mut().zip(list) {
            total.1 += f64::from(weight);
        }
        vertex_sets.push(set);
    }
    let by_weight = |mut joints: Vec<(u32, f64)>| {
        // Stable: equal weights keep the order of joints.
        joints.sort_by(|a, b| b.1.total_cmp(&a.1));
        joints.into_iter().map(|(joint, _)| joint).collect()
    };
    (sets.into_iter().map(by_weight).collect(), vertex_sets)
}

#[cfg(test)]
#[path = "../../tests/inside/skin/influences.rs"]
mod tests;
