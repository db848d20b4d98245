//! Columns of text for a terminal, and numbers in them.

/// A line that explains, a header and rows; the first columns are text, the others numbers.
#[derive(Clone, Debug)]
pub struct Columns {
    explanation: String,
    rows: Vec<Vec<String>>,
    texts: usize,
}

impl Columns {
    /// A header without rows; the first `texts` columns are text.
    pub fn new(explanation: &str, texts: usize, header: &[&str]) -> Self {
        let rows = vec![header.iter().map(|h| (*h).to_owned()).collect()];
        Self { explanation: explanation.to_owned(), rows, texts }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    /// All lines, with an empty one before them; nothing at all if there are no rows.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let mut columns = Columns::new("what it is", 1, &["name", "us"]);
        columns.row(vec!["a".into(), number(123.4)]);
        assert_eq!(columns.text(), "\nwhat it is\n  name   us\n  a     123\n");
    }
}
