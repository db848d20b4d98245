//! The circumstances under which something was measured: machine, revision of the sources, day.

use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

/// Processor, cores and operating system, as far as they can be known.
pub fn machine() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    let name = name.map_or("unknown processor", |(_, name)| name.trim());
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let cores = if cores == 1 { "1 core".to_owned() } else { format!("{cores} cores") };
    format!("{name}, {cores}, {} {}", std::env::consts::OS, std::env::consts::ARCH)
}

/// The revision of the sources, where the program is run inside of their repository; otherwise "unknown".
pub fn commit() -> String {
    let git = |arguments: &[&str]| {
        let output = Command::new("git").args(arguments).output().ok().filter(|o| o.status.success())?;
        Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    let inside = |root: &String| std::path::Path::new(root).join("crates/supple-report/Cargo.toml").exists();
    git(&["rev-parse", "--show-toplevel"])
        .filter(inside)
        .and_then(|_| git(&["describe", "--always", "--dirty", "--exclude=*"]))
        .unwrap_or_else(|| "unknown".to_owned())
}

/// Today as year-month-day, in UTC.
pub fn date() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let [year, month, day] = civil_from_days(seconds / 86_400);
    format!("{year}-{month:02}-{day:02}")
}

/// Year, month and day of a number of days after 1970-01-01.
///
/// Years are counted from March, so that the leap day is the last of a year; an era has 400 years of 146,097 days.
fn civil_from_days(days: u64) -> [u64; 3] {
    let since_era = days + 719_468;
    let (era, day_of_era) = (since_era / 146_097, since_era % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    // Months from March on have 31 and 30 days in turns that repeat after five: 153 days.
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = 400 * era + year_of_era + u64::from(month <= 2);
    [year, month, day]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_become_dates() {
        for (days, date) in [
            (0, [1970, 1, 1]),
            (58, [1970, 2, 28]),
            (59, [1970, 3, 1]),
            (11_016, [2000, 2, 29]),
            (11_017, [2000, 3, 1]),
            (20_088, [2024, 12, 31]),
            (47_540, [2100, 2, 28]),
            (47_541, [2100, 3, 1]),
        ] {
            assert_eq!(civil_from_days(days), date);
        }
    }
}
