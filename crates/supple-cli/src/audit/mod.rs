//! `supple audit`: which clip puts a hand through a thigh.
//!
//! In: models, or folders of them. Out: events, as text, a page, and files for build servers.
//!
//! Stages: asking (the crate `supple-audit`, by `ask`), deciding what is accepted or known (`accept`, `baseline`), drawing (`picture`),
//! writing (`report`, `text`, `html`; `junit`, `sarif`, `github`).

mod against;
mod arguments;
mod files;
mod bone_names;
mod part_names;
mod joined;
mod bleeding;
mod report;
mod json_lines;
mod ask;
mod command;
mod picture;
mod coloured;
mod hints;
mod shown;
mod model_path;
mod earlier;
mod accept;
mod baseline;
mod sentence;
mod junit;
mod sarif;
mod github;
mod pipeline;
mod text;
mod html;
mod work;
pub mod embedded;
#[cfg(test)]
mod fixture;

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::sync::Mutex;

use anyhow::Context;
use rayon::prelude::*;

use supple::Skinning;
use supple_audit::{Class, Depth, Event};

use crate::clip_files::files_behind;
use crate::failure::{Blame, Failure, OrBlame, bad_usage, failed_check};
use crate::output::{Contents, Files, write_json_or_text};
use crate::print::remark;
use crate::table::as_many_as_fit;

use self::ask::{Answer, Asked, ask};
use self::json_lines::JsonLines;
use self::pipeline::Pipeline;
use self::report::{FailedFile, FileReport, Report, SCHEMA, Settings, SkippedFile, Totals, has_no_clip};
use self::shown::Shown;
use self::work::Work;

pub use self::against::Against;
pub use self::arguments::{AuditArguments, ClassName};

/// Reads, plays, and prints or writes what was found.
pub fn run(arguments: &AuditArguments) -> Result<(), Failure> {
    bone_names::check(&arguments.bones)?;
    part_names::check(arguments.between.as_ref())?;
    let files = files::files(&arguments.files)?;
    let others = files_behind(&arguments.other_clips.clips).chain(arguments.against.against.clone());
    let lists = pipeline::inputs(arguments);
    let mut claimed = Files::reading(files.iter().cloned().chain(others).chain(lists));
    let json_file = claimed.optional("--json", arguments.json.as_ref(), Contents::Text)?;
    let html_file = claimed.optional("--html", arguments.html.as_ref(), Contents::Text)?;
    let folder = pipeline::folder();
    let pipeline = Pipeline::new(arguments, &folder, &mut claimed)?;
    let lines_file = claimed.optional("--json-lines", arguments.json_lines.as_ref(), Contents::Text)?;
    pipeline.check_stdout(&claimed)?;
    let lines = lines_file.as_ref().map(|output| JsonLines::new(output, arguments.fps)).transpose()?;
    if let Some(folder) = &arguments.glb {
        fs::create_dir_all(folder)
            .with_context(|| format!("--glb {}: the folder cannot be made", folder.display()))
            .or_blame(Blame::Output)?;
    }
    let settings = settings(arguments);
    let claimed = Mutex::new(claimed);
    let has_page = arguments.html.is_some();
    let shown = Shown { arguments, settings: &settings, has_page, files: &claimed };
    let audited = audit_all(&files, &shown, lines.as_ref());
    lines.map_or(Ok(()), JsonLines::finished)?;

    let (mut reports, mut skipped, mut missing) = (Vec::new(), Vec::new(), Vec::new());
    let (mut failed, mut failures) = (Vec::new(), Vec::new());
    for (file, outcome) in files.iter().zip(audited) {
        match outcome {
            Ok(audited) => {
                match audited.report {
                    Some(report) => reports.push(report),
                    None => {
                        skipped.push(SkippedFile { file: file.clone(), remark: has_no_clip(&arguments.clip) })
                    }
                }
                missing.push(audited.missing);
            }
            Err(failure) => {
                failed.push(FailedFile { file: file.clone(), error: failure.to_string() });
                failures.push(failure);
            }
        }
    }
    let remarks = pipeline.judge(&mut reports, &settings)?;
    remarks.iter().for_each(|text| remark(format_args!("note: {text}")));
    let report = Report {
        schema: SCHEMA,
        totals: Totals::new(&reports, &settings),
        settings,
        remarks,
        files: reports,
        skipped,
        failed,
    };
    pipeline.write(&report)?;
    // A single file that cannot be read: all that there is to say is the error.
    if files.len() == 1
        && let Some(failure) = failures.pop()
    {
        pipeline.annotate(&report)?;
        return Err(failure);
    }
    if let Some(output) = &html_file {
        output.write(html::page(&report))?;
    }
    write_json_or_text(json_file.as_ref(), &report, text::text)?;
    pipeline.annotate(&report)?;
    verdict(&report, failures, in_no_file(&arguments.clip, missing))
}

/// What became of a file.
struct Audited {
    /// Nothing where the file has none of the clips.
    report: Option<FileReport>,
    /// Clips that were asked for and are not there, and how to say that.
    missing: Vec<(String, Failure)>,
}

/// Files side by side, frames of each file side by side; the order of the answers is that of the files. Lines are written in
/// that order, too: then one file after the other.
fn audit_all(files: &[String], shown: &Shown, lines: Option<&JsonLines>) -> Vec<Result<Audited, Failure>> {
    let work = Work::new(files);
    let audit = |(number, file): (usize, &String)| {
        let progress = |done, frames, triangles| work.is_at(number, done, frames, triangles);
        let audited = audit_file(file, files.len() == 1, shown, lines, progress);
        work.is_over(number);
        audited
    };
    match lines {
        Some(_) => files.iter().enumerate().map(audit).collect(),
        None => files.par_iter().enumerate().map(audit).collect(),
    }
}

/// Asks and draws, so that nothing but the report of a file is kept.
fn audit_file(
    file: &str,
    is_only_file: bool,
    shown: &Shown,
    lines: Option<&JsonLines>,
    progress: impl Fn(usize, usize, usize),
) -> Result<Audited, Failure> {
    let Asked { answer, missing } = ask(file, is_only_file, shown.arguments, lines, progress)?;
    let Some(mut answer) = answer else { return Ok(Audited { report: None, missing }) };
    only_events(&mut answer.audit.events, &shown.arguments.event, is_only_file)
        .map_err(|failure| failure.at(file))?;
    let mut report = file_report(file, shown, &answer)?;
    shown.draw(file, &answer, &mut report.events).map_err(|failure| failure.at(file))?;
    report.missing_clips = missing.iter().map(|(name, _)| name.clone()).collect();
    Ok(Audited { report: Some(report), missing })
}

/// All that is said of a file; without pictures.
fn file_report(file: &str, shown: &Shown, answer: &Answer) -> Result<FileReport, Failure> {
    let bleeding = shown.bleeding(file, answer)?;
    let events = shown.reports(file, answer).map_err(|failure| failure.at(file))?;
    let audit = &answer.audit;
    Ok(FileReport {
        file: file.to_owned(),
        triangles: audit.triangles,
        vertices: audit.vertices,
        bones: audit.bones,
        size: audit.size,
        hidden_bones: audit.hidden_bones.clone(),
        missing_clips: Vec::new(),
        bleeding,
        events,
        clips: audit.clips.clone(),
        short_names: answer.question.short_names.clone(),
    })
}

/// Leaves only events of some ids, if any are given.
fn only_events(events: &mut Vec<Event>, ids: &[String], is_only_file: bool) -> Result<(), Failure> {
    if ids.is_empty() {
        return Ok(());
    }
    let known: BTreeSet<&str> = events.iter().map(|event| event.id.as_str()).collect();
    let missing = ids.iter().find(|id| !known.contains(id.as_str()));
    if let (Some(missing), true) = (missing, is_only_file) {
        let known: Vec<String> = known.into_iter().map(str::to_owned).collect();
        let known = if known.is_empty() { "none".to_owned() } else { as_many_as_fit(&known, 200) };
        return Err(bad_usage(format!("--event {missing:?}: there is no such event; there are: {known}")));
    }
    events.retain(|event| ids.contains(&event.id));
    Ok(())
}

/// A clip that was asked for and that every file lacks: `missing` has what each of them lacks.
fn in_no_file(clips: &[String], missing: Vec<Vec<(String, Failure)>>) -> Option<Failure> {
    let count = missing.len();
    let is_missing = |name: &&String| missing.iter().all(|of_file| of_file.iter().any(|(n, _)| n == *name));
    let name = clips.iter().find(is_missing)?;
    let (_, first) = missing.into_iter().next()?.into_iter().find(|(n, _)| n == name)?;
    Some(first.at(format!("none of {count} files has the clip, the first of them")))
}

fn settings(arguments: &AuditArguments) -> Settings {
    let path = |path: &Option<PathBuf>| path.as_ref().map(|path| path.display().to_string());
    let is_shown = |class: &Class| arguments.class.iter().any(|name| name.contains(*class));
    Settings {
        fps: arguments.fps,
        skinning: Skinning::from(arguments.skinning).name(),
        clips: arguments.clip.clone(),
        part: arguments.part.clone(),
        without: arguments.without.clone(),
        scene: arguments.scene.clone(),
        events: arguments.event.clone(),
        bones: arguments.bones.clone(),
        bones_apart: arguments.bones_apart,
        between: arguments.between.clone(),
        against: arguments.against.against.clone(),
        attach: arguments.against.attach.clone(),
        offset: arguments.against.offset.map(|offset| offset.to_array()),
        turn: arguments.against.turn.map(|turn| turn.to_array()),
        scale: arguments.against.scale,
        min_depth: match arguments.min_depth {
            Depth::Units(units) => units.to_string(),
            Depth::Percent(percent) => format!("{percent}%"),
            other => format!("{other:?}"),
        },
        min_frames: arguments.min_frames,
        classes: Class::ALL.into_iter().filter(is_shown).collect(),
        accept: path(&arguments.accept),
        baseline: path(&arguments.baseline),
    }
}

/// Files that could not be audited weigh more than a limit: without them nobody knows whether it is kept.
fn verdict(report: &Report, failures: Vec<Failure>, no_clip: Option<Failure>) -> Result<(), Failure> {
    let count = failures.len();
    if let Some(first) = failures.into_iter().next() {
        for file in &report.failed {
            remark(format_args!("not audited: {}", file.error));
        }
        let all = report.all_files();
        return Err(first.summed_up(format!("{count} of {all} files could not be audited")));
    }
    if let Some(failure) = no_clip {
        return Err(failure);
    }
    match report.totals.failing {
        0 => Ok(()),
        _ => Err(failed_check(text::outcome(&report.totals, &report.settings))),
    }
}
