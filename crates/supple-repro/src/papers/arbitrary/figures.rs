//! Figures 7.5, 7.6 and 7.7: errors over the number of joints and of corrections, and what they look like.

use glam::Vec3;
use supple::{PosedModel, Skinning};
use supple_draw::THREE_QUARTER;
use supple_fit::{Corrections, Distortion, FitOptions, Fitted, MeshSequence};
use supple_zoo::cloth::Cloth;

use super::animations::Material;
use super::timed_fit;
use crate::papers::Run;
use crate::report::picture::{Panel, Picture, View, side_by_side};
use crate::report::plot::{Axis, Kind, Plot};
use crate::report::{Better, Cell, Comparison, Expected, Experiment, Table};

/// Rows of the table of figure 7.5; a full run has more points on its plot.
const JOINTS: [usize; 8] = [1, 2, 5, 10, 20, 40, 60, 100];

/// The error over the number of joints, rigid and affine.
pub fn figure_7_5(run: &mut Run) -> Experiment {
    (run.progress)("figure 7.5: error over the number of joints");
    let sequence = Material::Sheet(Cloth::Skirt, 42, 35).sequence(30);
    let mut counts: Vec<usize> = (1..=100).step_by(run.options.count(100, 5)).chain(JOINTS).collect();
    counts.sort_unstable();
    counts.dedup();
    let mut experiment = Experiment::new(
        "Figure 7.5: error over the number of proxy-joints",
        "Falling Skirt 1, 1 to 100 joints: rigid joints are soon almost as accurate as affine ones, which take twice the memory; beyond some 60 joints little is gained.",
        "The zoo's skirt of 1,470 vertices in 30 frames. Rigid joints are blended as dual quaternions, affine ones as matrices. Its waves stretch it more than a simulated cloth, and what stretches only affine joints can follow.",
    );
    let error = |joints: usize, skinning: Skinning| {
        timed_fit(&sequence, &FitOptions::default().with_joints(joints).with_skinning(skinning))
            .0
            .distortion
            .percent
    };
    let mut table = Table::new("Percent of distortion", ["joints", "rigid", "affine", "rigid / affine"]);
    let mut lines = [Vec::new(), Vec::new()];
    for &joints in &counts {
        let errors = [Skinning::DualQuaternion, Skinning::Linear].map(|skinning| error(joints, skinning));
        for (line, error) in lines.iter_mut().zip(errors) {
            line.push([joints as f64, error]);
        }
        if JOINTS.contains(&joints) {
            let [rigid, affine] = errors;
            table.row([joints.into(), Cell::Size(rigid), Cell::Size(affine), Cell::ratio(rigid / affine)]);
        }
    }
    experiment.tables.push(table);
    let [rigid, affine] = lines;
    experiment.plots.push(Plot {
        title: "Error over the number of proxy-joints".to_owned(),
        kind: Kind::Lines {
            x: Axis::linear("proxy-joints"),
            series: vec![("rigid".to_owned(), rigid), ("affine".to_owned(), affine)],
        },
        y: Axis::logarithmic("percent of distortion"),
    });
    experiment
}

/// The corrections that are shown in figure 7.7.
const SHOWN: usize = 5;

/// The error over the number of corrections, and pictures.
pub fn figure_7_6(run: &mut Run) -> Experiment {
    const MOST: usize = 10;
    (run.progress)("figures 7.6 and 7.7: error over the number of corrections");
    let frames = run.options.count(25, 100);
    let sequence = Material::Sheet(Cloth::Drape, 92, 70).sequence(frames);
    let mut experiment = Experiment::new(
        "Figures 7.6 and 7.7: error over the number of corrections",
        "The collapsing cloth hippopotamus with 100 rigid joints: its error falls from 0.86 to 0.07 percent with five eigen-displacements; the first one gives most details.",
        format!("The zoo's drape of 6,440 vertices in {frames} frames."),
    );
    let options = FitOptions::default().with_corrections(Corrections::Count(MOST));
    let (fitted, _) = timed_fit(&sequence, &options);
    let errors: Vec<f64> = (0..=MOST)
        .map(|count| Distortion::new(sequence.frames(), &corrected(&fitted, count)).percent)
        .collect();
    let mut table = Table::new("Percent of distortion", ["corrections", "error", "uncorrected / this"]);
    for (count, error) in errors.iter().enumerate() {
        table.row([count.into(), Cell::Size(*error), Cell::ratio(errors[0] / error)]);
    }
    experiment.tables.push(table);
    let line = errors.iter().enumerate().map(|(count, &error)| [count as f64, error]).collect();
    experiment.plots.push(Plot {
        title: "Error over the number of corrections".to_owned(),
        kind: Kind::Lines {
            x: Axis::linear("corrections"),
            series: vec![("100 rigid joints".to_owned(), line)],
        },
        y: Axis::logarithmic("percent of distortion"),
    });
    experiment.pictures.push(picture(&sequence, &fitted));
    experiment.comparisons.push(Comparison::new(
        "uncorrected / five corrections, error",
        Expected::About(0.86 / 0.07),
        errors[0] / errors[SHOWN],
        Better::Higher,
        "what the joints leave of another motion takes more fields to describe",
    ));
    experiment
}

/// All frames with the first few of the corrections; those of a smaller fit are the same.
fn corrected(fitted: &Fitted, count: usize) -> Vec<Vec<Vec3>> {
    let frame = |frame: usize| {
        let mut coefficients = fitted.coefficients[frame].clone();
        coefficients.iter_mut().skip(count).for_each(|c| *c = 0.0);
        let posed = PosedModel::new(&fitted.model, fitted.skinning, &fitted.palettes[frame], &coefficients);
        posed.expect("the palette is the model's").positions()
    };
    (0..fitted.palettes.len()).map(frame).collect()
}

fn picture(sequence: &MeshSequence, fitted: &Fitted) -> Picture {
    let frame = sequence.frames().len() * 7 / 10;
    let shapes = [
        ("uncorrected", corrected(fitted, 0).swap_remove(frame)),
        ("five corrections", corrected(fitted, SHOWN).swap_remove(frame)),
        ("exact", sequence.frames()[frame].clone()),
    ];
    let panels = shapes.each_ref().map(|(label, positions)| Panel {
        label,
        positions,
        triangles: sequence.rest().triangles(),
        spheres: &[],
    });
    let view = View::around(&sequence.frames()[frame], THREE_QUARTER, [380, 340]);
    side_by_side("100 rigid joints; with five corrections; the sequence.", &view, &panels)
}
