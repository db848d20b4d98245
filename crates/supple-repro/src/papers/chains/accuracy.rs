//! What spheres say beside what triangles say: recall, precision, and a narrow phase between overlapping spheres.

use supple::{Answer, Body, Pose, SelfFilter, self_collide};
use supple_chains::{Agreement, ChainOptions, Grouping, SphereChains, Testing};

use super::covered::{Covered, OWN_SPHERES, enclosed, followed};
use crate::measure::take_turns;
use crate::papers::Run;
use crate::report::{Cell, Experiment, Table};

/// How answers by spheres compare with exact ones, over all frames.
#[derive(Default)]
struct Score {
    /// With chains, and all pairs.
    triangles: [Agreement; 2],
    /// Pairs of regions in a frame: touching, reported, both.
    regions: [usize; 3],
}

/// Over all clips of four animals.
pub fn beside_the_exact_answer(run: &mut Run, human: &Covered) -> Experiment {
    let frames = run.options.count(4, 40);
    let rounds = run.options.count(1, 7);
    // The paper takes four, and proposes more.
    let more_pivots: &[usize] = if run.options.quick { &[16] } else { &[8, 16] };
    let mut experiment = Experiment::new(
        "Sections 5.1, 5.2 and 7: how good the answer is, and a narrow phase",
        "Not measured. More pivots and a narrow phase between surrounding regions are left to further work.",
        format!(
            "{frames} frames of every clip. Recall: share of the pairs of touching triangles whose spheres overlap. Precision: share of the overlapping pairs of spheres with triangles that touch. Regions: the same of pairs of regions in a frame. Pairs of neighbouring spheres, and of those that overlap at rest, count nowhere. Enclosing spheres contain their triangles in every pose; without chains they lose nothing."
        ),
    );
    let animals: &[&'static str] = if run.options.quick { &["hand"] } else { &["man", "creature", "hand"] };
    let others: Vec<Covered> = animals.iter().map(|name| Covered::animal(name)).collect();
    let columns =
        ["model", "spheres", "touching", "recall M1", "M2", "precision M1", "M2", "regions: recall", "prec."];
    let mut table = Table::new("Percent, over all clips", columns);
    let mut narrow = Table::new(
        "Exact self-collision of whole bodies, and only between enclosing spheres that overlap, where pairs of neighbouring spheres are not looked at; per frame",
        ["model", "pairs, whole", "between spheres", "whole", "spheres and between", "whole / between"],
    );
    for covered in [human].into_iter().chain(&others) {
        (run.progress)(&format!("spheres of the {} beside the exact answer", covered.name));
        let clips = covered.model().clips().iter().map(|clip| clip.name().to_owned());
        let poses: Vec<Pose> = clips.flat_map(|clip| covered.poses(&clip, frames)).collect();
        let exact = exact(covered, &poses);
        let mut score = |name: String, chains: &SphereChains, enclosing: bool| {
            let score = scored(covered, chains, &poses, &exact, enclosing);
            let [_, all] = &score.triangles;
            assert!(!enclosing || all.found == all.touching, "enclosing spheres lose nothing: {all:?}");
            table.row(row(covered.name, name, &score));
        };
        score(format!("{} pivots", ChainOptions::default().pivots), &covered.chains, false);
        for &pivots in more_pivots {
            score(format!("{pivots} pivots"), &covered.with_pivots(pivots), false);
        }
        score("enclosing".to_owned(), &covered.chains, true);
        narrow.row(narrow_phase(covered, &poses, rounds));
    }
    experiment.tables.extend([table, narrow]);
    experiment
}

/// All pairs of touching triangles of every pose.
fn exact(covered: &Covered, poses: &[Pose]) -> Vec<Vec<[u32; 2]>> {
    let mut body = covered.body();
    poses.iter().map(|pose| whole(&mut body, pose).pairs).collect()
}

fn whole(body: &mut Body, pose: &Pose) -> Collision {
    body.set_pose(pose).expect("clips have poses that fit");
    self_collide(body, &SelfFilter::default()).expect("nothing is filtered")
}

fn scored(
    covered: &Covered,
    chains: &SphereChains,
    poses: &[Pose],
    exact: &[Vec<[u32; 2]>],
    enclosing: bool,
) -> Score {
    let (mut body, mut score) = (covered.body(), Score::default());
    for (pose, touching) in poses.iter().zip(exact) {
        body.set_pose(pose).expect("clips have poses that fit");
        let spheres = if enclosing { enclosed(chains, &mut body) } else { followed(chains, &mut body) };
        let [chained, all] = [Grouping::Chains, Grouping::All]
            .map(|grouping| chains.overlaps(&spheres, grouping, Testing::Lanes).expect(OWN_SPHERES));
        score.triangles[0] += chains.agreement(&chained.pairs, touching);
        score.triangles[1] += chains.agreement(&all.pairs, touching);
        let spheres = touching.iter().map(|pair| pair.map(|triangle| chains.sphere_of(triangle)));
        let tested: Vec<[u32; 2]> = spheres.filter(|&[a, b]| !chains.is_excluded(a, b)).collect();
        let (touching, reported) = (chains.regions_of(&tested), chains.regions_of(&all.pairs));
        let both = touching.iter().filter(|regions| reported.binary_search(regions).is_ok()).count();
        for (sum, count) in score.regions.iter_mut().zip([touching.len(), reported.len(), both]) {
            *sum += count;
        }
    }
    score
}

fn row(model: &str, spheres: String, score: &Score) -> Vec<Cell> {
    let share = |part: usize, of: usize| match of {
        0 => "-".into(),
        _ => Cell::Number(100.0 * part as f64 / of as f64, "%"),
    };
    let [chained, all] = &score.triangles;
    let [touching, reported, both] = score.regions;
    vec![
        model.into(),
        spheres.into(),
        all.touching.into(),
        share(chained.found, chained.touching),
        share(all.found, all.touching),
        share(chained.confirmed, chained.reported),
        share(all.confirmed, all.reported),
        share(both, touching),
        share(both, reported),
    ]
}

/// Whole bodies against what is between overlapping enclosing spheres.
fn narrow_phase(covered: &Covered, poses: &[Pose], rounds: usize) -> Vec<Cell> {
    let chains = &covered.chains;
    let [mut first, mut second] = [covered.body(), covered.body()];
    let mut counts = [0, 0];
    let [all, between] = &mut counts;
    let times = take_turns(
        rounds,
        &mut [&mut || *all = poses.iter().map(|pose| whole(&mut first, pose).pairs.len()).sum(), &mut || {
            let mut pairs = |pose| {
                second.set_pose(pose).expect("clips have poses that fit");
                let spheres = enclosed(chains, &mut second);
                let near = chains.overlaps(&spheres, Grouping::All, Testing::Lanes).expect(OWN_SPHERES);
                chains.self_collide(&mut second, &near.pairs).expect(OWN_SPHERES).pairs.len()
            };
            *between = poses.iter().map(&mut pairs).sum();
        }],
    );
    let per_frame = |sum: f64| sum / poses.len() as f64;
    vec![
        covered.name.into(),
        Cell::Number(per_frame(counts[0] as f64), ""),
        Cell::Number(per_frame(counts[1] as f64), ""),
        Cell::Number(per_frame(times.microseconds(0)), "us"),
        Cell::Number(per_frame(times.microseconds(1)), "us"),
        Cell::ratio(times.ratio(0, 1)),
    ]
}
