//! Overlaps of sphere chains do not depend on the number of threads. Holds with the feature `rayon` and without.

use crate::characters::{pose_at, shape_of};
use supple::{Answer, Body, Isometry, Pair, QueryStats, Skinning};
use supple_chains::{
    ChainOptions, CrowdOverlap, Grouping, Member, PosedSpheres, Regions, SphereChains, Testing,
    crowd_overlaps,
};

/// By definition, on this thread.
fn overlaps(chains: &SphereChains, spheres: &PosedSpheres, grouping: Grouping) -> Answer<Vec<Pair>> {
    let all: Vec<u32> = (0..spheres.len() as u32).collect();
    let groups: Vec<&[u32]> = match grouping {
        Grouping::Chains => chains.chains().iter().map(|chain| &chain.spheres[..]).collect(),
        _ => vec![&all],
    };
    let mut overlaps = Answer { found: Vec::new(), stats: QueryStats::default() };
    for group in groups {
        for (i, &a) in group.iter().enumerate() {
            for &b in &group[i + 1..] {
                overlaps.stats.node_visits += 1;
                let touch = spheres.get(a).intersects(&spheres.get(b));
                if touch && !chains.is_excluded(a, b) {
                    overlaps.found.push([a, b]);
                }
            }
        }
    }
    overlaps.found.sort_unstable();
    overlaps.found.dedup();
    overlaps
}

/// All overlaps of bodies, with what each has by itself.
fn crowd(spheres: &[PosedSpheres], own: &[Answer<Vec<Pair>>]) -> Answer<Vec<CrowdOverlap>> {
    let mut all = Answer { found: Vec::new(), stats: QueryStats::default() };
    for (a, of_a) in (0..).zip(spheres) {
        let own = &own[a as usize];
        all.stats += own.stats;
        let pairs = own.found.iter();
        all.found.extend(pairs.map(|&spheres| CrowdOverlap { members: [a, a], spheres }));
        for (b, of_b) in (0..).zip(spheres).skip(a as usize + 1) {
            for (i, first) in (0..).zip(of_a.iter()) {
                all.stats.node_visits += of_b.len() as u64;
                let touching = (0..).zip(of_b.iter()).filter(|(_, second)| first.intersects(second));
                all.found.extend(touching.map(|(j, _)| CrowdOverlap { members: [a, b], spheres: [i, j] }));
            }
        }
    }
    all.found.sort_unstable();
    all
}

#[test]
fn overlaps_are_the_same_on_any_number_of_threads() {
    let shape = shape_of(supple_zoo::make("man", 0).unwrap());
    let regions = Regions::from_rig(shape.model()).unwrap();
    // Few spheres as usual, of which only a crowd is worth threads; and hundreds, of which those of one body are.
    let usual = ChainOptions::default();
    let fine = usual.with_overlap(0.9).with_spheres_per_level(24).with_step(0.001);
    for (options, bodies) in [(usual, 12), (fine, 2)] {
        let chains = SphereChains::build(&shape, &regions, &options).unwrap();
        let mut body = Body::new(&shape, Skinning::Linear).unwrap();
        let spheres: Vec<PosedSpheres> = (0..bodies)
            .map(|i| {
                let pose = pose_at(shape.model(), 5, 0.2 * f64::from(i));
                let aside = Isometry::from_translation(glam::Vec3::X * 0.4 * i as f32);
                body.set_pose_at(&pose, aside).unwrap();
                chains.follow(&mut body).unwrap().found
            })
            .collect();
        let count: usize = spheres.iter().map(PosedSpheres::len).sum();
        assert!(count * (count - 1) / 2 > 1 << 16, "a crowd that is worth threads: {count}");
        let members: Vec<Member> =
            spheres.iter().map(|spheres| Member { chains: &chains, spheres }).collect();
        for grouping in [Grouping::All, Grouping::Chains] {
            let own: Vec<Answer<Vec<Pair>>> =
                spheres.iter().map(|spheres| overlaps(&chains, spheres, grouping)).collect();
            let expected = crowd(&spheres, &own);
            assert!(!expected.found.is_empty());
            assert!(bodies > 2 || own[0].stats.node_visits > 1 << 16, "worth threads: {:?}", own[0].stats);
            let ask = || {
                for testing in [Testing::Scalar, Testing::Lanes] {
                    assert_eq!(crowd_overlaps(&members, grouping, testing).unwrap(), expected);
                    for (spheres, own) in spheres.iter().zip(&own) {
                        assert_eq!(chains.overlaps(spheres, grouping, testing).unwrap(), *own);
                    }
                }
            };
            #[cfg(feature = "rayon")]
            for threads in [1, 2, 5] {
                rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(ask);
            }
            #[cfg(not(feature = "rayon"))]
            ask();
        }
    }
}
