//! `supple demo skinning`: a character in poses that tell the skinning models apart.
//!
//! In: nothing. Out: a table of volumes, distances and times, and what they mean.

use std::time::Instant;

use glam::{DVec3, Vec3};
use supple::Model;
use supple::PoseError;
use supple::Skinning;

use crate::failure::{Blame, Failure, OrBlame};
use crate::one_thread::on_one_thread;
use crate::print::print;
use crate::progress::while_waiting;
use crate::source::from_zoo;
use crate::table::{Side, Table, counted};

/// Clips and the parts of their duration that are shown.
const MOMENTS: [(&str, &[f64]); 2] =
    [("walk", &[0.0, 0.25, 0.5]), ("twist", &[0.0, 0.125, 0.25, 0.375, 0.5])];

/// Deformations per timing; the fastest counts, because everything else is the machine's other work.
const REPETITIONS: usize = 30;

const MEANING: &str = "
  %     volume of the closed skin, relative to the rest pose
  gap   largest distance of a vertex between linear and dual
  time  to pose the man and deform all his vertices, fastest of 30

Linear blending averages matrices, as most engines do. Where a joint turns against its parent
the average shrinks: at 180 degrees of twist the skin collapses like a candy wrapper.
Spherical and dual quaternion blending average the rotations themselves and keep the volume.

Try next:
  supple zoo                  all characters that need no file
  supple inspect zoo:man      what the man is made of
  supple inspect YOUR.glb     what your own character is made of
  supple deform zoo:man --clip twist --time 2 --skinning dual -o twist.obj
";

/// Poses a man by all skinning models and prints what becomes of him.
pub fn run() -> Result<(), Failure> {
    let text = while_waiting("posing a man", || {
        let model = from_zoo("man", 0)?.model;
        demo(&model).or_blame(Blame::Input)
    })?;
    print(&text)
}

fn demo(model: &Model) -> Result<String, PoseError> {
    let mesh = model.mesh();
    let mut text = format!(
        "A man of {}, {} and {}, deformed by three skinning models\n\n",
        counted(model.skeleton().joints().len(), "joint"),
        counted(mesh.positions().len(), "vertex"),
        counted(mesh.triangles().len(), "triangle")
    );
    let columns = [
        ("clip", Side::Left),
        ("second", Side::Right),
        ("linear", Side::Right),
        ("spherical", Side::Right),
        ("dual", Side::Right),
        ("gap", Side::Right),
    ];
    let mut table = Table::new(&columns);
    let rest_volume = volume(mesh.triangles(), &deformed(model, &model.rest_pose(), Skinning::Linear)?);
    for (name, moments) in MOMENTS {
        let clip = model.clip(name)?;
        for &moment in moments {
            let time = moment * clip.duration();
            let pose = model.sample(clip, time)?;
            let mut shapes = Vec::new();
            for skinning in Skinning::ALL {
                shapes.push(deformed(model, &pose, skinning)?);
            }
            let volumes = shapes.iter().map(|s| percent(volume(mesh.triangles(), s) / rest_volume));
            let gap = format!("{:.1} cm", 100.0 * largest_distance(&shapes[0], &shapes[2]));
            table.row([name.to_owned(), format!("{time:.2}")].into_iter().chain(volumes).chain([gap]));
        }
    }
    table.row(std::iter::repeat_n(String::new(), columns.len()));
    let times = on_one_thread(|| times(model))?.map(|us| format!("{us:.0} µs"));
    table.row(["time".to_owned(), String::new()].into_iter().chain(times));
    text += &table.text(usize::MAX - 1);
    text += MEANING;
    Ok(text)
}

fn deformed(model: &Model, pose: &supple::Pose, skinning: Skinning) -> Result<Vec<Vec3>, PoseError> {
    Ok(model.posed(pose, skinning)?.positions())
}

/// Signed volume of a closed surface: tetrahedra from the origin to every triangle, `a . (b x c) / 6`.
fn volume(triangles: &[[u32; 3]], positions: &[Vec3]) -> f64 {
    let at = |v: u32| -> DVec3 { positions[v as usize].as_dvec3() };
    triangles.iter().map(|&[a, b, c]| at(a).dot(at(b).cross(at(c)))).sum::<f64>() / 6.0
}

fn largest_distance(a: &[Vec3], b: &[Vec3]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max)
}

fn percent(ratio: f64) -> String {
    format!("{:.1} %", 100.0 * ratio)
}

/// Microseconds to pose and deform all vertices on one thread, per skinning model.
fn times(model: &Model) -> Result<[f64; 3], PoseError> {
    let pose = model.sample(model.clip("twist")?, 0.5)?;
    let mut positions = vec![Vec3::ZERO; model.mesh().positions().len()];
    let mut best = [f64::INFINITY; 3];
    for (best, skinning) in best.iter_mut().zip(Skinning::ALL) {
        for _ in 0..REPETITIONS {
            let start = Instant::now();
            model.posed(&pose, skinning)?.positions_into(&mut positions);
            *best = best.min(start.elapsed().as_secs_f64() * 1e6);
        }
    }
    Ok(best)
}
