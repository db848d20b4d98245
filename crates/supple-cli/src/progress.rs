//! Progress on stderr while something may take longer than a second. Nothing is drawn where stderr is no terminal.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressFinish, ProgressStyle};

/// Shows a message while something of unknown length runs, and takes it away at the end.
pub fn while_waiting<T>(message: impl Into<String>, job: impl FnOnce() -> T) -> T {
    let spinner = ProgressBar::new_spinner().with_message(message.into());
    spinner.enable_steady_tick(Duration::from_millis(100));
    let result = job();
    spinner.finish_and_clear();
    result
}

/// A bar over a known number of steps. Call `inc` per step; it vanishes when it is dropped.
pub fn bar(steps: usize, message: impl Into<String>) -> ProgressBar {
    let bar =
        ProgressBar::new(steps as u64).with_message(message.into()).with_finish(ProgressFinish::AndClear);
    if let Ok(style) = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len} {eta}") {
        bar.set_style(style);
    }
    bar
}
