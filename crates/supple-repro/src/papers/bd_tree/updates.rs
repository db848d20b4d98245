//! What an update of one volume costs, and temporal coherence.

use supple::{Isometry, Pose, QueryStats};
use supple_papers::{BoundingSphere, Method, Slabs, Volume, Walk};
use supple_report::clock::{median, microseconds};

use super::Flexible;
use crate::measure::take_turns;
use crate::papers::Run;
use crate::papers::walkers::refit_all;
use crate::report::{Better, Cell, Comparison, Expected, Experiment, Table};

/// A pose in the middle of the model's clip.
fn pose(model: &Flexible) -> Pose {
    let clip = &model.model.clips()[0];
    model.model.sample(clip, 0.37 * clip.duration()).expect("the clip fits")
}

/// Nanoseconds per node to refit all of them.
fn refit_time<V: Volume>(run: &Run, model: &Flexible, pose: &Pose, coherent: bool) -> f64 {
    let mut body: supple_papers::Body<V> = model.body(Method::Fields);
    if coherent {
        body = body.with_coherence(f64::INFINITY);
    }
    let nodes = model.tree.nodes().len();
    let all = &mut || refit_all(&mut body, pose);
    1000.0 * take_turns(run.options.count(1, 9), &mut [all]).microseconds(0) / nodes as f64
}

/// Spheres, boxes and k-DOPs, with ten fields.
pub fn per_sphere(run: &mut Run, chair: &Flexible, bridge: &Flexible) -> Experiment {
    (run.progress)("section 4: microseconds per sphere");
    let mut experiment = Experiment::new(
        "Sections 3.2, 3.5 and 4: the cost of an update",
        "A sphere of the chair or the bridge (M = 10) is updated in about 0.75 microseconds; 8 M operations for a sphere, 12 M for a box; one multiplication and \
         addition with temporal coherence (equation 11).",
        "All volumes of the tree, one by one. \"Coherent\" lets spheres of the last pose grow. Numbers are f64, one at a time.",
    );
    let mut table = Table::new(
        "Nanoseconds per volume",
        ["model", "sphere", "coherent", "box", "14-dop", "18-dop", "26-dop", "box / sphere"],
    );
    let mut ratio = f64::NAN;
    // What is stored for the bridge takes seconds to compute.
    let models = if run.options.quick { vec![chair] } else { vec![bridge, chair] };
    for model in models {
        let pose = pose(model);
        let times = [
            refit_time::<BoundingSphere>(run, model, &pose, false),
            refit_time::<BoundingSphere>(run, model, &pose, true),
            refit_time::<Slabs<3>>(run, model, &pose, false),
            refit_time::<Slabs<7>>(run, model, &pose, false),
            refit_time::<Slabs<9>>(run, model, &pose, false),
            refit_time::<Slabs<13>>(run, model, &pose, false),
        ];
        ratio = times[2] / times[0];
        let cells = times.map(|time| Cell::Number(time, "ns"));
        table.row([model.name.into()].into_iter().chain(cells).chain([Cell::ratio(ratio)]));
    }
    experiment.tables.push(table);
    experiment.comparisons.push(Comparison::new(
        "box / sphere, the chair",
        Expected::About(1.5),
        ratio,
        Better::Lower,
        "what is counted in operations takes its time in memory: 48 bytes per field of a box, 32 of a sphere",
    ));
    experiment
}

/// Two chairs that vibrate beside each other, with spheres that may grow.
pub fn coherence(run: &mut Run, chair: &Flexible) -> Experiment {
    (run.progress)("section 3.5: temporal coherence");
    let (frames, rounds) = (run.options.count(20, 240), run.options.count(1, 3));
    let mut experiment = Experiment::new(
        "Section 3.5: temporal coherence",
        "Equation 11: a sphere stays where it was and grows by one product. No numbers are given.",
        format!(
            "Two of the zoo's chairs in contact, {frames} frames at 240 per second of their clip, all pairs. A sphere that would have to grow by more than a share of its \
             radius is centerd anew. Median of {rounds}."
        ),
    );
    let mut table =
        Table::new("Means per frame", ["may grow by", "centerd anew", "volume tests", "time", "to without"]);
    let clip = &chair.model.clips()[0];
    let poses: Vec<Pose> = (0..frames)
        .map(|i| chair.model.sample_looped(clip, i as f64 / 240.0).expect("the clip fits"))
        .collect();
    let placements = [
        Isometry::IDENTITY,
        Isometry::new(glam::DQuat::from_rotation_y(0.7), glam::DVec3::new(0.33, 0.05, 0.1)),
    ];
    let mut without = f64::NAN;
    for tolerance in [None, Some(0.01), Some(0.03), Some(0.1), Some(0.3)] {
        let mut stats = QueryStats::default();
        let mut times = Vec::new();
        for _ in 0..rounds {
            let body: supple_papers::Body<BoundingSphere> = chair.body(Method::Fields);
            let mut bodies = [body.clone(), body];
            if let Some(tolerance) = tolerance {
                bodies = bodies.map(|body| body.with_coherence(tolerance));
            }
            stats = QueryStats::default();
            let (time, ()) = microseconds(|| {
                for (i, pose) in poses.iter().enumerate() {
                    let [a, b] = &mut bodies;
                    a.set_pose(pose, &placements[0]).expect("the pose fits");
                    b.set_pose(&poses[(i + frames / 3) % frames], &placements[1]).expect("the pose fits");
                    stats += supple_papers::collide(a, b, Walk::default()).1;
                }
            });
            times.push(time / frames as f64);
        }
        let time = median(times);
        let name = match tolerance {
            None => {
                without = time;
                "(without)".to_owned()
            }
            Some(tolerance) => format!("{tolerance}"),
        };
        let per_frame = |count: u64| Cell::Number(count as f64 / frames as f64, "");
        table.row([
            name.into(),
            per_frame(stats.refits),
            per_frame(stats.node_visits),
            Cell::Number(time, "us"),
            Cell::ratio(time / without),
        ]);
    }
    experiment.tables.push(table);
    experiment
}
