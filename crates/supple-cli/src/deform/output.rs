//! Deformed meshes as files: what each extension holds.

use std::path::Path;

use clap::ValueEnum;
use glam::DAffine3;
use supple::Mesh;
use supple::Skin;
use supple::model::{Model, ModelError, Part, PosedModel};
use supple::pose::{Joint, Node, Skeleton, Transform};
use supple_io::VertexCache;

use super::poser::Poser;
use crate::failure::{Blame, Failure, OrBlame, bad_usage};
use crate::frames::Frames;
use crate::output::{Contents, Numbered, is_no_file};
use crate::progress::bar;

/// Kinds of files that can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum OutputKind {
    /// A mesh, or a numbered sequence of them.
    Obj,
    /// A mesh that does not move.
    Glb,
    /// A vertex cache with a constant frame rate.
    Pc2,
    /// A vertex cache with a time per frame.
    Mdd,
}

impl OutputKind {
    /// All kinds.
    pub const ALL: [Self; 4] = [Self::Obj, Self::Glb, Self::Pc2, Self::Mdd];

    /// Tells the kind among those that can be written here: what the user says, then the extension. What is no file needs none
    /// if there is one kind only.
    pub fn of(path: &Path, format: Option<Self>, possible: &[Self]) -> Result<Self, Failure> {
        if let Some(format) = format {
            return Self::as_said(path, format, possible);
        }
        if is_no_file(path) && path.extension().is_none() {
            return match possible {
                [only] => Ok(*only),
                _ => Err(bad_usage(format!(
                    "{}: this name does not tell the kind of file; say --format {}",
                    path.display(),
                    possible.iter().map(|kind| kind.extension()).collect::<Vec<_>>().join(" or ")
                ))),
            };
        }
        let extension = path.extension().map(|e| e.to_string_lossy().to_lowercase());
        let named = |kind: &&Self| extension.as_deref() == Some(kind.extension());
        possible.iter().find(named).copied().ok_or_else(|| {
            let names: Vec<String> = possible.iter().map(|k| format!(".{}", k.extension())).collect();
            let expected = names.join(", ");
            let expected = match expected.rsplit_once(", ") {
                Some((all, last)) => format!("{all} or {last}"),
                None => expected,
            };
            let why = match &extension {
                Some(extension) => format!("cannot be written as {extension:?}"),
                None => "has no extension that tells the kind of file".to_owned(),
            };
            bad_usage(format!("{}: {why}; expected {expected}", path.display()))
        })
    }

    /// What the user says counts, unless the name says something else.
    fn as_said(path: &Path, format: Self, possible: &[Self]) -> Result<Self, Failure> {
        if !possible.contains(&format) {
            return Err(bad_usage(format!("--format {}: this cannot be written here", format.extension())));
        }
        match path.extension() {
            Some(extension) if !extension.eq_ignore_ascii_case(format.extension()) => {
                Err(bad_usage(format!(
                    "{}: the name says something else than --format {}",
                    path.display(),
                    format.extension()
                )))
            }
            _ => Ok(format),
        }
    }

    /// What it is for a terminal.
    pub fn contents(self) -> Contents {
        if self == Self::Obj { Contents::Text } else { Contents::Binary }
    }

    fn extension(self) -> &'static str {
        match self {
            Self::Obj => "obj",
            Self::Glb => "glb",
            Self::Pc2 => "pc2",
            Self::Mdd => "mdd",
        }
    }
}

/// One pose as OBJ or GLB.
pub fn frame_bytes(posed: &PosedModel<'_>, kind: OutputKind) -> Result<Vec<u8>, Failure> {
    let (positions, normals) = (posed.positions(), posed.normals());
    let mesh = posed.model().mesh();
    if kind == OutputKind::Glb {
        let frozen = frozen(posed.model(), posed_mesh(posed).or_blame(Blame::Input)?);
        return supple_io::glb_bytes(&frozen.or_blame(Blame::Input)?).or_blame(Blame::Output);
    }
    supple_io::obj_bytes(&positions, mesh.triangles(), normals.as_deref(), mesh.uvs()).or_blame(Blame::Output)
}

/// Writes one OBJ per frame. Returns what is to be said of other files.
pub fn write_sequence(
    poser: &Poser<'_>,
    frames: &Frames,
    output: Numbered,
) -> Result<Option<String>, Failure> {
    let progress = bar(frames.count(), "writing").counting(" frames");
    for (number, time) in frames.times().enumerate() {
        output.write(number, &frame_bytes(&poser.posed(time)?, OutputKind::Obj)?)?;
        progress.inc(1);
    }
    output.finish()
}

/// All frames as one vertex cache.
pub fn cache_bytes(poser: &Poser<'_>, frames: &Frames, kind: OutputKind) -> Result<Vec<u8>, Failure> {
    let progress = bar(frames.count(), "deforming").counting(" frames");
    let mut positions = Vec::new();
    for time in frames.times() {
        positions.push(poser.posed(time)?.positions());
        progress.inc(1);
    }
    let cache = VertexCache::evenly(positions, frames.start(), frames.fps);
    match kind {
        OutputKind::Mdd => supple_io::mdd_bytes(&cache),
        _ => supple_io::pc2_bytes(&cache, frames.fps),
    }
    .or_blame(Blame::Output)
}

/// The posed vertices as a mesh, with the triangles and texture coordinates of the model.
pub fn posed_mesh(posed: &PosedModel<'_>) -> Result<Mesh, ModelError> {
    let rest = posed.model().mesh();
    let mut mesh = Mesh::new(posed.positions(), rest.triangles().to_vec())?;
    if let Some(normals) = posed.normals() {
        mesh = mesh.with_normals(normals)?;
    }
    if let Some(uvs) = rest.uvs() {
        mesh = mesh.with_uvs(uvs.to_vec())?;
    }
    Ok(mesh)
}

/// A model that stays as it is, with the parts and materials of another: every part on a node of its own.
fn frozen(model: &Model, mesh: Mesh) -> Result<Model, ModelError> {
    let nodes = model.parts().iter().map(|p| Node::new(&p.name, None, Transform::IDENTITY)).collect();
    let joint = |node| Joint { node, inverse_bind: DAffine3::IDENTITY };
    let skeleton = Skeleton::new(nodes, (0..model.parts().len()).map(joint).collect())?;
    let mut followed = vec![[(0, 1.0)]; mesh.positions().len()];
    for (part, index) in model.parts().iter().zip(0u32..) {
        followed[part.vertices.clone()].fill([(index, 1.0)]);
    }
    let skin = Skin::new(model.parts().len(), followed.iter().map(|f| &f[..]))?;
    let on_own_node = |(node, part): (usize, &Part)| Part { node, coefficients: 0..0, ..part.clone() };
    Model::new(mesh, skin, skeleton)?.with_parts(model.parts().iter().enumerate().map(on_own_node).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_told_by_the_extension() {
        let all = OutputKind::ALL;
        assert_eq!(OutputKind::of(Path::new("a.OBJ"), None, &all).unwrap(), OutputKind::Obj);
        let message =
            |path, possible: &[_]| OutputKind::of(Path::new(path), None, possible).unwrap_err().to_string();
        assert_eq!(
            message("a.fbx", &all),
            "a.fbx: cannot be written as \"fbx\"; expected .obj, .glb, .pc2 or .mdd"
        );
        assert!(message("a.pc2", &all[..2]).ends_with("expected .obj or .glb"));
        assert!(message("a", &all).starts_with("a: has no extension"));
    }

    #[test]
    fn stdout_has_the_only_kind_or_the_one_that_is_said() {
        let of = |path: &str, format, possible: &[_]| OutputKind::of(Path::new(path), format, possible);
        assert_eq!(of("-", None, &[OutputKind::Glb]).unwrap(), OutputKind::Glb);
        assert!(of("-", None, &OutputKind::ALL).unwrap_err().to_string().contains("--format obj or glb or"));
        assert_eq!(of("-", Some(OutputKind::Mdd), &OutputKind::ALL).unwrap(), OutputKind::Mdd);
        assert_eq!(of("a", Some(OutputKind::Mdd), &OutputKind::ALL).unwrap(), OutputKind::Mdd);
        assert!(of("a.obj", Some(OutputKind::Mdd), &OutputKind::ALL).is_err());
        assert!(of("-", Some(OutputKind::Mdd), &OutputKind::ALL[..2]).is_err());
    }
}
