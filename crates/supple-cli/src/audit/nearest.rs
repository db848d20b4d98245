//! The point of a triangle that is nearest to the origin, and what of the triangle it lies on.
//!
//! Based on: C. Ericson, *Real-Time Collision Detection* (2005), section 5.1.5: the corners' and sides' regions in turn.

use glam::{DVec3, Vec3};

/// What of a triangle is nearest. Edge `i` goes from corner `i` to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feature {
    Corner(usize),
    Edge(usize),
    Face,
}

/// Nearest to the origin.
pub fn nearest_on_triangle(corners: [Vec3; 3]) -> (Vec3, Feature) {
    // Areas are of the fourth power of lengths: f32 would lose them for small triangles.
    let (point, feature) = nearest_wide(corners.map(Vec3::as_dvec3));
    (point.as_vec3(), feature)
}

fn nearest_wide([a, b, c]: [DVec3; 3]) -> (DVec3, Feature) {
    let (ab, ac) = (b - a, c - a);
    let (d1, d2) = (-ab.dot(a), -ac.dot(a));
    if d1 <= 0.0 && d2 <= 0.0 {
        return (a, Feature::Corner(0));
    }
    let (d3, d4) = (-ab.dot(b), -ac.dot(b));
    if d3 >= 0.0 && d4 <= d3 {
        return (b, Feature::Corner(1));
    }
    // Twice the signed areas of the parts of the triangle, times twice its own.
    let area_c = d1 * d4 - d3 * d2;
    if area_c <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        return (a + ab * share(d1, d1 - d3), Feature::Edge(0));
    }
    let (d5, d6) = (-ab.dot(c), -ac.dot(c));
    if d6 >= 0.0 && d5 <= d6 {
        return (c, Feature::Corner(2));
    }
    let area_b = d5 * d2 - d1 * d6;
    if area_b <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        return (a + ac * share(d2, d2 - d6), Feature::Edge(2));
    }
    let area_a = d3 * d6 - d5 * d4;
    if area_a <= 0.0 && d4 >= d3 && d5 >= d6 {
        return (b + (c - b) * share(d4 - d3, (d4 - d3) + (d5 - d6)), Feature::Edge(1));
    }
    let whole = area_a + area_b + area_c;
    (a + ab * share(area_b, whole) + ac * share(area_c, whole), Feature::Face)
}

/// A part of a whole; nothing of nothing.
fn share(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { (part / whole).clamp(0.0, 1.0) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_region_is_known() {
        let at = |x: f32, y: f32, z: f32| {
            let point = Vec3::new(x, y, z);
            let (found, feature) = nearest_on_triangle([Vec3::ZERO, Vec3::X, Vec3::Y].map(|c| c - point));
            (found + point, feature)
        };
        assert_eq!(at(-1.0, -1.0, 1.0), (Vec3::ZERO, Feature::Corner(0)));
        assert_eq!(at(2.0, -0.5, 0.0), (Vec3::X, Feature::Corner(1)));
        assert_eq!(at(-0.5, 2.0, 0.0), (Vec3::Y, Feature::Corner(2)));
        assert_eq!(at(0.5, -1.0, 2.0), (Vec3::X * 0.5, Feature::Edge(0)));
        assert_eq!(at(1.0, 1.0, 0.0), (Vec3::new(0.5, 0.5, 0.0), Feature::Edge(1)));
        assert_eq!(at(-1.0, 0.5, 0.0), (Vec3::Y * 0.5, Feature::Edge(2)));
        assert_eq!(at(0.25, 0.25, 3.0), (Vec3::new(0.25, 0.25, 0.0), Feature::Face));
    }

    #[test]
    fn triangles_without_area_have_a_nearest_point() {
        let line = [Vec3::new(-1.0, 1.0, 0.0), Vec3::new(0.5, 1.0, 0.0), Vec3::new(2.0, 1.0, 0.0)];
        assert!((nearest_on_triangle(line).0.length() - 1.0).abs() < 1e-6);
        assert_eq!(nearest_on_triangle([Vec3::Y; 3]).0, Vec3::Y);
    }
}
