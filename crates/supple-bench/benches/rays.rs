//! Rays on one character: 1 to 10,000 per pose. The library poses what they meet, the opponent everything before the first.

use std::sync::Arc;

use supple::{Aabb, Body, Model, RayHit, Shape, Skinning};
use supple_bench::clock::microseconds;
use supple_bench::marks::at_least;
use supple_bench::opponent::Avx2;
use supple_bench::quartile::lower_quartile;
use supple_bench::targets;
use supple_bench::workload::{Frame, rays_at};
use supple_report::columns::{Columns, number};

use crate::behind::Behind;
use crate::ours::{Given, hierarchy};
use crate::rival::Rival;

/// Rays per pose.
pub const COUNTS: [usize; 5] = [1, 10, 100, 1_000, 10_000];
/// A frame of 10,000 rays takes long, and says as much as many.
pub const MOST_FRAMES: usize = 10;

/// Mean microseconds per pose, over the frames.
#[derive(Clone, Copy, Default)]
struct Cost {
    ours: f64,
    /// Hierarchy, skinning and refit.
    prepare: f64,
    opponent_casts: f64,
    hits: f64,
}

/// A character and its costs per number of rays.
pub struct RayRun {
    name: String,
    triangles: usize,
    costs: [Cost; COUNTS.len()],
}

/// Runs both sides on some of the frames; their answers are equal.
pub fn run(avx2: Avx2, name: &str, shape: &Arc<Shape>, frames: &[Frame], rounds: usize) -> RayRun {
    let model = &**shape.model();
    let mut body = Body::new(shape, Skinning::Linear).expect("rest poses are finite");
    let mut costs = [Cost::default(); COUNTS.len()];
    let frames: Vec<_> = frames.iter().step_by(frames.len().div_ceil(MOST_FRAMES)).collect();
    let mut rival = best_rival(avx2, model, &mut body, &frames);
    for (i, frame) in frames.iter().enumerate() {
        for (cost, count) in costs.iter_mut().zip(COUNTS) {
            let own = run_frame(model, &mut body, &mut rival, frame, (i as u64, count), rounds);
            cost.ours += own.ours / frames.len() as f64;
            cost.prepare += own.prepare / frames.len() as f64;
            cost.opponent_casts += own.opponent_casts / frames.len() as f64;
            cost.hits += own.hits / frames.len() as f64;
        }
    }
    println!("{name}: {} poses with up to 10000 rays; all answers are equal", frames.len());
    RayRun { name: name.to_owned(), triangles: model.mesh().triangles().len(), costs }
}

/// An opponent whose tree is built for the rest pose or for a frame in the middle, whichever is faster.
fn best_rival(avx2: Avx2, model: &Model, body: &mut Body, frames: &[&Frame]) -> Rival {
    let [middle, _] = Given::new(model, frames[frames.len() / 2]).positions(model, Skinning::Linear);
    let mut rivals = [model.mesh().positions(), &middle].map(|pose| Rival::new(avx2, model, pose));
    let times = rivals.each_mut().map(|rival| {
        let cost = |frame: &&Frame| run_frame(model, body, rival, frame, (0, 1_000), 3);
        frames.iter().map(cost).map(|cost| cost.prepare + cost.opponent_casts).sum::<f64>()
    });
    let [at_rest, in_clip] = rivals;
    if times[0] <= times[1] { at_rest } else { in_clip }
}

fn run_frame(
    model: &Model,
    body: &mut Body,
    rival: &mut Rival,
    frame: &Frame,
    (seed, count): (u64, usize),
    rounds: usize,
) -> Cost {
    let given = Given::new(model, frame);
    let positions = &given.positions(model, Skinning::Linear)[..1];
    let rays = rays_at(&Aabb::from_points(positions[0].iter().copied()), seed, count);
    rival.check_skinning(&given.matrices[..1], positions);
    rival.take(positions);
    rival.trees.refit_first();
    let (mut hits, mut theirs) = (Vec::new(), Vec::new());
    let mut times = [const { Vec::new() }; 3];
    // The first round warms the caches.
    for _ in 0..=rounds {
        let mut ours = |hits: &mut Vec<Option<RayHit>>| {
            body.set_pose(given.poses[0]).expect("clips have poses that fit");
            *hits = supple::cast_rays(body, &rays).found;
        };
        ours(&mut hits);
        times[0].push(microseconds(|| ours(&mut hits)).0);
        let prepare = |rival: &mut Rival| {
            std::hint::black_box(hierarchy(model, [given.poses[0]], [given.placements[0]]));
            rival.skin(&given.matrices[..1]);
            rival.trees.refit_first();
        };
        prepare(rival);
        times[1].push(microseconds(|| prepare(rival)).0);
        rival.trees.cast_rays(&rays, &mut theirs);
        rival.trees.refit_first();
        times[2].push(microseconds(|| rival.trees.cast_rays(&rays, &mut theirs)).0);
        assert!(hits == theirs, "the opponent hits something else");
    }
    let [ours, prepare, opponent_casts] = times.map(|times| lower_quartile(times[1..].to_vec()));
    Cost { ours, prepare, opponent_casts, hits: hits.iter().flatten().count() as f64 }
}

/// The table.
pub fn print(runs: &[RayRun], behind: &mut Behind) {
    let mut table = Columns::new(
        "Rays, us per pose of one character: from pose to first hits. Opponent: hierarchy, skin and refit, then casts",
        1,
        &["character", "triangles", "rays", "hits", "ours", "prepare", "casts", "opponent", "ratio", ""],
    );
    for run in runs {
        for (cost, count) in run.costs.iter().zip(COUNTS) {
            let opponent = cost.prepare + cost.opponent_casts;
            let ratio = opponent / cost.ours;
            behind.look(&format!("rays, {count} per pose"), &run.name, ratio);
            let [ratio, target] = at_least(ratio, targets::rays(count, run.triangles));
            table.row(vec![
                run.name.clone(),
                run.triangles.to_string(),
                count.to_string(),
                number(cost.hits),
                number(cost.ours),
                number(cost.prepare),
                number(cost.opponent_casts),
                number(opponent),
                ratio,
                target,
            ]);
        }
    }
    print!("{}", table.text());
    for run in runs {
        println!("  {}: {}", run.name, break_even(run));
    }
}

/// From how many rays on the opponent is faster, interpolated on logarithmic scales.
fn break_even(run: &RayRun) -> String {
    let ratio = |cost: &Cost| (cost.prepare + cost.opponent_casts) / cost.ours;
    let points: Vec<(f64, f64)> =
        run.costs.iter().zip(COUNTS).map(|(cost, count)| ((count as f64).ln(), ratio(cost).ln())).collect();
    let crossing = points.windows(2).find(|pair| pair[0].1 >= 0.0 && pair[1].1 < 0.0);
    match crossing {
        Some(&[low, high]) => {
            let share = low.1 / (low.1 - high.1);
            format!("break-even at about {:.0} rays per pose", (low.0 + share * (high.0 - low.0)).exp())
        }
        _ if points[0].1 < 0.0 => "never ahead".to_owned(),
        _ => format!("ahead up to {} rays per pose and more", COUNTS[COUNTS.len() - 1]),
    }
}
