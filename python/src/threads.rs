//! Which threads work: rayon's, those of a forked process, or the caller's alone.

use std::process;
use std::sync::{Mutex, OnceLock, PoisonError};

use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// A process that was forked has no threads but its own: rayon's would be waited for without end. It gets a pool of its own.
pub fn in_own_threads<R: Send>(job: impl FnOnce() -> R + Send) -> R {
    static FIRST: OnceLock<u32> = OnceLock::new();
    let here = process::id();
    if *FIRST.get_or_init(|| here) == here {
        return job();
    }
    static FORKED: Mutex<Option<(u32, &'static ThreadPool)>> = Mutex::new(None);
    let mut forked = FORKED.lock().unwrap_or_else(PoisonError::into_inner);
    let pool = match *forked {
        Some((process, pool)) if process == here => pool,
        _ => {
            let pool = ThreadPoolBuilder::new().build().expect("threads can be started");
            let pool: &'static ThreadPool = Box::leak(Box::new(pool));
            *forked = Some((here, pool));
            pool
        }
    };
    drop(forked);
    pool.install(job)
}

/// Remembers which process loaded the module, so that forks of it are known.
pub fn remember_process() {
    in_own_threads(|| ());
}

/// From now on the calling thread works alone, for workers of which there is one per core. Handing work to a pool of one thread
/// instead would have both wait for each other on a busy machine, 9 ms per file.
#[pyfunction]
pub fn _work_alone() {
    // It is an error the second time: the thread has its pool already. The pool lasts as long as the thread.
    if let Ok(pool) = ThreadPoolBuilder::new().num_threads(1).use_current_thread().build() {
        std::mem::forget(pool);
    }
}
