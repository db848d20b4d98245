//! The point of a body that is closest to a point in the world.
//!
//! Must hold: point and triangle are those that brute force finds, bit by bit.

use glam::{DVec3, Vec3};

use super::QueryStats;
use super::distance::squared;
use super::near::rounded_up;
use super::walk::{Place, ascending, visited};
use crate::math::Aabb;
use crate::narrow::{PointOnTriangle, closest_point_of_triangle};
use crate::refit::{Body, PosedLeaf};
use crate::simd::{self, Eight, Kernel, places};

/// The point of a body closest to another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClosestPoint {
    /// The point, in the world.
    pub point: DVec3,
    /// The triangle it lies on; the first of equally close ones.
    pub triangle: u32,
    /// Weights of the triangle's corners: none negative, their sum 1 up to rounding.
    pub barycentrics: [f64; 3],
    /// How far it is away.
    pub distance: f64,
}

impl ClosestPoint {
    fn new(triangle: u32, found: &PointOnTriangle) -> Self {
        let PointOnTriangle { point, barycentrics, distance_sq } = *found;
        Self { point, triangle, barycentrics, distance: distance_sq.sqrt() }
    }
}

/// Finds the point of a body that is closest to `point` in the world, if it is at most `limit` away.
///
/// None is found for a point or a limit that is not a number, a point at infinity, or a negative limit.
///
/// ```
/// # use std::sync::Arc;
/// # use glam::{DVec3, Vec3};
/// # use supple::{Body, BuildOptions, Shape, Skinning, mesh::Mesh, model::Model};
/// # let mesh = Mesh::new(vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![[0, 1, 2]])?;
/// # let shape = Arc::new(Shape::build(Model::rigid(mesh), &BuildOptions::default())?);
/// let mut body = Body::new(&shape, Skinning::Linear)?;
/// let (closest, _) = supple::closest_point(&mut body, Vec3::new(0.25, 0.25, 2.0), f32::INFINITY);
/// let closest = closest.expect("a body has triangles");
/// assert_eq!((closest.point, closest.distance), (DVec3::new(0.25, 0.25, 0.0), 2.0));
/// assert_eq!(supple::closest_point(&mut body, Vec3::Z * 2.0, 1.0).0, None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn closest_point(body: &mut Body, point: Vec3, limit: f32) -> (Option<ClosestPoint>, QueryStats) {
    let mut stats = QueryStats::default();
    if !point.is_finite() {
        return (None, stats);
    }
    let root = body.children::<Aabb>(body.above_root(), &mut stats);
    let mut open = body.take_near_pairs();
    let limit_sq = squared(limit);
    let search = PointWalk { body, stats: &mut stats, point, limit_sq, best: None, open: &mut open, root };
    let found = simd::run(search);
    body.keep_near_pairs(open);
    (found.map(|(triangle, found)| ClosestPoint::new(triangle, &found)), stats)
}

struct PointWalk<'a> {
    body: &'a mut Body,
    stats: &'a mut QueryStats,
    point: Vec3,
    limit_sq: f64,
    best: Option<(u32, PointOnTriangle)>,
    /// Lower bound of the squared distance, place; the third number has no meaning.
    open: &'a mut Vec<(f32, u32, u32)>,
    root: usize,
}

impl Kernel for PointWalk<'_> {
    type Output = Option<(u32, PointOnTriangle)>;

    #[inline(always)]
    fn run<E: Eight>(mut self) -> Self::Output {
        let aabb = Aabb::from_points([self.point]);
        self.stats.node_visits += 1;
        self.open.push((0.0, Place::new(self.root, 0).0, 0));
        while let Some((distance_sq, place, _)) = self.open.pop() {
            if distance_sq > rounded_up(self.limit_sq) {
                continue;
            }
            let visited = visited::<Aabb>(self.body, Place(place));
            if visited.leaf {
                self.leaf::<E>(visited.node, &aabb);
                continue;
            }
            let slot = self.body.children::<Aabb>(visited.node, self.stats);
            let children = self.body.bounds::<Aabb>(slot);
            self.stats.node_visits += u64::from(children.count);
            let distances = children.bounds.distances_sq::<E>(&aabb);
            let mut keys = distances;
            keys.iter_mut().for_each(|key| *key = -*key);
            let (sorted, count) = ascending(children.present(), &keys);
            let limit = rounded_up(self.limit_sq);
            let near = sorted[..count].iter().filter(|&&place| distances[place] <= limit);
            self.open.extend(near.map(|&place| (distances[place], Place::new(slot, place).0, 0)));
        }
        self.best
    }
}

impl PointWalk<'_> {
    #[inline(always)]
    fn leaf<E: Eight>(&mut self, node: usize, aabb: &Aabb) {
        let slot = self.body.leaf(node, self.stats);
        let (leaf, tree) = (self.body.posed_leaf(slot), self.body.tree());
        let distances = leaf.boxes.distances_sq::<E>(aabb);
        for place in places(leaf.present) {
            if distances[place] > rounded_up(self.limit_sq) {
                continue;
            }
            self.stats.triangle_tests += 1;
            let found = measured(self.point, leaf, place);
            let triangle = tree.triangles[tree.nodes[node].range().start + place];
            let equal = found.distance_sq == self.limit_sq;
            let first = equal && self.best.is_none_or(|(other, _)| triangle < other);
            if found.distance_sq < self.limit_sq || first {
                self.limit_sq = found.distance_sq;
                self.best = Some((triangle, found));
            }
        }
    }
}

/// Not inlined: long, and in f64.
#[inline(never)]
fn measured(point: Vec3, leaf: &PosedLeaf, place: usize) -> PointOnTriangle {
    closest_point_of_triangle(point, &leaf.triangle(place))
}
