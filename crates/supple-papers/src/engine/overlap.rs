//! Whether volumes of two bodies overlap, each in the space of its own body.

use glam::DAffine3;

use super::{Body, Volume};

/// How the spaces of two bodies lie to each other in their poses.
pub(super) struct Overlap<V: Volume> {
    /// `None` where both are one space, whose test is tighter.
    between: Option<V::Between>,
}

impl<V: Volume> Overlap<V> {
    /// Of the bodies as they are now.
    pub fn new(a: &Body<V>, b: &Body<V>) -> Self {
        let a_from_b = a.frame().inverse() * *b.frame();
        Self { between: (a_from_b != DAffine3::IDENTITY).then(|| V::between(&a_from_b)) }
    }

    /// Of a volume of `a` and one of `b`; yes may be wrong.
    #[inline]
    pub fn test(&self, of_a: &V, of_b: &V) -> bool {
        match &self.between {
            None => of_a.overlaps(of_b),
            Some(between) => of_a.overlaps_turned(of_b, between),
        }
    }
}
