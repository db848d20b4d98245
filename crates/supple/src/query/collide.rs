//! Which triangles of two bodies touch: all pairs, any one, or as many as a budget allows.
//!
//! Must hold: the pairs found are those that brute force finds, whatever the bounds were.

use super::budget::{Budget, OpenPair, search_within};
use super::couple::TwoBodies;
use super::walk::{DepthFirst, Order, Search, walk, walk_from};
use crate::answer::{Answer, Pair, QueryStats, in_order};
use crate::math::{Aabb, Sphere};
use crate::refit::{Body, Volume, VolumeKind};

/// All pairs of touching triangles of two bodies: triangle of the first, triangle of the second; ascending, each pair once.
/// Exact: touching counts, no tolerance. A body inside another without touching it gives no pairs.
///
/// Costs what is near the contact: some microseconds apart, and a time that grows with the number of pairs in touch. To know only whether
/// bodies touch, [`collide_any`]; for a limited time, [`collide_with`].
///
/// One pair of bodies is asked by one thread; for many of them at once there is [`Scene`](crate::Scene).
///
/// ```
/// # use std::sync::Arc;
/// use glam::Vec3;
/// use supple::{Body, BuildOptions, Isometry, Shape, Skinning};
///
/// let man = Arc::new(Shape::build(supple_zoo::make("man", 0)?, &BuildOptions::default())?);
/// let mut a = Body::new(&man, Skinning::Linear)?;
/// let mut b = Body::new(&man, Skinning::DualQuaternion)?;
/// b.set_placement(Isometry::from_translation(Vec3::X * 0.4))?;
/// let answer = supple::collide(&mut a, &mut b);
/// println!("{} pairs, {} nodes refitted", answer.found.len(), answer.stats.refits);
/// # assert!(!answer.found.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn collide(a: &mut Body, b: &mut Body) -> Answer<Vec<Pair>> {
    let mut found = Vec::new();
    let stats = collide_into(a, b, &mut found);
    Answer { found, stats }
}

/// Like [`collide`], into a vector that is cleared first and keeps its memory from frame to frame: nothing is allocated once
/// bodies and vector have grown.
///
/// ```
/// # use std::sync::Arc;
/// # use supple::{Body, BuildOptions, Shape, Skinning};
/// # let man = Arc::new(Shape::build(supple_zoo::make("man", 0)?, &BuildOptions::default())?);
/// # let mut a = Body::new(&man, Skinning::Linear)?;
/// # let mut b = Body::new(&man, Skinning::Linear)?;
/// let mut pairs = Vec::new();
/// let stats = supple::collide_into(&mut a, &mut b, &mut pairs);
/// assert!(!pairs.is_empty() && stats.triangle_tests > 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn collide_into(a: &mut Body, b: &mut Body, pairs: &mut Vec<Pair>) -> QueryStats {
    search_all::<Aabb>(a, b, pairs)
}

/// Some pair of touching triangles, or none if the bodies do not touch. The same pair for the same input.
///
/// Costs less than [`collide`], the less the deeper the bodies are in each other; as much where they do not touch.
///
/// ```
/// # use std::sync::Arc;
/// # use glam::Vec3;
/// # use supple::{Body, BuildOptions, Isometry, Mesh, Model, Shape, Skinning};
/// # let mesh = Mesh::new(vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![[0, 1, 2]])?;
/// # let shape = Arc::new(Shape::build(Model::rigid(mesh), &BuildOptions::default())?);
/// let mut a = Body::new(&shape, Skinning::Linear)?;
/// let mut b = Body::new(&shape, Skinning::Linear)?;
/// assert_eq!(supple::collide_any(&mut a, &mut b).found, Some([0, 0]));
/// b.set_placement(Isometry::from_translation(Vec3::Z))?;
/// assert_eq!(supple::collide_any(&mut a, &mut b).found, None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn collide_any(a: &mut Body, b: &mut Body) -> Answer<Option<Pair>> {
    let mut stats = QueryStats::default();
    let mut found = None;
    walk::<Aabb, _>(TwoBodies { a, b }, Order::DeepestFirst, &mut DepthFirst, &mut stats, |pair| {
        found = Some(pair);
        Search::Stop
    });
    Answer { found, stats }
}

/// Like [`collide_any`], looking first around a pair that touched before: where contact lasts from frame to frame, the same patches of skin
/// mostly touch again, and nothing else has to be looked at.
///
/// Whether there is a pair does not depend on the hint; which one is found, and what it costs, does. A hint that is wrong costs some half a
/// microsecond.
///
/// ```
/// # use std::sync::Arc;
/// # use glam::Vec3;
/// # use supple::{Body, BuildOptions, Isometry, Shape, Skinning};
/// # let man = Arc::new(Shape::build(supple_zoo::make("man", 0)?, &BuildOptions::default())?);
/// # let mut a = Body::new(&man, Skinning::Linear)?;
/// # let mut b = Body::new(&man, Skinning::Linear)?;
/// let mut last = None;
/// for frame in 0..10 {
///     b.set_placement(Isometry::from_translation(Vec3::X * (0.6 - 0.02 * frame as f32)))?;
///     last = match last {
///         Some(pair) => supple::collide_any_near(&mut a, &mut b, pair).found,
///         None => supple::collide_any(&mut a, &mut b).found,
///     };
/// }
/// assert!(last.is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
/// A body has no such triangle.
pub fn collide_any_near(a: &mut Body, b: &mut Body, last: Pair) -> Answer<Option<Pair>> {
    let mut stats = QueryStats::default();
    let mut found = None;
    let starts = [a.tree().twig_or_above(last[0]), b.tree().twig_or_above(last[1])];
    let couple = TwoBodies { a: &mut *a, b: &mut *b };
    walk_from::<Aabb, _>(couple, starts, Order::DeepestFirst, &mut DepthFirst, &mut stats, |pair| {
        found = Some(pair);
        Search::Stop
    });
    if found.is_none() {
        let answer = collide_any(a, b);
        stats += answer.stats;
        found = answer.found;
    }
    Answer { found, stats }
}

/// How [`collide_with`] looks for pairs.
///
/// ```
/// use supple::{Budget, CollideOptions};
///
/// let hasty = CollideOptions::default().with_budget(Budget::visits(100));
/// # let _ = hasty;
/// ```
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct CollideOptions<'a> {
    /// The bounding volumes that are refitted and tested. Pairs do not depend on it, counters do.
    pub volume: VolumeKind,
    /// How much the query may cost. Unlimited by default.
    pub budget: Budget<'a>,
}

impl<'a> CollideOptions<'a> {
    /// With other bounding volumes.
    #[must_use]
    pub fn with_volume(self, volume: VolumeKind) -> Self {
        Self { volume, ..self }
    }

    /// Within a budget.
    #[must_use]
    pub fn with_budget(self, budget: Budget<'a>) -> Self {
        Self { budget, ..self }
    }
}

/// What was found within a budget.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PartialPairs {
    /// Pairs of triangles that touch, ascending: all of them if the answer is complete.
    pub pairs: Vec<Pair>,
    /// Where nothing is decided yet, the largest overlap first. Empty if the answer is complete.
    pub open: Vec<OpenPair>,
}

impl PartialPairs {
    /// Whether nothing is open: the pairs are then all there are, and none means that the bodies are apart.
    pub fn is_complete(&self) -> bool {
        self.open.is_empty()
    }
}

/// Finds pairs of touching triangles with other bounding volumes, or until a budget is spent. Within a budget, the nodes that
/// overlap most are looked at first. What was refitted stays with the bodies: asked again in the same pose, with a larger budget, the
/// query does not refit it again.
///
/// Costs what [`collide`] costs, or the budget. The order by overlap takes a little more time per visit, so without a budget it is not used.
///
/// ```
/// # use std::sync::Arc;
/// # use supple::{Body, BuildOptions, Isometry, Shape, Skinning};
/// use supple::{Budget, CollideOptions};
/// # let man = Arc::new(Shape::build(supple_zoo::make("man", 0)?, &BuildOptions::default())?);
/// # let mut a = Body::new(&man, Skinning::Linear)?;
/// # let mut b = Body::new(&man, Skinning::Linear)?;
/// # b.set_placement(Isometry::from_translation(glam::Vec3::X * 0.4))?;
/// let hasty = CollideOptions::default().with_budget(Budget::visits(100));
/// let some = supple::collide_with(&mut a, &mut b, &hasty);
/// assert!(!some.found.is_complete() && some.stats.node_visits < 108);
/// let all = supple::collide_with(&mut a, &mut b, &CollideOptions::default());
/// assert!(all.found.is_complete() && all.found.pairs == supple::collide(&mut a, &mut b).found);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn collide_with(a: &mut Body, b: &mut Body, options: &CollideOptions) -> Answer<PartialPairs> {
    match options.volume {
        VolumeKind::Box => search::<Aabb>(a, b, &options.budget),
        VolumeKind::Sphere => search::<Sphere>(a, b, &options.budget),
    }
}

fn search<V: Volume>(a: &mut Body, b: &mut Body, budget: &Budget) -> Answer<PartialPairs> {
    if !budget.is_unlimited() {
        return search_within::<V>(a, b, budget);
    }
    let mut pairs = Vec::new();
    let stats = search_all::<V>(a, b, &mut pairs);
    Answer { found: PartialPairs { pairs, open: Vec::new() }, stats }
}

fn search_all<V: Volume>(a: &mut Body, b: &mut Body, pairs: &mut Vec<Pair>) -> QueryStats {
    pairs.clear();
    let mut stats = QueryStats::default();
    walk::<V, _>(TwoBodies { a, b }, Order::Any, &mut DepthFirst, &mut stats, |pair| {
        pairs.push(pair);
        Search::GoOn
    });
    pairs.sort_unstable_by_key(in_order);
    stats
}
