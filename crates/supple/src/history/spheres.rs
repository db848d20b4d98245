//! Spheres around the vertices that move together, found once per model. What they are for: `docs/math/sweep.md`.

use glam::DVec3;

use super::joint_space::JointSpace;
use crate::model::Model;
use crate::rest::Rest;
use crate::skin::Skinning;

/// A sphere around some vertices at rest.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sphere {
    /// A joint, or a joint-set.
    pub of: usize,
    /// In the rest space.
    pub center: DVec3,
    /// In the space of the joint, or in the rest space.
    pub radius: f64,
    /// Length of the longest rest position.
    pub rest: f64,
}

/// Whose vertices are in a sphere.
#[derive(Clone, Debug)]
pub(super) enum Spheres {
    /// All that a joint moves: for linear skinning.
    OfJoints(Vec<Sphere>),
    /// All of a joint-set: for blended rotations, which depend on the set.
    OfSets(Vec<Sphere>),
}

impl Spheres {
    /// Looks at all vertices.
    pub fn new(model: &Model, skinning: Skinning, spaces: &[JointSpace]) -> Self {
        let skin = model.skin();
        match skinning {
            Skinning::Linear => {
                let in_joint =
                    |joint: usize, offset: DVec3| spaces[joint].from_rest.transform_vector3(offset);
                Self::OfJoints(spheres(skin.joint_count(), in_joint, |take| {
                    for_each_point(model, |vertex, point| {
                        skin.influences(vertex as u32).for_each(|(joint, _)| take(joint.0 as usize, point));
                    });
                }))
            }
            _ => Self::OfSets(spheres(
                skin.joint_set_count(),
                |_, offset| offset,
                |take| for_each_point(model, |vertex, point| take(skin.set_of_vertex(vertex as u32), point)),
            )),
        }
    }

    pub fn bytes(&self) -> usize {
        let (Self::OfJoints(spheres) | Self::OfSets(spheres)) = self;
        size_of_val(&spheres[..])
    }
}

/// Spheres about the middle of boxes of points, with radii as `seen` by their owners; `for_each` gives owners and points.
fn spheres(
    owners: usize,
    seen: impl Fn(usize, DVec3) -> DVec3,
    for_each: impl Fn(&mut dyn FnMut(usize, DVec3)),
) -> Vec<Sphere> {
    let mut boxes = vec![(DVec3::INFINITY, DVec3::NEG_INFINITY); owners];
    for_each(&mut |owner, point| {
        let (min, max) = &mut boxes[owner];
        (*min, *max) = (min.min(point), max.max(point));
    });
    let sphere = |(of, (min, max)): (usize, &(DVec3, DVec3))| Sphere {
        of,
        center: (*min + *max) * 0.5,
        radius: 0.0,
        rest: 0.0,
    };
    let mut spheres: Vec<Sphere> = boxes.iter().enumerate().map(sphere).collect();
    for_each(&mut |owner, point| {
        let sphere = &mut spheres[owner];
        sphere.radius = sphere.radius.max(seen(owner, point - sphere.center).length());
        sphere.rest = sphere.rest.max(point.length());
    });
    // Joints and sets without vertices are nowhere.
    spheres.retain(|sphere| boxes[sphere.of].0.x <= boxes[sphere.of].1.x);
    spheres
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
