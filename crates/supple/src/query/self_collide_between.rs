//! Which triangles of one body touch each other, of some pairs of classes only.
//!
//! Must hold: the pairs found are those of a whole self-collision whose classes are wanted.

use std::borrow::Cow;
use std::sync::Arc;

use super::self_collide::search;
use crate::answer::{Answer, Pair, QueryStats};
use crate::model::{Certificates, JointPairs};
use crate::refit::Body;
use crate::tree::{ClassError, ClassPairs, Partition, TriangleClasses};

/// All pairs of triangles of one body that touch and whose classes are a wanted pair, in either order; ascending, the smaller triangle
/// first. A class may be paired with itself. Exact: touching counts, no tolerance; triangles that share a
/// vertex are always left out, as in [`self_collide`](crate::self_collide).
///
/// Costs what is near each other in wanted classes: the walk leaves pairs of nodes without wanted classes unvisited. To leave out joints, or what is
/// near along the surface, use [`self_collide_with`](crate::self_collide_with) a filter.
///
/// ```
/// use std::sync::Arc;
/// use supple::{Body, BuildOptions, Shape, Skinning, TriangleClasses};
///
/// let man = Arc::new(supple_zoo::make("man", 0)?);
/// let shape = Arc::new(Shape::build(Arc::clone(&man), &BuildOptions::default())?);
/// // Classes are the left hand (1), the left thigh (2), and everything else (0).
/// let class = |triangle: u32| match man.joint_name(man.owning_joint(triangle)) {
///     "hand_l" => 1,
///     "thigh_l" => 2,
///     _ => 0,
/// };
/// let triangles = 0..man.mesh().triangles().len() as u32;
/// let classes = TriangleClasses::new(&shape, triangles.map(class).collect())?;
///
/// let mut body = Body::new(&shape, Skinning::Linear)?;
/// body.set_pose(&man.sample(man.clip("random")?, 1.0)?)?;
/// let touching = supple::self_collide_between(&mut body, &classes, &[[1, 2]])?.found;
/// let all = supple::self_collide(&mut body).found;
/// let wanted = |pair: &&[u32; 2]| {
///     let mut own = pair.map(|triangle| classes.class_of(triangle));
///     own.sort();
///     own == [1, 2]
/// };
/// assert!(touching.iter().eq(all.iter().filter(wanted)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The body has another shape than the classes, or a wanted class does not exist.
pub fn self_collide_between(
    body: &mut Body,
    classes: &TriangleClasses,
    wanted: &[[u32; 2]],
) -> Result<Answer<Vec<Pair>>, ClassError> {
    classes.check(body.shape())?;
    let mut pairs = Vec::new();
    if wanted.is_empty() {
        return Ok(Answer { found: pairs, stats: QueryStats::default() });
    }
    let wanted = classes.pairs(wanted)?;
    // A body of given vertices may have a tree of its own.
    let partition = if Arc::ptr_eq(body.tree(), body.shape().tree()) {
        Cow::Borrowed(classes.partition())
    } else {
        Cow::Owned(classes.partition_of(body.tree()))
    };
    let between = Between { partition: &partition, classes, wanted };
    let stats = search(Certificates::Used, body, JointPairs::default(), Some(between), &mut pairs);
    Ok(Answer { found: pairs, stats })
}

/// Only pairs of these classes are wanted.
pub(super) struct Between<'a> {
    partition: &'a Partition,
    classes: &'a TriangleClasses,
    wanted: ClassPairs,
}

impl Between<'_> {
    /// Whether any wanted pair is between the triangles below two nodes.
    #[inline(always)]
    pub fn is_below(&self, node_a: usize, node_b: usize) -> bool {
        self.wanted.any_between(self.partition, node_a, node_b)
    }

    /// Whether two triangles, by their numbers in the mesh, are a wanted pair.
    #[inline(always)]
    pub fn wants(&self, a: u32, b: u32) -> bool {
        self.wanted.contains(self.classes.class_of(a), self.classes.class_of(b))
    }
}
