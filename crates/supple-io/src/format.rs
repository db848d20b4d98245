//! Which format a file has, by its name and its first bytes.

use crate::Problem;

/// What there are readers for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Format {
    Gltf,
    Obj,
    /// Motion without a mesh.
    Bvh,
    /// Its reader is only there with the feature `fbx`.
    Fbx,
}

const KNOWN_EXTENSIONS: &str =
    if cfg!(feature = "fbx") { ".gltf, .glb, .vrm, .obj, .fbx" } else { ".gltf, .glb, .vrm, .obj" };

impl Format {
    /// Bytes that begin like one format only decide; then what stands after the last dot of the name; then what the bytes look
    /// like.
    pub fn of(name: &str, bytes: &[u8]) -> Result<Self, Problem> {
        let extension = name.rsplit('.').next().unwrap_or_default().to_lowercase();
        let by_extension = || match extension.as_str() {
            "gltf" | "glb" | "vrm" => Some(Self::Gltf),
            "obj" => Some(Self::Obj),
            "bvh" => Some(Self::Bvh),
            "fbx" => Some(Self::Fbx),
            _ => None,
        };
        signature(bytes).or_else(by_extension).or_else(|| likely(bytes)).ok_or_else(|| {
            Problem::UnknownFormat {
                extension: name.rsplit_once('.').map_or_else(String::new, |_| extension.clone()),
                expected: KNOWN_EXTENSIONS,
            }
        })
    }

    /// An FBX for a build that does not read it.
    #[cfg(not(feature = "fbx"))]
    pub fn left_out() -> Problem {
        Problem::invalid(
            "FBX",
            "this build does not read it; build without --no-default-features (the library: with the feature fbx), which \
             needs a C compiler",
        )
    }
}

/// The format whose files alone begin with these bytes.
fn signature(bytes: &[u8]) -> Option<Format> {
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
    if bytes.starts_with(b"Kaydara FBX Binary") || text.starts_with(b"; FBX") {
        return Some(Format::Fbx);
    }
    bytes.starts_with(b"glTF").then_some(Format::Gltf)
}

/// The format that text looks like.
fn likely(bytes: &[u8]) -> Option<Format> {
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
    if text.starts_with(b"{") {
        return Some(Format::Gltf);
    }
    if text.starts_with(b"HIERARCHY") {
        return Some(Format::Bvh);
    }
    // The first line that is no comment and no material library: a vertex or a name.
    let mut lines = text.split(|&byte| byte == b'\n').map(|line| line.trim_ascii());
    let first =
        lines.find(|line| !line.is_empty() && !line.starts_with(b"#") && !line.starts_with(b"mtllib "));
    first
        .filter(|line| [&b"v "[..], b"o ", b"g "].iter().any(|word| line.starts_with(word)))
        .map(|_| Format::Obj)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_contents_tell_the_format() {
        let of = |name: &str, bytes: &[u8]| Format::of(name, bytes).ok();
        for name in ["a.glb", "A.GLB", "a.b.gltf", "glb", "x/y.vrm"] {
            assert_eq!(of(name, b"?"), Some(Format::Gltf), "{name}");
        }
        assert_eq!(of("a.obj", b"{"), Some(Format::Obj));
        assert_eq!(of("a.FBX", b"?"), Some(Format::Fbx));
        assert_eq!(of("a.glb", b"Kaydara FBX Binary  \0"), Some(Format::Fbx));
        assert_eq!(of("a.glb", b"; FBX 7.4.0 project file"), Some(Format::Fbx));
        assert_eq!(of("", b"; FBX 7.4.0 project file"), Some(Format::Fbx));
        assert_eq!(of("a.obj", b"glTF\x02"), Some(Format::Gltf), "a signature is stronger than a name");
        assert_eq!(of("", b"\xef\xbb\xbf  {\"asset\""), Some(Format::Gltf));
        assert_eq!(of("blob", b"# made by hand\r\nmtllib a.mtl\r\n\r\nv 0 0 0\r\n"), Some(Format::Obj));
        for (name, bytes) in
            [("a.xyz", &b"verse one"[..]), ("", b""), ("a.", b"\0\0"), ("no-dot", b"# v 0 0 0")]
        {
            assert_eq!(of(name, bytes), None, "{name}");
        }
    }
}
