//! `supple audit`: which clip puts a hand through a thigh.
//!
//! In: models, or folders of them. Out: for every clip the pairs of bones that intersect, in which frames, by how many
//! triangles and how deep; as text, JSON or a page.

mod bones;
mod depth;
mod files;
mod frame;
mod html;
mod patch;
mod picture;
mod play;
mod report;
mod text;

use indicatif::ProgressBar;
use rayon::prelude::*;
use supple::Skinning;

use crate::arguments::AuditArguments;
use crate::failure::{Blame, Failure, OrBlame, failed_check};
use crate::output::Output;
use crate::print::print;
use crate::progress::bar;

use self::play::audit_file;
use self::report::{FailedFile, FileReport, Report, Settings, Totals};

/// Reads, plays, and prints or writes what was found.
pub fn run(arguments: &AuditArguments) -> Result<(), Failure> {
    let json_file = arguments.json.as_deref().filter(|file| *file != "-").map(Output::new).transpose()?;
    let html_file = arguments.html.as_deref().map(Output::new).transpose()?;
    let files = files::files(&arguments.files)?;
    let progress = bar(0, "auditing");
    let audited = audit_all(&files, arguments, &progress);
    progress.finish_and_clear();

    let (mut reports, mut failed, mut failures) = (Vec::new(), Vec::new(), Vec::new());
    for (file, outcome) in files.iter().zip(audited) {
        match outcome {
            Ok(report) => reports.push(report),
            Err(failure) => {
                failed.push(FailedFile { file: file.clone(), error: failure.to_string() });
                failures.push(failure);
            }
        }
    }
    if files.len() == 1
        && let Some(failure) = failures.pop()
    {
        return Err(failure);
    }
    let settings = settings(arguments);
    let report = Report { totals: Totals::new(&reports, &settings), settings, files: reports, failed };
    if let Some(output) = &html_file {
        output.write(html::page(&report))?;
    }
    write_json_or_text(arguments, json_file.as_ref(), &report)?;
    verdict(&report, failures)
}

/// Files side by side, frames of each file side by side; the order of the answers is that of the files.
fn audit_all(
    files: &[String],
    arguments: &AuditArguments,
    progress: &ProgressBar,
) -> Vec<Result<FileReport, Failure>> {
    files.par_iter().map(|file| audit_file(file, arguments, progress)).collect()
}

fn settings(arguments: &AuditArguments) -> Settings {
    Settings {
        fps: arguments.fps,
        skinning: Skinning::from(arguments.skinning).name(),
        clips: arguments.clips.clone(),
        bones: arguments.bones.clone(),
        rings: arguments.rings,
        skip_same_bone: arguments.skip_same_bone,
        skip_parent_child: arguments.skip_parent_child,
        ignore_rest: arguments.ignore_rest,
        max_pairs: arguments.max_pairs,
    }
}

fn write_json_or_text(
    arguments: &AuditArguments,
    json_file: Option<&Output>,
    report: &Report,
) -> Result<(), Failure> {
    if arguments.json.is_some() {
        let json = serde_json::to_string(report).or_blame(Blame::Output)? + "\n";
        match json_file {
            Some(output) => output.write(json)?,
            None => return print(&json),
        }
    }
    print(&text::text(report))
}

/// Files that could not be audited weigh more than a limit: without them nobody knows whether it is kept.
fn verdict(report: &Report, failures: Vec<Failure>) -> Result<(), Failure> {
    let count = failures.len();
    if let Some(first) = failures.into_iter().next() {
        for file in &report.failed {
            eprintln!("not audited: {}", file.error);
        }
        let all = count + report.files.len();
        return Err(first.at(format!("{count} of {all} files could not be audited, the first of them")));
    }
    let Some(limit) = report.settings.max_pairs else { return Ok(()) };
    let motions =
        report.files.iter().flat_map(|file| file.motions().iter().map(move |motion| (file, motion)));
    match motions.filter(|(_, motion)| motion.over_limit).max_by_key(|(_, motion)| motion.most_pairs) {
        None => Ok(()),
        Some((file, motion)) => Err(failed_check(format!(
            "{}: frame {} of {:?} has {} intersecting pairs of triangles, more than --max-pairs {limit}",
            file.file,
            motion.fullest_frame,
            motion.title(),
            motion.most_pairs
        ))),
    }
}
