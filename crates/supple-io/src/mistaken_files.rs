//! Files that are not what their names say: told by their first bytes, in words that say what to do.

/// What the file is instead of a model, if it is one of the usual mistakes.
pub(crate) fn mistaken_for(bytes: &[u8]) -> Option<&'static str> {
    // Longer than any of the beginnings below, and than a byte order mark and some spaces.
    let start = &bytes[..bytes.len().min(256)];
    let text = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start).trim_ascii_start().to_ascii_lowercase();
    let binary: [(&[u8], &str); 11] = [
        (b"PK\x03\x04", "a zip archive (.zip, .usdz, .vroid ...); unpack it, or export the model as .glb"),
        (b"\x1f\x8b", "compressed by gzip; unpack it first"),
        (b"7z\xbc\xaf\x27\x1c", "a 7z archive; unpack it first"),
        (b"Rar!\x1a\x07", "a rar archive; unpack it first"),
        (b"BLENDER", "a Blender file; export the model as .glb from Blender"),
        (
            b"\x28\xb5\x2f\xfd",
            "compressed by zstd, as new Blender files are; unpack it, or export the model as .glb",
        ),
        (b"\x89PNG", "a PNG picture, not a model"),
        (b"\xff\xd8\xff", "a JPEG picture, not a model"),
        (b"PXR-USDC", "a USD file; export the model as .glb"),
        (b"\xff\xfe", "text in UTF-16; save it as UTF-8"),
        (b"\xfe\xff", "text in UTF-16; save it as UTF-8"),
    ];
    let words: [(&[u8], &str); 4] = [
        (
            b"version https://git-lfs.github.com/spec",
            "only a pointer to the file, left by Git LFS; `git lfs pull` gets the file itself",
        ),
        (b"<!doctype html", "a web page, probably of a download that needs a click or a login"),
        (b"<html", "a web page, probably of a download that needs a click or a login"),
        (b"#usda", "a USD file; export the model as .glb"),
    ];
    let found = binary.iter().find(|(beginning, _)| start.starts_with(beginning));
    let found = found.or_else(|| words.iter().find(|(beginning, _)| text.starts_with(beginning)));
    found.map(|(_, what)| *what)
}
