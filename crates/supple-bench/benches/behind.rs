//! The rule for all tables: the library is never behind. Rows that break it are listed at the end.

use supple_bench::targets::NEVER_BEHIND;
use supple_report::columns::number;

/// Rows that break the rule, and how many were looked at.
#[derive(Default)]
pub struct Behind {
    rows: Vec<String>,
    looked_at: usize,
}

impl Behind {
    /// Looks at a row: what is asked, of whom, and the ratio theirs / ours.
    pub fn look(&mut self, asked: &str, row: &str, ratio: f64) {
        self.looked_at += 1;
        if ratio < NEVER_BEHIND {
            self.rows.push(format!("  {}  {row}: {asked}", number(ratio)));
        }
    }

    /// The list, or a line that says that there is none; nothing if there were no rows at all.
    pub fn print(&self) {
        let Self { rows, looked_at } = self;
        if *looked_at == 0 {
            return;
        }
        if rows.is_empty() {
            println!("\nNever behind: all {looked_at} ratios are at least {NEVER_BEHIND}");
        } else {
            println!("\nBehind: {} of {looked_at} ratios are below {NEVER_BEHIND}", rows.len());
            rows.iter().for_each(|row| println!("{row}"));
        }
    }
}
