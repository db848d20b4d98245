//! What a query answers, and what it cost: counts that do not depend on the machine.

use std::ops::AddAssign;

/// An answer with its counters.
///
/// ```
/// use supple::{Answer, QueryStats};
///
/// let answer = Answer { found: vec![[3, 7]], stats: QueryStats::default() };
/// assert_eq!(answer.map(|pairs| pairs.len()).found, 1);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Answer<T> {
    /// What was asked for.
    pub found: T,
    /// What it took to find it.
    pub stats: QueryStats,
}

impl<T> Answer<T> {
    /// The same counters with something made of what was found.
    pub fn map<U>(self, make: impl FnOnce(T) -> U) -> Answer<U> {
        Answer { found: make(self.found), stats: self.stats }
    }
}

/// Two triangles: one of the first body, one of the second; or two of one body, the smaller number first.
pub type Pair = [u32; 2];

/// Pairs by their numbers, compared at once: sorting takes half the time.
#[inline(always)]
pub(crate) fn in_order(&[a, b]: &Pair) -> u64 {
    u64::from(a) << 32 | u64::from(b)
}

/// Counters of a query. What a body has computed before for the same pose is not computed and not counted again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct QueryStats {
    /// Pairs of nodes whose bounds were tested against each other; or nodes, where one body is asked.
    pub node_visits: u64,
    /// Nodes whose bounds were computed.
    pub refits: u64,
    /// Vertices that were posed.
    pub vertices_deformed: u64,
    /// Pairs of triangles that were tested exactly; or triangles, where one body is asked.
    pub triangle_tests: u64,
    /// Moments at which moving bodies were looked at: only [`time_of_contact`](crate::time_of_contact) counts them.
    pub moments: u64,
}

impl AddAssign for QueryStats {
    fn add_assign(&mut self, other: Self) {
        self.node_visits += other.node_visits;
        self.refits += other.refits;
        self.vertices_deformed += other.vertices_deformed;
        self.triangle_tests += other.triangle_tests;
        self.moments += other.moments;
    }
}
