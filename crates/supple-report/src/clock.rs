//! Time in microseconds.

use std::time::Instant;

/// How long something takes.
#[inline(always)]
pub fn microseconds<T>(work: impl FnOnce() -> T) -> (f64, T) {
    let start = Instant::now();
    let result = std::hint::black_box(work());
    (start.elapsed().as_secs_f64() * 1e6, result)
}

/// The middle one: a moment in which the machine does something else does not count.
///
/// # Panics
/// There is none.
pub fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
