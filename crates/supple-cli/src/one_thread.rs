//! Work on one thread.

/// Does a job on one thread, where the library could use all of them: methods are compared one to one.
pub fn on_one_thread<T: Send>(job: impl FnOnce() -> T + Send) -> T {
    match rayon::ThreadPoolBuilder::new().num_threads(1).build() {
        Ok(pool) => pool.install(job),
        Err(_) => job(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_thread_is_one_thread() {
        assert_eq!(on_one_thread(rayon::current_num_threads), 1);
    }
}
