//! The exact answer where spheres overlap, and how good the spheres' answer was.

use supple::{Answer, Body, Pair, self_collide_between};

use crate::{ChainError, SphereChains};

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
    ///
    /// ```
    /// let agreement = supple_chains::Agreement { touching: 4, found: 3, ..Default::default() };
    /// assert_eq!(agreement.recall(), 0.75);
    /// ```
    pub fn recall(&self) -> f64 {
        if self.touching == 0 { 1.0 } else { self.found as f64 / self.touching as f64 }
    }

    /// Share of the reported pairs with triangles that touch; 1 where there are none.
    ///
    /// ```
    /// let agreement = supple_chains::Agreement { reported: 4, confirmed: 1, ..Default::default() };
    /// assert_eq!(agreement.precision(), 0.25);
    /// ```
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
    /// Finds all pairs of touching triangles of a body that belong to some pairs of spheres, as
    /// [`self_collide_between`] does for classes of triangles.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use supple::{Body, BuildOptions, Shape, Skinning};
    /// # use supple_chains::{ChainOptions, Grouping, Regions, SphereChains, Testing};
    /// # let man = Arc::new(supple_zoo::make("man", 0)?);
    /// # let shape = Arc::new(Shape::build(Arc::clone(&man), &BuildOptions::default())?);
    /// let chains = SphereChains::build(&shape, &Regions::from_rig(&man)?, &ChainOptions::default())?;
    /// let mut body = Body::new(&shape, Skinning::Linear)?;
    /// body.set_pose(&man.sample(man.clip("random")?, 1.2)?)?;
    /// let spheres = chains.enclose(&mut body)?.found;
    /// let near = chains.overlaps(&spheres, Grouping::All, Testing::Lanes)?.found;
    /// for [a, b] in chains.self_collide_between(&mut body, &near)?.found {
    ///     let [a, b] = [chains.sphere_of(a), chains.sphere_of(b)];
    ///     assert!(near.contains(&[a.min(b), a.max(b)]));
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The body has another shape, or there is no sphere of one of the numbers.
    pub fn self_collide_between(
        &self,
        body: &mut Body,
        spheres: &[Pair],
    ) -> Result<Answer<Vec<Pair>>, ChainError> {
        self.check(body)?;
        let count = self.spheres().len();
        if let Some(&sphere) = spheres.iter().flatten().find(|&&sphere| sphere as usize >= count) {
            return Err(ChainError::UnknownSphere { sphere, count });
        }
        Ok(self_collide_between(body, self.classes(), spheres)?)
    }

    /// Compares pairs of spheres (ascending, the smaller number first) with pairs of touching triangles of the same pose.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use supple::{Body, BuildOptions, Shape, Skinning, self_collide};
    /// # use supple_chains::{ChainOptions, Grouping, Regions, SphereChains, Testing};
    /// # let man = Arc::new(supple_zoo::make("man", 0)?);
    /// # let shape = Arc::new(Shape::build(Arc::clone(&man), &BuildOptions::default())?);
    /// let chains = SphereChains::build(&shape, &Regions::from_rig(&man)?, &ChainOptions::default())?;
    /// let mut body = Body::new(&shape, Skinning::Linear)?;
    /// body.set_pose(&man.sample(man.clip("random")?, 1.2)?)?;
    /// let spheres = chains.enclose(&mut body)?.found;
    /// let near = chains.overlaps(&spheres, Grouping::All, Testing::Lanes)?.found;
    /// let exact = self_collide(&mut body).found;
    /// assert_eq!(chains.agreement(&near, &exact).recall(), 1.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// The shape has no triangle of one of the numbers.
    pub fn agreement(&self, spheres: &[Pair], touching: &[Pair]) -> Agreement {
        let mut confirmed = vec![false; spheres.len()];
        let mut agreement = Agreement { reported: spheres.len(), ..Agreement::default() };
        for pair in touching {
            let [a, b] = pair.map(|triangle| self.sphere_of(triangle));
            if self.is_excluded(a, b) {
                continue;
            }
            agreement.touching += 1;
            if let Ok(number) = spheres.binary_search(&[a.min(b), a.max(b)]) {
                agreement.found += 1;
                confirmed[number] = true;
            }
        }
        agreement.confirmed = confirmed.iter().filter(|&&confirmed| confirmed).count();
        agreement
    }
}
