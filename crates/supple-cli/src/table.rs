//! Tables of text: columns as wide as their widest cell, numbers to the right, long lists cut short.

use indicatif::HumanCount;

/// Which side of a column the cells stand on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Words.
    Left,
    /// Numbers.
    Right,
}

/// Rows of cells under a header.
#[derive(Clone, Debug)]
pub struct Table {
    sides: Vec<Side>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with a header and no rows.
    pub fn new(columns: &[(&str, Side)]) -> Self {
        let (header, sides) = columns.iter().map(|&(name, side)| (name.to_owned(), side)).unzip();
        Self { sides, rows: vec![header] }
    }

    /// Adds a row; it should have as many cells as there are columns.
    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// The header and at most `limit` rows, indented by two, and how many more there are.
    pub fn text(&self, limit: usize) -> String {
        self.text_with_hint(limit, "")
    }

    /// Like [`Self::text`]; `hint` follows the number of rows that are not shown.
    pub fn text_with_hint(&self, limit: usize, hint: &str) -> String {
        let shown = &self.rows[..self.rows.len().min(limit + 1)];
        let width = |column: usize| {
            shown.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max()
        };
        let widths: Vec<usize> = (0..self.sides.len()).map(|c| width(c).unwrap_or(0)).collect();
        let mut text = String::new();
        for row in shown {
            let mut line = String::new();
            for ((cell, &side), &width) in row.iter().zip(&self.sides).zip(&widths) {
                line += &match side {
                    Side::Left => format!("  {cell:<width$}"),
                    Side::Right => format!("  {cell:>width$}"),
                };
            }
            text += line.trim_end();
            text.push('\n');
        }
        let hidden = self.rows.len() - shown.len();
        if hidden > 0 {
            text += &format!("  … and {hidden} more{hint}\n");
        }
        text
    }
}

/// As many names as fit into `width` columns, and how many more there are: `hip, spine, … and 70 more`.
pub fn first_few<'a>(names: impl Iterator<Item = &'a str>, width: usize) -> String {
    as_many_as_fit(&names.map(|name| printable(name, 24)).collect::<Vec<_>>(), width)
}

/// Like [`first_few`], of names as long as they are.
pub fn as_many_as_fit(names: &[String], width: usize) -> String {
    let more = |shown: usize| match names.len() - shown {
        0 => String::new(),
        hidden => format!(", … and {hidden} more"),
    };
    let (mut shown, mut length) = (names.len().min(1), 0);
    for (index, name) in names.iter().enumerate() {
        length += name.chars().count() + if index > 0 { 2 } else { 0 };
        if length + more(index + 1).chars().count() <= width {
            shown = index + 1;
        }
    }
    names[..shown].join(", ") + &more(shown)
}

/// All names, whole: `hip, spine`.
pub fn joined(names: &[String]) -> String {
    names.iter().map(|name| printable(name, usize::MAX)).collect::<Vec<_>>().join(", ")
}

/// A name from a file on a terminal: no control characters, at most `limit` characters, `-` for an empty one.
pub fn printable(name: &str, limit: usize) -> String {
    if name.is_empty() {
        return "-".to_owned();
    }
    let clean: String = name.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    if clean.chars().count() <= limit {
        return clean;
    }
    clean.chars().take(limit - 1).chain(['…']).collect()
}

/// A number with commas between thousands.
pub fn grouped(number: usize) -> String {
    HumanCount(number as u64).to_string()
}

/// A count with its noun: `1 joint`, `12,000 joints`.
pub fn counted(count: usize, noun: &str) -> String {
    match (count, noun) {
        (1, _) => format!("1 {noun}"),
        (_, "vertex") => format!("{} vertices", grouped(count)),
        _ => format!("{} {noun}s", grouped(count)),
    }
}

/// A name like [`printable`] ones; those of bones often differ only at their ends, so long ones lose their middle.
pub fn shortened(name: &str, limit: usize) -> String {
    let name: Vec<char> = printable(name, usize::MAX).chars().collect();
    if name.len() <= limit {
        return name.into_iter().collect();
    }
    let (head, tail) = (limit / 3, limit - limit / 3 - 1);
    name[..head].iter().chain(['…'].iter()).chain(&name[name.len() - tail..]).collect()
}

/// Lines of at most `width` characters, each indented and ending with a line break. A word that is longer has a line of its own.
pub fn wrapped(text: &str, indent: usize, width: usize) -> String {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let line = &lines[lines.len() - 1];
        if !line.is_empty() && indent + line.chars().count() + 1 + word.chars().count() > width {
            lines.push(String::new());
        }
        if let Some(line) = lines.last_mut() {
            *line += if line.is_empty() { "" } else { " " };
            *line += word;
        }
    }
    lines.into_iter().map(|line| format!("{:indent$}{line}\n", "")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up_and_long_tables_are_cut() {
        let mut table = Table::new(&[("name", Side::Left), ("size", Side::Right)]);
        for (name, size) in [("a", 1), ("long", 1000), ("b", 2)] {
            table.row([name.to_owned(), grouped(size)]);
        }
        assert_eq!(table.text(2), "  name   size\n  a         1\n  long  1,000\n  … and 1 more\n");
        assert!(table.text_with_hint(2, ": elsewhere").ends_with("  … and 1 more: elsewhere\n"));
        assert!(!table.text_with_hint(3, ": elsewhere").contains("elsewhere"));
    }

    #[test]
    fn names_from_files_cannot_steer_the_terminal() {
        assert_eq!(printable("a\u{1b}[2Jb", 9), "a\u{fffd}[2Jb");
        assert_eq!(printable("abcdef", 4), "abc…");
        assert_eq!(printable("", 4), "-");
    }

    #[test]
    fn lists_stop_where_the_line_ends() {
        let few = |width| first_few(["one", "two", "three"].into_iter(), width);
        assert_eq!(few(15), "one, two, three");
        assert_eq!(few(14), "one, … and 2 more");
        assert_eq!(few(0), "one, … and 2 more");
    }

    #[test]
    fn counts_read_well() {
        assert_eq!(counted(1, "vertex"), "1 vertex");
        assert_eq!(counted(4402, "vertex"), "4,402 vertices");
        assert_eq!(counted(0, "joint"), "0 joints");
        assert_eq!(grouped(1_234_567), "1,234,567");
    }

    #[test]
    fn long_names_keep_both_ends() {
        assert_eq!(shortened("Skeleton_arm_joint_L__4_", 20), "Skelet…m_joint_L__4_");
        assert_eq!(shortened("hand\u{1b}", 20), "hand\u{fffd}");
    }

    #[test]
    fn long_lines_are_broken_between_words() {
        assert_eq!(wrapped("one two three", 2, 9), "  one two\n  three\n");
        assert_eq!(wrapped("one two three", 2, 8), "  one\n  two\n  three\n");
        assert_eq!(wrapped("incomprehensible, is it?", 1, 6), " incomprehensible,\n is\n it?\n");
        assert_eq!(wrapped("one", 0, 3), "one\n");
    }
}
