//! What makes an audit a check that runs every night: earlier decisions, and files for build servers.
//!
//! In: the arguments; later what was found. Out: what was decided of every event; files and annotations.
//! Must hold: everything that can be wrong with lists and names is known before the first model is read.

use std::path::{Path, PathBuf};

use super::accept::{self, AcceptList};
use super::arguments::AuditArguments;
use super::baseline::Baseline;
use super::model_path::current_folder;
use super::report::{FileReport, Report, Settings};
use super::{github, junit, sarif};
use crate::failure::{Blame, Failure, OrBlame, bad_usage};
use crate::output::{Contents, Files, Output, is_same_file};
use crate::print::print;
use crate::table::{as_many_as_fit, counted};

/// Lists that were read and files that will be written.
#[derive(Debug)]
pub struct Pipeline<'a> {
    arguments: &'a AuditArguments,
    folder: &'a Path,
    accept: Option<AcceptList<'a>>,
    baseline: Option<Baseline>,
    write_accept: Option<Output>,
    junit: Option<Output>,
    sarif: Option<Output>,
}

/// Where relative names begin.
pub fn folder() -> PathBuf {
    current_folder()
}

/// Files that are read and that no output may replace. The list of accepted events may be read and then written: that updates it.
pub fn inputs(arguments: &AuditArguments) -> Vec<String> {
    let is_updated =
        |list: &&PathBuf| arguments.write_accept.as_ref().is_some_and(|new| is_same_file(list, new));
    let lists = arguments.accept.iter().filter(|list| !is_updated(list)).chain(&arguments.baseline);
    lists.map(|path| path.display().to_string()).collect()
}

impl<'a> Pipeline<'a> {
    /// Reads the lists, and looks whether the files can be written.
    pub fn new(
        arguments: &'a AuditArguments,
        folder: &'a Path,
        claimed: &mut Files,
    ) -> Result<Self, Failure> {
        let text = Contents::Text;
        let pipeline = Self {
            arguments,
            folder,
            write_accept: claimed.optional("--write-accept", arguments.write_accept.as_ref(), text)?,
            junit: claimed.optional("--junit", arguments.junit.as_ref(), text)?,
            sarif: claimed.optional("--sarif", arguments.sarif.as_ref(), text)?,
            accept: arguments.accept.as_ref().map(|path| AcceptList::read(path, folder)).transpose()?,
            baseline: arguments.baseline.as_ref().map(|path| Baseline::read(path, folder)).transpose()?,
        };
        Ok(pipeline)
    }

    /// Annotations are printed, so nothing else may go there. To be asked when all outputs are known.
    pub fn check_stdout(&self, claimed: &Files) -> Result<(), Failure> {
        match claimed.for_stdout().filter(|_| self.arguments.github) {
            Some(option) => {
                Err(bad_usage(format!("--github prints to stdout, and {option} is written there")))
            }
            None => Ok(()),
        }
    }

    /// Decides what is accepted or known. Out: remarks.
    pub fn judge(&self, files: &mut [FileReport], settings: &Settings) -> Result<Vec<String>, Failure> {
        let mut remarks = Vec::new();
        if let Some(list) = &self.accept {
            list.judge(files);
            let over = list.no_longer_happen(files, settings);
            if !over.is_empty() {
                let names: Vec<String> = over.iter().map(|e| format!("{} in {}", e.event, e.file)).collect();
                let happen = if over.len() == 1 { "happens" } else { "happen" };
                let count = counted(over.len(), "accepted event");
                remarks.push(format!("{count} no longer {happen}: {}", as_many_as_fit(&names, 200)));
            }
        }
        if let Some(baseline) = &self.baseline {
            baseline.judge(files, self.folder);
            if let Some(differ) = baseline.other_settings(settings).or_blame(Blame::Output)? {
                let remark =
                    "the earlier audit had other settings, so events may be new or known just for that";
                remarks.push(format!("{remark}: {differ}"));
            }
        }
        Ok(remarks)
    }

    /// Writes the files.
    pub fn write(&self, report: &Report) -> Result<(), Failure> {
        if let Some(output) = &self.write_accept {
            let none = AcceptList::empty(self.folder);
            let place = self.arguments.write_accept.as_deref().and_then(Path::parent);
            let list_folder = self.folder.join(place.unwrap_or(Path::new("")));
            let entries = self.accept.as_ref().unwrap_or(&none).updated(report, &list_folder);
            output.write(accept::json(entries)?)?;
        }
        if let Some(output) = &self.junit {
            output.write(junit::xml(report))?;
        }
        if let Some(output) = &self.sarif {
            let sarif = sarif::json(report, self.folder);
            output.write(serde_json::to_string_pretty(&sarif).or_blame(Blame::Output)? + "\n")?;
        }
        Ok(())
    }

    /// Prints annotations, if they were asked for.
    pub fn annotate(&self, report: &Report) -> Result<(), Failure> {
        if self.arguments.github {
            print(&github::annotations(report, self.folder))?;
        }
        Ok(())
    }
}
