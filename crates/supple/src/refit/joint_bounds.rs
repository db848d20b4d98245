//! Bodies that joints move: bounds from joint matrices, coefficients and weights alone; twigs are posed.
//!
//! Must hold: a bound contains every vertex below its node, as computed in f32 by the one vertex function. The tree is the shape's.

use std::ops::Range;

use super::Body;
use super::children::{Children, EightVolumes};
use super::posed_twigs::Point;
use super::volume::{BoundInputs, Volume};
use crate::answer::QueryStats;
use crate::math::Sphere;
use crate::simd::{self, Eight, Kernel, TwoFours, lanes};
use crate::skin::{PosedBends, Skinning};
use crate::tree::{Groups, Node, Tree};

impl Body {
    /// Where the bounds of a node's children are, which are not there yet.
    pub(super) fn bound_by_joints<V: Volume>(&mut self, node: usize, stats: &mut QueryStats) -> usize {
        let children = self.tree().children(node);
        let mut bounds = Children::<V>::of(&self.tree, node);
        stats.refits += u64::from(bounds.count);
        if let Some(twig) = self.tree.nodes.get(node).and_then(Node::twig) {
            self.pose_twig(twig, stats);
            let (tree, points) = (&self.tree, self.cache.twigs.points());
            simd::run(TwigBounds::<V> { tree, children, points, bounds: &mut bounds.bounds });
            return self.keep(node, bounds);
        }
        let mut coarse = 0;
        for (lane, child) in children.clone().enumerate() {
            match self.tree.nodes[child].twig() {
                Some(twig) => {
                    self.pose_twig(twig, stats);
                    let bound = V::in_twig(&self.tree, child, self.cache.twigs.points());
                    bounds.bounds.set(lane, &bound);
                }
                None => coarse |= 1 << lane,
            }
        }
        if coarse != 0 {
            let (inputs, tree, first_child) = (self.inputs(), self.shape.tree(), children.start);
            let bounds_of = &mut bounds.bounds;
            let bends = (self.skinning() != Skinning::Linear).then(|| self.bends());
            let chosen = coarse;
            let linear =
                simd::run(LinearBounds::<V> { inputs, bends, tree, first_child, chosen, bounds: bounds_of });
            self.cache.spent += linear.images * SLOTS_PER_IMAGE;
            bounds.loose = linear.loose;
            if linear.missing != 0 {
                self.bound_by_groups::<V>(first_child, linear.missing, &mut bounds.bounds);
            }
        }
        self.keep(node, bounds)
    }

    /// Stores the bounds of a node's children.
    fn keep<V: Volume>(&mut self, node: usize, bounds: Children<V>) -> usize {
        let stored = V::stored(&mut self.cache);
        stored.make_room(self.shape.tree().nodes.len() + 1);
        let entry = stored.insert(node, Children::nowhere);
        *stored.get_mut(entry) = bounds;
        entry
    }

    /// Makes loose bounds of some children tight, which matter to somebody.
    ///
    /// A node of many groups stays loose: to look at its children, loosely, costs less.
    #[inline(never)]
    pub(super) fn tighten_some<V: Volume>(&mut self, entry: usize, chosen: u8, stats: &mut QueryStats) {
        let (first, tree) = (self.bounds::<V>(entry).first as usize, self.shape.tree());
        let few = |&lane: &usize| tree.groups.of(tree.number_above_twigs(first + lane)).len() <= MOST_GROUPS;
        let chosen = match self.cache.whole {
            true => chosen,
            false => lanes(chosen).filter(few).fold(0, |chosen, lane| chosen | 1 << lane),
        };
        if chosen != 0 {
            self.tighten::<V>(entry, chosen, stats);
        }
    }

    /// Makes loose bounds of some children tight.
    #[inline(never)]
    pub(super) fn tighten<V: Volume>(&mut self, entry: usize, chosen: u8, stats: &mut QueryStats) {
        self.pose_everything_if_cheaper::<V>(stats);
        let complete = V::IS_BOX && self.cache.whole;
        let stored = V::stored(&mut self.cache);
        let mut bounds = std::mem::replace(stored.get_mut(entry), Children::nowhere());
        let first_child = bounds.first as usize;
        if complete {
            for lane in lanes(chosen) {
                let known = V::stored_ref(&self.cache).find(first_child + lane);
                let known = known.expect("everything was bounded");
                bounds.bounds.set(lane, &V::around_children(V::stored_ref(&self.cache).get(known)));
            }
        } else {
            self.bound_by_groups::<V>(first_child, chosen, &mut bounds.bounds);
        }
        bounds.loose &= !chosen;
        stats.refits += u64::from(chosen.count_ones());
        *V::stored(&mut self.cache).get_mut(entry) = bounds;
    }

    /// Bounds some children by groups.
    fn bound_by_groups<V: Volume>(&mut self, first_child: usize, chosen: u8, bounds: &mut V::Eight) {
        let tree = self.shape.tree();
        for node in lanes(chosen).map(|lane| tree.number_above_twigs(first_child + lane)) {
            for group in tree.groups.of(node) {
                self.palette.prepare_set(self.shape.model().skin(), group.set as usize);
            }
            self.cache.spent += tree.groups.of(node).len() * SLOTS_PER_GROUP;
        }
        simd::run(GroupBounds::<V> { inputs: self.inputs(), tree, first_child, chosen, bounds });
    }

    /// Poses the whole body where bounds and twigs have cost [twice as much](PATIENCE) in this pose as that would.
    ///
    /// So bounds cost at most three times what the better choice does, whichever that is. The rule depends on what was asked of this pose alone.
    pub(super) fn pose_everything_if_cheaper<V: Volume>(&mut self, stats: &mut QueryStats) {
        let paid = self.cache.spent + self.cache.twigs.count();
        if V::IS_BOX && paid > PATIENCE * self.tree.vertices.len() {
            self.pose_everything(stats);
        }
    }

    /// A sphere around triangles that have groups of their own, for this model. Vertices that were given do not follow joints.
    pub(super) fn sphere_of_groups(&mut self, groups: &Groups, node: usize) -> Sphere {
        for group in groups.of(node) {
            self.palette.prepare_set(self.shape.model().skin(), group.set as usize);
        }
        Sphere::of_groups::<TwoFours>(BoundInputs { groups, ..self.inputs() }, node)
    }

    fn inputs(&self) -> BoundInputs<'_> {
        let tree = self.shape.tree();
        BoundInputs {
            groups: &tree.groups,
            most_joints: tree.most_joints,
            most_changes: tree.most_changes,
            skin: self.shape.model().skin(),
            palette: &self.palette,
            coefficients: &self.coefficients,
        }
    }
}

/// Bounds children of a node that is in a twig, whose points are given.
struct TwigBounds<'a, V: Volume> {
    tree: &'a Tree,
    children: Range<usize>,
    points: &'a [Point],
    bounds: &'a mut V::Eight,
}

impl<V: Volume> Kernel for TwigBounds<'_, V> {
    type Output = ();

    #[inline(always)]
    fn run<E: Eight>(self) {
        V::all_in_twig::<E>(self.tree, self.children, self.points, self.bounds);
    }
}

/// Loose bounds of nodes with more groups than this are not made tight. With 1000 instead, two creatures of 54,000 triangles with dual
/// quaternions took 128 microseconds for a first contact and 52 apart; with 8 it was 16 and 6, with 0 it was 24 and 7.
const MOST_GROUPS: usize = 8;
/// The whole body is posed when what was bounded and posed before has cost so many times that. To pose everything after having paid for it
/// once took 119 microseconds in deep contacts of CesiumMan (4,700 triangles), at once or never 104; 138 and 132 with the creature (13,600).
const PATIENCE: usize = 2;
/// What an image of a box under a joint costs, in posed vertices.
const SLOTS_PER_IMAGE: usize = 2;
/// What a group of blended rotations costs, in posed vertices.
const SLOTS_PER_GROUP: usize = 60;

/// Bounds some children of a node by linear groups.
struct LinearBounds<'a, V: Volume> {
    inputs: BoundInputs<'a>,
    /// Where rotations are blended.
    bends: Option<&'a PosedBends>,
    tree: &'a Tree,
    first_child: usize,
    chosen: u8,
    bounds: &'a mut V::Eight,
}

/// What became of it.
struct LinearlyBounded {
    /// Children whose bounds are loose.
    loose: u8,
    /// Children without bounds.
    missing: u8,
    /// Images of boxes that were computed.
    images: usize,
}

impl<V: Volume> Kernel for LinearBounds<'_, V> {
    type Output = LinearlyBounded;

    #[inline(always)]
    fn run<E: Eight>(self) -> LinearlyBounded {
        let mut bounded = LinearlyBounded { loose: 0, missing: 0, images: 0 };
        for lane in lanes(self.chosen) {
            let node = self.tree.number_above_twigs(self.first_child + lane);
            let bend = self.bends.map_or(0.0, |bends| bends.largest(self.tree.bends_of(node)));
            match V::of_linear_groups::<E>(self.inputs, node, bend) {
                Some((bound, tight)) => {
                    self.bounds.set(lane, &bound);
                    bounded.loose |= u8::from(!tight) << lane;
                    bounded.images += self.inputs.groups.linear_joints_of(node).len();
                }
                None => bounded.missing |= 1 << lane,
            }
        }
        bounded
    }
}

/// Bounds some children of a node by groups, whose joint-sets are prepared.
struct GroupBounds<'a, V: Volume> {
    inputs: BoundInputs<'a>,
    tree: &'a Tree,
    first_child: usize,
    chosen: u8,
    bounds: &'a mut V::Eight,
}

impl<V: Volume> Kernel for GroupBounds<'_, V> {
    type Output = ();

    #[inline(always)]
    fn run<E: Eight>(self) {
        for lane in lanes(self.chosen) {
            let node = self.tree.number_above_twigs(self.first_child + lane);
            self.bounds.set(lane, &V::of_groups::<E>(self.inputs, node));
        }
    }
}
