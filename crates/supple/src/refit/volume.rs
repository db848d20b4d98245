//! Bounding volumes that can be refitted: boxes and balls.

use glam::Vec4;

use super::cache::Cache;
use super::children::{Children, EightBoxes, EightVolumes};
use super::leaf::PosedLeaf;
use crate::math::{Aabb, Sphere, enclosing_ball_of_balls, smallest_enclosing_ball};
use crate::pool::Pool;
use crate::rest::{Shift, rest_ball, rest_rows};
use crate::simd::Eight;
use crate::skin::{Palette, PosedBends, Skin, Skinning, group_ball, group_box, linear_box, with_margin};
use crate::tree::{Group, Node, Tree, WIDTH};

/// Which bounding volumes a query uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum VolumeKind {
    /// Axis-aligned boxes: tighter around upright and flat things, and cheap to unite.
    #[default]
    Box,
    /// Balls, as in the papers.
    Ball,
}

/// What bounds are computed from.
#[derive(Clone, Copy)]
pub(crate) struct Source<'a> {
    pub tree: &'a Tree,
    pub skin: &'a Skin,
    pub palette: &'a Palette,
    pub bends: &'a PosedBends,
    pub coefficients: &'a [f32],
}

/// A bounding volume.
///
/// Law: `of_groups` and `of_linear_groups` contain the posed position of every vertex below an inner node, `of_leaf` those
/// of a leaf.
pub(crate) trait Volume: Copy + std::fmt::Debug {
    type Eight: EightVolumes<Self>;
    /// From groups. The palette is prepared for their joint-sets.
    fn of_groups<E: Eight>(source: Source, node: &Node) -> Self;
    /// From linear groups, if that is tight enough.
    fn of_linear_groups<E: Eight>(source: Source, node: &Node) -> Option<Self>;
    fn of_leaf(leaf: &PosedLeaf, triangles: usize) -> Self;
    /// Bit `i` is set where triangle `i` of a leaf may reach into the volume.
    fn reached_by<E: Eight>(&self, leaf: &PosedLeaf) -> u8;
    /// The larger of two volumes is descended first.
    fn size(&self) -> f32;
    fn stored(cache: &mut Cache) -> &mut Pool<Children<Self>>;
    fn stored_ref(cache: &Cache) -> &Pool<Children<Self>>;
}

/// A box of linear groups is good enough where the bend is at most this part of the sum of its extents: it widens the box
/// by six times that.
const MOST_BEND: f32 = 0.03;

impl Volume for Aabb {
    type Eight = EightBoxes;

    #[inline(always)]
    fn of_linear_groups<E: Eight>(source: Source, node: &Node) -> Option<Self> {
        let Source { tree, palette, coefficients, .. } = source;
        let (mut min, mut max) = (Vec4::INFINITY, Vec4::NEG_INFINITY);
        let mut bend = 0.0f32;
        let shift = Shift::new(&tree.changes[node.changes()], coefficients);
        for group in &tree.linear_groups[node.linear_groups()] {
            let rest = rest_rows::<E>(&group.rest_box, shift.as_ref().filter(|_| group.moved));
            let (joints, base) = tree.joints_of(group);
            let [low, high] = linear_box(palette, joints, base, group.spread, rest);
            min = min.min(low);
            max = max.max(high);
            if palette.skinning() != Skinning::Linear {
                bend =
                    joints.iter().map(|&joint| source.bends.of_joints[joint as usize]).fold(bend, f32::max);
            }
        }
        let [min, max] = with_margin(palette, [min, max], tree.most_joints, tree.most_changes);
        let (min, max) = (min.truncate() - bend, max.truncate() + bend);
        (bend <= MOST_BEND * (max - min).element_sum()).then_some(Self { min, max })
    }

    #[inline(always)]
    fn of_groups<E: Eight>(source: Source, node: &Node) -> Self {
        let Source { tree, skin, palette, coefficients, .. } = source;
        let (mut min, mut max) = (Vec4::INFINITY, Vec4::NEG_INFINITY);
        let changes = &tree.changes[node.changes()];
        let shift = Shift::new(changes, coefficients);
        for group in &tree.groups[node.groups()] {
            let rest = rest_rows::<E>(&group.rest_box, shift.as_ref().filter(|_| group.moved));
            let [low, high] = group_box(palette, &tree.skin_term(skin, group), rest, changes.len());
            min = min.min(low);
            max = max.max(high);
        }
        Self { min: min.truncate(), max: max.truncate() }
    }

    #[inline(always)]
    fn of_leaf(leaf: &PosedLeaf, _: usize) -> Self {
        leaf.bounds
    }

    #[inline(always)]
    fn reached_by<E: Eight>(&self, leaf: &PosedLeaf) -> u8 {
        leaf.boxes.overlapping::<E>(self) & leaf.present
    }

    #[inline(always)]
    fn size(&self) -> f32 {
        let d = self.max - self.min;
        d.x * d.y + d.y * d.z + d.z * d.x
    }

    fn stored(cache: &mut Cache) -> &mut Pool<Children<Self>> {
        &mut cache.boxes
    }

    fn stored_ref(cache: &Cache) -> &Pool<Children<Self>> {
        &cache.boxes
    }
}

impl Volume for Sphere {
    type Eight = [Self; WIDTH];

    fn of_linear_groups<E: Eight>(_: Source, _: &Node) -> Option<Self> {
        None
    }

    fn of_groups<E: Eight>(source: Source, node: &Node) -> Self {
        let changes = &source.tree.changes[node.changes()];
        let shift = Shift::new(changes, source.coefficients);
        let ball = |group: &Group| {
            let rest = rest_ball(group.ball, shift.as_ref().filter(|_| group.moved));
            group_ball(source.palette, &source.tree.skin_term(source.skin, group), rest, changes.len())
        };
        match &source.tree.groups[node.groups()] {
            [only] => ball(only),
            groups => enclosing_ball_of_balls(&groups.iter().map(ball).collect::<Vec<_>>()),
        }
    }

    fn of_leaf(leaf: &PosedLeaf, triangles: usize) -> Self {
        let points: Vec<_> = (0..triangles).flat_map(|i| leaf.triangle(i)).collect();
        smallest_enclosing_ball(&points)
    }

    fn reached_by<E: Eight>(&self, leaf: &PosedLeaf) -> u8 {
        // The ball contains its vertices as `contains` tests them; so does the test of the box's nearest point.
        let reaches = |place: usize| {
            let aabb = leaf.boxes.get(place);
            self.contains(self.center.clamp(aabb.min, aabb.max))
        };
        (0..WIDTH).map(|place| u8::from(reaches(place)) << place).sum::<u8>() & leaf.present
    }

    fn size(&self) -> f32 {
        self.radius
    }

    fn stored(cache: &mut Cache) -> &mut Pool<Children<Self>> {
        &mut cache.balls
    }

    fn stored_ref(cache: &Cache) -> &Pool<Children<Self>> {
        &cache.balls
    }
}
