//! The report as one page that needs no other file.

use super::report::Report;
use crate::page::document;

const STYLE: &str = include_str!("page.css");

/// The whole page.
pub fn page(_report: &Report) -> String {
    document("supple audit", STYLE, "")
}
