//! How many cases a test has. Fewer say the same: they differ in their seed alone.

/// A few, or all of them if the environment variable `SUPPLE_ALL_CASES` is set.
pub fn cases<N>(few: N, all: N) -> N {
    if std::env::var_os("SUPPLE_ALL_CASES").is_some() { all } else { few }
}
