//! An attack on the margins for rounding: poses that nobody would choose, posed in f32 by the library and once more in f64.
//!
//! The f64 evaluation has the same condition and 29 bits more, so its own error is below `2^-29` of every margin. What is compared
//! is stated and proved in `docs/math/rounding.md`: computed vertices against the exact blend of the joints' exact rotations, and
//! the bounds of groups of one vertex, where nothing but rounding is left. Every test prints the largest part of its margin
//! that any pose used (`cargo test -p supple --lib rounding_attack -- --nocapture`), and fails if it is more than all of it, or so
//! little that the margin would be absurd.

use glam::{Affine3A, DMat3, DQuat, DVec3, Mat3, Quat, Vec3, Vec3A, Vec4};

use super::bound::{group_ball, group_box};
use super::palette::{SINGULAR_BLEND_SQ, column_vectors};
use super::rounding::{Reach, UNIT_ROUNDOFF, linear_margin, rotation_margin};
use super::rotation_bound::blend_lengths;
use super::{
    Bends, DualQuaternionSkin, LinearSkin, OwnedWeightRange, Palette, PosedBends, Skin, SkinStage, SkinTerm,
    Skinning, SphericalSkin, WeightRange,
};
use crate::math::outward::radius_of;
use crate::math::{Sphere, polar};
use crate::simd::{Eight, TwoFours};

/// A small generator of its own (xorshift, George Marsaglia 2003): the same attack on every machine.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, count: usize) -> usize {
        (self.next() >> 11) as usize % count
    }

    fn unit(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1u64 << 24) as f32
    }

    fn signed(&mut self) -> f32 {
        2.0 * self.unit() - 1.0
    }

    fn vector(&mut self) -> Vec3 {
        Vec3::new(self.signed(), self.signed(), self.signed())
    }

    fn rotation(&mut self) -> Quat {
        let q = Vec4::new(self.signed(), self.signed(), self.signed(), self.signed());
        Quat::from_vec4(if q.length() > 0.1 { q.normalize() } else { Vec4::W })
    }

    fn one_of<T: Copy>(&mut self, values: &[T]) -> T {
        values[self.below(values.len())]
    }
}

/// One vertex of some joints, in one pose.
struct Case {
    skin: Skin,
    matrices: Vec<Affine3A>,
    rest: Vec3,
}

/// How joints are turned against each other.
#[derive(Clone, Copy)]
enum Turns {
    Any,
    Near,
    HalfTurns,
    Opposed,
}

const TURNS: [Turns; 4] = [Turns::Any, Turns::Near, Turns::HalfTurns, Turns::Opposed];

fn case(random: &mut Random, turns: Turns) -> Case {
    let most = random.one_of(&[4, 4, 4, 4, 4, 4, 4, 14]);
    let n = 2 + random.below(most);
    // Half of the poses are of ordinary size: there margins are used most.
    let size = if random.below(2) == 0 { 1.0 } else { 10f32.powi(random.below(32) as i32 - 20) };
    let base = random.rotation();
    let axis = base * Vec3::X;
    let common = if random.below(3) == 0 { random.vector() * size * 1e3 } else { Vec3::ZERO };
    let scales = random.below(6);
    let matrices = (0..n)
        .map(|joint| {
            let small = random.one_of(&[1e-1f32, 1e-3, 1e-5, 1e-7]);
            let rotation = match turns {
                Turns::Any => random.rotation(),
                Turns::Near => base * Quat::from_axis_angle(random.rotation() * Vec3::X, small),
                Turns::HalfTurns => {
                    let turn = random.one_of(&[0.0, 0.5, 1.0, -1.0]) * std::f32::consts::PI;
                    base * Quat::from_axis_angle(random.one_of(&[Vec3::X, Vec3::Y, Vec3::Z]), turn)
                }
                // The first joint as it is, the others half a turn away in opposite directions.
                Turns::Opposed => {
                    let sign = [0.0, 1.0, -1.0][if joint == 0 { 0 } else { 1 + joint % 2 }];
                    let away = Vec4::new(sign * axis.x, sign * axis.y, sign * axis.z, small);
                    base * if joint == 0 { Quat::IDENTITY } else { Quat::from_vec4(away.normalize()) }
                }
            };
            let scale = match scales {
                0 => Vec3::splat(random.one_of(&[1e-20f32, 1e-3, 0.5, 2.0, 1e4, 1e12])),
                1 => Vec3::new(1.0 + random.unit(), 0.1 + random.unit(), 2.0),
                2 => random.one_of(&[Vec3::ONE, Vec3::new(-1.0, 1.0, 1.0), Vec3::NEG_ONE, Vec3::new(1.0, 1.0, 0.0)]),
                _ => Vec3::ONE,
            };
            let matrix = Mat3::from_quat(rotation.normalize()) * Mat3::from_diagonal(scale);
            let shift = common + random.vector() * size * random.one_of(&[1.0f32, 1e-6, 30.0]);
            Affine3A::from_mat3_translation(matrix, shift)
        })
        .collect();
    let weight = |random: &mut Random, joint: usize| match turns {
        // The quaternions of the others cancel: `|b|` is what the first joint has.
        Turns::Opposed if joint == 0 => random.one_of(&[1e-1f32, 1e-2, 3e-3, 1.1e-3, 1e-4]),
        Turns::Opposed => 0.5 + 1e-4 * random.unit(),
        _ => random.one_of(&[1.0f32, 0.5, 0.1, 1e-3, 1e-7, 1e-30, 1e-40]) * (0.1 + random.unit()),
    };
    let influences: Vec<(u32, f32)> = (0..n).map(|joint| (joint as u32, weight(random, joint))).collect();
    // A second vertex makes joint 0 the one that signs are aligned with.
    let first: Vec<(u32, f32)> =
        (0..n).map(|joint| (joint as u32, if joint == 0 { 100.0 } else { 1e-30 })).collect();
    let skin = Skin::new(n, [&influences[..], &first[..]]).expect("weights of a skin");
    let rest = random.vector() * size * random.one_of(&[1.0f32, 1e-9, 1e3]);
    Case { skin: roughened(random, &skin), matrices, rest }
}

/// The same skin with weights as far from the sum 1 as a stored skin may have them.
fn roughened(random: &mut Random, skin: &Skin) -> Skin {
    let direction = random.one_of(&[0.0f32, 1.0, -1.0]);
    let lists = (0..skin.vertex_count())
        .map(|vertex| {
            let mut list: Vec<(u32, f32)> = skin.influences(vertex).collect();
            let step = direction * (list.len() - 1) as f32 * f32::EPSILON;
            let heaviest = (0..list.len()).max_by(|&a, &b| list[a].1.total_cmp(&list[b].1)).unwrap_or(0);
            list[heaviest].1 = (list[heaviest].1 + step).min(1.0);
            list
        })
        .collect();
    Skin::from_normalized(skin.joint_count(), lists).expect("weights that a stored skin may have")
}

/// A pose of a case, as a body would prepare it.
fn palette(case: &Case, skinning: Skinning) -> Option<Palette> {
    let mut palette = Palette::new(&case.skin, skinning, &case.matrices).ok()?;
    let sum = |v: Vec3A| v.abs().element_sum();
    let rest = radius_of(case.rest.as_dvec3().length());
    let mut reach = Reach::default();
    for matrix in &case.matrices {
        let m = &matrix.matrix3;
        let stretch = sum(m.x_axis) + sum(m.y_axis) + sum(m.z_axis);
        let (stretched, translation) = (stretch * rest, sum(matrix.translation));
        // What bodies refuse.
        if stretch > 1e30 || rest > 1e18 || f64::from(stretch) * f64::from(rest) + f64::from(translation) > 1e18 {
            return None;
        }
        reach = reach.max(Reach { stretched, translation, rest, stretch });
    }
    palette.set_reach(reach);
    (0..case.skin.joint_set_count()).for_each(|set| palette.prepare_set(&case.skin, set));
    Some(palette)
}

/// The exact blend of a vertex, evaluated in f64.
struct Exact {
    position: DVec3,
    /// Length of the blended quaternion.
    length: f64,
    linear: DVec3,
}

fn exact(case: &Case, palette: &Palette, vertex: usize) -> Exact {
    let (joints, weights) = case.skin.joints_and_weights(vertex);
    // Matrices alone have no quaternions.
    let real = |joint: u32| match palette.dual_quaternions.get(joint as usize) {
        Some([numbers]) => Vec4::from_slice(&numbers[..4]),
        None => Vec4::W,
    };
    let rest = case.rest.as_dvec3();
    let columns = |m: &[Vec4; 4]| {
        let [x, y, z, t] = m.map(|c| c.truncate().as_dvec3());
        (DMat3::from_cols(x, y, z), t)
    };
    let (mut b, mut dual) = (glam::DVec4::ZERO, glam::DVec4::ZERO);
    let (mut stretched, mut linear, mut total) = (DVec3::ZERO, DVec3::ZERO, 0.0);
    for (&joint, &weight) in joints.iter().zip(weights) {
        let matrix = &case.matrices[joint as usize];
        let (rotation, _) = polar(Mat3::from(matrix.matrix3).as_dmat3());
        let shift = matrix.translation.as_dvec3();
        let sign = if real(joints[0]).dot(real(joint)) < 0.0 { -1.0 } else { 1.0 };
        // The sign of a rotation's quaternion is what the palette has.
        let same = real(joint).as_dvec4().dot(glam::DVec4::from(rotation)).signum();
        let q = glam::DVec4::from(rotation) * same;
        let half = DQuat::from_xyzw(shift.x * 0.5, shift.y * 0.5, shift.z * 0.5, 0.0);
        let (v, w) = (q.truncate(), q.w);
        let d = (half.xyz() * w + half.xyz().cross(v)).extend(-half.xyz().dot(v));
        let weight = f64::from(weight);
        total += weight;
        b += q * (sign * weight);
        dual += d * (sign * weight);
        let (m, t) = (Mat3::from(matrix.matrix3).as_dmat3(), shift);
        linear += (m * rest + t) * weight;
        stretched += match palette.stretches.get(joint as usize) {
            None => rest * (weight),
            Some(stretch) => columns(&column_vectors(stretch)).0 * rest * weight,
        };
    }
    if palette.stretches.is_empty() {
        stretched = rest;
    }
    let (r, a0) = (b.truncate(), b.w);
    let length = b.length();
    let turned = |y: DVec3| y + r.cross(r.cross(y) + y * a0) * (2.0 / b.length_squared());
    let position = match palette.skinning() {
        Skinning::Linear => linear,
        Skinning::DualQuaternion => {
            let (d, ae) = (dual.truncate(), dual.w);
            turned(stretched) + (d * a0 - r * ae + r.cross(d)) * (2.0 / b.length_squared())
        }
        Skinning::Spherical => {
            let set = case.skin.set_of_vertex(vertex);
            let centre = palette.rotation_centres[set].expect("prepared").as_dvec3();
            let mut sum = DVec3::ZERO;
            for (&joint, &weight) in joints.iter().zip(weights) {
                let matrix = &case.matrices[joint as usize];
                let (rotation, _) = polar(Mat3::from(matrix.matrix3).as_dmat3());
                sum += (rotation * centre + matrix.translation.as_dvec3()) * f64::from(weight);
            }
            turned(stretched - centre) + sum
        }
    };
    Exact { position, length, linear: linear / total }
}

fn posed(case: &Case, palette: &Palette, vertex: usize) -> Vec3 {
    let (skin, rest) = (&case.skin, case.rest);
    match palette.skinning() {
        Skinning::Linear => LinearSkin { skin, palette }.position::<TwoFours>(vertex, rest),
        Skinning::Spherical => SphericalSkin { skin, palette }.position::<TwoFours>(vertex, rest),
        Skinning::DualQuaternion => DualQuaternionSkin { skin, palette }.position::<TwoFours>(vertex, rest),
    }
    .truncate()
}

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
        println!("{}: at most {:.2} % of the margin in {} poses", self.what, 100.0 * self.most, self.cases);
        assert!(self.cases > 1000, "{}: {} poses are no attack", self.what, self.cases);
        assert!(self.most > least, "{}: a margin used by {:.5} only", self.what, self.most);
    }
}

fn cases(per_kind: u64, mut attack: impl FnMut(u64, Case)) {
    for (kind, turns) in (0u64..).zip(TURNS) {
        for seed in 0..per_kind {
            let seed = 1 + seed * 4 + kind;
            let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
            let case = case(&mut random, turns);
            attack(seed, case);
        }
    }
}

/// Longest translation and longest stretched rest position of the joints of a case.
fn lengths(case: &Case) -> (f64, f64) {
    let shift = |m: &Affine3A| m.translation.as_dvec3().length();
    let stretched = |m: &Affine3A| {
        let m = Mat3::from(m.matrix3).as_dmat3();
        m.to_cols_array().iter().map(|x| x * x).sum::<f64>().sqrt() * case.rest.as_dvec3().length()
    };
    let most = |length: &dyn Fn(&Affine3A) -> f64| case.matrices.iter().map(length).fold(0.0, f64::max);
    (most(&shift), most(&stretched))
}

/// The theorems about one vertex, of `docs/math/rounding.md`: the error of the computed position alone.
#[test]
fn vertices_are_within_their_own_share_of_the_margin() {
    let mut used = [Used::new("linear vertex"), Used::new("spherical vertex"), Used::new("dual quaternion vertex")];
    cases(12_000, |seed, case| {
        for (skinning, used) in Skinning::ALL.into_iter().zip(&mut used) {
            let Some(palette) = palette(&case, skinning) else { continue };
            let exact = exact(&case, &palette, 0);
            let computed = posed(&case, &palette, 0).as_dvec3();
            let (joints, _) = case.skin.joints_and_weights(0);
            let (n, u) = (joints.len() as f64, f64::from(UNIT_ROUNDOFF));
            let (tau, rho) = lengths(&case);
            let tiny = f64::from(palette.reach.underflow()) * (n + 8.0);
            let b = exact.length;
            let singular = f64::from(SINGULAR_BLEND_SQ);
            if joints.len() < 2 || (skinning != Skinning::Linear && b * b < 1.1 * singular) {
                continue;
            }
            let vertex = 2.05 * (n + 1.0) + 38.0;
            let margin = match skinning {
                Skinning::Linear => (n + 3.0) * (rho + tau),
                Skinning::DualQuaternion => vertex * (rho / b + tau / (b * b)) + (n + 3.0) * rho,
                Skinning::Spherical => {
                    let centre = palette.rotation_centres[case.skin.set_of_vertex(0)].expect("prepared");
                    let c = centre.as_dvec3().length();
                    (vertex + 2.0) * (rho + c) / b + (1.74 * n + 8.0) * c + (n + 4.0) * tau + (n + 3.0) * rho
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
    let mut balls = [Used::new("linear sphere"), Used::new("spherical sphere"), Used::new("dual quaternion sphere")];
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
            let ball = group_ball(&palette, &term, Sphere::new(c, 0.0), 0);
            balls[kind].add(
                computed.distance(ball.center.as_dvec3()),
                f64::from(ball.radius),
                seed,
            );
        }
    });
    boxes.iter().for_each(|used| used.report(0.002));
    balls.iter().for_each(|used| used.report(0.002));
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
        let slack = f64::from(super::rounding::length_sq_count(joints.len()) * UNIT_ROUNDOFF);
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
    let mut used = [Used::new("spherical bend with its bulge"), Used::new("dual quaternion bend with its bulge")];
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
            bends.pose(&palette, 0.0, 0, &mut posed_bends);
            let bend = joints.iter().map(|&joint| posed_bends.of_joints[joint as usize]).fold(0.0, f32::max);
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
            let rest_box = crate::rest::RestBox::around(&axes, points.iter().copied());
            let [low, high] = group_box(&palette, &term, rest_box.0.map(|row| TwoFours::load(&row)), 0);
            let around = crate::math::smallest_enclosing_ball(&points);
            let ball = group_ball(&palette, &term, around, 0);
            for (vertex, &rest) in points.iter().enumerate() {
                let at = Case { skin: skin.clone(), matrices: case.matrices.clone(), rest };
                let computed = posed(&at, &palette, vertex);
                let inside = low.truncate().cmple(computed).all() && computed.cmple(high.truncate()).all();
                assert!(inside, "seed {seed} {skinning:?}: {computed} {low} {high}");
                assert!(ball.contains(computed), "seed {seed} {skinning:?}");
                count += 1;
            }
        }
    });
    assert!(count > 100_000, "{count} vertices are no attack");
}

/// Margins that are asked for directly are what bounds use, and no number is lost on the way.
#[test]
fn margins_are_finite_and_grow_with_everything() {
    let reach = Reach { stretched: 3.0, translation: 1.0, rest: 1.0, stretch: 3.0 };
    assert!(linear_margin(reach, 3, 0) < linear_margin(reach, 4, 0));
    assert!(linear_margin(reach, 3, 0) < linear_margin(reach, 3, 1));
    assert!(rotation_margin(reach, 3, 0, 0.0, 1.0) < rotation_margin(reach, 3, 0, 1.0, 1.0));
    assert!(rotation_margin(reach, 3, 0, 0.0, 1.0) < rotation_margin(reach, 3, 0, 0.0, 0.5));
    assert!(rotation_margin(reach, 256, 1000, 1e18, 0.5 * SINGULAR_BLEND_SQ).is_finite());
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
