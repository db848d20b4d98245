//! How a group of vertices is bounded, without the vertices themselves: joints, weights, axes, and boxes in the sampled poses.
//!
//! What two groups have together is made of what each has, as far as that is exact: least and greatest weights, boxes along the
//! axes of the rest space. Principal axes need the positions again, in order, as sums are rounded.

use glam::{DMat3, DVec3, Mat3, Mat3A, Vec3, Vec3A, Vec3Swizzles};

use super::members::Members;
use super::samples::{SAMPLES, Sample};
use crate::math::{Aabb, SymmetricEigen};
use crate::rest::RestBox;
use crate::simd::{self, Eight, Kernel};
use crate::skin::{OwnedWeightRange, linear_box};

/// Bounds of vertices whose weights lie in a simplex over some joints.
pub(super) struct Outline {
    pub joints: Vec<u32>,
    /// The simplex has the corners `base + spread e_i`.
    pub base: Vec<f32>,
    pub spread: f32,
    pub axes: Mat3,
    /// The bound in each sampled pose.
    pub boxes: [Aabb; SAMPLES],
    least_weights: Vec<f32>,
    greatest_weights: Vec<f32>,
    pub straight: Straight,
}

/// Rest positions of some members along the axes of the rest space.
#[derive(Clone, Copy)]
pub(super) struct Straight {
    /// In the file; in order, as it is rounded.
    sum: Vec3A,
    /// Around them in each sampled pose.
    around: [Aabb; SAMPLES],
}

impl Straight {
    pub const NOTHING: Self = Self { sum: Vec3A::ZERO, around: [Aabb::EMPTY; SAMPLES] };

    fn new(members: &Members, own: &[u32]) -> Self {
        let sum = own.iter().fold(Vec3A::ZERO, |sum, &member| sum + members.point(member));
        Self { sum, around: local_boxes(&Mat3::IDENTITY, members, [own, &[]]) }
    }

    /// With other members, which come after.
    pub fn with(mut self, other: &Self, members: &Members, others: impl Iterator<Item = u32>) -> Self {
        self.sum = others.fold(self.sum, |sum, member| sum + members.point(member));
        for (own, other) in self.around.iter_mut().zip(&other.around) {
            *own = own.union(other);
        }
        self
    }
}

impl Outline {
    /// Of members of one joint-set.
    pub fn of_set(members: &Members, joints: &[u32], own: &[u32]) -> Self {
        let (mut least, mut greatest) =
            (vec![f32::INFINITY; joints.len()], vec![f32::NEG_INFINITY; joints.len()]);
        for &member in own {
            for ((least, greatest), &weight) in
                least.iter_mut().zip(&mut greatest).zip(members.weights(member))
            {
                (*least, *greatest) = (least.min(weight), greatest.max(weight));
            }
        }
        Self::new(members, joints.to_vec(), least, greatest, Straight::new(members, own), [own, &[]])
    }

    /// Of members that a joint moves, as if it had all the weight.
    pub fn of_joint(members: &Members, joint: u32, straight: Straight, own: &[u32]) -> Self {
        Self::new(members, vec![joint], vec![1.0], vec![1.0], straight, [own, &[]])
    }

    /// The joints of two outlines.
    pub fn united_joints<'o>(&'o self, other: &'o Self) -> impl Iterator<Item = u32> + 'o {
        let others = other.joints.iter().filter(|joint| !self.joints.contains(joint));
        self.joints.iter().chain(others).copied()
    }

    /// Of the members of two outlines.
    pub fn united(&self, own: &[u32], other: &Self, others: &[u32], members: &Members) -> Self {
        let joints: Vec<u32> = self.united_joints(other).collect();
        let weight = |outline: &Self, joint: u32| {
            let place = outline.joints.iter().position(|&own| own == joint);
            place.map_or([0.0; 2], |at| [outline.least_weights[at], outline.greatest_weights[at]])
        };
        let range = |&joint: &u32| {
            let ([a_least, a_greatest], [b_least, b_greatest]) = (weight(self, joint), weight(other, joint));
            (a_least.min(b_least), a_greatest.max(b_greatest))
        };
        let (least, greatest) = joints.iter().map(range).unzip();
        let straight = self.straight.with(&other.straight, members, others.iter().copied());
        Self::new(members, joints, least, greatest, straight, [own, others])
    }

    /// The joint whose weight has the widest range, by its place.
    pub fn widest_weight(&self) -> usize {
        let range = |&at: &usize| self.greatest_weights[at] - self.least_weights[at];
        (0..self.joints.len()).max_by(|a, b| range(a).total_cmp(&range(b))).unwrap_or(0)
    }

    /// Takes the axes that give the smaller boxes in the sampled poses: those of the rest space, or the principal ones.
    fn new(
        members: &Members,
        joints: Vec<u32>,
        least_weights: Vec<f32>,
        greatest_weights: Vec<f32>,
        straight: Straight,
        parts: [&[u32]; 2],
    ) -> Self {
        // The least and the greatest weights alone give the simplex of all of them.
        let extremes = [&least_weights[..], &greatest_weights];
        let OwnedWeightRange { base, spread, .. } =
            OwnedWeightRange::around(joints.len(), extremes.into_iter());
        let posed = |axes: &Mat3, local: &[Aabb; SAMPLES]| {
            simd::run(PosedBoxes {
                samples: members.samples,
                joints: &joints,
                base: &base,
                spread,
                axes,
                local,
            })
        };
        let mut axes = Mat3::IDENTITY;
        let mut boxes = posed(&axes, &straight.around);
        let principal = principal_axes(members, straight.sum, parts);
        let principal_boxes = posed(&principal, &local_boxes(&principal, members, parts));
        if size(&principal_boxes) < size(&boxes) {
            (axes, boxes) = (principal, principal_boxes);
        }
        Self { joints, base, spread, axes, boxes, least_weights, greatest_weights, straight }
    }
}

/// Bounds in the sampled poses, of rest positions as each pose's coefficients make them.
struct PosedBoxes<'a> {
    samples: &'a [Sample],
    joints: &'a [u32],
    base: &'a [f32],
    spread: f32,
    axes: &'a Mat3,
    /// Around rest positions along the axes, in each pose.
    local: &'a [Aabb; SAMPLES],
}

impl Kernel for PosedBoxes<'_> {
    type Output = [Aabb; SAMPLES];

    #[inline(always)]
    fn run<E: Eight>(self) -> [Aabb; SAMPLES] {
        let mut boxes = [Aabb::EMPTY; SAMPLES];
        for (s, sample) in self.samples.iter().enumerate() {
            let RestBox([first, second]) = RestBox::along(self.axes, &self.local[s]);
            let rest = [E::load(&first), E::load(&second)];
            let [min, max] = linear_box(&sample.palette, self.joints, self.base, self.spread, rest);
            boxes[s] = Aabb { min: min.truncate(), max: max.truncate() };
        }
        boxes
    }
}

/// Sum of the extents of boxes.
pub(super) fn size(boxes: &[Aabb]) -> f32 {
    boxes.iter().map(|aabb| (aabb.max - aabb.min).max(Vec3::ZERO).element_sum()).sum()
}

/// Boxes along axes (columns) around the rest positions of members, in the sampled poses.
fn local_boxes(axes: &Mat3, members: &Members, parts: [&[u32]; 2]) -> [Aabb; SAMPLES] {
    let to_axes = Mat3A::from(axes.transpose());
    let mut boxes = [Aabb::EMPTY; SAMPLES];
    for sample in 0..members.samples.len() {
        if sample > 0 && members.is_plain() {
            boxes[sample] = boxes[0];
            continue;
        }
        let rest = members.rest(sample);
        let (mut min, mut max) = (Vec3A::INFINITY, Vec3A::NEG_INFINITY);
        for &member in parts.into_iter().flatten() {
            let point = to_axes * rest[member as usize];
            (min, max) = (min.min(point), max.max(point));
        }
        boxes[sample] = Aabb { min: min.into(), max: max.into() };
    }
    boxes
}

/// Eigenvectors of the covariance of points, whose sum is known, as columns.
fn principal_axes(members: &Members, sum: Vec3A, parts: [&[u32]; 2]) -> Mat3 {
    let mean = sum / (parts[0].len() + parts[1].len()) as f32;
    let (mut squares, mut products) = (DVec3::ZERO, DVec3::ZERO);
    for &member in parts.into_iter().flatten() {
        let d = (members.point(member) - mean).as_dvec3();
        squares += d * d;
        products += d * d.zxy();
    }
    let [[xx, yy, zz], [xz, xy, yz]] = [squares.to_array(), products.to_array()];
    let covariance = DMat3::from_cols_array(&[xx, xy, xz, xy, yy, yz, xz, yz, zz]);
    SymmetricEigen::new(covariance).vectors.as_mat3()
}
