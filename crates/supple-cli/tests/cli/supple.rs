//! Runs `supple`.

use std::collections::BTreeSet;

use serde_json::Value;

pub use crate::run::{Run, text};

/// Runs `supple` with arguments.
pub fn supple<S: AsRef<str>>(arguments: impl IntoIterator<Item = S>) -> Run {
    crate::run::run(env!("CARGO_BIN_EXE_supple"), arguments)
}

/// The report on a file as JSON.
pub fn inspect_json(file: &str) -> Value {
    serde_json::from_str(&supple(["inspect", file, "--json"]).ok()).unwrap()
}

/// That two documents have the same keys everywhere, of lists in their first elements.
pub fn same_keys(place: &str, a: &Value, b: &Value) {
    if let (Some(a), Some(b)) = (a.as_object(), b.as_object()) {
        let (keys_a, keys_b): (BTreeSet<_>, BTreeSet<_>) = (a.keys().collect(), b.keys().collect());
        assert_eq!(keys_a, keys_b, "at {place:?}");
        a.keys().for_each(|key| same_keys(&format!("{place}.{key}"), &a[key], &b[key]));
    }
    if let (Some(a), Some(b)) = (a.get(0), b.get(0)) {
        same_keys(&format!("{place}[0]"), a, b);
    }
}
