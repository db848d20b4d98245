//! Dwarves of growing detail: how the cost follows the size of the mesh.

use std::sync::Arc;

use glam::{DQuat, DVec3};
use supple::{Isometry, Mesh, Model, Pose, Skinning};
use supple_papers::{BoundingSphere, Method, Tree, Walk};

use crate::papers::Run;
use crate::papers::contest::{Frame, FrameAnswer, Reference, Result, Side, Wanted, contest};
use crate::papers::walkers::Walker;
use crate::report::plot::{Axis, Kind, Plot};
use crate::report::{Better, Cell, Comparison, Expected, Experiment, Table};

/// Speed-ups of the thesis per subdivision: apart (figure 5.6) and touching (table 5.3).
const APART: [f64; 4] = [32.0, 126.0, 502.0, 1995.0];
const TOUCHING: [f64; 4] = [3.9, 8.34, 17.47, 32.34];
/// Sphere-sphere tests of the thesis, on demand and bottom-up; and colliding pairs.
const TESTS: [[usize; 2]; 4] = [[4866, 9515], [9309, 19_833], [17_083, 40_527], [37_682, 86_437]];

/// Two dwarves side by side, at a distance.
fn frame(dwarf: &Walker, distance: f64) -> Frame {
    let clip = dwarf.model.clip("walk").expect("dwarves walk");
    let pose = |time: f64| dwarf.model.sample_looped(clip, time).expect("the clip fits");
    Frame {
        poses: vec![pose(0.2), pose(0.7)],
        placements: vec![
            Isometry::IDENTITY,
            Isometry::new(DQuat::from_rotation_y(0.3), DVec3::new(distance, 0.0, 0.05)),
        ],
    }
}

/// Figure 5.6 and table 5.3.
pub fn table_5_3(run: &mut Run) -> Experiment {
    let details = run.options.count(2, 4) as u32;
    let rounds = run.options.count(3, 9);
    let mut experiment = Experiment::new(
        "Table 5.3 and figure 5.6: subdivided dwarves",
        "Two dwarves in an animated posture, each triangle divided into four up to three times. Apart: 32, 126, 502 and 1,995 times as fast as bottom-up. Touching: 3.9, \
         8.34, 17.47 and 32.34. A tree built for the posture itself, as for rigid bodies, takes 0.7 ms where on demand takes 1.33.",
        format!(
            "The zoo's dwarf of one joint per vertex, details 0 to {}, one frame apart and one in contact, median of {rounds}. S-S are the tests of two spheres.",
            details - 1
        ),
    );
    let mut table = Table::new(
        "Touching; bottom-up divided by on demand",
        ["triangles", "pairs", "thesis", "on demand", "ratio", "S-S thesis", "S-S", "supple", "ratio"],
    );
    let mut apart_table = Table::new(
        "Apart; bottom-up divided by on demand",
        ["triangles", "thesis", "on demand", "bottom-up", "ratio", "supple", "bottom-up", "ratio"],
    );
    let mut lines = [Vec::new(), Vec::new()];
    let mut last = None;
    for detail in 0..details {
        (run.progress)(&format!("table 5.3: detail {detail}"));
        let dwarf = Walker::new("dwarf", detail);
        let triangles = dwarf.model.mesh().triangles().len();
        let level = detail as usize;
        let ask =
            |distance: f64| dwarf.contest(Skinning::Linear, &[frame(&dwarf, distance)], Wanted::All, rounds);
        let (touching, apart) = (ask(0.62), ask(1.3));
        let ratio =
            |results: &[Result], slow: usize, fast: usize| results[slow].total() / results[fast].total();
        let tests = |results: &[Result], side: usize| results[side].stats.node_visits as usize;
        table.row([
            triangles.into(),
            touching[0].pairs[0].into(),
            Cell::ratio(TOUCHING[level]),
            Cell::Number(touching[0].mean(), "us"),
            Cell::ratio(ratio(&touching, 1, 0)),
            format!("{} / {}", TESTS[level][0], TESTS[level][1]).into(),
            format!("{} / {}", tests(&touching, 0), tests(&touching, 1)).into(),
            Cell::Number(touching[2].mean(), "us"),
            Cell::ratio(ratio(&touching, 3, 2)),
        ]);
        apart_table.row([
            triangles.into(),
            Cell::ratio(APART[level]),
            Cell::Number(apart[0].mean(), "us"),
            Cell::Number(apart[1].mean(), "us"),
            Cell::ratio(ratio(&apart, 1, 0)),
            Cell::Number(apart[2].mean(), "us"),
            Cell::Number(apart[3].mean(), "us"),
            Cell::ratio(ratio(&apart, 3, 2)),
        ]);
        lines[0].push([triangles as f64, ratio(&touching, 1, 0)]);
        lines[1].push([triangles as f64, ratio(&touching, 3, 2)]);
        if detail == 0 {
            experiment.comparisons.push(rigid(&dwarf, rounds));
        }
        last = Some((
            level,
            ratio(&touching, 1, 0),
            ratio(&touching, 3, 2),
            ratio(&apart, 1, 0),
            ratio(&apart, 3, 2),
        ));
    }
    if let Some((level, touching, own_touching, apart, own_apart)) = last {
        let comparison = |what: String, paper: f64, ours: f64, why: &str| {
            Comparison::new(what, Expected::About(paper), ours, Better::Higher, why)
        };
        experiment.comparisons.extend([
            comparison(
                format!("touching, detail {level}: bottom-up / on demand"),
                TOUCHING[level],
                touching,
                "these dwarves touch in more pairs; and the scalar bottom-up update deforms vertices eight at a time",
            ),
            comparison(
                format!("apart, detail {level}: bottom-up / on demand"),
                APART[level],
                apart,
                "posing 45 joints is most of what is left on demand, and the thesis does not count it",
            ),
            comparison(
                format!("touching, detail {level}: supple's bottom-up / supple"),
                TOUCHING[level],
                own_touching,
                "the vectorised update is some fifty times as fast as the thesis' one, the walk is not",
            ),
            comparison(
                format!("apart, detail {level}: supple's bottom-up / supple"),
                APART[level],
                own_apart,
                "the vectorised update is some fifty times as fast as the thesis' one; posing 45 joints takes microseconds",
            ),
        ]);
    }
    experiment.tables.extend([table, apart_table]);
    let thesis = |speed_ups: &[f64]| -> Vec<[f64; 2]> {
        let size = |detail: usize| 1664.0 * 4f64.powi(detail as i32);
        speed_ups.iter().enumerate().take(details as usize).map(|(i, &s)| [size(i), s]).collect()
    };
    let [engine, own] = lines;
    experiment.plots.push(Plot {
        title: "Speed-up over bottom-up, touching".to_owned(),
        kind: Kind::Lines {
            x: Axis::logarithmic("triangles"),
            series: vec![
                ("thesis".to_owned(), thesis(&TOUCHING)),
                ("the thesis' method here".to_owned(), engine),
                ("supple".to_owned(), own),
            ],
        },
        y: Axis::logarithmic("bottom-up / on demand"),
    });
    experiment
}

/// On demand against trees that were built for the posture.
fn rigid(dwarf: &Walker, rounds: usize) -> Comparison {
    let frame = frame(dwarf, 0.62);
    let mut on_demand: Reference<BoundingSphere> =
        Reference::new("on demand", &dwarf.model, Skinning::Linear, dwarf.tree.clone(), Method::Linear, 2);
    let bodies = frame.poses.iter().zip(&frame.placements);
    let mut statues =
        Statues(bodies.map(|(pose, placement)| statue(&dwarf.model, pose, placement)).collect());
    let results = contest(&mut [&mut statues, &mut on_demand], &[frame], Wanted::All, rounds);
    Comparison::new(
        "on demand / a tree built for the posture (without building it)",
        Expected::About(1.33 / 0.7),
        results[1].total() / results[0].total(),
        Better::Lower,
        "on demand includes posing the joints and the vertices of the leaves",
    )
}

/// A body that was posed once and for all.
fn statue(model: &Model, pose: &Pose, placement: &Isometry) -> supple_papers::Body<BoundingSphere> {
    let positions = model.posed_at(pose, Skinning::Linear, *placement).expect("the pose fits").positions();
    let triangles = model.mesh().triangles().to_vec();
    let tree = Tree::halves(&positions, &triangles).collapsed(&positions, &triangles, 0.6);
    let rigid = Arc::new(Model::rigid(Mesh::new(positions, triangles).expect("posed vertices are finite")));
    let shape =
        supple_papers::Shape::new(&rigid, Skinning::Linear, tree, Method::Fields).expect("it has no fields");
    supple_papers::Body::new(&Arc::new(shape)).expect("a rigid body is rigid")
}

struct Statues(Vec<supple_papers::Body<BoundingSphere>>);

impl Side for Statues {
    fn name(&self) -> &str {
        "statues"
    }

    fn answer(&mut self, _: &Frame, _: Wanted) -> FrameAnswer {
        let [a, b] = &mut self.0[..] else { return FrameAnswer::default() };
        let (pairs, stats) = supple_papers::collide(a, b, Walk::default());
        FrameAnswer { touching: vec![!pairs.is_empty()], pairs, stats }
    }
}
