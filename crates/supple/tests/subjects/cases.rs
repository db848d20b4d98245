//! How many cases a test has. Fewer say the same: every kind of model, of skinning and of query is among them.

use supple::Skinning;

/// A few, or all of them if the environment variable `SUPPLE_ALL_CASES` is set.
pub fn cases<N>(few: N, all: N) -> N {
    if std::env::var_os("SUPPLE_ALL_CASES").is_some() { all } else { few }
}

/// Numbers of the ways of skinning that a case is tried with: one after the other from case to case, or all of them for each.
pub fn skinnings_of_case(case: usize) -> std::ops::Range<usize> {
    let one = case % Skinning::ALL.len();
    cases(one..one + 1, 0..Skinning::ALL.len())
}
