//! Embree's rays on the same poses. Its answers are not exact; those that differ are counted.

use std::sync::Arc;

use supple::{Aabb, Body, RayHit, Shape, Skinning};
use supple_bench::clock::microseconds;
use supple_bench::opponent::Avx2;
use supple_bench::quartile::lower_quartile;
use supple_bench::workload::{Frame, rays_at};
use supple_report::columns::{Columns, number};

use crate::behind::Behind;
use crate::ours::{Given, hierarchy};
use crate::peers::EmbreeRays;
use crate::rays::{COUNTS, MOST_FRAMES};
use crate::rival::Rival;

/// What the table explains.
pub const EXPLANATION: &str = "Embree's rays, us per pose from poses, with the opponent's skinning (x: times of ours). \
Differ: rays that hit another triangle or none, of all poses";
/// Its columns.
pub const HEADER: [&str; 9] =
    ["character", "triangles", "rays", "ours", "skin", "refit", "casts", "x", "differ"];

/// Runs all sides on some of the frames, and adds rows.
pub fn run(
    avx2: Avx2,
    name: &str,
    shape: &Arc<Shape>,
    frames: &[Frame],
    rounds: usize,
    table: &mut Columns,
    behind: &mut Behind,
) {
    let model = &**shape.model();
    let frames: Vec<_> = frames.iter().step_by(frames.len().div_ceil(MOST_FRAMES)).collect();
    let mut body = Body::new(shape, Skinning::Linear).expect("rest poses are finite");
    let mut rival = Rival::new(avx2, model, model.mesh().positions());
    let mut embree = EmbreeRays::new(model, model.mesh().positions());
    for count in COUNTS {
        let (mut means, mut differ) = ([0.0; 4], 0);
        for (seed, frame) in (0..).zip(&frames) {
            let given = Given::new(model, frame);
            let [positions, _] = given.positions(model, Skinning::Linear);
            let rays = rays_at(&Aabb::from_points(positions.iter().copied()), seed, count);
            let mut times = [const { Vec::new() }; 4];
            let mut ours = || {
                body.set_pose(given.poses[0]).expect("clips have poses that fit");
                supple::cast_rays(&mut body, &rays).found
            };
            let mut skin = || {
                std::hint::black_box(hierarchy(model, [given.poses[0]], [given.placements[0]]));
                rival.skin(&given.matrices[..1]);
            };
            embree.refit(&positions);
            differ += differences(&ours(), embree.cast(&rays));
            for _ in 0..rounds {
                // Each once before it is timed: the others have just swept the caches.
                ours();
                times[0].push(microseconds(&mut ours).0);
                skin();
                times[1].push(microseconds(&mut skin).0);
                embree.refit(&positions);
                times[2].push(microseconds(|| embree.refit(&positions)).0);
                embree.cast(&rays).count();
                times[3].push(microseconds(|| embree.cast(&rays).count()).0);
            }
            for (mean, times) in means.iter_mut().zip(times) {
                *mean += lower_quartile(times) / frames.len() as f64;
            }
        }
        let ratio = means[1..].iter().sum::<f64>() / means[0];
        let mut cells = vec![name.to_owned(), model.mesh().triangles().len().to_string(), count.to_string()];
        cells.extend(means.into_iter().chain([ratio]).map(number));
        cells.push(differ.to_string());
        behind.look(&format!("rays, {count} per pose, Embree"), name, ratio);
        table.row(cells);
    }
}

fn differences(exact: &[Option<RayHit>], theirs: impl Iterator<Item = Option<u32>>) -> usize {
    exact.iter().zip(theirs).filter(|(ours, theirs)| ours.map(|hit| hit.triangle) != *theirs).count()
}
