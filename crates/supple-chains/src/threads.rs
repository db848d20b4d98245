//! Work in parts that threads may share.
//!
//! Must hold: the outcome does not depend on the number of threads.

/// From this many tests of two spheres on, threads are asked for help: they take many times as long, eight at a time, as it takes to wake
/// a thread.
#[cfg(feature = "rayon")]
const FEWEST_TESTS: u64 = 1 << 16;

/// What all parts found, in the order of the parts. With the feature `rayon` threads of the current pool share the parts, if these
/// are many tests together.
#[cfg(feature = "rayon")]
pub(crate) fn spread<T: Send>(parts: usize, tests: u64, part: impl Fn(usize) -> Vec<T> + Sync) -> Vec<T> {
    use rayon::prelude::*;
    if tests < FEWEST_TESTS {
        return (0..parts).flat_map(part).collect();
    }
    (0..parts).into_par_iter().with_max_len(1).flat_map_iter(&part).collect()
}

/// What all parts found, in the order of the parts.
#[cfg(not(feature = "rayon"))]
pub(crate) fn spread<T: Send>(parts: usize, _tests: u64, part: impl Fn(usize) -> Vec<T> + Sync) -> Vec<T> {
    (0..parts).flat_map(part).collect()
}

/// How many pairs some things have.
pub(crate) fn choices(count: usize) -> u64 {
    let count = count as u64;
    count * count.saturating_sub(1) / 2
}
