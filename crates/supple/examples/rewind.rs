//! Shots into the past: 64 walking men, the last 32 ticks of each, 1,000 shots at times between the ticks.
//!
//! `cargo run --release --example rewind -p supple` (with `--features rayon` also on two threads).

use std::error::Error;
use std::sync::Arc;

use glam::{DQuat, DVec3, Vec3};
use supple::math::Isometry;
use supple::{Body, BuildOptions, PoseHistory, Ray, RayHit, Shape, Skinning, cast_ray};
use supple_report::clock::{median, microseconds};

const MEN: usize = 64;
const TICKS: usize = 32;
const TICKS_PER_SECOND: f64 = 30.0;
const SHOTS: usize = 1000;
/// Metres.
const RANGE: f32 = 40.0;

/// When and where a shot was fired.
struct Shot {
    time: f64,
    muzzle: Vec3,
    target: Vec3,
}

/// The man that was hit first, and where.
type Hit = Option<(usize, RayHit)>;

fn main() -> Result<(), Box<dyn Error>> {
    let shape = Arc::new(Shape::build(supple_zoo::make("man", 0)?, &BuildOptions::default())?);
    for skinning in [Skinning::Linear, Skinning::DualQuaternion] {
        let histories = record(&shape, skinning)?;
        let bytes: usize = histories.iter().map(PoseHistory::memory_bytes).sum();
        println!("{skinning:?}: {MEN} men x {TICKS} ticks take {:.2} MB", bytes as f64 / 1e6);
        let shots = shots();
        let everybody = fire(&shape, skinning, &histories, &shots, false)?;
        let culled = fire(&shape, skinning, &histories, &shots, true)?;
        assert_eq!(culled, everybody, "bounds leave out nobody who is hit");
        #[cfg(feature = "rayon")]
        on_two_threads(&shape, skinning, &histories, &shots, &culled)?;
    }
    Ok(())
}

/// Men that walk about on a field of eight by eight places.
fn record(shape: &Arc<Shape>, skinning: Skinning) -> Result<Vec<PoseHistory>, Box<dyn Error>> {
    let body = Body::new(shape, skinning)?;
    let walk = shape.model().clip("walk")?;
    let (mut histories, mut times) = (Vec::new(), Vec::new());
    for man in 0..MEN {
        let mut history = PoseHistory::of_poses(&body, TICKS)?;
        for tick in 0..TICKS {
            let time = tick as f64 / TICKS_PER_SECOND;
            let pose = shape.model().sample_looped(walk, time + man as f64 * 0.11)?;
            let turn = DQuat::from_rotation_y(man as f64 * 2.4 + time * 0.5);
            let corner = DVec3::new((man % 8) as f64 * 3.0, 0.0, (man / 8) as f64 * 3.0);
            let placement = Isometry::new(turn, corner + turn * DVec3::Z * time * 1.4);
            let (taken, recorded) = microseconds(|| history.record_pose(time, &pose, placement));
            recorded?;
            times.push(taken);
        }
        histories.push(history);
    }
    println!("{skinning:?}: {:.1} us to record a tick of a man", median(times));
    Ok(histories)
}

/// From anywhere on the field to a bit beside anybody.
fn shots() -> Vec<Shot> {
    let mut state = 1u64;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f32 / (1u64 << 24) as f32
    };
    let last = (TICKS - 1) as f64 / TICKS_PER_SECOND;
    let shot = |_| {
        let muzzle = Vec3::new(random() * 24.0, 1.5, random() * 24.0);
        let aim = Vec3::new(random() * 24.0, 0.3 + random() * 1.4, random() * 24.0);
        let target = muzzle + (aim - muzzle).normalize_or(Vec3::X) * RANGE;
        Shot { time: f64::from(random()) * last, muzzle, target }
    };
    (0..SHOTS).map(shot).collect()
}

/// Fires all shots and says what the middle one costs; returns hits.
fn fire(
    shape: &Arc<Shape>,
    skinning: Skinning,
    histories: &[PoseHistory],
    shots: &[Shot],
    cull: bool,
) -> Result<Vec<Hit>, Box<dyn Error>> {
    let mut spare = Body::new(shape, skinning)?;
    let mut rewound = 0;
    let (mut hits, mut times) = (Vec::with_capacity(shots.len()), Vec::with_capacity(shots.len()));
    for shot in shots {
        let (time, hit) = microseconds(|| first_hit(&mut spare, histories, shot, cull, &mut rewound));
        hits.push(hit?);
        times.push(time);
    }
    println!(
        "{skinning:?}, {}: {} of {} shots hit, {:.1} us per shot, {:.1} men rewound per shot",
        if cull { "men near the shot" } else { "all men" },
        hits.iter().flatten().count(),
        shots.len(),
        median(times),
        rewound as f64 / shots.len() as f64
    );
    Ok(hits)
}

fn first_hit(
    spare: &mut Body,
    histories: &[PoseHistory],
    shot: &Shot,
    cull: bool,
    rewound: &mut usize,
) -> Result<Hit, Box<dyn Error>> {
    // Times are shares of the range.
    let mut ray = Ray::segment(shot.muzzle, shot.target)?;
    let mut nearest: Hit = None;
    for (man, history) in histories.iter().enumerate() {
        if cull && !history.bound_at(shot.time)?.may_meet_segment(shot.muzzle, shot.target) {
            continue;
        }
        history.rewind(spare, shot.time)?;
        *rewound += 1;
        if let Some(hit) = cast_ray(spare, ray).found
            && nearest.is_none_or(|(_, before)| hit.time < before.time)
        {
            ray = ray.until(hit.time)?;
            nearest = Some((man, hit));
        }
    }
    Ok(nearest)
}

/// The same shots, with a spare body per thread.
#[cfg(feature = "rayon")]
fn on_two_threads(
    shape: &Arc<Shape>,
    skinning: Skinning,
    histories: &[PoseHistory],
    shots: &[Shot],
    expected: &[Hit],
) -> Result<(), Box<dyn Error>> {
    use rayon::prelude::*;
    let spare = Body::new(shape, skinning)?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build()?;
    let one = |spare: &mut Body, shot: &Shot| {
        first_hit(spare, histories, shot, true, &mut 0).map_err(|error| error.to_string())
    };
    let (time, hits) = microseconds(|| {
        pool.install(|| shots.par_iter().map_init(|| spare.clone(), one).collect::<Result<Vec<Hit>, _>>())
    });
    println!(
        "{skinning:?}, two threads: {:.1} us per shot, wall clock over all shots",
        time / shots.len() as f64
    );
    assert_eq!(hits?, expected, "hits do not depend on threads");
    Ok(())
}
