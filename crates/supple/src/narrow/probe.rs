//! Solid shapes that are asked for the triangles they overlap.

use glam::Vec3;
use thiserror::Error;

use super::convex::Convex;
use super::{Triangle, closest_point_of_triangle, closest_points_of_segment_and_triangle};
use crate::math::{Aabb, Isometry};

/// A solid shape in the world.
///
/// ```
/// use glam::Vec3;
/// use supple::{Isometry, Probe};
///
/// let blast = Probe::sphere(Vec3::ZERO, 2.5)?;
/// let sword = Probe::capsule([Vec3::ZERO, Vec3::Y], 0.02)?;
/// let doorway = Probe::cuboid(Isometry::IDENTITY, Vec3::new(0.5, 1.0, 0.1))?;
/// let wedge = Probe::hull(&[Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z])?;
/// assert!(Probe::sphere(Vec3::ZERO, -1.0).is_err());
/// # Ok::<(), supple::ProbeError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Probe {
    kind: Kind,
    bounds: Aabb,
}

#[derive(Clone, Debug, PartialEq)]
enum Kind {
    Sphere { center: Vec3, radius: f32 },
    Capsule { ends: [Vec3; 2], radius: f32 },
    Convex(Convex),
}

/// Why a shape cannot be made.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum ProbeError {
    /// A number is NaN or infinite.
    #[error("a number of the {shape} is not finite")]
    NotFinite {
        /// Which kind of shape.
        shape: &'static str,
    },
    /// A radius or extent below zero.
    #[error("the {shape} has a negative size: {size}")]
    Negative {
        /// Which kind of shape.
        shape: &'static str,
        /// The radius or extent.
        size: f32,
    },
    /// The rotation of a box is not a unit quaternion.
    #[error("the rotation of the box is not a unit quaternion")]
    NotRigid,
    /// A hull needs four points that are not in a plane.
    #[error("a hull needs four points that are not in a plane, all {points} given ones are in one")]
    Flat {
        /// How many points were given.
        points: usize,
    },
}

impl Probe {
    /// A solid sphere.
    ///
    /// # Errors
    /// Numbers that are not finite, a negative radius.
    pub fn sphere(center: Vec3, radius: f32) -> Result<Self, ProbeError> {
        check("sphere", center.is_finite() && radius.is_finite(), radius)?;
        Ok(Self { kind: Kind::Sphere { center, radius }, bounds: around(&[center], radius) })
    }

    /// All points within a distance of a segment.
    ///
    /// # Errors
    /// Numbers that are not finite, a negative radius.
    pub fn capsule(ends: [Vec3; 2], radius: f32) -> Result<Self, ProbeError> {
        let finite = ends.iter().all(|end| end.is_finite()) && radius.is_finite();
        check("capsule", finite, radius)?;
        Ok(Self { kind: Kind::Capsule { ends, radius }, bounds: around(&ends, radius) })
    }

    /// A solid box around the origin of a placement.
    ///
    /// # Errors
    /// Numbers that are not finite, a negative extent, a rotation that is not a unit quaternion.
    pub fn cuboid(placement: Isometry, half_extents: Vec3) -> Result<Self, ProbeError> {
        check("box", placement.is_finite() && half_extents.is_finite(), half_extents.min_element())?;
        let placement = placement.checked().ok_or(ProbeError::NotRigid)?;
        Ok(Self::convex(Convex::cuboid(&placement, half_extents)))
    }

    /// The solid convex hull of points. Takes time with points times faces of the hull: meant for up to a few thousand.
    ///
    /// # Errors
    /// Numbers that are not finite, points that lie in a plane.
    pub fn hull(points: &[Vec3]) -> Result<Self, ProbeError> {
        check("hull", points.iter().all(|point| point.is_finite()), 0.0)?;
        Convex::hull(points).map(Self::convex).ok_or(ProbeError::Flat { points: points.len() })
    }

    fn convex(convex: Convex) -> Self {
        Self { bounds: convex.bounds(), kind: Kind::Convex(convex) }
    }

    /// Whether a triangle has a point in common with the solid; touching counts. Right up to rounding in f64.
    pub fn overlaps(&self, triangle: &Triangle) -> bool {
        if !self.bounds.intersects(&Aabb::from_points(*triangle)) {
            return false;
        }
        let within = |distance_sq: f64, radius: f32| distance_sq <= f64::from(radius) * f64::from(radius);
        match &self.kind {
            Kind::Sphere { center, radius } => {
                within(closest_point_of_triangle(*center, triangle).distance_sq, *radius)
            }
            Kind::Capsule { ends, radius } => {
                within(closest_points_of_segment_and_triangle(*ends, triangle).distance_sq, *radius)
            }
            Kind::Convex(convex) => convex.overlaps(triangle),
        }
    }

    /// A box around it.
    pub fn bounds(&self) -> Aabb {
        self.bounds
    }
}

/// A box around points with a margin. Sums are off by less than a step of f32.
fn around(points: &[Vec3], radius: f32) -> Aabb {
    let aabb = Aabb::from_points(points.iter().copied());
    let down = |v: Vec3| Vec3::from_array((v - radius).to_array().map(f32::next_down));
    let up = |v: Vec3| Vec3::from_array((v + radius).to_array().map(f32::next_up));
    Aabb { min: down(aabb.min), max: up(aabb.max) }
}

fn check(shape: &'static str, finite: bool, size: f32) -> Result<(), ProbeError> {
    match (finite, size < 0.0) {
        (false, _) => Err(ProbeError::NotFinite { shape }),
        (true, true) => Err(ProbeError::Negative { shape, size }),
        (true, false) => Ok(()),
    }
}
