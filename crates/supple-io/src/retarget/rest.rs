//! The rest poses of motion and character, compared bone by bone.
//!
//! In: pairs of nodes. Out: bones as a tree, where they point on both sides, which of them are trunk and which are long bones of
//! limbs; whether the two skeletons have the same axes; how far the character's bones must first be turned.

use glam::{DAffine3, DMat3, DQuat, DVec3, Vec3};
use supple::math::polar;
use supple::pose::{Node, Pose, PoseError, Skeleton};

use super::facing::Facing;
use super::names::Pair;

/// What belongs to a limb, and what is long in it: a quarter of the longest reach, of the limb's length. Upper and lower arms and legs
/// have a third each, collar bones and feet a fifth and less.
const LONG: f64 = 0.25;

/// Offsets of bones agree within this angle, three of four of them.
const SAME_DIRECTION: f64 = 10.0;

/// None may differ by more than this.
pub(super) const OTHER_DIRECTION: f64 = 30.0;

/// Rest rotations that differ by more are another pose or another roll.
const OTHER_ROTATION: f64 = 20.0;

/// One matched bone. Lengths and positions are in the world of each side.
#[derive(Debug)]
pub(super) struct Bone {
    pub pair: Pair,
    /// The nearest matched bone above, by number; it stands before this one.
    pub parent: Option<usize>,
    pub children: Vec<usize>,
    /// Where it is at rest: in the motion, in the character.
    pub places: [DVec3; 2],
    /// From here to the matched bones below that are elsewhere.
    directions: Option<[DVec3; 2]>,
    reach: f64,
    is_trunk: bool,
    limb: f64,
}

/// All matched bones, parents first.
#[derive(Debug)]
pub(super) struct Bones {
    pub all: Vec<Bone>,
    /// World matrices at rest of all nodes: of the motion after it was turned, of the character.
    pub worlds: [Vec<DAffine3>; 2],
    /// How the motion was turned; where names do not tell, it was not.
    pub facing: Option<Facing>,
}

/// The pose in which nothing moves.
pub(super) fn rest_pose(skeleton: &Skeleton) -> Pose {
    Pose { nodes: skeleton.nodes().iter().map(|node| node.rest).collect(), coefficients: Vec::new() }
}

/// Nodes, parents before children.
pub(super) fn parents_first(skeleton: &Skeleton) -> Vec<usize> {
    let nodes = skeleton.nodes();
    let mut children = vec![Vec::new(); nodes.len()];
    let mut order = Vec::with_capacity(nodes.len());
    for (index, node) in nodes.iter().enumerate() {
        match node.parent {
            Some(parent) => children[parent].push(index),
            None => order.push(index),
        }
    }
    let mut at = 0;
    while at < order.len() {
        order.extend(&children[order[at]]);
        at += 1;
    }
    order
}

impl Bones {
    pub fn new(pairs: &[Pair], source: &Skeleton, target: &Skeleton) -> Result<Self, PoseError> {
        let worlds = [source.world_matrices(&rest_pose(source))?, target.world_matrices(&rest_pose(target))?];
        let mut pair_of = vec![None; target.nodes().len()];
        pairs.iter().for_each(|pair| pair_of[pair.target] = Some(*pair));
        // The nearest matched bone at or above each node.
        let mut nearest: Vec<Option<usize>> = vec![None; target.nodes().len()];
        let mut all: Vec<Bone> = Vec::new();
        for node in parents_first(target) {
            let parent = target.nodes()[node].parent.and_then(|parent| nearest[parent]);
            nearest[node] = parent;
            let Some(pair) = pair_of[node] else { continue };
            nearest[node] = Some(all.len());
            if let Some(parent) = parent {
                let index = all.len();
                all[parent].children.push(index);
            }
            let places = [worlds[0][pair.source].translation, worlds[1][pair.target].translation];
            all.push(Bone {
                pair,
                parent,
                children: Vec::new(),
                places,
                directions: None,
                reach: 0.0,
                is_trunk: false,
                limb: 0.0,
            });
        }
        let mut bones = Self { all, worlds, facing: None };
        bones.measure();
        let [of_source, of_target] = [source, target].map(Skeleton::nodes);
        bones.facing = Facing::new(&bones, |bone| &of_target[bone.pair.target].name)
            .or_else(|| Facing::new(&bones, |bone| &of_source[bone.pair.source].name));
        bones.turn_motion();
        Ok(bones)
    }

    /// Turns the motion's side to where the character faces.
    fn turn_motion(&mut self) {
        let turn = self.turn();
        self.worlds[0].iter_mut().for_each(|matrix| *matrix = turn * *matrix);
        self.all.iter_mut().for_each(|bone| bone.places[0] = turn.transform_point3(bone.places[0]));
        self.measure();
    }

    /// How the motion's world is turned.
    pub fn turn(&self) -> DAffine3 {
        DAffine3::from_mat3(self.facing.map_or(DMat3::IDENTITY, |facing| facing.turn))
    }

    /// Upwards, in the character.
    pub fn up(&self) -> DVec3 {
        self.facing.map_or(DVec3::Y, |facing| facing.up)
    }

    fn measure(&mut self) {
        if self.all.is_empty() {
            return;
        }
        let least = [0, 1].map(|side| {
            let first = self.all[0].places[side];
            1e-3 * self.all.iter().fold(0.0f64, |size, bone| size.max(bone.places[side].distance(first)))
        });
        let length = |bones: &[Bone], a: usize, b: usize| bones[a].places[1].distance(bones[b].places[1]);
        for index in (0..self.all.len()).rev() {
            let below = self.all[index].children.iter();
            let reach = below.map(|&child| length(&self.all, index, child) + self.all[child].reach);
            self.all[index].reach = reach.fold(0.0, f64::max);
            self.all[index].directions = self.directions(index, least);
        }
        let longest = self.all.iter().fold(0.0f64, |longest, bone| longest.max(bone.reach));
        for index in (0..self.all.len()).rev() {
            let children = &self.all[index].children;
            let is_long =
                |&&child: &&usize| length(&self.all, index, child) + self.all[child].reach >= LONG * longest;
            self.all[index].is_trunk = children.iter().filter(is_long).count() >= 2
                || children.iter().any(|&child| self.all[child].is_trunk);
        }
        for index in 0..self.all.len() {
            let above = self.all[index].parent.filter(|&parent| !self.all[parent].is_trunk);
            let own = if self.all[index].reach >= LONG * longest { self.all[index].reach } else { 0.0 };
            self.all[index].limb = above.map_or(own, |parent| self.all[parent].limb);
        }
    }

    /// Vectors to the nearest bones below that are elsewhere on both sides.
    fn directions(&self, index: usize, least: [f64; 2]) -> Option<[DVec3; 2]> {
        const MOST_LOOKED_AT: usize = 64;
        let here = self.all[index].places;
        let (mut sums, mut found) = ([DVec3::ZERO; 2], 0.0);
        let mut open = self.all[index].children.clone();
        for _ in 0..MOST_LOOKED_AT {
            let Some(child) = open.pop() else { break };
            let away = [0, 1].map(|side| self.all[child].places[side] - here[side]);
            if (0..2).all(|side| away[side].length() > least[side]) {
                (0..2).for_each(|side| sums[side] += away[side]);
                found += 1.0;
            } else {
                open.extend(&self.all[child].children);
            }
        }
        let usable = (0..2).all(|side| sums[side].length() > least[side]);
        usable.then(|| sums.map(|sum| sum / found))
    }

    /// Turns of the character's bones, in its world, before the motion's turns are added. Long bones of limbs are turned to where the
    /// motion's bones point at rest; others go with the bone above if that brings them nearer to the motion's. Beside them the
    /// angle that remains.
    pub fn corrections(&self) -> Vec<(DQuat, f64)> {
        let mut corrections: Vec<(DQuat, f64)> = Vec::with_capacity(self.all.len());
        for bone in &self.all {
            let above = bone.parent.map_or(DQuat::IDENTITY, |parent| corrections[parent].0);
            // Where the trunk divides there is no one direction.
            let divides = bone.is_trunk && bone.children.len() > 1;
            let Some([source, target]) = bone.directions.filter(|_| !divides) else {
                corrections.push((above, 0.0));
                continue;
            };
            let remaining = |start: DQuat| degrees(start * target, source);
            let start = if remaining(above) <= remaining(DQuat::IDENTITY) { above } else { DQuat::IDENTITY };
            let is_long = !bone.is_trunk && bone.limb > 0.0 && target.length() >= LONG * bone.limb;
            corrections.push(match is_long {
                true => {
                    let (from, to) = ((start * target).normalize(), source.normalize());
                    (DQuat::from_rotation_arc(from, to) * start, 0.0)
                }
                false => (start, remaining(start)),
            });
        }
        corrections
    }

    /// Whether rotations relative to parents mean the same on both sides: the same tree, offsets in the same directions of the
    /// parents' axes, and no bone that points the same way but is rolled.
    pub fn same_axes(&self, source: &Skeleton, target: &Skeleton) -> bool {
        let rests = |bone: &Bone| [&source.nodes()[bone.pair.source], &target.nodes()[bone.pair.target]];
        let (mut compared, mut alike) = (0, 0);
        for bone in &self.all {
            let [from, to] = rests(bone);
            if from.offset != to.offset {
                return false;
            }
            let Some(parent) = bone.parent.map(|parent| &self.all[parent]) else {
                if !self.hangs_alike(from, to) {
                    return false;
                }
                continue;
            };
            if from.parent != Some(parent.pair.source) || to.parent != Some(parent.pair.target) {
                return false;
            }
            let offsets = [from, to].map(|node| node.rest.translation.as_dvec3());
            if offsets.iter().any(|offset| offset.length() == 0.0) {
                continue;
            }
            let angle = degrees(offsets[0], offsets[1]);
            if angle > OTHER_DIRECTION {
                return false;
            }
            compared += 1;
            alike += usize::from(angle <= SAME_DIRECTION);
            let turns = rests(parent).map(|node| node.rest.rotation.as_dquat().normalize());
            let other_rotation = turns[0].angle_between(turns[1]).to_degrees() > OTHER_ROTATION;
            if other_rotation && degrees(turns[0] * offsets[0], turns[1] * offsets[1]) < SAME_DIRECTION {
                return false;
            }
        }
        4 * alike >= 3 * compared
    }

    /// Whether rotations of a top bone mean the same: what it hangs from is turned as on the other side, or as the character is.
    fn hangs_alike(&self, from: &Node, to: &Node) -> bool {
        let Some(facing) = self.facing else { return true };
        let above = |side: usize, node: &Node| {
            let matrix = node.parent.map_or(DMat3::IDENTITY, |parent| self.worlds[side][parent].matrix3);
            polar(matrix).0
        };
        let (turned, to) = (above(0, from), above(1, to));
        let unturned = DQuat::from_mat3(&facing.turn).inverse() * turned;
        [turned, unturned].iter().any(|from| from.angle_between(to).to_degrees() < OTHER_ROTATION)
    }

    /// Bones from the top down to where the skeleton divides: what carries the whole body.
    pub fn carriers(&self) -> Vec<usize> {
        let tops = (0..self.all.len()).filter(|&index| self.all[index].parent.is_none());
        let mut at = tops.max_by(|&a, &b| self.all[a].reach.total_cmp(&self.all[b].reach));
        let mut carriers = Vec::new();
        while let Some(index) = at {
            carriers.push(index);
            at = match self.all[index].children[..] {
                [only] => Some(only),
                _ => None,
            };
        }
        carriers
    }

    /// Bones from below the last carrier down to the lowest one: a leg. All bones where nothing is lower.
    pub fn leg(&self) -> Vec<usize> {
        let Some(&hips) = self.carriers().last() else { return Vec::new() };
        let below = |index: &usize| {
            let mut at = self.all[*index].parent;
            while let Some(parent) = at.filter(|&parent| parent > hips) {
                at = self.all[parent].parent;
            }
            at == Some(hips)
        };
        let height = |index: usize| self.all[index].places[1].dot(self.up());
        let lower = (hips + 1..self.all.len()).filter(|&index| height(index) < height(hips));
        let lowest = lower.filter(below).min_by(|&a, &b| height(a).total_cmp(&height(b)));
        let Some(lowest) = lowest else {
            return (0..self.all.len()).filter(|&index| self.all[index].parent.is_some()).collect();
        };
        let mut leg = Vec::new();
        let mut at = lowest;
        while at != hips {
            leg.push(at);
            at = self.all[at].parent.unwrap_or(hips);
        }
        leg
    }

    /// How much longer the leg is than the motion's; 1 where that cannot be told.
    pub fn leg_ratio(&self, length: impl Fn(&Bone, &Bone) -> [f64; 2]) -> f64 {
        let mut sums = [0.0; 2];
        for index in self.leg() {
            let bone = &self.all[index];
            let Some(parent) = bone.parent else { continue };
            let lengths = length(&self.all[parent], bone);
            (0..2).for_each(|side| sums[side] += lengths[side]);
        }
        let ratio = sums[1] / sums[0];
        if ratio.is_finite() && ratio > 0.0 { ratio } else { 1.0 }
    }
}

/// The angle between two vectors.
pub(super) fn degrees(a: DVec3, b: DVec3) -> f64 {
    if a == DVec3::ZERO || b == DVec3::ZERO { 0.0 } else { a.angle_between(b).to_degrees() }
}

/// Whether two offsets are equal up to rounding.
pub(super) fn nearly(a: Vec3, b: Vec3) -> bool {
    a.distance(b) <= 1e-4 * a.length().max(b.length())
}
