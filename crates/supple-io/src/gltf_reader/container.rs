//! Takes a binary glTF apart into its chunks; a text glTF is all JSON.
//!
//! Must hold: lengths in the file are believed only as far as there are bytes.
//!
//! Based on: Khronos Group, glTF 2.0 specification, section 4.4.

use crate::Problem;

const HEADER: usize = 12;
const CHUNK_HEADER: usize = 8;

/// The pieces of a file.
#[derive(Debug)]
pub(super) struct Container<'a> {
    pub json: &'a [u8],
    pub binary: Option<&'a [u8]>,
    pub format: &'static str,
}

pub(super) fn split<'a>(bytes: &'a [u8], notes: &mut Vec<String>) -> Result<Container<'a>, Problem> {
    if !bytes.starts_with(b"glTF") {
        // The specification forbids a byte order mark; some editors write it nevertheless.
        let json = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        return Ok(Container { json, binary: None, format: "glTF 2.0 (text)" });
    }
    let rest = checked_contents(bytes, notes)?;
    let (json, rest) = next_chunk("chunk 0", rest)?;
    if &json.kind != b"JSON" {
        return Err(Problem::invalid("chunk 0", format!("is {}; expected JSON", name(&json.kind))));
    }
    let mut binary = None;
    if !rest.is_empty() {
        let (chunk, _) = next_chunk("chunk 1", rest)?;
        // Other chunks are extensions that may be skipped.
        binary = (&chunk.kind == b"BIN\0").then_some(chunk.data);
    }
    // Some programs pad with zeros where the specification wants spaces.
    let end = json.data.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
    Ok(Container { json: &json.data[..end], binary, format: "glTF 2.0 (binary)" })
}

fn checked_contents<'a>(bytes: &'a [u8], notes: &mut Vec<String>) -> Result<&'a [u8], Problem> {
    let (Some(version), Some(length)) = (u32_at(bytes, 4), u32_at(bytes, 8)) else {
        return Err(too_short(bytes.len()));
    };
    if version != 2 {
        return Err(Problem::invalid("header", format!("version {version} of binary glTF; expected 2")));
    }
    let length = length as usize;
    if length < HEADER + CHUNK_HEADER {
        return Err(too_short(length));
    }
    let Some(contents) = bytes.get(HEADER..length) else {
        return Err(Problem::invalid(
            "header",
            format!("the file is cut off: {} bytes; expected {length}", bytes.len()),
        ));
    };
    if bytes.len() > length {
        notes.push(format!("header: {} bytes after the end were ignored", bytes.len() - length));
    }
    Ok(contents)
}

struct Chunk<'a> {
    kind: [u8; 4],
    data: &'a [u8],
}

fn next_chunk<'a>(place: &str, bytes: &'a [u8]) -> Result<(Chunk<'a>, &'a [u8]), Problem> {
    let (Some(length), Some(kind)) = (u32_at(bytes, 0), bytes.get(4..).and_then(<[u8]>::first_chunk)) else {
        return Err(Problem::invalid(place, format!("{} bytes; expected a header of 8", bytes.len())));
    };
    let rest = &bytes[CHUNK_HEADER..];
    match rest.split_at_checked(length as usize) {
        Some((data, rest)) => Ok((Chunk { kind: *kind, data }, rest)),
        None => Err(Problem::invalid(
            place,
            format!("{} has {} bytes; expected {length}", name(kind), rest.len()),
        )),
    }
}

fn u32_at(bytes: &[u8], offset: usize) -> Option<u32> {
    bytes.get(offset..).and_then(<[u8]>::first_chunk).copied().map(u32::from_le_bytes)
}

fn too_short(bytes: usize) -> Problem {
    Problem::invalid("header", format!("{bytes} bytes; expected at least 20 for a binary glTF"))
}

fn name(kind: &[u8; 4]) -> String {
    kind.escape_ascii().to_string()
}
