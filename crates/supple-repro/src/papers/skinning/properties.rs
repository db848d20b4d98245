//! Table 4.1: which blending method has which property, measured on random transforms.
//!
//! Properties are measured as the largest violation over many trials: rounding where a property holds, order of magnitude 1
//! where it does not. Nothing lies between.
//!
//! Based on: Kavan, Real-time Skeletal Animation, 2007, sections 4.1 to 4.4.

use std::f64::consts::PI;

use glam::{DAffine3, DMat3, DQuat, DVec3};
use supple::math::blend::{dib, dlb, linear, log_matrix, qlb0, sclerp, spherical};
use supple::math::{DualQuat, Isometry, SymmetricEigen};

use crate::papers::Run;
use crate::random::Random;
use crate::report::{Better, Cell, Comparison, Expected, Experiment, Table};

/// Violations below the first are rounding, above the second a property does not hold.
const HOLDS: f64 = 1e-7;
const FAILS: f64 = 1e-2;

/// A column of the table.
pub struct Method {
    pub name: &'static str,
    pub blend: fn(&[Isometry], &[f64]) -> DAffine3,
    /// Marks of the thesis, in the order of [`PROPERTIES`].
    marks: [bool; 6],
}

/// The columns of the thesis.
pub const METHODS: [Method; 7] = [
    Method { name: "linear", blend: linear, marks: [false, true, true, true, false, false] },
    Method {
        name: "QLB'_0",
        blend: |m, w| qlb0(m, w).to_affine(),
        marks: [true, false, false, true, false, true],
    },
    Method {
        name: "SB",
        blend: |m, w| spherical(m, w).to_affine(),
        marks: [true, true, true, true, false, true],
    },
    Method {
        name: "Log",
        blend: |m, w| log_matrix(m, w).to_affine(),
        marks: [true, false, true, true, false, false],
    },
    Method {
        name: "ScLERP",
        blend: |m, w| sclerp(w[1] / (w[0] + w[1]), m[0], m[1]).to_affine(),
        marks: [true, true, true, false, true, true],
    },
    Method { name: "DLB", blend: |m, w| dlb(m, w).to_affine(), marks: [true, true, true, true, false, true] },
    Method {
        name: "DIB",
        blend: |m, w| dib(m, w, 1e-13, 100).blend.to_affine(),
        marks: [true, true, true, true, true, true],
    },
];

/// Rows of the thesis.
const PROPERTIES: [&str; 6] = [
    "preserving rigidity",
    "bi-invariance",
    "coordinate-invariance",
    "n > 2",
    "constant speed",
    "shortest path",
];
/// From here on, what is not rigid has no such property.
const CONSTANT_SPEED: usize = 4;

pub fn table_4_1(run: &mut Run) -> Experiment {
    (run.progress)("table 4.1: properties of blending methods");
    let trials = run.options.count(1_000, 10_000);
    let mut experiment = Experiment::new(
        "Table 4.1: properties of the blending methods",
        "Six properties of seven methods, proved or disproved in the text.",
        format!(
            "The library's blending functions on {trials} random inputs each. A cell is the largest violation: \
             differences of matrix elements (translations up to 5), radians, lengths. + below {HOLDS:e}, - above {FAILS}; * where \
             the thesis has the other mark. What is not rigid has neither speed nor path. Inputs of the invariances lie within 90 degrees of \
             a common rotation, so that signs of quaternions are no question, and have a rotation centre; n > 2: weight 1 on any of \
             three to five transforms gives that transform."
        ),
    );
    let violations = METHODS.map(|method| violations(&method, trials));
    let mut table =
        Table::new("Largest violations", std::iter::once("").chain(METHODS.iter().map(|method| method.name)));
    let mut confirmed = 0;
    for (row, property) in PROPERTIES.into_iter().enumerate() {
        let cells = METHODS.iter().zip(&violations).map(|(method, violations)| {
            let violation = if row >= CONSTANT_SPEED && violations.of[0] > FAILS {
                None
            } else {
                Some(violations.of[row])
            };
            let agrees = mark(violation) == if method.marks[row] { "+" } else { "-" };
            confirmed += usize::from(agrees);
            cell(violation, agrees)
        });
        table.row(std::iter::once(property.into()).chain(cells.collect::<Vec<_>>()));
    }
    let direction = violations.iter().map(|v| cell(Some(v.direction).filter(|_| v.of[0] < FAILS), true));
    table.row(std::iter::once("- its direction alone".into()).chain(direction));
    experiment.tables.push(table);
    let all = METHODS.len() * PROPERTIES.len();
    experiment.comparisons.push(Comparison::new(
        format!("marks of {all} that are confirmed"),
        Expected::AtLeast(all as f64),
        confirmed as f64,
        Better::Higher,
        "QLB'_0 is marked as shortest path in the thesis by lemma 3.1, which is about its rotation. By the thesis' own definition \
         (section 4.2) the axis of the screw has to stay in its place too. Its direction does (last row), its place does not.",
    ));
    experiment
}

/// Of one method.
struct Violations {
    /// In the order of [`PROPERTIES`].
    of: [f64; 6],
    /// Of the shortest path, by the direction of its axis alone.
    direction: f64,
}

fn violations(method: &Method, trials: usize) -> Violations {
    // The same inputs for every method.
    let mut random = Random::new(41);
    let (mut of, mut direction) = ([0.0f64; 6], 0.0f64);
    for _ in 0..trials {
        let count = random.count(2, 6);
        let m = one_side(&mut random, count);
        let w = convex(&mut random, m.len());
        let u = rigid(&mut random);
        let found = [
            rigidity_violation((method.blend)(&m, &w)),
            left_violation(method, u, &m, &w).max(right_violation(method, u, &m, &w)),
            coordinate_violation(method, u, &m, &w),
            many_violation(method, &mut random),
        ];
        let pair = pair(&mut random);
        let (speed, axis, moment) = path_violations(method, pair);
        direction = direction.max(axis);
        for (largest, found) in of.iter_mut().zip(found.into_iter().chain([speed, axis.max(moment)])) {
            *largest = largest.max(found);
        }
    }
    Violations { of, direction }
}

fn mark(violation: Option<f64>) -> &'static str {
    match violation {
        None => "-",
        Some(v) if v < HOLDS => "+",
        Some(v) if v > FAILS => "-",
        Some(_) => "?",
    }
}

fn cell(violation: Option<f64>, agrees: bool) -> Cell {
    let size = violation.map_or(String::new(), |v| format!(" {}", Cell::Size(v)));
    format!("{}{size}{}", mark(violation), if agrees { "" } else { " *" }).into()
}

// ---------------------------------------------------------------------------------------------------- random inputs

fn rigid(random: &mut Random) -> Isometry {
    Isometry::new(random.rotation(), random.vector(5.0))
}

/// Transforms whose rotations are within 90 degrees of a common one, with a well-defined rotation centre: where
/// rotations differ by little about some direction the centre is cut off, and spherical blending is invariant to 1e-3 only.
pub fn one_side(random: &mut Random, count: usize) -> Vec<Isometry> {
    loop {
        let common = rigid(random);
        let near = |random: &mut Random| {
            let turn = DQuat::from_axis_angle(random.direction(), random.between(0.1, PI / 2.0));
            common * Isometry::new(turn, random.vector(5.0))
        };
        let transforms: Vec<Isometry> = (0..count).map(|_| near(random)).collect();
        // The principal logarithm jumps at half a turn.
        let has_logarithm = transforms.iter().all(|m| m.rotation.w.abs() > 1e-4);
        if has_logarithm && smallest_singular_value(&transforms) > 0.02 {
            return transforms;
        }
    }
}

/// Of the system for the rotation centre (formula 3.1), pair by pair; two transforms always have one that is 0.
fn smallest_singular_value(transforms: &[Isometry]) -> f64 {
    let mut normal = DMat3::ZERO;
    for (i, a) in transforms.iter().enumerate() {
        for b in &transforms[..i] {
            let d = DMat3::from_quat(a.rotation) - DMat3::from_quat(b.rotation);
            normal += d.transpose() * d;
        }
    }
    let values = SymmetricEigen::new(normal).values.max(DVec3::ZERO).map(f64::sqrt);
    if transforms.len() == 2 { values.x.min(values.y) } else { values.min_element() }
}

fn convex(random: &mut Random, count: usize) -> Vec<f64> {
    let raw: Vec<f64> = (0..count).map(|_| random.between(0.05, 1.0)).collect();
    let sum: f64 = raw.iter().sum();
    raw.iter().map(|w| w / sum).collect()
}

/// Two transforms with a relative rotation that is neither nearly none nor nearly half a turn.
fn pair(random: &mut Random) -> [Isometry; 2] {
    let a = rigid(random);
    let turn = DQuat::from_axis_angle(random.direction(), random.between(0.2, 3.0));
    [a, a * Isometry::new(turn, random.vector(5.0))]
}

// -------------------------------------------------------------------------------------------------------- violations

/// Largest difference of matrix elements.
fn difference(a: DAffine3, b: DAffine3) -> f64 {
    a.to_cols_array().iter().zip(b.to_cols_array()).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max)
}

fn mapped(transforms: &[Isometry], f: impl Fn(Isometry) -> Isometry) -> Vec<Isometry> {
    transforms.iter().map(|m| f(*m)).collect()
}

/// `U blend(M) = blend(U M)`
fn left_violation(method: &Method, u: Isometry, m: &[Isometry], w: &[f64]) -> f64 {
    difference(u.to_affine() * (method.blend)(m, w), (method.blend)(&mapped(m, |m| u * m), w))
}

/// `blend(M) U = blend(M U)`
fn right_violation(method: &Method, u: Isometry, m: &[Isometry], w: &[f64]) -> f64 {
    difference((method.blend)(m, w) * u.to_affine(), (method.blend)(&mapped(m, |m| m * u), w))
}

/// `U blend(M) U^-1 = blend(U M U^-1)`
fn coordinate_violation(method: &Method, u: Isometry, m: &[Isometry], w: &[f64]) -> f64 {
    let back = u.inverse();
    let moved = u.to_affine() * (method.blend)(m, w) * back.to_affine();
    difference(moved, (method.blend)(&mapped(m, |m| u * m * back), w))
}

/// Weight 1 on transform `i` of three to five: `blend = M_i`
fn many_violation(method: &Method, random: &mut Random) -> f64 {
    let m: Vec<Isometry> = (0..random.count(3, 6)).map(|_| rigid(random)).collect();
    let chosen = random.count(0, m.len());
    // ScLERP sees the first two; a weight on both keeps its quotient defined.
    let w: Vec<f64> = (0..m.len()).map(|i| if i == chosen { 1.0 } else { 1e-12 }).collect();
    difference((method.blend)(&m, &w), m[chosen].to_affine())
}

/// Distance of a matrix from a rotation: largest element of `A^T A - 1`.
fn rigidity_violation(blend: DAffine3) -> f64 {
    let excess = blend.matrix3.transpose() * blend.matrix3 - DMat3::IDENTITY;
    excess.to_cols_array().iter().fold(0.0, |largest, x| x.abs().max(largest))
}

/// Screw of a rigid transform: axis direction and moment, angle, translation along the axis.
struct Screw {
    axis: DVec3,
    moment: DVec3,
    angle: f64,
    pitch: f64,
}

impl Screw {
    /// Of a transform that does rotate: `log = (axis + eps moment) (angle + eps pitch) / 2`.
    fn of(m: Isometry) -> Self {
        let q = DualQuat::from_isometry(m);
        let log = if q.real.w < 0.0 { -q } else { q }.log();
        let (l, e) = (log.real.xyz(), log.dual.xyz());
        let axis = l.normalize();
        let moment = (e - axis * axis.dot(e)) / l.length();
        Self { axis, moment, angle: 2.0 * l.length(), pitch: 2.0 * axis.dot(e) }
    }
}

/// Section 4.2: by how much angle and translation are not linear in time; by how much the axis turns, or the rotation
/// overshoots; by how much the axis leaves its place.
fn path_violations(method: &Method, [a, b]: [Isometry; 2]) -> (f64, f64, f64) {
    let whole = Screw::of(a.inverse() * b);
    let (mut speed, mut direction, mut place) = (0.0f64, 0.0f64, 0.0f64);
    for t in [0.1, 0.25, 0.4, 0.6, 0.75, 0.9] {
        let blend = (method.blend)(&[a, b], &[1.0 - t, t]);
        let rotation = DQuat::from_mat3(&blend.matrix3).normalize();
        let screw = Screw::of(a.inverse() * Isometry::new(rotation, blend.translation));
        speed = speed.max((screw.angle - t * whole.angle).abs()).max((screw.pitch - t * whole.pitch).abs());
        direction = direction.max(screw.axis.distance(whole.axis)).max(screw.angle - whole.angle);
        place = place.max(screw.moment.distance(whole.moment));
    }
    (speed, direction, place)
}
