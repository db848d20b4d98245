//! Runs the binary.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

/// What a run gave.
pub struct Run {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

/// Runs `supple` with arguments.
pub fn supple<S: AsRef<str>>(arguments: impl IntoIterator<Item = S>) -> Run {
    let arguments: Vec<String> = arguments.into_iter().map(|a| a.as_ref().to_owned()).collect();
    let output = Command::new(env!("CARGO_BIN_EXE_supple")).args(arguments).output().unwrap();
    let Output { status, stdout, stderr } = output;
    Run {
        code: status.code().unwrap(),
        stdout: String::from_utf8(stdout).unwrap(),
        stderr: String::from_utf8(stderr).unwrap(),
    }
}

impl Run {
    /// Stdout of a run that must succeed in silence on stderr.
    pub fn ok(self) -> String {
        assert_eq!((self.code, self.stderr.as_str()), (0, ""), "{}", self.stdout);
        self.stdout
    }

    /// The error line of a run that must fail with that code and print nothing.
    pub fn fails(self, code: i32) -> String {
        assert_eq!((self.code, self.stdout.as_str()), (code, ""), "{}", self.stderr);
        assert!(self.stderr.starts_with("error: "), "{}", self.stderr);
        assert!(!self.stderr.contains("panicked") && !self.stderr.contains("backtrace"), "{}", self.stderr);
        self.stderr
    }

    /// Like `fails`, for errors that are not the argument parser's: exactly one line.
    pub fn fails_in_one_line(self, code: i32) -> String {
        let stderr = self.fails(code);
        assert_eq!(stderr.lines().count(), 1, "{stderr}");
        stderr
    }
}

/// The report on a file as JSON.
pub fn inspect_json(file: &str) -> Value {
    serde_json::from_str(&supple(["inspect", file, "--json"]).ok()).unwrap()
}

/// A path as an argument.
pub fn text(path: &Path) -> &str {
    path.to_str().unwrap()
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
