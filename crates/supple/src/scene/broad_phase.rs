//! Which bodies are near each other: sort and sweep over the bounds of their roots.
//!
//! Bounds are sorted by their lower end along one axis, the one along which the scene is longest; a sweep then compares each
//! with those that start before it ends. The order is kept from frame to frame, so there is little left to sort.
//!
//! Based on: J. D. Cohen, M. C. Lin, D. Manocha, M. K. Ponamgi, I-COLLIDE, 1995.

use super::bodies::{BodyId, Groups};
use crate::math::Aabb;
use crate::refit::Body;

/// The order of the last frame.
#[derive(Clone, Debug, Default)]
pub(super) struct BroadPhase {
    /// Indices of bodies, by the lower ends of their bounds.
    order: Vec<u32>,
    /// By index.
    bounds: Vec<Option<Bounded>>,
}

#[derive(Clone, Copy, Debug)]
struct Bounded {
    id: BodyId,
    groups: Groups,
    bound: Aabb,
}

impl BroadPhase {
    /// Pairs of bodies that meet and whose bounds overlap, ascending.
    pub fn pairs(
        &mut self,
        members: Vec<(BodyId, Groups, &mut Body)>,
        meet: impl Fn(BodyId, BodyId) -> bool,
    ) -> Vec<[BodyId; 2]> {
        self.take_bounds(members);
        let axis = self.sort();
        let mut pairs = Vec::new();
        // The bounds side by side: the sweep reads them in order.
        let sorted: Vec<Bounded> =
            self.order.iter().filter_map(|&index| self.bounds[index as usize]).collect();
        for (number, own) in sorted.iter().enumerate() {
            let end = own.bound.max[axis];
            let near = sorted[number + 1..].iter().take_while(|other| other.bound.min[axis] <= end);
            for other in near.filter(|other| own.bound.intersects(&other.bound)) {
                let [a, b] = if own.id < other.id { [own.id, other.id] } else { [other.id, own.id] };
                if own.groups.meet(&other.groups) && meet(a, b) {
                    pairs.push([a, b]);
                }
            }
        }
        pairs.sort_unstable();
        pairs
    }

    /// Computes the bounds that are not known yet.
    fn take_bounds(&mut self, members: Vec<(BodyId, Groups, &mut Body)>) {
        let bounded =
            |(id, groups, body): (BodyId, Groups, &mut Body)| Bounded { id, groups, bound: body.bound() };
        #[cfg(feature = "rayon")]
        let found: Vec<Bounded> = {
            use rayon::prelude::*;
            members.into_par_iter().map(bounded).collect()
        };
        #[cfg(not(feature = "rayon"))]
        let found: Vec<Bounded> = members.into_iter().map(bounded).collect();
        // Indices stay where they are in the order; those that are new come at its end.
        let known = self.bounds.len();
        self.bounds.fill(None);
        for own in found {
            let index = own.id.index as usize;
            self.bounds.resize(self.bounds.len().max(index + 1), None);
            self.bounds[index] = Some(own);
        }
        self.order.extend(known as u32..self.bounds.len() as u32);
    }

    /// Sorts along the longest axis of the scene, and returns it.
    fn sort(&mut self) -> usize {
        let all = self.bounds.iter().flatten().fold(Aabb::EMPTY, |all, own| all.union(&own.bound));
        let extent = all.half_extents();
        let axis = if extent.max_element() == extent.x {
            0
        } else if extent.max_element() == extent.z {
            2
        } else {
            1
        };
        let Self { order, bounds } = self;
        // Stable, and fast on what is nearly sorted. Empty entries gather at the front.
        let start = |index: u32| bounds[index as usize].map_or(f32::NEG_INFINITY, |own| own.bound.min[axis]);
        order.sort_by(|&a, &b| start(a).total_cmp(&start(b)));
        axis
    }

    /// Bytes of memory held.
    pub fn bytes(&self) -> usize {
        self.order.capacity() * size_of::<u32>() + self.bounds.capacity() * size_of::<Option<Bounded>>()
    }
}
