//! What the zoo promises of its models.
//!
//! In: names. Out: models that are made once and shared by all tests of this binary. Loops over costly models run a part of their
//! cases by default, and all of them if `SUPPLE_ALL_CASES` is set.

mod characters;
mod models;
mod shapes;

use std::collections::BTreeMap;
use std::sync::{LazyLock, OnceLock};

use supple::Model;
use supple_zoo::{kinds, make};

/// The model at detail 0.
fn model(name: &str) -> &'static Model {
    static MODELS: LazyLock<BTreeMap<&str, OnceLock<Model>>> =
        LazyLock::new(|| kinds().iter().map(|kind| (kind.name, OnceLock::new())).collect());
    MODELS[name].get_or_init(|| make(name, 0).unwrap_or_else(|error| panic!("{name}: {error}")))
}

/// A few, or all of them if `SUPPLE_ALL_CASES` is set.
fn cases<T>(few: T, all: T) -> T {
    if std::env::var_os("SUPPLE_ALL_CASES").is_some() { all } else { few }
}

/// Whether a model is made a second time to be compared with the first. By default small ones are; what all of them are is
/// recorded as well.
fn is_made_again(name: &str) -> bool {
    kinds().iter().any(|kind| kind.name == name && cases(kind.triangles < 10_000, true))
}
