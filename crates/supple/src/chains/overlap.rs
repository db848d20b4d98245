//! Which spheres overlap: chain by chain, or all against all; one by one, eight at a time, or on all threads.
//!
//! Two spheres overlap as [`Sphere::intersects`] has it; touching counts. Must hold: the answer does not depend on how it is computed, nor on the number of threads.
//!
//! Based on: F. A. Madera, E. Ayala, F. Moo-Mena, Self-collision Detection using Sphere Chains, 2015, section 5.2 (M1 with chains, M2
//! without).

use super::pairs::PairSet;
use super::{Balls, SphereChains};
use crate::math::Sphere;
use crate::refit::{EightBalls, EightVolumes};
use crate::simd::{self, Eight, Kernel, places};

/// Which pairs of spheres are tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grouping {
    /// Those that share a chain (the paper's M1). Pairs within a limb are tested in every chain of that limb; a sphere of the trunk
    /// meets only limbs whose chains lead past it.
    Chains,
    /// All (the paper's M2).
    All,
}

/// How they are tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Testing {
    /// One by one.
    Scalar,
    /// Eight at a time.
    Lanes,
    /// Eight at a time, on all threads of the current pool with the feature `rayon`: chains, or spheres, are divided among them.
    Threads,
}

/// Pairs of spheres that overlap.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Overlaps {
    /// Ascending, each once, the smaller number first.
    pub pairs: Vec<[u32; 2]>,
    /// How often a pair was found: in several chains, pairs are found several times.
    pub found: usize,
    /// How many pairs were tested.
    pub tests: u64,
}

/// A body of a crowd, with its spheres in its pose.
#[derive(Clone, Copy, Debug)]
pub struct Member<'a> {
    /// What its spheres are.
    pub chains: &'a SphereChains,
    /// Where they are.
    pub balls: &'a Balls,
}

/// Two spheres of a crowd that overlap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CrowdOverlap {
    /// Their bodies; the same one twice, or the smaller number first.
    pub members: [u32; 2],
    /// The spheres.
    pub spheres: [u32; 2],
}

impl SphereChains {
    /// Pairs of spheres that overlap, without [excluded](Self::is_excluded) ones.
    ///
    /// # Panics
    /// There are not as many balls as spheres.
    pub fn overlaps(&self, balls: &Balls, grouping: Grouping, testing: Testing) -> Overlaps {
        self.check_count(balls);
        let mut pairs: Vec<[u32; 2]> = match grouping {
            Grouping::All => {
                let spheres = self.spheres().len();
                // A thread takes some spheres: one alone is tested before it is handed over.
                spread(spheres.div_ceil(16), testing, |part| {
                    let mut pairs = Vec::new();
                    let rows = part * 16..(part * 16 + 16).min(spheres);
                    within(balls, &self.excluded, rows, testing, |a, b| pairs.push([a as u32, b as u32]));
                    pairs
                })
            }
            Grouping::Chains => spread(self.chains().len(), testing, |number| {
                let chain = &self.chains()[number];
                let mut own = Balls::default();
                own.set(chain.spheres.iter().map(|&sphere| balls.get(sphere as usize)));
                let mut pairs = Vec::new();
                within(&own, &chain.excluded, 0..own.len(), testing, |a, b| {
                    pairs.push([chain.spheres[a], chain.spheres[b]]);
                });
                pairs
            }),
        };
        let found = pairs.len();
        pairs.sort_unstable();
        pairs.dedup();
        let choices = |count: usize| (count * count.saturating_sub(1) / 2) as u64;
        let tests = match grouping {
            Grouping::All => choices(self.spheres().len()),
            Grouping::Chains => self.chains().iter().map(|chain| choices(chain.spheres.len())).sum(),
        };
        Overlaps { pairs, found, tests }
    }

    fn check_count(&self, balls: &Balls) {
        assert_eq!(balls.len(), self.spheres().len(), "one ball per sphere");
    }
}

/// Spheres of a crowd that overlap, each body with itself and with all others; ascending.
///
/// # Panics
/// A member does not have as many balls as spheres.
pub fn crowd_overlaps(members: &[Member<'_>], grouping: Grouping, testing: Testing) -> Vec<CrowdOverlap> {
    let one = if testing == Testing::Threads { Testing::Lanes } else { testing };
    let mut all = spread(members.len(), testing, |number| {
        let Member { chains, balls } = members[number];
        let own = chains.overlaps(balls, grouping, one).pairs.into_iter();
        let mut found: Vec<CrowdOverlap> =
            own.map(|spheres| CrowdOverlap { members: [number as u32; 2], spheres }).collect();
        for (other, member) in members.iter().enumerate().skip(number + 1) {
            between(balls, member.balls, testing, |a, b| {
                found.push(CrowdOverlap {
                    members: [number as u32, other as u32],
                    spheres: [a as u32, b as u32],
                });
            });
        }
        found
    });
    all.sort_unstable();
    all
}

/// Runs parts of some work, on all threads if that was asked for; results in the order of the parts.
fn spread<T: Send>(parts: usize, testing: Testing, part: impl Fn(usize) -> Vec<T> + Sync) -> Vec<T> {
    #[cfg(feature = "rayon")]
    if testing == Testing::Threads {
        use rayon::prelude::*;
        return (0..parts).into_par_iter().with_max_len(1).flat_map_iter(&part).collect();
    }
    let _ = testing;
    (0..parts).flat_map(part).collect()
}

/// Pairs within one set of balls, for some of them with all later ones.
fn within(
    balls: &Balls,
    excluded: &PairSet,
    rows: std::ops::Range<usize>,
    testing: Testing,
    mut found: impl FnMut(usize, usize),
) {
    if testing == Testing::Scalar {
        for a in rows {
            let ball = balls.get(a);
            for b in a + 1..balls.len() {
                if ball.intersects(&balls.get(b)) && !excluded.contains(a, b) {
                    found(a, b);
                }
            }
        }
        return;
    }
    for a in rows {
        let first = (a + 1) / 8;
        simd::run(Row {
            ball: balls.get(a),
            eights: &balls.eights()[first..],
            found: |block: usize, mask: u8| {
                let mut mask = mask & !excluded.eight(a, first + block);
                if block == 0 {
                    // What comes before, and the ball itself.
                    mask &= (0xff_u32 << ((a + 1) % 8)) as u8;
                }
                places(mask).for_each(|place| found(a, (first + block) * 8 + place));
            },
        });
    }
}

/// Pairs of balls of two sets.
fn between(own: &Balls, other: &Balls, testing: Testing, mut found: impl FnMut(usize, usize)) {
    for a in 0..own.len() {
        if testing == Testing::Scalar {
            let ball = own.get(a);
            (0..other.len()).filter(|&b| ball.intersects(&other.get(b))).for_each(|b| found(a, b));
            continue;
        }
        simd::run(Row {
            ball: own.get(a),
            eights: other.eights(),
            found: |block: usize, mask: u8| places(mask).for_each(|place| found(a, block * 8 + place)),
        });
    }
}

/// One ball against eights.
struct Row<'a, F> {
    ball: Sphere,
    eights: &'a [EightBalls],
    /// Called with the block and the balls of it that overlap.
    found: F,
}

impl<F: FnMut(usize, u8)> Kernel for Row<'_, F> {
    type Output = ();

    #[inline(always)]
    fn run<E: Eight>(mut self) {
        for (block, eight) in self.eights.iter().enumerate() {
            let mask = eight.overlapping::<E>(&self.ball);
            if mask != 0 {
                (self.found)(block, mask);
            }
        }
    }
}
