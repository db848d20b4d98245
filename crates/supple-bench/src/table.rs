//! Tables for a terminal of 110 columns.

/// A table: a line that explains it, a header and rows; the first columns are text, the others numbers.
pub struct Table {
    explanation: String,
    rows: Vec<Vec<String>>,
    texts: usize,
}

impl Table {
    /// An empty table whose first `texts` columns are text.
    pub fn new(explanation: &str, texts: usize, header: &[&str]) -> Self {
        let rows = vec![header.iter().map(|h| (*h).to_owned()).collect()];
        Self { explanation: explanation.to_owned(), rows, texts }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    /// The table as text; empty if it has no rows.
    pub fn text(&self) -> String {
        if self.rows.len() < 2 {
            return String::new();
        }
        let length = |cell: &String| cell.chars().count();
        let width = |c: usize| self.rows.iter().filter_map(|r| r.get(c)).map(length).max().unwrap_or(0);
        let mut text = format!("\n{}\n", self.explanation);
        for row in &self.rows {
            let cell = |(c, cell): (usize, &String)| match c < self.texts {
                true => format!("{cell:<0$}", width(c)),
                false => format!("{cell:>0$}", width(c)),
            };
            let line = row.iter().enumerate().map(cell).collect::<Vec<_>>().join("  ");
            text += &format!("  {}\n", line.trim_end());
        }
        text
    }
}

/// A time or count, with as many digits as it deserves.
pub fn number(value: f64) -> String {
    match value.abs() {
        v if v >= 99.95 => format!("{value:.0}"),
        v if v >= 9.995 => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    }
}

/// A ratio that must reach a target: the ratio, the target, and whether it does.
pub fn at_least(ratio: f64, target: f64) -> [String; 2] {
    [number(ratio), format!(">={} {:<5}", short(target), mark(ratio >= target))]
}

/// A ratio that must stay below a target.
pub fn at_most(ratio: f64, target: f64) -> [String; 2] {
    [number(ratio), format!("<={} {:<5}", short(target), mark(ratio <= target))]
}

/// A target.
pub fn short(value: f64) -> String {
    if value >= 10.0 { format!("{value:.0}") } else { format!("{value:.1}").replace(".0", "") }
}

/// Whether a target is reached.
pub fn mark(reached: bool) -> &'static str {
    if reached { "ok" } else { "short" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let mut table = Table::new("what it is", 1, &["name", "us"]);
        table.row(vec!["a".into(), number(123.4)]);
        assert_eq!(table.text(), "\nwhat it is\n  name   us\n  a     123\n");
        assert_eq!(at_least(2.0, 1.3), ["2.00", ">=1.3 ok   "]);
    }
}
