//! Tables 3.1 and 3.2: the models, and linear against spherical blend skinning on them.

use std::cell::RefCell;
use std::hint::black_box;

use glam::{DQuat, Vec3};
use supple::{Isometry, Model, Pose, PosedModel, Skinning};

use crate::measure::{Times, take_turns};
use crate::papers::Run;
use crate::report::{Better, Cell, Comparison, Expected, Experiment, Table};

/// What stands for the thesis' models, and its numbers.
pub struct Models {
    pub hand: Model,
    pub man: Model,
    pub creature: Model,
}

/// A model of the thesis.
struct Original {
    name: &'static str,
    vertices: usize,
    triangles: usize,
    joints: usize,
    /// Milliseconds on a Pentium 4 of 3.4 GHz, linear and spherical.
    times: [f64; 2],
    /// Singular value decompositions per pose.
    centers: usize,
}

const ORIGINALS: [Original; 3] = [
    Original { name: "hand", vertices: 2402, triangles: 4800, joints: 23, times: [2.68, 5.79], centers: 38 },
    Original { name: "woman", vertices: 3356, triangles: 5205, joints: 78, times: [2.81, 5.43], centers: 37 },
    Original {
        name: "creature",
        vertices: 6802,
        triangles: 13590,
        joints: 56,
        times: [7.6, 16.11],
        centers: 56,
    },
];

impl Models {
    pub fn new() -> Self {
        let make = |name| supple_zoo::make(name, 0).expect("the zoo has it");
        Self { hand: make("hand"), man: make("man"), creature: make("creature") }
    }

    /// In the order of the thesis' tables.
    fn named(&self) -> [(&'static str, &Model); 3] {
        [("hand", &self.hand), ("man", &self.man), ("creature", &self.creature)]
    }
}

/// Poses evenly spread over the first clip of a model.
pub fn poses(model: &Model, count: usize) -> Vec<Pose> {
    let clip = &model.clips()[0];
    let at = |i: usize| model.sample(clip, clip.duration() * (i as f64 + 0.5) / count as f64);
    (0..count).map(|i| at(i).expect("the clip is the model's own")).collect()
}

/// Joints of a pose as rigid transforms: the zoo's joints have no scale.
pub fn rigid_joints(model: &Model, pose: &Pose, placement: &Isometry) -> Vec<Isometry> {
    let matrices = model.skeleton().joint_matrices(pose, *placement).expect("the pose is the model's own");
    let rigid = |m: &glam::Affine3A| {
        let rotation = DQuat::from_mat3(&glam::Mat3::from(m.matrix3).as_dmat3()).normalize();
        Isometry::new(rotation, Vec3::from(m.translation))
    };
    matrices.iter().map(rigid).collect()
}

/// Joint-sets of at least `joints` joints.
fn sets_of(model: &Model, joints: usize) -> usize {
    let skin = model.skin();
    (0..skin.joint_set_count()).filter(|&set| skin.joint_set(set).len() >= joints).count()
}

pub fn table_3_1(run: &mut Run, models: &Models) -> Experiment {
    (run.progress)("table 3.1: the models");
    let mut experiment = Experiment::new(
        "Table 3.1: complexities of the models",
        "A hand, a woman and a creature, made for linear blend skinning.",
        "The zoo's hand, man and creature, which need no file. Hand and creature have the thesis' numbers of vertices; the man \
         stands for the woman: more vertices, fewer joints.",
    );
    let mut table = Table::new(
        "Sizes; per vertex: joints that move it, on average",
        [
            "thesis",
            "vertices",
            "triangles",
            "joints",
            "here",
            "vertices",
            "triangles",
            "joints",
            "per vertex",
        ],
    );
    for (original, (name, model)) in ORIGINALS.iter().zip(models.named()) {
        let vertices = model.mesh().positions().len();
        let influences: usize = (0..vertices as u32).map(|v| model.skin().influences(v).len()).sum();
        table.row([
            original.name.into(),
            original.vertices.into(),
            original.triangles.into(),
            original.joints.into(),
            name.into(),
            vertices.into(),
            model.mesh().triangles().len().into(),
            model.skeleton().joints().len().into(),
            Cell::Number(influences as f64 / vertices as f64, ""),
        ]);
    }
    experiment.tables.push(table);
    experiment
}

pub fn table_3_2(run: &mut Run, models: &Models) -> Experiment {
    let (rounds, frames) = (run.options.count(9, 151), run.options.count(4, 16));
    let mut experiment = Experiment::new(
        "Table 3.2: linear and spherical blend skinning",
        "Average milliseconds to deform a whole model, positions and normals, on a Pentium 4 of 3.4 GHz; one singular value \
         decomposition per joint-set of several joints. Times were given, ratios are computed here.",
        format!(
            "The library's own skinning of all positions and normals on one core, from joint matrices on: {frames} frames of \
             a clip, median of {rounds} rounds, sides in turns. Dual quaternions came later in the thesis. Rotation centers of \
             two joints have a closed form; only larger sets need an eigenproblem."
        ),
    );
    let mut times_table = Table::new(
        "Time per frame (thesis ms, here us), and its ratio to linear",
        ["thesis", "linear", "spherical", "ratio", "here", "linear", "spherical", "ratio", "dual", "ratio"],
    );
    let mut centers_table = Table::new(
        "Rotation centers per frame; what it takes to prepare a spherical pose, and its ratio to linear without",
        ["model", "thesis", "here", "by eigenproblem", "of the time", "ratio without"],
    );
    for (original, (name, model)) in ORIGINALS.iter().zip(models.named()) {
        (run.progress)(&format!("table 3.2: {name}"));
        let times = whole_model_times(model, rounds, frames);
        let us = |side: usize| Cell::Number(times.microseconds(side) / frames as f64, "");
        let paper_ratio = original.times[1] / original.times[0];
        times_table.row([
            original.name.into(),
            Cell::Number(original.times[0], ""),
            Cell::Number(original.times[1], ""),
            Cell::ratio(paper_ratio),
            name.into(),
            us(0),
            us(1),
            Cell::ratio(times.ratio(1, 0)),
            us(2),
            Cell::ratio(times.ratio(2, 0)),
        ]);
        centers_table.row([
            format!("{} / {name}", original.name).into(),
            original.centers.into(),
            sets_of(model, 2).into(),
            sets_of(model, 3).into(),
            Cell::Number(100.0 * times.ratio(3, 1), "%"),
            Cell::ratio(times.ratio(1, 0) - times.ratio(3, 0)),
        ]);
        experiment.comparisons.push(Comparison::new(
            format!("spherical / linear, {}", original.name),
            Expected::About(paper_ratio),
            times.ratio(1, 0),
            Better::Lower,
            "The zoo's skins need 1.6 to 3.9 times as many rotation centers as the thesis' models, and vertices gained more from \
             vector instructions than rotation centers did. These take the part of the time that the second table shows; its last \
             column is the ratio without them.",
        ));
    }
    experiment.tables.extend([times_table, centers_table]);
    experiment
}

/// Times of linear, spherical and dual quaternion skinning of some frames; and of what spherical skinning prepares for them.
fn whole_model_times(model: &Model, rounds: usize, frames: usize) -> Times {
    let matrices: Vec<_> = poses(model, frames)
        .iter()
        .map(|pose| model.skeleton().joint_matrices(pose, Isometry::IDENTITY).expect("the pose fits"))
        .collect();
    let posed = |skinning| {
        let posed = move |matrices: &Vec<_>| PosedModel::new(model, skinning, matrices, &[]);
        matrices.iter().map(move |matrices| posed(matrices).expect("the matrices fit"))
    };
    let positions = RefCell::new(vec![Vec3::ZERO; model.mesh().positions().len()]);
    let mut skinnings = Skinning::ALL.map(|skinning| {
        let (positions, posed) = (&positions, &posed);
        move || {
            for posed in posed(skinning) {
                posed.positions_into(&mut positions.borrow_mut());
                black_box(posed.normals());
            }
        }
    });
    let mut prepared = || posed(Skinning::Spherical).for_each(|posed| drop(black_box(posed)));
    let mut sides: Vec<&mut dyn FnMut()> =
        skinnings.iter_mut().map(|side| side as &mut dyn FnMut()).collect();
    sides.push(&mut prepared);
    take_turns(rounds, &mut sides)
}
