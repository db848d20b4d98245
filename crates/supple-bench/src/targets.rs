//! What the library aims at; the tables mark what is reached. Ratios are times of the opponent by times of the library.

use crate::workload::Class;

/// The rule for every row of every table, whatever its own aim: the library is never behind the opponent or a peer. Three
/// hundredths are what equal sides differ by.
pub const NEVER_BEHIND: f64 = 0.97;

/// Numbers of triangles that aims are named for.
const SIZES: [f64; 4] = [4.7e3, 13.6e3, 54e3, 218e3];

/// An aim between the sizes that are named, interpolated on logarithmic scales; outside it stays.
fn at_size(triangles: usize, aims: [f64; 4]) -> f64 {
    let size = (triangles as f64).clamp(SIZES[0], SIZES[3]);
    let low = SIZES[1..3].iter().filter(|&&named| named <= size).count();
    let share = (size / SIZES[low]).ln() / (SIZES[low + 1] / SIZES[low]).ln();
    aims[low] * (aims[low + 1] / aims[low]).powf(share)
}

/// At least this many times faster than the opponent in all pairs.
pub fn all_pairs(class: Class, triangles: usize) -> f64 {
    let aims = match class {
        Class::Apart => [5.0, 12.0, 45.0, 180.0],
        Class::Touching => [1.3, 4.0, 12.0, 30.0],
        Class::Deep => [1.0, 1.15, 1.6, 2.0],
    };
    at_size(triangles, aims)
}

/// Likewise in first contact. Where there is none, it is the same walk as all pairs.
pub fn first_contact(class: Class, triangles: usize) -> f64 {
    match class {
        Class::Apart => all_pairs(class, triangles),
        _ => at_size(triangles, [3.0, 7.0, 22.0, 70.0]),
    }
}

/// Likewise where the pair of the last frame is given as a hint, and contact lasts.
pub fn first_contact_near(triangles: usize) -> f64 {
    at_size(triangles, [6.0, 14.0, 40.0, 120.0])
}

/// Likewise for some rays per pose.
pub fn rays(count: usize, triangles: usize) -> f64 {
    match count {
        1 => at_size(triangles, [4.0, 8.0, 30.0, 100.0]),
        _ => 1.0,
    }
}

/// Likewise of one character against itself, in poses of a walk.
pub fn against_itself(triangles: usize) -> f64 {
    at_size(triangles, [3.0, 5.0, 12.0, 30.0])
}

/// Nanoseconds per joint to set a pose from transforms, at most.
pub const SET_POSE_NS: f64 = 18.0;
/// Likewise from joint matrices.
pub const SET_MATRICES_NS: f64 = 8.0;

/// Dual quaternion skins cost at most this many times linear.
pub const DUAL_TO_LINEAR: f64 = 1.8;
/// Spherical skins likewise.
pub const SPHERICAL_TO_LINEAR: f64 = 2.5;
/// 52 shapes before the skin cost at most this many times the skin alone.
pub const SHAPES_TO_PLAIN: f64 = 2.0;

/// Milliseconds to build 50,000 triangles.
pub const BUILD_PER_50K: f64 = 1000.0;
/// Bytes of a body per triangle, at most.
pub const BODY_BYTES: f64 = 24.0;
/// Bytes of a shape per triangle, at most.
pub const SHAPE_BYTES: f64 = 160.0;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aims_are_those_named_and_grow_between() {
        let near = |value: f64, aim: f64| assert!((value / aim - 1.0).abs() < 1e-9, "{value} for {aim}");
        near(first_contact(Class::Deep, 4_672), 3.0);
        near(first_contact(Class::Apart, 54_000), 45.0);
        near(first_contact_near(13_600), 14.0);
        near(all_pairs(Class::Touching, 218_000), 30.0);
        near(all_pairs(Class::Touching, 1_000_000), 30.0);
        near(rays(1, 54_000), 30.0);
        near(rays(10_000, 54_000), 1.0);
        assert!((7.0..22.0).contains(&first_contact(Class::Deep, 35_000)));
        assert!((1.0..1.15).contains(&all_pairs(Class::Deep, 7_440)));
    }
}
