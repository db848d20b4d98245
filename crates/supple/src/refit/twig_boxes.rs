//! Boxes of twigs and what is in them, from posed vertices.
//!
//! A box is two corners in registers; four boxes grow side by side, as each waits for its last step to be done.

use std::ops::Range;

use glam::Vec4;

use super::children::EightBoxes;
use super::posed_twigs::Point;
use crate::simd::Eight;
use crate::tree::{Tree, WIDTH};

/// The smallest and the largest coordinates; the fourth numbers have no meaning.
pub(super) type Corners = [Vec4; 2];

/// The box of a twig or of a node below it.
#[inline(always)]
pub(super) fn in_twig(tree: &Tree, node: usize, points: &[Point]) -> Corners {
    let found = &tree.nodes[node];
    if found.is_leaf() {
        around(points, &tree.leaf_places[found.listed()])
    } else if !found.slots().is_empty() {
        around(points, &tree.slots.places[found.slots()])
    } else {
        around(points, tree.corners[tree.triangles_below(node)].as_flattened())
    }
}

/// Boxes of nodes below a twig, side by side.
#[inline(always)]
pub(super) fn all_in_twig<E: Eight>(
    tree: &Tree,
    nodes: Range<usize>,
    points: &[Point],
    boxes: &mut EightBoxes,
) {
    let (mut min, mut max) = ([Vec4::INFINITY; WIDTH], [Vec4::NEG_INFINITY; WIDTH]);
    for (lane, node) in nodes.enumerate() {
        [min[lane % WIDTH], max[lane % WIDTH]] = in_twig(tree, node, points);
    }
    boxes.take_corners::<E>(&min, &max);
}

/// The box around the points at some places, of which there is at least one.
#[inline(always)]
fn around(points: &[Point], places: &[u32]) -> Corners {
    let (fours, rest) = places.as_chunks::<4>();
    let (first, others) = match fours {
        [first, others @ ..] => (*first, others),
        [] => ([rest[0]; 4], fours),
    };
    let mut grown = Grown::of(first.map(|place| points[place as usize]));
    for four in others {
        for i in 0..4 {
            grown.add(i, points[four[i] as usize]);
        }
    }
    for (i, &place) in rest.iter().enumerate() {
        grown.add(i, points[place as usize]);
    }
    grown.united()
}

struct Grown {
    min: [Vec4; 4],
    max: [Vec4; 4],
}

impl Grown {
    #[inline(always)]
    fn of(points: [Point; 4]) -> Self {
        let points = points.map(Vec4::from_array);
        Self { min: points, max: points }
    }

    #[inline(always)]
    fn add(&mut self, i: usize, point: Point) {
        let point = Vec4::from_array(point);
        self.min[i] = self.min[i].min(point);
        self.max[i] = self.max[i].max(point);
    }

    #[inline(always)]
    fn united(self) -> Corners {
        let ([a, b, c, d], [p, q, r, s]) = (self.min, self.max);
        [a.min(b).min(c.min(d)), p.max(q).max(r.max(s))]
    }
}
