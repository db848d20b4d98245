//! Tables of words and numbers.

use std::fmt;

use crate::columns::number;

/// What stands in one row and column of a table.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// Words; an empty text where nothing is known.
    Text(String),
    /// How many.
    Count(usize),
    /// A number with its unit, which may be empty.
    Number(f64, &'static str),
    /// A small number of which only the size matters.
    Size(f64),
}

/// Rows under a header.
#[derive(Clone, Debug)]
pub struct Table {
    /// What it shows, with the paper's number of it.
    pub caption: String,
    columns: Vec<String>,
    rows: Vec<Vec<Cell>>,
}

impl Table {
    /// A table without rows.
    pub fn new<S: Into<String>>(caption: impl Into<String>, columns: impl IntoIterator<Item = S>) -> Self {
        let columns = columns.into_iter().map(Into::into).collect();
        Self { caption: caption.into(), columns, rows: Vec::new() }
    }

    /// Adds a row.
    ///
    /// # Panics
    /// It has another number of cells than the table has columns.
    pub fn row(&mut self, cells: impl IntoIterator<Item = Cell>) {
        let cells: Vec<Cell> = cells.into_iter().collect();
        assert_eq!(cells.len(), self.columns.len(), "cells of a row of {:?}", self.caption);
        self.rows.push(cells);
    }

    /// Names of the columns.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// All rows; each has as many cells as there are columns.
    pub fn rows(&self) -> &[Vec<Cell>] {
        &self.rows
    }

    /// Whether a column has numbers, which stand on the right.
    pub fn is_numeric(&self, column: usize) -> bool {
        self.rows.iter().any(|row| row.get(column).is_some_and(|cell| !matches!(cell, Cell::Text(_))))
    }
}

impl Cell {
    /// A ratio, as `2.16 x`.
    pub fn ratio(value: f64) -> Self {
        Self::Number(value, "x")
    }

    /// The number in the cell.
    pub fn value(&self) -> Option<f64> {
        match *self {
            Self::Text(_) => None,
            Self::Count(count) => Some(count as f64),
            Self::Number(value, _) | Self::Size(value) => Some(value),
        }
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<usize> for Cell {
    fn from(count: usize) -> Self {
        Self::Count(count)
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => f.write_str(text),
            Self::Count(count) => f.write_str(&grouped(*count)),
            Self::Number(value, "") => f.write_str(&number(*value)),
            Self::Number(value, unit) => write!(f, "{} {unit}", number(*value)),
            Self::Size(value) => f.write_str(&size(*value)),
        }
    }
}

/// Small numbers by their order of magnitude, as `3e-13`.
fn size(value: f64) -> String {
    match value.abs() {
        0.0 => "0".to_owned(),
        v if v >= 0.01 => number(value),
        _ => format!("{value:.0e}"),
    }
}

/// A number with commas between thousands.
pub fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_the_digits_that_they_deserve() {
        let texts = [
            Cell::from(1_234_567),
            Cell::Number(0.0375, "ms"),
            Cell::Number(12.34, ""),
            Cell::ratio(2.159),
            Cell::Size(3.4e-13),
            Cell::Size(0.524),
            Cell::Size(0.0),
            Cell::from("-"),
        ];
        let texts = texts.map(|cell| cell.to_string());
        assert_eq!(texts, ["1,234,567", "0.04 ms", "12.3", "2.16 x", "3e-13", "0.52", "0", "-"]);
    }
}
