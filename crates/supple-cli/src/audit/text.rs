//! The report for eyes.

use super::report::Report;

/// The whole report, ending with a line break.
pub fn text(report: &Report) -> String {
    let mut text = String::new();
    for file in &report.files {
        text += &format!("{}\n", file.file);
        for event in &file.events {
            text += &format!("  {} {}\n", event.event.class.name(), event.event.name);
        }
    }
    text
}

/// Three digits that count.
pub fn length(length: f32) -> String {
    let size = length.abs();
    match size {
        0.0 => "0".to_owned(),
        _ if !(1e-4..1e6).contains(&size) => format!("{length:.2e}"),
        _ => {
            let decimals = (2 - size.log10().floor() as i32).clamp(0, 6) as usize;
            format!("{length:.decimals$}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_have_three_digits() {
        let shown = [0.0, 0.01234, 1.7349, 178.31, 2_345.6, 1.5e-7, 3e9].map(length);
        assert_eq!(shown, ["0", "0.0123", "1.73", "178", "2346", "1.50e-7", "3.00e9"]);
    }
}
