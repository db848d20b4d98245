//! Spheres as bounding volumes.
//!
//! Based on: L. Kavan, Real-time Skeletal Animation, 2007, Lemma 5.1 (sums of spheres) and Algorithm 5.1 (around spheres).

use glam::{DAffine3, DVec3, Vec3};

use super::centroid_sphere::centroid_sphere;
use super::{PosedJoint, Volume};
use supple::math::{largest_stretch, smallest_enclosing_sphere};

/// A sphere around something, in f64.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoundingSphere {
    /// Center.
    pub center: DVec3,
    /// Radius.
    pub radius: f64,
}

impl Volume for BoundingSphere {
    const NAME: &'static str = "sphere";
    const ORIGIN: Self = Self { center: DVec3::ZERO, radius: 0.0 };
    type Rest = Self;
    /// With the largest stretch: spaces of joints are rigid only nearly.
    type Between = (DAffine3, f64);

    fn smallest(points: &[DVec3]) -> Self {
        // The center is found in f32, which suffices; the radius is measured from where it is.
        let rounded: Vec<Vec3> = points.iter().map(|p| p.as_vec3()).collect();
        Self::around_center(smallest_enclosing_sphere(&rounded).center.as_dvec3(), points)
    }

    fn around_mean(points: &[DVec3]) -> Self {
        Self::around_center(points.iter().sum::<DVec3>() / points.len() as f64, points)
    }

    fn of_sphere(center: DVec3, radius: f64) -> Self {
        Self { center, radius }
    }

    fn around(volumes: &[Self]) -> Self {
        let spheres = volumes.iter().map(|sphere| (sphere.center, sphere.radius));
        let (center, radius) = centroid_sphere(spheres, DVec3::distance);
        Self { center, radius }
    }

    /// The smallest sphere around two; around more, one after the other, or around their centroid if that is smaller.
    fn layered(children: &[Self]) -> Self {
        let merged = children[1..].iter().fold(children[0], |all, child| all.merged(child));
        if children.len() > 2 { merged.tighter(&Self::around(children)) } else { merged }
    }

    fn tighter(&self, other: &Self) -> Self {
        if self.radius <= other.radius { *self } else { *other }
    }

    fn wrap(&mut self, other: &Self) {
        self.radius = self.radius.max(self.center.distance(other.center) + other.radius);
    }

    fn add_scaled(&mut self, other: &Self, factor: f64) {
        self.center += other.center * factor;
        self.radius += other.radius * factor.abs();
    }

    fn grown(&self, distance: f64) -> Self {
        Self { radius: self.radius + distance, ..*self }
    }

    fn contains(&self, point: DVec3) -> bool {
        self.center.distance(point) <= self.radius
    }

    fn size(&self) -> f64 {
        self.radius
    }

    fn overlaps(&self, other: &Self) -> bool {
        let sum = self.radius + other.radius;
        self.center.distance_squared(other.center) <= sum * sum
    }

    fn at_rest(points: &[DVec3]) -> Self {
        Self::smallest(points)
    }

    fn moved(rest: &Self, joint: &PosedJoint) -> Self {
        joint.moved_sphere(rest)
    }

    fn sphere_at_rest(rest: &Self) -> Self {
        *rest
    }

    fn between(a_from_b: &DAffine3) -> (DAffine3, f64) {
        (*a_from_b, largest_stretch(a_from_b.matrix3))
    }

    fn overlaps_turned(&self, other: &Self, (a_from_b, stretch): &(DAffine3, f64)) -> bool {
        let center = a_from_b.transform_point3(other.center);
        self.overlaps(&Self { center, radius: other.radius * stretch })
    }
}

impl BoundingSphere {
    /// The smallest sphere around both.
    fn merged(&self, other: &Self) -> Self {
        let between = other.center - self.center;
        let distance = between.length();
        if distance + other.radius <= self.radius {
            return *self;
        }
        if distance + self.radius <= other.radius {
            return *other;
        }
        let radius = 0.5 * (distance + self.radius + other.radius);
        Self { center: self.center + between * ((radius - self.radius) / distance), radius }
    }

    fn around_center(center: DVec3, points: &[DVec3]) -> Self {
        let farthest = points.iter().map(|p| p.distance_squared(center)).fold(0.0, f64::max);
        Self { center, radius: farthest.sqrt() }
    }
}
