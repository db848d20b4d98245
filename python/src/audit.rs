//! Where a character goes through itself: the audit of the command `supple audit`, whole or in parts that other processes do.

use std::sync::Arc;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde::Deserialize;
use supple::Shape;
use supple_audit::{AuditError, AuditPart, Auditor, Span};
use supple_cli::audit::embedded::{ModelReport, ReportError, ReportOptions, auditor, report_of_audit};

use crate::arguments::skinning;
use crate::failure::{bad_value, words, work};
use crate::shape::PyShape;

/// What the package sends: all options, checked there by their types.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Options {
    fps: f32,
    skinning: String,
    clips: Option<Vec<String>>,
    bones: Vec<[String; 2]>,
    bones_apart: u32,
    between: Option<String>,
    min_depth: String,
    min_frames: usize,
    classes: Vec<String>,
    hints: bool,
}

impl Options {
    fn read(text: &str) -> PyResult<ReportOptions> {
        let given: Self =
            serde_json::from_str(text).map_err(|error| bad_value("options", error.to_string()))?;
        let mut options = ReportOptions::default();
        options.fps = given.fps;
        options.skinning = skinning(&given.skinning)?;
        options.clips = given.clips.unwrap_or_default();
        options.bones = given.bones.into_iter().map(|[a, b]| format!("{a}:{b}")).collect();
        options.bones_apart = given.bones_apart;
        options.between = given.between;
        options.min_depth = given.min_depth;
        options.min_frames = given.min_frames;
        options.classes = given.classes;
        options.hints = given.hints;
        Ok(options)
    }
}

fn refused(error: ReportError) -> PyErr {
    PyValueError::new_err(words(&error))
}

fn failed(error: AuditError) -> PyErr {
    PyValueError::new_err(words(&error))
}

/// A shape that is audited, with all that is computed once.
#[pyclass(frozen, name = "Auditor", module = "supple._native")]
pub struct PyAuditor {
    shape: Arc<Shape>,
    name: String,
    options: ReportOptions,
    auditor: Auditor,
}

#[pymethods]
impl PyAuditor {
    /// `name` is what the report calls the model; `options` are JSON.
    #[new]
    fn new(py: Python, shape: &PyShape, name: String, options: &str) -> PyResult<Self> {
        let (shape, options) = (Arc::clone(&shape.shape), Options::read(options)?);
        let auditor = work(py, || auditor(&shape, &options))?.map_err(refused)?;
        Ok(Self { shape, name, options, auditor })
    }

    /// What is played: the clip's number in the model (None for the rest pose), its name, how many frames.
    #[getter]
    fn clips(&self) -> Vec<(Option<usize>, String, usize)> {
        let played = self.auditor.clips().iter();
        played.map(|clip| (clip.number, clip.name.clone(), clip.frames)).collect()
    }

    /// Audits spans of frames `(place in clips, first frame, frame after the last)`.
    fn part<'py>(&self, py: Python<'py>, spans: Vec<(usize, usize, usize)>) -> PyResult<Bound<'py, PyBytes>> {
        let spans: Vec<Span> =
            spans.into_iter().map(|(clip, first, end)| Span { clip, frames: first..end }).collect();
        let part = work(py, || self.auditor.part(&spans))?.map_err(failed)?;
        let bytes = serde_json::to_vec(&part).map_err(|error| bad_value("spans", error.to_string()))?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// The report of all frames, from parts in any order.
    fn finish(&self, py: Python, parts: Vec<Vec<u8>>) -> PyResult<PyReport> {
        let read = |(number, part): (usize, &Vec<u8>)| {
            serde_json::from_slice::<AuditPart>(part)
                .map_err(|error| bad_value("parts", format!("number {number}: {error}")))
        };
        let parts = parts.iter().enumerate().map(read).collect::<PyResult<Vec<AuditPart>>>()?;
        let audit = work(py, || self.auditor.finish(parts))?.map_err(failed)?;
        self.report(py, audit)
    }

    /// Audits everything on all cores. `progress(done, frames)` is called now and then; if it returns False, the audit stops with an error.
    #[pyo3(signature = (progress=None))]
    fn audit(&self, py: Python, progress: Option<Py<PyAny>>) -> PyResult<PyReport> {
        let mut stopped: Option<PyErr> = None;
        let spans = self.auditor.spans(usize::MAX);
        let go_on = |now: supple_audit::Progress| {
            let (done, frames) = (now.done, now.frames);
            let told = Python::attach(|py| {
                py.check_signals()?;
                let Some(progress) = &progress else { return Ok(true) };
                let answer = progress.bind(py).call1((done, frames))?;
                Ok(answer.is_none() || answer.is_truthy()?)
            });
            told.unwrap_or_else(|error| {
                stopped = Some(error);
                false
            })
        };
        let audited = work(py, || {
            let part = self.auditor.part_while(&spans, go_on)?;
            self.auditor.finish([part])
        })?;
        if let Some(error) = stopped {
            return Err(error);
        }
        self.report(py, audited.map_err(failed)?)
    }
}

impl PyAuditor {
    fn report(&self, py: Python, audit: supple_audit::Audit) -> PyResult<PyReport> {
        let made = work(py, || report_of_audit(&self.name, &self.shape, &self.options, audit))?;
        Ok(PyReport { report: made.map_err(refused)? })
    }
}

/// What an audit found.
#[pyclass(frozen, name = "Report", module = "supple._native")]
pub struct PyReport {
    report: ModelReport,
}

#[pymethods]
impl PyReport {
    /// As `supple audit --json` writes it; docs/audit.schema.json describes it.
    #[getter]
    fn json(&self) -> PyResult<String> {
        self.report.json().map_err(refused)
    }

    /// As `supple audit --html` writes it; draws the pictures.
    fn page(&self, py: Python) -> PyResult<String> {
        work(py, || self.report.page())?.map_err(refused)
    }

    /// What the command prints.
    fn text(&self) -> String {
        self.report.text()
    }
}
