//! How far two bodies are apart, and which triangles are within a distance of each other.
//!
//! Must hold: distances, points and triangles are those that brute force finds, bit by bit.

use std::cmp::Ordering;

use super::near::{NearVisitor, walk_near};
use super::walk::Search;
use crate::answer::{Answer, QueryStats};
use crate::math::Distance;
use crate::narrow::{ClosestPoints, NearPair};
use crate::refit::Body;

/// The closest points of two bodies, if they are at most `max` apart; of pairs at the same distance the one with the smallest
/// triangle numbers.
///
/// The distance is that of the surfaces: a body inside another is some distance away from it. Distances are computed and compared in
/// f64 and rounded once; a distance equal to `max` counts.
///
/// Costs a walk to the nearest triangles: the smaller `max`, the less there is to do. Where bodies touch the distance is 0, and finding the first of
/// all touching pairs costs a few times as much as [`collide`](crate::collide); to know only whether they touch, ask
/// [`collide_any`](crate::collide_any).
///
/// ```
/// # use std::sync::Arc;
/// # use glam::Vec3;
/// # use supple::{Body, BuildOptions, Distance, Isometry, Mesh, Model, Shape, Skinning};
/// # let mesh = Mesh::new(vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![[0, 1, 2]])?;
/// # let shape = Arc::new(Shape::build(Model::rigid(mesh), &BuildOptions::default())?);
/// let mut a = Body::new(&shape, Skinning::Linear)?;
/// let mut b = Body::new(&shape, Skinning::Linear)?;
/// b.set_placement(Isometry::from_translation(Vec3::X * 3.0))?;
/// let closest = supple::closest_points(&mut a, &mut b, Distance::UNLIMITED).found.expect("bodies have triangles");
/// assert_eq!((closest.distance, closest.triangles), (2.0, [0, 0]));
/// assert_eq!(closest.points, [Vec3::X, Vec3::X * 3.0]);
/// assert_eq!(supple::closest_points(&mut a, &mut b, Distance::new(1.5)?).found, None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn closest_points(a: &mut Body, b: &mut Body, max: Distance) -> Answer<Option<NearPair>> {
    let mut stats = QueryStats::default();
    let mut closest = Closest { limit_sq: max.squared(), best: None };
    walk_near(a, b, &mut stats, &mut closest);
    let found = closest.best.map(|(triangles, closest)| NearPair::new(triangles, &closest));
    Answer { found, stats }
}

/// All pairs of triangles at most `max` apart, by ascending triangles, with their distances and closest points: the contacts that a
/// physics engine wants to know before they happen. With a distance of 0 they are the pairs of [`collide`](crate::collide).
///
/// Costs what lies within the distance: keep it small. For the nearest pair alone use [`closest_points`].
///
/// ```
/// # use std::sync::Arc;
/// # use glam::Vec3;
/// # use supple::{Body, BuildOptions, Distance, Isometry, Mesh, Model, Shape, Skinning};
/// # let mesh = Mesh::new(vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![[0, 1, 2]])?;
/// # let shape = Arc::new(Shape::build(Model::rigid(mesh), &BuildOptions::default())?);
/// let mut a = Body::new(&shape, Skinning::Linear)?;
/// let mut b = Body::new(&shape, Skinning::Linear)?;
/// b.set_placement(Isometry::from_translation(Vec3::Z * 0.25))?;
/// assert_eq!(supple::pairs_within(&mut a, &mut b, Distance::new(0.25)?).found[0].distance, 0.25);
/// assert!(supple::pairs_within(&mut a, &mut b, Distance::new(0.2)?).found.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn pairs_within(a: &mut Body, b: &mut Body, max: Distance) -> Answer<Vec<NearPair>> {
    let mut stats = QueryStats::default();
    let mut within = Within { limit_sq: max.squared(), pairs: Vec::new() };
    walk_near(a, b, &mut stats, &mut within);
    within.pairs.sort_unstable_by_key(|pair| pair.triangles);
    Answer { found: within.pairs, stats }
}

struct Closest {
    limit_sq: f64,
    best: Option<([u32; 2], ClosestPoints)>,
}

impl NearVisitor for Closest {
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

impl NearVisitor for Within {
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
