//! The tightest boxes there are, for comparison: what a query would visit if bounds were perfect.

use super::Body;
use crate::answer::QueryStats;

/// Bounds all nodes of a body by the exact boxes of their posed vertices, until its next pose. Queries answer the same;
/// their counters tell what perfect bounds would save. Costs what deforming the whole mesh costs.
pub fn bound_exactly(body: &mut Body) {
    body.forget();
    body.pose_everything(&mut QueryStats::default());
}
