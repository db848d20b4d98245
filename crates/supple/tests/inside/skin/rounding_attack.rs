//! An attack on the margins for rounding: poses that nobody would choose, posed in f32 by the library and once more in f64.
//!
//! The f64 evaluation has the same condition and 29 bits more, so its own error is below `2^-29` of every margin. What is compared
//! is stated and proved in `docs/math/rounding.md`: computed vertices against the exact blend of the joints' exact rotations, and
//! the bounds of groups of one vertex, where nothing but rounding is left. Every test prints the largest part of its margin
//! that any pose used (`cargo test -p supple --lib rounding_attack -- --nocapture`), and fails if it is more than all of it, or so
//! little that the margin would be absurd.

use glam::{DVec3, Mat3, Vec3};

use super::bound::{group_box, group_sphere};
use super::hostile_pose::{Case, Random, TURNS, exact, lengths, palette, posed, roughened};
use super::palette::SINGULAR_BLEND_SQ;
use super::rotation_bound::blend_lengths;
use super::rounding::{Magnitude, UNIT_ROUNDOFF, length_sq_count, linear_margin, rotation_margin};
use super::{Bends, OwnedWeightRange, PosedBends, Skin, SkinTerm, Skinning, WeightRange};
use crate::math::{Sphere, smallest_enclosing_sphere};
use crate::rest::RestBox;
use crate::simd::{Eight, TwoFours};

/// The largest part of a margin that was used, and where.
struct Used {
    what: &'static str,
    most: f64,
    cases: usize,
}

impl Used {
    fn new(what: &'static str) -> Self {
        Self { what, most: 0.0, cases: 0 }
    }

    fn add(&mut self, error: f64, margin: f64, seed: u64) {
        assert!(error <= margin, "{}: off by {error:e}, margin {margin:e}, seed {seed}", self.what);
        self.cases += 1;
        if margin > 0.0 {
            self.most = self.most.max(error / margin);
        }
    }

    /// Neither violated, which `add` checks, nor larger than needed by more than a factor.
    fn report(&self, least: f64) {
        println!(
            "{}: at most {:.2} % of what is allowed in {} poses",
            self.what,
            100.0 * self.most,
            self.cases
        );
        assert!(self.cases > 1000, "{}: {} poses are no attack", self.what, self.cases);
        assert!(self.most > least, "{}: a margin used by {:.5} only", self.what, self.most);
    }
}

fn cases(per_kind: u64, mut attack: impl FnMut(u64, Case)) {
    for (kind, turns) in (0u64..).zip(TURNS) {
        for seed in 0..per_kind {
            let seed = 1 + seed * 4 + kind;
            let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
            attack(seed, Case::hostile(&mut random, turns));
        }
    }
}

/// The theorems about one vertex, of `docs/math/rounding.md`: the error of the computed position alone.
#[test]
fn vertices_are_within_their_own_share_of_the_margin() {
    let mut used =
        [Used::new("linear vertex"), Used::new("spherical vertex"), Used::new("dual quaternion vertex")];
    cases(12_000, |seed, case| {
        for (skinning, used) in Skinning::ALL.into_iter().zip(&mut used) {
            let Some(palette) = palette(&case, skinning) else { continue };
            let exact = exact(&case, &palette, 0);
            let computed = posed(&case, &palette, 0).as_dvec3();
            let (joints, _) = case.skin.joints_and_weights(0);
            let (n, u) = (joints.len() as f64, f64::from(UNIT_ROUNDOFF));
            let (tau, rho) = lengths(&case);
            let tiny = f64::from(palette.magnitude.underflow()) * (n + 8.0);
            let b = exact.length;
            let singular = f64::from(SINGULAR_BLEND_SQ);
            if joints.len() < 2 || (skinning != Skinning::Linear && b * b < 1.1 * singular) {
                continue;
            }
            let turned = 2.05 * (n + 1.0) / b;
            let margin = match skinning {
                Skinning::Linear => (n + 3.0) * (rho + tau),
                Skinning::DualQuaternion => {
                    turned * (rho + tau / b) + 37.0 * rho + 14.5 * tau / b + (n + 3.0) * rho
                }
                Skinning::Spherical => {
                    let center = palette.rotation_centers[case.skin.set_of_vertex(0)].expect("prepared");
                    let c = center.as_dvec3().length();
                    (turned + 38.0) * (rho + c) + (1.74 * n + 8.0) * c + (n + 4.0) * tau + (n + 3.0) * rho
                }
            };
            let error = computed - exact.position;
            // Linear errors are counted coordinate by coordinate, the others as lengths.
            let error = if skinning == Skinning::Linear { error.abs().max_element() } else { error.length() };
            used.add(error, 1.01 * u * margin + tiny, seed);
        }
    });
    used.iter().for_each(|used| used.report(0.01));
}

/// Bounds of a single vertex: all that the box is larger than a point is margin.
#[test]
fn boxes_and_spheres_of_one_vertex_are_nothing_but_margin() {
    let mut boxes = [Used::new("linear box"), Used::new("spherical box"), Used::new("dual quaternion box")];
    let mut spheres =
        [Used::new("linear sphere"), Used::new("spherical sphere"), Used::new("dual quaternion sphere")];
    cases(12_000, |seed, case| {
        for (kind, skinning) in Skinning::ALL.into_iter().enumerate() {
            let Some(palette) = palette(&case, skinning) else { continue };
            let (joints, weights) = case.skin.joints_and_weights(0);
            if joints.len() < 2 {
                continue;
            }
            let owned = OwnedWeightRange::around(joints.len(), std::iter::once(weights));
            let term = SkinTerm { set: case.skin.set_of_vertex(0), joints, weights: owned.as_range() };
            let computed = posed(&case, &palette, 0).as_dvec3();
            let c = case.rest;
            let rest = [[0.0; 8], [0.0, 0.0, 0.0, 0.0, c.x, c.y, c.z, 0.0]].map(|row| TwoFours::load(&row));
            let [low, high] = group_box(&palette, &term, rest, 0).map(|v| v.truncate().as_dvec3());
            assert!(low.is_finite() && high.is_finite(), "seed {seed}");
            let middle = (low + high) * 0.5;
            // The box of a point beside itself: what it is wider than its own margin is the intervals' doing.
            let off = ((computed - middle).abs() / ((high - low) * 0.5).max(DVec3::splat(f64::MIN_POSITIVE)))
                .max_element();
            boxes[kind].add(off, 1.0, seed);
            let sphere = group_sphere(&palette, &term, Sphere::new(c, 0.0), 0);
            spheres[kind].add(computed.distance(sphere.center.as_dvec3()), f64::from(sphere.radius), seed);
        }
    });
    boxes.iter().for_each(|used| used.report(0.002));
    spheres.iter().for_each(|used| used.report(0.002));
}

/// The range of `|b|^2` of a single vertex contains its exact value, and is not much wider than its rounding.
#[test]
fn lengths_of_blended_quaternions_are_bounded() {
    let (mut below, mut above) = (Used::new("shortest blend"), Used::new("longest blend"));
    cases(12_000, |seed, case| {
        let Some(palette) = palette(&case, Skinning::DualQuaternion) else { return };
        let (joints, weights) = case.skin.joints_and_weights(0);
        if joints.len() < 2 {
            return;
        }
        let owned = OwnedWeightRange::around(joints.len(), std::iter::once(weights));
        let [shortest, longest] = blend_lengths(&palette, joints, &owned.as_range()).map(f64::from);
        let sq = exact(&case, &palette, 0).length.powi(2);
        let singular = f64::from(SINGULAR_BLEND_SQ);
        assert!(shortest <= sq.max(0.5 * singular * (1.0 + 1e-6)), "seed {seed}: {shortest:e} {sq:e}");
        assert!(sq <= longest.max(singular), "seed {seed}: {sq:e} {longest:e}");
        let slack = f64::from(length_sq_count(joints.len()) * UNIT_ROUNDOFF);
        // Where nothing but the sum over pairs is used.
        if shortest > 0.5 {
            // How much of the allowance rounding used: the rest is still there.
            below.add(slack - (sq - shortest).min(slack), slack, seed);
            above.add(slack - (longest - sq).min(slack), slack, seed);
        }
    });
    below.report(0.01);
    above.report(0.01);
}

/// Bends bound how far computed vertices are from the exact linear blend.
#[test]
fn bends_contain_the_rounding_of_vertices() {
    let mut used =
        [Used::new("spherical bend with its bulge"), Used::new("dual quaternion bend with its bulge")];
    cases(6_000, |seed, case| {
        let points = [case.rest];
        let bends = Bends::new(&case.skin, |_| &points[..]);
        for (used, skinning) in used.iter_mut().zip([Skinning::Spherical, Skinning::DualQuaternion]) {
            let Some(palette) = palette(&case, skinning) else { continue };
            let (joints, _) = case.skin.joints_and_weights(0);
            if joints.len() < 2 {
                continue;
            }
            let mut posed_bends = PosedBends::default();
            posed_bends.set(&bends, &palette, 0.0);
            let bend = posed_bends.of_set(bends.of_set(case.skin.set_of_vertex(0)));
            // Without the weights' own rounding, which linear bounds have a margin for.
            let computed = posed(&case, &palette, 0).as_dvec3();
            let off = computed.distance(exact(&case, &palette, 0).linear);
            used.add(off, f64::from(bend), seed);
        }
    });
    used.iter().for_each(|used| used.report(0.01));
}

/// Groups of many vertices: simplices from above and from below, half axes, offsets, everything at once.
#[test]
fn groups_contain_their_computed_vertices() {
    let mut count = 0;
    cases(1_500, |seed, case| {
        let mut random = Random(seed ^ 0x5555_5555_5555);
        let n = case.matrices.len();
        let upper = random.one_of(&[0.0f32, 0.4, 1.0]);
        let lists: Vec<Vec<(u32, f32)>> = (0..12)
            .map(|_| (0..n as u32).map(|joint| (joint, 1e-6 + upper + random.unit())).collect())
            .collect();
        let skin = Skin::new(n, lists.iter().map(Vec::as_slice)).expect("weights of a skin");
        let skin = roughened(&mut random, &skin);
        let scatter = random.one_of(&[0.0f32, 1e-6, 0.3]);
        let extent = case.rest.abs().max_element();
        let points: Vec<Vec3> =
            (0..12).map(|_| case.rest * 0.5 + random.vector() * extent * 0.5 * scatter).collect();
        for skinning in Skinning::ALL {
            let case = Case { skin: skin.clone(), matrices: case.matrices.clone(), rest: case.rest };
            let Some(palette) = palette(&case, skinning) else { continue };
            let weights = (0..12).map(|vertex| skin.joints_and_weights(vertex).1);
            let owned = OwnedWeightRange::around(n, weights);
            let joints = skin.joints_and_weights(0).0;
            let term = SkinTerm { set: 0, joints, weights: owned.as_range() };
            let axes = Mat3::from_quat(random.rotation());
            let rest_box = RestBox::around(&axes, points.iter().copied());
            let [low, high] = group_box(&palette, &term, rest_box.0.map(|row| TwoFours::load(&row)), 0);
            let around = smallest_enclosing_sphere(&points);
            let sphere = group_sphere(&palette, &term, around, 0);
            for (vertex, &rest) in points.iter().enumerate() {
                let at = Case { skin: skin.clone(), matrices: case.matrices.clone(), rest };
                let computed = posed(&at, &palette, vertex);
                let inside = low.truncate().cmple(computed).all() && computed.cmple(high.truncate()).all();
                assert!(inside, "seed {seed} {skinning:?}: {computed} {low} {high}");
                assert!(sphere.contains(computed), "seed {seed} {skinning:?}");
                count += 1;
            }
        }
    });
    assert!(count > 100_000, "{count} vertices are no attack");
}

/// Margins that are asked for directly are what bounds use, and no number is lost on the way.
#[test]
fn margins_are_finite_and_grow_with_everything() {
    let magnitude = Magnitude { stretched: 3.0, translation: 1.0, rest: 1.0, stretch: 3.0 };
    assert!(linear_margin(magnitude, 3, 0) < linear_margin(magnitude, 4, 0));
    assert!(linear_margin(magnitude, 3, 0) < linear_margin(magnitude, 3, 1));
    assert!(rotation_margin(magnitude, 3, 0, 0.0, 1.0) < rotation_margin(magnitude, 3, 0, 1.0, 1.0));
    assert!(rotation_margin(magnitude, 3, 0, 0.0, 1.0) < rotation_margin(magnitude, 3, 0, 0.0, 0.5));
    assert!(rotation_margin(magnitude, 256, 1000, 1e18, 0.5 * SINGULAR_BLEND_SQ).is_finite());
}

impl OwnedWeightRange {
    fn as_range(&self) -> WeightRange<'_> {
        WeightRange {
            base: &self.base,
            spread: self.spread,
            total_product: self.total_product,
            products: &self.products,
        }
    }
}
