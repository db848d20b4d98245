//! Skins bounded by boxes and k-DOPs, which the papers leave to the future: tightness, refit time, query time.

use supple::{Body, CollideOptions, Isometry, QueryStats, Skinning, VolumeKind, collide_with};
use supple_papers::{BoundingSphere, Method, Slabs, Volume};

use crate::measure::take_turns;
use crate::papers::Run;
use crate::papers::contest::{Frame, Reference, Result, Side, Wanted, contest};
use crate::papers::walkers::{Walker, on_demand, refit_all};
use crate::report::{Cell, Experiment, Table};

/// What is known of one volume.
struct Measured {
    name: &'static str,
    /// Size to the smallest possible: root, fourth level, all nodes below.
    tightness: [f64; 3],
    refit: f64,
}

/// All three skinning models with all volumes.
pub fn boxes_and_dops(run: &mut Run, creature: &Walker) -> Experiment {
    let (count, rounds) = (run.options.count(2, 24), run.options.count(1, 3));
    let mut experiment = Experiment::new(
        "Future work: boxes and k-DOPs for skins",
        "The papers refit spheres only, and name other volumes as future work (SBS paper, section 6; thesis, chapter 8).",
        format!(
            "The creatures of section 5.4, {count} frames, median of {rounds}; one tree, one scalar engine, five volumes, three skinning models. Slabs are blended like \
             spheres: the image of a rest volume under every joint, summed at the corners of the weights; for dual quaternions a segment per blending \
             coefficient. Tightness is the size of a volume divided by that of the smallest one of its kind; \
             perfect are the tests with the smallest volumes."
        ),
    );
    for skinning in Skinning::ALL {
        (run.progress)(&format!("boxes and k-DOPs: {} skinning", skinning.name()));
        let frames = creature.meeting(count, 1.1 * creature.length(), -1.1 * creature.length());
        let measured = [
            measure::<BoundingSphere>(run, creature, skinning, &frames),
            measure::<Slabs<3>>(run, creature, skinning, &frames),
            measure::<Slabs<7>>(run, creature, skinning, &frames),
            measure::<Slabs<9>>(run, creature, skinning, &frames),
            measure::<Slabs<13>>(run, creature, skinning, &frames),
        ];
        let all = contest_of(creature, skinning, on_demand(skinning), &frames, Wanted::All, rounds);
        let first = contest_of(creature, skinning, on_demand(skinning), &frames, Wanted::Any, rounds);
        // From the leaves up, slabs are perfect.
        let perfect = contest_of(creature, skinning, Method::BottomUp, &frames, Wanted::All, 1);
        let mut table = Table::new(
            format!(
                "{} skinning: tightness, nanoseconds per refit, microseconds and volume tests per query",
                skinning.name()
            ),
            [
                "volume",
                "root",
                "level 4",
                "below",
                "refit",
                "all pairs",
                "tests",
                "perfect",
                "yes or no",
                "tests",
            ],
        );
        let tests = |result: &Result| Cell::Number(result.stats.node_visits as f64 / count as f64, "");
        for (measured, ((all, first), perfect)) in measured.iter().zip(all.iter().zip(&first).zip(&perfect)) {
            let [root, middle, below] = measured.tightness.map(Cell::ratio);
            table.row([
                measured.name.into(),
                root,
                middle,
                below,
                Cell::Number(measured.refit, "ns"),
                Cell::Number(all.mean(), "us"),
                tests(all),
                if measured.name == BoundingSphere::NAME { "".into() } else { tests(perfect) },
                Cell::Number(first.mean(), "us"),
                tests(first),
            ]);
        }
        for (volume, name) in [(VolumeKind::Box, "supple's boxes"), (VolumeKind::Sphere, "supple's spheres")]
        {
            table.row(of_library(creature, skinning, volume, name, &frames, rounds));
        }
        experiment.tables.push(table);
    }
    experiment
}

fn measure<V: Volume>(run: &Run, creature: &Walker, skinning: Skinning, frames: &[Frame]) -> Measured {
    let mut body: supple_papers::Body<V> = creature.body(skinning, on_demand(skinning));
    let pose = &frames[frames.len() / 2].poses[0];
    body.set_pose(pose, &Isometry::IDENTITY).expect("the pose fits");
    let tightness = summary(&supple_papers::tightness(&mut body));
    let count = creature.tree.nodes().len();
    let times = take_turns(run.options.count(1, 7), &mut [&mut || refit_all(&mut body, pose)]);
    Measured { name: V::NAME, tightness, refit: 1000.0 * times.microseconds(0) / count as f64 }
}

/// A row for the library, on its own tree: all pairs.
fn of_library(
    creature: &Walker,
    skinning: Skinning,
    volume: VolumeKind,
    name: &str,
    frames: &[Frame],
    rounds: usize,
) -> [Cell; 10] {
    let body = Body::new(&creature.shape, skinning).expect("the rest pose fits");
    let mut bodies = [body.clone(), body];
    let options = CollideOptions::default().with_volume(volume);
    let (mut stats, mut time) = (QueryStats::default(), 0.0);
    let mut tightness = Vec::new();
    for (number, frame) in frames.iter().enumerate() {
        let mut ask = || {
            let [a, b] = &mut bodies;
            a.set_pose_at(&frame.poses[0], frame.placements[0]).expect("the pose fits");
            b.set_pose_at(&frame.poses[1], frame.placements[1]).expect("the pose fits");
            collide_with(a, b, &options)
        };
        stats += ask().stats;
        let again = &mut || {
            std::hint::black_box(ask());
        };
        time += take_turns(rounds, &mut [again]).microseconds(0);
        if number == frames.len() / 2 {
            tightness = supple_papers::library_tightness(&mut bodies[0], volume);
        }
    }
    let [root, middle, below] = summary(&tightness).map(Cell::ratio);
    let count = frames.len() as f64;
    let visits = Cell::Number(stats.node_visits as f64 / count, "");
    [
        name.into(),
        root,
        middle,
        below,
        "".into(),
        Cell::Number(time / count, "us"),
        visits,
        "".into(),
        "".into(),
        "".into(),
    ]
}

/// Tightness of the root, of the fourth level, and of all nodes below.
fn summary(levels: &[supple_papers::LevelTightness]) -> [f64; 3] {
    let below = &levels[4.min(levels.len() - 1)..];
    let nodes: usize = below.iter().map(|level| level.nodes).sum();
    let mean = below.iter().map(|level| level.mean * level.nodes as f64).sum::<f64>() / nodes.max(1) as f64;
    [levels[0].mean, levels[3.min(levels.len() - 1)].mean, mean]
}

fn contest_of(
    creature: &Walker,
    skinning: Skinning,
    method: Method,
    frames: &[Frame],
    wanted: Wanted,
    rounds: usize,
) -> Vec<Result> {
    fn side<V: Volume>(creature: &Walker, skinning: Skinning, method: Method) -> Box<dyn Side> {
        Box::new(Reference::<V>::new(V::NAME, &creature.model, skinning, creature.tree.clone(), method, 2))
    }
    let mut sides = [
        side::<BoundingSphere>(creature, skinning, method),
        side::<Slabs<3>>(creature, skinning, method),
        side::<Slabs<7>>(creature, skinning, method),
        side::<Slabs<9>>(creature, skinning, method),
        side::<Slabs<13>>(creature, skinning, method),
    ];
    let mut sides: Vec<&mut dyn Side> = sides.iter_mut().map(|side| &mut **side as &mut dyn Side).collect();
    contest(&mut sides, frames, wanted, rounds)
}
