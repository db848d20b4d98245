//! Collisions that begin where the last ones ended: front tracking.
//!
//! The walk over two trees is itself a tree: pairs of nodes whose volumes overlap are opened, others end it, and so do pairs
//! of leaves. Where it ended, its *front*, hardly moves from frame to frame. So that tree is kept. The next walk tests the
//! pairs where the last one ended, goes on where they overlap by now, and raises the front by the simplest rule there is: an
//! opened pair is closed where nothing below it overlaps and its own volumes are apart.
//! Must hold: every pair of leaves is below exactly one pair where the walk ended, or is one itself; so the pairs found are
//! those of a walk from the roots, whatever the last frame was.
//!
//! Based on: T.-Y. Li, J.-S. Chen, Incremental 3D Collision Detection with Hierarchical Data Structures, 1998; S. A. Ehmann,
//! M. C. Lin, Accurate and Fast Proximity Queries between Polyhedra using Convex Surface Decomposition, 2001.

use std::sync::Arc;

use supple::QueryStats;

use super::collide::touching_below;
use super::overlap::Overlap;
use super::{Body, Tree, Volume};

/// Where the last walk over two bodies ended, for [`collide_from`].
#[derive(Clone, Debug, Default)]
pub struct Front {
    /// The trees that it belongs to. Holding them, no other can be taken for one of them.
    trees: Option<[Arc<Tree>; 2]>,
    /// The pairs of the last walk, those below an opened one right after it.
    pairs: Vec<Met>,
    /// Memory for those of the next one.
    next: Vec<Met>,
}

/// A pair of nodes that a walk met.
#[derive(Clone, Copy, Debug)]
struct Met {
    nodes: [usize; 2],
    /// How many pairs there are from this one to the last below it, both counted.
    size: usize,
}

impl Met {
    /// A pair where the walk ended.
    fn end(nodes: [usize; 2]) -> Self {
        Self { nodes, size: 1 }
    }

    /// Whether one of its nodes was replaced by its children.
    fn is_opened(&self) -> bool {
        self.size > 1
    }
}

impl Front {
    /// How many pairs of nodes are kept open.
    pub fn opened_pairs(&self) -> usize {
        self.pairs.iter().filter(|pair| pair.is_opened()).count()
    }

    /// Goes on with the last front, if it belongs to these trees.
    fn begin(&mut self, trees: [&Arc<Tree>; 2]) {
        let same = |own: &[Arc<Tree>; 2]| own.iter().zip(trees).all(|(own, tree)| Arc::ptr_eq(own, tree));
        if !self.trees.as_ref().is_some_and(same) {
            self.trees = Some(trees.map(Arc::clone));
            self.pairs.clear();
            self.pairs.push(Met::end([0, 0]));
        }
    }
}

/// Like [`collide`](super::collide), but begins where the last call with this front ended. The pairs are the same, whatever
/// happened to the bodies in between; only the counters differ. Where a body's tree is another one, because it is another
/// shape's or its [method](super::Method::Rebuild) built a new one, the walk starts anew.
///
/// ```
/// # use std::sync::Arc;
/// # use supple::{Isometry, Skinning};
/// use supple_papers::{Body, Front, Method, Shape, Slabs, Tree, Walk, collide, collide_from};
/// # let man = Arc::new(supple_zoo::make("man", 0)?);
/// # let tree = Tree::octants(man.mesh().positions(), man.mesh().triangles());
/// # let shape = Arc::new(Shape::<Slabs<3>>::new(&man, Skinning::Linear, tree, Method::Linear)?);
/// # let [mut a, mut b] = [Body::new(&shape)?, Body::new(&shape)?];
/// let mut front = Front::default(); // one per pair of bodies
/// for step in 0..5 {
///     b.set_pose(&man.rest_pose(), &Isometry::from_translation(glam::Vec3::X * 0.1 * step as f32))?;
///     let (pairs, _) = collide_from(&mut front, &mut a, &mut b);
///     assert_eq!(pairs, collide(&mut a, &mut b, Walk::default()).0);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn collide_from<V: Volume>(
    front: &mut Front,
    a: &mut Body<V>,
    b: &mut Body<V>,
) -> (Vec<[u32; 2]>, QueryStats) {
    let mut stats = QueryStats::default();
    let trees = [a.tree_of_pose(&mut stats), b.tree_of_pose(&mut stats)];
    front.begin(trees.each_ref());
    let overlap = Overlap::new(a, b);
    let mut next = std::mem::take(&mut front.next);
    next.clear();
    let mut walk = FrontWalk { a, b, trees, overlap, last: &front.pairs, next, found: Vec::new(), stats };
    walk.go_on(0);
    let FrontWalk { next, found: mut pairs, stats, .. } = walk;
    front.next = std::mem::replace(&mut front.pairs, next);
    pairs.sort_unstable();
    (pairs, stats)
}

struct FrontWalk<'w, V: Volume> {
    a: &'w mut Body<V>,
    b: &'w mut Body<V>,
    trees: [Arc<Tree>; 2],
    overlap: Overlap<V>,
    /// The pairs of the last walk.
    last: &'w [Met],
    /// The pairs of this one.
    next: Vec<Met>,
    found: Vec<[u32; 2]>,
    stats: QueryStats,
}

impl<V: Volume> FrontWalk<'_, V> {
    /// Takes over a pair of the last walk with all below it; whether its volumes may overlap.
    fn go_on(&mut self, at: usize) -> bool {
        let pair = self.last[at];
        if !pair.is_opened() {
            return self.meet(pair.nodes);
        }
        let own = self.next.len();
        self.next.push(pair);
        let mut below = at + 1;
        let mut any = false;
        while below < at + pair.size {
            any |= self.go_on(below);
            below += self.last[below].size;
        }
        if !any && !self.overlapping(pair.nodes) {
            // Nothing is left to be looked at below it.
            self.next.truncate(own);
            self.next.push(Met::end(pair.nodes));
            return false;
        }
        self.next[own].size = self.next.len() - own;
        true
    }

    /// Tests a pair; where it overlaps, goes on to the leaves as a walk from the roots does. Whether it overlaps.
    fn meet(&mut self, nodes: [usize; 2]) -> bool {
        let own = self.next.len();
        self.next.push(Met::end(nodes));
        if !self.overlapping(nodes) {
            return false;
        }
        let leaf = [0, 1].map(|side: usize| self.trees[side].nodes()[nodes[side]].is_leaf());
        if leaf == [true, true] {
            let (a, b) = (&mut *self.a, &mut *self.b);
            touching_below(a, nodes[0], b, nodes[1], false, &mut self.found, &mut self.stats);
            return true;
        }
        let [size_a, size_b] = self.volumes(nodes).map(|volume| volume.size());
        let side = usize::from(!(leaf[1] || (!leaf[0] && size_a >= size_b)));
        for child in self.trees[side].nodes()[nodes[side]].children() {
            let mut below = nodes;
            below[side] = child;
            self.meet(below);
        }
        self.next[own].size = self.next.len() - own;
        true
    }

    fn overlapping(&mut self, nodes: [usize; 2]) -> bool {
        self.stats.node_visits += 1;
        let [of_a, of_b] = self.volumes(nodes);
        self.overlap.test(&of_a, &of_b)
    }

    fn volumes(&mut self, nodes: [usize; 2]) -> [V; 2] {
        [self.a.volume(nodes[0], false, &mut self.stats), self.b.volume(nodes[1], false, &mut self.stats)]
    }
}
