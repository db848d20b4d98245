//! Sizes of trees, and how spheres grow.

use glam::Vec3;
use supple::{Isometry, QueryStats, Skinning};
use supple_draw::Colour;
use supple_papers::{BoundingSphere, Method};

use super::Flexible;
use crate::papers::Run;
use crate::papers::walkers::spheres_of_level;
use crate::report::picture::{Panel, Picture, View, side_by_side};
use crate::report::plot::{Axis, Kind, Plot};
use crate::report::{Better, Cell, Comparison, Expected, Experiment, Table};

/// Geometric statistics.
pub fn table_1(models: [&Flexible; 4]) -> Experiment {
    let mut experiment = Experiment::new(
        "Table 1: geometric statistics",
        "Chair, bridge, fish and curtain; M displacement fields, binary trees with one triangle per leaf.",
        "The zoo's chair, bridge, fish and curtain. Fields are the lowest vibration modes, of the curtain the principal components of an invented gust; clips are invented.",
    );
    let mut table = Table::new("Sizes", ["model", "", "vertices", "faces", "M", "spheres", "levels"]);
    let paper = [
        [9421, 17_914, 10, 35_827, 19],
        [135_304, 240_316, 10, 480_631, 26],
        [12_531, 24_776, 3, 49_551, 18],
        [6184, 12_020, 12, 24_039, 17],
    ];
    for (model, paper) in models.into_iter().zip(paper) {
        table.row([model.name.into(), "paper".into()].into_iter().chain(paper.map(Cell::from)));
        let here = [
            model.model.mesh().positions().len(),
            model.model.mesh().triangles().len(),
            model.model.rest().coefficient_count(),
            model.tree.nodes().len(),
            model.tree.levels().len(),
        ];
        table.row(["".into(), "here".into()].into_iter().chain(here.map(Cell::from)));
    }
    experiment.tables.push(table);
    experiment
}

/// The paper's series for the chair, by level.
const DECAY: [f64; 19] = [
    1.000, 0.684, 0.575, 0.399, 0.252, 0.167, 0.110, 0.080, 0.057, 0.041, 0.030, 0.022, 0.017, 0.016, 0.015,
    0.013, 0.007, 0.004, 0.003,
];

/// How much fields can enlarge spheres, level by level.
pub fn decay(run: &mut Run, chair: &Flexible) -> Experiment {
    (run.progress)("section 3.3: decay of the radius growth");
    let mut experiment = Experiment::new(
        "Section 3.3: decay of the radius growth",
        "Mean length of the radius increments |dR| of the chair's spheres, by level, divided by that of the root. For smooth fields it is bounded by a constant times the \
         radius (appendix A).",
        "The zoo's chair with its ten lowest vibration modes.",
    );
    let shape = supple_papers::Shape::<BoundingSphere>::new(
        &chair.model,
        Skinning::Linear,
        chair.tree.clone(),
        Method::Fields,
    )
    .expect("the chair has fields");
    let levels = chair.tree.levels();
    let mean = |nodes: &Vec<usize>| {
        nodes.iter().map(|&node| shape.radius_increment(node)).sum::<f64>() / nodes.len() as f64
    };
    let root = shape.radius_increment(0);
    let series: Vec<f64> = levels.iter().map(|nodes| mean(nodes) / root).collect();
    let mut table = Table::new("Mean |dR|, normalised", ["level", "paper", "here"]);
    for level in 0..series.len().max(DECAY.len()) {
        let cell = |series: &[f64]| series.get(level).map_or("".into(), |&x| format!("{x:.3}").into());
        table.row([level.into(), cell(&DECAY), cell(&series)]);
    }
    experiment.tables.push(table);
    let line = |series: &[f64]| series.iter().enumerate().map(|(i, &x)| [i as f64, x]).collect::<Vec<_>>();
    experiment.plots.push(Plot {
        title: "Mean radius growth by level".to_owned(),
        kind: Kind::Lines {
            x: Axis::linear("level"),
            series: vec![("paper".to_owned(), line(&DECAY)), ("here".to_owned(), line(&series))],
        },
        y: Axis::logarithmic("|dR| / |dR| of the root"),
    });
    for level in [4, 8, 12] {
        experiment.comparisons.push(Comparison::new(
            format!("mean |dR| at level {level}, percent of the root"),
            Expected::About(100.0 * DECAY[level]),
            100.0 * series[level],
            Better::Lower,
            "another chair: in its lowest modes the legs swing, one against the other, while seat and back hardly move",
        ));
    }
    experiment
}

/// Radii of level 6, divided by those of the wrapped spheres at rest.
struct Spread {
    mean: f64,
    most: f64,
}

fn spread(body: &mut supple_papers::Body<BoundingSphere>, nodes: &[usize], rest: &[f64]) -> Spread {
    let ratios = nodes.iter().zip(rest).map(|(&node, rest)| radius(body, node) / rest);
    let ratios: Vec<f64> = ratios.collect();
    Spread {
        mean: ratios.iter().sum::<f64>() / ratios.len() as f64,
        most: ratios.iter().copied().fold(0.0, f64::max),
    }
}

fn radius(body: &mut supple_papers::Body<BoundingSphere>, node: usize) -> f64 {
    body.volume(node, false, &mut QueryStats::default()).radius
}

/// Wrapped and layered spheres of the paper's bridge and of a model, at rest and in a large deformation.
pub fn figure_6(run: &mut Run, flexible: &Flexible) -> Experiment {
    (run.progress)("figure 6: tightness of spheres");
    let mut experiment = Experiment::new(
        "Figure 6: wrapped and layered spheres of the bridge",
        "64 spheres of level 6. At rest layered spheres are 1.31 times as large as wrapped ones (most 1.77). In a large deformation layered ones are 1.31 (1.79), \
         those of the BD-Tree 1.25 (1.56): the conservative bound is no looser than a layered hierarchy.",
        format!(
            "The zoo's {}, level 6, at rest and at the time of its clip at which the BD-Tree's root is largest. Layered spheres are the smallest around those of \
             the two children, from the leaves up. Radii are divided by those of the wrapped spheres at rest.",
            flexible.name
        ),
    );
    let nodes = flexible.tree.levels()[6].clone();
    let clip = &flexible.model.clips()[0];
    let mut wrapped = flexible.body::<BoundingSphere>(Method::Fields);
    let mut layered = flexible.body::<BoundingSphere>(Method::BottomUp);
    let rest: Vec<f64> = nodes.iter().map(|&node| radius(&mut wrapped, node)).collect();
    let layered_rest = spread(&mut layered, &nodes, &rest);
    let largest = (0..60).map(|i| f64::from(i) / 60.0 * clip.duration()).max_by(|&a, &b| {
        let mut size = |time: f64| {
            let pose = flexible.model.sample(clip, time).expect("the clip fits");
            wrapped.set_pose(&pose, &Isometry::IDENTITY).expect("the pose fits");
            radius(&mut wrapped, 0)
        };
        size(a).total_cmp(&size(b))
    });
    let pose = flexible.model.sample(clip, largest.unwrap_or(0.0)).expect("the clip fits");
    for body in [&mut wrapped, &mut layered] {
        body.set_pose(&pose, &Isometry::IDENTITY).expect("the pose fits");
    }
    let (deformed, layered_deformed) =
        (spread(&mut wrapped, &nodes, &rest), spread(&mut layered, &nodes, &rest));
    let mut table = Table::new(
        "Radii divided by those of the wrapped spheres at rest",
        ["spheres", "paper mean", "most", "here mean", "most"],
    );
    for (name, paper, here) in [
        ("layered, at rest", [1.31, 1.77], &layered_rest),
        ("layered, deformed", [1.31, 1.79], &layered_deformed),
        ("BD-Tree, deformed", [1.25, 1.56], &deformed),
    ] {
        table.row(
            [name.into()].into_iter().chain([paper[0], paper[1], here.mean, here.most].map(Cell::ratio)),
        );
    }
    experiment.tables.push(table);
    experiment.comparisons.extend([
        Comparison::new(
            "layered / wrapped at rest, mean",
            Expected::About(1.31),
            layered_rest.mean,
            Better::Higher,
            "the paper's bridge has fewer thin members, whose spheres lie in a row",
        ),
        Comparison::new(
            "BD-Tree, deformed / at rest, mean",
            Expected::About(1.25),
            deformed.mean,
            Better::Lower,
            "the deformation of this clip is larger than the paper's: the coefficients of all ten fields add up",
        ),
        Comparison::new(
            "BD-Tree / layered, deformed, mean",
            Expected::About(1.25 / 1.31),
            deformed.mean / layered_deformed.mean,
            Better::Lower,
            "the deformation of this clip is larger than the paper's, and a conservative bound pays for each field",
        ),
    ]);
    experiment.pictures.push(picture(flexible, &pose, &mut wrapped, &mut layered, &nodes, &rest));
    experiment
}

/// Spheres by growth: blue where there is none, red from 1.44 times the radius on, as in the paper.
fn picture(
    flexible: &Flexible,
    pose: &supple::Pose,
    wrapped: &mut supple_papers::Body<BoundingSphere>,
    layered: &mut supple_papers::Body<BoundingSphere>,
    nodes: &[usize],
    rest: &[f64],
) -> Picture {
    let positions = flexible.model.posed(pose, Skinning::Linear).expect("the pose fits").positions();
    let mut spheres = Vec::new();
    for body in [wrapped, layered] {
        let growth: Vec<f64> =
            nodes.iter().zip(rest).map(|(&node, rest)| radius(body, node) / rest).collect();
        let mut number = 0;
        spheres.push(spheres_of_level(body, 6, |_, _| {
            number += 1;
            let red = ((growth[number - 1] - 1.0) / 0.44).clamp(0.0, 1.0) as f32;
            Colour::BLUE.mixed(Colour::RED, red)
        }));
    }
    let panels: Vec<Panel> = ["BD-Tree", "layered"]
        .iter()
        .zip(&spheres)
        .map(|(label, spheres)| Panel {
            label,
            positions: &positions,
            triangles: flexible.model.mesh().triangles(),
            spheres,
        })
        .collect();
    side_by_side(
        format!(
            "Spheres of level 6 of the deformed {}: blue where they have not grown, red from 1.44 times the radius on",
            flexible.name
        ),
        &View::around(&positions, Vec3::new(0.7, 0.45, 1.0), [560, 320]),
        &panels,
    )
}
