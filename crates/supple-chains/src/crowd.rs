//! Which spheres of many bodies overlap: each body with itself, and with all others.
//!
//! Must hold: the answer does not depend on how it is computed, nor on the number of threads.

use supple::{Answer, Pair, QueryStats};

use crate::eight_spheres::{LANES, lanes};
use crate::overlap::tested;
use crate::threads::{choices, spread};
use crate::{ChainError, Grouping, PosedSpheres, SphereChains, Testing};

/// A body of a crowd, with its spheres in its pose.
#[derive(Clone, Copy, Debug)]
pub struct Member<'a> {
    /// What its spheres are.
    pub chains: &'a SphereChains,
    /// Where they are.
    pub spheres: &'a PosedSpheres,
}

/// Two spheres of a crowd that overlap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CrowdOverlap {
    /// Their bodies; the same one twice, or the smaller number first.
    pub members: [u32; 2],
    /// The spheres.
    pub spheres: Pair,
}

/// Spheres of a crowd that overlap, each body with itself and with all others; ascending. Within a body, the grouping says which pairs
/// are tested, and [excluded](SphereChains::is_excluded) ones are left out; between bodies all pairs are tested.
///
/// Costs a test for every pair of spheres: there is no broad phase, and a [`Scene`](supple::Scene) finds out faster which of many bodies
/// are near each other. With the feature `rayon` bodies are tested on all cores.
///
/// ```
/// # use std::sync::Arc;
/// # use supple::{Body, BuildOptions, Isometry, Shape, Skinning};
/// use supple_chains::{
///     ChainOptions, Grouping, Member, Regions, SphereChains, Testing, crowd_overlaps,
/// };
///
/// # let man = Arc::new(supple_zoo::make("man", 0)?);
/// # let shape = Arc::new(Shape::build(Arc::clone(&man), &BuildOptions::default())?);
/// let chains = SphereChains::build(&shape, &Regions::from_rig(&man)?, &ChainOptions::default())?;
/// let mut body = Body::new(&shape, Skinning::Linear)?;
/// let here = chains.follow(&mut body)?.found;
/// body.set_placement(Isometry::from_translation(glam::Vec3::X * 0.4))?;
/// let there = chains.follow(&mut body)?.found;
/// let members = [&here, &there].map(|spheres| Member { chains: &chains, spheres });
/// let overlaps = crowd_overlaps(&members, Grouping::All, Testing::Lanes)?.found;
/// assert!(overlaps.iter().any(|overlap| overlap.members == [0, 1])); // they stand in each other
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// A member does not have as many posed spheres as its chains have.
pub fn crowd_overlaps(
    members: &[Member<'_>],
    grouping: Grouping,
    testing: Testing,
) -> Result<Answer<Vec<CrowdOverlap>>, ChainError> {
    members.iter().try_for_each(|member| member.chains.check_count(member.spheres))?;
    let tests = choices(members.iter().map(|member| member.spheres.len()).sum());
    let parts = spread(members.len(), tests, |number| vec![of_member(members, number, grouping, testing)]);
    let mut all = Answer { found: Vec::new(), stats: QueryStats::default() };
    for part in parts {
        let part = part?;
        all.found.extend(part.found);
        all.stats += part.stats;
    }
    all.found.sort_unstable();
    Ok(all)
}

/// Overlaps of a member with itself and with all later ones.
fn of_member(
    members: &[Member<'_>],
    number: usize,
    grouping: Grouping,
    testing: Testing,
) -> Result<Answer<Vec<CrowdOverlap>>, ChainError> {
    let Member { chains, spheres } = members[number];
    let of_own = |spheres: Pair| CrowdOverlap { members: [number as u32; 2], spheres };
    let own = chains.overlaps(spheres, grouping, testing)?;
    let mut all = own.map(|pairs| pairs.into_iter().map(of_own).collect::<Vec<_>>());
    for (other, member) in members.iter().enumerate().skip(number + 1) {
        between(spheres, member.spheres, testing, |a, b| {
            let members = [number as u32, other as u32];
            all.found.push(CrowdOverlap { members, spheres: [a as u32, b as u32] });
        });
        all.stats += tested((spheres.len() * member.spheres.len()) as u64);
    }
    Ok(all)
}

/// Pairs of spheres of two bodies.
fn between(own: &PosedSpheres, other: &PosedSpheres, testing: Testing, mut found: impl FnMut(usize, usize)) {
    for a in 0..own.len() {
        let sphere = own.at(a);
        if testing == Testing::Scalar {
            (0..other.len()).filter(|&b| sphere.intersects(&other.at(b))).for_each(|b| found(a, b));
            continue;
        }
        for (block, eight) in other.eights().iter().enumerate() {
            let mask = eight.overlapping(&sphere);
            if mask != 0 {
                lanes(mask).for_each(|lane| found(a, block * LANES + lane));
            }
        }
    }
}
