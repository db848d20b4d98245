//! A box around a body at every time between two ticks, from the joints alone.
//!
//! *Linear skinning.* The vertices that a joint moves lie, in its own space, in a sphere about a point `c`, of radius `r`. A vertex
//! is a convex combination of its images under its joints, so the body lies in the box around the joints' spheres:
//!
//! ```text
//! v'(t) in box of { sphere(x_j(t), r_j sup |L_j|) },     x_j(t) = P(t) W_j(t) c_j,     L_j the linear part of the frame W_j
//! x_j(t) within sagitta(x_j) of the chord from x_j(0) to x_j(1)                      (`movement`)
//! ```
//!
//! `sup |L_j|` and the acceleration of `x_j` follow from the angles, distances and stretches of the nodes above the joint.
//!
//! *Blended rotations.* The vertices of a joint-set lie in a sphere about a point `m`. With `d` the largest distance of the images
//! of `m` under its joints from that under the first one, the linear blend stays within `r + d` of the latter, and (see
//! `docs/math/rotation-blending.md`, `Y` being that blend)
//!
//! ```text
//! |v' - Y| <= (2 g + s) / |b|^2  sum_{i<j} w_i w_j e_ij,     sum_{i<j} w_i w_j <= (1 - 1/n) / 2,     e_ij <= 2 d + 2 s r
//! |b|      >= <b, q_1> >= min cos(a_i / 2)                   a_i the angle between joint i and the first one
//! g         = 1 - cos h,  s = sin h                          h the largest half angle between two joints
//! ```
//!
//! Spherical skinning has `e (1 + sqrt(pairs)) + SMALLEST_ANGLE |p|` for `e`; `sqrt(pairs)` only with three joints and more. Over
//! time `a_i` grows by at most half of what both joints turn between the ticks. Only where no joint stretches, and joints
//! of a set stay less than a half turn apart; elsewhere the box is everything.
//!
//! Statement, proof and rounding: `docs/math/sweep.md`.

use std::f64::consts::{FRAC_PI_2, PI};

use glam::{Affine3A, DAffine3, DMat3, DVec3, Vec3};

use super::joint_space::{Columns, JointSpace};
use super::movement::Movement;
use super::spheres::{Sphere, Spheres};
use crate::math::rotation_center::SMALLEST_ANGLE;
use crate::math::shortest_arc::arc_angle;
use crate::math::{Aabb, Isometry, largest_stretch, polar};
use crate::pose::{Joint, Skeleton, Transform};
use crate::skin::{Skinning, UNIT_ROUNDOFF};
use crate::tree::Shape;

/// A box that contains everything.
pub(super) const EVERYTHING: Aabb = Aabb { min: Vec3::NEG_INFINITY, max: Vec3::INFINITY };

/// Joints of a set may be so far apart: beyond, `|b|` may be anything.
const MOST_ANGLE: f64 = 0.9 * PI;

/// More than the angle between equal rotations as it is computed from matrices that are rigid to f32 precision only.
const ANGLE_SLACK: f64 = 4e-3;

/// What a tick says of a body.
#[derive(Clone, Copy)]
pub(super) struct Tick<'a> {
    pub joints: TickJoints<'a>,
    pub coefficients: &'a [f32],
    pub placement: &'a Isometry,
}

/// Either of the two kinds.
#[derive(Clone, Copy)]
pub(super) enum TickJoints<'a> {
    Pose(&'a [Transform]),
    Matrices(&'a [Columns]),
}

/// Spheres around the vertices, and memory.
#[derive(Clone, Debug)]
pub(super) struct Sweep {
    skinning: Skinning,
    spheres: Spheres,
    joints: Vec<JointFacts>,
    /// In units of `u`, what rounding may add to a vertex, as a part of the numbers that meet in it.
    roundings: f64,
    fields: usize,
    /// World matrices of nodes, and how they move.
    worlds: Vec<DAffine3>,
    node_motions: Vec<FrameMotion>,
    /// Joint matrices at the newest tick and at the one before, without placement, and how the joints' frames move.
    images: Vec<DAffine3>,
    earlier: Vec<DAffine3>,
    motions: Vec<FrameMotion>,
}

#[derive(Clone, Copy, Debug)]
struct JointFacts {
    node: usize,
    space: JointSpace,
    /// How much the joint's space stretches the rest space, at most.
    stretch: f64,
    /// Whether it does not.
    rigid: bool,
}

/// How a frame moves: its linear part, and its origin.
#[derive(Clone, Copy, Debug, Default)]
struct FrameMotion {
    linear: Movement,
    origin: Movement,
    /// Whether it only turns.
    rigid: bool,
}

/// How the whole body moves.
struct PlacementMotion {
    turn: Movement,
    shift: Movement,
    from: DAffine3,
    to: DAffine3,
}

/// A path of the center of a sphere: its ends, how it moves, and what is around it.
struct Path {
    ends: [DVec3; 2],
    motion: Movement,
    radius: f64,
    /// How large the numbers are that meet in a vertex, and how many roundings they have behind them.
    magnitude: f64,
    roundings: f64,
}

impl Sweep {
    /// Looks at all vertices once.
    pub fn new(shape: &Shape, skinning: Skinning, spaces: &[JointSpace]) -> Self {
        let model = shape.model();
        let skeleton = model.skeleton();
        let facts = |(joint, space): (&Joint, &JointSpace)| JointFacts {
            node: joint.node,
            space: *space,
            stretch: largest_stretch(space.from_rest.matrix3),
            rigid: polar(space.from_rest.matrix3).1 == DMat3::IDENTITY,
        };
        let (nodes, joints) = (skeleton.nodes().len(), skeleton.joints().len());
        // One joint per vertex is the same in every skinning.
        let skinning = if model.skin().max_influences() <= 1 { Skinning::Linear } else { skinning };
        Self {
            skinning,
            spheres: Spheres::new(model, skinning, spaces),
            joints: skeleton.joints().iter().zip(spaces).map(facts).collect(),
            // Per node a rotation, a scale, a shift and a product; per influence what `skin::rounding` counts; two per
            // field; and for joints that are almost rigid what `math::polar` takes for rounding.
            roundings: (16 * depth(skeleton)
                + 5 * model.skin().max_influences()
                + 2 * model.rest().coefficient_count()
                + 128) as f64,
            fields: model.rest().coefficient_count(),
            worlds: vec![DAffine3::IDENTITY; nodes],
            node_motions: vec![FrameMotion::default(); nodes],
            images: vec![DAffine3::IDENTITY; joints],
            earlier: vec![DAffine3::IDENTITY; joints],
            motions: vec![FrameMotion::default(); joints],
        }
    }

    /// A box around the body from one tick to the next; around the second one alone if there is no first.
    ///
    /// The ticks are given in turn: the first is the second of the call before.
    pub fn between(&mut self, shape: &Shape, from: Option<Tick>, to: Tick) -> Aabb {
        let skeleton = shape.model().skeleton();
        std::mem::swap(&mut self.images, &mut self.earlier);
        self.find_images(skeleton, to.joints);
        if from.is_none() {
            self.earlier.copy_from_slice(&self.images);
        }
        let from = from.unwrap_or(to);
        self.find_motions(skeleton, from.joints, to.joints);
        let displacement = displacement(shape, from.coefficients, to.coefficients);
        let (a, b) = (from.placement, to.placement);
        let placing = PlacementMotion {
            turn: Movement::turn(arc_angle(a.rotation, b.rotation)),
            shift: straight(a.translation, b.translation),
            from: a.to_affine(),
            to: b.to_affine(),
        };
        let mut swept = Swept { min: DVec3::INFINITY, max: DVec3::NEG_INFINITY, everything: false };
        match &self.spheres {
            Spheres::OfJoints(spheres) => {
                spheres
                    .iter()
                    .for_each(|sphere| swept.add(&placing, Some(self.joint_path(sphere, displacement))));
            }
            Spheres::OfSets(spheres) => {
                let joints = |sphere: &Sphere| shape.model().skin().joint_set(sphere.of);
                spheres.iter().for_each(|sphere| {
                    swept.add(&placing, self.set_path(sphere, joints(sphere), displacement));
                });
            }
        }
        swept.rounded()
    }

    /// The sphere of all vertices of a joint.
    fn joint_path(&self, sphere: &Sphere, displacement: f64) -> Path {
        let (ends, motion) = self.point_path(sphere.of, sphere.center);
        let stretched = sphere.radius + self.joints[sphere.of].stretch * displacement;
        Path {
            ends,
            motion,
            radius: self.motions[sphere.of].linear.size * stretched,
            magnitude: self.magnitude(sphere, sphere.of, displacement),
            roundings: self.roundings,
        }
    }

    /// The sphere of all vertices of a joint-set; none where their joints may cancel.
    fn set_path(&self, sphere: &Sphere, joints: &[u32], displacement: f64) -> Option<Path> {
        let first = *joints.first()? as usize;
        let (ends, motion) = self.point_path(first, sphere.center);
        let (mut apart, mut turned, mut trace) = (0.0f64, 0.0f64, 3.0f64);
        let mut magnitude = self.magnitude(sphere, first, displacement);
        if joints.iter().any(|&joint| !self.motions[joint as usize].rigid) {
            return None;
        }
        for other in joints[1..].iter().map(|&joint| joint as usize) {
            let (other_ends, other_motion) = self.point_path(other, sphere.center);
            let at_ends = ends[0].distance(other_ends[0]).max(ends[1].distance(other_ends[1]));
            apart = apart.max(at_ends + motion.sagitta() + other_motion.sagitta());
            let speeds = self.motions[first].linear.speed + self.motions[other].linear.speed;
            turned = turned.max(speeds * 0.5);
            for images in [&self.earlier, &self.images] {
                trace = trace.min(trace_between(&images[first].matrix3, &images[other].matrix3));
            }
            magnitude = magnitude.max(self.magnitude(sphere, other, displacement));
        }
        // `1 + 2 cos angle` is the trace of the rotation from one joint to another. Matrices are rigid up to what
        // `math::polar` takes for rounding only, and the arc cosine is at its worst near 0.
        let angle = ((trace - 1.0) * 0.5).clamp(-1.0, 1.0).acos() + ANGLE_SLACK + turned;
        if joints.len() > 1 && (angle.is_nan() || angle >= MOST_ANGLE) {
            return None;
        }
        let shortest = (angle * 0.5).cos();
        let half = if joints.len() > 2 { angle } else { angle * 0.5 };
        let (opening, sine) = (1.0 - half.cos(), half.min(FRAC_PI_2).sin());
        let radius = sphere.radius + displacement;
        let count = joints.len() as f64;
        let pairs = count * (count - 1.0) * 0.5;
        let mut distance = 2.0 * apart + 2.0 * sine * radius;
        let mut rounding = 0.0;
        if self.skinning == Skinning::Spherical && pairs > 0.0 {
            let residual = if pairs > 1.0 { pairs.sqrt() * distance } else { 0.0 };
            // The rotation center may be far away; margin as in `skin::rounding`.
            let center = sphere.rest + displacement + (distance + residual) / SMALLEST_ANGLE;
            let fields = 2.0 * self.fields as f64;
            let operations = 4.0 * (5.0 * count + fields + 24.0) + count * count;
            rounding = 4.0 * operations * f64::from(UNIT_ROUNDOFF) * center / shortest.powi(3);
            distance += residual + SMALLEST_ANGLE * (sphere.rest + displacement);
        }
        let roundings = (4.0 * self.roundings + count * count) / shortest.powi(3);
        // Of all weights, equal ones have the largest sum of products: (1 - 1 / n) / 2.
        let products = (1.0 - 1.0 / count) * 0.5;
        let bulge = (2.0 * opening + sine) / (shortest * shortest) * products * distance + rounding;
        Some(Path { ends, motion, radius: radius + apart + bulge, magnitude, roundings })
    }

    /// How a joint moves a point of the rest space, without placement.
    fn point_path(&self, joint: usize, point: DVec3) -> ([DVec3; 2], Movement) {
        let own = self.joints[joint].space.from_rest.transform_point3(point);
        let FrameMotion { linear, origin, .. } = self.motions[joint];
        let ends = [&self.earlier, &self.images].map(|images| images[joint].transform_point3(point));
        (ends, origin + linear * Movement::still(own.length()))
    }

    /// How large the numbers are that meet in a vertex of a joint.
    fn magnitude(&self, sphere: &Sphere, joint: usize, displacement: f64) -> f64 {
        let (facts, FrameMotion { linear, origin, .. }) = (&self.joints[joint], self.motions[joint]);
        let moved = facts.stretch * (sphere.rest + displacement) + facts.space.from_rest.translation.length();
        origin.size + linear.size * moved
    }

    /// The joint matrices of a tick.
    fn find_images(&mut self, skeleton: &Skeleton, joints: TickJoints) {
        match joints {
            TickJoints::Pose(transforms) => {
                for node in skeleton.nodes_to_joints() {
                    let known = &skeleton.nodes()[node];
                    let mut world = transforms[node].matrix() * known.offset.unwrap_or(DAffine3::IDENTITY);
                    if let Some(parent) = known.parent {
                        world = self.worlds[parent] * world;
                    }
                    self.worlds[node] = world;
                }
                for (image, joint) in self.images.iter_mut().zip(&self.joints) {
                    *image = self.worlds[joint.node] * joint.space.from_rest;
                }
            }
            TickJoints::Matrices(matrices) => {
                for (image, matrix) in self.images.iter_mut().zip(matrices) {
                    *image = Affine3A::from_cols_array(matrix).as_daffine3();
                }
            }
        }
    }

    /// How the frames of all joints move from one tick to the next.
    fn find_motions(&mut self, skeleton: &Skeleton, from: TickJoints, to: TickJoints) {
        match (from, to) {
            (TickJoints::Pose(from), TickJoints::Pose(to)) => {
                self.find_node_motions(skeleton, from, to);
                for (motion, joint) in self.motions.iter_mut().zip(&self.joints) {
                    *motion = self.node_motions[joint.node];
                    motion.rigid &= joint.rigid;
                }
            }
            (TickJoints::Matrices(from), TickJoints::Matrices(to)) => {
                let matrices = from.iter().zip(to);
                for ((motion, joint), (a, b)) in self.motions.iter_mut().zip(&self.joints).zip(matrices) {
                    *motion = joint_motion(&joint.space, a, b);
                    motion.rigid &= joint.rigid;
                }
            }
            _ => {}
        }
    }

    /// How the frames of all nodes move, parents first: `W = W_parent T R S offset`.
    fn find_node_motions(&mut self, skeleton: &Skeleton, from: &[Transform], to: &[Transform]) {
        for node in skeleton.nodes_to_joints() {
            let (a, b) = (&from[node], &to[node]);
            let turn = Movement::turn(arc_angle(a.rotation.as_dquat(), b.rotation.as_dquat()));
            let (scale_a, scale_b) = (a.scale.as_dvec3(), b.scale.as_dvec3());
            let scale = Movement::straight(
                scale_a.abs().max(scale_b.abs()).max_element(),
                (scale_b - scale_a).abs().max_element(),
            );
            let mut own = FrameMotion {
                linear: turn * scale,
                origin: straight(a.translation.as_dvec3(), b.translation.as_dvec3()),
                rigid: a.scale == Vec3::ONE && b.scale == Vec3::ONE,
            };
            let known = &skeleton.nodes()[node];
            if let Some(offset) = known.offset {
                own.origin = own.origin + own.linear * Movement::still(offset.translation.length());
                own.linear = own.linear * Movement::still(largest_stretch(offset.matrix3));
                own.rigid = false;
            }
            if let Some(parent) = known.parent {
                let above = self.node_motions[parent];
                own.origin = above.origin + above.linear * own.origin;
                own.linear = above.linear * own.linear;
                own.rigid &= above.rigid;
            }
            self.node_motions[node] = own;
        }
    }

    /// Bytes of memory held.
    pub fn bytes(&self) -> usize {
        self.spheres.bytes()
            + size_of_val(&self.joints[..])
            + size_of_val(&self.worlds[..])
            + size_of_val(&self.node_motions[..])
            + size_of_val(&self.images[..])
            + size_of_val(&self.earlier[..])
            + size_of_val(&self.motions[..])
    }
}

/// The box that grows.
struct Swept {
    min: DVec3,
    max: DVec3,
    everything: bool,
}

impl Swept {
    fn add(&mut self, placing: &PlacementMotion, path: Option<Path>) {
        let Some(path) = path else {
            self.everything = true;
            return;
        };
        let motion = placing.shift + placing.turn * path.motion;
        let magnitude = path.magnitude + placing.shift.size + f64::from(f32::MIN_POSITIVE);
        // Four times: lengths stand for sums of absolute values, twice.
        let rounding = 4.0 * path.roundings * f64::from(f32::EPSILON) * magnitude;
        let radius = path.radius + motion.sagitta() + rounding;
        let (start, end) =
            (placing.from.transform_point3(path.ends[0]), placing.to.transform_point3(path.ends[1]));
        self.everything |= !(radius.is_finite() && start.is_finite() && end.is_finite());
        self.min = self.min.min(start.min(end) - radius);
        self.max = self.max.max(start.max(end) + radius);
    }

    fn rounded(self) -> Aabb {
        if self.everything {
            return EVERYTHING;
        }
        let (low, high) = (self.min.as_vec3(), self.max.as_vec3());
        Aabb {
            min: Vec3::new(low.x.next_down(), low.y.next_down(), low.z.next_down()),
            max: Vec3::new(high.x.next_up(), high.y.next_up(), high.z.next_up()),
        }
    }
}

/// How a frame moves that is interpolated by itself.
fn joint_motion(space: &JointSpace, from: &Columns, to: &Columns) -> FrameMotion {
    let (a, b) = (space.frame(from), space.frame(to));
    // The largest sum of a row is no less than what a symmetric matrix stretches.
    let norm = |m: DMat3| (m.x_axis.abs() + m.y_axis.abs() + m.z_axis.abs()).max_element();
    let stretch = Movement::straight(norm(a.stretch).max(norm(b.stretch)), norm(b.stretch - a.stretch));
    FrameMotion {
        linear: Movement::turn(arc_angle(a.rotation, b.rotation)) * stretch,
        origin: straight(a.origin, b.origin),
        rigid: a.stretch == DMat3::IDENTITY && b.stretch == DMat3::IDENTITY,
    }
}

fn straight(a: DVec3, b: DVec3) -> Movement {
    Movement::straight(a.length().max(b.length()), a.distance(b))
}

/// The trace of the rotation from one to the other.
fn trace_between(a: &DMat3, b: &DMat3) -> f64 {
    a.x_axis.dot(b.x_axis) + a.y_axis.dot(b.y_axis) + a.z_axis.dot(b.z_axis)
}

/// How far displacement fields move any vertex between two ticks, at most.
fn displacement(shape: &Shape, from: &[f32], to: &[f32]) -> f64 {
    let most = |(&a, &b): (&f32, &f32)| f64::from(a.abs().max(b.abs()));
    let lengths = shape.tree().field_lengths.iter();
    lengths.zip(from.iter().zip(to).map(most)).map(|(&length, q)| f64::from(length) * q).sum()
}

/// The longest chain of nodes.
fn depth(skeleton: &Skeleton) -> usize {
    let mut depths = vec![0usize; skeleton.nodes().len()];
    for node in skeleton.nodes_to_joints() {
        depths[node] = 1 + skeleton.nodes()[node].parent.map_or(0, |parent| depths[parent]);
    }
    depths.into_iter().max().unwrap_or(0)
}
