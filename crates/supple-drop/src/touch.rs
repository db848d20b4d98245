//! Where bodies touch: balls of pieces that overlap, balls that reach triangles of the backdrop, balls below the ground.
//!
//! In: what the library's queries found. Out: points, normals and depths.
//! Must hold: a normal has unit length and points to the first body; depths are not negative.

use glam::{DVec3, Vec3};
use supple::{PlaneContact, Sphere, SphereContact, TriangleContact};

/// Two pieces that push each other apart, or a piece and something that nothing moves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Touch {
    /// Nodes of the pieces; the second counts only where there is a second body.
    pub nodes: [u32; 2],
    pub point: DVec3,
    /// Towards the first body.
    pub normal: DVec3,
    pub depth: f64,
    /// Velocity of what is touched, where that is no body.
    pub velocity: DVec3,
}

/// All touches of two bodies, or of one with the ground or the backdrop.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    pub bodies: (usize, Option<usize>),
    pub touches: Vec<Touch>,
}

impl Touch {
    /// Along the line of centers, in the middle of what both balls share.
    pub fn of_balls(contact: &BallContact) -> Self {
        let [a, b] = contact.balls;
        let (normal, distance) = direction(a.center - b.center);
        let depth = f64::from(a.radius) + f64::from(b.radius) - distance;
        Self {
            nodes: contact.nodes,
            point: a.center.as_dvec3() - normal * (f64::from(a.radius) - 0.5 * depth),
            normal,
            depth: depth.max(0.0),
            velocity: DVec3::ZERO,
        }
    }

    /// From the nearest point of the triangle to the middle of the ball.
    pub fn of_triangle(contact: &TriangleContact, velocity: DVec3) -> Self {
        let (normal, distance) = direction(contact.ball.center - contact.point);
        Self {
            nodes: [contact.node; 2],
            point: contact.point.as_dvec3(),
            normal,
            depth: (f64::from(contact.ball.radius) - distance).max(0.0),
            velocity,
        }
    }

    /// Upwards from the ground, `y = 0`.
    pub fn of_ground(contact: &PlaneContact) -> Self {
        let Sphere { center, radius } = contact.ball;
        let depth = f64::from(radius - center.y).max(0.0);
        let point = center.as_dvec3().with_y(-0.5 * depth);
        Self { nodes: [contact.node; 2], point, normal: DVec3::Y, depth, velocity: DVec3::ZERO }
    }
}

/// A vector as a direction and a length; upwards where there is none.
fn direction(vector: Vec3) -> (DVec3, f64) {
    let vector = vector.as_dvec3();
    let length = vector.length();
    (if length > 0.0 { vector / length } else { DVec3::Y }, length)
}
