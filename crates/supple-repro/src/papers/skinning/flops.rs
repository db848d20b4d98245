//! The last row of table 4.1: what one blend costs. Operations were counted there, time is measured here.

use std::hint::black_box;

use glam::{DAffine3, DQuat};
use supple::Isometry;
use supple_papers::blend::properties::METHODS;

use super::properties::one_side;
use crate::measure::{Times, take_turns};
use crate::papers::Run;
use crate::random::Random;
use crate::report::{Better, Cell, Comparison, Expected, Experiment, Table};

/// Blends per round: long enough for the clock, short enough for the cache.
const BLENDS: usize = 512;

/// Floating point operations for n transforms, in the order of [`METHODS`]; none where the thesis gives none.
fn flops(method: usize, n: f64) -> Option<f64> {
    match METHODS[method].name {
        "linear" => Some(23.0 * n),
        "QLB'_0" => Some(28.0 * n + 26.0),
        "Log" => Some(104.0 * n + 160.0),
        "ScLERP" if n == 2.0 => Some(240.0),
        "DLB" => Some(49.0 * n + 65.0),
        _ => None,
    }
}

pub fn table_4_1_flops(run: &mut Run) -> Experiment {
    let rounds = run.options.count(15, 301);
    let mut experiment = Experiment::new(
        "Table 4.1, last row: the cost of a blend",
        "Floating point operations for n transforms, from 4x4 matrices to a 4x4 matrix; none are given for SB, whose \
         decomposition dominates, and for DIB, which iterates.",
        format!(
            "Time of the blending functions in f64, from n matrices to a matrix as in the thesis, {BLENDS} different \
             blends in turns, median of {rounds} rounds. Linear blending adds matrices; the others first turn each matrix into a \
             quaternion and a vector. SB computes its rotation center in every blend; DIB iterates to 1e-13."
        ),
    );
    let [two, four] = [2, 4].map(|n| {
        (run.progress)(&format!("table 4.1: cost of blending {n} transforms"));
        times(n, rounds)
    });
    let mut table = Table::new(
        "Cost as a ratio to linear: operations of the thesis, time here",
        ["method", "thesis n = 2", "here", "here, ns", "thesis n = 4", "here", "here, ns"],
    );
    for (index, method) in METHODS.iter().enumerate() {
        let thesis = |n: f64| match (flops(index, n), flops(0, n)) {
            (Some(own), Some(linear)) => Cell::ratio(own / linear),
            _ => "-".into(),
        };
        let here = |times: &Times, n: usize| {
            if n > 2 && method.name == "ScLERP" {
                return ["-".into(), "-".into()];
            }
            [
                Cell::ratio(times.ratio(index, 0)),
                Cell::Number(1e3 * times.microseconds(index) / BLENDS as f64, ""),
            ]
        };
        let row = [
            vec![method.name.into(), thesis(2.0)],
            here(&two, 2).into(),
            vec![thesis(4.0)],
            here(&four, 4).into(),
        ];
        table.row(row.concat());
    }
    let apart = METHODS.len();
    let ns = |times: &Times| Cell::Number(1e3 * times.microseconds(apart) / BLENDS as f64, "");
    let ratio = |times: &Times| Cell::ratio(times.ratio(apart, 0));
    table.row([
        "(to quaternions)".into(),
        "-".into(),
        ratio(&two),
        ns(&two),
        "-".into(),
        ratio(&four),
        ns(&four),
    ]);
    experiment.tables.push(table);
    let index = |name: &str| METHODS.iter().position(|method| method.name == name).unwrap_or(0);
    let (log, dlb) = (index("Log"), index("DLB"));
    for (n, times) in [(2, &two), (4, &four)] {
        let thesis = |method: usize| flops(method, f64::from(n)).unwrap_or(f64::NAN);
        experiment.comparisons.push(Comparison::new(
            format!("log-matrix / DLB, n = {n}"),
            Expected::About(thesis(log) / thesis(dlb)),
            times.ratio(log, dlb),
            Better::Higher,
            "Sine, cosine and arc tangent cost less today, measured in products, than the thesis counts for them.",
        ));
        experiment.comparisons.push(Comparison::new(
            format!("DLB / linear, n = {n}"),
            Expected::About(thesis(dlb) / thesis(0)),
            times.ratio(dlb, 0),
            Better::Lower,
            "Operations are not time: sums of matrices do not wait for each other and are done several at once; a blend of dual \
             quaternions is a chain with a square root and divisions, and the function here also makes dual quaternions of its \
             inputs and looks after signs and sums without a direction. Taking the matrices apart is the smaller part (last row of the \
             table).",
        ));
    }
    experiment
}

/// Times of all methods on the same blends of `n` transforms, and of taking the matrices apart.
fn times(n: usize, rounds: usize) -> Times {
    let mut random = Random::new(4);
    let mut matrices = || one_side(&mut random, n).iter().map(Isometry::to_affine).collect();
    let inputs: Vec<Vec<DAffine3>> = (0..BLENDS).map(|_| matrices()).collect();
    let weights: Vec<f64> = (1..=n).map(|i| i as f64 / (n * (n + 1) / 2) as f64).collect();
    let (inputs, weights) = (&inputs, &weights);
    let mut linear = || {
        for matrices in inputs {
            let mut blend = DAffine3::ZERO;
            for (matrix, &weight) in matrices.iter().zip(weights) {
                blend.matrix3 += matrix.matrix3 * weight;
                blend.translation += matrix.translation * weight;
            }
            black_box(blend);
        }
    };
    // The last side only takes matrices apart.
    let blends = METHODS.iter().skip(1).map(|method| Some(method.blend)).chain([None]);
    let mut others: Vec<_> = blends
        .map(|blend| {
            let mut rigid = Vec::with_capacity(n);
            move || {
                for matrices in inputs {
                    rigid.clear();
                    rigid.extend(
                        matrices.iter().map(|m| Isometry::new(DQuat::from_mat3(&m.matrix3), m.translation)),
                    );
                    black_box(blend.map(|blend| blend(black_box(&rigid), weights)));
                }
            }
        })
        .collect();
    let mut sides: Vec<&mut dyn FnMut()> = vec![&mut linear];
    sides.extend(others.iter_mut().map(|side| side as &mut dyn FnMut()));
    take_turns(rounds, &mut sides)
}
