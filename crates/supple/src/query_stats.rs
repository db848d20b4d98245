//! What a query cost, in counts that do not depend on the machine.

use std::ops::AddAssign;

/// Counters of one query.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QueryStats {
    /// Pairs of nodes whose bounds were tested against each other; or nodes, where one body is asked.
    pub node_visits: u64,
    /// Nodes whose bounds were computed.
    pub refits: u64,
    /// Vertices that were posed.
    pub vertices_deformed: u64,
    /// Pairs of triangles that were tested exactly; or triangles, where one body is asked.
    pub triangle_tests: u64,
}

impl AddAssign for QueryStats {
    fn add_assign(&mut self, other: Self) {
        self.node_visits += other.node_visits;
        self.refits += other.refits;
        self.vertices_deformed += other.vertices_deformed;
        self.triangle_tests += other.triangle_tests;
    }
}
