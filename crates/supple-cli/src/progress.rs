//! Progress on stderr while something takes longer than a moment.
//!
//! On a terminal it is a bar that vanishes at the end. Elsewhere, in a log, it is a line every few seconds, if something was done since
//! the last: `auditing: 340 of 1,190 frames, about 20 s left`; and one for every minute in which nothing was. Nothing is shown of what is quick, and nothing at all
//! where `SUPPLE_NO_PROGRESS` is set.

use std::env;
use std::io::{self, IsTerminal, Write};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::table::grouped;
use crate::time_left::{TimeLeft, about};

/// Where this variable of the environment is set, nothing is shown.
const SILENCE: &str = "SUPPLE_NO_PROGRESS";

/// A terminal shows nothing before this.
const QUICK: Duration = Duration::from_millis(400);

/// Parts of a whole that a bar of the terminal has.
const PARTS: f64 = 1000.0;

/// Before so many steps are done nothing is said about the time that is left.
const STEPS_TO_TELL: usize = 5;

/// A log says that work goes on after this long without a step.
const SILENCE_ALLOWED: Duration = Duration::from_secs(60);

/// Shows a message while something of unknown length runs.
pub fn while_waiting<T>(message: impl Into<String>, job: impl FnOnce() -> T) -> T {
    let _shown = Bar::new(State { message: message.into(), ..State::default() });
    job()
}

/// A bar over a known number of steps. Call `inc` per step; it vanishes when it is dropped.
pub fn bar(steps: usize, message: impl Into<String>) -> Bar {
    Bar::new(State { message: message.into(), steps, weight: steps as f64, ..State::default() })
}

/// Progress that is shown until it is dropped.
pub struct Bar {
    state: Arc<Mutex<State>>,
    started: Instant,
    /// Dropped to end the thread that shows it.
    stop: Option<Sender<()>>,
    shown_by: Option<JoinHandle<()>>,
}

/// How far something is.
#[derive(Clone, Debug, Default)]
struct State {
    message: String,
    /// What is counted, e.g. ` frames`.
    noun: &'static str,
    done: usize,
    steps: usize,
    /// Steps by the work that they are, if they differ: so much is done of so much.
    weight_done: f64,
    weight: f64,
    time_left: TimeLeft,
}

impl Bar {
    fn new(state: State) -> Self {
        let (stop, stopped) = mpsc::channel();
        let (state, started) = (Arc::new(Mutex::new(state)), Instant::now());
        let shared = Arc::clone(&state);
        let show = move || {
            if env::var_os(SILENCE).is_some() {
                return;
            }
            if io::stderr().is_terminal() {
                draw(&shared, started, |wait| stopped.recv_timeout(wait));
            } else {
                let write = |line: &str| {
                    // A log that cannot be written to is no reason to stop.
                    let _ = writeln!(io::stderr(), "{line}");
                };
                write_lines(
                    || (locked(&shared).clone(), started.elapsed()),
                    |wait| stopped.recv_timeout(wait),
                    write,
                );
            }
        };
        // Where no thread can be had, nothing is shown.
        let shown_by = thread::Builder::new().name("progress".to_owned()).spawn(show).ok();
        Self { state, started, stop: Some(stop), shown_by }
    }

    /// What the steps are, with a space before it: ` frames`.
    pub fn counting(self, noun: &'static str) -> Self {
        locked(&self.state).noun = noun;
        self
    }

    /// Some more steps are done.
    pub fn inc(&self, steps: u64) {
        let done = locked(&self.state).done + steps as usize;
        self.set_position(done as u64);
    }

    /// So many steps are done.
    pub fn set_position(&self, done: u64) {
        self.change(|state| {
            state.done = done as usize;
            state.weight_done = done as f64;
        });
    }

    /// So many steps there are.
    pub fn set_length(&self, steps: u64) {
        self.change(|state| {
            state.steps = steps as usize;
            state.weight = steps as f64;
        });
    }

    /// What is being done.
    pub fn set_message(&self, message: impl Into<String>) {
        self.change(|state| state.message = message.into());
    }

    /// Steps that are different amounts of work: how many are done, of how many, and how much work that is, of how much.
    pub fn set_weighted(&self, done: usize, steps: usize, weight_done: f64, weight: f64) {
        self.change(|state| {
            (state.done, state.steps, state.weight_done, state.weight) = (done, steps, weight_done, weight);
        });
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        let mut state = locked(&self.state);
        change(&mut state);
        let (now, share) = (self.started.elapsed(), state.share());
        state.time_left.saw(now, share);
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.shown_by.take() {
            // A thread that only shows something has nothing to say about how it ended.
            let _ = thread.join();
        }
    }
}

impl State {
    fn share(&self) -> f64 {
        if self.weight > 0.0 { (self.weight_done / self.weight).clamp(0.0, 1.0) } else { 0.0 }
    }

    /// `340 of 1,190 frames, about 20 s left`
    fn figures(&self, now: Duration) -> String {
        if self.steps == 0 {
            return String::new();
        }
        let left = self
            .time_left
            .left(now, self.share())
            .filter(|_| (STEPS_TO_TELL..self.steps).contains(&self.done))
            .map_or(String::new(), |left| format!(", {}", about(left)));
        format!("{}{left}", self.count())
    }

    /// `340 of 1,190 frames`
    fn count(&self) -> String {
        format!("{} of {}{}", grouped(self.done), grouped(self.steps), self.noun)
    }

    /// One line of a log.
    fn line(&self, now: Duration) -> String {
        match self.figures(now) {
            figures if figures.is_empty() => format!("{} ...", self.message),
            figures => format!("{}: {figures}", self.message),
        }
    }

    /// One line of a log, where nothing was done for long.
    fn line_of_silence(&self) -> String {
        match self.steps {
            0 => format!("{}: still at work", self.message),
            _ => format!("{}: still at work, {}", self.message, self.count()),
        }
    }

    /// Whether something was done since an earlier state.
    fn is_beyond(&self, earlier: &Self) -> bool {
        (&self.message, self.done, self.steps) != (&earlier.message, earlier.done, earlier.steps)
    }
}

fn locked(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

/// How long to wait before something may be written, after so many such pauses: five seconds in the first minute, then half a minute, so that logs stay short.
fn pause(pauses: usize) -> Duration {
    Duration::from_secs(if pauses < 12 { 5 } else { 30 })
}

/// Writes lines until `wait` says that the work is over. `state` is how far it is, and when that is.
fn write_lines(
    state: impl Fn() -> (State, Duration),
    wait: impl Fn(Duration) -> Result<(), RecvTimeoutError>,
    mut write: impl FnMut(&str),
) {
    let (mut pauses, mut silent) = (0, Duration::ZERO);
    let mut last: Option<State> = None;
    while wait(pause(pauses)) == Err(RecvTimeoutError::Timeout) {
        silent += pause(pauses);
        pauses += 1;
        let (state, now) = state();
        if last.as_ref().is_none_or(|last| state.is_beyond(last)) {
            write(&state.line(now));
        } else if silent >= SILENCE_ALLOWED {
            write(&state.line_of_silence());
        } else {
            continue;
        }
        (silent, last) = (Duration::ZERO, Some(state));
    }
}

/// Draws a bar on the terminal until `wait` says that the work is over.
fn draw(state: &Mutex<State>, started: Instant, wait: impl Fn(Duration) -> Result<(), RecvTimeoutError>) {
    if wait(QUICK) != Err(RecvTimeoutError::Timeout) {
        return;
    }
    let bar = ProgressBar::with_draw_target(Some(PARTS as u64), ProgressDrawTarget::stderr());
    loop {
        let now = locked(state).clone();
        // How many steps there are may be known only later.
        let template = if now.steps > 0 { "{msg} {wide_bar} {prefix}" } else { "{spinner} {msg}" };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.set_message(now.message.clone());
        bar.set_prefix(now.figures(started.elapsed()));
        bar.set_position((PARTS * now.share()) as u64);
        bar.tick();
        if wait(Duration::from_millis(100)) != Err(RecvTimeoutError::Timeout) {
            break;
        }
    }
    bar.finish_and_clear();
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::{Cell, RefCell};

    /// The lines, with their seconds, of work that ends after some seconds and does `rate` of 1,190 frames per second.
    fn lines_of(seconds: u64, rate: usize) -> Vec<(u64, String)> {
        lines_if(seconds, |second| second as usize * rate)
    }

    /// The same where `done` says how many frames are done after so many seconds.
    fn lines_if(seconds: u64, done: impl Fn(u64) -> usize) -> Vec<(u64, String)> {
        let (now, lines) = (Cell::new(0), RefCell::new(Vec::new()));
        let state = RefCell::new(State { message: "auditing".into(), noun: " frames", ..State::default() });
        let wait = |pause: Duration| {
            for _ in 0..pause.as_secs() {
                now.set(now.get() + 1);
                if now.get() >= seconds {
                    return Err(RecvTimeoutError::Disconnected);
                }
                let state = &mut *state.borrow_mut();
                (state.done, state.steps) = (done(now.get()), 1190);
                (state.weight_done, state.weight) = (state.done as f64, 1190.0);
                let share = state.share();
                state.time_left.saw(Duration::from_secs(now.get()), share);
            }
            Err(RecvTimeoutError::Timeout)
        };
        let state = || (state.borrow().clone(), Duration::from_secs(now.get()));
        write_lines(state, wait, |line| lines.borrow_mut().push((now.get(), line.to_owned())));
        lines.into_inner()
    }

    #[test]
    fn quick_work_says_nothing_and_long_work_a_line_every_few_seconds() {
        assert_eq!(lines_of(5, 100), []);
        let lines = lines_of(17, 70);
        let expected = [
            (5, "auditing: 350 of 1,190 frames, about 10 s left"),
            (10, "auditing: 700 of 1,190 frames, a few seconds left"),
            (15, "auditing: 1,050 of 1,190 frames, a few seconds left"),
        ];
        assert_eq!(lines, expected.map(|(at, line)| (at, line.to_owned())));
    }

    #[test]
    fn logs_of_hours_are_not_flooded() {
        // A frame in two seconds.
        let lines = lines_if(2200, |second| second as usize / 2);
        assert_eq!((lines.len(), lines[11].0, lines[12].0), (12 + 71, 60, 90));
    }

    #[test]
    fn what_did_not_change_is_not_said_again() {
        let lines = lines_if(200, |second| if second < 150 { 0 } else { 1190 });
        let expected = [
            (5, "auditing: 0 of 1,190 frames"),
            (90, "auditing: still at work, 0 of 1,190 frames"),
            (150, "auditing: 1,190 of 1,190 frames"),
        ];
        assert_eq!(lines, expected.map(|(at, line)| (at, line.to_owned())));
    }

    #[test]
    fn few_steps_tell_nothing_of_the_time_left() {
        let mut state = State { message: "fitting".into(), steps: 20, weight: 20.0, ..State::default() };
        state.time_left.saw(Duration::from_secs(1), 0.05);
        let mut line = |done: usize| {
            (state.done, state.weight_done) = (done, done as f64);
            state.line(Duration::from_secs(41))
        };
        assert_eq!(line(4), "fitting: 4 of 20");
        assert_eq!(line(5), "fitting: 5 of 20, about 3 min left");
        assert_eq!(line(20), "fitting: 20 of 20");
    }

    #[test]
    fn work_of_unknown_length_is_named() {
        let state = State { message: "reading a.glb".into(), ..State::default() };
        assert_eq!(state.line(Duration::from_secs(9)), "reading a.glb ...");
        assert_eq!(state.line_of_silence(), "reading a.glb: still at work");
    }
}
