//! One lump of clay: a round cone (two spheres and their tangent cone), stretched by any linear map.
//!
//! In: a point. Out: its approximate signed distance, negative inside; exact where nothing is stretched, first-order
//! exact near the surface otherwise.
//!
//! ```text
//! f(p) = g(q) / |M^T grad g(q)|,   q = M (p - center),   g the distance to the round cone in the space of q
//! ```
//!
//! Based on: Inigo Quilez, Distance functions (round cone), 2018.

use glam::{DMat3, DVec3};

/// A stretched round cone that belongs to a joint.
#[derive(Clone, Debug)]
pub(crate) struct Primitive {
    /// Ends of the axis and radii there, in the space of `q`.
    ends: [DVec3; 2],
    radii: [f64; 2],
    center: DVec3,
    q_from_p: DMat3,
    /// Width of the smooth seam with the rest.
    pub blend: f64,
    /// Whether the lump is taken away instead of added.
    pub carves: bool,
    /// Whether the lump comes after the carving.
    pub is_late: bool,
    /// Lumps of one group melt together before the group joins the others.
    pub group: u32,
    /// Index of the joint that moves it.
    pub joint: usize,
}

impl Primitive {
    /// A round cone from `a` to `b`.
    pub fn cone(a: DVec3, b: DVec3, radius_a: f64, radius_b: f64) -> Self {
        let center = (a + b) * 0.5;
        Self {
            ends: [a - center, b - center],
            radii: [radius_a, radius_b],
            center,
            q_from_p: DMat3::IDENTITY,
            blend: 0.02,
            carves: false,
            is_late: false,
            group: 0,
            joint: 0,
        }
    }

    /// A sphere.
    pub fn sphere(center: DVec3, radius: f64) -> Self {
        Self::cone(center, center, radius, radius)
    }

    /// An ellipsoid with semi-axes along the world's axes.
    pub fn ellipsoid(center: DVec3, semi_axes: DVec3) -> Self {
        let radius = semi_axes.max_element();
        Self { q_from_p: DMat3::from_diagonal(radius / semi_axes), ..Self::sphere(center, radius) }
    }

    /// Scales the lump along a direction, about its center.
    pub fn stretched(mut self, direction: DVec3, factor: f64) -> Self {
        let n = direction.normalize();
        let outer = DMat3::from_cols(n * n.x, n * n.y, n * n.z);
        self.q_from_p *= DMat3::IDENTITY + outer * (1.0 / factor - 1.0);
        self
    }

    pub fn blend(self, blend: f64) -> Self {
        Self { blend, ..self }
    }

    pub fn carved(self) -> Self {
        Self { carves: true, ..self }
    }

    pub fn late(self) -> Self {
        Self { is_late: true, ..self }
    }

    pub fn group(self, group: u32) -> Self {
        Self { group, ..self }
    }

    pub fn joint(self, joint: usize) -> Self {
        Self { joint, ..self }
    }

    /// Moves and scales the lump: `p -> origin + scale * p`.
    pub fn placed(mut self, origin: DVec3, scale: f64) -> Self {
        self.center = origin + self.center * scale;
        self.ends = self.ends.map(|end| end * scale);
        self.radii = self.radii.map(|radius| radius * scale);
        self.blend *= scale;
        self
    }

    /// The mirror image at the plane x = 0.
    pub fn mirrored(mut self) -> Self {
        let mirror = DMat3::from_diagonal(DVec3::new(-1.0, 1.0, 1.0));
        self.ends = self.ends.map(|end| mirror * end);
        self.center = mirror * self.center;
        self.q_from_p = mirror * self.q_from_p * mirror;
        self
    }

    /// The mirror image at the plane x = 0, and the lump.
    pub fn on_both_sides(self) -> [Self; 2] {
        [self.clone().mirrored(), self]
    }

    /// Approximate signed distance.
    pub fn distance(&self, p: DVec3) -> f64 {
        self.distance_and_normal(p).0
    }

    /// Approximate signed distance, and the unit normal of the level set there.
    pub fn distance_and_normal(&self, p: DVec3) -> (f64, DVec3) {
        let q = self.q_from_p * (p - self.center);
        let (distance, gradient) = round_cone(q, self.ends, self.radii);
        let pulled = self.q_from_p.transpose() * gradient;
        let length = pulled.length().max(1e-12);
        (distance / length, pulled / length)
    }

    /// A point on the axis, from 0 to 1, and the radius across the thinnest direction there.
    pub fn thickness(&self, along: f64) -> (DVec3, f64) {
        let p_from_q = self.q_from_p.inverse();
        let point = self.center + p_from_q * self.ends[0].lerp(self.ends[1], along);
        let radius = self.radii[0] + (self.radii[1] - self.radii[0]) * along;
        let thinnest =
            p_from_q.to_cols_array_2d().map(|c| DVec3::from(c).length()).into_iter().fold(1.0, f64::min);
        (point, radius * thinnest)
    }

    /// Lower and upper corner of the box around the lump.
    pub fn bounds(&self) -> (DVec3, DVec3) {
        let p_from_q = self.q_from_p.inverse();
        // A sphere of radius r becomes an ellipsoid that reaches r times the length of the matrix' row along each axis.
        let reach = |radius: f64| {
            p_from_q.transpose().to_cols_array_2d().map(|row| DVec3::from(row).length() * radius)
        };
        let [a, b] = self.ends.map(|end| self.center + p_from_q * end);
        let [ra, rb] = self.radii.map(|radius| DVec3::from_array(reach(radius)));
        ((a - ra).min(b - rb), (a + ra).max(b + rb))
    }
}

/// Distance to a round cone and its gradient (of length 1).
fn round_cone(q: DVec3, [a, b]: [DVec3; 2], [radius_a, radius_b]: [f64; 2]) -> (f64, DVec3) {
    let sphere = |center: DVec3, radius: f64| {
        let offset = q - center;
        let length = offset.length();
        (length - radius, if length > 0.0 { offset / length } else { DVec3::Y })
    };
    let axis = b - a;
    let (length_sq, taper) = (axis.length_squared(), radius_a - radius_b);
    if length_sq <= taper * taper {
        return if radius_a >= radius_b { sphere(a, radius_a) } else { sphere(b, radius_b) };
    }
    let length = length_sq.sqrt();
    let unit = axis / length;
    let along = (q - a).dot(unit);
    let across = q - a - unit * along;
    let width = across.length();
    // The tangent cone leans by `slope` against the axis; its foot on the axis decides which piece is nearest.
    let slope = taper / length;
    let lean = (1.0 - slope * slope).sqrt();
    let foot = along - width * slope / lean;
    if foot <= 0.0 {
        sphere(a, radius_a)
    } else if foot >= length {
        sphere(b, radius_b)
    } else {
        let outward = if width > 0.0 { across / width } else { unit.any_orthonormal_vector() };
        (width * lean + along * slope - radius_a, outward * lean + unit * slope)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_those_of_the_balls_and_the_cone() {
        let cone = Primitive::cone(DVec3::ZERO, DVec3::Y * 2.0, 1.0, 0.5);
        assert!((cone.distance(DVec3::NEG_Y * 3.0) - 2.0).abs() < 1e-12);
        assert!((cone.distance(DVec3::Y * 4.0) - 1.5).abs() < 1e-12);
        // On the axis plane the tangent touches the first sphere at height 0.25.
        let tangent = DVec3::new((1.0f64 - 0.0625).sqrt(), 0.25, 0.0);
        assert!(cone.distance(tangent).abs() < 1e-12);
    }

    #[test]
    fn stretching_moves_the_surface() {
        let egg = Primitive::ellipsoid(DVec3::X, DVec3::new(1.0, 2.0, 0.5)).mirrored();
        for point in [DVec3::new(-2.0, 0.0, 0.0), DVec3::new(-1.0, 2.0, 0.0), DVec3::new(-1.0, 0.0, 0.5)] {
            assert!(egg.distance(point).abs() < 1e-12, "{point}");
        }
        let flat = Primitive::sphere(DVec3::ZERO, 1.0).stretched(DVec3::new(1.0, 1.0, 0.0), 0.5);
        assert!(flat.distance(DVec3::new(0.5, 0.5, 0.0) * 0.5f64.sqrt()).abs() < 1e-12);
    }
}
