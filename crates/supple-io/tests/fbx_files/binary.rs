//! A simple text FBX as a binary one of version 7.4, without compression.
//!
//! Knows what the texts of the tests have: records, strings, whole and broken numbers, arrays `*N { a: .. }`. Arrays are of doubles
//! unless their record is one of whole numbers.

/// The bytes of a text.
pub fn as_binary(text: &str) -> Vec<u8> {
    let lines: String =
        text.lines().filter(|line| !line.starts_with(';')).map(|line| format!("{line}\n")).collect();
    let mut reader = Reader { rest: &lines };
    let mut bytes = b"Kaydara FBX Binary  \0\x1a\0".to_vec();
    bytes.extend(7400u32.to_le_bytes());
    while reader.record(&mut bytes) {}
    bytes.extend([0; 13]);
    bytes
}

struct Reader<'t> {
    rest: &'t str,
}

impl Reader<'_> {
    /// Appends a record; false where none begins.
    fn record(&mut self, bytes: &mut Vec<u8>) -> bool {
        self.rest = self.rest.trim_start();
        let Some(colon) = self.rest.find(':').filter(|_| !self.rest.starts_with('}')) else { return false };
        let name = self.rest[..colon].to_owned();
        self.rest = &self.rest[colon + 1..];
        let start = bytes.len();
        bytes.extend([0; 12]);
        bytes.push(name.len() as u8);
        bytes.extend(name.bytes());
        let first_value = bytes.len();
        let mut count = 0u32;
        loop {
            self.rest = self.rest.trim_start_matches([' ', ',']);
            match self.rest.chars().next() {
                Some('"') => self.string(bytes),
                Some('*') => self.array(&name, bytes),
                Some(c) if c.is_ascii_digit() || c == '-' => self.number(bytes),
                _ => break,
            }
            count += 1;
            // A number after a comma may stand on the next line; a name does not.
            if self.rest.starts_with('\n') {
                break;
            }
        }
        let values = (bytes.len() - first_value) as u32;
        if self.rest.trim_start_matches(' ').starts_with('{') {
            self.rest = &self.rest[self.rest.find('{').unwrap() + 1..];
            while self.record(bytes) {}
            self.rest = self.rest.trim_start().strip_prefix('}').expect("a record ends");
            bytes.extend([0; 13]);
        }
        let end = bytes.len() as u32;
        bytes[start..start + 12].copy_from_slice(&[end, count, values].map(u32::to_le_bytes).concat());
        true
    }

    fn string(&mut self, bytes: &mut Vec<u8>) {
        let (text, rest) = self.rest[1..].split_once('"').unwrap();
        self.rest = rest;
        let stored = match text.split_once("::") {
            Some((class, name)) => format!("{name}\0\u{1}{class}"),
            None => text.to_owned(),
        };
        bytes.push(b'S');
        bytes.extend((stored.len() as u32).to_le_bytes());
        bytes.extend(stored.bytes());
    }

    fn number(&mut self, bytes: &mut Vec<u8>) {
        let end = self.rest.find([',', ' ', '\n', '}']).unwrap();
        let text = &self.rest[..end];
        self.rest = &self.rest[end..];
        match text.parse::<i64>() {
            Ok(whole) => {
                bytes.push(b'L');
                bytes.extend(whole.to_le_bytes());
            }
            Err(_) => {
                bytes.push(b'D');
                bytes.extend(text.parse::<f64>().unwrap().to_le_bytes());
            }
        }
    }

    fn array(&mut self, name: &str, bytes: &mut Vec<u8>) {
        let (count, rest) = self.rest[1..].split_once('{').unwrap();
        let (list, rest) = rest.split_once('}').unwrap();
        self.rest = rest;
        let items: Vec<&str> = list.trim().trim_start_matches("a:").split(',').map(str::trim).collect();
        let whole = |item: &&str| item.parse::<i64>().unwrap();
        let (kind, plain): (u8, Vec<u8>) = match name {
            "KeyTime" => (b'l', items.iter().map(whole).flat_map(i64::to_le_bytes).collect()),
            "PolygonVertexIndex" | "Indexes" | "KeyAttrFlags" | "KeyAttrRefCount" => {
                (b'i', items.iter().map(|item| whole(item) as i32).flat_map(i32::to_le_bytes).collect())
            }
            _ => (b'd', items.iter().flat_map(|item| item.parse::<f64>().unwrap().to_le_bytes()).collect()),
        };
        bytes.push(kind);
        // The count as the text has it, even where it lies.
        bytes.extend((count.trim().parse::<u64>().unwrap() as u32).to_le_bytes());
        bytes.extend(0u32.to_le_bytes());
        bytes.extend((plain.len() as u32).to_le_bytes());
        bytes.extend(plain);
    }
}
