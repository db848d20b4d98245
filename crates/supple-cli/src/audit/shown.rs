//! Events that are shown: pictures, files for other programs, hints, and the command that shows one again.
//!
//! In: what was found in a file. Out: a report per event. Pictures and hints are only made of events of the classes that are shown.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use anyhow::Context;
use glam::Vec3;
use rayon::prelude::*;
use supple_audit::{BodyParts, Event, PlayedClip};
use supple_io::ColouredFrame;

use super::ask::Answer;
use super::bleeding::{self, BleedingWeight};
use super::coloured::coloured_frame;
use super::command::command;
use super::hints::Hints;
use super::picture::{Picture, Subject, picture};
use super::report::{EventReport, Settings, Status, title};
use crate::arguments::AuditArguments;
use crate::failure::{Blame, Failure, OrBlame};
use crate::output::{Contents, Files};

/// Events of a file of which there are pictures and hints, the most severe first; a page of more is not read.
const MOST: usize = 60;

/// What is made of events.
pub struct Shown<'a> {
    pub arguments: &'a AuditArguments,
    pub settings: &'a Settings,
    /// Where GLB files are written.
    pub files: &'a Mutex<Files>,
}

impl Shown<'_> {
    /// The reports of all events of a file, in their order.
    pub fn reports(&self, file: &str, answer: &Answer) -> Result<Vec<EventReport>, Failure> {
        let audit = &answer.audit;
        let hints = match self.arguments.hints {
            true => Some(Hints::new(&answer.shape, &answer.options, &audit.clips, &answer.short_names)?),
            false => None,
        };
        let stage = Stage::new(answer);
        let is_shown = |event: &Event| self.settings.classes.contains(&event.class);
        let mut left = MOST;
        let jobs: Vec<(&Event, bool)> = audit
            .events
            .iter()
            .map(|event| {
                let is_chosen = is_shown(event) && left > 0;
                left -= usize::from(is_chosen);
                (event, is_chosen)
            })
            .collect();
        let report = |(number, &(event, is_chosen)): (usize, &(&Event, bool))| {
            let mut report = EventReport {
                status: Status::Open,
                reason: None,
                why_worse: None,
                compared: None,
                hint: None,
                command: command(
                    self.arguments,
                    file,
                    answer.shape.model(),
                    event,
                    &audit.clips[event.worst.clip],
                ),
                picture: None,
                event: event.clone(),
            };
            if is_chosen {
                report.hint = hints.as_ref().map(|hints| hints.of_event(event)).transpose()?;
                self.draw(&mut report, &stage, file, number)?;
            }
            Ok(report)
        };
        let made: Vec<Result<EventReport, Failure>> = jobs.par_iter().enumerate().map(report).collect();
        let mut reports = made.into_iter().collect::<Result<Vec<_>, Failure>>()?;
        without_equal_pictures(&mut reports);
        Ok(reports)
    }

    /// The weights that bleed, looked for with the hints; as colours where GLB files are written.
    pub fn bleeding(&self, file: &str, answer: &Answer) -> Result<Vec<BleedingWeight>, Failure> {
        if !self.arguments.hints {
            return Ok(Vec::new());
        }
        let model = answer.shape.model();
        let (found, map) = bleeding::of_model(model, &answer.bones);
        if let (Some(folder), false) = (&self.arguments.glb, found.is_empty()) {
            let posed = model.posed(&model.rest_pose(), answer.options.skinning).or_blame(Blame::Input)?;
            let positions = posed.positions();
            let frame = bleeding::coloured(model, &positions, &map);
            let path = folder.join(format!("{}-weights-that-bleed.glb", clean(&stem(file))));
            self.write(&path, &[frame])?;
        }
        Ok(found)
    }

    fn draw(
        &self,
        report: &mut EventReport,
        stage: &Stage,
        file: &str,
        number: usize,
    ) -> Result<(), Failure> {
        let AuditArguments { html, glb, .. } = self.arguments;
        if html.is_none() && glb.is_none() {
            return Ok(());
        }
        let posed = stage.posed(&report.event)?;
        let subject = posed.subject(stage, &report.event);
        if let Some(folder) = glb {
            self.write_glb(&subject, stage, &glb_path(folder, file, number, &report.event), &report.event)?;
        }
        if html.is_some() {
            report.picture = Some(picture(&subject).context("a picture").or_blame(Blame::Output)?);
        }
        Ok(())
    }

    fn write_glb(&self, subject: &Subject, stage: &Stage, path: &Path, event: &Event) -> Result<(), Failure> {
        let clip = &stage.answer.audit.clips[event.worst.clip];
        let name = format!("{} - {}, frame {}", event.name, title(clip), event.worst.frame);
        let parts = stage.answer.shape.model().parts();
        let parts = parts.iter().map(|part| (part.name.clone(), part.triangles.clone()));
        let frame = coloured_frame(subject, parts, &name);
        self.write(path, &[frame])
    }

    fn write(&self, path: &Path, frames: &[ColouredFrame]) -> Result<(), Failure> {
        let bytes = supple_io::coloured_glb_bytes(frames).or_blame(Blame::Input)?;
        let output = {
            let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
            files.output("--glb", path, Contents::Binary)?
        };
        output.write(bytes)
    }
}

/// `FOLDER/hero-01-left-hand-left-thigh.glb`
fn glb_path(folder: &Path, file: &str, number: usize, event: &Event) -> PathBuf {
    folder.join(format!("{}-{:02}-{}.glb", clean(&stem(file)), number + 1, clean(&event.id)))
}

fn stem(file: &str) -> String {
    let stem = Path::new(file).file_stem().map_or_else(|| file.into(), |stem| stem.to_string_lossy());
    stem.into_owned()
}

/// A text as a part of a file's name.
fn clean(text: &str) -> String {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("-").chars().take(80).collect()
}

/// What all events of a file are drawn with.
struct Stage<'a> {
    answer: &'a Answer,
    parts: BodyParts,
    /// The body part of each triangle.
    part_of: Vec<u32>,
}

/// A frame.
struct Posed {
    positions: Vec<Vec3>,
    side_of: Vec<Option<u8>>,
}

impl<'a> Stage<'a> {
    fn new(answer: &'a Answer) -> Self {
        let parts = BodyParts::new(answer.shape.model(), &answer.bones);
        let owners = answer.bones.of_triangles().iter();
        let part_of = owners.map(|&bone| parts.of_bones()[bone as usize]).collect();
        Self { answer, parts, part_of }
    }

    /// The worst frame of an event.
    fn posed(&self, event: &Event) -> Result<Posed, Failure> {
        let (answer, model) = (self.answer, self.answer.shape.model());
        let PlayedClip { number, .. } = &answer.audit.clips[event.worst.clip];
        let pose = match *number {
            None => model.rest_pose(),
            Some(number) => {
                let seconds = answer.options.seconds(event.worst.frame);
                model.sample(&model.clips()[number], seconds).or_blame(Blame::Input)?
            }
        };
        let positions = model.posed(&pose, answer.options.skinning).or_blame(Blame::Input)?.positions();
        let mut meshes = vec![""; self.part_of.len()];
        for part in model.parts() {
            meshes[part.triangles.clone()].fill(part.name.as_str());
        }
        let is_of = |triangle: usize, side: usize| {
            let side = &event.sides[side];
            self.parts.name(self.part_of[triangle]) == side.body_part
                && side.mesh.as_ref().is_none_or(|mesh| mesh == meshes[triangle])
        };
        let side_of = (0..self.part_of.len())
            .map(|triangle| (0u8..2).find(|&side| is_of(triangle, usize::from(side))))
            .collect();
        Ok(Posed { positions, side_of })
    }
}

impl Posed {
    fn subject<'s>(&'s self, stage: &'s Stage, event: &'s Event) -> Subject<'s> {
        Subject {
            positions: &self.positions,
            triangles: stage.answer.shape.model().mesh().triangles(),
            side_of: &self.side_of,
            pairs: &event.worst.triangles,
        }
    }
}

/// Of equal pictures only the first stays.
fn without_equal_pictures(reports: &mut [EventReport]) {
    let mut seen: Vec<Picture> = Vec::new();
    for report in reports {
        report.picture.take_if(|picture| seen.contains(picture));
        seen.extend(report.picture.clone());
    }
}
