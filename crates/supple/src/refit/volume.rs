//! Bounding volumes that can be refitted: boxes and balls.

use glam::Vec4;

use super::cache::Cache;
use super::children::{Children, EightBoxes, EightVolumes};
use super::leaf::PosedLeaf;
use crate::math::{Aabb, Sphere, enclosing_ball_of_balls, smallest_enclosing_ball};
use crate::pool::Pool;
use crate::simd::Eight;
use crate::rest::{rest_ball, rest_rows};
use crate::skin::{Palette, Skin, Skinning, group_ball, group_box, linear_box, with_margin};
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
    /// Prepared for the joint-sets in question.
    pub palette: &'a Palette,
    pub coefficients: &'a [f32],
}

/// A bounding volume.
///
/// Law: `of_node` contains the posed position of every vertex below a node that has groups, `of_leaf` those of a leaf.
pub(crate) trait Volume: Copy + std::fmt::Debug {
    type Eight: EightVolumes<Self>;
    fn of_node<E: Eight>(source: Source, node: &Node) -> Self;
    fn of_leaf(leaf: &PosedLeaf, triangles: usize) -> Self;
    /// Bit `i` is set where triangle `i` of a leaf may reach into the volume.
    fn reached_by<E: Eight>(&self, leaf: &PosedLeaf) -> u8;
    /// The larger of two volumes is descended first.
    fn size(&self) -> f32;
    fn stored(cache: &mut Cache) -> &mut Pool<Children<Self>>;
    fn stored_ref(cache: &Cache) -> &Pool<Children<Self>>;
}

impl Volume for Aabb {
    type Eight = EightBoxes;

    #[inline(always)]
    fn of_node<E: Eight>(source: Source, node: &Node) -> Self {
        let Source { tree, skin, palette, coefficients } = source;
        let (mut min, mut max) = (Vec4::INFINITY, Vec4::NEG_INFINITY);
        if palette.skinning() == Skinning::Linear {
            let mut most_changes = 0;
            for group in &tree.linear_groups[node.linear_groups()] {
                let changes = tree.changes_at(group.first_change, group.change_count);
                let rest = rest_rows::<E>(&group.rest_box, changes, coefficients);
                let (joints, base) = tree.joints_of(group);
                let [low, high] = linear_box(palette, joints, base, group.spread, rest);
                min = min.min(low);
                max = max.max(high);
                most_changes = most_changes.max(changes.len());
            }
            [min, max] = with_margin(palette, [min, max], tree.most_influences, most_changes);
        } else {
            for group in &tree.groups[node.groups()] {
                let changes = tree.changes_at(group.first_change, group.change_count);
                let rest = rest_rows::<E>(&group.rest_box, changes, coefficients);
                let [low, high] = group_box(palette, &tree.skin_term(skin, group), rest, changes.len());
                min = min.min(low);
                max = max.max(high);
            }
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

    fn of_node<E: Eight>(source: Source, node: &Node) -> Self {
        let ball = |group: &Group| {
            let changes = source.tree.changes_at(group.first_change, group.change_count);
            let rest = rest_ball(group.ball, changes, source.coefficients);
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
