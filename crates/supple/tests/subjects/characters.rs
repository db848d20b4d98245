//! Shapes and poses of whole characters, for tests that take them from the zoo or from files.

use std::sync::Arc;

use supple::model::Model;
use supple::pose::Pose;
use supple::{BuildOptions, Shape};

pub fn shape_of(model: Model) -> Arc<Shape> {
    Arc::new(Shape::build(model, &BuildOptions::default()).unwrap())
}

/// The pose of a clip, or of made-up coefficients where a model has no clips.
pub fn pose_at(model: &Model, clip: usize, time: f64) -> Pose {
    let mut pose = model.rest_pose();
    if let Some(clip) = model.clips().get(clip) {
        clip.sample_looped(time, &mut pose).unwrap();
    } else {
        for (i, coefficient) in pose.coefficients.iter_mut().enumerate() {
            *coefficient = ((i as f64 + time) * 1.7).sin().abs() as f32;
        }
    }
    pose
}
