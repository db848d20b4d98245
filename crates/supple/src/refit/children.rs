//! Bounds of the children of a node, side by side, so that all are tested at once.

use glam::{Vec3, Vec4};

use super::volume::Volume;
use crate::math::Aabb;
use crate::simd::Eight;
use crate::tree::{Node, Tree, WIDTH};

/// Bounds of up to eight children.
#[derive(Clone, Debug)]
pub(crate) struct Children<V: Volume> {
    /// The first child; the others follow it.
    pub first: u32,
    pub count: u8,
    /// Bit `i` is set where child `i` is a leaf.
    pub leaves: u8,
    /// Bit `i` is set where the bound of child `i` is one that was cheap and can be made tighter.
    pub loose: u8,
    pub bounds: V::Eight,
}

impl<V: Volume> Children<V> {
    /// Bit `i` is set where there is a child `i`.
    #[inline(always)]
    pub fn present(&self) -> u8 {
        ((1u32 << self.count) - 1) as u8
    }

    /// The children of a node, without bounds.
    #[inline(always)]
    pub fn of(tree: &Tree, parent: usize) -> Self {
        let mut children = Self::nowhere();
        children.take(tree, parent);
        children
    }

    /// Says which nodes they are: the children of a node. Their bounds stay as they are.
    #[inline(always)]
    pub fn take(&mut self, tree: &Tree, parent: usize) {
        let children = tree.children(parent);
        (self.first, self.count, self.loose) = (children.start as u32, children.len() as u8, 0);
        // Above the root there is only the root.
        self.leaves = tree.nodes.get(parent).map_or(u8::from(tree.nodes[0].is_leaf()), Node::leaves);
    }

    /// No children.
    #[inline(always)]
    pub fn nowhere() -> Self {
        Self { first: 0, count: 0, leaves: 0, loose: 0, bounds: V::Eight::NOWHERE }
    }
}

/// Eight volumes of one kind.
pub(crate) trait EightVolumes<V>: Clone + std::fmt::Debug {
    /// Eight volumes that overlap nothing.
    const NOWHERE: Self;
    fn set(&mut self, lane: usize, volume: &V);
    fn get(&self, lane: usize) -> V;
    /// Bit `i` is set where volume `i` overlaps the other one.
    fn overlapping<E: Eight>(&self, other: &V) -> u8;
    /// How deep each volume and the other are in each other, where they overlap.
    fn depths<E: Eight>(&self, other: &V) -> [f32; WIDTH];
}

/// Corner by corner, axis by axis.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EightBoxes {
    pub min: [[f32; WIDTH]; 3],
    pub max: [[f32; WIDTH]; 3],
}

impl EightVolumes<Aabb> for EightBoxes {
    const NOWHERE: Self = Self { min: [[f32::INFINITY; WIDTH]; 3], max: [[f32::NEG_INFINITY; WIDTH]; 3] };

    #[inline(always)]
    fn set(&mut self, lane: usize, volume: &Aabb) {
        for axis in 0..3 {
            self.min[axis][lane] = volume.min[axis];
            self.max[axis][lane] = volume.max[axis];
        }
    }

    #[inline(always)]
    fn get(&self, lane: usize) -> Aabb {
        let corner = |rows: &[[f32; WIDTH]; 3]| Vec3::new(rows[0][lane], rows[1][lane], rows[2][lane]);
        Aabb { min: corner(&self.min), max: corner(&self.max) }
    }

    #[inline(always)]
    fn overlapping<E: Eight>(&self, other: &Aabb) -> u8 {
        let (x, y, z) = (self.along::<E>(0, other), self.along::<E>(1, other), self.along::<E>(2, other));
        E::bits(E::both(E::both(x, y), z))
    }

    #[inline(always)]
    fn depths<E: Eight>(&self, other: &Aabb) -> [f32; WIDTH] {
        let mut sum = E::all(0.0);
        for axis in 0..3 {
            let end = E::load(&self.max[axis]).least(E::all(other.max[axis]));
            let start = E::load(&self.min[axis]).greatest(E::all(other.min[axis]));
            sum = sum.plus(end.minus(start));
        }
        let mut depths = [0.0; WIDTH];
        sum.store(&mut depths);
        depths
    }
}

impl EightBoxes {
    /// Where boxes overlap another one along an axis.
    #[inline(always)]
    fn along<E: Eight>(&self, axis: usize, other: &Aabb) -> E::Mask {
        E::both(
            E::load(&self.min[axis]).at_most(E::all(other.max[axis])),
            E::all(other.min[axis]).at_most(E::load(&self.max[axis])),
        )
    }

    /// Takes the corners of eight boxes.
    #[inline(always)]
    pub fn take_corners<E: Eight>(&mut self, min: &[Vec4; WIDTH], max: &[Vec4; WIDTH]) {
        let (min, max): ([E; 3], [E; 3]) = (E::coordinates(min), E::coordinates(max));
        for axis in 0..3 {
            min[axis].store(&mut self.min[axis]);
            max[axis].store(&mut self.max[axis]);
        }
    }

    /// A box around all eight; what is not there is infinitely empty.
    #[inline(always)]
    pub fn around(&self) -> Aabb {
        let halves = |row: &[f32; WIDTH]| [Vec4::from_slice(&row[..4]), Vec4::from_slice(&row[4..])];
        let least = |row: &[f32; WIDTH]| {
            let [low, high] = halves(row);
            low.min(high).min_element()
        };
        let greatest = |row: &[f32; WIDTH]| {
            let [low, high] = halves(row);
            low.max(high).max_element()
        };
        let ([x, y, z], [u, v, w]) = (&self.min, &self.max);
        Aabb {
            min: Vec3::new(least(x), least(y), least(z)),
            max: Vec3::new(greatest(u), greatest(v), greatest(w)),
        }
    }

    /// Lower bounds of the squared distances from each box to another one: at most what [`Aabb::distance_sq`] is.
    ///
    /// With `u = 2^-24` a difference is rounded up by at most a factor `1 + u`, its square by `(1 + u)^3`, the sum by
    /// `(1 + u)^5`: less than `1 + 8 u`, which the factor takes back. Squares below the normal numbers are rounded
    /// absolutely, by less than the smallest of those; what is beyond f32 is at least its largest number.
    #[inline(always)]
    pub fn distances_sq<E: Eight>(&self, other: &Aabb) -> [f32; WIDTH] {
        let mut sum = E::all(0.0);
        for axis in 0..3 {
            let before = E::all(other.min[axis]).minus(E::load(&self.max[axis]));
            let behind = E::load(&self.min[axis]).minus(E::all(other.max[axis]));
            let gap = before.greatest(behind).greatest(E::all(0.0));
            sum = sum.plus(gap.times(gap));
        }
        let mut distances = [0.0; WIDTH];
        let lower = sum.times(E::all(1.0 - 8.0 * f32::EPSILON)).minus(E::all(f32::MIN_POSITIVE));
        lower.greatest(E::all(0.0)).least(E::all(f32::MAX)).store(&mut distances);
        distances
    }
}

#[cfg(test)]
#[path = "../../tests/inside/refit/children.rs"]
mod tests;
