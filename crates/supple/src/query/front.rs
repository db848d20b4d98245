//! Collisions that begin where the last ones ended: front tracking.
//!
//! The walk over two trees is itself a tree: pairs of nodes whose bounds overlap are opened, others end it, and so do pairs
//! of leaves. Where it ended, its *front*, hardly moves from frame to frame. So the front is kept, as the opened pairs and,
//! for each, those of the (up to eight) pairs below it that ended there. The next walk tests those, goes on where they overlap
//! by now, and raises the front by the simplest rule there is: an opened pair is closed where nothing below it overlaps and its
//! own bounds are apart.
//! Must hold: every pair of leaves is below exactly one pair where the walk ended, or is one itself; so the pairs found are
//! those of a walk from the roots, whatever the last frame was.
//!
//! Based on: T.-Y. Li, J.-S. Chen, Incremental 3D Collision Detection with Hierarchical Data Structures, 1998; S. A. Ehmann,
//! M. C. Lin, Accurate and Fast Proximity Queries between Polyhedra using Convex Surface Decomposition, 2001.

use std::sync::Arc;

use super::couple::TwoBodies;
use super::walk::{Place, Search, Visited, test_leaves, visited};
use super::{Collision, QueryStats};
use crate::math::Aabb;
use crate::refit::{Body, EightVolumes, Volume};
use crate::simd::{self, Eight, Kernel, places};
use crate::tree::Tree;

/// Where the last walk over two bodies ended, for [`collide_from`].
///
/// It does not pay, and is here to be compared with. Two creatures of 54,400 triangles that walk into each other at 60 frames per
/// second (`cargo bench -p supple --bench vertex_bodies`): 18 to 22 % fewer visits than [`collide`](super::collide), as many
/// refits, but 5 to 19 % more time, and 17 to 33 % more where they are deep in each other (two runs on a busy machine); `supple
/// reproduce morphing` measured 19 to 47 % more for creatures of 13,600 triangles and morphing bodies of 20,480. With up
/// to eight children per node the pairs above the front are few and cheap, and bounds of pairs in the front have to be looked up one by one.
#[derive(Clone, Debug, Default)]
pub struct Front {
    /// The trees that it belongs to. Holding them, no other can be taken for one of them.
    trees: Option<[Arc<Tree>; 2]>,
    /// Pairs above others come first.
    opened: Vec<Opened>,
    /// Pairs that are to be looked at; empty between two frames.
    open: Vec<u32>,
    order: Order,
}

/// A pair of nodes, one of which was replaced by its children.
#[derive(Clone, Copy, Debug)]
struct Opened {
    nodes: [u32; 2],
    /// Among whose children the nodes' bounds are.
    parents: [u32; 2],
    /// Which of both nodes was replaced.
    side: u8,
    /// The opened pair above, and which of the pairs below that one this is.
    above: u32,
    place: u8,
    /// Bit `i` is set where the pair with child `i` ended the walk.
    ended: u8,
    /// Whether none of those overlaps.
    quiet: bool,
    closed: bool,
}

impl Front {
    /// How many pairs of nodes are kept open.
    pub fn opened_pairs(&self) -> usize {
        self.opened.len()
    }

    /// Goes on with the last front, if it belongs to these trees.
    fn begin(&mut self, a: &Body, b: &Body) {
        let trees = [a.tree(), b.tree()];
        let same = |own: &[Arc<Tree>; 2]| own.iter().zip(trees).all(|(own, tree)| Arc::ptr_eq(own, tree));
        if !self.trees.as_ref().is_some_and(same) {
            self.trees = Some(trees.map(Arc::clone));
            self.opened.clear();
            // The node above the first root, against the second root.
            let above = [a.above_root() as u32, b.above_root() as u32];
            self.opened.push(Opened {
                nodes: [above[0], 0],
                parents: above,
                side: 0,
                above: 0,
                place: 0,
                ended: 1,
                quiet: false,
                closed: false,
            });
        }
    }

    /// Forgets closed pairs, and puts the others into the order of a walk that goes down first: leaves stay posed for a while
    /// only, and in the order in which pairs were opened over many frames deep bodies were posed nearly five times as often.
    fn tidy_up(&mut self) {
        let Self { opened, open, order, .. } = self;
        order.links.clear();
        order.links.resize(opened.len(), Links { first_below: NONE, beside: NONE, moved_to: 0 });
        for place in (1..opened.len()).filter(|&place| !opened[place].closed) {
            let above = opened[place].above as usize;
            order.links[place].beside = order.links[above].first_below;
            order.links[above].first_below = place as u32;
        }
        order.opened.clear();
        open.push(0);
        while let Some(place) = open.pop() {
            let mut pair = opened[place as usize];
            pair.above = order.links[pair.above as usize].moved_to;
            order.links[place as usize].moved_to = order.opened.len() as u32;
            order.opened.push(pair);
            let mut below = order.links[place as usize].first_below;
            while below != NONE {
                open.push(below);
                below = order.links[below as usize].beside;
            }
        }
        std::mem::swap(opened, &mut order.opened);
    }
}

/// No opened pair.
const NONE: u32 = u32::MAX;

/// Memory to bring opened pairs into order.
#[derive(Clone, Debug, Default)]
struct Order {
    links: Vec<Links>,
    opened: Vec<Opened>,
}

/// The opened pairs below one, as a list, and where it has come to stand.
#[derive(Clone, Copy, Debug)]
struct Links {
    first_below: u32,
    beside: u32,
    moved_to: u32,
}

/// Like [`collide`](super::collide), but begins where the last call with this front ended. The pairs are the same, whatever
/// happened to the bodies in between; only the counters differ. Where a body's tree is another one, because it is another
/// shape's or was [rebuilt](crate::refit::Update::Rebuild), the walk starts anew.
///
/// ```
/// # use std::sync::Arc;
/// # use supple::{Body, BuildOptions, Shape, Skinning, math::Isometry};
/// use supple::query::{Front, collide_from};
/// # let man = Arc::new(Shape::build(supple_zoo::make("man", 0)?, &BuildOptions::default())?);
/// # let mut a = Body::new(&man, Skinning::Linear)?;
/// # let mut b = Body::new(&man, Skinning::Linear)?;
/// let mut front = Front::default(); // one per pair of bodies
/// for step in 0..10 {
///     b.place(Isometry::from_translation(glam::Vec3::X * 0.1 * step as f32))?;
///     let found = collide_from(&mut front, &mut a, &mut b);
///     assert_eq!(found.pairs, supple::collide(&mut a, &mut b).pairs);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn collide_from(front: &mut Front, a: &mut Body, b: &mut Body) -> Collision {
    let mut collision = Collision::default();
    let Collision { pairs, stats } = &mut collision;
    front.begin(a, b);
    let found = |pair| {
        pairs.push(pair);
        Search::GoOn
    };
    if simd::run(FrontWalk { couple: TwoBodies { a, b }, front, stats, found }) {
        front.tidy_up();
    }
    pairs.sort_unstable();
    collision
}

struct FrontWalk<'a, F> {
    couple: TwoBodies<'a>,
    front: &'a mut Front,
    stats: &'a mut QueryStats,
    found: F,
}

impl<F: FnMut([u32; 2]) -> Search> Kernel for FrontWalk<'_, F> {
    /// Whether pairs were opened or closed.
    type Output = bool;

    #[inline(always)]
    fn run<E: Eight>(mut self) -> bool {
        let known = self.front.opened.len();
        for place in 0..known {
            self.front.open.push(place as u32);
            while let Some(place) = self.front.open.pop() {
                self.look::<E>(place as usize);
            }
        }
        let mut changed = self.front.opened.len() > known;
        // From below, so that a pair can be closed after all below it were. What was opened now overlaps; the first stays.
        for place in (1..known).rev() {
            let pair = self.front.opened[place];
            let side = usize::from(pair.side);
            if pair.quiet && pair.ended == children_of(side_of(&mut self.couple, side), pair.nodes[side]) {
                self.stats.node_visits += 1;
                let [bound_a, bound_b] = [0, 1].map(|side| self.visited(&pair, side).bound);
                if !bound_a.intersects(&bound_b) {
                    changed = true;
                    self.front.opened[place].closed = true;
                    self.front.opened[pair.above as usize].ended |= 1 << pair.place;
                }
            }
        }
        changed
    }
}

impl<F: FnMut([u32; 2]) -> Search> FrontWalk<'_, F> {
    /// Tests the pairs that ended below an opened one, and opens those that overlap by now.
    #[inline(always)]
    fn look<E: Eight>(&mut self, at: usize) {
        let pair = self.front.opened[at];
        let (side, other_side) = (usize::from(pair.side), usize::from(1 - pair.side));
        let other = self.visited(&pair, other_side);
        let body = side_of(&mut self.couple, side);
        let slot = body.children::<Aabb>(pair.nodes[side] as usize, self.stats);
        let children = &body.bounds::<Aabb>(slot).bounds;
        let overlapping = children.overlapping::<E>(&other.bound) & pair.ended;
        self.stats.node_visits += u64::from(pair.ended.count_ones());
        self.front.opened[at].quiet = overlapping == 0;
        for place in places(overlapping) {
            let own: Visited<Aabb> = visited(side_of(&mut self.couple, side), Place::new(slot, place));
            if own.leaf && other.leaf {
                let (in_a, in_b) = if side == 0 { (&own, &other) } else { (&other, &own) };
                test_leaves::<E, Aabb, _>(&mut self.couple, in_a, in_b, self.stats, &mut self.found);
                continue;
            }
            let own_is_larger = own.bound.size() >= other.bound.size();
            let opened = if other.leaf || (!own.leaf && own_is_larger) { side } else { other_side };
            let (mut nodes, mut parents) = (pair.nodes, pair.parents);
            (nodes[side], parents[side]) = (own.node as u32, pair.nodes[side]);
            let ended = children_of(side_of(&mut self.couple, opened), nodes[opened]);
            self.front.opened[at].ended &= !(1 << place);
            self.front.open.push(self.front.opened.len() as u32);
            self.front.opened.push(Opened {
                nodes,
                parents,
                side: opened as u8,
                above: at as u32,
                place: place as u8,
                ended,
                quiet: false,
                closed: false,
            });
        }
    }

    /// One node of a pair.
    #[inline(always)]
    fn visited(&mut self, pair: &Opened, side: usize) -> Visited<Aabb> {
        let (parent, node) = (pair.parents[side] as usize, pair.nodes[side] as usize);
        let body = side_of(&mut self.couple, side);
        let slot = body.children::<Aabb>(parent, self.stats);
        let place = node - body.bounds::<Aabb>(slot).first as usize;
        visited(body, Place::new(slot, place))
    }
}

#[inline(always)]
fn side_of<'b>(couple: &'b mut TwoBodies, side: usize) -> &'b mut Body {
    if side == 0 { couple.a } else { couple.b }
}

/// Bit `i` is set where a node has a child `i`.
#[inline(always)]
fn children_of(body: &Body, node: u32) -> u8 {
    ((1u32 << body.tree().children(node as usize).len()) - 1) as u8
}
