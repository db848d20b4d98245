//! Where the bytes of a glTF's buffers are: in the binary chunk, in data URIs, in files beside it.
//!
//! Must hold: only files in the folder of the glTF or below are asked for; a buffer is as long as the document says.

use std::borrow::Cow;
use std::path::{Component, Path};

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use gltf::json;
use percent_encoding::percent_decode_str;

use super::document::Document;
use super::meshopt_view;
use crate::{OtherFiles, Problem};

/// The bytes of each buffer; `None` for placeholders that only stand for compressed views.
pub(super) type Buffers<'a> = Vec<Option<Cow<'a, [u8]>>>;

pub(super) fn load_buffers<'a>(
    document: &Document,
    binary: Option<&'a [u8]>,
    other_files: OtherFiles,
) -> Result<Buffers<'a>, Problem> {
    let mut load = |(index, buffer): (usize, &json::Buffer)| {
        let place = format!("buffer {index}");
        let bytes = match &buffer.uri {
            _ if meshopt_view::is_placeholder(buffer) => return Ok(None),
            None if index == 0 => binary.map(Cow::Borrowed),
            None => None,
            Some(uri) => Some(Cow::Owned(load_uri(&place, uri, other_files)?)),
        };
        bytes.map(|bytes| cut(&place, bytes, buffer.byte_length.0)).transpose()
    };
    document.buffers.iter().enumerate().map(&mut load).collect()
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

fn load_uri(place: &str, uri: &str, other_files: OtherFiles) -> Result<Vec<u8>, Problem> {
    if let Some(data) = uri.strip_prefix("data:") {
        return decode_data_uri(place, data);
    }
    let Some(name) = relative_name(uri) else {
        let message = format!("is at {}; expected a data URI or a file in the same folder", shortened(uri));
        return Err(Problem::invalid(place, message));
    };
    other_files(&name).map_err(|source| Problem::OtherFile {
        place: place.to_owned(),
        name: name.into_owned(),
        source,
    })
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

/// The name of a file that is in the same folder or below.
fn relative_name(uri: &str) -> Option<Cow<'_, str>> {
    let name = percent_decode_str(uri).decode_utf8().ok()?;
    if name.is_empty() || name.contains(':') || name.contains('\0') {
        return None;
    }
    let mut components = Path::new(name.as_ref()).components();
    let stays = components.all(|c| matches!(c, Component::Normal(_) | Component::CurDir));
    stays.then_some(name)
}

/// The beginning of a text that may be megabytes long.
fn shortened(text: &str) -> String {
    let start: String = text.chars().take(60).collect();
    if start.len() < text.len() { format!("{start:?}...") } else { format!("{start:?}") }
}
