//! Work on a given number of threads. Without the feature `rayon` there is one.

/// Numbers of threads that are compared.
pub const COUNTS: &[usize] = if cfg!(feature = "rayon") { &[1, 2] } else { &[1] };

/// Some threads.
pub struct Threads {
    #[cfg(feature = "rayon")]
    pool: rayon::ThreadPool,
}

impl Threads {
    /// Starts them.
    #[cfg(feature = "rayon")]
    pub fn start(count: usize) -> Self {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(count).build();
        Self { pool: pool.expect("threads can be started") }
    }

    /// The only one.
    #[cfg(not(feature = "rayon"))]
    pub fn start(_: usize) -> Self {
        Self {}
    }

    /// Does something on them.
    pub fn run<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        #[cfg(feature = "rayon")]
        return self.pool.install(work);
        #[cfg(not(feature = "rayon"))]
        work()
    }
}
