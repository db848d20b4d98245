//! A mesh that moves, as the user names it: OBJ files, a vertex cache with its mesh, or the clip of a model, as one sequence.

use std::path::Path;

use anyhow::{Context, anyhow};
use supple::Mesh;
use supple::Skinning;
use supple_fit::MeshSequence;
use supple_io::VertexCache;
use supple_zoo::cloth::{self, Cloth};

use crate::arguments::{Input, OtherClips};
use crate::clip::find_clip;
use crate::deform::posed_mesh;
use crate::failure::{Blame, Failure, OrBlame, bad_usage};
use crate::frames::{DEFAULT_FPS, Frames};
use crate::progress::{bar, while_waiting};
use crate::source;
use crate::table::{counted, printable};
use crate::topology::difference;

/// More positions than this, over all frames, are a mistake in the frame rate: they alone take a gigabyte.
const MAX_POSITIONS: usize = 100_000_000;

/// Stands before the name of a cloth that needs no file.
const CLOTH: &str = "cloth:";

/// Columns, rows and frames of such a cloth: about those of the flag in the thesis.
const CLOTH_SIZE: [usize; 3] = [93, 74, 200];

/// What the user named.
pub struct Wanted<'a> {
    /// Files, a model or a cloth.
    pub file: &'a str,
    /// The file of the mesh at rest.
    pub rest: Option<&'a str>,
    /// The clip of a model.
    pub clip: Option<&'a str>,
    /// Clips of other files, for a model.
    pub other_clips: &'a OtherClips,
    /// Frames per second.
    pub fps: Option<f32>,
}

/// A sequence and what it is made of.
pub struct Motion {
    pub sequence: MeshSequence,
    pub about: String,
}

/// Kinds of inputs, as their names tell.
enum Kind {
    /// A folder or a pattern.
    ObjFiles,
    Pc2,
    Mdd,
    /// A sheet of the zoo.
    Cloth,
    /// A model with a clip.
    Model,
}

impl Kind {
    fn of(input: &str) -> Self {
        let extension = Path::new(input).extension().map(|e| e.to_string_lossy().to_lowercase());
        match extension.as_deref() {
            _ if input.starts_with(CLOTH) => Self::Cloth,
            _ if Path::new(input).is_dir() => Self::ObjFiles,
            _ if !Path::new(input).exists() && input.contains('#') => Self::ObjFiles,
            Some("pc2") => Self::Pc2,
            Some("mdd") => Self::Mdd,
            _ => Self::Model,
        }
    }
}

/// Reads what the user named.
pub fn read(wanted: &Wanted) -> Result<Motion, Failure> {
    let file = wanted.file;
    let kind = Kind::of(file);
    if wanted.clip.is_some() && !matches!(kind, Kind::Model) {
        return Err(bad_usage(format!("{file}: --clip is for models, this has one motion only")));
    }
    if !wanted.other_clips.clips.is_empty() && !matches!(kind, Kind::Model) {
        return Err(bad_usage(format!("{file}: --clips is for models, this has a motion of its own")));
    }
    let fps = wanted.fps.unwrap_or(DEFAULT_FPS);
    let (rest, cache, about) = match kind {
        Kind::Model => from_clip(wanted)?,
        Kind::Cloth => from_zoo(file, fps)?,
        Kind::ObjFiles => from_obj_files(file, fps)?,
        Kind::Pc2 => (None, cache(file, || supple_io::read_pc2(file, fps))?, file.to_owned()),
        Kind::Mdd if wanted.fps.is_some() => {
            return Err(bad_usage(format!(
                "{file}: --fps is not for .mdd files, which have times of their own"
            )));
        }
        Kind::Mdd => (None, cache(file, || supple_io::read_mdd(file))?, file.to_owned()),
    };
    let rest = match (wanted.rest, rest) {
        (Some(named), own) => named_rest(file, named, own.as_ref(), &cache)?,
        (None, Some(own)) => own,
        (None, None) => {
            return Err(bad_usage(format!(
                "{file}: a vertex cache has no triangles; --rest names the file of its mesh"
            )));
        }
    };
    if cache.frames.len() == 1 {
        return Err(anyhow!("{file}: one frame is no animation; expected two at least"))
            .or_blame(Blame::Input);
    }
    let sequence = MeshSequence::new(rest, cache.frames, cache.times);
    Ok(Motion { sequence: sequence.context(file.to_owned()).or_blame(Blame::Input)?, about })
}

type Parts = (Option<Mesh>, VertexCache, String);

fn cache(
    file: &str,
    read: impl FnOnce() -> Result<VertexCache, supple_io::LoadError>,
) -> Result<VertexCache, Failure> {
    while_waiting(format!("reading {file}"), read).or_blame(Blame::Input)
}

fn from_zoo(file: &str, fps: f32) -> Result<Parts, Failure> {
    let name = &file[CLOTH.len()..];
    let cloth = Cloth::ALL.into_iter().find(|cloth| cloth.name() == name).ok_or_else(|| {
        let available = Cloth::ALL.map(Cloth::name).join(", ");
        bad_usage(format!("there is no cloth {name:?}; there are {available}"))
    })?;
    let [columns, rows, frames] = CLOTH_SIZE;
    let (rest, frames) = cloth::sequence(cloth, columns, rows, frames).or_blame(Blame::Usage)?;
    Ok((Some(rest), VertexCache::evenly(frames, 0.0, fps), file.to_owned()))
}

fn from_obj_files(file: &str, fps: f32) -> Result<Parts, Failure> {
    let read = || {
        let files = supple_io::find_obj_sequence(file)?;
        supple_io::read_obj_sequence(&files, fps)
    };
    let read = while_waiting(format!("reading {file}"), read).or_blame(Blame::Input)?;
    Ok((Some(read.model.mesh().clone()), read.cache, file.to_owned()))
}

/// A clip at even times, skinned linearly, which is what other tools would show.
fn from_clip(wanted: &Wanted) -> Result<Parts, Failure> {
    let file = wanted.file;
    let model = source::read(&Input { other_clips: wanted.other_clips.clone(), ..Input::whole(file) })?.model;
    let clip = match wanted.clip {
        Some(name) => find_clip(&model, name)?,
        None => model.clips().first().ok_or_else(|| nothing_moves(file)).or_blame(Blame::Input)?,
    };
    let times = Frames::of_clip(Some(clip), 0.0, wanted.fps, None)?;
    let vertices = model.mesh().positions().len();
    if times.count().saturating_mul(vertices) > MAX_POSITIONS {
        let frames = counted(times.count(), "frame");
        return Err(bad_usage(format!(
            "{frames} of {} are too many; choose a lower --fps",
            counted(vertices, "vertex")
        )));
    }
    let progress = bar(times.count(), "sampling").counting(" frames");
    let frame = |time: f64| {
        let pose = model.sample(clip, time)?;
        progress.inc(1);
        Ok(model.posed(&pose, Skinning::Linear)?.positions())
    };
    let frames: Result<_, supple::PoseError> = times.times().map(frame).collect();
    let frames = frames.with_context(|| file.to_owned()).or_blame(Blame::Input)?;
    let rest = model.posed(&model.rest_pose(), Skinning::Linear).or_blame(Blame::Input)?;
    let mesh = posed_mesh(&rest).or_blame(Blame::Input)?;
    let about = format!("{file}, clip {}", printable(clip.name(), 40));
    Ok((Some(mesh), VertexCache::evenly(frames, 0.0, times.fps), about))
}

fn nothing_moves(file: &str) -> anyhow::Error {
    let hint = match Path::new(file).extension() {
        Some(extension) if extension.eq_ignore_ascii_case("obj") => {
            "; of a sequence of OBJ files name the folder, or cloth_####.obj"
        }
        _ => "",
    };
    anyhow!("{file}: the model has no clips, so there is no motion{hint}")
}

/// The rest mesh that the user named, if it is the mesh that moves.
fn named_rest(file: &str, named: &str, own: Option<&Mesh>, cache: &VertexCache) -> Result<Mesh, Failure> {
    let model = source::read(&Input::whole(named))?.model;
    let posed = model.posed(&model.rest_pose(), Skinning::Linear).or_blame(Blame::Input)?;
    let mesh = posed_mesh(&posed).or_blame(Blame::Input)?;
    let vertices = [mesh.positions().len(), cache.vertex_count()].map(|count| counted(count, "vertex"));
    let problem = match own {
        Some(own) => difference(&mesh, file, own),
        None => {
            (vertices[0] != vertices[1]).then(|| format!("has {}, {file} has {}", vertices[0], vertices[1]))
        }
    };
    match problem {
        Some(problem) => Err(anyhow!("{named}: {problem}")).or_blame(Blame::Input),
        None => Ok(mesh),
    }
}
