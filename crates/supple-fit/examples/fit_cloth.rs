//! Fits skins to cloth of the sizes that the thesis had, and prints times, errors, and how many times smaller the skin is (all of it; as the
//! thesis counts). Then what it costs to collide the fitted drape with a sphere, compared with deforming all of its vertices.
//!
//! `cargo run --release --example fit_cloth -p supple-fit [thesis] [weights] [adaptive] [rounds]`: without Gauss-Newton steps, with weights
//! by least squares, adaptive placement, four rounds of joints and corrections.

#[path = "../tests/cloth/mod.rs"]
mod cloth;

use std::sync::Arc;

use cloth::Cloth;
use glam::Vec3;
use supple::{Body, BuildOptions, Isometry, Model, Shape, Skinning, collide};
use supple_fit::{Corrections, FitOptions, Fitted, Placement, Weights, fit};
use supple_report::clock::microseconds;
use supple_report::columns::{Columns, number};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let asked = |word: &str| std::env::args().any(|a| a == word);
    let rounds = if asked("rounds") { 4 } else { 1 };
    let weights = if asked("weights") { Weights::LeastSquares } else { Weights::FallOff };
    let placement = if asked("adaptive") { Placement::Adaptive } else { Placement::PCenter };
    let steps = if asked("thesis") { 0 } else { FitOptions::default().steps };
    let cases = [
        (Cloth::Drape, 190, 107, 100),
        (Cloth::Skirt, 190, 107, 100),
        (Cloth::Flag, 94, 75, 200),
        (Cloth::Curtain, 94, 75, 200),
    ];
    let mut drape = None;
    let mut table = Columns::new(
        "Errors in percent, with and without 5 corrections; how many times smaller the skin is",
        1,
        &[
            "cloth",
            "vertices",
            "frames",
            "joints",
            "skin",
            "seconds",
            "error",
            "corrected",
            "ratio",
            "thesis",
        ],
    );
    for (cloth, columns, rows, frames) in cases {
        let sequence = cloth::sequence(cloth, columns, rows, frames);
        for skinning in [Skinning::DualQuaternion, Skinning::Linear] {
            let options = FitOptions::default()
                .with_skinning(skinning)
                .with_corrections(Corrections::Count(5))
                .with_rounds(rounds)
                .with_weights(weights)
                .with_placement(placement)
                .with_steps(steps);
            let (time, fitted) = microseconds(|| fit(&sequence, &options, &|_| ()));
            let fitted = fitted?;
            table.row(vec![
                format!("{cloth:?}"),
                (columns * rows).to_string(),
                frames.to_string(),
                fitted.model.skin().joint_count().to_string(),
                skinning.name().to_owned(),
                number(time / 1e6),
                format!("{:.3}", fitted.uncorrected.percent),
                format!("{:.3}", fitted.distortion.percent),
                number(fitted.sizes.ratio()),
                number(fitted.sizes.ratio_without_weights()),
            ]);
            if cloth == Cloth::Drape && skinning == Skinning::DualQuaternion {
                drape = Some(fitted);
            }
        }
    }
    print!("{}", table.text());
    drape.map_or(Ok(()), collision_cost)
}

/// The clip against the sphere that it falls on, and against a small one that touches a part of it.
fn collision_cost(fitted: Fitted) -> Result<(), Box<dyn std::error::Error>> {
    let (model, skinning) = (Arc::new(fitted.model), fitted.skinning);
    let shape = Arc::new(Shape::build(Arc::clone(&model), &BuildOptions::default())?);
    for (radius, height) in [(0.5, 0.0), (0.1, 0.42)] {
        let sphere =
            Arc::new(Shape::build(Arc::new(Model::rigid(cloth::sphere(radius))), &BuildOptions::default())?);
        let (mut body, mut other) = (Body::new(&shape, skinning)?, Body::new(&sphere, Skinning::Linear)?);
        other.set_placement(Isometry::from_translation(Vec3::Y * height))?;
        let [mut asked, mut deforming] = [0.0; 2];
        let (mut deformed, mut pairs) = (0, 0);
        for frame in 0..100 {
            let pose = model.sample(&model.clips()[0], f64::from(frame) / 24.0)?;
            let (time, collision) =
                microseconds(|| body.set_pose(&pose).map(|()| collide(&mut body, &mut other)));
            let collision = collision?;
            asked += time;
            deformed += collision.stats.vertices_deformed;
            pairs += collision.found.len();
            let (time, posed) = microseconds(|| model.posed(&pose, skinning).map(|posed| posed.positions()));
            posed?;
            deforming += time;
        }
        let vertices = 100 * (model.mesh().positions().len() + sphere.model().mesh().positions().len());
        println!(
            "drape against a sphere of {radius}, {} pairs per frame: {:.1} % of vertices deformed, {:.2} times the time of deforming it",
            pairs / 100,
            100.0 * deformed as f64 / vertices as f64,
            asked / deforming,
        );
    }
    Ok(())
}
