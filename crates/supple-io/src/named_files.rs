//! Files that belong to a file, told without reading the model: buffers and images of a glTF.
//!
//! In: a path. Out: paths of other files. A file that is broken or of another kind has none; why is told by whoever reads it.

use std::fmt;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use percent_encoding::percent_decode_str;
use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};

use crate::whole_file::read_whole_file;

/// Before the JSON of a binary glTF: its header, and that of the chunk with the chunk's length at its start.
const BINARY_HEADER: usize = 20;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

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
    let extension = path.extension().map(|extension| extension.to_ascii_lowercase()).unwrap_or_default();
    let text = start.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&start).trim_ascii_start();
    let is_text = ["gltf", "glb", "vrm"].iter().any(|known| extension == *known)
        || text.is_empty()
        || text.starts_with(b"{");
    is_text.then(|| read_whole_file(path).ok())?
}

/// Every `uri` of the JSON, wherever it stands: what is odd to a reader must not be a file that is overwritten. Of JSON that is broken,
/// those before the fault.
fn names(json: &[u8]) -> Vec<String> {
    let json = json.strip_prefix(BYTE_ORDER_MARK).unwrap_or(json);
    let mut uris = Vec::new();
    let uris_of = Uris { found: &mut uris, is_uri: false };
    // A fault is told by whoever reads the model.
    _ = uris_of.deserialize(&mut serde_json::Deserializer::from_slice(json));
    uris.into_iter().map(|uri| percent_decode_str(&uri).decode_utf8_lossy().into_owned()).collect()
}

/// Looks through any JSON value.
struct Uris<'f> {
    found: &'f mut Vec<String>,
    is_uri: bool,
}

impl<'de> DeserializeSeed<'de> for Uris<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Uris<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_str<E>(self, text: &str) -> Result<(), E> {
        if self.is_uri && !text.starts_with("data:") {
            self.found.push(text.to_owned());
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut entries: A) -> Result<(), A::Error> {
        while entries.next_element_seed(Uris { found: &mut *self.found, is_uri: false })?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<(), A::Error> {
        while let Some(key) = entries.next_key::<String>()? {
            entries.next_value_seed(Uris { found: &mut *self.found, is_uri: key == "uri" })?;
        }
        Ok(())
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }
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
        // What is odd elsewhere hides no file: twice the same key, values of other kinds, padding, leading bytes.
        let odd = br#"{"images":null,"buffers":[{"uri":5},{"uri":"a b.bin"},null],"buffers":{},"x":[{"uri":"skin/c.png"}]}"#;
        for (name, bytes) in [
            ("o.gltf", odd.to_vec()),
            ("p.gltf", [&odd[..], b"\0\0\0"].concat()),
            ("q.glb", [&b"\xef\xbb\xbf"[..], &[b' '; 30], &odd[..]].concat()),
            ("r.gltf", odd[..odd.len() - 1].to_vec()),
        ] {
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
