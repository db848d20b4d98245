//! Balls around the vertices that move together, found once per model. What they are for: `docs/math/sweep.md`.

use glam::DVec3;

use super::joint_space::JointSpace;
use crate::model::Model;
use crate::rest::Rest;
use crate::skin::Skinning;

/// A ball around some vertices at rest.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ball {
    /// A joint, or a joint-set.
    pub of: usize,
    /// In the rest space.
    pub center: DVec3,
    /// In the space of the joint, or in the rest space.
    pub radius: f64,
    /// Length of the longest rest position.
    pub rest: f64,
}

/// Whose vertices are in a ball.
#[derive(Clone, Debug)]
pub(super) enum Balls {
    /// All that a joint moves: for linear skinning.
    OfJoints(Vec<Ball>),
    /// All of a joint-set: for blended rotations, which depend on the set.
    OfSets(Vec<Ball>),
}

impl Balls {
    /// Looks at all vertices.
    pub fn new(model: &Model, skinning: Skinning, spaces: &[JointSpace]) -> Self {
        let skin = model.skin();
        match skinning {
            Skinning::Linear => {
                let in_joint =
                    |joint: usize, offset: DVec3| spaces[joint].from_rest.transform_vector3(offset);
                Self::OfJoints(balls(skin.joint_count(), in_joint, |take| {
                    for_each_point(model, |vertex, point| {
                        skin.influences(vertex as u32).for_each(|(joint, _)| take(joint.0 as usize, point));
                    });
                }))
            }
            _ => Self::OfSets(balls(
                skin.joint_set_count(),
                |_, offset| offset,
                |take| for_each_point(model, |vertex, point| take(skin.set_of_vertex(vertex as u32), point)),
            )),
        }
    }

    pub fn bytes(&self) -> usize {
        let (Self::OfJoints(balls) | Self::OfSets(balls)) = self;
        size_of_val(&balls[..])
    }
}

/// Balls about the middle of boxes of points, with radii as `seen` by their owners; `for_each` gives owners and points.
fn balls(
    owners: usize,
    seen: impl Fn(usize, DVec3) -> DVec3,
    for_each: impl Fn(&mut dyn FnMut(usize, DVec3)),
) -> Vec<Ball> {
    let mut boxes = vec![(DVec3::INFINITY, DVec3::NEG_INFINITY); owners];
    for_each(&mut |owner, point| {
        let (min, max) = &mut boxes[owner];
        (*min, *max) = (min.min(point), max.max(point));
    });
    let ball = |(of, (min, max)): (usize, &(DVec3, DVec3))| Ball {
        of,
        center: (*min + *max) * 0.5,
        radius: 0.0,
        rest: 0.0,
    };
    let mut balls: Vec<Ball> = boxes.iter().enumerate().map(ball).collect();
    for_each(&mut |owner, point| {
        let ball = &mut balls[owner];
        ball.radius = ball.radius.max(seen(owner, point - ball.center).length());
        ball.rest = ball.rest.max(point.length());
    });
    // Joints and sets without vertices are nowhere.
    balls.retain(|ball| boxes[ball.of].0.x <= boxes[ball.of].1.x);
    balls
}

/// All rest positions that a vertex may have.
fn for_each_point(model: &Model, mut take: impl FnMut(usize, DVec3)) {
    for (vertex, position) in model.mesh().positions().iter().enumerate() {
        let points = match model.rest() {
            Rest::Morph(morph) => morph.of_vertex(vertex as u32),
            _ => std::slice::from_ref(position),
        };
        points.iter().for_each(|point| take(vertex, point.as_dvec3()));
    }
}
