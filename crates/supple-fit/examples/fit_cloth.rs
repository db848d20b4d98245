//! Fits skins to cloth of the sizes that the thesis had, and prints times, errors, and how many times smaller the skin is (all of it; as the
//! thesis counts). Then what it costs to collide the fitted drape with a ball, compared with deforming all of its vertices.
//!
//! `cargo run --release --example fit_cloth -p supple-fit [thesis] [weights] [adaptive] [rounds]`: without Gauss-Newton steps, with weights
//! by least squares, adaptive placement, four rounds of joints and corrections.

#[path = "../tests/cloth/mod.rs"]
mod cloth;

use std::sync::Arc;
use std::time::Instant;

use cloth::Cloth;
use glam::Vec3;
use supple::math::Isometry;
use supple::model::Model;
use supple::{Body, BuildOptions, Shape, Skinning, collide};
use supple_fit::{Corrections, FitOptions, Fitted, Placement, Weights, fit};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!(
        "{:<8} {:>8} {:>6} {:>6} {:<7} {:>8} {:>9} {:>9} {:>6} {:>6}",
        "cloth", "vertices", "frames", "joints", "skin", "seconds", "error %", "with 5 %", "ratio", "thesis"
    );
    let asked = |word: &str| std::env::args().any(|a| a == word);
    let rounds = if asked("rounds") { 4 } else { 1 };
    let weights = if asked("weights") { Weights::LeastSquares } else { Weights::FallOff };
    let placement = if asked("adaptive") { Placement::Adaptive } else { Placement::PCentre };
    let steps = if asked("thesis") { 0 } else { FitOptions::default().steps };
    let cases = [
        (Cloth::Drape, 190, 107, 100),
        (Cloth::Skirt, 190, 107, 100),
        (Cloth::Flag, 94, 75, 200),
        (Cloth::Curtain, 94, 75, 200),
    ];
    let mut drape = None;
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
            let start = Instant::now();
            let fitted = fit(&sequence, &options, &|_| ())?;
            let seconds = start.elapsed().as_secs_f64();
            println!(
                "{:<8} {:>8} {:>6} {:>6} {:<7} {:>8.2} {:>9.3} {:>9.3} {:>6.1} {:>6.1}",
                format!("{cloth:?}"),
                columns * rows,
                frames,
                fitted.model.skin().joint_count(),
                skinning.name(),
                seconds,
                fitted.uncorrected.percent,
                fitted.distortion.percent,
                fitted.sizes.ratio(),
                fitted.sizes.ratio_without_weights(),
            );
            if cloth == Cloth::Drape && skinning == Skinning::DualQuaternion {
                drape = Some(fitted);
            }
        }
    }
    drape.map_or(Ok(()), collision_cost)
}

/// The clip against the ball that it falls on, and against a small one that touches a part of it.
fn collision_cost(fitted: Fitted) -> Result<(), Box<dyn std::error::Error>> {
    let (model, skinning) = (Arc::new(fitted.model), fitted.skinning);
    let shape = Arc::new(Shape::build(Arc::clone(&model), &BuildOptions::default())?);
    for (radius, height) in [(0.5, 0.0), (0.1, 0.42)] {
        let ball =
            Arc::new(Shape::build(Arc::new(Model::rigid(cloth::ball(radius))), &BuildOptions::default())?);
        let (mut body, mut other) = (Body::new(&shape, skinning)?, Body::new(&ball, Skinning::Linear)?);
        other.place(Isometry::from_translation(Vec3::Y * height))?;
        let [mut asked, mut deforming] = [0.0; 2];
        let (mut deformed, mut pairs) = (0, 0);
        for frame in 0..100 {
            let pose = model.sample(&model.clips()[0], f64::from(frame) / 24.0)?;
            let start = Instant::now();
            body.set_pose(&pose)?;
            let collision = collide(&mut body, &mut other);
            asked += start.elapsed().as_secs_f64();
            deformed += collision.stats.vertices_deformed;
            pairs += collision.pairs.len();
            let start = Instant::now();
            std::hint::black_box(model.posed(&pose, skinning)?.positions());
            deforming += start.elapsed().as_secs_f64();
        }
        let vertices = 100 * (model.mesh().positions().len() + ball.model().mesh().positions().len());
        println!(
            "drape against a ball of {radius}, {} pairs per frame: {:.1} % of vertices deformed, {:.2} times the time of deforming it",
            pairs / 100,
            100.0 * deformed as f64 / vertices as f64,
            asked / deforming,
        );
    }
    Ok(())
}
