//! What other questions cost two people in motion, and what they cost after baking.

use std::hint::black_box;
use std::time::Instant;

use glam::Vec3;
use supple::{Body, Ray, cast_ray, cast_rays, collide_any};

use crate::collide::{Baked, Meeting, microseconds};
use crate::digits::three_digits;
use crate::failure::{Blame, Failure, OrBlame};
use crate::one_thread::on_one_thread;
use crate::table::{Side, Table};

/// A question about the first, or about both.
struct Question {
    name: &'static str,
    sides: &'static [usize],
    ask: fn(&mut [&mut Body; 2], &[Ray]),
}

const QUESTIONS: [Question; 3] = [
    Question {
        name: "do they touch at all?",
        sides: &[0, 1],
        ask: |[a, b], _| {
            black_box(collide_any(a, b));
        },
    },
    Question {
        name: "what does a shot at one of them hit?",
        sides: &[0],
        ask: |[a, _], rays| {
            black_box(cast_ray(a, rays[0]));
        },
    },
    Question {
        name: "what do 900 shots at him hit, in one frame?",
        sides: &[0],
        ask: |[a, _], rays| {
            black_box(cast_rays(a, rays));
        },
    },
];

/// Shots: rows and columns over the height and width of a person.
const GRID: usize = 30;

/// How often all frames are measured; the fastest counts.
const REPETITIONS: usize = 3;

/// A table of mean times over all frames.
pub fn text(meeting: &mut Meeting) -> Result<String, Failure> {
    let rays = shots().or_blame(Blame::Check)?;
    let columns =
        [("", Side::Left), ("supple", Side::Right), ("baking", Side::Right), ("faster", Side::Right)];
    let mut table = Table::new(&columns);
    for question in &QUESTIONS {
        let mut best = [f64::INFINITY; 2];
        for _ in 0..REPETITIONS {
            let times = on_one_thread(|| mean_times(meeting, question, &rays))?;
            best = [best[0].min(times[0]), best[1].min(times[1])];
        }
        let [supple, baking] = best;
        table.row([
            question.name.to_owned(),
            format!("{} µs", microseconds(supple)),
            format!("{} µs", microseconds(baking)),
            format!("{} x", three_digits(baking / supple)),
        ]);
    }
    Ok(table.text(usize::MAX - 1)
        + "\nThe more of a body is looked at, the less there is to gain. Where baking is the better way, bodies take\n\
           baked vertices and answer the same questions.\n")
}

/// Rays from three metres in front, the first at the chest.
fn shots() -> Result<Vec<Ray>, supple::RayError> {
    let aimed =
        |x: f32, y: f32| Ray::new(Vec3::new(0.4, 1.5, 3.0), Vec3::new(x, y, 0.0) - Vec3::new(0.4, 1.5, 3.0));
    let across = |index: usize, from: f32, to: f32| from + (to - from) * (index as f32 + 0.5) / GRID as f32;
    let mut rays = vec![aimed(0.0, 1.3)?];
    for index in 1..GRID * GRID {
        rays.push(aimed(across(index % GRID, -0.4, 0.4), across(index / GRID, 0.1, 1.8))?);
    }
    Ok(rays)
}

/// Microseconds from poses to the answer, in the mean over all frames: from joints and weights, and baked.
fn mean_times(meeting: &mut Meeting, question: &Question, rays: &[Ray]) -> Result<[f64; 2], Failure> {
    let mut baked = Baked::new(meeting)?;
    let mut sums = [0.0; 2];
    for frame in 0..meeting.frame_count {
        let time = meeting.time(frame);
        meeting.a.sample(time)?;
        meeting.b.sample(time)?;
        let start = Instant::now();
        for &side in question.sides {
            [&mut meeting.a, &mut meeting.b][side].take_pose()?;
        }
        (question.ask)(&mut [&mut meeting.a.body, &mut meeting.b.body], rays);
        sums[0] += start.elapsed().as_secs_f64();
        let start = Instant::now();
        baked.bake(meeting, question.sides)?;
        let [a, b] = &mut baked.bodies;
        (question.ask)(&mut [a, b], rays);
        sums[1] += start.elapsed().as_secs_f64();
    }
    Ok(sums.map(|sum| 1e6 * sum / meeting.frame_count as f64))
}
