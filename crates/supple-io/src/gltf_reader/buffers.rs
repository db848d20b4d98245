//! Where the bytes of a glTF's buffers are: in the binary chunk, in data URIs, in files beside it.
//!
//! Must hold: only files in the folder of the glTF or below are opened; a buffer is as long as the document says.

use std::borrow::Cow;
use std::fs;
use std::path::{Component, Path, PathBuf};

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use gltf::json;
use percent_encoding::percent_decode_str;

use super::document::Document;
use super::meshopt_view;
use crate::Problem;

/// The bytes of each buffer; `None` for placeholders that only stand for compressed views.
pub(super) type Buffers<'a> = Vec<Option<Cow<'a, [u8]>>>;

pub(super) fn load_buffers<'a>(
    document: &Document,
    binary: Option<&'a [u8]>,
    folder: Option<&Path>,
) -> Result<Buffers<'a>, Problem> {
    let load = |(index, buffer): (usize, &json::Buffer)| {
        let place = format!("buffer {index}");
        let bytes = match &buffer.uri {
            _ if meshopt_view::is_placeholder(buffer) => return Ok(None),
            None if index == 0 => binary.map(Cow::Borrowed),
            None => None,
            Some(uri) => Some(Cow::Owned(load_uri(&place, uri, folder)?)),
        };
        bytes.map(|bytes| cut(&place, bytes, buffer.byte_length.0)).transpose()
    };
    document.buffers.iter().enumerate().map(load).collect()
}

/// Exactly `length` bytes; more may follow (padding), less is an error.
fn cut<'a>(place: &str, bytes: Cow<'a, [u8]>, length: u64) -> Result<Cow<'a, [u8]>, Problem> {
    let found = bytes.len();
    let wanted = usize::try_from(length).ok().filter(|&wanted| wanted <= found);
    let Some(wanted) = wanted else {
        return Err(Problem::invalid(place, format!("has {found} bytes; expected {length}")));
    };
    Ok(match bytes {
        Cow::Borrowed(bytes) => Cow::Borrowed(&bytes[..wanted]),
        Cow::Owned(mut bytes) => {
            bytes.truncate(wanted);
            Cow::Owned(bytes)
        }
    })
}

fn load_uri(place: &str, uri: &str, folder: Option<&Path>) -> Result<Vec<u8>, Problem> {
    if let Some(data) = uri.strip_prefix("data:") {
        return decode_data_uri(place, data);
    }
    let invalid = |message: String| Problem::invalid(place, message);
    let relative = relative_path(uri).ok_or_else(|| {
        invalid(format!("is at {}; expected a data URI or a file in the same folder", shortened(uri)))
    })?;
    let Some(folder) = folder else {
        return Err(invalid(format!("is in the file {}, but no folder was given", relative.display())));
    };
    let path = folder.join(&relative);
    let unreadable = |e: std::io::Error| invalid(format!("the file {} cannot be read: {e}", path.display()));
    // Devices and pipes have no end.
    if !fs::metadata(&path).map_err(unreadable)?.is_file() {
        return Err(invalid(format!("{} is not a file", path.display())));
    }
    fs::read(&path).map_err(unreadable)
}

fn decode_data_uri(place: &str, data: &str) -> Result<Vec<u8>, Problem> {
    let Some((kind, text)) = data.split_once(',') else {
        return Err(Problem::invalid(place, "a data URI without a comma; expected data:...;base64,..."));
    };
    if !kind.ends_with(";base64") {
        return Err(Problem::invalid(
            place,
            format!("data URI of kind {}; expected base64", shortened(kind)),
        ));
    }
    let config = GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);
    GeneralPurpose::new(&STANDARD, config)
        .decode(text)
        .map_err(|e| Problem::invalid(place, format!("the data URI is not base64: {e}")))
}

/// A path that stays below the folder it is relative to.
fn relative_path(uri: &str) -> Option<PathBuf> {
    let decoded = percent_decode_str(uri).decode_utf8().ok()?;
    if decoded.is_empty() || decoded.contains(':') || decoded.contains('\0') {
        return None;
    }
    let path = PathBuf::from(decoded.as_ref());
    let stays = path.components().all(|c| matches!(c, Component::Normal(_) | Component::CurDir));
    stays.then_some(path)
}

/// The beginning of a text that may be megabytes long.
fn shortened(text: &str) -> String {
    let start: String = text.chars().take(60).collect();
    if start.len() < text.len() { format!("{start:?}...") } else { format!("{start:?}") }
}
