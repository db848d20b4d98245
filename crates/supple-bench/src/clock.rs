//! The time that a thread takes, whatever else the machine does.

use std::time::Instant;

/// Microseconds that something takes on this thread.
///
/// Between two looks at a clock another process may run for milliseconds. Where the system tells how long the thread itself
/// ran, the smaller of both times counts: looking at that clock takes a third of a microsecond, which is not in the other.
/// What other threads do for it is not seen.
#[inline(always)]
pub fn microseconds<T>(work: impl FnOnce() -> T) -> (f64, T) {
    let own = thread_microseconds();
    let start = Instant::now();
    let result = std::hint::black_box(work());
    let time = start.elapsed().as_secs_f64() * 1e6;
    let own = own.zip(thread_microseconds()).map(|(before, after)| after - before);
    (own.map_or(time, |own| own.min(time)), result)
}

/// How long this thread has run.
#[cfg(target_os = "linux")]
#[allow(unsafe_code, reason = "calls into the system")]
fn thread_microseconds() -> Option<f64> {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the call only writes to `time`.
    let failed = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    (failed == 0).then_some(time.tv_sec as f64 * 1e6 + time.tv_nsec as f64 * 1e-3)
}

/// Unknown.
#[cfg(not(target_os = "linux"))]
fn thread_microseconds() -> Option<f64> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn sleeping_takes_no_time() {
        let nap = std::time::Duration::from_millis(20);
        let (time, ()) = microseconds(|| std::thread::sleep(nap));
        assert!(time < 10_000.0, "{time}");
    }
}
