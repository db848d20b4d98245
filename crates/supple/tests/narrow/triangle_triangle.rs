//! The triangle test against exact arithmetic: on coarse grids, where every kind of touching happens all the time,
//! and over the whole range of `f32`.

use super::exact_oracle::{touch, whole};
use crate::subjects::cases::cases;
use glam::{DVec3, Vec3, Vec3Swizzles};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use supple::narrow::{Contact, Triangle, contact, crossing_triangles_touch, triangles_touch};

const SEED: u64 = 0x5eed_0003;

/// SplitMix64: small, seeded, the same everywhere.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    fn grid_triangle(&mut self, size: u64) -> Triangle {
        [(); 3].map(|()| Vec3::from([(); 3].map(|()| self.below(size) as f32)))
    }

    /// A product of elementary shears, determinant 1, with a largest factor between 2^17 and 2^20 in each row.
    fn shear(&mut self) -> [[i64; 3]; 3] {
        loop {
            let mut rows = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
            for _ in 0..8 {
                let i = self.below(3) as usize;
                let j = (i + 1 + self.below(2) as usize) % 3;
                let factor = self.below(81) as i64 - 40;
                rows[i] = [0, 1, 2].map(|k| rows[i][k] + factor * rows[j][k]);
            }
            let largest = |row: &[i64; 3]| row.iter().map(|v| v.abs()).max();
            if rows.iter().all(|row| (Some(1 << 17)..Some(1 << 20)).contains(&largest(row))) {
                return rows;
            }
        }
    }

    /// Uniform in -1 .. 1, 24 bits.
    fn signed(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1u64 << 23) as f32 - 1.0
    }

    fn triangle(&mut self) -> Triangle {
        [(); 3].map(|()| Vec3::from([(); 3].map(|()| self.signed())))
    }
}

/// How many random pairs of each kind are tested.
const GRIDS: [(u64, usize); 7] =
    [(2, 60_000), (3, 120_000), (4, 80_000), (5, 80_000), (10, 60_000), (100, 20_000), (1000, 20_000)];

#[test]
fn equals_the_oracle_on_grids() {
    println!("seed {SEED:#x}");
    let mut random = Random(SEED);
    for (size, count) in GRIDS {
        let count = count / cases(4, 1);
        let mut touching = 0;
        for _ in 0..count {
            let (a, b) = (random.grid_triangle(size), random.grid_triangle(size));
            let expected = oracle_on_grid(&a, &b);
            assert_eq!(triangles_touch(&a, &b), expected, "grid {size}: {a:?} {b:?}");
            touching += usize::from(expected);
        }
        println!("grid {size}: {touching} of {count} touch");
        assert!(touching > count / 50 && touching < count - count / 50);
    }
}

/// Where corners are known to be beyond planes; on grids of this size sides are exact in f64.
#[test]
fn known_sides_give_the_same_answer() {
    let mut random = Random(SEED + 9);
    let (mut touching, mut count) = (0, 0);
    for _ in 0..120_000 {
        let size = 4 + random.below(60);
        let (a, b) = (random.grid_triangle(size), random.grid_triangle(size));
        let (Some(above_b), Some(above_a)) = (corners_above(&b, &a), corners_above(&a, &b)) else { continue };
        let expected = triangles_touch(&a, &b);
        let extents = Vec3::splat(size as f32);
        assert_eq!(crossing_triangles_touch(&a, &b, above_b, above_a, extents), expected, "{a:?} {b:?}");
        assert_eq!(crossing_triangles_touch(&b, &a, above_a, above_b, extents), expected, "{b:?} {a:?}");
        (touching, count) = (touching + usize::from(expected), count + 1);
    }
    println!("{touching} of {count} touch");
    assert!(touching > count / 20 && touching < count - count / 20);
}

/// The corners strictly above the plane of a triangle, if all others are strictly below and there are both.
fn corners_above(plane: &Triangle, corners: &Triangle) -> Option<u8> {
    let [p, q, r] = plane.map(|v| v.as_dvec3());
    let heights = corners.map(|x| (q - p).cross(r - p).dot(x.as_dvec3() - p));
    let bits = |test: fn(f64) -> bool| (0..3).map(|i| u8::from(test(heights[i])) << i).sum::<u8>();
    let (above, below) = (bits(|h| h > 0.0), bits(|h| h < 0.0));
    (above | below == 7 && above != 0 && below != 0).then_some(above)
}

/// All in one plane or line, and not an axis-aligned one.
#[test]
fn equals_the_oracle_in_skew_planes_and_lines() {
    println!("seed {SEED:#x}");
    let mut random = Random(SEED + 1);
    let basis = [Vec3::new(1.0, 2.0, -3.0), Vec3::new(2.0, -1.0, 1.0), Vec3::new(0.0, 3.0, 5.0)];
    for dimension in [1, 2] {
        for _ in 0..60_000 {
            let size = 2 + random.below(6);
            let skew = |corner: Vec3| (0..dimension).map(|i| basis[i] * corner[i]).sum::<Vec3>();
            let (a, b) = (random.grid_triangle(size).map(skew), random.grid_triangle(size).map(skew));
            assert_eq!(triangles_touch(&a, &b), oracle_on_grid(&a, &b), "{a:?} {b:?}");
        }
    }
}

#[test]
fn is_symmetric_and_invariant_under_exact_motions() {
    println!("seed {SEED:#x}");
    let mut random = Random(SEED + 2);
    for round in 0..40_000 {
        let size = [2, 3, 5, 10, 1000][round % 5];
        let (a, b) = (random.grid_triangle(size), random.grid_triangle(size));
        let expected = triangles_touch(&a, &b);
        assert_eq!(triangles_touch(&b, &a), expected, "swapped: {a:?} {b:?}");
        for order in [[0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            assert_eq!(triangles_touch(&order.map(|i| a[i]), &b), expected, "{order:?}: {a:?} {b:?}");
            assert_eq!(triangles_touch(&a, &order.map(|i| b[i])), expected, "{order:?}: {a:?} {b:?}");
        }
        let scale = 2f32.powi(random.below(200) as i32 - 100);
        let shift = Vec3::from([(); 3].map(|()| random.below(1 << 20) as f32));
        let signs = Vec3::from([(); 3].map(|()| if random.below(2) == 0 { 1.0 } else { -1.0 }));
        let moved = |t: &Triangle| t.map(|v| ((v + shift) * signs).zxy() * scale);
        assert_eq!(triangles_touch(&moved(&a), &moved(&b)), expected, "moved: {a:?} {b:?}");
    }
}

/// Corners of any magnitude, subnormal to 1e38, in one triangle.
#[test]
fn equals_the_oracle_over_the_whole_range_of_f32() {
    println!("seed {SEED:#x}");
    let mut random = Random(SEED + 3);
    let mut touching = 0;
    for round in 0..cases(8_000, 24_000) {
        let magnitude = |random: &mut Random| match round % 6 {
            0 => 1e30,
            1 => 1e-30,
            2 => 1e-42,
            3 => 3e38,
            4 => 2f32.powi(random.below(250) as i32 - 140),
            _ => 2f32.powi(random.below(40) as i32 - 20),
        };
        let mut coarse = || {
            [(); 3].map(|()| {
                Vec3::from([(); 3].map(|()| {
                    let digits = if round % 2 == 0 { random.signed() } else { random.below(5) as f32 / 4.0 };
                    digits * magnitude(&mut random)
                }))
            })
        };
        let (a, b) = (coarse(), coarse());
        let expected = oracle(&a, &b);
        assert_eq!(triangles_touch(&a, &b), expected, "round {round}: {a:?} {b:?}");
        touching += usize::from(expected);
    }
    println!("{touching} touch");
    assert!(touching > 1000);
}

/// Pairs that touch up to rounding: a point computed on one triangle becomes a corner of the other, then moves by
/// single steps of `f32`. Also whole triangles computed to lie in the other's plane.
#[test]
fn equals_the_oracle_at_the_last_bit() {
    println!("seed {SEED:#x}");
    let mut random = Random(SEED + 4);
    let mut touching = 0;
    let count = cases(15_000, 40_000);
    for round in 0..count {
        let a = random.triangle();
        let mut b = random.triangle();
        let on_a = if round % 2 == 0 { 1 } else { 3 };
        for corner in &mut b[..on_a] {
            // Every other pair of rounds puts them on the line of an edge.
            let (s, t) = (random.signed(), if round % 4 < 2 { random.signed() } else { 0.0 });
            *corner = a[0] + (a[1] - a[0]) * s + (a[2] - a[0]) * t;
            let axis = random.below(3) as usize;
            corner[axis] = match random.below(3) {
                0 => corner[axis].next_up(),
                1 => corner[axis].next_down(),
                _ => corner[axis],
            };
        }
        let expected = oracle(&a, &b);
        assert_eq!(triangles_touch(&a, &b), expected, "round {round}: {a:?} {b:?}");
        assert_eq!(contact(&a, &b).is_some(), expected, "round {round}: {a:?} {b:?}");
        touching += usize::from(expected);
    }
    println!("{touching} of {count} touch");
    assert!(touching > count / 20 && touching < count - count / 20);
}

/// Shears with determinant 1 make triangles on a small grid long and thin, with coordinates of 17 to 24 bits, but keep
/// all their volumes: numbers like 0, 1 or -2 as sums of terms of 51 to 72 bits. The places of their contacts, which
/// come from such sums, need more digits than `f64` has.
#[test]
fn equals_the_oracle_on_sheared_grids() {
    println!("seed {SEED:#x}");
    let mut random = Random(SEED + 7);
    let (mut touching, count) = (0, cases(8_000, 60_000));
    for _ in 0..count {
        let size = 2 + random.below(5);
        let (a, b) = (random.grid_triangle(size), random.grid_triangle(size));
        let shear = random.shear();
        let sheared = |t: &Triangle| t.map(|v| Vec3::from(shear.map(|row| dot(row, v) as f32)));
        let expected = oracle_on_grid(&a, &b);
        touching += usize::from(expected);
        let (a, b) = (sheared(&a), sheared(&b));
        assert_eq!(triangles_touch(&a, &b), expected, "{a:?} {b:?}");
        assert_eq!(triangles_touch(&b, &a), expected, "{a:?} {b:?}");
        if let Some(contact) = contact(&a, &b) {
            let largest = a.iter().chain(&b).map(|v| v.abs().max_element()).fold(0.0, f32::max);
            check(&a, &b, &contact, f64::from(largest) * 4e-7);
        }
    }
    println!("{touching} of {count} touch");
    assert!(touching > count / 20 && touching < count - count / 20);
}

/// Contacts agree with the decision, lie on both triangles, and their weights reproduce their points.
#[test]
fn contacts_lie_on_both_triangles() {
    println!("seed {SEED:#x}");
    let mut random = Random(SEED + 5);
    let (mut found, mut points) = (0, 0);
    for round in 0..200_000 {
        let size = [0, 2, 3, 5, 10, 1000][round % 6];
        let mut next = || if size == 0 { random.triangle() } else { random.grid_triangle(size) };
        let (a, b) = (next(), next());
        let contact = contact(&a, &b);
        assert_eq!(contact.is_some(), triangles_touch(&a, &b), "{a:?} {b:?}");
        if let Some(contact) = contact {
            check(&a, &b, &contact, size.max(1) as f64 * 4e-7);
            found += 1;
            points += usize::from(contact.points[0] == contact.points[1]);
        }
    }
    println!("{found} contacts, {points} of them points");
    assert!(found > 40_000 && points > 5_000);
}

/// Two planes at angles down to the last bit: the place of the contact keeps its digits.
#[test]
fn contacts_of_nearly_coplanar_triangles_keep_their_digits() {
    println!("seed {SEED:#x}");
    let mut random = Random(SEED + 6);
    let mut found = 0;
    for _ in 0..50_000 {
        let a = random.triangle();
        let b = [(); 3].map(|()| {
            let lift = 10f32.powi(-(random.below(9) as i32)) * random.signed();
            a[0] + (a[1] - a[0]) * random.signed() + (a[2] - a[0]) * random.signed() + Vec3::Z * lift
        });
        if let Some(contact) = contact(&a, &b) {
            check(&a, &b, &contact, 4e-6);
            found += 1;
        }
    }
    println!("{found} contacts");
    assert!(found > 10_000);
}

/// Overlapping in a plane: the segment is a longest one, here the long side of the shared triangle.
#[test]
fn coplanar_overlap_gives_a_longest_chord() {
    let at = |x: f32, y: f32| Vec3::new(x, y, 2.0);
    let a = [at(0.0, 0.0), at(4.0, 0.0), at(0.0, 4.0)];
    let found = contact(&a, &[at(1.0, 1.0), at(5.0, 1.0), at(1.0, 5.0)]).unwrap();
    let length = found.points[0].distance(found.points[1]);
    assert!((length - 8f32.sqrt()).abs() < 1e-6, "{found:?}");
    let within = contact(&a, &[at(1.0, 1.0), at(1.5, 1.0), at(1.0, 1.25)]).unwrap();
    let mut points = within.points.map(|p| p.to_array());
    points.sort_by(|x, y| x.partial_cmp(y).unwrap());
    assert_eq!(points, [[1.0, 1.25, 2.0], [1.5, 1.0, 2.0]]);
    let corner = contact(&a, &[at(4.0, 0.0), at(5.0, 0.0), at(5.0, 1.0)]).unwrap();
    assert_eq!(corner.points, [at(4.0, 0.0); 2]);
    assert_eq!(corner.barycentric_a, [[0.0, 1.0, 0.0]; 2]);
    assert_eq!(corner.barycentric_b, [[1.0, 0.0, 0.0]; 2]);
}

/// An end on an edge of each.
#[test]
fn crossing_triangles_share_the_segment_between_their_edges() {
    let a = [Vec3::ZERO, Vec3::X * 4.0, Vec3::Y * 4.0];
    let b = [Vec3::new(1.0, -2.0, -2.0), Vec3::new(1.0, -2.0, 2.0), Vec3::new(1.0, 2.0, 0.0)];
    let found = contact(&a, &b).unwrap();
    let mut points = found.points.map(|p| p.to_array());
    points.sort_by(|x, y| x.partial_cmp(y).unwrap());
    assert_eq!(points, [[1.0, 0.0, 0.0], [1.0, 2.0, 0.0]]);
    check(&a, &b, &found, 1e-7);
}

fn corner() -> impl Strategy<Value = Vec3> {
    let coordinate = prop_oneof![
        (-4i32..5).prop_map(|n| n as f32),
        any::<f32>().prop_filter("finite", |v| v.is_finite()),
        Just(f32::MIN_POSITIVE),
        Just(f32::MAX),
        Just(-1e-45f32),
    ];
    [coordinate.clone(), coordinate.clone(), coordinate].prop_map(Vec3::from)
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(SEED),
        ..ProptestConfig::with_cases(4000)
    })]

    #[test]
    fn equals_the_oracle(a in [corner(), corner(), corner()], b in [corner(), corner(), corner()]) {
        let expected = oracle(&a, &b);
        prop_assert_eq!(triangles_touch(&a, &b), expected);
        prop_assert_eq!(contact(&a, &b).is_some(), expected);
    }

    /// A triangle touches itself and every triangle that has one or two of its corners.
    #[test]
    fn a_shared_corner_or_edge_touches(
        a in [corner(), corner(), corner()],
        b in [corner(), corner(), corner()],
        shared in 0usize..3,
    ) {
        prop_assert!(triangles_touch(&a, &a));
        prop_assert!(triangles_touch(&a, &[b[0], a[shared], b[1]]));
        prop_assert!(triangles_touch(&a, &[a[(shared + 1) % 3], b[0], a[shared]]));
    }
}

fn dot(row: [i64; 3], v: Vec3) -> i64 {
    row.iter().zip(v.to_array()).map(|(factor, v)| factor * v as i64).sum()
}

fn oracle_on_grid(a: &Triangle, b: &Triangle) -> bool {
    let whole = |t: &Triangle| t.map(|corner| corner.to_array().map(|v| v as i128));
    touch(&whole(a), &whole(b))
}

fn oracle(a: &Triangle, b: &Triangle) -> bool {
    let whole = |t: &Triangle| t.map(|corner| corner.to_array().map(whole));
    touch(&whole(a), &whole(b))
}

/// Weights are weights, and give the points on both triangles.
fn check(a: &Triangle, b: &Triangle, contact: &Contact, tolerance: f64) {
    for (triangle, weights) in [(a, contact.barycentric_a), (b, contact.barycentric_b)] {
        for (weights, point) in weights.iter().zip(contact.points) {
            let weights = weights.map(f64::from);
            assert!(weights.iter().all(|w| (0.0..=1.0).contains(w)), "{a:?} {b:?} {contact:?}");
            assert!((weights.iter().sum::<f64>() - 1.0).abs() < 2e-7, "{a:?} {b:?} {contact:?}");
            let on: DVec3 = triangle.iter().zip(weights).map(|(corner, w)| corner.as_dvec3() * w).sum();
            let distance = on.distance(point.as_dvec3());
            assert!(distance <= tolerance, "{distance:e} {a:?} {b:?} {contact:?}");
        }
    }
}
