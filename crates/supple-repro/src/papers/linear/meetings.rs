//! Two men meet, two creatures walk through each other, fifty walk together.

use glam::{DQuat, DVec3, Vec3};
use supple::{Isometry, Skinning};
use supple_draw::Colour;
use supple_papers::{BoundingSphere, Method, Walk};

use crate::measure::take_turns;
use crate::papers::Run;
use crate::papers::contest::{Frame, Result, Wanted};
use crate::papers::walkers::{Walker, refit_all, spheres_of_level};
use crate::report::picture::{Panel, Picture, View, side_by_side};
use crate::report::plot::{Axis, Kind, Plot};
use crate::report::{Better, Cell, Comparison, Expected, Experiment, Table};

/// Where men and creatures meet, and what is asked of them.
pub const MEETINGS: [(&str, Wanted); 3] = [
    ("men, all pairs", Wanted::All),
    ("creatures, all pairs", Wanted::All),
    ("creatures, yes or no", Wanted::Any),
];

/// Frames of a meeting: men stop when they touch, creatures go on through each other.
pub fn frames(meeting: usize, man: &Walker, creature: &Walker, count: usize) -> Vec<Frame> {
    match meeting {
        0 => man.meeting(count, 2.0, 0.42),
        _ => creature.meeting(count, 1.1 * creature.length(), -1.1 * creature.length()),
    }
}

/// On demand against bottom-up.
pub fn section_5_4(run: &mut Run, man: &Walker, creature: &Walker) -> Experiment {
    let (count, rounds) = (run.options.count(6, 40), run.options.count(1, 3));
    let mut experiment = Experiment::new(
        "Section 5.4 and figures 5.4, 5.5: men meet, creatures walk through each other",
        "Two men walk towards each other: 0.27 ms on demand, 13.6 ms bottom-up. Two creatures walk through each other: 6.14 and 32.7 ms for all pairs, 0.72 and \
         26.5 ms for yes or no. Refitting all 15,339 spheres of the man takes 15.16 ms on demand, 12.9 ms bottom-up.",
        format!(
            "The zoo's man and creature in their walks, {count} frames per meeting, median of {rounds}. On demand and bottom-up are the thesis' spheres in one scalar \
             engine; beside them the library's boxes on demand, and its vectorised bottom-up update after deforming all vertices. Pairs are compared on every frame."
        ),
    );
    let mut table = Table::new(
        "Mean time per frame; bottom-up divided by on demand",
        ["meeting", "thesis", "on demand", "bottom-up", "ratio", "supple", "bottom-up", "ratio"],
    );
    let thesis = [13.6 / 0.27, 32.7 / 6.14, 26.5 / 0.72];
    for (meeting, ((name, wanted), paper)) in MEETINGS.into_iter().zip(thesis).enumerate() {
        (run.progress)(&format!("section 5.4: {name}"));
        let walker = if meeting == 0 { man } else { creature };
        let frames = frames(meeting, man, creature, count);
        let results = walker.contest(Skinning::Linear, &frames, wanted, rounds);
        let ratio = |slow: usize, fast: usize| results[slow].total() / results[fast].total();
        table.row([
            name.into(),
            Cell::ratio(paper),
            Cell::Number(results[0].mean(), "us"),
            Cell::Number(results[1].mean(), "us"),
            Cell::ratio(ratio(1, 0)),
            Cell::Number(results[2].mean(), "us"),
            Cell::Number(results[3].mean(), "us"),
            Cell::ratio(ratio(3, 2)),
        ]);
        experiment.comparisons.extend([
            Comparison::new(
                format!("{name}: bottom-up / on demand"),
                Expected::About(paper),
                ratio(1, 0),
                Better::Higher,
                "how much of the meeting is in contact is not known of the thesis; its cost on demand follows that",
            ),
            Comparison::new(
                format!("{name}: supple's bottom-up / supple"),
                Expected::About(paper),
                ratio(3, 2),
                Better::Higher,
                "a vectorised update of all boxes costs a fiftieth of the thesis' of spheres, so less is saved by leaving it out",
            ),
        ]);
        experiment.plots.push(over_frames(name, &results));
    }
    experiment.tables.push(table);
    experiment.tables.push(refit_spheres(run, man, &mut experiment.comparisons));
    experiment.pictures.push(figure_5_4(man));
    experiment
}

fn over_frames(name: &str, results: &[Result]) -> Plot {
    let line = |result: &Result| -> Vec<[f64; 2]> {
        result.times.iter().enumerate().map(|(i, &time)| [i as f64, time]).collect()
    };
    Plot {
        title: format!("Time per frame: {name}"),
        kind: Kind::Lines {
            x: Axis::linear("frame"),
            series: results.iter().map(|result| (result.name.clone(), line(result))).collect(),
        },
        y: Axis::logarithmic("microseconds"),
    }
}

/// All spheres of the man, on demand and bottom-up.
fn refit_spheres(run: &mut Run, man: &Walker, comparisons: &mut Vec<Comparison>) -> Table {
    let rounds = run.options.count(3, 15);
    let pose = &man.meeting(2, 1.0, 0.5)[1].poses[0];
    let nodes = man.tree.nodes().len();
    let mut bodies =
        [Method::Linear, Method::BottomUp].map(|method| man.body::<BoundingSphere>(Skinning::Linear, method));
    let [on_demand, bottom_up] = &mut bodies;
    let times =
        take_turns(rounds, &mut [&mut || refit_all(on_demand, pose), &mut || refit_all(bottom_up, pose)]);
    let mut table = Table::new(
        "Refitting all spheres of the man; bottom-up includes deforming all vertices",
        ["", "spheres", "on demand", "per sphere", "bottom-up", "on demand / bottom-up"],
    );
    let row = |spheres: usize, on: f64, up: f64| {
        let each = Cell::Number(1000.0 * on / spheres as f64, "ns");
        [spheres.into(), Cell::Number(on, "us"), each, Cell::Number(up, "us"), Cell::ratio(on / up)]
    };
    let label = |name: &str, cells: [Cell; 5]| std::iter::once(Cell::from(name)).chain(cells);
    table.row(label("thesis", row(15_339, 15_160.0, 12_900.0)));
    table.row(label("here", row(nodes, times.microseconds(0), times.microseconds(1))));
    comparisons.push(Comparison::new(
        "refitting all spheres: on demand / bottom-up",
        Expected::About(15.16 / 12.9),
        times.ratio(0, 1),
        Better::Lower,
        "bottom-up deforms vertices eight at a time, on demand blends spheres one by one",
    ));
    table
}

/// Spheres that were refitted for a query, and those that were not.
fn figure_5_4(man: &Walker) -> Picture {
    let frame = &man.meeting(40, 2.0, 0.42)[34];
    let mut bodies = [(); 2].map(|()| man.body::<BoundingSphere>(Skinning::Linear, Method::Linear));
    for (body, (pose, placement)) in bodies.iter_mut().zip(frame.poses.iter().zip(&frame.placements)) {
        body.set_pose(pose, placement).expect("the pose fits");
    }
    let [a, b] = &mut bodies;
    supple_papers::collide(a, b, Walk::default());
    let asked = [a.clone(), b.clone()];
    let mut positions = Vec::new();
    let mut triangles = Vec::new();
    for (pose, placement) in frame.poses.iter().zip(&frame.placements) {
        let first = positions.len() as u32;
        positions
            .extend(man.model.posed_at(pose, Skinning::Linear, *placement).expect("it fits").positions());
        triangles.extend(man.model.mesh().triangles().iter().map(|t| t.map(|v| v + first)));
    }
    let levels: Vec<Vec<crate::report::picture::ColouredSphere>> = [4, 5]
        .into_iter()
        .map(|level| {
            let colour = |asked: &supple_papers::Body<BoundingSphere>, node: usize| {
                if asked.is_refitted(node) { Colour::BLUE } else { Colour::RED }
            };
            let [first, second] = &mut bodies;
            let mut spheres = spheres_of_level(first, level, |_, node| colour(&asked[0], node));
            spheres.extend(spheres_of_level(second, level, |_, node| colour(&asked[1], node)));
            spheres
        })
        .collect();
    let panels: Vec<Panel> = ["level 5", "level 6"]
        .iter()
        .zip(&levels)
        .map(|(label, spheres)| Panel { label, positions: &positions, triangles: &triangles, spheres })
        .collect();
    side_by_side(
        "Spheres of levels 5 and 6: refitted for the query in blue, not refitted in red, as in figure 5.4",
        &View::around(&positions, Vec3::new(1.0, 0.15, 0.1), [420, 420]),
        &panels,
    )
}

/// Fifty creatures in a herd.
pub fn figure_5_7(run: &mut Run, creature: &Walker) -> Experiment {
    (run.progress)("figure 5.7: fifty creatures");
    let (count, rounds) = (run.options.count(1, 6), run.options.count(1, 3));
    let herd = if run.options.quick { 16 } else { 50 };
    let mut experiment = Experiment::new(
        "Figure 5.7: fifty creatures walk closely together",
        "Fifty creatures, 650,000 triangles: 52.83 ms per frame on demand, 779.3 ms bottom-up, 15 times more.",
        format!(
            "{herd} of the zoo's creatures in a herd that walks out of step, {count} frames, median of {rounds}. All pairs of creatures are asked, one thread; the \
             roots of most are apart."
        ),
    );
    let clip = creature.model.clip("walk").expect("creatures walk");
    let (long, wide) = (0.72 * creature.length(), 0.30 * creature.length());
    let frame = |i: usize| {
        let mut frame = Frame { poses: Vec::new(), placements: Vec::new() };
        for n in 0..herd {
            let time = 0.21 * i as f64 + 0.13 * n as f64;
            frame.poses.push(creature.model.sample_looped(clip, time).expect("the clip fits"));
            let at = DVec3::new(
                wide * (n % 10) as f64 + 0.04 * (1.3 * n as f64).sin(),
                0.0,
                long * (n / 10) as f64,
            );
            frame.placements.push(Isometry::new(DQuat::from_rotation_y(0.12 * (2.1 * n as f64).sin()), at));
        }
        frame
    };
    let frames: Vec<Frame> = (0..count).map(frame).collect();
    let results = creature.contest(Skinning::Linear, &frames, Wanted::All, rounds);
    let mut table = Table::new("Mean time per frame", ["", "time", "to bottom-up", "touching pairs"]);
    let pairs = results[0].pairs.iter().sum::<usize>() as f64 / results[0].pairs.len() as f64;
    for (side, result) in results.iter().enumerate() {
        let up = &results[side / 2 * 2 + 1];
        table.row([
            result.name.clone().into(),
            Cell::Number(result.mean() / 1000.0, "ms"),
            Cell::ratio(up.total() / result.total()),
            Cell::Number(pairs, ""),
        ]);
    }
    experiment.tables.push(table);
    for (name, slow, fast) in [("bottom-up / on demand", 1, 0), ("supple's bottom-up / supple", 3, 2)] {
        experiment.comparisons.push(Comparison::new(
            name,
            Expected::About(779.3 / 52.83),
            results[slow].total() / results[fast].total(),
            Better::Higher,
            "how closely the creatures walk decides it; here neighbours touch all the time",
        ));
    }
    experiment
}
