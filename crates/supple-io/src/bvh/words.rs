//! The words of a BVH file, with the lines they stand in.
//!
//! In: text with any white space and any line ends. Out: words; braces are words of their own.

/// Goes through the text once.
#[derive(Debug)]
pub(super) struct Words<'t> {
    left: &'t str,
    /// Line of what comes next, from 1.
    line: usize,
}

impl<'t> Words<'t> {
    pub fn new(text: &'t str) -> Self {
        Self { left: text, line: 1 }
    }

    /// The line of the next word.
    pub fn line(&mut self) -> usize {
        self.skip_space();
        self.line
    }

    /// The next word, which stays.
    pub fn peek(&mut self) -> Option<&'t str> {
        self.skip_space();
        let end = match self.left.chars().next()? {
            '{' | '}' => 1,
            _ => {
                self.left.find(|c: char| c.is_whitespace() || c == '{' || c == '}').unwrap_or(self.left.len())
            }
        };
        Some(&self.left[..end])
    }

    /// Whether the next word is this one, in any case; it is taken then.
    pub fn take(&mut self, word: &str) -> bool {
        let found = self.peek().is_some_and(|next| next.eq_ignore_ascii_case(word));
        if found {
            self.next();
        }
        found
    }

    /// What is left of the line, up to a brace: names may have spaces.
    pub fn rest_of_line(&mut self) -> &'t str {
        let end = self.left.find(['\n', '\r', '{', '}']).unwrap_or(self.left.len());
        let (rest, left) = self.left.split_at(end);
        self.left = left;
        rest.trim()
    }

    fn skip_space(&mut self) {
        let trimmed = self.left.trim_start();
        let space = &self.left[..self.left.len() - trimmed.len()];
        // Old line ends are one carriage return; a pair is one line end.
        let returns = space.matches('\r').count() - space.matches("\r\n").count();
        self.line += space.matches('\n').count() + returns;
        self.left = trimmed;
    }
}

impl<'t> Iterator for Words<'t> {
    type Item = &'t str;

    fn next(&mut self) -> Option<&'t str> {
        let word = self.peek()?;
        self.left = &self.left[word.len()..];
        Some(word)
    }
}
