//! Errors in words, as they reach JavaScript.

use std::error::Error;

/// An error and its causes, from the outermost to the innermost.
pub fn words(error: impl Error + 'static) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        let more = inner.to_string();
        // Some errors repeat what caused them.
        if !text.ends_with(&more) {
            text = format!("{text}: {more}");
        }
        cause = inner.source();
    }
    text
}
