//! A binary FBX printed as text: an own parser of its records, so that the library reads the same file in two ways.
//!
//! A record is: end, count and length of its values, a name, the values, records within it, an empty record. Up to version 7.4 the
//! first three are u32, later u64. Arrays may be compressed by zlib.

use std::fmt::Write;
use std::io::Read;

/// The text of a binary FBX.
pub fn as_text(bytes: &[u8]) -> String {
    assert!(bytes.starts_with(b"Kaydara FBX Binary  \0"));
    let version = u32::from_le_bytes(bytes[23..27].try_into().unwrap());
    let mut parser = Parser { bytes, at: 27, wide: version >= 7500 };
    let mut text = format!("; FBX {}.{}.0 project file\n", version / 1000, version / 100 % 10);
    while parser.record(&mut text, 0) {}
    text
}

struct Parser<'b> {
    bytes: &'b [u8],
    at: usize,
    wide: bool,
}

impl Parser<'_> {
    /// Prints one record; false for the empty one at the end of a list.
    fn record(&mut self, text: &mut String, depth: usize) -> bool {
        let (end, values, _length) = (self.size(), self.size(), self.size());
        let name_length = self.take(1)[0] as usize;
        let name = String::from_utf8(self.take(name_length).to_vec()).unwrap();
        if end == 0 {
            return false;
        }
        write!(text, "{:depth$}{name}: ", "").unwrap();
        for index in 0..values {
            if index > 0 {
                text.push_str(", ");
            }
            self.value(text);
        }
        if self.at < end {
            text.push_str(" {\n");
            while self.record(text, depth + 1) {}
            write!(text, "{:depth$}}}", "").unwrap();
        }
        text.push('\n');
        assert_eq!(self.at, end);
        true
    }

    fn value(&mut self, text: &mut String) {
        let kind = self.take(1)[0];
        match kind {
            b'S' => {
                let length = self.number::<4>() as usize;
                let string = String::from_utf8(self.take(length).to_vec()).unwrap();
                // Binary: name, zero, one, class. Text: class, two colons, name.
                let string = match string.split_once("\0\u{1}") {
                    Some((name, class)) => format!("{class}::{name}"),
                    None => string,
                };
                write!(text, "\"{}\"", string.replace('"', "&quot;")).unwrap();
            }
            b'R' => {
                let length = self.number::<4>() as usize;
                self.take(length);
                text.push_str("\"\"");
            }
            b'f' | b'd' | b'l' | b'i' | b'b' => self.array(text, kind.to_ascii_uppercase()),
            single => {
                let size = size_of_kind(single);
                let bytes = self.take(size).to_vec();
                scalar(text, single, &bytes);
            }
        }
    }

    fn array(&mut self, text: &mut String, kind: u8) {
        let (count, encoding, stored) =
            (self.number::<4>() as usize, self.number::<4>(), self.number::<4>() as usize);
        let size = if kind == b'B' { 1 } else { size_of_kind(kind) };
        let plain = match encoding {
            0 => self.take(count * size).to_vec(),
            _ => {
                let mut plain = Vec::new();
                flate2::read::ZlibDecoder::new(self.take(stored)).read_to_end(&mut plain).unwrap();
                plain
            }
        };
        write!(text, "*{count} {{\na: ").unwrap();
        for (index, item) in plain.chunks_exact(size).enumerate() {
            if index > 0 {
                text.push(',');
            }
            scalar(text, kind, item);
        }
        text.push_str("\n}");
    }

    fn size(&mut self) -> usize {
        if self.wide { self.number::<8>() as usize } else { self.number::<4>() as usize }
    }

    fn number<const N: usize>(&mut self) -> u64 {
        let mut whole = [0; 8];
        whole[..N].copy_from_slice(self.take(N));
        u64::from_le_bytes(whole)
    }

    fn take(&mut self, count: usize) -> &[u8] {
        self.at += count;
        &self.bytes[self.at - count..self.at]
    }
}

fn size_of_kind(kind: u8) -> usize {
    match kind {
        b'C' | b'B' => 1,
        b'Y' => 2,
        b'I' | b'F' => 4,
        b'D' | b'L' => 8,
        other => panic!("a value of kind {}", char::from(other)),
    }
}

/// Numbers are printed so that they read back as they were.
fn scalar(text: &mut String, kind: u8, bytes: &[u8]) {
    match kind {
        b'C' | b'B' => write!(text, "{}", bytes[0]),
        b'Y' => write!(text, "{}", i16::from_le_bytes(bytes.try_into().unwrap())),
        b'I' => write!(text, "{}", i32::from_le_bytes(bytes.try_into().unwrap())),
        b'L' => write!(text, "{}", i64::from_le_bytes(bytes.try_into().unwrap())),
        // All digits: readers of text do not know that it was an f32.
        b'F' => write!(text, "{}", f64::from(f32::from_le_bytes(bytes.try_into().unwrap()))),
        _ => write!(text, "{}", f64::from_le_bytes(bytes.try_into().unwrap())),
    }
    .unwrap();
}
