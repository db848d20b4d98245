//! Bounding volumes that can be refitted: boxes and balls.

use super::cache::{Cache, Stamped};
use crate::math::{Aabb, Sphere, enclosing_ball_of_balls};
use crate::rest::RestStage;
use crate::skin::{Skin, SkinStage};
use crate::tree::{Node, Tree};

/// Which bounding volumes a query uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum VolumeKind {
    /// Axis-aligned boxes: tighter around upright and flat things, and cheap to unite.
    #[default]
    Box,
    /// Balls, as in the papers.
    Ball,
}

/// A bounding volume.
///
/// Law: `refit` contains the posed position of every vertex below the node, as computed by the stages' `position`.
pub(crate) trait Volume: Copy {
    const NOWHERE: Self;
    fn refit(tree: &Tree, skin: &Skin, rest: impl RestStage, stage: impl SkinStage, node: &Node) -> Self;
    fn overlaps(&self, other: &Self) -> bool;
    /// Whether a box may reach into the volume.
    fn overlaps_box(&self, aabb: &Aabb) -> bool;
    /// The larger of two volumes is descended first.
    fn size(&self) -> f32;
    /// How deep two overlapping volumes are in each other; a search for any contact starts at the deepest.
    fn depth(&self, other: &Self) -> f32;
    fn stored(cache: &mut Cache) -> &mut Stamped<Self>;
    fn stored_ref(cache: &Cache) -> &Stamped<Self>;
}

impl Volume for Aabb {
    const NOWHERE: Self = Self::EMPTY;

    #[inline(always)]
    fn refit(tree: &Tree, skin: &Skin, rest: impl RestStage, stage: impl SkinStage, node: &Node) -> Self {
        let mut all = Self::EMPTY;
        for group in &tree.groups[node.groups()] {
            let volume = tree.rest_volume(group);
            let term = tree.skin_term(skin, group);
            all = all.union(&stage.bound_box(&term, rest.bound_box(&volume), volume.changes.len()));
        }
        all
    }

    #[inline(always)]
    fn overlaps(&self, other: &Self) -> bool {
        self.intersects(other)
    }

    #[inline(always)]
    fn overlaps_box(&self, aabb: &Aabb) -> bool {
        self.intersects(aabb)
    }

    #[inline(always)]
    fn size(&self) -> f32 {
        let d = self.max - self.min;
        d.x * d.y + d.y * d.z + d.z * d.x
    }

    #[inline(always)]
    fn depth(&self, other: &Self) -> f32 {
        (self.max.min(other.max) - self.min.max(other.min)).element_sum()
    }

    fn stored(cache: &mut Cache) -> &mut Stamped<Self> {
        &mut cache.boxes
    }

    fn stored_ref(cache: &Cache) -> &Stamped<Self> {
        &cache.boxes
    }
}

impl Volume for Sphere {
    const NOWHERE: Self = Self::new(glam::Vec3::ZERO, -1.0);

    fn refit(tree: &Tree, skin: &Skin, rest: impl RestStage, stage: impl SkinStage, node: &Node) -> Self {
        let ball = |group| {
            let volume = tree.rest_volume(group);
            stage.bound_ball(&tree.skin_term(skin, group), rest.bound_ball(&volume), volume.changes.len())
        };
        match &tree.groups[node.groups()] {
            [only] => ball(only),
            groups => enclosing_ball_of_balls(&groups.iter().map(ball).collect::<Vec<_>>()),
        }
    }

    fn overlaps(&self, other: &Self) -> bool {
        self.intersects(other)
    }

    fn overlaps_box(&self, aabb: &Aabb) -> bool {
        // The ball contains its vertices as `contains` tests them; so does the test of the box's nearest point.
        self.contains(self.center.clamp(aabb.min, aabb.max))
    }

    fn size(&self) -> f32 {
        self.radius
    }

    fn depth(&self, other: &Self) -> f32 {
        self.radius + other.radius - self.center.distance(other.center)
    }

    fn stored(cache: &mut Cache) -> &mut Stamped<Self> {
        &mut cache.balls
    }

    fn stored_ref(cache: &Cache) -> &Stamped<Self> {
        &cache.balls
    }
}
