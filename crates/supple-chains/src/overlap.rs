//! Which spheres of a body overlap: chain by chain, or all against all; one by one, or eight at a time.
//!
//! Two spheres overlap as [`Sphere::intersects`](supple::Sphere::intersects) has it; touching counts. Must hold: the answer does
//! not depend on how it is computed, nor on the number of threads.
//!
//! Based on: F. A. Madera, E. Ayala, F. Moo-Mena, Self-collision Detection using Sphere Chains, 2015, section 5.2 (M1 with chains, M2
//! without).

use std::ops::Range;

use supple::{Answer, Pair, QueryStats};

use crate::eight_spheres::{LANES, lanes};
use crate::pairs::PairSet;
use crate::threads::{choices, spread};
use crate::{ChainError, PosedSpheres, SphereChains};

/// Which pairs of spheres are tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Grouping {
    /// Those that share a chain (the paper's M1). Pairs within a limb are tested in every chain of that limb; a sphere of the trunk
    /// meets only limbs whose chains lead past it.
    Chains,
    /// All (the paper's M2).
    All,
}

/// How they are tested. The answer is the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Testing {
    /// One by one, to compare with.
    Scalar,
    /// Eight at a time.
    Lanes,
}

impl SphereChains {
    /// Pairs of spheres that overlap, without [excluded](Self::is_excluded) ones; ascending, each once, the smaller number first. What was tested
    /// is counted as [`node_visits`](QueryStats::node_visits); pairs that are in several chains are tested, and counted, in each.
    ///
    /// Costs a test for every pair of spheres of the grouping: some microseconds for a human of 60 spheres. With the feature `rayon`
    /// hundreds of spheres are tested on all cores.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use supple::{Body, BuildOptions, Shape, Skinning};
    /// use supple_chains::{ChainOptions, Grouping, Regions, SphereChains, Testing};
    ///
    /// # let man = Arc::new(supple_zoo::make("man", 0)?);
    /// # let shape = Arc::new(Shape::build(Arc::clone(&man), &BuildOptions::default())?);
    /// let chains = SphereChains::build(&shape, &Regions::from_rig(&man)?, &ChainOptions::default())?;
    /// let mut body = Body::new(&shape, Skinning::Linear)?;
    /// let spheres = chains.enclose(&mut body)?.found;
    /// let all = chains.overlaps(&spheres, Grouping::All, Testing::Lanes)?.found;
    /// let chained = chains.overlaps(&spheres, Grouping::Chains, Testing::Lanes)?.found;
    /// assert!(chained.iter().all(|pair| all.contains(pair)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// There are not as many posed spheres as the chains have.
    pub fn overlaps(
        &self,
        spheres: &PosedSpheres,
        grouping: Grouping,
        testing: Testing,
    ) -> Result<Answer<Vec<Pair>>, ChainError> {
        self.check_count(spheres)?;
        let (count, tests) = (spheres.len(), self.tests(grouping));
        let mut pairs: Vec<Pair> = match grouping {
            Grouping::All => {
                // Some spheres are a part: one alone is tested before a thread could take it.
                spread(count.div_ceil(16), tests, |part| {
                    let mut pairs = Vec::new();
                    let rows = part * 16..(part * 16 + 16).min(count);
                    within(spheres, self.excluded(), rows, testing, |a, b| pairs.push([a as u32, b as u32]));
                    pairs
                })
            }
            Grouping::Chains => spread(self.chains().len(), tests, |number| {
                let chain = &self.chains()[number];
                let mut own = PosedSpheres::default();
                own.set(chain.spheres.iter().map(|&sphere| spheres.get(sphere)));
                let mut pairs = Vec::new();
                within(&own, &chain.excluded, 0..own.len(), testing, |a, b| {
                    pairs.push([chain.spheres[a], chain.spheres[b]]);
                });
                pairs
            }),
        };
        pairs.sort_unstable();
        pairs.dedup();
        Ok(Answer { found: pairs, stats: tested(tests) })
    }

    /// How many pairs of spheres a grouping has.
    pub(crate) fn tests(&self, grouping: Grouping) -> u64 {
        match grouping {
            Grouping::All => choices(self.spheres().len()),
            Grouping::Chains => self.chains().iter().map(|chain| choices(chain.spheres.len())).sum(),
        }
    }

    /// Refuses spheres that are not those of these chains.
    pub(crate) fn check_count(&self, spheres: &PosedSpheres) -> Result<(), ChainError> {
        let (given, expected) = (spheres.len(), self.spheres().len());
        if given == expected { Ok(()) } else { Err(ChainError::WrongSpheres { given, expected }) }
    }
}

/// Counters of pairs of spheres that were tested.
pub(crate) fn tested(pairs: u64) -> QueryStats {
    let mut stats = QueryStats::default();
    stats.node_visits = pairs;
    stats
}

/// Pairs within some spheres: those of `rows` with all later ones.
fn within(
    spheres: &PosedSpheres,
    excluded: &PairSet,
    rows: Range<usize>,
    testing: Testing,
    mut found: impl FnMut(usize, usize),
) {
    for a in rows {
        let sphere = spheres.at(a);
        if testing == Testing::Scalar {
            for b in a + 1..spheres.len() {
                if sphere.intersects(&spheres.at(b)) && !excluded.contains(a, b) {
                    found(a, b);
                }
            }
            continue;
        }
        let first = (a + 1) / LANES;
        for (block, eight) in spheres.eights().iter().enumerate().skip(first) {
            let mut mask = eight.overlapping(&sphere);
            if mask == 0 {
                continue;
            }
            mask &= !excluded.eight(a, block);
            if block == first {
                // What comes before, and the sphere itself.
                mask &= (0xff_u32 << ((a + 1) % LANES)) as u8;
            }
            lanes(mask).for_each(|lane| found(a, block * LANES + lane));
        }
    }
}
