//! Vertices of a body on demand: one by one, or leaf by leaf.

use glam::{Vec3, Vec4};

use super::Body;
use super::leaf::{MOST_VERTICES, PosedLeaf};
use super::mode::Mode;
use crate::answer::QueryStats;
use crate::model::{Job, POSITION, deform, with_stages};
use crate::pool::Pool;
use crate::rest::RestStage;
use crate::simd::{self, Eight, Kernel, TwoFours};
use crate::skin::{SkinStage, Skinning};
use crate::tree::{Tree, WIDTH};

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

    /// Where the posed triangles of a leaf are.
    #[inline(always)]
    pub(crate) fn leaf(&mut self, node: usize, stats: &mut QueryStats) -> usize {
        match self.cache.leaves.find(node) {
            Some(entry) => entry,
            None => self.pose_leaves(node, stats),
        }
    }

    /// The triangles of a posed leaf; posing another one may forget it.
    #[inline(always)]
    pub(crate) fn posed_leaf(&self, entry: usize) -> &PosedLeaf {
        self.cache.leaves.get(entry)
    }

    /// Poses a leaf together with its sisters.
    #[inline(never)]
    fn pose_leaves(&mut self, leaf: usize, stats: &mut QueryStats) -> usize {
        let Self { shape, palette, cache, coefficients, tree, mode, vertices: given, .. } = self;
        let model = shape.model();
        let owner = tree.nodes[leaf].owner();
        cache.leaves.make_room_for(WIDTH);
        let mut entry = 0;
        for sister in tree.leaves_of(owner) {
            let own = cache.leaves.insert(sister, || PosedLeaf::EMPTY);
            entry = if sister == leaf { own } else { entry };
        }
        let (leaves, listed) = (&mut cache.leaves, tree.nodes[owner].vertices());
        if let Mode::Vertices(_) = mode {
            let placed = &given.placed(tree, stats)[listed];
            simd::run(CopyLeaves { placed, tree, owner, leaves });
            return entry;
        }
        let vertices = &tree.leaf_vertices[listed];
        if palette.skinning() == Skinning::Spherical {
            for &vertex in vertices {
                palette.prepare_set(model.skin(), model.skin().set_of_vertex(vertex));
            }
        }
        stats.vertices_deformed += vertices.len() as u64;
        with_stages(model, palette, coefficients, PoseLeaves { vertices, tree, owner, leaves });
        entry
    }
}

struct PoseVertex(usize);

impl Job for PoseVertex {
    type Output = Vec3;

    fn run(self, rest: impl RestStage, skin: impl SkinStage) -> Vec3 {
        deform::<TwoFours, POSITION>(rest, skin, self.0).truncate()
    }
}

struct PoseLeaves<'a> {
    vertices: &'a [u32],
    tree: &'a Tree,
    owner: usize,
    leaves: &'a mut Pool<PosedLeaf>,
}

impl Job for PoseLeaves<'_> {
    type Output = ();

    fn run(self, rest: impl RestStage, skin: impl SkinStage) {
        simd::run(PoseLeavesWith { work: self, rest, skin });
    }
}

struct PoseLeavesWith<'a, R, S> {
    work: PoseLeaves<'a>,
    rest: R,
    skin: S,
}

impl<R: RestStage, S: SkinStage> Kernel for PoseLeavesWith<'_, R, S> {
    type Output = ();

    #[inline(always)]
    fn run<E: Eight>(self) {
        let PoseLeaves { vertices, tree, owner, leaves } = self.work;
        let mut positions = [Vec4::ZERO; MOST_VERTICES];
        for (position, &vertex) in positions.iter_mut().zip(vertices) {
            *position = deform::<E, POSITION>(self.rest, self.skin, vertex as usize);
        }
        set_leaves::<E>(&positions, tree, owner, leaves);
    }
}

/// Leaves of vertices that were given.
struct CopyLeaves<'a> {
    placed: &'a [Vec4],
    tree: &'a Tree,
    owner: usize,
    leaves: &'a mut Pool<PosedLeaf>,
}

impl Kernel for CopyLeaves<'_> {
    type Output = ();

    #[inline(always)]
    fn run<E: Eight>(self) {
        let mut positions = [Vec4::ZERO; MOST_VERTICES];
        positions[..self.placed.len()].copy_from_slice(self.placed);
        set_leaves::<E>(&positions, self.tree, self.owner, self.leaves);
    }
}

#[inline(always)]
fn set_leaves<E: Eight>(
    positions: &[Vec4; MOST_VERTICES],
    tree: &Tree,
    owner: usize,
    leaves: &mut Pool<PosedLeaf>,
) {
    for leaf in tree.leaves_of(owner) {
        if let Some(entry) = leaves.find(leaf) {
            leaves.get_mut(entry).set::<E>(positions, &tree.corners[tree.nodes[leaf].range()]);
        }
    }
}
