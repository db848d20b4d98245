//! Deformed meshes as files: what each extension holds.

use std::path::{Path, PathBuf};

use glam::DAffine3;
use supple::Mesh;
use supple::Skin;
use supple::model::{Model, ModelError, Part, PosedModel};
use supple::pose::{Joint, Node, Skeleton, Transform};
use supple_io::VertexCache;

use super::poser::Poser;
use crate::failure::{Blame, Failure, OrBlame, bad_usage};
use crate::frames::Frames;
use crate::progress::{bar, while_waiting};

/// Kinds of files that can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

    /// Tells the kind by the extension, among those that can be written here.
    pub fn of(path: &Path, possible: &[Self]) -> Result<Self, Failure> {
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

    fn extension(self) -> &'static str {
        match self {
            Self::Obj => "obj",
            Self::Glb => "glb",
            Self::Pc2 => "pc2",
            Self::Mdd => "mdd",
        }
    }
}

/// Writes one pose as OBJ or GLB.
pub fn write_frame(posed: &PosedModel<'_>, kind: OutputKind, path: &Path) -> Result<(), Failure> {
    let (positions, normals) = (posed.positions(), posed.normals());
    let mesh = posed.model().mesh();
    match kind {
        OutputKind::Glb => {
            let frozen = frozen(posed.model(), posed_mesh(posed).or_blame(Blame::Input)?);
            supple_io::write_glb(path, &frozen.or_blame(Blame::Input)?)
        }
        _ => supple_io::write_obj(path, &positions, mesh.triangles(), normals.as_deref(), mesh.uvs()),
    }
    .or_blame(Blame::Output)
}

/// Writes one OBJ per frame; returns the first and the last.
pub fn write_sequence(
    poser: &Poser<'_>,
    frames: &Frames,
    path: &Path,
) -> Result<(PathBuf, PathBuf), Failure> {
    let progress = bar(frames.count(), "writing").counting(" frames");
    for (frame, time) in frames.times().enumerate() {
        write_frame(&poser.posed(time)?, OutputKind::Obj, &numbered(path, frame))?;
        progress.inc(1);
    }
    Ok((numbered(path, 0), numbered(path, frames.count() - 1)))
}

/// Writes all frames as one vertex cache.
pub fn write_cache(poser: &Poser<'_>, frames: &Frames, kind: OutputKind, path: &Path) -> Result<(), Failure> {
    let progress = bar(frames.count(), "deforming").counting(" frames");
    let mut positions = Vec::new();
    for time in frames.times() {
        positions.push(poser.posed(time)?.positions());
        progress.inc(1);
    }
    let cache = VertexCache::evenly(positions, frames.start(), frames.fps);
    while_waiting(format!("writing {}", path.display()), || match kind {
        OutputKind::Mdd => supple_io::write_mdd(path, &cache),
        _ => supple_io::write_pc2(path, &cache, frames.fps),
    })
    .or_blame(Blame::Output)
}

/// `out.obj` becomes `out_0007.obj`; a run of `#` is replaced by the number.
fn numbered(path: &Path, frame: usize) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    if let Some(start) = name.find('#') {
        let digits = name[start..].len() - name[start..].trim_start_matches('#').len();
        let (before, after) = (&name[..start], &name[start + digits..]);
        return path.with_file_name(format!("{before}{frame:0digits$}{after}"));
    }
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!("{stem}_{frame:04}.{extension}"))
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
    fn frames_are_numbered() {
        let name = |path: &str, frame| numbered(Path::new(path), frame).display().to_string();
        assert_eq!(name("a/out.obj", 7), "a/out_0007.obj");
        assert_eq!(name("out-##.obj", 7), "out-07.obj");
        assert_eq!(name("out-#.obj", 123), "out-123.obj");
    }

    #[test]
    fn kinds_are_told_by_the_extension() {
        let all = OutputKind::ALL;
        assert_eq!(OutputKind::of(Path::new("a.OBJ"), &all).unwrap(), OutputKind::Obj);
        let message =
            |path, possible: &[_]| OutputKind::of(Path::new(path), possible).unwrap_err().to_string();
        assert_eq!(
            message("a.fbx", &all),
            "a.fbx: cannot be written as \"fbx\"; expected .obj, .glb, .pc2 or .mdd"
        );
        assert!(message("a.pc2", &all[..2]).ends_with("expected .obj or .glb"));
        assert!(message("a", &all).starts_with("a: has no extension"));
    }
}
