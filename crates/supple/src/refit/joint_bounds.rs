//! Bodies that joints move: bounds from joint matrices, coefficients and weights alone; leaves are posed.
//!
//! Must hold: a bound contains every vertex below its node, as computed in f32 by the one vertex function. The tree is the shape's.

use super::Body;
use super::children::{Children, EightVolumes};
use super::volume::{BoundInputs, Volume};
use crate::answer::QueryStats;
use crate::math::Sphere;
use crate::simd::{self, Eight, Kernel, TwoFours, lanes};
use crate::tree::Tree;

impl Body {
    /// Where the bounds of a node's children are, which are not there yet.
    pub(super) fn bound_by_joints<V: Volume>(&mut self, node: usize, stats: &mut QueryStats) -> usize {
        let children = self.tree().children(node);
        let (first, count) = (children.start as u32, children.len() as u8);
        let mut bounds = Children::<V> { first, count, ..Children::nowhere() };
        let mut coarse = 0;
        for (lane, child) in children.clone().enumerate() {
            let found = self.shape.tree().nodes[child];
            bounds.leaves |= u8::from(found.is_leaf()) << lane;
            if found.is_leaf() {
                let leaf = self.leaf(child, stats);
                bounds.bounds.set(lane, &V::of_leaf(self.posed_leaf(leaf), found.range().len()));
                continue;
            }
            coarse |= 1 << lane;
        }
        let (inputs, first_child) = (self.inputs(), children.start);
        let bounds_of = &mut bounds.bounds;
        let loose = simd::run(Refit::<V, true> { inputs, first_child, chosen: coarse, bounds: bounds_of });
        if loose != 0 {
            let tree = self.shape.tree();
            for node in lanes(loose).map(|lane| &tree.nodes[first_child + lane]) {
                for group in &tree.groups[node.groups()] {
                    self.palette.prepare_set(self.shape.model().skin(), group.set as usize);
                }
            }
            let (inputs, bounds_of) = (self.inputs(), &mut bounds.bounds);
            simd::run(Refit::<V, false> { inputs, first_child, chosen: loose, bounds: bounds_of });
        }
        stats.refits += u64::from(count);
        let stored = V::stored(&mut self.cache);
        stored.make_room(self.shape.tree().nodes.len() + 1);
        let entry = stored.insert(node, Children::nowhere);
        *stored.get_mut(entry) = bounds;
        entry
    }

    /// A sphere around triangles that have groups of their own: those of a node of some tree for this model. Vertices that were given
    /// do not follow joints.
    pub(super) fn sphere_of_groups(&mut self, tree: &Tree, node: usize) -> Sphere {
        let node = &tree.nodes[node];
        for group in &tree.groups[node.groups()] {
            self.palette.prepare_set(self.shape.model().skin(), group.set as usize);
        }
        Sphere::of_groups::<TwoFours>(BoundInputs { tree, ..self.inputs() }, node)
    }

    fn inputs(&self) -> BoundInputs<'_> {
        let (shape, palette, bends, coefficients) =
            (&self.shape, &self.palette, self.bends(), &self.coefficients);
        BoundInputs { tree: shape.tree(), skin: shape.model().skin(), palette, bends, coefficients }
    }
}

/// Bounds some children of a node, by linear groups or by groups; returns those for which the former is too loose.
struct Refit<'a, V: Volume, const LINEARLY: bool> {
    inputs: BoundInputs<'a>,
    first_child: usize,
    chosen: u8,
    bounds: &'a mut V::Eight,
}

impl<V: Volume, const LINEARLY: bool> Kernel for Refit<'_, V, LINEARLY> {
    type Output = u8;

    #[inline(always)]
    fn run<E: Eight>(self) -> u8 {
        let mut loose = 0;
        for lane in lanes(self.chosen) {
            let node = &self.inputs.tree.nodes[self.first_child + lane];
            let bound = match LINEARLY {
                true => V::of_linear_groups::<E>(self.inputs, node),
                false => Some(V::of_groups::<E>(self.inputs, node)),
            };
            match bound {
                Some(bound) => self.bounds.set(lane, &bound),
                None => loose |= 1 << lane,
            }
        }
        loose
    }
}
