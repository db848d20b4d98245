//! What the rest stage does to the vertices below a node: a box and a sphere per displacement field or reference shape.
//!
//! Must hold: fields that move none of the vertices are left out; of a field that moves only some of them, the others are
//! displaced by zero; reference shapes are all there. What follows from it is proved in `docs/math/rest-stage.md`.

use glam::Vec3;

use super::groups::Groups;
use crate::math::Aabb;
use crate::math::outward::radius_of;
use crate::model::Model;
use crate::rest::{Rest, RestChange};

/// Collects changes node by node, reusing its memory.
pub(super) struct Changes {
    per_coefficient: Vec<Collected>,
}

/// Displacements by one field, or positions in one reference shape.
#[derive(Clone, Copy)]
struct Collected {
    aabb: Aabb,
    count: usize,
    center: Vec3,
    farthest_squared: f64,
}

const NONE: Collected = Collected { aabb: Aabb::EMPTY, count: 0, center: Vec3::ZERO, farthest_squared: 0.0 };

impl Changes {
    pub fn new(model: &Model) -> Self {
        Self { per_coefficient: vec![NONE; model.rest().coefficient_count()] }
    }

    /// Appends the changes of some vertices.
    pub fn push(&mut self, groups: &mut Groups, model: &Model, vertices: &[u32]) {
        self.per_coefficient.fill(NONE);
        visit(model, vertices, |coefficient, vector| {
            let collected = &mut self.per_coefficient[coefficient];
            collected.aabb = collected.aabb.including(vector);
            collected.count += 1;
        });
        for collected in self.per_coefficient.iter_mut().filter(|collected| collected.count > 0) {
            if collected.count < vertices.len() {
                collected.aabb = collected.aabb.including(Vec3::ZERO);
            }
            collected.center = collected.aabb.center();
            if collected.count < vertices.len() {
                collected.farthest_squared = collected.center.as_dvec3().length_squared();
            }
        }
        visit(model, vertices, |coefficient, vector| {
            let collected = &mut self.per_coefficient[coefficient];
            let squared = vector.as_dvec3().distance_squared(collected.center.as_dvec3());
            collected.farthest_squared = collected.farthest_squared.max(squared);
        });
        let moving = (0..).zip(&self.per_coefficient).filter(|(_, collected)| collected.count > 0);
        groups.changes.extend(moving.map(|(coefficient, collected)| RestChange {
            coefficient,
            center: collected.center,
            half: collected.aabb.half_extents(),
            radius: radius_of(collected.farthest_squared.sqrt()),
        }));
    }
}

/// Calls with every displacement or reference position, and its coefficient.
fn visit(model: &Model, vertices: &[u32], mut call: impl FnMut(usize, Vec3)) {
    for &vertex in vertices {
        match model.rest() {
            Rest::Plain => return,
            Rest::Fields(fields) => fields.of_vertex(vertex).for_each(|(field, u)| call(field, u)),
            Rest::Morph(morph) => {
                let positions = morph.of_vertex(vertex).iter();
                positions.enumerate().for_each(|(shape, &position)| call(shape, position));
            }
        }
    }
}
