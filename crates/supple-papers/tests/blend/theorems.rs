//! The theorems about blending rigid transforms, as property tests.
//!
//! Every row of table 4.1 is tested in both directions: what holds, holds for random transforms; what does
//! not hold, is clearly violated by some of them (the largest violation of 256 fixed samples is compared with
//! a threshold).
//!
//! Based on: Kavan, Real-time Skeletal Animation, 2007, chapters 3 and 4 and appendix A. Lemmas are named at
//! the tests.

use std::f64::consts::PI;

use glam::{DQuat, DVec3};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use supple::Isometry;
use supple::math::DualQuat;
use supple_papers::blend::properties::{
    self, BlendMethod, DIB, DLB, LINEAR, LOG, METHODS, QLB0, SCLERP, SPHERICAL, Screw, difference, mapped,
    rigidity_violation, smallest_singular_value,
};
use supple_papers::blend::{Dual, ScrewAlgebra, dib, qlb, qlb0, sclerp, spherical_about};

/// Error that rounding explains. The rotation center of nearly equal rotations is up to 1e3 away, which costs
/// three digits.
const ROUNDING: f64 = 1e-8;

// ------------------------------------------------------------------------------------------------ strategies

/// Uniform on the unit quaternions (Shoemake, Uniform Random Rotations, 1992).
fn rotation() -> impl Strategy<Value = DQuat> {
    (0.0..1.0f64, 0.0..2.0 * PI, 0.0..2.0 * PI).prop_map(|(u, a, b)| {
        let (r, s) = ((1.0 - u).sqrt(), u.sqrt());
        DQuat::from_xyzw(r * a.sin(), r * a.cos(), s * b.sin(), s * b.cos())
    })
}

fn direction() -> impl Strategy<Value = DVec3> {
    rotation().prop_map(|q| (q * DVec3::X).normalize())
}

fn vector(size: f64) -> impl Strategy<Value = DVec3> {
    proptest::array::uniform3(-size..size).prop_map(DVec3::from_array)
}

fn rigid() -> impl Strategy<Value = Isometry> {
    (rotation(), vector(5.0)).prop_map(|(q, t)| Isometry::new(q, t))
}

/// Transforms whose rotations are within 90 degrees of a common one: any two quaternions, the sign chosen
/// towards the common one, have a positive dot product, so aligning them with the first or with another pivot
/// is the same.
fn one_side(count: std::ops::Range<usize>) -> impl Strategy<Value = Vec<Isometry>> {
    let near = (direction(), 0.1..PI / 2.0, vector(5.0))
        .prop_map(|(axis, angle, t)| Isometry::new(DQuat::from_axis_angle(axis, angle), t));
    (rigid(), proptest::collection::vec(near, count))
        .prop_map(|(common, near)| near.into_iter().map(|m| common * m).collect::<Vec<_>>())
        // No direction about which the rotations differ a little.
        .prop_filter("rotation center is well defined", |m| smallest_singular_value(m) > 0.02)
}

/// Convex weights for any number of transforms up to 5; the rest is ignored after normalising.
fn weights() -> impl Strategy<Value = [f64; 5]> {
    proptest::array::uniform5(0.05..1.0f64)
}

/// As many of them as there are transforms.
fn convex(raw: &[f64; 5], count: usize) -> Vec<f64> {
    properties::convex(&raw[..count])
}

/// Two transforms with a relative rotation that is neither nearly none nor nearly half a turn.
fn pair() -> impl Strategy<Value = [Isometry; 2]> {
    (rigid(), direction(), 0.2..3.0f64, vector(5.0))
        .prop_map(|(a, axis, angle, t)| [a, a * Isometry::new(DQuat::from_axis_angle(axis, angle), t)])
}

/// The largest value of a measure over 256 samples that are always the same.
fn worst<S: Strategy>(strategy: S, measure: impl Fn(S::Value) -> f64) -> f64 {
    let mut runner = TestRunner::deterministic();
    (0..256)
        .map(|_| measure(strategy.new_tree(&mut runner).expect("filters accept most samples").current()))
        .fold(0.0, f64::max)
}

// --------------------------------------------------------------------------------- table 4.1: what must hold

proptest! {
    /// Left-invariance: lemma 4.1 (spherical), 4.4 (ScLERP), 4.5 (DLB); sections 4.1 (linear, QLB'_0) and 4.3
    /// (DIB).
    #[test]
    fn left_invariance(m in one_side(2..6), raw in weights(), u in rigid()) {
        let w = convex(&raw, m.len());
        for method in [LINEAR, QLB0, SPHERICAL, SCLERP, DLB, DIB] {
            prop_assert!(method.left_violation(u, &m, &w) < ROUNDING, "{}", method.name);
        }
    }

    /// Right-invariance: lemma 4.2 (spherical), 4.4 (ScLERP), 4.5 (DLB); sections 4.1 (linear) and 4.3 (DIB).
    #[test]
    fn right_invariance(m in one_side(2..6), raw in weights(), u in rigid()) {
        let w = convex(&raw, m.len());
        for method in [LINEAR, SPHERICAL, SCLERP, DLB, DIB] {
            prop_assert!(method.right_violation(u, &m, &w) < ROUNDING, "{}", method.name);
        }
    }

    /// Coordinate-invariance: follows from the two above; for log-matrix from exp and log commuting with
    /// conjugation (4.1).
    #[test]
    fn coordinate_invariance(m in one_side(2..6), raw in weights(), u in rigid()) {
        let w = convex(&raw, m.len());
        // The principal logarithm jumps at half a turn.
        let far_from_half_a_turn = m.iter().all(|m| m.rotation.w.abs() > 1e-6);
        for method in [LINEAR, SPHERICAL, SCLERP, DLB, DIB] {
            prop_assert!(method.coordinate_violation(u, &m, &w) < ROUNDING, "{}", method.name);
        }
        prop_assert!(!far_from_half_a_turn || LOG.coordinate_violation(u, &m, &w) < ROUNDING);
    }

    /// Section 3.2: QLB of rotations is left- and right-invariant.
    #[test]
    fn qlb_is_bi_invariant(m in one_side(2..6), raw in weights(), u in rotation()) {
        let w = convex(&raw, m.len());
        let (u, q) = (Isometry::from_rotation(u), qlb(&m, &w));
        let left = qlb(&mapped(&m, |m| u * m), &w);
        let right = qlb(&mapped(&m, |m| m * u), &w);
        prop_assert!(left.dot(u.rotation * q).abs() > 1.0 - 1e-14);
        prop_assert!(right.dot(q * u.rotation).abs() > 1.0 - 1e-14);
    }

    /// Section 4.2, condition 2: all but linear blending preserve rigidity. No half-space here: any
    /// transforms.
    #[test]
    fn rigidity(m in proptest::collection::vec(rigid(), 2..6), raw in weights()) {
        let w = convex(&raw, m.len());
        for method in [QLB0, SPHERICAL, LOG, SCLERP, DLB, DIB] {
            let blend = (method.blend)(&m, &w);
            prop_assert!(blend.is_finite(), "{}", method.name);
            prop_assert!(rigidity_violation(blend) < 1e-12, "{}", method.name);
        }
    }

    /// Section 4.2, condition 1: the weight vector e_i gives the transform i.
    #[test]
    fn unit_weight_gives_the_transform(m in proptest::collection::vec(rigid(), 2..6), i in 0..5usize) {
        let i = i % m.len();
        let w: Vec<_> = (0..m.len()).map(|k| if k == i { 1.0 } else { 0.0 }).collect();
        for method in METHODS.into_iter().filter(|method| method.name != "ScLERP") {
            prop_assert!(difference((method.blend)(&m, &w), m[i].to_affine()) < ROUNDING, "{}", method.name);
        }
        prop_assert!(difference(sclerp(0.0, m[0], m[1]).to_affine(), m[0].to_affine()) < ROUNDING);
        prop_assert!(difference(sclerp(1.0, m[0], m[1]).to_affine(), m[1].to_affine()) < ROUNDING);
    }

    /// Section 4.2, condition 3: the order of the inputs does not matter. All quaternions are on one side
    /// (see `one_side`): with rotations farther apart, aligning with the first would make the first one
    /// special.
    #[test]
    fn permutation_invariance(m in one_side(2..6), raw in weights(), shift in 1..5usize) {
        let w = convex(&raw, m.len());
        let shift = shift % m.len();
        let (mut turned_m, mut turned_w) = (m.clone(), w.clone());
        turned_m.rotate_left(shift);
        turned_w.rotate_left(shift);
        turned_m.swap(0, 1);
        turned_w.swap(0, 1);
        for method in [LINEAR, QLB0, SPHERICAL, LOG, DLB, DIB] {
            let (a, b) = ((method.blend)(&m, &w), (method.blend)(&turned_m, &turned_w));
            prop_assert!(difference(a, b) < ROUNDING, "{}", method.name);
        }
        let (there, back) = (sclerp(w[0], m[0], m[1]), sclerp(1.0 - w[0], m[1], m[0]));
        prop_assert!(difference(there.to_affine(), back.to_affine()) < ROUNDING);
    }

    /// Shortest path, section 4.2: the motion between two is a screw about one axis, the short way round.
    #[test]
    fn shortest_path(pair in pair()) {
        for method in [SPHERICAL, SCLERP, DLB, DIB] {
            prop_assert!(method.path_violation(pair).direction < ROUNDING, "{}", method.name);
            prop_assert!(method.path_violation(pair).moment < ROUNDING, "{}", method.name);
        }
        // Table 4.1 lists QLB'_0 too, by lemma 3.1, which is about the rotation only.
        prop_assert!(QLB0.path_violation(pair).direction < ROUNDING);
    }

    /// Constant speed, section 4.3 and lemma 4.7.
    #[test]
    fn constant_speed(pair in pair()) {
        for method in [SCLERP, DIB] {
            prop_assert!(method.path_violation(pair).speed < ROUNDING, "{}", method.name);
        }
    }
}

// ----------------------------------------------------------------------------- table 4.1: what must not hold

/// Section 4.1: QLB'_0 is left-invariant only, log-matrix blending is neither left- nor right-invariant.
#[test]
fn invariances_that_fail() {
    let sample = || (one_side(2..6), weights(), rigid());
    let worst_of = |violation: fn(&BlendMethod, Isometry, &[Isometry], &[f64]) -> f64,
                    method: BlendMethod| {
        worst(sample(), |(m, raw, u)| violation(&method, u, &m, &convex(&raw, m.len())))
    };
    assert!(worst_of(BlendMethod::right_violation, QLB0) > 0.5);
    assert!(worst_of(BlendMethod::coordinate_violation, QLB0) > 0.5);
    assert!(worst_of(BlendMethod::left_violation, LOG) > 0.5);
    assert!(worst_of(BlendMethod::right_violation, LOG) > 0.5);
}

/// Section 4.1: a linear blend of rotations is no rotation.
#[test]
fn linear_blending_is_not_rigid() {
    let violation =
        worst((one_side(2..6), weights()), |(m, raw)| LINEAR.rigidity_violation(&m, &convex(&raw, m.len())));
    assert!(violation > 0.5, "{violation}");
}

/// Section 4.4: log-matrix blending leaves the shortest path, even its direction. And, stricter than table
/// 4.1, the axis of QLB'_0 moves: only its direction is constant.
#[test]
fn shortest_paths_that_fail() {
    assert!(worst(pair(), |pair| LOG.path_violation(pair).direction) > 0.1);
    assert!(worst(pair(), |pair| QLB0.path_violation(pair).moment) > 0.1);
}

/// Section 4.4: no constant speed for the closed forms; section A.2: none for log-matrix blending.
#[test]
fn constant_speeds_that_fail() {
    for method in [QLB0, SPHERICAL, LOG, DLB] {
        let violation = worst(pair(), |pair| method.path_violation(pair).speed);
        assert!(violation > 0.05, "{}: {violation}", method.name);
    }
}

// ----------------------------------------------------------------------------------------- QLB against SLERP

/// Formula 3.2; `<p, q> >= 0` and not 1.
fn slerp(t: f64, p: DQuat, q: DQuat) -> DQuat {
    let angle = p.dot(q).min(1.0).acos();
    p * (((1.0 - t) * angle).sin() / angle.sin()) + q * ((t * angle).sin() / angle.sin())
}

/// Angle of the rotation between two rotations, in degrees.
fn degrees_between(p: DQuat, q: DQuat) -> f64 {
    let relative = p.conjugate() * q;
    (2.0 * relative.xyz().length().atan2(relative.w.abs())).to_degrees()
}

fn qlb_of(t: f64, p: DQuat, q: DQuat) -> DQuat {
    qlb(&[Isometry::from_rotation(p), Isometry::from_rotation(q)], &[1.0 - t, t])
}

proptest! {
    /// Lemma 3.1: from `p`, QLB and SLERP turn about one axis; lemma 3.2: their angles differ by less than
    /// 8.15 degrees.
    #[test]
    fn qlb_against_slerp(p in rotation(), q in rotation(), t in 0.01..0.99f64) {
        let q = if p.dot(q) < 0.0 { -q } else { q };
        prop_assume!(p.dot(q) < 0.9999);
        let (linear, spherical) = (qlb_of(t, p, q), slerp(t, p, q));
        prop_assert!(degrees_between(linear, spherical) < 8.15);
        let (a, b) = ((p.conjugate() * linear).xyz(), (p.conjugate() * spherical).xyz());
        prop_assert!(a.normalize().distance(b.normalize()) < 1e-9);
    }
}

/// Lemma 3.2: the bound is nearly reached at half a turn, at the parameter the lemma gives.
#[test]
fn qlb_bound_is_nearly_reached() {
    let (p, q) = (DQuat::IDENTITY, DQuat::from_axis_angle(DVec3::X, PI));
    let at = |t| degrees_between(qlb_of(t, p, q), slerp(t, p, q));
    let largest = (1..1000).map(|i| at(f64::from(i) / 1000.0)).fold(0.0, f64::max);
    assert!((8.0..8.15).contains(&largest), "{largest}");
    let extreme = at(0.5 - (1.0 / PI - 0.25).sqrt());
    assert!((extreme - largest).abs() < 1e-3, "{extreme} and {largest}");
}

// ---------------------------------------------------------------------------------------- DLB against ScLERP

/// Differences of DLB and ScLERP at `t`: angle in degrees, and translation as a part of the whole
/// translation.
fn dlb_against_sclerp(pair: [Isometry; 2], t: f64) -> (f64, f64) {
    let (whole, part) = (Screw::of(pair[0].inverse() * pair[1]), Screw::at(&DLB, pair, t));
    ((part.angle - t * whole.angle).abs().to_degrees(), ((part.pitch - t * whole.pitch) / whole.pitch).abs())
}

proptest! {
    /// Sections 4.3 and A.1: less than 8.15 degrees and 15.1 % of the translation.
    #[test]
    fn dlb_is_near_sclerp(pair in pair(), t in 0.01..0.99f64) {
        prop_assume!(Screw::of(pair[0].inverse() * pair[1]).pitch.abs() > 1e-3);
        let (degrees, part) = dlb_against_sclerp(pair, t);
        prop_assert!(degrees < 8.15, "{degrees}");
        prop_assert!(part < 0.151, "{part}");
    }
}

/// Section A.1: a sweep of angles and parameters stays below both bounds and comes near them, close to half a
/// turn.
#[test]
fn dlb_bounds_are_nearly_reached() {
    let axis = DVec3::new(1.0, 2.0, -2.0) / 3.0;
    let through = Isometry::from_translation(DVec3::new(4.0, 0.0, 1.0));
    let (mut degrees, mut part) = (0.0f64, 0.0f64);
    for step in 1..=90 {
        let angle = f64::from(step) * PI / 90.0 - 1e-9;
        let screw = Isometry::new(DQuat::from_axis_angle(axis, angle), axis * 2.5);
        let pair = [through, through * through * screw * through.inverse()];
        for t in (1..100).map(|i| f64::from(i) / 100.0) {
            let (d, p) = dlb_against_sclerp(pair, t);
            (degrees, part) = (degrees.max(d), part.max(p));
        }
    }
    assert!((8.0..8.15).contains(&degrees), "{degrees}");
    assert!((0.149..0.151).contains(&part), "{part}");
}

// ------------------------------------------------------------------------------------ DIB, lemmas 3.3 to 4.7

proptest! {
    /// Lemma 4.7: for two transforms DIB is ScLERP, after a single iteration.
    #[test]
    fn dib_is_sclerp_for_two(pair in pair(), t in 0.0..1.0f64) {
        let once = dib(&pair, &[1.0 - t, t], 0.0, 1);
        prop_assert!(difference(once.blend.to_affine(), sclerp(t, pair[0], pair[1]).to_affine()) < 1e-11);
        prop_assert!(once.residual < 1e-12, "{}", once.residual);
        prop_assert!(dib(&pair, &[1.0 - t, t], 1e-12, 100).iterations <= 1);
    }

    /// Section 4.3: DIB converges in a few steps: the result is where the weighted logarithms cancel.
    #[test]
    fn dib_converges(m in one_side(3..6), raw in weights()) {
        let result = dib(&m, &convex(&raw, m.len()), 1e-12, 50);
        prop_assert!(result.residual <= 1e-12, "{result:?}");
    }

    /// Lemma 3.3: blending about a center is QLB'_0 in coordinates with their origin there.
    #[test]
    fn center_is_a_change_of_coordinates(m in one_side(2..6), raw in weights(), c in vector(5.0)) {
        let w = convex(&raw, m.len());
        let t = Isometry::from_translation(c);
        let moved = t * qlb0(&mapped(&m, |m| t.inverse() * m * t), &w) * t.inverse();
        prop_assert!(difference(spherical_about(c, &m, &w).to_affine(), moved.to_affine()) < ROUNDING);
    }

    /// Lemma 3.4: a point moves by `Q (v - c) + sum w_i C_i c`.
    #[test]
    fn point_under_spherical_blending(
        m in one_side(2..6),
        raw in weights(),
        c in vector(5.0),
        v in vector(5.0),
    ) {
        let w = convex(&raw, m.len());
        let center: DVec3 = m.iter().zip(&w).map(|(m, &w)| m.transform_point(c) * w).sum();
        let moved = qlb(&m, &w) * (v - c) + center;
        prop_assert!(spherical_about(c, &m, &w).transform_point(v).distance(moved) < ROUNDING);
    }
}

// -------------------------------------------------------------------------------- exp, log, power, lemma 4.6

fn near(a: DualQuat, b: DualQuat) -> bool {
    a.real.abs_diff_eq(b.real, 1e-11) && a.dual.abs_diff_eq(b.dual, 1e-10)
}

fn dual() -> impl Strategy<Value = Dual> {
    (-1.0..1.0f64, -1.0..1.0f64).prop_map(|(real, dual)| Dual::new(real, dual))
}

/// Unit dual quaternion whose screw is less than about 350 degrees, beyond which the logarithm loses digits.
fn unit() -> impl Strategy<Value = DualQuat> {
    rigid().prop_map(DualQuat::from_isometry).prop_filter("axis has digits", |q| q.real.w > -0.996)
}

proptest! {
    /// Lemma 4.3: exp and log commute with conjugation by a unit dual quaternion.
    #[test]
    fn exp_and_log_commute_with_conjugation(q in unit(), m in unit()) {
        let log = q.log();
        prop_assert!(near((m * log * m.conjugate()).exp(), m * log.exp() * m.conjugate()));
        let (inside, outside) = ((m * q * m.conjugate()).log(), m * log * m.conjugate());
        // Near a full turn the logarithm amplifies rounding by 1 / sin.
        let scale = 1.0 / q.real.xyz().length().powi(3).clamp(1e-3, 1.0);
        prop_assert!(inside.real.abs_diff_eq(outside.real, 1e-11 * scale));
        prop_assert!(inside.dual.abs_diff_eq(outside.dual, 1e-10 * scale));
    }

    /// Lemma 4.6, first part: log(q^a) = a log q, as long as the power stays within a full turn.
    #[test]
    fn log_of_power(q in unit(), a in dual()) {
        let (got, wanted) = (q.pow_dual(a).log(), q.log() * a);
        prop_assume!(q.pow_dual(a).real.w > -0.9);
        prop_assert!(near(got, wanted), "{got:?} and {wanted:?}");
    }

    /// Lemma 4.6, second part: q^a q^b = q^(a + b).
    #[test]
    fn powers_add(q in unit(), a in dual(), b in dual()) {
        prop_assert!(near(q.pow_dual(a) * q.pow_dual(b), q.pow_dual(a + b)));
    }

    /// Section 2.1.2: exp undoes log; powers 0, 1 and -1; a real power is a dual one without dual part.
    #[test]
    fn exp_log_and_simple_powers(q in unit(), t in -1.0..1.0f64) {
        prop_assert!(near(q.log().exp(), q));
        prop_assert!(near(q.powf(0.0), DualQuat::IDENTITY));
        prop_assert!(near(q.powf(1.0), q));
        prop_assert!(near(q.powf(-1.0), q.conjugate()));
        prop_assert!(near(q.inverse(), q.conjugate()));
        prop_assert!(near(q.powf(t), q.pow_dual(Dual::from(t))));
    }

    /// Section 2.1.2: the product composes transforms, the norm of a unit dual quaternion stays 1.
    #[test]
    fn products_compose(a in rigid(), b in rigid(), p in vector(5.0)) {
        let product = DualQuat::from_isometry(a) * DualQuat::from_isometry(b);
        prop_assert!(product.transform_point(p).distance((a * b).transform_point(p)) < 1e-12);
        let norm = product.norm();
        prop_assert!((norm.real - 1.0).abs() < 1e-14 && norm.dual.abs() < 1e-13);
    }
}
