//! Figure 7.9: pleats that are made in the rest pose appear in every frame.

use glam::Vec3;
use supple::mesh::vertex_normals;
use supple::{Mesh, Model, Skinning};
use supple_draw::THREE_QUARTER;
use supple_fit::FitOptions;
use supple_zoo::cloth::Cloth;

use super::animations::Material;
use super::timed_fit;
use crate::papers::Run;
use crate::report::picture::{Panel, View, side_by_side};
use crate::report::{Cell, Experiment, Table};

/// Around the skirt.
const PLEATS: f32 = 24.0;

/// A part of the skirt's radius.
const DEPTH: f32 = 0.05;

/// A plain skirt becomes a pleated one.
pub fn figure_7_9(run: &mut Run) -> Experiment {
    (run.progress)("figure 7.9: an edited rest pose");
    let frames = run.options.count(8, 54);
    let sequence = Material::Sheet(Cloth::Skirt, 120, 38).sequence(frames);
    let mut experiment = Experiment::new(
        "Figure 7.9: an edited rest pose",
        "A plain skirt is made pleated in its rest pose; the fitted skin carries the pleats through the whole animation.",
        format!(
            "The zoo's skirt in {frames} frames, 100 rigid joints. Measured: how much deeper or flatter the pleats are in the frames than at rest."
        ),
    );
    let (fitted, _) = timed_fit(&sequence, &FitOptions::default());
    let plain = fitted.model;
    let pleated = plain.clone().with_mesh(pleats(plain.mesh())).expect("as many vertices and triangles");
    let posed = |model: &Model, time: f32| {
        let pose = model.sample(&model.clips()[0], f64::from(time)).expect("the clip fits");
        model.posed(&pose, Skinning::DualQuaternion).expect("the pose fits").positions()
    };
    let depth = |a: &[Vec3], b: &[Vec3]| {
        let squares = a.iter().zip(b).map(|(a, b)| f64::from(a.distance_squared(*b)));
        (squares.sum::<f64>() / a.len() as f64).sqrt()
    };
    let at_rest = depth(plain.mesh().positions(), pleated.mesh().positions());
    let depths: Vec<f64> = sequence
        .times()
        .iter()
        .map(|&time| depth(&posed(&plain, time), &posed(&pleated, time)) / at_rest)
        .collect();
    let [low, high] = depths.iter().fold([f64::INFINITY, 0.0], |[low, high], &d| [d.min(low), d.max(high)]);
    let mut table = Table::new("Depth of the pleats / depth at rest, over all frames", ["least", "most"]);
    table.row([Cell::ratio(low), Cell::ratio(high)]);
    experiment.tables.push(table);
    let time = sequence.times()[frames / 3];
    let shapes = [
        plain.mesh().positions().to_vec(),
        pleated.mesh().positions().to_vec(),
        posed(&plain, time),
        posed(&pleated, time),
    ];
    let labels = ["plain, at rest", "pleated, at rest", "plain, in a frame", "pleated, in a frame"];
    // All at one position, so that one camera sees them.
    let centerd = shapes.map(|shape| {
        let middle = shape.iter().sum::<Vec3>() / shape.len() as f32;
        shape.iter().map(|p| p - middle).collect::<Vec<_>>()
    });
    let panels: Vec<Panel> = labels
        .iter()
        .zip(&centerd)
        .map(|(label, positions)| Panel {
            label,
            positions,
            triangles: plain.mesh().triangles(),
            spheres: &[],
        })
        .collect();
    let view = View::around(&centerd.concat(), THREE_QUARTER, [300, 300]);
    let caption = "A plain skirt and a pleated one, at rest and in a frame of the fitted animation.";
    experiment.pictures.push(side_by_side(caption, &view, &panels));
    experiment
}

/// Pleats that grow towards the hem.
fn pleats(plain: &Mesh) -> Mesh {
    let lowest = plain.positions().iter().fold(0.0f32, |y, p| y.min(p.y));
    let pleat = |p: &Vec3| {
        let wave = DEPTH * (p.y / lowest) * (PLEATS * p.z.atan2(p.x)).sin();
        Vec3::new(p.x * (1.0 + wave), p.y, p.z * (1.0 + wave))
    };
    let positions: Vec<Vec3> = plain.positions().iter().map(pleat).collect();
    let normals = vertex_normals(&positions, plain.triangles());
    let mesh = Mesh::new(positions, plain.triangles().to_vec()).and_then(|mesh| mesh.with_normals(normals));
    mesh.expect("finite positions, the same triangles")
}
