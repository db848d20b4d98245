//! Spheres that follow a body: by their pivots, or such that they contain their triangles.

use glam::Vec3;

use super::{Balls, SphereChains};
use crate::math::smallest_enclosing_ball;
use crate::refit::Body;

impl SphereChains {
    /// Spheres of a body in its current pose, by their pivots: a few vertices per sphere are posed, whatever moves them. A
    /// good fit, but no bound.
    ///
    /// # Panics
    /// The body has another shape.
    pub fn follow(&self, body: &mut Body, balls: &mut Balls) {
        self.check(body);
        let mut points = Vec::new();
        balls.set(self.pivots.iter().map(|pivots| {
            points.clear();
            points.extend(pivots.triangles.iter().map(|&(triangle, _)| {
                let corners = body.model().mesh().triangles()[triangle as usize];
                corners.map(|vertex| body.position(vertex as usize)).iter().sum::<Vec3>() / 3.0
            }));
            pivots.sphere(&points)
        }));
    }

    /// Spheres that contain all triangles that belong to them, in the body's current pose, from joint matrices and weights; from the
    /// vertices where these were given ([`Body::set_vertices`]). No vertex is posed.
    ///
    /// # Panics
    /// The body has another shape.
    pub fn enclose(&self, body: &mut Body, balls: &mut Balls) {
        self.check(body);
        balls.set((0..self.spheres().len()).map(|number| {
            if body.has_given_vertices() {
                let triangles = &self.spheres()[number].triangles;
                let corners = triangles.iter().map(|&t| body.model().mesh().triangles()[t as usize]);
                let vertices: Vec<u32> = corners.flatten().collect();
                let points: Vec<Vec3> = vertices.iter().map(|&v| body.position(v as usize)).collect();
                smallest_enclosing_ball(&points)
            } else {
                body.ball_of_set(&self.bounds, number)
            }
        }));
    }

    /// How many vertices [`follow`](Self::follow) poses.
    pub fn pivot_vertices(&self) -> usize {
        self.pivots.iter().map(|pivots| 3 * pivots.triangles.len()).sum()
    }

    /// A body of another shape would be asked about triangles it does not have.
    pub(super) fn check(&self, body: &Body) {
        assert!(
            std::sync::Arc::ptr_eq(body.shape(), &self.shape),
            "the body has another shape than the chains were built for"
        );
    }
}
