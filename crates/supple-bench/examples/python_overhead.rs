//! Rust's own times of the calls that `python/benchmarks/call_overhead.py` makes from Python.
//!
//! `cargo run --release --example python_overhead -p supple-bench --features rayon` prints a line per call: its name, nanoseconds,
//! and a number of its answer, by which the other side sees that it asks the same.

use std::error::Error;
use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use glam::{Affine3A, DVec3, Vec3};
use supple::{Body, BuildOptions, Distance, Isometry, Point, Ray, Shape, Skinning};
use supple_report::clock::median;

/// Each batch takes about so long; the median of all batches is printed.
const SECONDS_PER_BATCH: f64 = 0.004;
const BATCHES: usize = 25;

/// Times of the clip between which poses change: a body that is given the pose that it has could save the work.
const SECONDS: [f64; 2] = [0.2, 0.45];

fn main() -> Result<(), Box<dyn Error>> {
    let shape = Arc::new(Shape::build(supple_zoo::make("man", 0)?, &BuildOptions::default())?);
    let model = shape.model();
    let placed = |seconds: f64, x: f64| -> Result<Body, Box<dyn Error>> {
        let mut body = Body::new(&shape, Skinning::Linear)?;
        let pose = model.sample(model.clip("walk")?, seconds)?;
        body.set_pose_at(&pose, Isometry::from_translation(DVec3::X * x))?;
        Ok(body)
    };
    let (mut body, mut far, mut near) = (placed(0.2, 0.0)?, placed(0.45, 9.0)?, placed(0.45, 0.4)?);
    let moved = &mut placed(0.2, 0.0)?;

    // Nothing but the call may be left out or done once for all rounds: inputs and answers go through `black_box`.
    let (from, along, aside) = (Vec3::new(0.0, 1.2, 5.0), Vec3::NEG_Z, Vec3::new(3.0, 1.2, 5.0));
    let cast = |body: &mut Body, origin: Vec3| {
        let ray = Ray::new(black_box(origin), black_box(along)).expect("a direction");
        supple::cast_ray(body, ray).found
    };
    report("cast_ray, hit", 1, || cast(&mut body, from).map_or(-1, |hit| i64::from(hit.triangle)));
    report("cast_ray, miss", 1, || cast(&mut body, aside).map_or(-1, |hit| i64::from(hit.triangle)));
    report("closest_point", 1, || {
        let point = Point::new(black_box(from)).expect("finite");
        let found = supple::closest_point(&mut body, point, Distance::UNLIMITED).found;
        found.map_or(-1, |found| i64::from(found.triangle))
    });
    report("locate_point", 1, || {
        let point = Point::new(black_box(Vec3::new(0.0, 1.2, 0.0))).expect("finite");
        let located = supple::locate_point(&mut body, point).expect("closed");
        i64::from(located.found.is_inside())
    });
    report("collide_any, apart", 1, || i64::from(supple::collide_any(&mut body, &mut far).found.is_some()));
    report("collide, apart", 1, || supple::collide(&mut body, &mut far).found.len() as i64);
    report("collide_any, touching", 1, || {
        supple::collide_any(&mut body, &mut near).found.map_or(-1, |pair| i64::from(pair[0]))
    });
    report("collide, touching", 1, || supple::collide(&mut body, &mut near).found.len() as i64);
    report("self_collide", 1, || supple::self_collide(&mut body).found.len() as i64);
    let origins: Vec<Vec3> = (0..100).map(|i| Vec3::new(-0.5 + 0.01 * i as f32, 1.2, 5.0)).collect();
    let directions = vec![along; origins.len()];
    // As in Python: rays are made of numbers, and the answer has the joints, too.
    report("cast_rays, 100", 1, || {
        let given = black_box(&origins).iter().zip(black_box(&directions));
        let rays: Vec<Ray> =
            given.map(|(&from, &along)| Ray::new(from, along).expect("a direction")).collect();
        let hits = supple::cast_rays(&mut body, &rays).found;
        let joints: Vec<_> =
            hits.iter().flatten().map(|hit| model.joint_at(hit.triangle, hit.barycentrics)).collect();
        black_box(joints).len() as i64
    });
    report("pose", SECONDS.len(), || {
        for seconds in black_box(SECONDS) {
            let pose = model.sample(model.clip(black_box("walk")).expect("known"), seconds).expect("finite");
            moved.set_pose_at(&pose, Isometry::IDENTITY).expect("fits");
        }
        0
    });
    let matrices: Vec<Vec<Affine3A>> = SECONDS
        .iter()
        .map(|&seconds| {
            let pose = model.sample(model.clip("walk")?, seconds)?;
            model.skeleton().joint_matrices(&pose, Isometry::IDENTITY)
        })
        .collect::<Result<_, _>>()?;
    report("set_matrices", SECONDS.len(), || {
        for matrices in black_box(&matrices) {
            moved.set_joint_matrices_at(matrices, &[], Isometry::IDENTITY).expect("fits");
        }
        0
    });
    report("pose and cast_ray", SECONDS.len(), || {
        let mut last = 0;
        for seconds in black_box(SECONDS) {
            let pose = model.sample(model.clip(black_box("walk")).expect("known"), seconds).expect("finite");
            moved.set_pose_at(&pose, Isometry::IDENTITY).expect("fits");
            last = cast(moved, from).map_or(-1, |hit| i64::from(hit.triangle));
        }
        last
    });
    Ok(())
}

/// Prints the time of one call, of a round that makes some of them.
fn report(name: &str, calls_per_round: usize, mut round: impl FnMut() -> i64) {
    let mut seconds_of = |rounds: usize| {
        let start = Instant::now();
        for _ in 0..rounds {
            black_box(round());
        }
        start.elapsed().as_secs_f64()
    };
    let mut rounds = 1;
    while seconds_of(rounds) < SECONDS_PER_BATCH {
        rounds *= 2;
    }
    let times = (0..BATCHES).map(|_| seconds_of(rounds) / (rounds * calls_per_round) as f64).collect();
    let answer = round();
    println!("{name}\t{:.1}\t{answer}", median(times) * 1e9);
}
