//! A group while the tree is built: its vertices, and how it is bounded.

use std::ops::Range;

use glam::Vec3;

use super::groups::{Group, Groups, LinearGroup};
use super::members::Members;
use super::outline::{Outline, Straight, size};
use crate::math::{Aabb, smallest_enclosing_sphere};
use crate::rest::{Rest, RestBox};
use crate::skin::OwnedWeightRange;

/// Some members of a node, bounded together.
pub(super) struct Draft {
    /// The joint-set of all members, if they have the same.
    set: Option<usize>,
    members: Vec<u32>,
    pub outline: Outline,
}

impl Draft {
    /// Of members of one joint-set.
    pub fn of_set(members: &Members, set: usize, own: Vec<u32>) -> Self {
        let outline = Outline::of_set(members, members.model.skin().joint_set(set), &own);
        Self { set: Some(set), members: own, outline }
    }

    /// Of members that a joint moves, as if it had all the weight: those of some joint-sets.
    pub fn of_joint<'p>(
        members: &Members,
        joint: u32,
        sets: impl Iterator<Item = (&'p Range<u32>, &'p Straight)>,
    ) -> Self {
        let (mut own, mut straight) = (Vec::new(), Straight::NOTHING);
        for (part, other) in sets {
            straight = straight.with(other, members, part.clone());
            own.extend(part.clone());
        }
        let outline = Outline::of_joint(members, joint, straight, &own);
        Self { set: None, members: own, outline }
    }

    /// How the members of two drafts are bounded together.
    pub fn united_outline(&self, other: &Self, members: &Members) -> Outline {
        self.outline.united(&self.members, &other.outline, &other.members, members)
    }

    /// The members of two drafts with their outline.
    pub fn unite(&mut self, other: &Self, outline: Outline) {
        self.set = self.set.filter(|_| self.set == other.set);
        self.members.extend_from_slice(&other.members);
        self.outline = outline;
    }

    /// Two groups with smaller boxes: cut by the weight that varies most, or by position. `None` where neither helps.
    pub fn divided(&self, members: &Members) -> Option<[Self; 2]> {
        let whole = size(&self.outline.boxes);
        let set = self.set?;
        let by_weight = self.cut(members, set, &self.widest_weight(members));
        let by_position = self.cut(members, set, &self.longest_extent(members));
        let size = |pair: &[Self; 2]| {
            let [a, b] = pair;
            size(&a.outline.boxes) * a.share(self) + size(&b.outline.boxes) * b.share(self)
        };
        let smaller = match (by_weight, by_position) {
            (Some(a), Some(b)) => Some(if size(&a) < size(&b) { a } else { b }),
            (a, b) => a.or(b),
        };
        smaller.filter(|pair| size(pair) < whole)
    }

    /// Writes the draft into the tree's arrays as a group of its joint-set.
    pub fn push_group(&self, groups: &mut Groups, members: &Members) {
        let Some(set) = self.set else { return };
        let positions = self.rest_positions(members);
        let weights = self.members.iter().map(|&member| members.weights(member));
        let weights = OwnedWeightRange::around(self.outline.joints.len(), weights);
        groups.all.push(Group {
            rest_box: RestBox::around(&self.outline.axes, positions.iter().copied()),
            set: set as u32,
            first_weight: groups.weights.len() as u32,
            first_product: groups.products.len() as u32,
            moved: self.is_moved(members),
            spread: weights.spread,
            total_product: weights.total_product,
            sphere: smallest_enclosing_sphere(&positions),
        });
        groups.weights.extend(&weights.base);
        groups.products.extend(&weights.products);
    }

    /// Writes the draft into the tree's arrays for linear blending.
    pub fn push_linear_group(&self, groups: &mut Groups, members: &Members) {
        let outline = &self.outline;
        groups.linear.push(LinearGroup {
            rest_box: RestBox::around(&outline.axes, self.rest_positions(members).into_iter()),
            first_joint: groups.linear_joints.len() as u32,
            joint_count: outline.joints.len() as u32,
            spread: outline.spread,
            moved: self.is_moved(members),
        });
        groups.linear_joints.extend(&outline.joints);
        groups.linear_weights.extend(&outline.base);
    }

    /// Whether the rest stage moves any vertex.
    fn is_moved(&self, members: &Members) -> bool {
        match members.model.rest() {
            Rest::Plain => false,
            Rest::Fields(fields) => {
                let mut vertices = self.members.iter().map(|&member| members.vertices[member as usize]);
                vertices.any(|vertex| fields.of_vertex(vertex).next().is_some())
            }
            Rest::Morph(_) => true,
        }
    }

    /// Before any change. A blend of reference shapes is the sum of its changes alone.
    fn rest_positions(&self, members: &Members) -> Vec<Vec3> {
        match members.model.rest() {
            Rest::Morph(_) => vec![Vec3::ZERO],
            _ => self.positions(members).collect(),
        }
    }

    fn positions(&self, members: &Members) -> impl Iterator<Item = Vec3> {
        self.members.iter().map(|&member| members.point(member).into())
    }

    fn share(&self, whole: &Self) -> f32 {
        self.members.len() as f32 / whole.members.len() as f32
    }

    /// The weight with the widest range, member by member.
    fn widest_weight(&self, members: &Members) -> Vec<f32> {
        let widest = self.outline.widest_weight();
        self.members.iter().map(|&member| members.weights(member)[widest]).collect()
    }

    /// The coordinate along the longest axis of the rest box, member by member.
    fn longest_extent(&self, members: &Members) -> Vec<f32> {
        let axes = &self.outline.axes;
        let to_axes = axes.transpose();
        let local = Aabb::from_points(self.positions(members).map(|position| to_axes * position));
        let axis = axes.col(local.half_extents().max_position());
        self.positions(members).map(|position| axis.dot(position)).collect()
    }

    /// Divides at the middle of the values' range.
    fn cut(&self, members: &Members, set: usize, values: &[f32]) -> Option<[Self; 2]> {
        let (low, high) =
            values.iter().fold((f32::MAX, f32::MIN), |(low, high), &v| (low.min(v), high.max(v)));
        let middle = low + (high - low) * 0.5;
        let side = |upper: bool| -> Vec<u32> {
            let pairs = self.members.iter().zip(values);
            pairs.filter(|(_, value)| (**value > middle) == upper).map(|(member, _)| *member).collect()
        };
        let (left, right) = (side(false), side(true));
        if left.is_empty() || right.is_empty() {
            return None;
        }
        Some([left, right].map(|own| Self::of_set(members, set, own)))
    }
}
