//! Vertices of a body on demand: one by one, twig by twig, or all at once; and leaves made of them.

use std::ops::Range;

use glam::Vec3;

use super::cache::Cache;
use super::children::Children;
use super::leaf::{Leaves, PosedLeaf};
use super::mode::Mode;
use super::posed_twigs::{Point, PosedTwigs};
use super::whole_body::{PoseVertices, WholeBody};
use super::{Body, VertexUpdate};
use crate::answer::QueryStats;
use crate::math::Aabb;
use crate::model::{Job, Model, POSITION, deform, with_stages};
use crate::pool::Pool;
use crate::rest::{EightVertices, RestStage};
use crate::simd::{self, Eight, Kernel, TwoFours};
use crate::skin::{Palette, SkinStage, Skinning};
use crate::tree::{Slots, Tree, WIDTH};

impl Body {
    /// The posed position of a vertex, in the world; or the position that was given, placed.
    ///
    /// # Panics
    /// The vertex is out of range.
    pub fn position(&mut self, vertex: u32) -> Vec3 {
        if let Mode::Vertices(_) = self.mode {
            return self.vertices.position(vertex as usize);
        }
        let model = self.shape.model();
        self.palette.prepare_set(model.skin(), model.skin().set_of_vertex(vertex));
        with_stages(model, &self.palette, &self.coefficients, PoseVertex(vertex as usize))
    }

    /// Positions of all vertices, in the world, one by one. To only deform a mesh, use
    /// [`Model::posed_at`](crate::Model::posed_at), which is vectorised and gives the same bits.
    pub fn positions(&mut self) -> Vec<Vec3> {
        (0..self.model().mesh().positions().len() as u32).map(|v| self.position(v)).collect()
    }

    /// Where the triangles of a leaf whose bound is known, so that it is posed, are among others of this body. What was there may be
    /// forgotten.
    #[inline(always)]
    pub(crate) fn leaf(&self, node: usize, leaves: &mut Leaves) -> usize {
        match leaves.find(node) {
            Some(entry) => entry,
            None => self.set_leaf(node, leaves),
        }
    }

    /// Arranges the triangles of a leaf for being tested.
    #[inline(never)]
    fn set_leaf(&self, node: usize, leaves: &mut Leaves) -> usize {
        debug_assert!(self.tree.nodes[node].twig().is_some_and(|twig| self.cache.twigs.has(twig)));
        leaves.make_room(self.tree.nodes.len());
        let entry = leaves.insert(node, || PosedLeaf::EMPTY);
        let corners = &self.tree.corners[self.tree.nodes[node].range()];
        let points = self.cache.twigs.points();
        simd::run(SetLeaf { points, corners, leaf: leaves.get_mut(entry) });
        entry
    }

    /// Poses the vertices of a twig, unless that has been done in this pose.
    #[inline(always)]
    pub(super) fn pose_twig(&mut self, twig: usize, stats: &mut QueryStats) {
        if !self.cache.twigs.has(twig) {
            self.pose_new_twig(twig, stats);
        }
    }

    #[inline(never)]
    fn pose_new_twig(&mut self, twig: usize, stats: &mut QueryStats) {
        if self.mode != Mode::Joints {
            // Vertices that are given are all taken at once.
            return self.pose_everything(stats);
        }
        let Self { shape, palette, cache, coefficients, tree, .. } = self;
        let range = tree.nodes[twig].slots();
        stats.vertices_deformed += range.len() as u64;
        prepare_sets(shape.model(), palette, tree, &tree.slots.places[range.clone()]);
        let (slots, to) = (&tree.slots, cache.twigs.add(tree, twig));
        with_stages(shape.model(), palette, coefficients, PoseSlots { tree, slots, range, to });
    }

    /// Poses the whole body and bounds everything, unless that has been done in this pose.
    pub(crate) fn pose_everything(&mut self, stats: &mut QueryStats) {
        let Self { shape, palette, cache, coefficients, tree, mode, vertices, .. } = self;
        let Cache { twigs, boxes, whole, .. } = cache;
        if std::mem::replace(whole, true) {
            return;
        }
        boxes.make_room(tree.nodes.len() + 1);
        stats.vertices_deformed += tree.vertices.len() as u64;
        stats.refits += match mode {
            Mode::Joints => {
                prepare_sets(shape.model(), palette, tree, &tree.whole.places);
                with_stages(shape.model(), palette, coefficients, PoseEverything { tree, twigs, boxes })
            }
            Mode::Vertices(update) => {
                let (poser, in_twigs) = (vertices.placing(), *update != VertexUpdate::Hybrid);
                simd::run(WholeBody { poser, tree, twigs, boxes, in_twigs })
            }
        };
    }
}

/// What spherical skinning needs of the joint-sets of the vertices at some places.
fn prepare_sets(model: &Model, palette: &mut Palette, tree: &Tree, places: &[u32]) {
    if palette.skinning() == Skinning::Spherical {
        for &place in places {
            let set = model.skin().set_of_vertex(tree.vertices[place as usize]);
            palette.prepare_set(model.skin(), set);
        }
    }
}

struct PoseVertex(usize);

impl Job for PoseVertex {
    type Output = Vec3;

    fn run(self, rest: impl RestStage, skin: impl SkinStage) -> Vec3 {
        deform::<TwoFours, POSITION>(rest, skin, self.0).truncate()
    }
}

/// Poses the vertices of whole blocks.
struct PoseSlots<'a> {
    tree: &'a Tree,
    slots: &'a Slots,
    range: Range<usize>,
    to: &'a mut [Point],
}

impl Job for PoseSlots<'_> {
    type Output = ();

    fn run(self, rest: impl RestStage, skin: impl SkinStage) {
        simd::run(PoseSlotsWith { work: self, rest, skin });
    }
}

struct PoseSlotsWith<'a, R, S> {
    work: PoseSlots<'a>,
    rest: R,
    skin: S,
}

impl<R: RestStage, S: SkinStage> Kernel for PoseSlotsWith<'_, R, S> {
    type Output = ();

    #[inline(always)]
    fn run<E: Eight>(self) {
        let PoseSlots { tree, slots, range, to } = self.work;
        TwoStages { rest: self.rest, skin: self.skin }.pose::<E>(tree, slots, range, to);
    }
}

struct PoseEverything<'a> {
    tree: &'a Tree,
    twigs: &'a mut PosedTwigs,
    boxes: &'a mut Pool<Children<Aabb>>,
}

impl Job for PoseEverything<'_> {
    type Output = u64;

    fn run(self, rest: impl RestStage, skin: impl SkinStage) -> u64 {
        let Self { tree, twigs, boxes } = self;
        simd::run(WholeBody { poser: TwoStages { rest, skin }, tree, twigs, boxes, in_twigs: true })
    }
}

/// Poses blocks by both stages.
#[derive(Clone, Copy)]
struct TwoStages<R, S> {
    rest: R,
    skin: S,
}

impl<R: RestStage, S: SkinStage> TwoStages<R, S> {
    /// Writes the vertices of some slots, which are whole blocks, to their places.
    #[inline(always)]
    fn pose<E: Eight>(&self, tree: &Tree, slots: &Slots, range: Range<usize>, to: &mut [Point]) {
        let first = range.start / WIDTH;
        for (index, places) in slots.places[range].as_chunks::<WIDTH>().0.iter().enumerate() {
            let block = first + index;
            let vertices = EightVertices { places, vertices: &tree.vertices };
            let rest = self.rest.positions::<E>(vertices, slots.blocks.rest(block));
            let points = E::points(self.skin.positions::<E>(vertices, slots.blocks.terms(block), rest));
            for lane in 0..WIDTH {
                to[places[lane] as usize] = points[lane].to_array();
            }
        }
    }
}

impl<R: RestStage, S: SkinStage> PoseVertices for TwoStages<R, S> {
    #[inline(always)]
    fn pose_all<E: Eight>(&self, tree: &Tree, to: &mut [Point]) {
        self.pose::<E>(tree, &tree.whole, 0..tree.whole.places.len(), to);
    }
}

struct SetLeaf<'a> {
    points: &'a [Point],
    corners: &'a [[u32; 3]],
    leaf: &'a mut PosedLeaf,
}

impl Kernel for SetLeaf<'_> {
    type Output = ();

    #[inline(always)]
    fn run<E: Eight>(self) {
        self.leaf.set::<E>(self.points, self.corners);
    }
}

#[cfg(test)]
#[path = "../../tests/inside/refit/posed_vertices.rs"]
mod tests;
