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
        if !found.is_leaf() {
            let groups = tree.linear_groups[found.linear_groups()].iter();
            return groups.flat_map(|group| tree.joints_of(group).0).fold(0.0, fastest);
        }
        let triangles = tree.triangles[found.range()].iter();
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
mod tests {
    use std::sync::Arc;

    use glam::{DAffine3, DQuat, DVec3, Quat, Vec3};

    use super::*;
    use crate::math::Isometry;
    use crate::mesh::Mesh;
    use crate::model::Model;
    use crate::pose::{Joint, Node, Skeleton, Transform};
    use crate::rest::{Field, Fields};
    use crate::skin::Skin;
    use crate::tree::BuildOptions;

    struct Random(u64);

    impl Random {
        fn signed(&mut self) -> f32 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 40) as f32 / (1u64 << 23) as f32 - 1.0
        }

        fn vec3(&mut self) -> Vec3 {
            Vec3::new(self.signed(), self.signed(), self.signed())
        }

        fn turn(&mut self, most: f32) -> Quat {
            Quat::from_axis_angle(self.vec3().normalize_or(Vec3::X), self.signed() * most)
        }

        fn placement(&mut self) -> Isometry {
            Isometry::new(self.turn(2.0).as_dquat().normalize(), self.vec3().as_dvec3())
        }
    }

    /// A chain of joints with up to four joints per vertex and two fields.
    fn model(random: &mut Random) -> Model {
        let (joints, vertices) = (5usize, 60usize);
        let nodes: Vec<Node> = (0..joints)
            .map(|j| {
                let rest = Transform::from_translation(Vec3::Y * 0.5 + random.vec3() * 0.1);
                Node::new("", j.checked_sub(1), rest)
            })
            .collect();
        let mut world = DAffine3::IDENTITY;
        let list = (0..joints)
            .map(|node| {
                world *= DAffine3::from_translation(nodes[node].rest.translation.as_dvec3());
                Joint { node, inverse_bind: world.inverse() }
            })
            .collect();
        let positions: Vec<Vec3> =
            (0..vertices).map(|_| random.vec3() * Vec3::new(0.3, 1.5, 0.3) + Vec3::Y * 1.2).collect();
        let influences: Vec<Vec<(u32, f32)>> = (0..vertices)
            .map(|v| {
                (0..1 + v as u32 % 4).map(|i| ((v as u32 + i) % 5, random.signed().abs() + 0.05)).collect()
            })
            .collect();
        let triangles = (0..vertices as u32 - 2).map(|v| [v, v + 1, v + 2]).collect();
        let fields = [(); 2].map(|()| Field {
            displacements: (0..vertices as u32).map(|v| (v, random.vec3() * 0.2)).collect(),
            ..Field::default()
        });
        let skin = Skin::new(joints, influences.iter().map(Vec::as_slice)).unwrap();
        let skeleton = Skeleton::new(nodes, list).unwrap();
        let rest = Rest::Fields(Fields::new(vertices, &fields).unwrap());
        Model::new(Mesh::new(positions, triangles).unwrap(), skin, skeleton).unwrap().with_rest(rest).unwrap()
    }

    fn pose(model: &Model, random: &mut Random, scaled: bool) -> Pose {
        let mut pose = model.rest_pose();
        for node in &mut pose.nodes {
            node.rotation = random.turn(0.9);
            node.translation += random.vec3() * 0.1;
            if scaled {
                node.scale = Vec3::ONE + random.vec3() * 0.4;
            }
        }
        pose.coefficients.iter_mut().for_each(|q| *q = random.signed());
        pose
    }

    fn positions_at(body: &mut Body, motion: &Motion, time: f64) -> Vec<DVec3> {
        let (pose, placement) = motion.at(time);
        body.set_pose_at(&pose, placement).unwrap();
        body.positions().iter().map(|p| p.as_dvec3()).collect()
    }

    /// The largest part of its bound that any vertex moves.
    fn largest_part(skinning: Skinning, scaled: bool) -> f64 {
        let (mut most, mut random) = (0.0f64, Random(7));
        for _ in 0..12 {
            let model = Arc::new(model(&mut random));
            let shape = Arc::new(Shape::build(Arc::clone(&model), &BuildOptions::default()).unwrap());
            let mut body = Body::new(&shape, skinning).unwrap();
            let end = |random: &mut Random| (pose(&model, random, scaled), random.placement());
            let motion = Motion::new(end(&mut random), end(&mut random)).unwrap();
            let mut speeds = Speeds::new(&body, &motion).unwrap();
            for step in 0..8 {
                let start = f64::from(step) / 8.0;
                let before = positions_at(&mut body, &motion, start);
                let span = speeds.longest_span(&body).unwrap().min(1.0 - start);
                assert!(span > 0.0);
                speeds.set_span(&body, span);
                for part in [1e-4, 0.01, 0.1, 0.3, 1.0] {
                    let after = positions_at(&mut body, &motion, start + span * part);
                    for node in 0..shape.node_count() {
                        let bound = speeds.of_node(&shape, node) * span * part + 2.0 * speeds.noise();
                        let triangles = shape.tree().triangles[shape.tree().triangles_below(node)].iter();
                        for v in triangles.flat_map(|&t| model.mesh().triangles()[t as usize]) {
                            let moved = after[v as usize].distance(before[v as usize]);
                            assert!(moved <= bound, "vertex {v} moved {moved}, bound {bound}");
                            most = most.max(moved / bound);
                        }
                    }
                }
            }
        }
        most
    }

    #[test]
    fn no_vertex_is_faster_than_its_bound() {
        for (skinning, scaled) in
            [(Skinning::Linear, false), (Skinning::Linear, true), (Skinning::DualQuaternion, false)]
        {
            let part = largest_part(skinning, scaled);
            println!("{skinning:?}, scaled {scaled}: up to {part:.2} of the bound");
            assert!(part > 0.05, "{skinning:?}: bounds are of some use: {part}");
        }
    }

    /// Rotation only: the bound is what a wheel does at its rim.
    #[test]
    fn a_wheel_is_as_fast_as_its_rim() {
        let mesh = Mesh::new(vec![Vec3::X * 2.0, Vec3::X, Vec3::Y], vec![[0, 1, 2]]).unwrap();
        let shape = Arc::new(Shape::build(Model::rigid(mesh), &BuildOptions::default()).unwrap());
        let body = Body::new(&shape, Skinning::Linear).unwrap();
        let turned = Isometry::from_rotation(DQuat::from_rotation_z(1.5));
        let motion = Motion::of_placement(shape.model().rest_pose(), Isometry::IDENTITY, turned).unwrap();
        let mut speeds = Speeds::new(&body, &motion).unwrap();
        speeds.set_span(&body, 1.0);
        // A thousandth more, as interpolation may be.
        let speed = speeds.of_node(&shape, 0);
        assert!(speed > 3.0 && speed < 3.004, "{speed}");
        assert!(speeds.noise() < 1e-5);
    }
}
