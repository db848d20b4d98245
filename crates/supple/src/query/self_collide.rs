//! Which triangles of one body touch each other.
//!
//! Must hold: the pairs found are those that brute force finds, whatever the bounds and the certificates were.

use super::couple::Couple;
use super::self_collide_between::Between;
use super::walk::{DepthFirst, Order, Search, walk};
use crate::answer::{Answer, Pair, QueryStats, in_order};
use crate::math::Aabb;
use crate::mesh::Neighbourhood;
use crate::model::{Certificates, JointPairs, SelfFilter, SelfFilterError};
use crate::refit::{Body, PosedCertificates};
use crate::simd::lanes;
use crate::tree::Kin;

/// All pairs of triangles of one body that touch, ascending, the smaller triangle first. Exact: touching counts, no tolerance.
///
/// Triangles that share a vertex always touch there and are always left out, also where they pass through each other
/// elsewhere; see [`SelfFilter`] for seams.
///
/// Costs what bends: parts of the body that hardly bend are left at once, as joints alone tell that they do not touch themselves or what is
/// around them. Where creases of elbows and knees are not wanted, [`self_collide_with`] a filter is faster; for some parts of a body against others,
/// [`self_collide_between`](crate::self_collide_between).
///
/// ```
/// # use std::sync::Arc;
/// use supple::{Body, BuildOptions, Shape, Skinning};
///
/// let man = Arc::new(supple_zoo::make("man", 0)?);
/// let shape = Arc::new(Shape::build(Arc::clone(&man), &BuildOptions::default())?);
/// let mut body = Body::new(&shape, Skinning::Linear)?;
/// let mut pose = man.rest_pose();
/// man.node_mut(&mut pose, "forearm_l")?.rotation *= glam::Quat::from_rotation_x(-2.6); // folded
/// body.set_pose(&pose)?;
/// assert!(!supple::self_collide(&mut body).found.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn self_collide(body: &mut Body) -> Answer<Vec<Pair>> {
    let mut found = Vec::new();
    let stats = search(Certificates::Used, body, JointPairs::default(), None, &mut found);
    Answer { found, stats }
}

/// Like [`self_collide`], except for the pairs that a filter leaves out.
///
/// Costs less the more is left out by joints: most nodes belong to one joint, so pairs within a joint are left out near the root.
///
/// ```
/// # use std::sync::Arc;
/// use supple::{Body, BuildOptions, SelfFilter, Shape, Skinning};
///
/// let man = Arc::new(supple_zoo::make("man", 0)?);
/// let shape = Arc::new(Shape::build(Arc::clone(&man), &BuildOptions::default())?);
/// let mut body = Body::new(&shape, Skinning::Linear)?;
/// let mut pose = man.rest_pose();
/// man.node_mut(&mut pose, "forearm_l")?.rotation *= glam::Quat::from_rotation_x(-2.6); // folded
/// body.set_pose(&pose)?;
/// let all = supple::self_collide(&mut body).found;
/// // What happens between a joint and its parent is the crease of an elbow, not a collision.
/// let wanted = supple::self_collide_with(&mut body, &SelfFilter::default().without_creases())?.found;
/// assert!(wanted.len() < all.len());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The filter names a joint that does not exist.
pub fn self_collide_with(body: &mut Body, filter: &SelfFilter) -> Result<Answer<Vec<Pair>>, SelfFilterError> {
    let mut found = Vec::new();
    let stats = self_collide_into(body, filter, &mut found)?;
    Ok(Answer { found, stats })
}

/// Like [`self_collide_with`], into a vector that is cleared first and keeps its memory from frame to frame.
///
/// # Errors
/// The filter names a joint that does not exist; the vector is then unchanged.
pub fn self_collide_into(
    body: &mut Body,
    filter: &SelfFilter,
    pairs: &mut Vec<Pair>,
) -> Result<QueryStats, SelfFilterError> {
    let left_out = JointPairs::new(filter, body.model())?;
    let stats = search(filter.certificates, body, left_out, None, pairs);
    if filter.adjacent_rings > 0 {
        remove_within_rings(body, filter.adjacent_rings, pairs);
    }
    Ok(stats)
}

/// Finds all pairs that are wanted, ascending.
pub(super) fn search(
    certificates: Certificates,
    body: &mut Body,
    left_out: JointPairs,
    between: Option<Between<'_>>,
    pairs: &mut Vec<[u32; 2]>,
) -> QueryStats {
    let filtered = left_out.any();
    // Vertices that were given do not follow joints: certificates would lie.
    let certified = certificates == Certificates::Used && !body.has_given_vertices();
    let certified = certified.then(|| body.certificates()).flatten();
    pairs.clear();
    let mut stats = QueryStats::default();
    let one = OneBody { body, left_out, filtered, between, certified };
    if !filtered && one.between.is_none() && !one.mostly_certified() {
        // Every border between neighbours is looked at.
        one.body.pose_everything(&mut stats);
    }
    walk::<Aabb, _>(one, Order::Any, &mut DepthFirst, &mut stats, |[a, b]| {
        pairs.push([a.min(b), a.max(b)]);
        Search::GoOn
    });
    pairs.sort_unstable_by_key(in_order);
    stats
}

/// One body against itself.
struct OneBody<'a> {
    body: &'a mut Body,
    left_out: JointPairs,
    filtered: bool,
    between: Option<Between<'a>>,
    /// None where they are ignored, or hardly any holds.
    certified: Option<PosedCertificates>,
}

impl OneBody<'_> {
    /// Whether joints tell that nothing below two nodes touches.
    #[inline(always)]
    fn is_certified(&self, node_a: usize, node_b: usize) -> bool {
        self.certified.as_ref().is_some_and(|certified| certified.hold(self.body.tree(), node_a, node_b))
    }

    /// Whether most twigs cannot touch what is around them.
    fn mostly_certified(&self) -> bool {
        let twigs = &self.body.tree().twigs;
        let certified = twigs.iter().filter(|&&twig| self.is_certified(twig as usize, twig as usize));
        2 * certified.count() > twigs.len()
    }

    /// Whether a pair of triangles, by their indices in the order of the leaves, is of no interest.
    #[inline(always)]
    fn is_left_out(&self, a: usize, b: usize) -> bool {
        let tree = self.body.tree();
        (self.filtered && self.left_out.contains(tree.kinship.owner(a), tree.kinship.owner(b)))
            || self
                .between
                .as_ref()
                .is_some_and(|between| !between.wants(tree.triangles[a], tree.triangles[b]))
    }
}

impl Couple for OneBody<'_> {
    const ONE_BODY: bool = true;

    #[inline(always)]
    fn a(&self) -> &Body {
        self.body
    }

    #[inline(always)]
    fn b(&self) -> &Body {
        self.body
    }

    #[inline(always)]
    fn a_mut(&mut self) -> &mut Body {
        self.body
    }

    #[inline(always)]
    fn b_mut(&mut self) -> &mut Body {
        self.body
    }

    #[inline(always)]
    fn nothing_between(&self, node_a: usize, node_b: usize) -> bool {
        let kinship = &self.body.tree().kinship;
        self.is_certified(node_a, node_b)
            || (self.filtered
                && self.left_out.contains(kinship.owner_of_node(node_a), kinship.owner_of_node(node_b)))
            || self.between.as_ref().is_some_and(|between| !between.is_below(node_a, node_b))
    }

    #[inline(always)]
    fn kin(&self, leaves: [usize; 2]) -> Kin {
        let tree = self.body.tree();
        tree.kinship.kin(&tree.nodes, leaves[0], leaves[1])
    }

    #[inline(always)]
    fn wanted(&self, leaves: [usize; 2], lane: usize, others: u8) -> u8 {
        let mut wanted = others;
        if self.filtered || self.between.is_some() {
            let [first, first_other] = leaves.map(|leaf| self.body.tree().nodes[leaf].range().start);
            for other in lanes(others) {
                if self.is_left_out(first + lane, first_other + other) {
                    wanted &= !(1 << other);
                }
            }
        }
        wanted
    }
}

/// Removes pairs of triangles that are connected by at most this many triangles in between. Looks only at triangles that touch, so it
/// costs nothing where none do.
fn remove_within_rings(body: &Body, rings: u32, pairs: &mut Vec<[u32; 2]>) {
    if pairs.is_empty() {
        return;
    }
    let (tree, vertices) = (body.tree(), body.model().mesh().positions().len());
    let mut neighbourhood = Neighbourhood::new(tree.kinship.welded_triangles(&tree.triangles), vertices);
    let mut last = None;
    pairs.retain(|&[a, b]| {
        if last != Some(a) {
            neighbourhood.grow_from(a, rings);
            last = Some(a);
        }
        !neighbourhood.contains(b)
    });
}
