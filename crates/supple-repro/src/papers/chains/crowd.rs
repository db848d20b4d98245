//! Many humans: what the paper expects threads to be good for.

use rayon::ThreadPoolBuilder;
use supple::Isometry;
use supple_chains::{Grouping, Member, PosedSpheres, Testing, crowd_overlaps};

use super::covered::{Covered, OWN_SPHERES};
use crate::measure::take_turns;
use crate::papers::Run;
use crate::report::{Better, Cell, Comparison, Expected, Experiment, Table};

/// Metres from human to human in a square: neighbours touch, nobody else does.
const DISTANCE: f64 = 0.9;

/// How overlaps are tested, and on how many threads; 0 for all of them.
const WAYS: [(&str, Testing, usize); 3] = [
    ("one by one", Testing::Scalar, 1),
    ("eight at a time", Testing::Lanes, 1),
    ("eight at a time, all threads", Testing::Lanes, 0),
];

/// Each human with itself and with all others.
pub fn many_humans(run: &mut Run, human: &Covered) -> Experiment {
    let rounds = run.options.count(1, 7);
    let sizes: &[usize] = if run.options.quick { &[1_000, 10_000] } else { &[1_000, 10_000, 20_000] };
    let mut experiment = Experiment::new(
        "Section 6: ten thousand spheres and more",
        "With few spheres parallelism does not pay; about 10,000 or more are needed. More humans moving around are left to further work.",
        format!(
            "Humans in a square, 0.9 m apart, at different times of `random`: each tested against itself and all others, all pairs, no hierarchy. This machine has few cores; no more than their number can be gained. Median of {rounds}."
        ),
    );
    let columns = ["humans", "spheres", "tests", "overlaps", "testing", "time", "one by one / this"];
    let mut table = Table::new("Time per frame", columns);
    for &spheres in sizes {
        (run.progress)(&format!("section 6: a crowd of {spheres} spheres"));
        let own = human.chains.spheres().len();
        let crowd = crowd(human, spheres.div_ceil(own));
        let members: Vec<Member> =
            crowd.iter().map(|spheres| Member { chains: &human.chains, spheres }).collect();
        let ask = |testing| crowd_overlaps(&members, Grouping::All, testing).expect(OWN_SPHERES);
        let overlaps = ask(Testing::Lanes).len();
        let mut sides: Vec<Box<dyn FnMut() + '_>> = WAYS
            .iter()
            .map(|&(_, testing, threads)| -> Box<dyn FnMut()> {
                let pool =
                    ThreadPoolBuilder::new().num_threads(threads).build().expect("threads can be started");
                Box::new(move || {
                    std::hint::black_box(pool.install(|| ask(testing)));
                })
            })
            .collect();
        let mut sides: Vec<&mut dyn FnMut()> = sides.iter_mut().map(|side| &mut **side as _).collect();
        let times = take_turns(rounds, &mut sides);
        let count = crowd.len() * own;
        for (side, (name, ..)) in WAYS.iter().enumerate() {
            table.row([
                crowd.len().into(),
                count.into(),
                (count * (count - 1) / 2).into(),
                overlaps.into(),
                (*name).into(),
                Cell::Number(times.microseconds(side) / 1000.0, "ms"),
                Cell::ratio(times.ratio(0, side)),
            ]);
        }
        if spheres >= 10_000 {
            experiment.comparisons.push(Comparison::new(
                format!("one thread / all threads, {spheres} spheres"),
                Expected::AtLeast(1.0),
                times.ratio(1, 2),
                Better::Higher,
                "other programs use the machine's other cores",
            ));
        }
    }
    experiment.tables.push(table);
    experiment
}

fn crowd(human: &Covered, count: usize) -> Vec<PosedSpheres> {
    let side = (count as f64).sqrt().ceil() as usize;
    let poses = human.poses("random", count);
    let mut body = human.body();
    let member = |(number, pose)| {
        let stands = glam::DVec3::new((number % side) as f64, 0.0, (number / side) as f64) * DISTANCE;
        body.place(Isometry::from_translation(stands.as_vec3())).expect("the square is finite");
        human.followed(&mut body, pose)
    };
    poses.iter().enumerate().map(member).collect()
}
