//! The exact answer where spheres overlap, and how good the spheres' answer was.

use super::SphereChains;
use crate::query::{Collision, self_collide_between};
use crate::refit::Body;

/// How an answer by spheres compares with the exact one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Agreement {
    /// Pairs of touching triangles whose spheres are not excluded: what could be found.
    pub touching: usize,
    /// Those of them whose spheres were reported.
    pub found: usize,
    /// Pairs of spheres that were reported.
    pub reported: usize,
    /// Those of them with triangles that touch.
    pub confirmed: usize,
}

impl Agreement {
    /// Share of the touching triangles that was found; 1 where there are none.
    pub fn recall(&self) -> f64 {
        if self.touching == 0 { 1.0 } else { self.found as f64 / self.touching as f64 }
    }

    /// Share of the reported pairs with triangles that touch; 1 where there are none.
    pub fn precision(&self) -> f64 {
        if self.reported == 0 { 1.0 } else { self.confirmed as f64 / self.reported as f64 }
    }
}

impl std::ops::AddAssign for Agreement {
    fn add_assign(&mut self, other: Self) {
        self.touching += other.touching;
        self.found += other.found;
        self.reported += other.reported;
        self.confirmed += other.confirmed;
    }
}

impl SphereChains {
    /// Finds all pairs of touching triangles of a body that belong to some pairs of spheres, like
    /// [`self_collide`](crate::self_collide) does for all.
    ///
    /// # Panics
    /// The body has another shape, or there are not so many spheres.
    pub fn self_collide(&self, body: &mut Body, spheres: &[[u32; 2]]) -> Collision {
        self.check(body);
        self_collide_between(body, &self.partition, &self.of_triangle, spheres)
    }

    /// Compares pairs of spheres (ascending, the smaller number first) with pairs of touching triangles of the same pose.
    ///
    /// # Panics
    /// There are not so many triangles.
    pub fn agreement(&self, spheres: &[[u32; 2]], touching: &[[u32; 2]]) -> Agreement {
        let mut confirmed = vec![false; spheres.len()];
        let mut agreement = Agreement { reported: spheres.len(), ..Agreement::default() };
        for pair in touching {
            let [a, b] = pair.map(|triangle| self.of_triangle[triangle as usize]);
            if self.is_excluded(a, b) {
                continue;
            }
            agreement.touching += 1;
            if let Ok(place) = spheres.binary_search(&[a.min(b), a.max(b)]) {
                agreement.found += 1;
                confirmed[place] = true;
            }
        }
        agreement.confirmed = confirmed.iter().filter(|&&confirmed| confirmed).count();
        agreement
    }
}
