//! Work on one thread.

/// Does a job on one thread: what the library would do on all of them is timed beside queries, which have one.
pub fn on_one_thread<T: Send>(job: impl FnOnce() -> T + Send) -> T {
    match rayon::ThreadPoolBuilder::new().num_threads(1).build() {
        Ok(pool) => pool.install(job),
        Err(_) => job(),
    }
}
