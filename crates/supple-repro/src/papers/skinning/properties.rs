//! Table 4.1: which blending method has which property, measured on random transforms.
//!
//! Properties are measured as the largest violation over many trials: rounding where a property holds, order of magnitude 1
//! where it does not. Nothing lies between.
//!
//! Based on: Kavan, Real-time Skeletal Animation, 2007, sections 4.1 to 4.4.

use std::f64::consts::PI;

use glam::DQuat;
use supple::Isometry;
use supple_papers::blend::properties::{BlendMethod, METHODS, convex, difference, smallest_singular_value};

use crate::papers::Run;
use crate::random::Random;
use crate::report::{Better, Cell, Comparison, Expected, Experiment, Table};

/// Violations below the first are rounding, above the second a property does not hold.
const HOLDS: f64 = 1e-7;
const FAILS: f64 = 1e-2;

/// Marks of the thesis: for every one of [`METHODS`], in the order of [`PROPERTIES`].
const MARKS: [[bool; 6]; 7] = [
    [false, true, true, true, false, false],
    [true, false, false, true, false, true],
    [true, true, true, true, false, true],
    [true, false, true, true, false, false],
    [true, true, true, false, true, true],
    [true, true, true, true, false, true],
    [true, true, true, true, true, true],
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
            "The blending functions on {trials} random inputs each. A cell is the largest violation: \
             differences of matrix elements (translations up to 5), radians, lengths. + below {HOLDS:e}, - above {FAILS}; * where \
             the thesis has the other mark. What is not rigid has neither speed nor path. Inputs of the invariances lie within 90 degrees of \
             a common rotation, so that signs of quaternions are no question, and have a rotation center; n > 2: weight 1 on any of \
             three to five transforms gives that transform."
        ),
    );
    let violations = METHODS.map(|method| violations(&method, trials));
    let mut table =
        Table::new("Largest violations", std::iter::once("").chain(METHODS.iter().map(|method| method.name)));
    let mut confirmed = 0;
    for (row, property) in PROPERTIES.into_iter().enumerate() {
        let cells = MARKS.iter().zip(&violations).map(|(marks, violations)| {
            let violation = if row >= CONSTANT_SPEED && violations.of[0] > FAILS {
                None
            } else {
                Some(violations.of[row])
            };
            let agrees = mark(violation) == if marks[row] { "+" } else { "-" };
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

fn violations(method: &BlendMethod, trials: usize) -> Violations {
    // The same inputs for every method.
    let mut random = Random::new(41);
    let (mut of, mut direction) = ([0.0f64; 6], 0.0f64);
    for _ in 0..trials {
        let count = random.count(2, 6);
        let m = one_side(&mut random, count);
        let w = random_weights(&mut random, m.len());
        let u = rigid(&mut random);
        let found = [
            method.rigidity_violation(&m, &w),
            method.left_violation(u, &m, &w).max(method.right_violation(u, &m, &w)),
            method.coordinate_violation(u, &m, &w),
            many_violation(method, &mut random),
        ];
        let pair = pair(&mut random);
        let path = method.path_violation(pair);
        direction = direction.max(path.direction);
        let on_paths = [path.speed, path.direction.max(path.moment)];
        for (largest, found) in of.iter_mut().zip(found.into_iter().chain(on_paths)) {
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

fn rigid(random: &mut Random) -> Isometry {
    Isometry::new(random.rotation(), random.vector(5.0))
}

/// Transforms whose rotations are within 90 degrees of a common one, with a well-defined rotation center.
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

fn random_weights(random: &mut Random, count: usize) -> Vec<f64> {
    convex(&(0..count).map(|_| random.between(0.05, 1.0)).collect::<Vec<f64>>())
}

/// Two transforms with a relative rotation that is neither nearly none nor nearly half a turn.
fn pair(random: &mut Random) -> [Isometry; 2] {
    let a = rigid(random);
    let turn = DQuat::from_axis_angle(random.direction(), random.between(0.2, 3.0));
    [a, a * Isometry::new(turn, random.vector(5.0))]
}

/// Weight 1 on transform `i` of three to five: `blend = M_i`
fn many_violation(method: &BlendMethod, random: &mut Random) -> f64 {
    let m: Vec<Isometry> = (0..random.count(3, 6)).map(|_| rigid(random)).collect();
    let chosen = random.count(0, m.len());
    // ScLERP sees the first two; a weight on both keeps its quotient defined.
    let w: Vec<f64> = (0..m.len()).map(|i| if i == chosen { 1.0 } else { 1e-12 }).collect();
    difference((method.blend)(&m, &w), m[chosen].to_affine())
}
