//! How far two bodies are apart, and which triangles are within a distance of each other.
//!
//! Must hold: distances, points and triangles are those that brute force finds, bit by bit.

use std::cmp::Ordering;

use glam::DVec3;

use super::QueryStats;
use super::near::{Question, walk_near};
use super::walk::Search;
use crate::narrow::ClosestPoints;
use crate::refit::Body;

/// Two triangles near each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NearPair {
    /// Triangle of the first body, triangle of the second.
    pub triangles: [u32; 2],
    /// Their distance; 0 exactly when they touch.
    pub distance: f64,
    /// Their closest points, in the world.
    pub points: [DVec3; 2],
}

impl NearPair {
    fn new(triangles: [u32; 2], closest: &ClosestPoints) -> Self {
        Self { triangles, distance: closest.distance(), points: closest.points }
    }
}

/// The smallest distance of two bodies, and what it took to find it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Distance {
    /// The closest triangles; of pairs at the same distance the one with the smallest numbers. `None` where all pairs are
    /// beyond the limit.
    pub closest: Option<NearPair>,
    /// Counters.
    pub stats: QueryStats,
}

/// All pairs of triangles within a distance, and what it took to find them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NearPairs {
    /// By ascending triangles, each pair once.
    pub pairs: Vec<NearPair>,
    /// Counters.
    pub stats: QueryStats,
}

/// Finds the closest points of two bodies.
///
/// The distance is that of the surfaces: a body inside another is some distance away from it. Where bodies touch it is 0,
/// and finding the first of all touching pairs costs a few times as much as [`collide`](super::collide); to know only whether
/// they touch, ask for the [`first_contact`](super::first_contact).
///
/// ```
/// # use std::sync::Arc;
/// # use glam::{DVec3, Vec3};
/// # use supple::{Body, BuildOptions, Shape, Skinning, math::Isometry, mesh::Mesh, model::Model};
/// # let mesh = Mesh::new(vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![[0, 1, 2]])?;
/// # let shape = Arc::new(Shape::build(Model::rigid(mesh), &BuildOptions::default())?);
/// let mut a = Body::new(&shape, Skinning::Linear)?;
/// let mut b = Body::new(&shape, Skinning::Linear)?;
/// b.place(Isometry::from_translation(Vec3::X * 3.0))?;
/// let closest = supple::distance(&mut a, &mut b).closest.expect("bodies have triangles");
/// assert_eq!((closest.distance, closest.triangles), (2.0, [0, 0]));
/// assert_eq!(closest.points, [DVec3::X, DVec3::X * 3.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn distance(a: &mut Body, b: &mut Body) -> Distance {
    distance_within(a, b, f32::INFINITY)
}

/// Like [`distance`], but looks no farther than `limit`: the smaller it is, the less there is to do. Distances equal to the
/// limit count. None is found for a limit that is negative or NaN.
pub fn distance_within(a: &mut Body, b: &mut Body, limit: f32) -> Distance {
    let mut stats = QueryStats::default();
    let mut closest = Closest { limit_sq: squared(limit), best: None };
    walk_near(a, b, &mut stats, &mut closest);
    let closest = closest.best.map(|(triangles, closest)| NearPair::new(triangles, &closest));
    Distance { closest, stats }
}

/// Finds all pairs of triangles at most `tolerance` apart, with their distances and closest points: the contacts that a
/// physics engine wants to know before they happen. With 0 they are the pairs of [`collide`](super::collide); with a
/// negative tolerance or NaN there are none.
///
/// ```
/// # use std::sync::Arc;
/// # use glam::Vec3;
/// # use supple::{Body, BuildOptions, Shape, Skinning, math::Isometry, mesh::Mesh, model::Model};
/// # let mesh = Mesh::new(vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![[0, 1, 2]])?;
/// # let shape = Arc::new(Shape::build(Model::rigid(mesh), &BuildOptions::default())?);
/// let mut a = Body::new(&shape, Skinning::Linear)?;
/// let mut b = Body::new(&shape, Skinning::Linear)?;
/// b.place(Isometry::from_translation(Vec3::Z * 0.25))?;
/// assert_eq!(supple::pairs_within(&mut a, &mut b, 0.25).pairs[0].distance, 0.25);
/// assert!(supple::pairs_within(&mut a, &mut b, 0.2).pairs.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn pairs_within(a: &mut Body, b: &mut Body, tolerance: f32) -> NearPairs {
    let mut stats = QueryStats::default();
    let mut within = Within { limit_sq: squared(tolerance), pairs: Vec::new() };
    walk_near(a, b, &mut stats, &mut within);
    within.pairs.sort_unstable_by_key(|pair| pair.triangles);
    NearPairs { pairs: within.pairs, stats }
}

/// The square of a limit, exact; negative where nothing is within it.
pub(super) fn squared(limit: f32) -> f64 {
    if limit >= 0.0 { f64::from(limit) * f64::from(limit) } else { -1.0 }
}

struct Closest {
    limit_sq: f64,
    best: Option<([u32; 2], ClosestPoints)>,
}

impl Question for Closest {
    #[inline(always)]
    fn limit_sq(&mut self, _: [usize; 2]) -> f64 {
        self.limit_sq
    }

    #[inline(always)]
    fn found(&mut self, _: [usize; 2], pair: [u32; 2], closest: &ClosestPoints) -> Search {
        let first = match closest.distance_sq.total_cmp(&self.limit_sq) {
            Ordering::Less => true,
            Ordering::Equal => self.best.is_none_or(|(triangles, _)| pair < triangles),
            Ordering::Greater => false,
        };
        if first {
            self.limit_sq = closest.distance_sq;
            self.best = Some((pair, *closest));
        }
        Search::GoOn
    }
}

struct Within {
    limit_sq: f64,
    pairs: Vec<NearPair>,
}

impl Question for Within {
    #[inline(always)]
    fn limit_sq(&mut self, _: [usize; 2]) -> f64 {
        self.limit_sq
    }

    #[inline(always)]
    fn found(&mut self, _: [usize; 2], pair: [u32; 2], closest: &ClosestPoints) -> Search {
        if closest.distance_sq <= self.limit_sq {
            self.pairs.push(NearPair::new(pair, closest));
        }
        Search::GoOn
    }
}
