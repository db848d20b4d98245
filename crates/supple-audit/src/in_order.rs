//! Jobs whose answers are taken in the order of the jobs, on however many threads.
//!
//! Must hold: answers and the error, if there is one, are the same on any number of threads. Few answers wait at a time.

/// Does all jobs. `state` makes what one job after the other may use; with the feature `rayon` every thread makes its own.
/// `take` gets some answers after the other, in the order of the jobs, always on the caller's thread; no job begins after it has failed.
///
/// # Errors
/// That of the first job that failed, or of `take`.
pub fn in_order<J: Send + Sync, S, A: Send, E: Send>(
    mut jobs: impl Iterator<Item = J>,
    state: impl Fn() -> S + Send + Sync,
    job: impl Fn(&mut S, &J) -> Result<A, E> + Send + Sync,
    mut take: impl FnMut(Vec<(J, A)>) -> Result<(), E>,
) -> Result<(), E> {
    #[cfg(feature = "rayon")]
    {
        use rayon::prelude::*;

        /// Long enough that threads seldom wait for the last job, short enough to see progress.
        const JOBS_PER_THREAD: usize = 32;
        /// Making a state costs about as much as a job.
        const JOBS_PER_STATE: usize = 4;

        loop {
            let batch: Vec<J> = jobs.by_ref().take(JOBS_PER_THREAD * rayon::current_num_threads()).collect();
            if batch.is_empty() {
                return Ok(());
            }
            let done: Vec<Result<A, E>> =
                batch.par_iter().with_min_len(JOBS_PER_STATE).map_init(&state, &job).collect();
            let answers = done.into_iter().collect::<Result<Vec<A>, E>>()?;
            take(batch.into_iter().zip(answers).collect())?;
        }
    }
    #[cfg(not(feature = "rayon"))]
    {
        let mut state = state();
        jobs.try_for_each(|one| {
            let answer = job(&mut state, &one)?;
            take(vec![(one, answer)])
        })
    }
}
