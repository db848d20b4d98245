//! Jobs whose answers stand in the order of the jobs, on however many threads.
//!
//! Must hold: answers and the error, if there is one, are the same on any number of threads.

/// Does all jobs. `state` makes what one job after the other may use; with the feature `rayon` every thread makes its own.
/// `finished` is told how many jobs were finished since it was last told, always on the caller's thread.
///
/// # Errors
/// That of the first job that failed.
pub fn in_order<J: Sync, S, A: Send, E: Send>(
    jobs: &[J],
    state: impl Fn() -> S + Send + Sync,
    job: impl Fn(&mut S, &J) -> Result<A, E> + Send + Sync,
    mut finished: impl FnMut(usize),
) -> Result<Vec<A>, E> {
    let mut answers = Vec::with_capacity(jobs.len());
    #[cfg(feature = "rayon")]
    {
        use rayon::prelude::*;

        /// Long enough that threads seldom wait for the last job, short enough to see progress.
        const JOBS_PER_THREAD: usize = 32;
        /// Making a state costs about as much as a job.
        const JOBS_PER_STATE: usize = 4;

        for batch in jobs.chunks(JOBS_PER_THREAD * rayon::current_num_threads()) {
            let done: Vec<Result<A, E>> =
                batch.par_iter().with_min_len(JOBS_PER_STATE).map_init(&state, &job).collect();
            for answer in done {
                answers.push(answer?);
            }
            finished(batch.len());
        }
    }
    #[cfg(not(feature = "rayon"))]
    {
        let mut state = state();
        for one in jobs {
            answers.push(job(&mut state, one)?);
            finished(1);
        }
    }
    Ok(answers)
}
