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

use super::arguments::AuditArguments;
use super::ask::{Answer, Question};
use super::bleeding::{self, BleedingWeight};
use super::coloured::coloured_frame;
use super::command::command;
use super::hints::Hints;
use super::picture::{Picture, Subject, picture};
use super::report::{EventReport, Settings, Status, title};
use crate::failure::{Blame, Failure, OrBlame};
use crate::output::{Contents, Files};

/// Events of a file of which there are pictures and hints, the most severe first; a page of more is not read.
const MOST: usize = 60;

/// What is made of events.
pub struct Shown<'a> {
    pub arguments: &'a AuditArguments,
    pub settings: &'a Settings,
    /// Whether there is a page to draw for.
    pub has_page: bool,
    /// Where GLB files are written.
    pub files: &'a Mutex<Files>,
}

impl Shown<'_> {
    /// The reports of all events of a file, in their order; without pictures.
    pub fn reports(&self, file: &str, answer: &Answer) -> Result<Vec<EventReport>, Failure> {
        let Answer { question, audit } = answer;
        let hints = match self.arguments.hints {
            true => {
                Some(Hints::new(&question.shape, &question.options, &audit.clips, &question.short_names)?)
            }
            false => None,
        };
        let report = |(event, is_chosen): (&Event, bool)| {
            let hints = hints.as_ref().filter(|_| is_chosen);
            let clip = &audit.clips[event.worst.clip];
            Ok(EventReport {
                status: Status::Open,
                reason: None,
                why_worse: None,
                compared: None,
                hint: hints.map(|hints| hints.of_event(event)).transpose()?,
                command: command(self.arguments, file, question.shape.model(), event, clip),
                picture: None,
                event: event.clone(),
            })
        };
        let jobs: Vec<(&Event, bool)> =
            audit.events.iter().zip(self.are_chosen(audit.events.iter())).collect();
        let made: Vec<Result<EventReport, Failure>> = jobs.into_par_iter().map(report).collect();
        made.into_iter().collect()
    }

    /// Draws events for a page, and writes them as GLB files; whichever is wanted.
    pub fn draw(&self, file: &str, answer: &Answer, reports: &mut [EventReport]) -> Result<(), Failure> {
        if !self.has_page && self.arguments.glb.is_none() {
            return Ok(());
        }
        let stage = Stage::new(answer);
        let are_chosen = self.are_chosen(reports.iter().map(|report| &report.event));
        let draw = |(number, (report, is_chosen)): (usize, (&mut EventReport, bool))| match is_chosen {
            true => self.draw_event(report, &stage, file, number),
            false => Ok(()),
        };
        let drawn: Vec<Result<(), Failure>> =
            reports.par_iter_mut().zip(are_chosen).enumerate().map(draw).collect();
        drawn.into_iter().collect::<Result<(), Failure>>()?;
        without_equal_pictures(reports);
        Ok(())
    }

    /// Of which events there are pictures and hints.
    fn are_chosen<'e>(&self, events: impl Iterator<Item = &'e Event>) -> Vec<bool> {
        let mut left = MOST;
        events
            .map(|event| {
                let is_chosen = self.settings.classes.contains(&event.class) && left > 0;
                left -= usize::from(is_chosen);
                is_chosen
            })
            .collect()
    }

    /// The weights that bleed, looked for with the hints; as colours where GLB files are written.
    pub fn bleeding(&self, file: &str, answer: &Answer) -> Result<Vec<BleedingWeight>, Failure> {
        if !self.arguments.hints {
            return Ok(Vec::new());
        }
        let Question { shape, bones, options, .. } = &answer.question;
        let model = shape.model();
        let (found, map) = bleeding::of_model(model, bones);
        if let (Some(folder), false) = (&self.arguments.glb, found.is_empty()) {
            let posed = model.posed(&model.rest_pose(), options.skinning).or_blame(Blame::Input)?;
            let positions = posed.positions();
            let frame = bleeding::coloured(model, &positions, &map);
            let path = folder.join(format!("{}-weights-that-bleed.glb", clean(&stem(file))));
            self.write(&path, &[frame])?;
        }
        Ok(found)
    }

    fn draw_event(
        &self,
        report: &mut EventReport,
        stage: &Stage,
        file: &str,
        number: usize,
    ) -> Result<(), Failure> {
        let posed = stage.posed(&report.event)?;
        let subject = posed.subject(stage, &report.event);
        if let Some(folder) = &self.arguments.glb {
            self.write_glb(&subject, stage, &glb_path(folder, file, number, &report.event), &report.event)?;
        }
        if self.has_page {
            report.picture = Some(picture(&subject).context("a picture").or_blame(Blame::Output)?);
        }
        Ok(())
    }

    fn write_glb(&self, subject: &Subject, stage: &Stage, path: &Path, event: &Event) -> Result<(), Failure> {
        let clip = &stage.answer.audit.clips[event.worst.clip];
        let name = format!("{} - {}, frame {}", event.name, title(clip), event.worst.frame);
        let parts = stage.answer.question.shape.model().parts();
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
        let Question { shape, bones, .. } = &answer.question;
        let parts = BodyParts::new(shape.model(), bones);
        let owners = bones.of_triangles().iter();
        let part_of = owners.map(|&bone| parts.of_bones()[bone as usize]).collect();
        Self { answer, parts, part_of }
    }

    /// The worst frame of an event.
    fn posed(&self, event: &Event) -> Result<Posed, Failure> {
        let Answer { question: Question { shape, options, .. }, audit } = self.answer;
        let model = shape.model();
        let PlayedClip { number, .. } = &audit.clips[event.worst.clip];
        let pose = match *number {
            None => model.rest_pose(),
            Some(number) => {
                let seconds = options.seconds(event.worst.frame);
                model.sample(&model.clips()[number], seconds).or_blame(Blame::Input)?
            }
        };
        let positions = model.posed(&pose, options.skinning).or_blame(Blame::Input)?.positions();
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
            triangles: stage.answer.question.shape.model().mesh().triangles(),
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
