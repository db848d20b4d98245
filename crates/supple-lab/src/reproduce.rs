//! `supple-lab reproduce`: the tables and figures of the papers, made again.
//!
//! In: which papers. Out: tables on stdout, and a page.

use std::fs;
use std::path::Path;

use anyhow::Context;
use supple_cli::failure::{Blame, Failure, OrBlame};
use supple_cli::output::{Contents, Files, Output};
use supple_cli::print::{print, remark};
use supple_repro::report::{html::html, text::text};
use supple_repro::{Options, reproduce};

use crate::arguments::ReproduceArguments;

/// The page's name in the folder of `--out`.
const PAGE: &str = "report.html";

/// Measures, prints and writes.
pub fn run(arguments: &ReproduceArguments) -> Result<(), Failure> {
    let page = arguments.out.as_deref().map(page_in).transpose()?;
    let options = Options { quick: arguments.quick };
    let measuring = |experiment: &str| remark(format_args!("measuring {experiment}"));
    let report = reproduce(&arguments.papers, &options, measuring);
    print(&text(&report))?;
    if let Some(page) = page {
        page.write(html(&report))?;
        print(&format!("\nwritten: {page}\n"))?;
    }
    Ok(())
}

/// The folder is made if need be, and whether the page can be written is known before anything is measured.
fn page_in(folder: &Path) -> Result<Output, Failure> {
    let mut files = Files::reading::<String>([]);
    if folder.as_os_str() == "-" {
        return files.output("--out", folder, Contents::Text);
    }
    fs::create_dir_all(folder)
        .with_context(|| format!("{}: cannot be made", folder.display()))
        .or_blame(Blame::Output)?;
    files.output("--out", &folder.join(PAGE), Contents::Text)
}
