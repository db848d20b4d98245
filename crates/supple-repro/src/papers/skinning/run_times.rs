//! Figure 4.4: all skinning methods on one character.

use std::cell::RefCell;
use std::hint::black_box;

use glam::Vec3;
use supple::{Isometry, Model, Pose, PosedModel, Skinning};

use super::methods::{Method, rotation_centers};
use super::models::{Models, poses, rigid_joints};
use crate::measure::{Times, take_turns};
use crate::papers::Run;
use crate::report::plot::{Axis, Kind, Plot};
use crate::report::{Better, Cell, Comparison, Expected, Experiment, Table, grouped};

/// "Slightly slower", read as a number: the bars of the figure have none in the text.
const SLIGHTLY: f64 = 1.5;

/// How far a vertex may be from where the library's blending function puts it, in metres.
const SAME: f64 = 1e-9;

pub fn figure_4_4(run: &mut Run, models: &Models) -> Experiment {
    (run.progress)("figure 4.4: all skinning methods");
    let model = &models.man;
    let rounds = run.options.count(15, 301);
    let pose = &poses(model, 3)[1];
    let joints = rigid_joints(model, pose, &Isometry::IDENTITY);
    for method in Method::ALL {
        let error = method.error(model, &joints);
        assert!(error < SAME, "{} is {error} away from the library's blend", method.name());
    }
    let mut experiment = Experiment::new(
        "Figure 4.4: run-times of the skinning methods",
        "Average CPU times on a woman of 5,002 vertices and 54 joints. The bars have no numbers; the text says: dual \
         quaternions are more than twice as fast as log-matrix and spherical blending, and slightly slower than linear blending \
         and QLB'_0.",
        format!(
            "The zoo's man of {} vertices and {} joints. The methods are plain loops, in f64 without vector code of their own, each with \
             what it prepares once per pose (matrices, logarithms, dual quaternions, rotation centers); every vertex is compared with \
             the library's blending function before. Beside them the library's own vectorised f32 skinning. One core, median of \
             {rounds} rounds, in turns; \"slightly\" is read as at most {SLIGHTLY} times.",
            grouped(model.mesh().positions().len()),
            model.skeleton().joints().len()
        ),
    );

    let times = times(model, pose, &joints, rounds);
    let mut table = Table::new(
        "The whole man: positions and normals by plain loops and by the library (p+n), and positions alone (p)",
        ["method", "plain loop", "to linear", "library p+n", "to its linear", "p", "to its linear"],
    );
    for (side, method) in Method::ALL.into_iter().enumerate() {
        let mut row = vec![method.name().into(), us(&times, side), Cell::ratio(times.ratio(side, 0))];
        let skinning = match method {
            Method::Linear => Some(0),
            Method::Spherical => Some(1),
            Method::DualQuaternion => Some(2),
            _ => None,
        };
        for first in [BOTH, POSITIONS] {
            row.extend(match skinning {
                Some(own) => [us(&times, first + own), Cell::ratio(times.ratio(first + own, first))],
                None => ["-".into(), "-".into()],
            });
        }
        table.row(row);
    }
    let mut row =
        vec!["(rotation centers)".into(), us(&times, CENTERS), Cell::ratio(times.ratio(CENTERS, 0))];
    row.resize(table.columns().len(), "-".into());
    table.row(row);
    experiment.tables.push(table);
    // The figure has no DIB, and beside its bar the others would not be seen.
    let shown = &Method::ALL[..Method::ALL.len() - 1];
    experiment.plots.push(Plot {
        title: "Time of the plain loops, as a ratio to linear (DIB: see the table)".to_owned(),
        kind: Kind::Bars {
            groups: shown.iter().map(|method| method.name().to_owned()).collect(),
            series: vec![(
                "plain loop".to_owned(),
                (0..shown.len()).map(|side| times.ratio(side, 0)).collect(),
            )],
        },
        y: Axis::linear("time / linear"),
    });
    experiment.comparisons = comparisons(&times);
    experiment
}

/// Sides of the measurement: first the methods, then these.
const CENTERS: usize = Method::ALL.len();
const BOTH: usize = CENTERS + 1;
const POSITIONS: usize = BOTH + Skinning::ALL.len();

fn times(model: &Model, pose: &Pose, joints: &[Isometry], rounds: usize) -> Times {
    let vertices = RefCell::new(Vec::new());
    let mut methods = Method::ALL.map(|method| {
        let vertices = &vertices;
        move || method.deform(model, joints, &mut vertices.borrow_mut())
    });
    let mut centers = || drop(black_box(rotation_centers(model.skin(), joints)));
    let matrices = model.skeleton().joint_matrices(pose, Isometry::IDENTITY).expect("the pose fits");
    let positions = RefCell::new(vec![Vec3::ZERO; model.mesh().positions().len()]);
    let library = |skinning| {
        let posed = PosedModel::new(model, skinning, &matrices, &[]).expect("the matrices fit");
        posed.positions_into(&mut positions.borrow_mut());
        posed
    };
    let library = &library;
    let mut both = Skinning::ALL.map(|skinning| move || drop(black_box(library(skinning).normals())));
    let mut alone = Skinning::ALL.map(|skinning| move || drop(black_box(library(skinning))));
    let mut sides: Vec<&mut dyn FnMut()> = methods.iter_mut().map(|side| side as &mut dyn FnMut()).collect();
    sides.push(&mut centers);
    sides.extend(both.iter_mut().map(|side| side as &mut dyn FnMut()));
    sides.extend(alone.iter_mut().map(|side| side as &mut dyn FnMut()));
    take_turns(rounds, &mut sides)
}

fn comparisons(times: &Times) -> Vec<Comparison> {
    let side = |method: Method| Method::ALL.iter().position(|m| *m == method).expect("it is one of all");
    let dual = side(Method::DualQuaternion);
    let centers = 100.0 * times.ratio(CENTERS, side(Method::Spherical));
    let at_least = |method: Method, why: String| {
        let ratio = times.ratio(side(method), dual);
        let what = format!("{} / dual quaternion", method.name());
        Comparison::new(what, Expected::AtLeast(2.0), ratio, Better::Higher, why)
    };
    let at_most = |method: Method, why: &str| {
        let ratio = times.ratio(dual, side(method));
        let what = format!("dual quaternion / {}", method.name());
        Comparison::new(what, Expected::AtMost(SLIGHTLY), ratio, Better::Lower, why)
    };
    vec![
        at_least(Method::LogMatrix, "Logarithms are taken once per joint here, so that a vertex costs one exponential, and sine and cosine are cheap today. \
             Where every blend takes its own logarithms, as the thesis counts operations, the ratio is that of Table 4.1, last row."
                .to_owned()),
        at_least(Method::Spherical, format!(
                "The rotation centers, a singular value decomposition each in the thesis, take only {centers:.0} % of the time of \
                 spherical skinning here: two joints have a closed form, more have a 3 x 3 eigenproblem. The rest is QLB'_0 and one \
                 more point per joint."
            )),
        at_most(Method::Linear,
            "Blending matrices multiplies and adds numbers side by side, which compilers and processors now do several at a time. A \
             dual quaternion needs a square root, a division and a chain of products per vertex before it is a matrix again.",
        ),
        at_most(Method::DirectQuaternion,
            "Both make a matrix of a quaternion, but a dual quaternion has eight numbers to add instead of seven, and its translation \
             is one more product of quaternions.",
        ),
    ]
}

fn us(times: &Times, side: usize) -> Cell {
    Cell::Number(times.microseconds(side), "us")
}
