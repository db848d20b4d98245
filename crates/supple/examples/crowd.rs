//! Crowds: what a frame of many bodies costs, split into posing, broad phase and queries.
//!
//! `cargo run --release --example crowd -p supple --features rayon` (without the feature: one thread).

use std::error::Error;
use std::sync::Arc;

use glam::{DQuat, DVec3};
use supple::math::Isometry;
use supple::pose::PoseError;
use supple::{Answer, Body, BodyContacts, BuildOptions, Groups, Scene, Shape, Skinning};
use supple_report::clock::{median, microseconds};

const FRAMES: usize = 20;

fn main() -> Result<(), Box<dyn Error>> {
    println!(
        "| crowd | threads | posing us | broad phase us | queries us | near | touching | triangle pairs | MB |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    // Spacing as a share of the bodies' width and depth.
    for (name, count, share) in [("creature", 50, 0.9), ("man", 1000, 1.0)] {
        let shape = Arc::new(Shape::build(supple_zoo::make(name, 0)?, &BuildOptions::default())?);
        let mut answers = Vec::new();
        for threads in thread_counts() {
            answers.push(on_threads(threads, || play(name, count, share, &shape, threads))??);
        }
        assert!(answers.windows(2).all(|w| w[0] == w[1]), "answers do not depend on threads");
    }
    Ok(())
}

/// Plays some frames and prints a row; returns the contacts and counters of the last frame.
fn play(
    name: &str,
    count: usize,
    share: f64,
    shape: &Arc<Shape>,
    threads: usize,
) -> Result<Answer<Vec<BodyContacts>>, PoseError> {
    let clip = shape.model().clip("walk")?;
    let mut scene = Scene::new();
    let mut first = Body::new(shape, Skinning::Linear)?;
    let extent = first.bound().half_extents().as_dvec3() * 2.0 * share;
    for _ in 0..count {
        scene.insert(first.clone(), Groups::ALL);
    }
    let side = (count as f64).sqrt().ceil() as usize;
    let (mut times, mut last) = ([const { Vec::new() }; 3], Answer::default());
    let (mut near, mut touching, mut triangles) = (0, 0, 0);
    for frame in 0..FRAMES {
        let time = frame as f64 / 30.0;
        let place = |number: usize| {
            let (column, row) = ((number % side) as f64, (number / side) as f64);
            let turn = DQuat::from_rotation_y(((number * 37) % 100) as f64 * 0.02 - 1.0);
            Isometry::new(turn, DVec3::new(column * extent.x, 0.0, row * extent.z + time * 0.3))
        };
        let (posing, posed) = microseconds(|| {
            let bodies: Vec<_> = scene.bodies_mut().map(|(_, body)| body).enumerate().collect();
            for_each(bodies, |(number, body)| {
                let pose = shape.model().sample_looped(clip, time + number as f64 * 0.17)?;
                body.set_pose_at(&pose, place(number))
            })
        });
        posed?;
        let (broad_phase, pairs) = microseconds(|| scene.pairs().len());
        near += pairs;
        // Bounds are known by then: what is left of the broad phase is its sweep.
        let (queries, contacts) = microseconds(|| scene.collide());
        for (times, time) in times.iter_mut().zip([posing, broad_phase, queries]) {
            times.push(time);
        }
        touching += contacts.found.len();
        triangles += contacts.found.iter().map(|contact| contact.pairs.len()).sum::<usize>();
        last = contacts;
    }
    let per_frame = |total: usize| total / FRAMES;
    let [posing, broad_phase, queries] = times.map(median);
    println!(
        "| {count} x {name} | {threads} | {posing:.0} | {broad_phase:.0} | {queries:.0} | {} | {} | {} | {:.1} |",
        per_frame(near),
        per_frame(touching),
        per_frame(triangles),
        scene.memory_bytes() as f64 / 1e6
    );
    Ok(last)
}

/// On all threads, where there are several.
fn for_each<T: Send>(
    all: Vec<T>,
    work: impl Fn(T) -> Result<(), PoseError> + Sync + Send,
) -> Result<(), PoseError> {
    #[cfg(feature = "rayon")]
    {
        use rayon::prelude::*;
        all.into_par_iter().try_for_each(work)
    }
    #[cfg(not(feature = "rayon"))]
    all.into_iter().try_for_each(work)
}

#[cfg(feature = "rayon")]
fn thread_counts() -> Vec<usize> {
    vec![1, 2]
}

#[cfg(not(feature = "rayon"))]
fn thread_counts() -> Vec<usize> {
    vec![1]
}

#[cfg(feature = "rayon")]
fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> Result<T, Box<dyn Error>> {
    Ok(rayon::ThreadPoolBuilder::new().num_threads(threads).build()?.install(work))
}

#[cfg(not(feature = "rayon"))]
fn on_threads<T>(_: usize, work: impl FnOnce() -> T) -> Result<T, Box<dyn Error>> {
    Ok(work())
}
