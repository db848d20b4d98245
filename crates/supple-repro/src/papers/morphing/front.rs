//! Front tracking, which two of the papers name as future work: a walk that begins where the last one ended.

use supple::{Model, QueryStats, Skinning};
use supple_papers::{Body, Front, Method, Slabs, Tree, Walk, collide, collide_from};

use super::blobs::{Blobs, STEPS, frame};
use crate::measure::take_turns;
use crate::papers::Run;
use crate::papers::contest::{Frame, reference_body};
use crate::papers::walkers::Walker;
use crate::report::{Cell, Experiment, Table};

/// Boxes: the papers' own choice for morphs.
type Boxes = Body<Slabs<3>>;

/// Steps that follow each other, and steps that are four times as large.
pub fn tracking(run: &mut Run, blobs: &Blobs) -> Experiment {
    (run.progress)("future work: front tracking");
    let rounds = run.options.count(1, 5);
    let mut experiment = Experiment::new(
        "Future work: front tracking",
        "Between frames the pairs of nodes at which a traversal ends hardly change (morphing, section 6; BD-Tree, section 5): it could start there. No numbers are given.",
        format!(
            "One scalar engine, boxes on demand, trees of up to eight children: from the roots, and from the pairs at which the last frame ended, which are raised and lowered where needed. Blobs that pass \
             through each other in steps as in figure 5 and in steps four times as large; creatures that walk through each other. All pairs, median of {rounds}."
        ),
    );
    let mut table = Table::new(
        "Means per frame",
        ["frames", "visits", "from a front", "refits", "from a front", "time", "from a front", "ratio"],
    );
    let some = if run.options.quick { 20..60 } else { 0..STEPS };
    let fine: Vec<Frame> = some.clone().map(|step| frame(&blobs.model, step)).collect();
    let coarse: Vec<Frame> = some.step_by(4).map(|step| frame(&blobs.model, step)).collect();
    let creature = Walker::new("creature", 0);
    let count = run.options.count(20, 200);
    let walking = creature.meeting(count, 1.1 * creature.length(), -1.1 * creature.length());
    let boxes = |model, method| -> Boxes { reference_body(model, Skinning::Linear, octants(model), method) };
    let blob = boxes(&blobs.model, Method::Morph { between: 0 });
    let walker = boxes(&creature.model, Method::Linear);
    for (name, body, frames) in
        [("blobs", &blob, fine), ("blobs, larger steps", &blob, coarse), ("creatures", &walker, walking)]
    {
        let [from_roots, from_front] = compare(body, &frames, rounds);
        let mean = |value: f64| Cell::Number(value / frames.len() as f64, "");
        table.row([
            name.into(),
            mean(from_roots.0.node_visits as f64),
            mean(from_front.0.node_visits as f64),
            mean(from_roots.0.refits as f64),
            mean(from_front.0.refits as f64),
            Cell::Number(from_roots.1 / frames.len() as f64, "us"),
            Cell::Number(from_front.1 / frames.len() as f64, "us"),
            Cell::ratio(from_front.1 / from_roots.1),
        ]);
    }
    experiment.tables.push(table);
    experiment
}

fn octants(model: &Model) -> Tree {
    Tree::octants(model.mesh().positions(), model.mesh().triangles())
}

/// Counters and microseconds of all frames, from the roots and from a front.
fn compare(body: &Boxes, frames: &[Frame], rounds: usize) -> [(QueryStats, f64); 2] {
    let play = |mut front: Option<Front>| {
        let mut stats = QueryStats::default();
        let mut pairs = 0;
        let [mut a, mut b] = [body.clone(), body.clone()];
        for frame in frames {
            a.set_pose(&frame.poses[0], &frame.placements[0]).expect("the pose fits");
            b.set_pose(&frame.poses[1], &frame.placements[1]).expect("the pose fits");
            let (found, cost) = match &mut front {
                None => collide(&mut a, &mut b, Walk::default()),
                Some(front) => collide_from(front, &mut a, &mut b),
            };
            stats += cost;
            pairs += found.len();
        }
        (stats, pairs)
    };
    let (roots, front) = (play(None), play(Some(Front::default())));
    assert_eq!(roots.1, front.1, "a front finds the same pairs");
    let turns: &mut [&mut dyn FnMut()] = &mut [
        &mut || {
            std::hint::black_box(play(None));
        },
        &mut || {
            std::hint::black_box(play(Some(Front::default())));
        },
    ];
    let times = take_turns(rounds, turns);
    [(roots.0, times.microseconds(0)), (front.0, times.microseconds(1))]
}
