//! Why a command ended early: an error with its causes, and the exit code that says whose fault it was.

use std::fmt;
use std::process::ExitCode;

use anyhow::Error;

use crate::print::remark;

/// Characters of a cause that are told.
const LONGEST: usize = 1000;

/// Ends the program. Prints as one line.
#[derive(Debug)]
pub struct Failure {
    blame: Blame,
    error: Error,
}

/// What went wrong, as the exit code tells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blame {
    /// A check that the user asked for failed.
    Check = 1,
    /// Arguments that do not fit together or name what is not there.
    Usage = 2,
    /// The input file.
    Input = 3,
    /// The place to write to.
    Output = 4,
}

impl Failure {
    /// An error and whose fault it is.
    pub fn new(blame: Blame, error: impl Into<Error>) -> Self {
        Self { blame, error: error.into() }
    }

    /// The process' exit code.
    pub fn exit_code(&self) -> u8 {
        self.blame as u8
    }

    /// A failure in other words, where the causes were told before.
    pub fn summed_up(self, message: impl fmt::Display) -> Self {
        Self { blame: self.blame, error: Error::msg(message.to_string()) }
    }

    /// The same failure, with the place where it happened.
    pub fn at(self, place: impl fmt::Display) -> Self {
        Self { blame: self.blame, error: self.error.context(place.to_string()) }
    }
}

/// What `main` returns: a failure is printed to stderr, as one line.
pub fn exit_code(outcome: Result<(), Failure>) -> ExitCode {
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            remark(format_args!("error: {failure}"));
            ExitCode::from(failure.exit_code())
        }
    }
}

/// Puts the blame on an error.
pub trait OrBlame<T> {
    /// Turns an error into a failure.
    fn or_blame(self, blame: Blame) -> Result<T, Failure>;
}

impl<T, E: Into<Error>> OrBlame<T> for Result<T, E> {
    fn or_blame(self, blame: Blame) -> Result<T, Failure> {
        self.map_err(|error| Failure { blame, error: error.into() })
    }
}

/// A failure of the user's arguments.
pub fn bad_usage(message: impl fmt::Display) -> Failure {
    Failure { blame: Blame::Usage, error: Error::msg(message.to_string()) }
}

/// A check that failed.
pub fn failed_check(message: impl fmt::Display) -> Failure {
    Failure { blame: Blame::Check, error: Error::msg(message.to_string()) }
}

impl fmt::Display for Failure {
    /// The error and its causes. Errors of the libraries often end with the text of their cause; a cause that was
    /// just told is not told again.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut told = String::new();
        for cause in self.error.chain() {
            let text = in_one_line(&cause.to_string());
            if told.is_empty() {
                told = text;
            } else if !told.ends_with(&text) {
                told = format!("{told}: {text}");
            }
        }
        f.write_str(&told)
    }
}

/// Text from files may be long, or have characters that steer a terminal.
fn in_one_line(text: &str) -> String {
    let clean = text.replace(['\n', '\r'], " ");
    let clean = clean.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c });
    let mut line: String = clean.clone().take(LONGEST).collect();
    if clean.count() > LONGEST {
        line.push('…');
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::anyhow;

    #[test]
    fn what_files_say_is_cut_and_harmless() {
        let failure = bad_usage("x".repeat(5000) + "\u{1b}[2J");
        assert_eq!(failure.to_string().chars().count(), LONGEST + 1);
        assert_eq!(bad_usage("a\u{1b}[2J").to_string(), "a\u{fffd}[2J");
    }

    #[test]
    fn causes_are_told_once_and_in_one_line() {
        let error = anyhow!("no\nroom").context("disk: no room").context("out.obj");
        let failure: Result<(), _> = Err(error).or_blame(Blame::Output);
        let failure = failure.unwrap_err();
        assert_eq!(failure.to_string(), "out.obj: disk: no room");
        assert_eq!(failure.exit_code(), 4);
        assert_eq!(bad_usage("what?").exit_code(), 2);
        assert_eq!(failed_check("wrong").exit_code(), 1);
    }
}
