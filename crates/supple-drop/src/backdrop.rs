//! Something large that plays its own clip and that nothing moves: the bridge, the curtain.
//!
//! In: a model of fields with a clip. Out: its triangles that balls of bodies reach, and how fast these move.
//! Must hold: a query needs its bodies for itself, so every chunk of bodies asks its own copy; there are as many copies on any
//! number of threads.

use std::sync::Arc;

use glam::DVec3;
use supple::{Body, BuildOptions, Model, Pose, PoseError, Shape, Skinning};
use supple::rest::Rest;

use crate::error::DropError;

/// Vertices of a backdrop move at most this fast, in m/s: falling bodies shall land on it, not be batted away.
const MAX_SPEED: f64 = 3.0;

/// A moving backdrop.
#[derive(Clone, Debug)]
pub struct Backdrop {
    shape: Arc<Shape>,
    /// Coefficients of the clip are scaled by this.
    strength: f32,
    /// One body per chunk.
    pub(crate) copies: Vec<Body>,
    pose: Pose,
    /// Speeds of the coefficients.
    speeds: Vec<f64>,
}

impl Backdrop {
    /// A model that plays its first clip, made gentle where it moves too fast.
    ///
    /// # Errors
    /// No tree, or a clip of another model.
    pub(crate) fn new(model: Model, copies: usize) -> Result<Self, DropError> {
        let strength = (MAX_SPEED / fastest(&model)?).min(1.0) as f32;
        let shape = Arc::new(Shape::build(model, &BuildOptions::default())?);
        let copies = vec![Body::new(&shape, Skinning::Linear)?; copies];
        let pose = shape.model().rest_pose();
        let mut backdrop = Self { shape, strength, copies, pose, speeds: Vec::new() };
        backdrop.set_time(0.0, 1.0)?;
        Ok(backdrop)
    }

    /// Goes to a time of the looped clip; speeds are those of the step before it.
    pub(crate) fn set_time(&mut self, time: f64, step: f64) -> Result<(), PoseError> {
        let before = self.sample((time - step).max(0.0))?;
        self.pose = self.sample(time)?;
        let change = self.pose.coefficients.iter().zip(&before.coefficients);
        self.speeds = change.map(|(now, before)| f64::from(now - before) / step).collect();
        self.copies.iter_mut().try_for_each(|body| body.set_pose(&self.pose))
    }

    fn sample(&self, time: f64) -> Result<Pose, PoseError> {
        let model = self.model();
        let mut pose = match model.clips().first() {
            Some(clip) => model.sample_looped(clip, time)?,
            None => model.rest_pose(),
        };
        pose.coefficients.iter_mut().for_each(|q| *q *= self.strength);
        Ok(pose)
    }

    /// The model.
    pub fn model(&self) -> &Model {
        self.shape.model()
    }

    /// The shape.
    pub fn shape(&self) -> &Arc<Shape> {
        &self.shape
    }

    /// Its pose at the current time.
    pub fn pose(&self) -> &Pose {
        &self.pose
    }

    /// Its coefficients at a time.
    pub(crate) fn coefficients_at(&self, time: f64) -> Vec<f32> {
        // The clip is the model's own.
        self.sample(time).map_or_else(|_| Vec::new(), |pose| pose.coefficients)
    }

    /// Mean velocity of a triangle's corners.
    pub(crate) fn velocity(&self, triangle: u32) -> DVec3 {
        velocity(self.model(), &self.model().mesh().triangles()[triangle as usize], &self.speeds)
    }
}

/// Mean velocity of vertices that fields move.
fn velocity(model: &Model, vertices: &[u32], speeds: &[f64]) -> DVec3 {
    let Rest::Fields(fields) = model.rest() else { return DVec3::ZERO };
    let moved = vertices.iter().flat_map(|&vertex| fields.of_vertex(vertex as usize));
    let sum: DVec3 = moved.map(|(field, displacement)| displacement.as_dvec3() * speeds[field]).sum();
    sum / vertices.len() as f64
}

/// The highest speed of some vertices at some times of the clip; not below a millimetre per second.
fn fastest(model: &Model) -> Result<f64, PoseError> {
    const TIMES: usize = 60;
    const VERTICES: usize = 500;
    let mut fastest = 1e-3f64;
    let Some(clip) = model.clips().first() else { return Ok(fastest) };
    let step = clip.duration() / TIMES as f64;
    let every = (model.mesh().positions().len() / VERTICES).max(1);
    for time in 0..TIMES {
        let [now, next] = [time, time + 1].map(|time| model.sample(clip, time as f64 * step));
        let (now, next) = (now?, next?);
        let change = now.coefficients.iter().zip(&next.coefficients);
        let speeds: Vec<f64> = change.map(|(now, next)| f64::from(next - now) / step).collect();
        let vertices = (0..model.mesh().positions().len() as u32).step_by(every);
        let speed = vertices.map(|vertex| velocity(model, &[vertex], &speeds).length());
        fastest = speed.fold(fastest, f64::max);
    }
    Ok(fastest)
}
