//! Copies of a body for threads that share a query.
//!
//! In: a body of which something is posed and bounded. Out: bodies that know the same and go on by themselves; entries of bounds have the same
//! numbers, so what is open in a walk means the same to all of them.
//! Must hold: copies depend on the body alone, not on threads.

use std::sync::Arc;

use super::Body;
use super::cache::Cache;
use super::mode::Mode;

impl Body {
    /// Whether copies can follow the body: not where vertices were given, of which there may be many.
    pub(crate) fn can_be_followed(&self) -> bool {
        self.mode == Mode::Joints
    }

    /// Some copies, to be brought up to date with [`follow`](Self::follow), and given back.
    pub(crate) fn take_crew(&mut self, count: usize) -> Vec<Self> {
        let mut crew = std::mem::take(&mut self.cache.crew);
        while crew.len() < count {
            let mut copy = self.clone();
            copy.cache = Cache::new(self.tree.nodes.len());
            crew.push(copy);
        }
        crew
    }

    pub(crate) fn keep_crew(&mut self, crew: Vec<Self>) {
        self.cache.crew = crew;
    }

    /// Takes the pose of another body of the same shape, and what is known of it.
    pub(crate) fn follow(&mut self, leader: &Self) {
        self.palette.clone_from(&leader.palette);
        self.bends.clone_from(&leader.bends);
        self.coefficients.clone_from(&leader.coefficients);
        self.tree = Arc::clone(&leader.tree);
        self.mode = leader.mode;
        self.cache.forget();
        self.cache.boxes.copy_from(&leader.cache.boxes);
        self.cache.twigs.copy_from(&leader.cache.twigs, &leader.tree);
        (self.cache.whole, self.cache.spent) = (leader.cache.whole, leader.cache.spent);
    }
}
