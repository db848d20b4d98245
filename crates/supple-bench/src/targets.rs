//! What the library aims at; the tables mark what is reached.

use crate::workload::Class;

/// At least this many times faster than the opponent in first contact. Between the sizes that are named, the target is
/// interpolated on logarithmic scales; outside it stays.
pub fn first_contact(class: Class, triangles: usize) -> f64 {
    let points: [(f64, f64); 3] = match class {
        Class::Apart => [(5e3, 20.0), (5e4, 100.0), (2e5, 400.0)],
        _ => [(5e3, 8.0), (5e4, 40.0), (2e5, 150.0)],
    };
    let size = (triangles as f64).clamp(points[0].0, points[2].0);
    let [low, high] = if size <= points[1].0 { [points[0], points[1]] } else { [points[1], points[2]] };
    let share = (size / low.0).ln() / (high.0 / low.0).ln();
    (low.1.ln() + share * (high.1 / low.1).ln()).exp()
}

/// At least this many times faster than the opponent in all pairs.
pub fn all_pairs(class: Class) -> f64 {
    match class {
        Class::Apart => 1.0,
        Class::Touching => 5.0,
        Class::Deep => 1.3,
    }
}

/// At least this many times faster than the opponent for some rays per pose, where there is an aim: characters of 50,000
/// triangles.
pub fn rays(count: usize, triangles: usize) -> Option<f64> {
    match count {
        1 if triangles >= 50_000 => Some(30.0),
        100 if triangles >= 50_000 => Some(1.0),
        _ => None,
    }
}

/// At most this many times the query alone on a tree built for the pose, first contact.
pub const FIRST_TO_LIMIT: f64 = 4.0;
/// Likewise, all pairs.
pub const ALL_TO_LIMIT: f64 = 1.5;
/// Spherical and dual quaternion skins cost at most this many times linear.
pub const ROTATIONS_TO_LINEAR: f64 = 1.5;
/// 52 shapes before the skin cost at most this many times the skin alone.
pub const SHAPES_TO_PLAIN: f64 = 2.0;
/// Milliseconds to build 50,000 triangles.
pub const BUILD_PER_50K: f64 = 1000.0;

/// First contact visits at most this many times the nodes it would with perfect boxes.
pub const FIRST_TO_EXACT: f64 = 2.0;
/// Likewise, all pairs.
pub const ALL_TO_EXACT: f64 = 1.3;
/// Nanoseconds per refit, on average.
pub const REFIT_NS: f64 = 20.0;
/// Bytes of a body per triangle.
pub const BYTES_PER_TRIANGLE: f64 = 24.0;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_those_named_and_grow_between() {
        assert!((first_contact(Class::Deep, 4_672) - 8.0).abs() < 1e-9);
        assert!((first_contact(Class::Apart, 50_000) - 100.0).abs() < 1e-9);
        assert!((first_contact(Class::Touching, 215_000) - 150.0).abs() < 1e-9);
        assert!((16.0..17.0).contains(&first_contact(Class::Deep, 13_600)));
    }
}
