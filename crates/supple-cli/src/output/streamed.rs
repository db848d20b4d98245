//! A file that is written piece by piece, for results that are longer than memory.
//!
//! Must hold: as for every output, a file has its old contents until all of the new ones are there.

use std::io::{self, BufWriter, ErrorKind, Write};

use std::fs::File;

use super::place::Place;
use super::unfinished::Unfinished;
use super::{Output, explained};
use crate::failure::Failure;

/// An output that is being written.
#[derive(Debug)]
pub struct Streamed<'o> {
    output: &'o Output,
    sink: Sink,
}

#[derive(Debug)]
enum Sink {
    Stdout,
    Stream(BufWriter<File>),
    File(BufWriter<Unfinished>),
    /// Whoever read it has seen enough.
    Closed,
}

impl Output {
    /// Begins to write.
    pub fn streamed(&self) -> Result<Streamed<'_>, Failure> {
        let sink = match &self.place {
            Place::Stdout => Ok(Sink::Stdout),
            Place::Stream(path) => {
                File::options().append(true).open(path).map(|file| Sink::Stream(BufWriter::new(file)))
            }
            Place::File(path) => Unfinished::beside(path).map(|file| Sink::File(BufWriter::new(file))),
        };
        Ok(Streamed { output: self, sink: explained(&self.name, sink)? })
    }
}

impl Streamed<'_> {
    /// Writes the next piece. A reader of a pipe that has seen enough is no error.
    pub fn write(&mut self, piece: &[u8]) -> Result<(), Failure> {
        let written = match &mut self.sink {
            Sink::Stdout => io::stdout().lock().write_all(piece),
            Sink::Stream(stream) => stream.write_all(piece),
            Sink::File(file) => file.write_all(piece),
            Sink::Closed => Ok(()),
        };
        self.checked(written)
    }

    /// Puts a file where it belongs.
    pub fn finished(mut self) -> Result<(), Failure> {
        let sink = std::mem::replace(&mut self.sink, Sink::Closed);
        let written = match (sink, &self.output.place) {
            (Sink::Stdout, _) => io::stdout().lock().flush(),
            (Sink::Stream(mut stream), _) => stream.flush(),
            (Sink::File(file), Place::File(path)) => file
                .into_inner()
                .map_err(io::IntoInnerError::into_error)
                .and_then(|unfinished| unfinished.synced()?.named(path)),
            _ => Ok(()),
        };
        self.checked(written)
    }

    fn checked(&mut self, written: io::Result<()>) -> Result<(), Failure> {
        let written = match written {
            Err(error) if error.kind() == ErrorKind::BrokenPipe && !matches!(self.sink, Sink::File(_)) => {
                self.sink = Sink::Closed;
                Ok(())
            }
            other => other,
        };
        explained(&self.output.name, written)
    }
}
