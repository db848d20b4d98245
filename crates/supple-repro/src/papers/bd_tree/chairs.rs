//! A heap of chairs: flexible against rigid, at bounded depth.

use std::sync::Arc;

use glam::{DVec3, Vec3};
use supple::{Isometry, Model, QueryStats, Skinning};
use supple_draw::Colour;
use supple_papers::{BoundingSphere, Method, Volume};

use super::Flexible;
use crate::measure::take_turns;
use crate::papers::Run;
use crate::papers::walkers::spheres_of_level;
use crate::random::Random;
use crate::report::picture::{Panel, Picture, View, side_by_side};
use crate::report::{Better, Cell, Comparison, Expected, Experiment, Table};

const COUNT: usize = 12;
/// At which collisions of chairs are resolved in the paper.
const LEVEL: usize = 10;

/// A heap: chairs thrown into a space of a few chairs' size.
fn heap() -> Vec<Isometry> {
    let mut random = Random::new(5);
    let placement = |i: usize| {
        let at = DVec3::new(random.between(0.0, 1.6), 0.25 * i as f64, random.between(0.0, 1.6));
        Isometry::new(random.rotation(), at)
    };
    (0..COUNT).map(placement).collect()
}

/// Contacts of all pairs of bodies.
fn contacts(bodies: &mut [supple_papers::Body<BoundingSphere>]) -> (usize, QueryStats) {
    let (mut count, mut stats) = (0, QueryStats::default());
    for second in 1..bodies.len() {
        let (before, after) = bodies.split_at_mut(second);
        for first in before {
            let (pairs, cost) = supple_papers::contacts(first, &mut after[0], LEVEL);
            count += pairs.len();
            stats += cost;
        }
    }
    (count, stats)
}

/// Pairs of bodies whose root spheres overlap: the broad phase.
fn near(bodies: &mut [supple_papers::Body<BoundingSphere>]) -> usize {
    let root = |body: &mut supple_papers::Body<BoundingSphere>| {
        let sphere = body.volume(0, false, &mut QueryStats::default());
        BoundingSphere { center: body.frame().transform_point3(sphere.center), ..sphere }
    };
    let roots: Vec<BoundingSphere> = bodies.iter_mut().map(root).collect();
    (1..roots.len()).map(|b| roots[..b].iter().filter(|a| a.overlaps(&roots[b])).count()).sum()
}

/// "Only twice as expensive as the rigid case."
pub fn rigid_and_flexible(run: &mut Run, chair: &Flexible) -> Experiment {
    (run.progress)("section 4: chairs, rigid and flexible");
    let rounds = run.options.count(3, 21);
    let mut experiment = Experiment::new(
        "Section 4 and figures 1, 7: a heap of chairs",
        "3,601 chairs fall to the ground, collisions are resolved at level 10 of the trees: 2.1 seconds per step where chairs flex, 1.1 where they are rigid, with 1.6 and 1.1 \
         billion contacts in all. Collision processing is only twice as expensive.",
        format!(
            "{COUNT} of the zoo's chairs in a heap, one step: all pairs of chairs, trees cut off at level 10 whose upper spheres wrap those of that level. Rigid chairs have the same \
             tree and no fields. The simulation itself is `supple-lab drop chairs`. Median of {rounds}."
        ),
    );
    let clip = &chair.model.clips()[0];
    let poses: Vec<_> = (0..COUNT)
        .map(|i| chair.model.sample_looped(clip, 0.17 * i as f64).expect("the clip fits"))
        .collect();
    let placements = heap();
    let statue = Arc::new(Model::rigid(chair.model.mesh().clone()));
    let wrapping = |model: &Arc<Model>| {
        let shape = supple_papers::Shape::<BoundingSphere>::new(
            model,
            Skinning::Linear,
            chair.tree.clone(),
            Method::Fields,
        )
        .and_then(|shape| shape.wrapping_level(LEVEL))
        .expect("chairs have fields, or none");
        vec![supple_papers::Body::new(&Arc::new(shape)).expect("the chair's joint is rigid"); COUNT]
    };
    let (mut flexible, mut rigid) = (wrapping(&chair.model), wrapping(&statue));
    let rest = statue.rest_pose();

    let mut found = [(0, QueryStats::default()); 2];
    let [found_flexible, found_rigid] = &mut found;
    let times = take_turns(
        rounds,
        &mut [
            &mut || {
                for (body, (pose, placement)) in flexible.iter_mut().zip(poses.iter().zip(&placements)) {
                    body.set_pose(pose, placement).expect("the pose fits");
                }
                *found_flexible = contacts(&mut flexible);
            },
            &mut || {
                for (body, placement) in rigid.iter_mut().zip(&placements) {
                    body.set_pose(&rest, placement).expect("the pose fits");
                }
                *found_rigid = contacts(&mut rigid);
            },
        ],
    );
    let mut table = Table::new(
        "One step; near are pairs of chairs whose root spheres overlap",
        ["chairs", "pairs", "near", "contacts", "sphere tests", "updates", "time", "to rigid"],
    );
    for (side, name) in ["flexible", "rigid"].into_iter().enumerate() {
        let (count, stats) = found[side];
        table.row([
            name.into(),
            (COUNT * (COUNT - 1) / 2).into(),
            near(if side == 0 { &mut flexible } else { &mut rigid }).into(),
            count.into(),
            (stats.node_visits as usize).into(),
            (stats.refits as usize).into(),
            Cell::Number(times.microseconds(side), "us"),
            Cell::ratio(times.ratio(side, 1)),
        ]);
    }
    experiment.tables.push(table);
    experiment.comparisons.push(Comparison::new(
        "flexible / rigid, time of a step",
        Expected::AtMost(2.1 / 1.1),
        times.ratio(0, 1),
        Better::Lower,
        "one step has few tests per updated sphere; the rigid spheres of this comparison are never updated",
    ));
    experiment.pictures.push(picture(chair, &poses, &placements, &flexible));
    experiment
}

/// Spheres of a level that were updated, and those that were not.
fn picture(
    chair: &Flexible,
    poses: &[supple::Pose],
    placements: &[Isometry],
    bodies: &[supple_papers::Body<BoundingSphere>],
) -> Picture {
    let (mut positions, mut triangles, mut spheres) = (Vec::new(), Vec::new(), Vec::new());
    for ((pose, placement), body) in poses.iter().zip(placements).zip(bodies) {
        let first = positions.len() as u32;
        positions
            .extend(chair.model.posed_at(pose, Skinning::Linear, *placement).expect("it fits").positions());
        triangles.extend(chair.model.mesh().triangles().iter().map(|t| t.map(|v| v + first)));
        spheres.extend(spheres_of_level(&mut body.clone(), 7, |_, node| {
            if body.is_refitted(node) { Colour::BLUE } else { Colour::RED }
        }));
    }
    let updated: Vec<_> = spheres.iter().filter(|sphere| sphere.colour == Colour::BLUE).copied().collect();
    let view = View::around(&positions, Vec3::new(0.5, 0.3, 1.0), [420, 460]);
    let panel = |label, spheres| Panel { label, positions: &positions, triangles: &triangles, spheres };
    side_by_side(
        "The heap; spheres of level 7 that were updated for one step; those that were not, in red",
        &view,
        &[panel("chairs", &[]), panel("updated", &updated), panel("all of level 7", &spheres)],
    )
}
