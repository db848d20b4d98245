//! The report of `supple audit` for programs that have a model in memory: the same JSON and the same page.
//!
//! In: a shape, options as plain data. Out: a report. Nothing is printed, read or written, and no option is named as on the command line.
//!
//! ```no_run
//! use std::sync::Arc;
//! use supple::{BuildOptions, Shape};
//! use supple_cli::audit::embedded::{ReportOptions, report};
//!
//! let shape = Arc::new(Shape::build(supple_zoo::make("man", 0)?, &BuildOptions::default())?);
//! let mut options = ReportOptions::default();
//! options.fps = 10.0;
//! let report = report("zoo:man", &shape, &options, |_, _| true)?;
//! println!("{} faults", report.failing());
//! std::fs::write("man.html", report.page()?)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::error::Error;
use std::fmt;
use std::sync::{Arc, Mutex};

use clap::ValueEnum;
use supple::{Model, Shape, Skinning};
use supple_audit::{Audit, AuditError, Auditor, Event, Side, audit_while};
use supple_io::{only_part, without_parts};

use super::arguments::{AuditArguments, ClassName, depth};
use super::ask::{Answer, Question, chosen_clips};
use super::report::{Report, SCHEMA, Totals};
use super::shown::Shown;
use super::{Against, bone_names, file_report, html, only_events, part_names, settings, text};
use crate::failure::{Blame, Failure, OrBlame};
use crate::input::OtherClips;
use crate::output::Files;
use crate::skinning_name::SkinningName;

/// What is asked, as the options of `supple audit` ask it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ReportOptions {
    /// Frames per second; 30.
    pub fps: f32,
    /// How joints are blended; linearly.
    pub skinning: Skinning,
    /// Clips, by name or by number; all if empty.
    pub clips: Vec<String>,
    /// Only the parts of that name. The report tells it; [`wanted_parts`] does it, before the shape is built.
    pub part: Option<String>,
    /// Without the parts of these names. The report tells it; [`wanted_parts`] does it.
    pub without: Vec<String>,
    /// Only between these meshes or materials: `body,shirt`.
    pub between: Option<String>,
    /// Only between these pairs of bones: `LeftHand+:LeftUpLeg`.
    pub bones: Vec<String>,
    /// Leave out bones that are fewer steps apart; 0.
    pub bones_apart: u32,
    /// Events that are less deep are grazes: in percent of the size or in units; `0.25%`.
    pub min_depth: String,
    /// Events in fewer frames are grazes; 1.
    pub min_frames: usize,
    /// Only events of these ids; all if empty.
    pub events: Vec<String>,
    /// Classes of events that are shown and that fail, by name, or `all`; `fault`.
    pub classes: Vec<String>,
    /// Whether it is searched what to do about each event; false.
    pub hints: bool,
}

impl Default for ReportOptions {
    fn default() -> Self {
        Self {
            fps: 30.0,
            skinning: Skinning::Linear,
            clips: Vec::new(),
            part: None,
            without: Vec::new(),
            between: None,
            bones: Vec::new(),
            bones_apart: 0,
            min_depth: "0.25%".to_owned(),
            min_frames: 1,
            events: Vec::new(),
            classes: vec!["fault".to_owned()],
            hints: false,
        }
    }
}

/// Why there is no report.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReportError {
    /// An option that is wrong, or names what the model does not have. The text begins with the name of the option.
    Option(String),
    /// A model that cannot be audited, or an audit of another model.
    Model(String),
    /// Whoever watched the progress wanted no more.
    Stopped {
        /// How many frames were done.
        done: usize,
        /// How many there are.
        frames: usize,
    },
}

impl fmt::Display for ReportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Option(text) | Self::Model(text) => f.write_str(text),
            Self::Stopped { done, frames } => write!(f, "stopped after {done} of {frames} frames"),
        }
    }
}

impl Error for ReportError {}

impl ReportError {
    /// Of an option; failures may name it as on the command line.
    fn option(name: &str, failure: &impl fmt::Display) -> Self {
        let text = failure.to_string();
        let value = text.strip_prefix("--").and_then(|text| text.split_once(' '));
        Self::Option(match value {
            Some((_, value)) => format!("{name} {value}"),
            None => format!("{name}: {text}"),
        })
    }

    fn of_audit(error: AuditError) -> Self {
        let option = match error {
            AuditError::Stopped { done, frames } => return Self::Stopped { done, frames },
            AuditError::FrameRate(_) | AuditError::TooManyFrames { .. } => "fps",
            AuditError::UnknownClip { .. } | AuditError::ClipOutOfRange { .. } => "clips",
            AuditError::UnknownBone { .. } => "bones",
            AuditError::UnknownPart { .. } => "between",
            error => return Self::of_model(&Failure::new(Blame::Input, error)),
        };
        Self::option(option, &error)
    }

    fn of_model(failure: &Failure) -> Self {
        Self::Model(failure.to_string())
    }
}

/// The model without what [`ReportOptions::part`] and [`ReportOptions::without`] leave out.
///
/// # Errors
/// Names that no part has, and parts that cannot be taken out.
pub fn wanted_parts(model: Model, options: &ReportOptions) -> Result<Model, ReportError> {
    let model = match &options.part {
        Some(part) => only_part(&model, part).map_err(|error| ReportError::option("part", &error))?,
        None => model,
    };
    match options.without.as_slice() {
        [] => Ok(model),
        names => without_parts(&model, names).map_err(|error| ReportError::option("without", &error)),
    }
}

/// What makes the parts of an audit that [`report_of_audit`] then reports.
///
/// # Errors
/// Options that are wrong or do not fit the model, or a model that cannot be audited.
pub fn auditor(shape: &Arc<Shape>, options: &ReportOptions) -> Result<Auditor, ReportError> {
    let question = question(shape, &arguments(options)?)?;
    Auditor::new(shape, &question.options).map_err(ReportError::of_audit)
}

/// Audits a shape. The report calls it `name`: that of its file, or `zoo:man`. `go_on` is told how many frames are done and how many
/// there are, at the start and then after one or more frames; where it returns false the audit stops.
///
/// # Errors
/// Options that are wrong or do not fit the model, a model that cannot be audited, [`ReportError::Stopped`].
pub fn report(
    name: &str,
    shape: &Arc<Shape>,
    options: &ReportOptions,
    mut go_on: impl FnMut(usize, usize) -> bool,
) -> Result<ModelReport, ReportError> {
    let arguments = arguments(options)?;
    let question = question(shape, &arguments)?;
    let audit = audit_while(shape, &question.options, |progress| go_on(progress.done, progress.frames));
    let audit = audit.map_err(ReportError::of_audit)?;
    ModelReport::new(name, arguments, Answer { question, audit })
}

/// The same for an audit that was made elsewhere, of this shape and with these options ([`auditor`]).
///
/// # Errors
/// Options that are wrong or do not fit the model, or an audit of another model.
pub fn report_of_audit(
    name: &str,
    shape: &Arc<Shape>,
    options: &ReportOptions,
    audit: Audit,
) -> Result<ModelReport, ReportError> {
    let arguments = arguments(options)?;
    let question = question(shape, &arguments)?;
    if !is_of(&audit, shape.model()) {
        return Err(ReportError::Model(format!("{name}: the audit is not of this model")));
    }
    ModelReport::new(name, arguments, Answer { question, audit })
}

/// What `supple audit` has to say of a model.
#[derive(Clone, Debug)]
pub struct ModelReport {
    arguments: Arc<AuditArguments>,
    answer: Answer,
    report: Report,
}

impl ModelReport {
    fn new(name: &str, arguments: AuditArguments, mut answer: Answer) -> Result<Self, ReportError> {
        only_events(&mut answer.audit.events, &arguments.event, true)
            .map_err(|failure| ReportError::option("events", &failure))?;
        let settings = settings(&arguments);
        let nothing = Mutex::new(Files::reading([""; 0]));
        let shown = Shown { arguments: &arguments, settings: &settings, has_page: false, files: &nothing };
        let files =
            vec![file_report(name, &shown, &answer).map_err(|failure| ReportError::of_model(&failure))?];
        let report = Report {
            schema: SCHEMA,
            totals: Totals::new(&files, &settings),
            settings,
            remarks: Vec::new(),
            files,
            skipped: Vec::new(),
            failed: Vec::new(),
        };
        Ok(Self { arguments: Arc::new(arguments), answer, report })
    }

    /// What was found, of the events that were asked for.
    pub fn audit(&self) -> &Audit {
        &self.answer.audit
    }

    /// How many events are of the classes that fail.
    pub fn failing(&self) -> usize {
        self.report.totals.failing
    }

    /// What `supple audit --json` writes; `docs/audit.schema.json` describes it.
    ///
    /// # Errors
    /// Numbers that JSON cannot have.
    pub fn json(&self) -> Result<String, ReportError> {
        let json = serde_json::to_string(&self.report).or_blame(Blame::Output);
        Ok(json.map_err(|failure| ReportError::of_model(&failure))? + "\n")
    }

    /// What `supple audit` prints.
    pub fn text(&self) -> String {
        text::text(&self.report)
    }

    /// What `supple audit --html` writes. The pictures are drawn now, which takes some dozens of milliseconds for each event that is
    /// shown.
    ///
    /// # Errors
    /// A pose that cannot be drawn.
    pub fn page(&self) -> Result<String, ReportError> {
        let mut report = self.report.clone();
        let nothing = Mutex::new(Files::reading([""; 0]));
        let shown = Shown {
            arguments: &self.arguments,
            settings: &self.report.settings,
            has_page: true,
            files: &nothing,
        };
        for file in &mut report.files {
            let drawn = shown.draw(&file.file, &self.answer, &mut file.events);
            drawn.map_err(|failure| ReportError::of_model(&failure))?;
        }
        Ok(html::page(&report))
    }
}

/// Options as the command has them, checked as far as that needs no model.
fn arguments(options: &ReportOptions) -> Result<AuditArguments, ReportError> {
    let wrong = |text: String| Err(ReportError::Option(text));
    if !(options.fps.is_finite() && options.fps > 0.0) {
        return wrong(format!("fps {}: expected a number greater than 0", options.fps));
    }
    let min_depth = match depth(&options.min_depth) {
        Ok(depth) => depth,
        Err(expected) => return wrong(format!("min_depth {:?}: {expected}", options.min_depth)),
    };
    if options.classes.is_empty() {
        return wrong("classes: expected one or more, or all".to_owned());
    }
    let mut class = Vec::new();
    for name in &options.classes {
        match ClassName::from_str(name, false) {
            Ok(known) => class.push(known),
            Err(_) => {
                let expected = "expected fault, hidden, graze, crease, layered or all";
                return wrong(format!("classes {name:?}: {expected}"));
            }
        }
    }
    bone_names::check(&options.bones).map_err(|failure| ReportError::option("bones", &failure))?;
    part_names::check(options.between.as_ref())
        .map_err(|failure| ReportError::option("between", &failure))?;
    Ok(AuditArguments {
        files: Vec::new(),
        clip: options.clips.clone(),
        other_clips: OtherClips::default(),
        part: options.part.clone(),
        without: options.without.clone(),
        scene: None,
        fps: options.fps,
        skinning: match options.skinning {
            Skinning::Linear => SkinningName::Linear,
            Skinning::Spherical => SkinningName::Spherical,
            Skinning::DualQuaternion => SkinningName::Dual,
        },
        against: Against::default(),
        between: options.between.clone(),
        bones: options.bones.clone(),
        bones_apart: options.bones_apart,
        min_depth,
        min_frames: options.min_frames,
        event: options.events.clone(),
        class,
        accept: None,
        write_accept: None,
        baseline: None,
        html: None,
        hints: options.hints,
        glb: None,
        json: None,
        json_lines: None,
        junit: None,
        sarif: None,
        github: false,
    })
}

fn question(shape: &Arc<Shape>, arguments: &AuditArguments) -> Result<Question, ReportError> {
    let (clips, missing) = chosen_clips(shape.model(), &arguments.clip);
    if let Some((_, failure)) = missing.first() {
        return Err(ReportError::option("clips", failure));
    }
    Question::new(shape, arguments, clips).map_err(|(option, failure)| ReportError::option(option, &failure))
}

/// Whether an audit names only what a model has: it may have been read from anywhere.
fn is_of(audit: &Audit, model: &Model) -> bool {
    let triangles = model.mesh().triangles().len();
    let has_clip = |number: Option<usize>, name: &str| match number {
        Some(number) => model.clips().get(number).is_some_and(|clip| clip.name() == name),
        None => true,
    };
    let is_triangle = |triangle: &u32| (*triangle as usize) < triangles;
    let has_nodes = |side: &Side| side.nodes.iter().all(|&node| node < model.skeleton().nodes().len());
    let is_frame = |clip: usize, frame: usize| audit.clips.get(clip).is_some_and(|clip| frame < clip.frames);
    let has_event = |event: &Event| {
        is_frame(event.worst.clip, event.worst.frame)
            && event.worst.triangles.iter().flatten().all(is_triangle)
            && event.worst.cut_off.iter().flatten().all(is_triangle)
            && event.sides.iter().all(has_nodes)
            && event.occurrences.iter().all(|occurrence| {
                occurrence.first_frame <= occurrence.last_frame
                    && is_frame(occurrence.clip, occurrence.last_frame)
                    && is_frame(occurrence.clip, occurrence.worst_frame)
                    && occurrence.moments.iter().all(|moment| is_frame(occurrence.clip, moment.frame))
            })
    };
    audit.triangles == triangles
        && audit.vertices == model.mesh().positions().len()
        && !audit.clips.is_empty()
        && audit.clips.iter().all(|clip| has_clip(clip.number, &clip.name))
        && audit.events.iter().all(has_event)
}
