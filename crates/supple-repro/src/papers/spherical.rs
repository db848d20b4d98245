//! Collision detection for spherical blend skinning, and the dual quaternion column that the thesis could not have.
//!
//! Based on: L. Kavan, Real-time Skeletal Animation, 2007, chapter 6; L. Kavan, C. O'Sullivan, J. Zara, Efficient collision
//! detection for spherical blend skinning, 2006.

use glam::{Quat, Vec3};
use supple::{Isometry, Pose, Skinning};
use supple_draw::Colour;
use supple_papers::BoundingSphere;

use super::Run;
use super::linear::{MEETINGS, meeting_frames};
use super::walkers::{
    Walker, best_sizes, level_ratio, mean_sizes, on_demand, refit_all, spheres_of_level, thesis_ratio,
};
use crate::measure::take_turns;
use crate::report::picture::{Panel, Picture, View, side_by_side};
use crate::report::{Better, Cell, Comparison, Expected, Experiment, Section, Table};

/// Tables 6.1 and 6.2.
pub fn section(run: &mut Run) -> Section {
    (run.progress)("chapter 6: trees");
    let [man, creature] = ["man", "creature"].map(|name| Walker::new(name, 0));
    Section {
        title: "Spherical and dual quaternion skinning: spheres on demand".to_owned(),
        idea: "The same for skins that average rotations or dual quaternions, where pieces bulge out of the \
               shapes that the bones span.".to_owned(),
        citation: "L. Kavan, Real-time Skeletal Animation, PhD thesis, 2007, chapter 6; L. Kavan, C. O'Sullivan, J. Zara, Efficient collision detection for \
                   spherical blend skinning, GRAPHITE 2006."
            .to_owned(),
        experiments: vec![table_6_1(run, &creature), table_6_2(run, &man, &creature)],
    }
}

/// The thesis' radii: reference, linear, spherical, best.
const THESIS: [[f64; 4]; 9] = [
    [34.55, 72.17, 79.55, 34.41],
    [18.86, 31.58, 33.95, 22.05],
    [7.38, 8.40, 8.89, 7.39],
    [3.68, 4.03, 4.12, 3.69],
    [1.69, 1.80, 1.83, 1.70],
    [0.91, 0.97, 0.98, 0.92],
    [0.61, 0.65, 0.66, 0.61],
    [0.42, 0.43, 0.43, 0.42],
    [0.30, 0.30, 0.30, 0.30],
];

/// The creature walks and turns its neck far.
fn twisted(creature: &Walker) -> Pose {
    let model = &creature.model;
    let clip = model.clip("walk").expect("the creature walks");
    let mut pose = model.sample(clip, 0.4 * clip.duration()).expect("the clip fits");
    let neck: Vec<usize> = (0..model.skeleton().nodes().len())
        .filter(|&node| model.skeleton().nodes()[node].name.to_lowercase().contains("neck"))
        .collect();
    for &node in &neck {
        let turn = Quat::from_rotation_y(1.9 / neck.len() as f32);
        pose.nodes[node].rotation = turn * pose.nodes[node].rotation;
    }
    pose
}

/// Average radii per level, by skinning model.
fn table_6_1(run: &mut Run, creature: &Walker) -> Experiment {
    (run.progress)("table 6.1: radii");
    let mut experiment = Experiment::new(
        "Table 6.1 and figure 6.4: average radii of spheres",
        "The creature with a twisted neck: spheres for linear and for spherical blending are nearly of the same size, and close to the best below the second level.",
        "The zoo's creature in its walk with a neck that is turned by 109 degrees. Best is of the spherically blended vertices. Spheres for dual quaternions bound a \
         segment per blending coefficient.",
    );
    let pose = twisted(creature);
    let posed = |skinning: Skinning| -> supple_papers::Body<BoundingSphere> {
        let mut body = creature.body(skinning, on_demand(skinning));
        body.set_pose(&pose, &Isometry::IDENTITY).expect("the pose fits");
        body
    };
    let mut bodies = Skinning::ALL.map(posed);
    let [linear, spherical, dual] = bodies.each_mut().map(mean_sizes);
    let vertices = |skinning| creature.model.posed(&pose, skinning).expect("the pose fits").positions();
    let best = |skinning| best_sizes::<BoundingSphere>(&creature.tree, &creature.model, &vertices(skinning));
    let (of_linear, of_spherical, of_dual) =
        (best(Skinning::Linear), best(Skinning::Spherical), best(Skinning::DualQuaternion));
    let mut table = Table::new(
        "Radii divided by the best of the same skin (thesis: of the spherical one)",
        ["level", "thesis linear", "spherical", "here radius", "linear", "spherical", "dual quaternion"],
    );
    for level in 0..of_linear.len().max(THESIS.len()) {
        table.row([
            (level + 1).into(),
            thesis_ratio(&THESIS, level, 1),
            thesis_ratio(&THESIS, level, 2),
            of_spherical.get(level).map_or("".into(), |radius| Cell::Number(*radius, "m")),
            level_ratio(level, &linear, &of_linear),
            level_ratio(level, &spherical, &of_spherical),
            level_ratio(level, &dual, &of_dual),
        ]);
    }
    experiment.tables.push(table);
    let root = |sizes: &[f64], best: &[f64]| sizes[0] / best[0];
    let below = |sizes: &[f64], best: &[f64]| {
        let levels = 2..sizes.len().min(9);
        levels.clone().map(|level| sizes[level] / best[level]).sum::<f64>() / levels.len() as f64
    };
    let thesis_below = THESIS[2..].iter().map(|row| row[2] / row[3]).sum::<f64>() / 7.0;
    for (name, sizes, best) in
        [("spherical", &spherical, &of_spherical), ("dual quaternion", &dual, &of_dual)]
    {
        experiment.comparisons.extend([
            Comparison::new(
                format!("{name} / best at the root"),
                Expected::About(79.55 / 34.41),
                root(sizes, best),
                Better::Lower,
                "one sphere for all joints: how far the joints' images lie apart decides",
            ),
            Comparison::new(
                format!("{name} / best, mean of levels 3 to 9"),
                Expected::About(thesis_below),
                below(sizes, best),
                Better::Lower,
                "weights vary more inside of a node where blended regions are wide; the cap takes the whole node's sphere for every joint-set",
            ),
        ]);
    }
    experiment.pictures.push(figure_6_4(creature, &pose, &mut bodies));
    experiment
}

fn figure_6_4(
    creature: &Walker,
    pose: &Pose,
    bodies: &mut [supple_papers::Body<BoundingSphere>; 3],
) -> Picture {
    let positions = Skinning::ALL
        .map(|skinning| creature.model.posed(pose, skinning).expect("the pose fits").positions());
    let mut spheres = Vec::new();
    for body in bodies {
        spheres.push(spheres_of_level(body, 3, |_, _| Colour::BLUE));
    }
    let labels = ["linear", "spherical", "dual quaternion"];
    let panels: Vec<Panel> = labels
        .iter()
        .zip(positions.iter().zip(&spheres))
        .map(|(label, (positions, spheres))| Panel {
            label,
            positions,
            triangles: creature.model.mesh().triangles(),
            spheres,
        })
        .collect();
    side_by_side(
        "Spheres of level 4 for three skinning models, as in figure 6.4",
        &View::around(&positions[0], Vec3::new(1.0, 0.4, 0.5), [400, 340]),
        &panels,
    )
}

/// The thesis' times in milliseconds: linear, spherical, and bottom-up for the spherical skin (paper, table 2).
const TIMES: [[f64; 3]; 3] = [[0.27, 0.31, 16.70], [6.14, 7.47, 35.17], [0.72, 1.44, 28.67]];

/// Times of queries, by skinning model.
fn table_6_2(run: &mut Run, man: &Walker, creature: &Walker) -> Experiment {
    let (count, rounds) = (run.options.count(4, 30), run.options.count(1, 3));
    let mut experiment = Experiment::new(
        "Table 6.2: times of queries",
        "The meetings of chapter 5 with linear and spherical blending: 0.27 and 0.31 ms (men), 6.14 and 7.47 (creatures, all pairs), 0.72 and 1.44 (yes or no); bottom-up for the \
         spherical skin 16.7, 35.17 and 28.67 (paper, table 2). Refitting takes 1.31 microseconds per sphere, linear about 1.",
        format!(
            "The meetings of section 5.4 with three skins, {count} frames, median of {rounds}; sides as there."
        ),
    );
    let mut table = Table::new(
        "Mean microseconds per frame, and as ratios to linear",
        ["meeting", "thesis", "linear", "spherical", "ratio", "dual", "ratio"],
    );
    let mut own_table = Table::new(
        "The library's boxes: mean microseconds per frame, and as ratios to linear",
        ["meeting", "linear", "spherical", "ratio", "dual", "ratio"],
    );
    let mut speed_ups = Table::new(
        "Bottom-up divided by on demand",
        ["meeting", "paper spherical", "linear", "spherical", "dual", "supple linear", "spherical", "dual"],
    );
    for (meeting, ((name, question), thesis)) in MEETINGS.into_iter().zip(TIMES).enumerate() {
        let walker = if meeting == 0 { man } else { creature };
        let frames = meeting_frames(meeting, man, creature, count);
        let results = Skinning::ALL.map(|skinning| {
            (run.progress)(&format!("table 6.2: {name}, {} skinning", skinning.name()));
            walker.contest(skinning, &frames, question, rounds)
        });
        let [linear, spherical, dual] = &results;
        let to_linear = |of: &[super::contest::Result], side: usize| of[side].total() / linear[side].total();
        table.row([
            name.into(),
            Cell::ratio(thesis[1] / thesis[0]),
            Cell::Number(linear[0].mean(), "us"),
            Cell::Number(spherical[0].mean(), "us"),
            Cell::ratio(to_linear(spherical, 0)),
            Cell::Number(dual[0].mean(), "us"),
            Cell::ratio(to_linear(dual, 0)),
        ]);
        own_table.row([
            name.into(),
            Cell::Number(linear[2].mean(), "us"),
            Cell::Number(spherical[2].mean(), "us"),
            Cell::ratio(to_linear(spherical, 2)),
            Cell::Number(dual[2].mean(), "us"),
            Cell::ratio(to_linear(dual, 2)),
        ]);
        let speed_up = |of: &[super::contest::Result], fast: usize| of[fast + 1].total() / of[fast].total();
        let engine = results.each_ref().map(|of| Cell::ratio(speed_up(of, 0)));
        let own = results.each_ref().map(|of| Cell::ratio(speed_up(of, 2)));
        speed_ups.row([name.into(), Cell::ratio(thesis[2] / thesis[1])].into_iter().chain(engine).chain(own));
        experiment.comparisons.extend([
            Comparison::new(
                format!("{name}: spherical / linear on demand"),
                Expected::About(thesis[1] / thesis[0]),
                to_linear(spherical, 0),
                Better::Lower,
                "a cap takes roots and an arc cosine per joint-set and node, and allocates; the sums of linear blending gained more from today's processors",
            ),
            Comparison::new(
                format!("{name}: bottom-up / on demand, spherical"),
                Expected::About(thesis[2] / thesis[1]),
                speed_up(spherical, 0),
                Better::Higher,
                "how much of the meeting is in contact is not known of the paper; vertices are deformed eight at a time before going bottom-up",
            ),
        ]);
    }
    experiment.tables.extend([table, own_table, speed_ups]);
    experiment.tables.push(refit_spheres(run, man, &mut experiment.comparisons));
    experiment
}

/// All spheres of the man, by skinning model.
fn refit_spheres(run: &mut Run, man: &Walker, comparisons: &mut Vec<Comparison>) -> Table {
    let pose = &man.meeting(2, 1.0, 0.5)[1].poses[0];
    let nodes = man.tree.nodes().len();
    let mut bodies: [supple_papers::Body<BoundingSphere>; 3] =
        Skinning::ALL.map(|skinning| man.body(skinning, on_demand(skinning)));
    let [linear, spherical, dual] = &mut bodies;
    let times = take_turns(
        run.options.count(3, 15),
        &mut [&mut || refit_all(linear, pose), &mut || refit_all(spherical, pose), &mut || {
            refit_all(dual, pose)
        }],
    );
    let each = |side: usize| Cell::Number(1000.0 * times.microseconds(side) / nodes as f64, "ns");
    let mut table = Table::new(
        "Refitting all spheres of the man, nanoseconds per sphere",
        ["", "spheres", "linear", "spherical", "ratio", "dual quaternion", "ratio"],
    );
    table.row([
        "thesis".into(),
        15_339.into(),
        Cell::Number(988.0, "ns"),
        Cell::Number(1314.0, "ns"),
        Cell::ratio(20.15 / 15.16),
        "".into(),
        "".into(),
    ]);
    table.row([
        "here".into(),
        nodes.into(),
        each(0),
        each(1),
        Cell::ratio(times.ratio(1, 0)),
        each(2),
        Cell::ratio(times.ratio(2, 0)),
    ]);
    comparisons.push(Comparison::new(
        "refitting all spheres: spherical / linear",
        Expected::About(20.15 / 15.16),
        times.ratio(1, 0),
        Better::Lower,
        "a cap takes roots and an arc cosine per joint-set and node, a linear blend only sums",
    ));
    table
}
