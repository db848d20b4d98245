//! Sizes of models, trees and spheres.

use glam::Vec3;
use supple::{Isometry, Skinning};
use supple_draw::Colour;
use supple_papers::{BoundingSphere, Method, Tree};

use crate::papers::Run;
use crate::papers::walkers::{Walker, best_sizes, level_ratio, mean_sizes, spheres_of_level, thesis_ratio};
use crate::report::picture::{Panel, View, side_by_side};
use crate::report::{Better, Cell, Comparison, Expected, Experiment, Table};

/// Complexities, and how many spheres the trees have.
pub fn table_5_1(man: &Walker, creature: &Walker) -> Experiment {
    let mut experiment = Experiment::new(
        "Table 5.1: complexities of the models, and their trees",
        "A dwarf, a man and a creature. The creature's binary tree has 27,079 spheres on 22 levels; collapsed with C = 0.6, 18,679 on 9.",
        "The zoo's dwarf, man and creature; binary trees cut at the mean across the longest extent, one triangle per leaf, collapsed in the same way.",
    );
    let mut table = Table::new(
        "Sizes",
        ["model", "", "vertices", "triangles", "joints", "spheres", "levels", "collapsed", "levels"],
    );
    let dwarf = Walker::new("dwarf", 0);
    let thesis = [("dwarf", 859, 1664, 45), ("man", 4435, 8270, 27), ("creature", 6682, 13590, 56)];
    for ((name, vertices, triangles, joints), walker) in thesis.into_iter().zip([&dwarf, man, creature]) {
        let known = |number: usize| if name == "creature" { number.into() } else { Cell::from("") };
        table.row([
            name.into(),
            "thesis".into(),
            vertices.into(),
            triangles.into(),
            joints.into(),
            known(27_079),
            known(22),
            known(18_679),
            known(9),
        ]);
        let size = |tree: &Tree| [tree.nodes().len(), tree.levels().len()];
        let ([all, deep], [fewer, flat]) = (size(&walker.binary), size(&walker.tree));
        table.row([
            "".into(),
            "here".into(),
            walker.model.mesh().positions().len().into(),
            walker.model.mesh().triangles().len().into(),
            walker.model.skeleton().joints().len().into(),
            all.into(),
            deep.into(),
            fewer.into(),
            flat.into(),
        ]);
    }
    experiment.tables.push(table);
    experiment
}

/// The thesis' radii: reference, on demand, bottom-up, best.
const THESIS: [[f64; 4]; 9] = [
    [34.55, 43.89, 45.68, 33.33],
    [18.86, 26.17, 24.63, 19.39],
    [7.38, 8.05, 9.21, 7.31],
    [3.68, 3.95, 4.58, 3.70],
    [1.69, 1.77, 2.27, 1.70],
    [0.91, 0.94, 1.17, 0.92],
    [0.61, 0.63, 0.74, 0.61],
    [0.42, 0.43, 0.49, 0.42],
    [0.30, 0.30, 0.35, 0.30],
];

/// Average radii of the creature's spheres per level.
pub fn table_5_2(run: &mut Run, creature: &Walker) -> Experiment {
    (run.progress)("table 5.2: radii");
    let mut experiment = Experiment::new(
        "Table 5.2 and figure 5.3: average radii of spheres",
        "The creature in an animated posture: radii on demand, bottom-up and of the smallest spheres (best), level by level. On demand is tighter than bottom-up \
         on most levels, and close to the best below the first.",
        "The zoo's creature in its walk. What is compared is the ratio to the best; the last columns are boxes of the library, on its own tree: the sum of extents.",
    );
    let clip = creature.model.clip("walk").expect("the creature walks");
    let pose = creature.model.sample(clip, 0.4 * clip.duration()).expect("the clip fits");
    let mut on_demand = creature.body::<BoundingSphere>(Skinning::Linear, Method::Linear);
    let reference = mean_sizes(&mut on_demand);
    on_demand.set_pose(&pose, &Isometry::IDENTITY).expect("the pose fits");
    let mut bottom_up = creature.body::<BoundingSphere>(Skinning::Linear, Method::BottomUp);
    bottom_up.set_pose(&pose, &Isometry::IDENTITY).expect("the pose fits");
    let positions = creature.model.posed(&pose, Skinning::Linear).expect("the pose fits").positions();
    let best = best_sizes::<BoundingSphere>(&creature.tree, &creature.model, &positions);
    let (on, up) = (mean_sizes(&mut on_demand), mean_sizes(&mut bottom_up));
    let mut body = supple::Body::new(&creature.shape, Skinning::Linear).expect("the rest pose fits");
    body.set_pose(&pose).expect("the pose fits");
    let own = supple_papers::library_tightness(&mut body, supple::VolumeKind::Box);

    let mut table = Table::new(
        "Radii divided by the best",
        ["level", "thesis on demand", "bottom-up", "here radius", "on demand", "bottom-up", "supple's boxes"],
    );
    for level in 0..best.len().max(THESIS.len()) {
        table.row([
            (level + 1).into(),
            thesis_ratio(&THESIS, level, 1),
            thesis_ratio(&THESIS, level, 2),
            reference.get(level).map_or("".into(), |radius| Cell::Number(*radius, "m")),
            level_ratio(level, &on, &best),
            level_ratio(level, &up, &best),
            own.get(level).map_or("".into(), |level| Cell::ratio(level.mean)),
        ]);
    }
    experiment.tables.push(table);
    let mean = |values: &mut dyn Iterator<Item = f64>| {
        let values: Vec<f64> = values.collect();
        values.iter().sum::<f64>() / values.len() as f64
    };
    let below_first_two = best.len().min(9);
    experiment.comparisons.extend([
        Comparison::new(
            "on demand / best at the root",
            Expected::About(43.89 / 33.33),
            on[0] / best[0],
            Better::Lower,
            "the walking creature's joints differ by other rotations; at the root all of them meet in one sphere",
        ),
        Comparison::new(
            "on demand / best, mean of levels 3 to 9",
            Expected::About(mean(&mut THESIS[2..].iter().map(|row| row[1] / row[3]))),
            mean(&mut (2..below_first_two).map(|level| on[level] / best[level])),
            Better::Lower,
            "blended regions are wider in the zoo's creature than in the thesis' one",
        ),
        Comparison::new(
            "bottom-up / on demand, mean of all levels",
            Expected::About(mean(&mut THESIS.iter().map(|row| row[2] / row[1]))),
            mean(&mut (0..below_first_two).map(|level| up[level] / on[level])),
            Better::Higher,
            "what is compared is the looseness of bottom-up spheres, which depends on the tree",
        ),
        Comparison::new(
            "supple's boxes / best at the root",
            Expected::AtMost(43.89 / 33.33),
            own[0].mean,
            Better::Lower,
            "a union of boxes per joint is tighter than one sphere",
        ),
    ]);
    experiment.pictures.push(figure_5_3(creature, on_demand, &positions));
    experiment
}

/// Spheres on levels 4 and 6, at rest and posed.
fn figure_5_3(
    creature: &Walker,
    mut posed: supple_papers::Body<BoundingSphere>,
    positions: &[Vec3],
) -> crate::report::picture::Picture {
    let mut rest = creature.body::<BoundingSphere>(Skinning::Linear, Method::Linear);
    let triangles = creature.model.mesh().triangles();
    let at_rest = creature.model.mesh().positions();
    let panels = [
        ("rest, level 4", at_rest, spheres_of_level(&mut rest, 3, |_, _| Colour::BLUE)),
        ("rest, level 6", at_rest, spheres_of_level(&mut rest, 5, |_, _| Colour::BLUE)),
        ("posed, level 4", positions, spheres_of_level(&mut posed, 3, |_, _| Colour::BLUE)),
        ("posed, level 6", positions, spheres_of_level(&mut posed, 5, |_, _| Colour::BLUE)),
    ];
    let panels: Vec<Panel> = panels
        .iter()
        .map(|(label, positions, spheres)| Panel { label, positions, triangles, spheres })
        .collect();
    let all: Vec<Vec3> = at_rest.iter().chain(positions).copied().collect();
    side_by_side(
        "Spheres of levels 4 and 6, at rest and refitted on demand, as in figure 5.3",
        &View::around(&all, Vec3::new(1.0, 0.4, 0.5), [330, 300]),
        &panels,
    )
}
