//! Chains: two limbs, and the spheres of the trunk on the shortest way between them.
//!
//! The paper names the sides of a torso by hand (left, right, top, down) and lists six chains of four limbs; shortest ways over
//! neighbouring spheres give the same sides, for any number of limbs.
//!
//! Based on: F. A. Madera, E. Ayala, F. Moo-Mena, Self-collision Detection using Sphere Chains, 2015, section 4.

use crate::pairs::PairSet;
use crate::{ChainSphere, RegionKind, Regions};

/// Pairs of limbs with the spheres of their chains, ascending.
pub(crate) fn chains(
    regions: &Regions,
    spheres: &[ChainSphere],
    neighbours: &PairSet,
) -> Vec<([u32; 2], Vec<u32>)> {
    let kind = |sphere: usize| regions.regions()[spheres[sphere].region as usize].kind;
    let limbs: Vec<u32> = (0..regions.regions().len() as u32)
        .filter(|&region| regions.regions()[region as usize].kind == RegionKind::Limb)
        .collect();
    let of_limb = |limb: u32| (0..spheres.len()).filter(move |&s| spheres[s].region == limb);
    let mut chains = Vec::new();
    for (number, &first) in limbs.iter().enumerate() {
        for &second in &limbs[number + 1..] {
            let way = shortest_way(spheres, neighbours, |s| kind(s) == RegionKind::Trunk, first, second);
            let mut members: Vec<u32> =
                of_limb(first).chain(of_limb(second)).chain(way).map(|sphere| sphere as u32).collect();
            members.sort_unstable();
            chains.push(([first, second], members));
        }
    }
    chains
}

/// Spheres of the trunk between two limbs, the fewest metres from center to center; none where no way leads there.
fn shortest_way(
    spheres: &[ChainSphere],
    neighbours: &PairSet,
    in_trunk: impl Fn(usize) -> bool,
    from: u32,
    to: u32,
) -> Vec<usize> {
    let step =
        |a: usize, b: usize| f64::from(spheres[a].adjusted.center.distance(spheres[b].adjusted.center));
    let mut length: Vec<f64> =
        spheres.iter().map(|s| if s.region == from { 0.0 } else { f64::INFINITY }).collect();
    let mut before: Vec<Option<usize>> = vec![None; spheres.len()];
    let mut open: Vec<usize> = (0..spheres.len()).collect();
    // Dijkstra's algorithm over some dozens of spheres.
    while let Some(nearest) = (0..open.len()).min_by(|&a, &b| length[open[a]].total_cmp(&length[open[b]])) {
        let at = open.swap_remove(nearest);
        if length[at] == f64::INFINITY {
            break;
        }
        if spheres[at].region == to {
            let mut way = Vec::new();
            let mut next = before[at];
            while let Some(sphere) = next.filter(|&sphere| in_trunk(sphere)) {
                way.push(sphere);
                next = before[sphere];
            }
            return way;
        }
        for &next in &open {
            let passable = in_trunk(next) || spheres[next].region == to;
            if passable && neighbours.contains(at, next) && length[at] + step(at, next) < length[next] {
                length[next] = length[at] + step(at, next);
                before[next] = Some(at);
            }
        }
    }
    Vec::new()
}
