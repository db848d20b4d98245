//! The judge of a turn: exact queries about a pose, counted.
//!
//! In: a body, the pairs of bones of a contact, and the pose that is to be corrected. Out: whether the sides intersect in
//! another pose, whether one sank into the other, and how much more intersects elsewhere.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use supple::{Body, Pair, Pose, Shape, TriangleClasses, self_collide, self_collide_between};

use super::sinking::Sinking;
use super::turn_hint::HintError;
use crate::bones::Bones;

/// What never changes from pose to pose of a model.
#[derive(Clone, Debug)]
pub struct Known {
    pub shape: Arc<Shape>,
    pub bones: Bones,
    /// One class per bone that owns triangles.
    pub classes: TriangleClasses,
    pub class_of_bone: Vec<Option<u32>>,
    /// Pairs that intersect at rest, ascending.
    pub at_rest: Vec<Pair>,
}

/// The bones of a contact: pairs of them, that of the first side first.
pub type BonePairs = BTreeSet<[u32; 2]>;

/// A contact in a pose.
pub struct Judge<'a> {
    known: &'a Known,
    body: Body,
    /// Pairs of triangles of these bones are the contact.
    bones: BonePairs,
    /// The same, as classes.
    wanted: Vec<[u32; 2]>,
    /// How many pairs of triangles intersect by their bones in the pose that is to be corrected, outside of the contact.
    before: BTreeMap<[u32; 2], usize>,
    /// Pairs of the contact in that pose, the triangle of the first side first.
    pub touching: Vec<Pair>,
    pub queries: usize,
}

/// More pairs than before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NewPairs {
    pub elsewhere: usize,
    pub in_creases: usize,
}

impl<'a> Judge<'a> {
    /// Asks what intersects in the pose that is to be corrected.
    pub fn new(known: &'a Known, body: Body, pose: &Pose, bones: BonePairs) -> Result<Self, HintError> {
        let class = |bone: u32| known.class_of_bone.get(bone as usize).copied().flatten();
        let wanted = bones.iter().filter_map(|&[a, b]| Some([class(a)?, class(b)?])).collect();
        let (before, touching) = (BTreeMap::new(), Vec::new());
        let mut judge = Self { known, body, bones, wanted, before, touching, queries: 1 };
        judge.body.set_pose(pose)?;
        let all = self_collide(&mut judge.body).found;
        judge.before = judge.by_bones(&all);
        let touching = all.iter().filter(|pair| judge.counts(pair));
        judge.touching = touching.filter_map(|&pair| judge.in_order(pair)).collect();
        Ok(judge)
    }

    /// What tells whether one side sinks into the other, compared with the pose that is to be corrected.
    pub fn sinking(&self, pose: &Pose) -> Result<Sinking<'a>, HintError> {
        let owners = (0u32..).zip(self.known.bones.of_triangles());
        let of_side = |side: usize| {
            let bones: BTreeSet<u32> = self.bones.iter().map(|pair| pair[side]).collect();
            let own = owners.clone().filter(|(_, bone)| bones.contains(bone));
            own.map(|(triangle, _)| triangle).collect()
        };
        let (model, skinning) = (self.known.shape.model(), self.body.skinning());
        Ok(Sinking::new(model, skinning, [0, 1].map(of_side), &self.touching, pose)?)
    }

    /// Whether nothing intersects between the sides in a pose that does not at rest. A pose that the body cannot take
    /// clears nothing.
    pub fn is_clear(&mut self, pose: &Pose) -> bool {
        self.queries += 1;
        if self.body.set_pose(pose).is_err() {
            return false;
        }
        let answer = self_collide_between(&mut self.body, &self.known.classes, &self.wanted);
        answer.is_ok_and(|answer| !answer.found.iter().any(|pair| self.counts(pair)))
    }

    /// How much more than before intersects outside of the contact; `None` for a pose that the body cannot take.
    pub fn new_pairs(&mut self, pose: &Pose) -> Option<NewPairs> {
        self.queries += 1;
        self.body.set_pose(pose).ok()?;
        let all = self_collide(&mut self.body).found;
        let after = self.by_bones(&all);
        let (mut new, bones) = (NewPairs::default(), &self.known.bones);
        for ([a, b], pairs) in after {
            let more = pairs.saturating_sub(self.before.get(&[a, b]).copied().unwrap_or(0));
            let are_kin = a == b || bones.parent(a) == Some(b) || bones.parent(b) == Some(a);
            *if are_kin { &mut new.in_creases } else { &mut new.elsewhere } += more;
        }
        Some(new)
    }

    /// Pairs outside of the contact that do not intersect at rest, by their bones.
    fn by_bones(&self, pairs: &[Pair]) -> BTreeMap<[u32; 2], usize> {
        let mut counts = BTreeMap::new();
        for pair in pairs.iter().filter(|pair| self.counts(pair) && self.in_order(**pair).is_none()) {
            let [a, b] = self.owners(*pair);
            *counts.entry([a.min(b), a.max(b)]).or_default() += 1;
        }
        counts
    }

    /// Whether a pair does not intersect at rest.
    fn counts(&self, pair: &Pair) -> bool {
        self.known.at_rest.binary_search(pair).is_err()
    }

    /// The triangle of the first side first; `None` for a pair that is not of the contact.
    fn in_order(&self, [a, b]: Pair) -> Option<Pair> {
        let [of_a, of_b] = self.owners([a, b]);
        match (self.bones.contains(&[of_a, of_b]), self.bones.contains(&[of_b, of_a])) {
            (true, _) => Some([a, b]),
            (false, true) => Some([b, a]),
            (false, false) => None,
        }
    }

    /// The bones of two triangles.
    pub fn owners(&self, pair: Pair) -> [u32; 2] {
        pair.map(|triangle| self.known.bones.of_triangles()[triangle as usize])
    }
}
