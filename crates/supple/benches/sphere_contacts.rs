//! Contacts at a level of the tree: what it costs that bodies are flexible.
//!
//! Two chairs of ten vibration modes lie in each other: all modes strongly active, all slightly (so that there are as many contacts as
//! at rest), and all at rest: the bounds of a rigid chair, without a look at the modes. Every query begins with new poses and places.
//! Prints medians in microseconds, all measured in turn in one process.

use std::hint::black_box;
use std::sync::Arc;

use glam::{Quat, Vec3};
use supple::math::{Aabb, Isometry};
use supple::narrow::Plane;
use supple::pose::Pose;
use supple::{
    Body, BuildOptions, Shape, Skinning, collide, sphere_contacts_into, sphere_plane_contacts_into,
    sphere_triangle_contacts_into,
};
use supple_report::clock::{median, microseconds};

const FRAMES: usize = 16;
const ROUNDS: usize = 25;
/// Strongly, slightly, at rest.
const KINDS: usize = 3;
const AMPLITUDES: [f32; KINDS] = [0.4, 0.01, 0.0];

fn main() {
    for name in ["chair", "fish"] {
        let model = Arc::new(supple_zoo::make(name, 0).expect("it is in the zoo"));
        let shape = Arc::new(Shape::build(Arc::clone(&model), &BuildOptions::default()).expect("a tree"));
        let rest = model.rest_pose();
        println!(
            "{name}: {} triangles, {} joints, {} coefficients, {} levels, pieces {:?}",
            model.mesh().triangles().len(),
            model.skin().joint_count(),
            rest.coefficients.len(),
            shape.depth(),
            (0..shape.depth() as u32).map(|level| shape.pieces(level).len()).collect::<Vec<_>>()
        );
        let frames: Vec<[Frame; 2]> = (0..FRAMES).map(|i| frames_of(&model, i)).collect();
        poses(&shape, &frames);
        contacts(&shape, &frames);
        println!();
    }
}

/// A pose with all modes active, with all of them slightly, and with none; where the body is.
struct Frame {
    poses: [Pose; KINDS],
    place: Isometry,
}

fn frames_of(model: &supple::model::Model, frame: usize) -> [Frame; 2] {
    let bounds = Aabb::from_points(model.mesh().positions().iter().copied());
    let turn = |i: usize| Quat::from_euler(glam::EulerRot::XYZ, 0.3 * i as f32, 0.7 * i as f32, 0.1);
    let aside = (bounds.max - bounds.min) * Vec3::new(0.35, 0.1, 0.2);
    [(frame, Vec3::ZERO), (frame + 31, aside)].map(|(number, offset)| {
        let poses = AMPLITUDES.map(|amplitude| {
            let mut pose = model.rest_pose();
            for (i, q) in pose.coefficients.iter_mut().enumerate() {
                *q = amplitude * ((number * 7 + i * 3) as f32).sin();
            }
            pose
        });
        Frame { poses, place: Isometry::from_rotation_translation(turn(number), offset) }
    })
}

/// What a new pose costs.
fn poses(shape: &Arc<Shape>, frames: &[[Frame; 2]]) {
    let mut body = Body::new(shape, Skinning::Linear).expect("it fits");
    let mut times = [const { Vec::new() }; KINDS];
    for _ in 0..ROUNDS {
        for (kind, times) in times.iter_mut().enumerate() {
            let (all, ()) = microseconds(|| {
                for [frame, _] in frames {
                    body.set_pose_at(black_box(&frame.poses[kind]), frame.place).expect("it fits");
                }
            });
            times.push(all / frames.len() as f64);
        }
    }
    let [strongly, _, at_rest] = times.map(median);
    println!("set_pose_at: {strongly:.3} us, modes at rest {at_rest:.3} us");
}

fn contacts(shape: &Arc<Shape>, frames: &[[Frame; 2]]) {
    println!(
        "{:<28} {:>17} {:>17} {:>26} {:>13} {:>8}",
        "query", "contacts", "refits", "us: strong, slight, rest", "ratios", "memory"
    );
    for level in 2..=shape.depth().min(6) as u32 {
        let mut found = Vec::new();
        row(&format!("spheres, level {level}"), shape, frames, |a, b| {
            let stats = sphere_contacts_into(a, b, [level; 2], &mut found);
            (found.len(), stats.refits)
        });
    }
    let mut found = Vec::new();
    row("spheres and triangles, level 3", shape, frames, |a, b| {
        let stats = sphere_triangle_contacts_into(a, b, 3, &mut found);
        (found.len(), stats.refits)
    });
    let mut found = Vec::new();
    let plane = Plane::new(Vec3::Y, 0.0).expect("a normal");
    row("plane, level 3", shape, frames, |a, _| {
        let stats = sphere_plane_contacts_into(a, plane, 3, &mut found);
        (found.len(), stats.refits)
    });
    row("collide, for comparison", shape, frames, |a, b| {
        let found = collide(a, b);
        (found.found.len(), found.stats.refits)
    });
}

fn row(
    name: &str,
    shape: &Arc<Shape>,
    frames: &[[Frame; 2]],
    mut ask: impl FnMut(&mut Body, &mut Body) -> (usize, u64),
) {
    let mut bodies = [(); 2].map(|()| Body::new(shape, Skinning::Linear).expect("it fits"));
    let (mut times, mut contacts, mut refits) = ([const { Vec::new() }; KINDS], [0; KINDS], [0; KINDS]);
    for _ in 0..ROUNDS {
        for kind in 0..KINDS {
            let mut total = 0.0;
            for pair in frames {
                for (body, frame) in bodies.iter_mut().zip(pair) {
                    body.set_pose_at(&frame.poses[kind], frame.place).expect("it fits");
                }
                let [a, b] = &mut bodies;
                let (time, (found, refitted)) = microseconds(|| ask(a, b));
                total += time;
                contacts[kind] += found;
                refits[kind] += refitted;
            }
            times[kind].push(total / frames.len() as f64);
        }
    }
    let [strongly, slightly, at_rest] = times.map(median);
    let asked = ROUNDS * frames.len();
    println!(
        "{name:<28} {:>17} {:>17} {:>26} {:>13} {:>8}",
        format!("{:?}", contacts.map(|sum| sum / asked)),
        format!("{:?}", refits.map(|sum| sum / asked as u64)),
        format!("{strongly:.2} {slightly:.2} {at_rest:.2}"),
        format!("{:.2} {:.2}", strongly / at_rest, slightly / at_rest),
        bodies[0].memory_bytes().max(bodies[1].memory_bytes())
    );
}
