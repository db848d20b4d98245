//! Posing by hand: turning joints, reaching with two bones, and baking the result into a clip.

use glam::{DAffine3, DMat3, DQuat, DVec3, EulerRot};
use supple::pose::{Channel, ClipError, Interpolation, Target};
use supple::{Clip, Model, Pose};

/// A pose in the making; joints are named as in the rig, unknown names are left alone.
#[derive(Clone, Debug)]
pub(crate) struct Puppet<'m> {
    model: &'m Model,
    rest_world: Vec<DAffine3>,
    pub pose: Pose,
}

impl<'m> Puppet<'m> {
    pub fn new(model: &'m Model) -> Self {
        let pose = model.rest_pose();
        let rest_world = world_matrices(model, &pose);
        Self { model, rest_world, pose }
    }

    /// Where the joint is at rest.
    pub fn rest(&self, joint: &str) -> DVec3 {
        self.node(joint).map_or(DVec3::ZERO, |node| self.rest_world[node].translation)
    }

    /// Where the joint is now.
    pub fn now(&self, joint: &str) -> DVec3 {
        self.node(joint).map_or(DVec3::ZERO, |node| self.world(node).translation)
    }

    /// Turns a joint about its own axes, from the rest pose: bend, twist and swing in degrees.
    pub fn bend(&mut self, joint: &str, bend: f64, twist: f64, swing: f64) {
        if let Some(node) = self.node(joint) {
            let rest = self.model.skeleton().nodes()[node].rest.rotation;
            self.pose.nodes[node].rotation = rest * local_turn(bend, twist, swing).as_quat();
        }
    }

    /// Turns a joint about the axes of rest space, as carried along by its parent.
    pub fn turn(&mut self, joint: &str, turn: DQuat) {
        if let Some(node) = self.node(joint) {
            let parent = self.model.skeleton().nodes()[node].parent;
            let carried = parent.map_or(DQuat::IDENTITY, |p| rotation(&self.world(p)));
            let carried =
                carried * parent.map_or(DQuat::IDENTITY, |p| rotation(&self.rest_world[p])).inverse();
            self.set_world_rotation(node, carried * turn * rotation(&self.rest_world[node]));
        }
    }

    /// Turns a joint such that it is turned against rest space by exactly this, whatever its parents do.
    pub fn turn_in_world(&mut self, joint: &str, turn: DQuat) {
        if let Some(node) = self.node(joint) {
            self.set_world_rotation(node, turn * rotation(&self.rest_world[node]));
        }
    }

    /// Moves a root joint from its rest position.
    pub fn shift(&mut self, joint: &str, by: DVec3) {
        if let Some(node) = self.node(joint) {
            let rest = self.model.skeleton().nodes()[node].rest.translation;
            self.pose.nodes[node].translation = (rest.as_dvec3() + by).as_vec3();
        }
    }

    /// Turns two bones such that the third joint comes to `target`, the middle one bulging towards `pole`.
    ///
    /// With bone lengths a, b and reach c, the middle joint stands `(a^2 - b^2 + c^2) / 2c` along the reach.
    pub fn reach(&mut self, [upper, lower, end]: [&str; 3], target: DVec3, pole: DVec3) {
        let (Some(upper_node), Some(lower_node)) = (self.node(upper), self.node(lower)) else {
            return;
        };
        let (root, rest) = (self.now(upper), [upper, lower, end].map(|joint| self.rest(joint)));
        let (a, b) = (rest[0].distance(rest[1]), rest[1].distance(rest[2]));
        let wanted = target - root;
        let c = wanted.length().clamp((a - b).abs() * 1.001, (a + b) * 0.9995);
        let towards = wanted.normalize();
        let side = (pole - towards * pole.dot(towards)).normalize();
        let along = (a * a - b * b + c * c) / (2.0 * c);
        let middle = root + towards * along + side * (a * a - along * along).max(0.0).sqrt();
        let end = root + towards * c;
        let normal = towards.cross(side);
        for (node, direction) in [(upper_node, middle - root), (lower_node, end - middle)] {
            let y = direction.normalize();
            // The bend axis keeps the side that it has at rest.
            let x = normal * self.rest_world[node].matrix3.x_axis.dot(normal).signum();
            self.set_world_rotation(node, DQuat::from_mat3(&DMat3::from_cols(x, y, x.cross(y))));
        }
    }

    fn node(&self, joint: &str) -> Option<usize> {
        self.model.skeleton().node_named(joint)
    }

    fn world(&self, node: usize) -> DAffine3 {
        let local = self.pose.nodes[node].matrix();
        match self.model.skeleton().nodes()[node].parent {
            Some(parent) => self.world(parent) * local,
            None => local,
        }
    }

    fn set_world_rotation(&mut self, node: usize, world: DQuat) {
        let parent = self.model.skeleton().nodes()[node].parent;
        let parent = parent.map_or(DQuat::IDENTITY, |p| rotation(&self.world(p)));
        self.pose.nodes[node].rotation = (parent.inverse() * world).normalize().as_quat();
    }
}

/// Bakes a motion: `motion` poses a puppet (at rest before) for a time from 0 to 1.
pub(crate) fn bake(
    model: &Model,
    name: &str,
    seconds: f64,
    motion: impl Fn(f64, &mut Puppet),
) -> Result<Clip, ClipError> {
    let keys = (seconds * 30.0).round() as usize;
    let at = |key: usize| {
        let mut puppet = Puppet::new(model);
        motion(key as f64 / keys as f64, &mut puppet);
        puppet.pose
    };
    let poses: Vec<Pose> = (0..=keys).map(at).collect();
    let times: Vec<f32> = (0..=keys).map(|key| (seconds * key as f64 / keys as f64) as f32).collect();
    keyed(model, name, &times, &poses)
}

/// Like [`bake`], for a motion that repeats: the last key is the first one.
pub(crate) fn bake_loop(
    model: &Model,
    name: &str,
    seconds: f64,
    motion: impl Fn(f64, &mut Puppet),
) -> Result<Clip, ClipError> {
    bake(model, name, seconds, |time, puppet| motion(if time < 1.0 { time } else { 0.0 }, puppet))
}

/// A clip through given poses; nodes that never leave the rest pose get no channel.
pub(crate) fn keyed(model: &Model, name: &str, times: &[f32], poses: &[Pose]) -> Result<Clip, ClipError> {
    let mut channels = Vec::new();
    for (index, node) in model.skeleton().nodes().iter().enumerate() {
        let mut add = |target: Target, values: Vec<f32>| {
            let (times, interpolation) = (times.to_vec(), Interpolation::Linear);
            channels.push(Channel { target, interpolation, times, values });
        };
        let locals = || poses.iter().map(|pose| pose.nodes[index]);
        if locals().any(|local| local.translation != node.rest.translation) {
            let values = locals().flat_map(|local| local.translation.to_array()).collect();
            add(Target::Translation(index), values);
        }
        if locals().any(|local| local.rotation != node.rest.rotation) {
            add(Target::Rotation(index), locals().flat_map(|local| local.rotation.to_array()).collect());
        }
    }
    Clip::new(name, channels)
}

/// A turn about a joint's own axes: first the swing about Z, then the bend about X, then the twist about Y; degrees.
pub(crate) fn local_turn(bend: f64, twist: f64, swing: f64) -> DQuat {
    DQuat::from_euler(EulerRot::YXZ, twist.to_radians(), bend.to_radians(), swing.to_radians())
}

fn world_matrices(model: &Model, pose: &Pose) -> Vec<DAffine3> {
    model.skeleton().world_matrices(pose).expect("the rest pose fits its own model")
}

fn rotation(world: &DAffine3) -> DQuat {
    DQuat::from_mat3(&world.matrix3)
}
