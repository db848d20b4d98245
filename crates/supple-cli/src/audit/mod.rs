//! `supple audit`: which clip puts a hand through a thigh.
//!
//! In: models, or folders of them. Out: for every clip the pairs of bones that intersect, in which frames, by how many
//! triangles and how deep; as text, JSON or a page.
//!
//! Three stages: asking (the crate `supple-audit`, by `ask`), drawing (`pictures`), writing (`report`, `text`, `html`).

mod ask;
mod bone_names;
#[cfg(test)]
mod coloured;
mod files;
mod html;
mod picture;
mod pictures;
mod report;
mod text;
mod work;

use rayon::prelude::*;
use supple::Skinning;

use crate::arguments::AuditArguments;
use crate::failure::{Failure, failed_check};
use crate::output::{Contents, Files, write_json_or_text};
use crate::print::remark;
use crate::table::grouped;

use self::ask::{Asked, ask};
use self::pictures::Pictures;
use self::report::{FailedFile, FileReport, Report, Settings, SkippedFile, Totals, has_no_clip, title};
use self::work::Work;

/// Reads, plays, and prints or writes what was found.
pub fn run(arguments: &AuditArguments) -> Result<(), Failure> {
    bone_names::check(&arguments.bones)?;
    let files = files::files(&arguments.files)?;
    let mut claimed = Files::reading(files.iter().chain(&arguments.other_clips.clips));
    let json_file = claimed.optional("--json", arguments.json.as_ref(), Contents::Text)?;
    let html_file = claimed.optional("--html", arguments.html.as_ref(), Contents::Text)?;
    let audited = audit_all(&files, arguments);

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
    if files.len() == 1
        && let Some(failure) = failures.pop()
    {
        return Err(failure);
    }
    let settings = settings(arguments);
    let report =
        Report { totals: Totals::new(&reports, &settings), settings, files: reports, skipped, failed };
    if let Some(output) = &html_file {
        output.write(html::page(&report))?;
    }
    write_json_or_text(json_file.as_ref(), &report, text::text)?;
    verdict(&report, failures, in_no_file(&arguments.clip, missing))
}

/// What became of a file.
struct Audited {
    /// Nothing where the file has none of the clips.
    report: Option<FileReport>,
    /// Clips that were asked for and are not there, and how to say that.
    missing: Vec<(String, Failure)>,
}

/// Files side by side, frames of each file side by side; the order of the answers is that of the files.
fn audit_all(files: &[String], arguments: &AuditArguments) -> Vec<Result<Audited, Failure>> {
    let work = Work::new(files);
    let audit = |(number, file): (usize, &String)| {
        let progress = |done, frames, triangles| work.is_at(number, done, frames, triangles);
        let audited = audit_file(file, files.len() == 1, arguments, progress);
        work.is_over(number);
        audited
    };
    files.par_iter().enumerate().map(audit).collect()
}

/// Asks and draws, so that nothing but the report of a file is kept.
fn audit_file(
    file: &str,
    is_only_file: bool,
    arguments: &AuditArguments,
    progress: impl Fn(usize, usize, usize),
) -> Result<Audited, Failure> {
    let Asked { answer, missing } = ask(file, is_only_file, arguments, progress)?;
    let Some(answer) = answer else { return Ok(Audited { report: None, missing }) };
    let pictures = match arguments.html {
        Some(_) => Pictures::draw(&answer).map_err(|failure| failure.at(file))?,
        None => Pictures::default(),
    };
    let report = FileReport {
        file: file.to_owned(),
        short_names: answer.short_names,
        audit: answer.audit,
        missing_clips: missing.iter().map(|(name, _)| name.clone()).collect(),
        pictures,
    };
    Ok(Audited { report: Some(report), missing })
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
    Settings {
        fps: arguments.fps,
        skinning: Skinning::from(arguments.skinning).name(),
        clips: arguments.clip.clone(),
        bones: arguments.bones.clone(),
        rings: arguments.rings,
        skip_same_bone: arguments.skip_same_bone,
        skip_parent_child: arguments.skip_parent_child,
        ignore_rest: arguments.ignore_rest,
        max_pairs: arguments.max_pairs,
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
    let Some(limit) = report.settings.max_pairs else { return Ok(()) };
    let played =
        report.files.iter().flat_map(|file| file.audit.played().iter().map(move |clip| (file, clip)));
    match played.filter(|(_, clip)| clip.over_limit).max_by_key(|(_, clip)| clip.most_pairs) {
        None => Ok(()),
        Some((file, clip)) => Err(failed_check(format!(
            "{}: frame {} of {:?} has {} intersecting pairs of triangles, more than --max-pairs {limit}{}",
            file.file,
            clip.fullest_frame,
            title(clip),
            grouped(clip.most_pairs),
            match report.totals.clips_over_limit {
                0 | 1 => String::new(),
                count => format!("; {} clips are over it", grouped(count)),
            }
        ))),
    }
}
