//! How a body is covered by spheres.

use crate::ChainError;

/// How a body is covered. Begin with the default, and change what shall be different:
///
/// ```
/// use supple_chains::ChainOptions;
///
/// let options = ChainOptions::default().with_rays(120).with_pivots(8);
/// assert_eq!((options.rays, options.overlap), (120, 0.3));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ChainOptions {
    /// Rays of a disk, from 8 to 4096.
    pub rays: usize,
    /// How far the disk moves at a time, as a part of the body's size, from 0.0001 to 0.5.
    pub step: f64,
    /// How far neighbouring levels overlap, as a share of their radii, from 0 (they touch) to 0.9.
    pub overlap: f64,
    /// Spheres side by side in the trunk, from 1 to 64.
    pub spheres_per_level: usize,
    /// Triangles that a sphere follows, from 1 to 1024.
    pub pivots: usize,
    /// Leave out pairs of spheres that overlap at rest already, as planners for robots do: nothing is to be learned from them.
    pub ignore_resting: bool,
}

impl Default for ChainOptions {
    /// As in the paper: 80 rays, two spheres per level, 30 % overlap, four pivots.
    fn default() -> Self {
        Self { rays: 80, step: 0.004, overlap: 0.3, spheres_per_level: 2, pivots: 4, ignore_resting: true }
    }
}

impl ChainOptions {
    /// The same with another number of rays per disk.
    ///
    /// ```
    /// assert_eq!(supple_chains::ChainOptions::default().with_rays(16).rays, 16);
    /// ```
    pub fn with_rays(self, rays: usize) -> Self {
        Self { rays, ..self }
    }

    /// The same with another step of the disk, as a part of the body's size.
    ///
    /// ```
    /// assert_eq!(supple_chains::ChainOptions::default().with_step(0.01).step, 0.01);
    /// ```
    pub fn with_step(self, step: f64) -> Self {
        Self { step, ..self }
    }

    /// The same with another overlap of neighbouring levels, as a share of their radii.
    ///
    /// ```
    /// assert_eq!(supple_chains::ChainOptions::default().with_overlap(0.0).overlap, 0.0);
    /// ```
    pub fn with_overlap(self, overlap: f64) -> Self {
        Self { overlap, ..self }
    }

    /// The same with another number of spheres side by side in the trunk.
    ///
    /// ```
    /// assert_eq!(supple_chains::ChainOptions::default().with_spheres_per_level(3).spheres_per_level, 3);
    /// ```
    pub fn with_spheres_per_level(self, spheres_per_level: usize) -> Self {
        Self { spheres_per_level, ..self }
    }

    /// The same with another number of triangles that a sphere follows.
    ///
    /// ```
    /// assert_eq!(supple_chains::ChainOptions::default().with_pivots(8).pivots, 8);
    /// ```
    pub fn with_pivots(self, pivots: usize) -> Self {
        Self { pivots, ..self }
    }

    /// The same; says whether pairs of spheres that overlap at rest are left out.
    ///
    /// ```
    /// assert!(!supple_chains::ChainOptions::default().with_ignore_resting(false).ignore_resting);
    /// ```
    pub fn with_ignore_resting(self, ignore_resting: bool) -> Self {
        Self { ignore_resting, ..self }
    }

    /// Refuses what makes no sense.
    pub(crate) fn check(&self) -> Result<(), ChainError> {
        let bad = |option, value: f64, range| Err(ChainError::BadOption { option, value, range });
        if !(8..=4096).contains(&self.rays) {
            return bad("the number of rays", self.rays as f64, "from 8 to 4096");
        }
        if !(self.step >= 1e-4 && self.step <= 0.5) {
            return bad("the step of the disk", self.step, "from 0.0001 to 0.5 of the body's size");
        }
        if !(self.overlap >= 0.0 && self.overlap <= 0.9) {
            return bad("the overlap of levels", self.overlap, "from 0 to 0.9");
        }
        if !(1..=64).contains(&self.spheres_per_level) {
            return bad("the number of spheres per level", self.spheres_per_level as f64, "from 1 to 64");
        }
        if !(1..=1024).contains(&self.pivots) {
            return bad("the number of pivots", self.pivots as f64, "from 1 to 1024");
        }
        Ok(())
    }
}
