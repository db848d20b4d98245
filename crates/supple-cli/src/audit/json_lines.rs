//! Every frame as a line of JSON, written while the audit goes on: for hours of animation.
//!
//! In: what was found in frames, in order. Out: lines. The first thing that goes wrong is kept until the end.

use std::sync::{Mutex, PoisonError};

use serde::Serialize;
use supple_audit::{ContactRecord, FrameRecord};

use crate::failure::{Blame, Failure, OrBlame};
use crate::output::{Output, Streamed};

/// One frame.
#[derive(Debug, Serialize)]
struct Line<'a> {
    file: &'a str,
    clip: &'a str,
    frame: usize,
    seconds: f64,
    contacts: &'a [ContactRecord],
}

/// Lines that are being written.
#[derive(Debug)]
pub struct JsonLines<'o> {
    state: Mutex<(Streamed<'o>, Option<Failure>)>,
    fps: f32,
}

impl<'o> JsonLines<'o> {
    /// Begins to write.
    pub fn new(output: &'o Output, fps: f32) -> Result<Self, Failure> {
        Ok(Self { state: Mutex::new((output.streamed()?, None)), fps })
    }

    /// Writes frames of a file; `clips` are the names of those that are played.
    pub fn add(&self, file: &str, clips: &[String], records: &[FrameRecord]) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let (stream, failure) = &mut *state;
        for record in records {
            if failure.is_some() {
                return;
            }
            let line = Line {
                file,
                clip: clips.get(record.clip).map_or("", String::as_str),
                frame: record.frame,
                seconds: record.frame as f64 / f64::from(self.fps),
                contacts: &record.contacts,
            };
            let text = serde_json::to_string(&line).or_blame(Blame::Output);
            let written = text.and_then(|text| stream.write(format!("{text}\n").as_bytes()));
            *failure = written.err();
        }
    }

    /// Ends, and says what went wrong.
    pub fn finished(self) -> Result<(), Failure> {
        let (stream, failure) = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        match failure {
            Some(failure) => Err(failure),
            None => stream.finished(),
        }
    }
}
