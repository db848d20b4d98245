//! Boxes and k-DOPs: intervals along fixed directions, the same for all models.
//!
//! ```text
//! directions      axes    corners (+-1, 1, 1) ..    edges (0, 1, +-1) ..
//! Slabs<3>  box    3
//! Slabs<7>  14-DOP 3      4
//! Slabs<9>  18-DOP 3                                6
//! Slabs<13> 26-DOP 3      4                         6
//! ```
//!
//! Based on: J. T. Klosowski et al., Efficient Collision Detection Using Bounding Volume Hierarchies of k-DOPs, 1998;
//! T. Larsson, T. Akenine-Moller, Efficient Collision Detection for Models Deformed by Morphing, 2003, section 3.2.

use std::array::from_fn;

use glam::{DAffine3, DVec3};

use super::cone::{Cone, cones};
use super::{BoundingSphere, PosedJoint, Volume};

/// Intervals along `N` directions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slabs<const N: usize> {
    /// Least coordinates.
    pub lo: [f64; N],
    /// Greatest coordinates.
    pub hi: [f64; N],
}

/// A point set at rest, to be moved by joints.
#[derive(Clone, Copy, Debug)]
pub struct RestSolid {
    sphere: BoundingSphere,
    center: DVec3,
    half: DVec3,
}

/// How two spaces lie to each other: what the directions of each are made of in the other.
#[derive(Clone, Debug)]
pub struct TurnedSlabs<const N: usize> {
    /// Directions of `a`, seen from `b`, and where the origin of `b` is along them.
    of_a: [(Cone, f64); N],
    /// The other way round.
    of_b: [(Cone, f64); N],
}

/// Coordinates of unit vectors towards a corner and an edge of a cube.
const TO_CORNER: f64 = 0.577_350_269_189_625_8;
const TO_EDGE: f64 = std::f64::consts::FRAC_1_SQRT_2;
const AXES: [DVec3; 3] = DVec3::AXES;
const CORNERS: [DVec3; 4] = [
    DVec3::new(TO_CORNER, TO_CORNER, TO_CORNER),
    DVec3::new(-TO_CORNER, TO_CORNER, TO_CORNER),
    DVec3::new(TO_CORNER, -TO_CORNER, TO_CORNER),
    DVec3::new(TO_CORNER, TO_CORNER, -TO_CORNER),
];
const EDGES: [DVec3; 6] = [
    DVec3::new(0.0, TO_EDGE, TO_EDGE),
    DVec3::new(0.0, TO_EDGE, -TO_EDGE),
    DVec3::new(TO_EDGE, 0.0, TO_EDGE),
    DVec3::new(TO_EDGE, 0.0, -TO_EDGE),
    DVec3::new(TO_EDGE, TO_EDGE, 0.0),
    DVec3::new(TO_EDGE, -TO_EDGE, 0.0),
];

impl<const N: usize> Slabs<N> {
    /// The unit normals of the slabs.
    pub const DIRECTIONS: [DVec3; N] = {
        assert!(N == 3 || N == 7 || N == 9 || N == 13, "boxes, 14-, 18- and 26-DOPs");
        let corners = if N == 7 || N == 13 { 4 } else { 0 };
        let mut all = [DVec3::ZERO; N];
        let mut i = 0;
        while i < N {
            all[i] = if i < 3 {
                AXES[i]
            } else if i < 3 + corners {
                CORNERS[i - 3]
            } else {
                EDGES[i - 3 - corners]
            };
            i += 1;
        }
        all
    };

    /// How far the slabs allow to go along a direction that is made of some of theirs.
    #[inline]
    fn reach(&self, cone: &Cone) -> [f64; 2] {
        let (mut lo, mut hi) = (0.0, 0.0);
        for (&slab, &part) in cone.slabs.iter().zip(&cone.parts) {
            let [a, b] = [part * self.lo[slab], part * self.hi[slab]];
            lo += a.min(b);
            hi += a.max(b);
        }
        [lo, hi]
    }

    #[inline]
    fn apart_along(&self, other: &Self, directions: &[(Cone, f64); N]) -> bool {
        directions.iter().enumerate().any(|(i, (cone, offset))| {
            let [lo, hi] = other.reach(cone);
            self.hi[i] < lo + offset || hi + offset < self.lo[i]
        })
    }
}

impl<const N: usize> Volume for Slabs<N> {
    const NAME: &'static str = match N {
        3 => "box",
        7 => "14-dop",
        9 => "18-dop",
        _ => "26-dop",
    };
    const ORIGIN: Self = Self { lo: [0.0; N], hi: [0.0; N] };
    type Rest = RestSolid;
    type Between = TurnedSlabs<N>;

    fn smallest(points: &[DVec3]) -> Self {
        let mut all = Self { lo: [f64::INFINITY; N], hi: [f64::NEG_INFINITY; N] };
        for point in points {
            for (i, direction) in Self::DIRECTIONS.iter().enumerate() {
                let along = direction.dot(*point);
                all.lo[i] = all.lo[i].min(along);
                all.hi[i] = all.hi[i].max(along);
            }
        }
        all
    }

    fn around_mean(points: &[DVec3]) -> Self {
        let mean = points.iter().sum::<DVec3>() / points.len() as f64;
        let tight = Self::smallest(points);
        let middle = Self::DIRECTIONS.map(|direction| direction.dot(mean));
        let half: [f64; N] = from_fn(|i| (tight.hi[i] - middle[i]).max(middle[i] - tight.lo[i]));
        Self { lo: from_fn(|i| middle[i] - half[i]), hi: from_fn(|i| middle[i] + half[i]) }
    }

    fn of_sphere(center: DVec3, radius: f64) -> Self {
        let middle = Self::DIRECTIONS.map(|direction| direction.dot(center));
        Self { lo: middle.map(|m| m - radius), hi: middle.map(|m| m + radius) }
    }

    fn around(volumes: &[Self]) -> Self {
        let mut all = volumes[0];
        volumes[1..].iter().for_each(|volume| all.wrap(volume));
        all
    }

    fn layered(children: &[Self]) -> Self {
        Self::around(children)
    }

    fn wrap(&mut self, other: &Self) {
        for i in 0..N {
            self.lo[i] = self.lo[i].min(other.lo[i]);
            self.hi[i] = self.hi[i].max(other.hi[i]);
        }
    }

    fn tighter(&self, other: &Self) -> Self {
        Self { lo: from_fn(|i| self.lo[i].max(other.lo[i])), hi: from_fn(|i| self.hi[i].min(other.hi[i])) }
    }

    fn add_scaled(&mut self, other: &Self, factor: f64) {
        for i in 0..N {
            let [a, b] = [factor * other.lo[i], factor * other.hi[i]];
            self.lo[i] += a.min(b);
            self.hi[i] += a.max(b);
        }
    }

    fn grown(&self, distance: f64) -> Self {
        Self { lo: self.lo.map(|x| x - distance), hi: self.hi.map(|x| x + distance) }
    }

    fn contains(&self, point: DVec3) -> bool {
        let inside = |(i, direction): (usize, &DVec3)| {
            let along = direction.dot(point);
            self.lo[i] <= along && along <= self.hi[i]
        };
        Self::DIRECTIONS.iter().enumerate().all(inside)
    }

    fn size(&self) -> f64 {
        self.hi.iter().zip(&self.lo).map(|(hi, lo)| hi - lo).sum()
    }

    fn overlaps(&self, other: &Self) -> bool {
        (0..N).all(|i| self.lo[i] <= other.hi[i] && other.lo[i] <= self.hi[i])
    }

    fn at_rest(points: &[DVec3]) -> RestSolid {
        let Slabs { lo, hi } = Slabs::<3>::smallest(points);
        let (min, max) = (DVec3::from_array(lo), DVec3::from_array(hi));
        RestSolid {
            sphere: BoundingSphere::smallest(points),
            center: (min + max) * 0.5,
            half: (max - min) * 0.5,
        }
    }

    /// The image of the box, and of the sphere, along every direction: what is less.
    fn moved(rest: &RestSolid, joint: &PosedJoint) -> Self {
        let center = joint.matrix.transform_point3(rest.center);
        let sphere = joint.moved_sphere(&rest.sphere);
        let turned = joint.matrix.matrix3.transpose();
        let (mut lo, mut hi) = ([0.0; N], [0.0; N]);
        for (i, direction) in Self::DIRECTIONS.iter().enumerate() {
            let half = (turned * *direction).abs().dot(rest.half);
            let (of_box, of_sphere) = (direction.dot(center), direction.dot(sphere.center));
            lo[i] = (of_box - half).max(of_sphere - sphere.radius);
            hi[i] = (of_box + half).min(of_sphere + sphere.radius);
        }
        Self { lo, hi }
    }

    fn sphere_at_rest(rest: &RestSolid) -> BoundingSphere {
        rest.sphere
    }

    fn between(a_from_b: &DAffine3) -> TurnedSlabs<N> {
        let directions = &Self::DIRECTIONS;
        let b_from_a = a_from_b.inverse();
        let seen = |from: &DAffine3| {
            let turned = from.matrix3.transpose();
            let cones = cones(directions, &directions.map(|direction| turned * direction));
            from_fn(|i| (cones[i], directions[i].dot(from.translation)))
        };
        TurnedSlabs { of_a: seen(a_from_b), of_b: seen(&b_from_a) }
    }

    fn overlaps_turned(&self, other: &Self, between: &TurnedSlabs<N>) -> bool {
        !self.apart_along(other, &between.of_a) && !other.apart_along(self, &between.of_b)
    }
}

#[cfg(test)]
mod tests {
    use glam::DQuat;

    use super::*;

    fn points(seed: u32, count: u32) -> Vec<DVec3> {
        let number = |i: u32| f64::from((i.wrapping_mul(2_654_435_761) >> 8) % 4096) / 2048.0 - 1.0;
        (0..count)
            .map(|i| seed * 100 + 3 * i)
            .map(|i| DVec3::new(number(i), number(i + 1), number(i + 2)))
            .collect()
    }

    fn turned_volumes_of_touching_points_overlap<V: Volume>() {
        for seed in 0..200u32 {
            let (a, mut b) = (points(seed, 9), points(seed + 1000, 7));
            let turn = DQuat::from_euler(glam::EulerRot::XYZ, f64::from(seed), 0.7, f64::from(seed) * 0.3);
            let a_from_b = DAffine3::from_rotation_translation(turn, DVec3::new(0.5, -1.0, 0.2));
            // Makes them share a point.
            b.push(a_from_b.inverse().transform_point3(a[0]));
            let between = V::between(&a_from_b);
            let (a, b) = (V::smallest(&a).grown(1e-9), V::smallest(&b).grown(1e-9));
            assert!(a.overlaps_turned(&b, &between), "{} {seed}", V::NAME);
            let far = V::between(&(DAffine3::from_translation(DVec3::X * 10.0) * a_from_b));
            assert!(!a.overlaps_turned(&b, &far), "{} {seed}", V::NAME);
        }
    }

    #[test]
    fn turned_volumes_lose_nothing() {
        turned_volumes_of_touching_points_overlap::<BoundingSphere>();
        turned_volumes_of_touching_points_overlap::<Slabs<3>>();
        turned_volumes_of_touching_points_overlap::<Slabs<7>>();
        turned_volumes_of_touching_points_overlap::<Slabs<9>>();
        turned_volumes_of_touching_points_overlap::<Slabs<13>>();
    }

    #[test]
    fn more_slabs_are_tighter_when_turned() {
        // How often volumes of far enough points are found apart.
        fn apart<const N: usize>() -> usize {
            let found = |seed: &u32| {
                let turn = DQuat::from_euler(glam::EulerRot::XYZ, f64::from(*seed), 0.7, 0.3);
                let offset = DVec3::new(1.1, 1.0, 0.9);
                let between = Slabs::<N>::between(&DAffine3::from_rotation_translation(turn, offset));
                let (a, b) =
                    (Slabs::<N>::smallest(&points(*seed, 9)), Slabs::smallest(&points(seed + 1000, 9)));
                !a.overlaps_turned(&b, &between)
            };
            (0..400).filter(found).count()
        }
        let found = [apart::<3>(), apart::<7>(), apart::<9>(), apart::<13>()];
        assert!(found[0] < found[1] && found[0] < found[2] && found[2] < found[3], "{found:?}");
    }
}
