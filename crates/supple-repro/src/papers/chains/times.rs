//! Figures 14 to 16: forty frames, with chains and without.

use rayon::prelude::*;
use supple::{Pose, SelfFilter, self_collide};
use supple_chains::{Grouping, Overlaps, PosedSpheres, Testing};
use supple_draw::{Colour, FRONT};

use super::covered::{Covered, OWN_SPHERES, drawn};
use crate::measure::{Times, take_turns};
use crate::papers::Run;
use crate::report::picture::{Panel, Picture, View, side_by_side};
use crate::report::plot::{Axis, Kind, Plot};
use crate::report::{Better, Cell, Comparison, Expected, Experiment, Table};

/// As many as in the paper.
const FRAMES: usize = 40;
/// A test of some dozens of spheres takes less than the clock can see.
const REPETITIONS: usize = 50;
/// Motions whose times are compared: the paper ran a second one.
const CLIPS: [&str; 2] = ["random", "walk"];

const GROUPINGS: [(&str, Grouping); 2] = [("M1, chains", Grouping::Chains), ("M2, all", Grouping::All)];

/// How overlaps are tested.
const WAYS: [(&str, Way); 3] = [
    ("one by one", Way::Alone(Testing::Scalar)),
    ("eight at a time", Way::Alone(Testing::Lanes)),
    ("one by one, all threads", Way::Threads),
];
/// The number of threads among them.
const ON_THREADS: usize = 2;

/// A way to test some dozens of spheres.
#[derive(Clone, Copy)]
enum Way {
    /// As the library does, which asks no threads for help where that cannot pay.
    Alone(Testing),
    /// As the paper does on its GPU: chains, or spheres, are divided among all threads.
    Threads,
}

impl Way {
    /// Pairs that overlap.
    fn pairs(self, human: &Covered, spheres: &PosedSpheres, grouping: Grouping) -> Vec<[u32; 2]> {
        let chains = &human.chains;
        if let Self::Alone(testing) = self {
            return chains.overlaps(spheres, grouping, testing).expect(OWN_SPHERES).pairs;
        }
        let with_later = |group: &[u32], first: usize, pairs: &mut Vec<[u32; 2]>| {
            let own = spheres.get(group[first] as usize);
            for &other in &group[first + 1..] {
                if own.intersects(&spheres.get(other as usize)) && !chains.is_excluded(group[first], other) {
                    pairs.push([group[first], other]);
                }
            }
        };
        let of_part = |group: &[u32], part: std::ops::Range<usize>| {
            let mut pairs = Vec::new();
            part.for_each(|first| with_later(group, first, &mut pairs));
            pairs
        };
        let mut pairs: Vec<[u32; 2]> = if grouping == Grouping::Chains {
            let chained = chains.chains().par_iter().with_max_len(1);
            chained.flat_map_iter(|chain| of_part(&chain.spheres, 0..chain.spheres.len())).collect()
        } else {
            let all: Vec<u32> = (0..spheres.len() as u32).collect();
            let parts = (0..all.len().div_ceil(16)).into_par_iter().with_max_len(1);
            parts.flat_map_iter(|part| of_part(&all, part * 16..(part * 16 + 16).min(all.len()))).collect()
        };
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    }
}

/// Time per frame of both groupings, all ways to test, and of the update.
pub fn figures_15_and_16(run: &mut Run, human: &Covered) -> Experiment {
    (run.progress)("figures 14 to 16: forty frames with chains and without");
    let rounds = run.options.count(1, 15);
    let mut experiment = Experiment::new(
        "Figures 14, 15 and 16: forty frames",
        "Milliseconds per frame of M1 (spheres of one chain) and M2 (all pairs): M2 is faster on the CPU as it has fewer tests, M1 on the GPU. M1 finds more overlaps, as some are found in several chains. A second animation takes similar times.",
        format!(
            "40 frames of the human's clip `random`; `walk` is the second animation. A GPU is not used here: eight tests at a time, and threads. Median of {rounds}."
        ),
    );
    let poses = human.poses(CLIPS[0], FRAMES);
    let spheres = positions(human, &poses);
    let found = GROUPINGS.map(|(_, grouping)| counted(human, &spheres, grouping));
    let mut table =
        Table::new("Overlaps over 40 frames", ["method", "tests per frame", "found", "different pairs"]);
    for ((name, _), [tests, found, pairs]) in GROUPINGS.iter().zip(found) {
        table.row([(*name).into(), (tests / FRAMES).into(), found.into(), pairs.into()]);
    }
    experiment.tables.push(table);

    let second = positions(human, &human.poses(CLIPS[1], FRAMES));
    let times = per_frame(human, &spheres, &second, rounds);
    let mean = |side: usize| times.iter().map(|times| microseconds(times, side)).sum::<f64>() / FRAMES as f64;
    let mut table = Table::new("Microseconds per frame", ["testing", "M1, chains", "M2, all", "M1 / M2"]);
    for (way, (name, _)) in WAYS.iter().enumerate() {
        let [chains, all] = [2 * way, 2 * way + 1].map(mean);
        table.row([
            (*name).into(),
            Cell::Number(chains, "us"),
            Cell::Number(all, "us"),
            Cell::ratio(chains / all),
        ]);
    }
    experiment.tables.push(table);
    experiment.plots.push(plot(&times));

    let second = mean(2 * WAYS.len()) / mean(1);
    experiment.tables.push(update(human, &poses, rounds));
    experiment.pictures.push(frames(human, &poses, &spheres));
    experiment.comparisons = comparisons(mean, second, found);
    experiment
}

fn comparisons(mean: impl Fn(usize) -> f64, second: f64, found: [[usize; 3]; 2]) -> Vec<Comparison> {
    vec![
        Comparison::new(
            "M1 / M2, time on one thread, one by one",
            Expected::AtLeast(1.0),
            mean(0) / mean(1),
            Better::Lower,
            "less is better here, the paper's chains cost more",
        ),
        Comparison::new(
            "M1 / M2, overlaps found",
            Expected::AtLeast(1.0),
            found[0][1] as f64 / found[1][1].max(1) as f64,
            Better::Higher,
            "spheres of the torso that are on no way between limbs are in no chain",
        ),
        Comparison::new(
            "second animation / first, time of M2",
            Expected::Between(0.8, 1.25),
            second,
            Better::Lower,
            "the tests are the same for every motion; what differs is how often an overlap is written down, and the machine's noise",
        ),
        Comparison::new(
            "M1 / M2, time in parallel",
            Expected::AtMost(1.0),
            mean(2 * ON_THREADS) / mean(2 * ON_THREADS + 1),
            Better::Lower,
            "handing some dozens of spheres to threads takes longer than testing them, and there are more chains than parts of all pairs",
        ),
    ]
}

fn positions(human: &Covered, poses: &[Pose]) -> Vec<PosedSpheres> {
    let mut body = human.body();
    poses.iter().map(|pose| human.followed(&mut body, pose)).collect()
}

/// Tests, pairs found and different pairs, over all frames.
fn counted(human: &Covered, frames: &[PosedSpheres], grouping: Grouping) -> [usize; 3] {
    frames.iter().fold([0; 3], |[tests, found, pairs], spheres| {
        let own: Overlaps = human.chains.overlaps(spheres, grouping, Testing::Scalar).expect(OWN_SPHERES);
        for (name, way) in WAYS {
            assert_eq!(way.pairs(human, spheres, grouping), own.pairs, "{name}");
        }
        [tests + own.tests as usize, found + own.found, pairs + own.pairs.len()]
    })
}

/// Sides of every frame: for each way to test M1, then M2; last M2 one by one in a second motion.
fn per_frame(human: &Covered, frames: &[PosedSpheres], second: &[PosedSpheres], rounds: usize) -> Vec<Times> {
    let frame = |(spheres, second): (&PosedSpheres, &PosedSpheres)| {
        let repeated = |spheres, grouping, way: Way| {
            move || {
                for _ in 0..REPETITIONS {
                    std::hint::black_box(way.pairs(human, spheres, grouping));
                }
            }
        };
        let mut sides = Vec::new();
        for (_, way) in WAYS {
            sides.extend(GROUPINGS.map(|(_, grouping)| repeated(spheres, grouping, way)));
        }
        sides.push(repeated(second, Grouping::All, Way::Alone(Testing::Scalar)));
        let mut sides: Vec<&mut dyn FnMut()> = sides.iter_mut().map(|side| side as _).collect();
        take_turns(rounds, &mut sides)
    };
    frames.iter().zip(second).map(frame).collect()
}

fn microseconds(times: &Times, side: usize) -> f64 {
    times.microseconds(side) / REPETITIONS as f64
}

fn plot(times: &[Times]) -> Plot {
    let line = |side: usize| {
        let points = times.iter().enumerate();
        points.map(|(frame, times)| [frame as f64, microseconds(times, side)]).collect::<Vec<_>>()
    };
    let name = |way: usize, grouping: usize| format!("{}, {}", GROUPINGS[grouping].0, WAYS[way].0);
    let sides = (0..WAYS.len()).flat_map(|way| [(way, 0), (way, 1)]);
    Plot {
        title: "Time of every frame".to_owned(),
        kind: Kind::Lines {
            x: Axis::linear("frame"),
            series: sides.map(|(way, grouping)| (name(way, grouping), line(2 * way + grouping))).collect(),
        },
        y: Axis::logarithmic("microseconds"),
    }
}

/// What it takes to move the spheres, beside what it takes to know exactly.
fn update(human: &Covered, poses: &[Pose], rounds: usize) -> Table {
    let mut bodies = [human.body(), human.body(), human.body()];
    let [following, enclosing, exact] = &mut bodies;
    let (mut followed, mut enclosed) = (PosedSpheres::default(), PosedSpheres::default());
    let fits = "clips have poses that fit";
    let times = take_turns(
        rounds,
        &mut [
            &mut || {
                for pose in poses {
                    following.set_pose(pose).expect(fits);
                    human.chains.follow(following, &mut followed).expect(OWN_SPHERES);
                }
            },
            &mut || {
                for pose in poses {
                    enclosing.set_pose(pose).expect(fits);
                    human.chains.enclose(enclosing, &mut enclosed).expect(OWN_SPHERES);
                }
            },
            &mut || {
                for pose in poses {
                    exact.set_pose(pose).expect(fits);
                    let found = self_collide(exact, &SelfFilter::default());
                    std::hint::black_box(found.expect("nothing is filtered"));
                }
            },
        ],
    );
    let mut table = Table::new(
        "Microseconds per frame to set a pose and move the spheres; beside them the exact answer",
        ["what", "vertices posed", "time"],
    );
    let names = ["four pivots per sphere", "enclosing spheres", "exact self-collision, all triangles"];
    let vertices = [human.chains.pivot_vertices().into(), 0.into(), "where needed".into()];
    for (side, (name, vertices)) in names.into_iter().zip(vertices).enumerate() {
        let time = times.microseconds(side) / poses.len() as f64;
        table.row([name.into(), vertices, Cell::Number(time, "us")]);
    }
    table
}

/// Some frames of the animation, overlapping spheres in red.
fn frames(human: &Covered, poses: &[Pose], spheres: &[PosedSpheres]) -> Picture {
    const SHOWN: [usize; 3] = [0, 15, 20];
    let shown: Vec<(String, Vec<_>)> = SHOWN
        .iter()
        .map(|&frame| {
            let overlaps = Way::Alone(Testing::Lanes).pairs(human, &spheres[frame], Grouping::All);
            let colour = |sphere: usize| {
                let is_in = overlaps.iter().flatten().any(|&other| other as usize == sphere);
                if is_in { Colour::RED } else { human.colour(sphere) }
            };
            (format!("frame {frame}"), drawn(spheres[frame].iter(), colour))
        })
        .collect();
    let positions: Vec<_> = SHOWN
        .iter()
        .flat_map(|&frame| {
            let mut body = human.body();
            body.set_pose(&poses[frame]).expect("the pose fits");
            body.positions()
        })
        .collect();
    let panels: Vec<Panel> = shown
        .iter()
        .map(|(label, balls)| Panel { label, positions: &[], triangles: &[], spheres: balls })
        .collect();
    let view = View::around(&positions, FRONT, [330, 360]);
    side_by_side("Three of the frames; spheres that overlap are red.", &view, &panels)
}
