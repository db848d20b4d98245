//! Other files that a file names, such as the buffers of a glTF.
//!
//! In: a name, relative to the file that names it, with `/` between folders; it never leaves its folder. Out: the bytes.

use std::io::{Error, ErrorKind, Result};
use std::path::Path;

use crate::whole_file::read_whole_file;

/// Gives the bytes of another file, or says why not.
pub type OtherFiles<'a> = &'a mut dyn FnMut(&str) -> Result<Vec<u8>>;

/// For files that stand alone: any other file that one names is missing.
///
/// ```
/// let text = br#"{"asset": {"version": "2.0"}, "buffers": [{"byteLength": 36, "uri": "body.bin"}]}"#;
/// let error = supple_io::read_bytes("body.gltf", text, &mut supple_io::no_other_files).unwrap_err();
/// assert_eq!(error.to_string(), "body.gltf: buffer 0: the file body.bin cannot be read: no other files were given");
/// ```
///
/// # Errors
/// Always [`ErrorKind::NotFound`].
pub fn no_other_files(_name: &str) -> Result<Vec<u8>> {
    Err(Error::new(ErrorKind::NotFound, "no other files were given"))
}

/// Files of a folder and those below.
pub(crate) fn files_in(folder: &Path) -> impl FnMut(&str) -> Result<Vec<u8>> + use<'_> {
    move |name| {
        let path = folder.join(name);
        // Devices and pipes have no end.
        if !std::fs::metadata(&path)?.is_file() {
            return Err(Error::new(ErrorKind::InvalidInput, "it is not a file"));
        }
        read_whole_file(&path)
    }
}
