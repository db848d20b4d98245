//! Spheres that follow a body: by their pivots, or such that they contain their triangles.

use std::sync::Arc;

use glam::Vec3;
use supple::{Answer, Body, QueryStats};

use crate::{ChainError, PosedSpheres, SphereChains};

impl SphereChains {
    /// Spheres of a body in its current pose, by their pivots: a few vertices per sphere are posed, whatever moves them. A
    /// good fit, but no bound; [`enclose`](Self::enclose) makes bounds.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use supple::{Body, BuildOptions, Shape, Skinning};
    /// # use supple_chains::{ChainOptions, Regions, SphereChains};
    /// # let man = Arc::new(supple_zoo::make("man", 0)?);
    /// # let shape = Arc::new(Shape::build(Arc::clone(&man), &BuildOptions::default())?);
    /// let chains = SphereChains::build(&shape, &Regions::from_rig(&man)?, &ChainOptions::default())?;
    /// let mut body = Body::new(&shape, Skinning::Linear)?;
    /// body.set_pose(&man.sample(man.clip("walk")?, 0.3)?)?;
    /// let answer = chains.follow(&mut body)?;
    /// assert_eq!(answer.found.len(), chains.spheres().len());
    /// assert_eq!(answer.stats.vertices_deformed as usize, chains.pivot_vertices());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The body has another shape.
    pub fn follow(&self, body: &mut Body) -> Result<Answer<PosedSpheres>, ChainError> {
        let mut found = PosedSpheres::default();
        let stats = self.follow_into(body, &mut found)?;
        Ok(Answer { found, stats })
    }

    /// Like [`follow`](Self::follow), into spheres that keep their memory from frame to frame.
    ///
    /// # Errors
    /// The body has another shape.
    pub fn follow_into(&self, body: &mut Body, spheres: &mut PosedSpheres) -> Result<QueryStats, ChainError> {
        self.check(body)?;
        let model = Arc::clone(body.shape().model());
        let mut points = Vec::new();
        spheres.set(self.pivots().iter().map(|pivots| {
            points.clear();
            points.extend(pivots.triangles.iter().map(|&(triangle, _)| {
                let corners = model.mesh().triangles()[triangle as usize];
                corners.map(|vertex| body.position(vertex)).iter().sum::<Vec3>() / 3.0
            }));
            pivots.sphere(&points)
        }));
        let mut stats = QueryStats::default();
        stats.vertices_deformed = self.pivot_vertices() as u64;
        Ok(stats)
    }

    /// Spheres that contain all triangles that belong to them, in the body's current pose, from joint matrices and weights; from the
    /// vertices where these were given ([`Body::set_vertices`]). No vertex is posed. They are larger than those that
    /// [`follow`](Self::follow) makes, and lose nothing. Spheres that were computed are counted as
    /// [`refits`](QueryStats::refits).
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use supple::{Body, BuildOptions, Shape, Skinning};
    /// # use supple_chains::{ChainOptions, Regions, SphereChains};
    /// # let man = Arc::new(supple_zoo::make("man", 0)?);
    /// # let shape = Arc::new(Shape::build(Arc::clone(&man), &BuildOptions::default())?);
    /// let chains = SphereChains::build(&shape, &Regions::from_rig(&man)?, &ChainOptions::default())?;
    /// let mut body = Body::new(&shape, Skinning::Linear)?;
    /// body.set_pose(&man.sample(man.clip("walk")?, 0.3)?)?;
    /// let spheres = chains.enclose(&mut body)?.found;
    /// let [corner, ..] = man.mesh().triangles()[0];
    /// assert!(spheres.get(chains.sphere_of(0)).contains(body.position(corner)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The body has another shape.
    pub fn enclose(&self, body: &mut Body) -> Result<Answer<PosedSpheres>, ChainError> {
        let mut found = PosedSpheres::default();
        let stats = self.enclose_into(body, &mut found)?;
        Ok(Answer { found, stats })
    }

    /// Like [`enclose`](Self::enclose), into spheres that keep their memory from frame to frame.
    ///
    /// # Errors
    /// The body has another shape.
    pub fn enclose_into(
        &self,
        body: &mut Body,
        spheres: &mut PosedSpheres,
    ) -> Result<QueryStats, ChainError> {
        self.check(body)?;
        let mut enclosing = Vec::with_capacity(self.spheres().len());
        self.classes().enclosing_spheres_into(body, &mut enclosing)?;
        spheres.set(enclosing.into_iter());
        let mut stats = QueryStats::default();
        stats.refits = self.spheres().len() as u64;
        Ok(stats)
    }

    /// How many vertices [`follow`](Self::follow) poses.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use supple::{BuildOptions, Shape};
    /// # use supple_chains::{ChainOptions, Regions, SphereChains};
    /// # let man = Arc::new(supple_zoo::make("man", 0)?);
    /// # let shape = Arc::new(Shape::build(Arc::clone(&man), &BuildOptions::default())?);
    /// let chains = SphereChains::build(&shape, &Regions::from_rig(&man)?, &ChainOptions::default())?;
    /// assert_eq!(chains.pivot_vertices(), 3 * 4 * chains.spheres().len());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn pivot_vertices(&self) -> usize {
        self.pivots().iter().map(|pivots| 3 * pivots.triangles.len()).sum()
    }
}
