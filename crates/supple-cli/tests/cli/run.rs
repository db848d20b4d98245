//! Runs a binary.

use std::path::Path;
use std::process::{Command, Output};

/// What a run gave.
pub struct Run {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

/// Runs a program with arguments.
pub fn run<S: AsRef<str>>(program: &str, arguments: impl IntoIterator<Item = S>) -> Run {
    let arguments: Vec<String> = arguments.into_iter().map(|a| a.as_ref().to_owned()).collect();
    // A slow machine shows progress on stderr, where tests look for errors.
    let output = Command::new(program).args(arguments).env("SUPPLE_NO_PROGRESS", "1").output().unwrap();
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

/// A path as an argument.
pub fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}
