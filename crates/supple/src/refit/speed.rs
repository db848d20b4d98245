//! How fast a motion moves the vertices below a node, at most, and how far rounding may put them aside.
//!
//! In: a motion, and the body in the pose of one time of it. Out: speeds of nodes that hold from that time on, for a span of
//! time. Joints are enough: a linearly blended vertex is a mean of its images under its joints, so none is faster than the
//! fastest of them; blends of dual quaternions are faster by a known factor while they do not jump (`skin/bends.rs`).
//! Must hold: no vertex moves farther in any part of the span than the speed of its node times that, beside the noise at
//! both of its ends.
//!
//! *Noise.* A vertex computed in f32 is off by what the pose is rounded by (`pose/point_rate.rs`), and by its own
//! evaluation, of the size `A = |C| |p| + |t|`, with `n` joints and `m` coefficients: the rounded matrix 1, the blend `n`,
//! its application 3, the rest stage `m + 2`, all times `u`, on each of three axes. Blending rotations adds `(n^2 + 3 n +
//! 75) u A / |b|^3` (`skin/rounding.rs`) and that matrices close to rigid ones are taken for rigid.

use super::Body;
use crate::pose::{JointRate, Motion, Pose, RestPoint, joint_rates};
use crate::rest::Rest;
use crate::skin::Skinning;
use crate::tree::Shape;

/// Speeds of a body's nodes.
pub(crate) struct Speeds {
    rates: Vec<JointRate>,
    of_joints: Vec<f64>,
    /// By node; negative where it has not been asked for.
    of_nodes: Vec<f64>,
    /// Largest `A`.
    radius: f64,
    /// Longest rest position.
    rest: f64,
    /// Largest noise of a joint's pose.
    pose_noise: f64,
    /// What is left of uneven stretches that count as even.
    uneven_noise: f64,
    noise: f64,
    blended: bool,
}

/// Why there is no bound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum NoSpeed {
    /// The rotation centers of spherical skinning are found by least squares that leave directions out, and may jump.
    Spherical,
    /// Rotations of joints that stretch are found by taking their matrices apart, and may jump.
    Stretched,
}

const UNIT_ROUNDOFF: f64 = f32::EPSILON as f64 / 2.0;

/// Joints of blended rotations whose scales differ by more than this part are stretched.
const MOST_UNEVENNESS: f64 = 1e-4;

/// Matrices that close to rigid ones are taken for them (`math/polar.rs`).
const TAKEN_FOR_RIGID: f64 = 16.0 * f32::EPSILON as f64;

impl Speeds {
    /// Looks at the joints; the motion fits the body.
    pub fn new(body: &Body, motion: &Motion) -> Result<Self, NoSpeed> {
        let (tree, model) = (body.tree(), body.model());
        let blended = body.skinning() != Skinning::Linear && tree.bends.blend_anything();
        if blended && body.skinning() == Skinning::Spherical {
            return Err(NoSpeed::Spherical);
        }
        let displacement = motion.poses().iter().map(|pose| displacement(body, pose)).fold(0.0, f64::max);
        let coefficients = model.rest().coefficient_count() as f64;
        let rest_radius = |joint: usize| f64::from(tree.rest_radii[joint].max(0.0)) + displacement;
        let rest_point = |joint: usize| RestPoint {
            radius: f64::from(tree.bind_radii[joint]),
            displacement,
            speed: rest_speed(body, motion, rest_radius(joint)),
            noise: (coefficients + 4.0) * UNIT_ROUNDOFF * rest_radius(joint),
        };
        let mut rates = joint_rates(motion, model.skeleton(), rest_point);
        // Polar decomposition turns by what is uneven, too.
        rates.iter_mut().for_each(|rate| rate.turn_noise += rate.unevenness + TAKEN_FOR_RIGID);
        let used = || (0..rates.len()).filter(|&joint| tree.rest_radii[joint] >= 0.0);
        let largest = |value: &dyn Fn(usize) -> f64| used().map(value).fold(0.0, f64::max);
        let uneven = tree.bends.joints().map(|joint| rates[joint].unevenness).fold(0.0, f64::max);
        if blended && uneven > MOST_UNEVENNESS {
            return Err(NoSpeed::Stretched);
        }
        // A joint's translation is at most as long as a point's image and its part without translation.
        let radius = largest(&|joint| rates[joint].radius + 2.0 * rates[joint].stretch * rest_radius(joint));
        let stretched = largest(&|joint| rates[joint].stretch * rest_radius(joint));
        let uneven_noise = stretched * (uneven + TAKEN_FOR_RIGID);
        let pose_noise = largest(&|joint| rates[joint].noise);
        let rest = largest(&rest_radius);
        let (of_joints, of_nodes) = (Vec::new(), vec![-1.0; tree.nodes.len()]);
        Ok(Self { rates, of_joints, of_nodes, radius, rest, pose_noise, uneven_noise, noise: 0.0, blended })
    }

    /// For how long, from the body's current pose on, speeds can be known.
    pub fn longest_span(&self, body: &Body) -> Result<f64, NoSpeed> {
        if !self.blended {
            return Ok(f64::INFINITY);
        }
        let largest = self.rates.iter().map(|rate| rate.stretch).fold(0.0, f64::max);
        if body.tree().bends.stretch_difference(body.palette()) > MOST_UNEVENNESS * largest {
            return Err(NoSpeed::Stretched);
        }
        Ok(body.tree().bends.steady_span(body.bends(), &self.rates).min(LONGEST_BLEND))
    }

    /// Computes speeds for a span of time from the body's current pose on.
    pub fn set_span(&mut self, body: &Body, span: f64) {
        let (tree, n) = (body.tree(), body.model().skin().max_influences() as f64);
        let m = body.model().rest().coefficient_count() as f64;
        if !self.of_joints.is_empty() && !self.blended {
            return;
        }
        self.of_joints.clear();
        // Weights sum to 1 up to rounding.
        self.of_joints.extend(self.rates.iter().map(|rate| rate.speed * (1.0 + n * UNIT_ROUNDOFF)));
        self.of_nodes.fill(-1.0);
        let (mut count, mut pose_noise) = (n + m + 6.0, self.pose_noise);
        if self.blended {
            let blends = tree.bends.blended_speeds(body.bends(), &self.rates, span, &mut self.of_joints);
            let stretches = self.rest * tree.bends.stretch_difference(body.palette());
            let short = blends.shortest;
            pose_noise = pose_noise.max(blends.noise) + (self.uneven_noise + stretches) / short;
            // (V) of `docs/math/rounding.md`, and more.
            count += (n * n + 3.0 * n + 75.0) / (short * short * short);
        }
        // Numbers too small for f32, as they are or multiplied by a joint or a rest position.
        let stretch = self.rates.iter().map(|rate| rate.stretch).fold(0.0, f64::max);
        let underflow = f64::from(f32::MIN_POSITIVE) * (1.0 + 3.0 * stretch + self.rest);
        self.noise = pose_noise + 3f64.sqrt() * count * (UNIT_ROUNDOFF * self.radius + underflow);
    }

    /// How far a computed vertex may be from its exact position.
    pub fn noise(&self) -> f64 {
        self.noise
    }

    /// The speed of the fastest vertex below a node.
    #[inline(always)]
    pub fn of_node(&mut self, shape: &Shape, node: usize) -> f64 {
        if self.of_nodes[node] < 0.0 {
            self.of_nodes[node] = self.fastest_below(shape, node);
        }
        self.of_nodes[node]
    }

    fn fastest_below(&self, shape: &Shape, node: usize) -> f64 {
        let (tree, model) = (shape.tree(), shape.model());
        let fastest = |most: f64, &joint: &u32| most.max(self.of_joints[joint as usize]);
        let found = &tree.nodes[node];
        match found.twig() {
            Some(twig) if twig == node => return tree.twig_joints(twig).iter().fold(0.0, fastest),
            Some(_) => {}
            None => {
                let joints = tree.groups.linear_joints_of(tree.number_above_twigs(node));
                return joints.iter().fold(0.0, fastest);
            }
        }
        let triangles = tree.triangles[tree.triangles_below(node)].iter();
        let vertices = triangles.flat_map(|&triangle| model.mesh().triangles()[triangle as usize]);
        vertices.flat_map(|vertex| model.skin().joints_and_weights(vertex as usize).0).fold(0.0, fastest)
    }
}

/// Blends are looked at again after so much time at the latest: distances between images of a vertex grow with it.
const LONGEST_BLEND: f64 = 0.125;

/// How far fields may take a vertex from its position in the mesh.
fn displacement(body: &Body, pose: &Pose) -> f64 {
    let lengths = body.tree().field_lengths.iter();
    lengths.zip(&pose.coefficients).map(|(&length, &q)| f64::from(length) * f64::from(q.abs())).sum()
}

/// How fast coefficients move a vertex before skinning. Fields: `sum |U_j| |q_j'|`. Reference shapes, whose weights are
/// divided by their sum: `p' = sum w_i' (v_i - p) / sum w_i`.
fn rest_speed(body: &Body, motion: &Motion, rest_radius: f64) -> f64 {
    let [from, to] = motion.poses().each_ref().map(|pose| pose.coefficients.as_slice());
    let changes = from.iter().zip(to).map(|(&a, &b)| (f64::from(b) - f64::from(a)).abs());
    match body.model().rest() {
        Rest::Plain => 0.0,
        Rest::Fields(_) => {
            let lengths = body.tree().field_lengths.iter();
            lengths.zip(changes).map(|(&length, change)| f64::from(length) * change).sum()
        }
        Rest::Morph(_) => {
            let sum = |weights: &[f32]| weights.iter().map(|&w| f64::from(w)).sum::<f64>();
            changes.sum::<f64>() * 2.0 * rest_radius / sum(from).min(sum(to))
        }
    }
}

#[cfg(test)]
#[path = "../../tests/inside/refit/speed.rs"]
mod tests;
