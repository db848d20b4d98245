//! Files that belong to a file, told without reading the model: buffers and images of a glTF.
//!
//! In: a path. Out: paths of other files. A file that is broken or of another kind has none; why is told by whoever reads it.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use percent_encoding::percent_decode_str;
use serde::Deserialize;

use crate::whole_file::read_whole_file;

/// Before the JSON of a binary glTF: its header, and that of the chunk with the chunk's length at its start.
const BINARY_HEADER: usize = 20;

/// The JSON of a binary glTF is read up to this many bytes: a hundred times of what large characters have.
const MAX_JSON_BYTES: u64 = 1 << 28;

/// Files that a file on the disk names, relative to its folder: buffers and images of a glTF. They may be missing.
///
/// ```no_run
/// for file in supple_io::other_files_of("man.gltf") {
///     println!("{}", file.display());
/// }
/// ```
pub fn other_files_of(path: impl AsRef<Path>) -> Vec<PathBuf> {
    let path = path.as_ref();
    let folder = path.parent().unwrap_or(Path::new(""));
    let names = json_of(path).map_or_else(Vec::new, |json| names(&json));
    names.into_iter().map(|name| folder.join(name)).collect()
}

/// The JSON of a glTF. Pipes are left alone: they can be read only once.
fn json_of(path: &Path) -> Option<Vec<u8>> {
    let mut file =
        fs::metadata(path).ok().filter(fs::Metadata::is_file).and_then(|_| File::open(path).ok())?;
    let mut start = Vec::new();
    file.by_ref().take(BINARY_HEADER as u64).read_to_end(&mut start).ok()?;
    if start.starts_with(b"glTF") {
        let length = u32::from_le_bytes(*start.get(12..)?.first_chunk()?);
        let mut json = Vec::new();
        file.take(u64::from(length).min(MAX_JSON_BYTES)).read_to_end(&mut json).ok()?;
        return Some(json);
    }
    let is_text = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("gltf"))
        || start.trim_ascii_start().starts_with(b"{");
    is_text.then(|| read_whole_file(path).ok())?
}

#[derive(Deserialize)]
struct Document {
    #[serde(default)]
    buffers: Vec<Named>,
    #[serde(default)]
    images: Vec<Named>,
}

#[derive(Deserialize)]
struct Named {
    uri: Option<String>,
}

fn names(json: &[u8]) -> Vec<String> {
    let json = json.strip_prefix(b"\xef\xbb\xbf").unwrap_or(json);
    let Ok(document) = serde_json::from_slice::<Document>(json) else { return Vec::new() };
    let uris = document.buffers.into_iter().chain(document.images).filter_map(|named| named.uri);
    let files = uris.filter(|uri| !uri.starts_with("data:"));
    files.map(|uri| percent_decode_str(&uri).decode_utf8_lossy().into_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buffers_and_images_are_named() {
        let folder = std::env::temp_dir().join(format!("supple-named-files-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let json = br#"{"buffers":[{"byteLength":3,"uri":"a%20b.bin"},{"uri":"data:;base64,AAAA"},{}],
                        "images":[{"uri":"skin/c.png"},{"bufferView":1}]}"#;
        let header = [&b"glTF\x02\0\0\0"[..], &[0; 4], &(json.len() as u32).to_le_bytes(), b"JSON"].concat();
        let wanted = [folder.join("a b.bin"), folder.join("skin/c.png")];
        for (name, bytes) in [("a.gltf", json.to_vec()), ("b.glb", [&header[..], json, b"more"].concat())] {
            let path = folder.join(name);
            fs::write(&path, bytes).unwrap();
            assert_eq!(other_files_of(&path), wanted, "{name}");
        }
        for (name, bytes) in
            [("c.gltf", &b"{"[..]), ("d.glb", b"glTF"), ("e.obj", b"v 0 0 0"), ("f.gltf", b"")]
        {
            let path = folder.join(name);
            fs::write(&path, bytes).unwrap();
            assert_eq!(other_files_of(&path), [""; 0].map(PathBuf::from), "{name}");
        }
        fs::remove_dir_all(&folder).unwrap();
    }
}
