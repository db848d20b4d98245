//! What the page's script filters and sorts by: attributes of cards and rows, and the controls above them.
//!
//! In: the report. Out: markup. Clips go by numbers that all files of the page share, so that clips of one name are one choice.

use std::collections::BTreeMap;
use std::fmt::Write;

use supple_audit::Class;

use super::super::report::{EventReport, FileReport, Report, title};
use super::words::counted_class;
use crate::page::escaped;
use crate::table::shortened;

/// Characters of a clip's name among the choices.
const CHOICE: usize = 60;

/// The clips of all files, by name.
pub struct ClipNames {
    numbers: BTreeMap<String, usize>,
}

impl ClipNames {
    pub fn new(report: &Report) -> Self {
        let names = report.files.iter().flat_map(|file| &file.clips).map(title);
        let mut numbers: BTreeMap<String, usize> = names.map(|name| (name, 0)).collect();
        for (number, slot) in numbers.values_mut().enumerate() {
            *slot = number;
        }
        Self { numbers }
    }

    /// What a card or a row of an event carries.
    pub fn attributes(&self, event: &EventReport, file: &FileReport) -> String {
        let mut clips: Vec<usize> = event
            .event
            .occurrences
            .iter()
            .filter_map(|occurrence| file.clips.get(occurrence.clip))
            .filter_map(|clip| self.numbers.get(&title(clip)).copied())
            .collect();
        clips.sort_unstable();
        clips.dedup();
        let clips: Vec<String> = clips.iter().map(usize::to_string).collect();
        let mut find = event.event.name.to_lowercase();
        for side in &event.event.sides {
            let names = side.bones.iter().chain(&side.mesh).chain([&side.body_part]);
            for name in names.map(|name| name.to_lowercase()) {
                if !find.contains(&name) {
                    find.push(' ');
                    find += &shortened(&name, CHOICE);
                }
            }
        }
        format!(
            "data-class=\"{}\" data-clips=\" {} \" data-depth=\"{:.4}\" data-seconds=\"{:.3}\" data-find=\"{}\"",
            event.event.class.name(),
            clips.join(" "),
            event.event.depth_percent,
            event.event.seconds,
            escaped(&find)
        )
    }

    /// Filters and orders; hidden until the script shows it. Nothing where there is nothing to choose from.
    pub fn controls(&self, report: &Report) -> String {
        let events = report.files.iter().map(|file| file.events.len()).sum::<usize>();
        if events < 2 {
            return String::new();
        }
        let mut classes = String::new();
        for class in Class::ALL.into_iter().filter(|&class| report.totals.of(class) > 0) {
            let _ = write!(
                classes,
                "<option value=\"{}\">{}</option>",
                class.name(),
                counted_class(report.totals.of(class), class)
            );
        }
        let mut clips = String::new();
        for (clip, number) in &self.numbers {
            let _ = write!(
                clips,
                "<option dir=\"auto\" value=\"{number}\">{}</option>",
                escaped(&shortened(clip, CHOICE))
            );
        }
        format!(
            "<form id=\"tools\" hidden>\
             <label>Body part or bone<input type=\"search\" name=\"find\" placeholder=\"hand\" autocomplete=\"off\"></label>\
             <label>Class<select name=\"class\"><option value=\"\">all</option>{classes}</select></label>\
             <label>Clip<select name=\"clip\"><option value=\"\">all</option>{clips}</select></label>\
             <label>At least this deep, %<input type=\"number\" name=\"depth\" min=\"0\" step=\"0.25\" value=\"0\"></label>\
             <label>Order<select name=\"order\"><option value=\"\">worst first</option><option value=\"depth\">deepest \
             first</option><option value=\"seconds\">longest first</option><option value=\"name\">by name</option></select></label>\
             <button type=\"reset\">Reset</button><output></output></form>"
        )
    }
}
