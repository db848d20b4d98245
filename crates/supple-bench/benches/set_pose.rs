//! What it takes to set a pose, per joint: from transforms of the skeleton, and from joint matrices.

use std::sync::Arc;

use supple::{Body, Shape, Skinning};
use supple_bench::clock::microseconds;
use supple_bench::marks::at_most;
use supple_bench::targets;
use supple_bench::workload::Frame;
use supple_report::clock::median;
use supple_report::columns::{Columns, number};

use crate::ours::hierarchy;

/// Poses that are set and timed, one by one.
const TIMES: usize = 2_000;

/// What the table explains.
pub const EXPLANATION: &str =
    "Setting a pose, ns per joint, least and median of 2000: from transforms, then from joint matrices";
/// Its columns.
pub const HEADER: [&str; 8] =
    ["character", "joints", "least", "median", "target", "least", "median", "target"];

/// Sets the poses of the frames again and again, and adds a row.
pub fn run(name: &str, shape: &Arc<Shape>, frames: &[Frame], table: &mut Columns) {
    let model = shape.model();
    let joints = model.skeleton().joints().len();
    let body = Body::new(shape, Skinning::Linear).expect("rest poses are finite");
    let [mut posed, mut given] = [body.clone(), body];
    let mut times = [const { Vec::new() }; 2];
    let matrices: Vec<_> =
        frames.iter().map(|frame| hierarchy(model, [&frame.pose_b], [frame.placement_b]).concat()).collect();
    for (frame, matrices) in frames.iter().zip(&matrices).cycle().take(TIMES) {
        let (time, set) = microseconds(|| posed.set_pose_at(&frame.pose_b, frame.placement_b));
        set.expect("clips have poses that fit");
        times[0].push(time);
        let coefficients = &frame.pose_b.coefficients;
        let (time, set) = microseconds(|| given.set_joint_matrices(matrices, coefficients));
        set.expect("clips have poses that fit");
        times[1].push(time);
    }
    let mut row = vec![name.to_owned(), joints.to_string()];
    for (times, target) in times.into_iter().zip([targets::SET_POSE_NS, targets::SET_MATRICES_NS]) {
        let per_joint = |time: f64| time * 1e3 / joints as f64;
        row.push(number(per_joint(times.iter().copied().fold(f64::INFINITY, f64::min))));
        row.extend(at_most(per_joint(median(times)), target));
    }
    table.row(row);
}
