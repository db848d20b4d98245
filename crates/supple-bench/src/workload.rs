//! Two copies of a character that walk into each other, 100 frames at 30 per second; rays that are shot at one.

use std::path::PathBuf;
use std::sync::Arc;

use glam::Vec3;
use supple::pose::Clip;
use supple::{Aabb, Isometry, Model, Pose, Ray, Skinning};
use supple_report::random::Random;

/// Frames of a whole run.
pub const FRAMES: usize = 100;
const FRAMES_PER_SECOND: f64 = 30.0;
/// The second copy is this many seconds ahead in the clip.
const AHEAD: f64 = 0.37;

/// A character.
pub struct Character {
    /// What the tables call it.
    pub name: String,
    /// What it is.
    pub model: Arc<Model>,
}

/// Characters in files: name and path below `SUPPLE_ASSETS`.
const FILES: [(&str, &str); 3] = [
    ("CesiumMan", "khronos/CesiumMan.glb"),
    ("makehuman", "makehuman/makehuman_layers.glb"),
    ("rocketbox", "rocketbox/rocketbox_Male_Adult_01.glb"),
];

/// Names of all characters, in the order of the tables.
pub fn names() -> Vec<String> {
    let zoo = (0..3).map(|detail| format!("creature:{detail}"));
    FILES.iter().map(|(name, _)| (*name).to_owned()).chain(zoo).collect()
}

/// Reads or makes a character. Says why there is none.
pub fn character(name: &str) -> Result<Character, String> {
    let model = match FILES.iter().find(|(known, _)| *known == name) {
        Some((_, path)) => {
            let folder = std::env::var_os("SUPPLE_ASSETS").ok_or("SUPPLE_ASSETS is not set")?;
            let path = PathBuf::from(folder).join(path);
            supple_io::load(&path).map_err(|e| format!("{}: {e}", path.display()))?
        }
        None => {
            let (kind, detail) = name.split_once(':').unwrap_or((name, "0"));
            let detail = detail.parse().map_err(|e| format!("{detail}: {e}"))?;
            supple_zoo::make(kind, detail).map_err(|e| e.to_string())?
        }
    };
    Ok(Character { name: name.to_owned(), model: Arc::new(model) })
}

/// Names and poses of all clips but the first, which [`frames`] plays.
///
/// # Panics
/// A clip does not fit its model.
pub fn other_clips(model: &Model, count: usize) -> Vec<(String, Vec<Pose>)> {
    let poses = |clip: &Clip| {
        let time = |frame: usize| clip.duration() * frame as f64 / count as f64;
        let pose = |frame: usize| model.sample(clip, time(frame)).expect("clips fit their models");
        (clip.name().to_owned(), (0..count).map(pose).collect())
    };
    model.clips().iter().skip(1).map(poses).collect()
}

/// How the second copy moves along +x, in widths of the first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Path {
    /// What the tables call it; empty for the standard one.
    pub name: &'static str,
    from: f64,
    to: f64,
}

/// From apart to contact.
pub const STANDARD: Path = Path { name: "", from: 1.2, to: 0.3 };
/// For slim characters, which hardly touch on the standard path.
pub const DEEPER: Path = Path { name: "deeper", from: 0.6, to: 0.0 };

/// Name of the path that [`graze`] makes.
pub const GRAZING: &str = "grazing";

/// What both sides are given for a frame. The first copy stays at the origin.
pub struct Frame {
    /// Pose of the first copy.
    pub pose_a: Pose,
    /// Pose of the second copy.
    pub pose_b: Pose,
    /// Placement of the second copy.
    pub placement_b: Isometry,
}

/// The frames of a path: all 100, or `count` of them, equally spaced.
///
/// # Errors
/// The character has no clip, or a pose of it is not finite.
pub fn frames(model: &Model, path: Path, count: usize) -> Result<Vec<Frame>, String> {
    let clip = model.clips().first().ok_or("the character has no clip")?;
    let sample = |time| model.sample_looped(clip, time).map_err(|e| e.to_string());
    let first = model.posed(&sample(0.0)?, Skinning::Linear).map_err(|e| e.to_string())?;
    let bounds = Aabb::from_points(first.positions());
    let width = f64::from(bounds.max.x - bounds.min.x);
    let frame = |i: usize| {
        let index = i * FRAMES / count;
        let share = index as f64 / (FRAMES - 1) as f64;
        let time = index as f64 / FRAMES_PER_SECOND;
        let x = width * (path.from + (path.to - path.from) * share);
        Ok(Frame {
            pose_a: sample(time)?,
            pose_b: sample(time + AHEAD)?,
            placement_b: Isometry::from_translation(glam::DVec3::X * x),
        })
    };
    (0..count).map(frame).collect()
}

/// For characters that are soon deep in each other: keeps the poses of frames and moves the second copy to where only a
/// few triangles touch. `pairs` counts them. Frames without such a placement are left out.
pub fn graze(frames: Vec<Frame>, mut pairs: impl FnMut(&Frame) -> usize) -> Vec<Frame> {
    let Some(far) = frames.first().map(|frame| frame.placement_b.translation.x) else { return frames };
    let mut grazing = |mut frame: Frame| {
        let (mut near, mut far) = (0.0, far);
        // Twenty halvings of a body's width are below a tenth of the edge of the smallest triangle.
        for _ in 0..20 {
            frame.placement_b.translation.x = 0.5 * (near + far);
            match Class::of(pairs(&frame)) {
                Class::Touching => return Some(frame),
                Class::Apart => far = frame.placement_b.translation.x,
                Class::Deep => near = frame.placement_b.translation.x,
            }
        }
        None
    };
    frames.into_iter().filter_map(&mut grazing).collect()
}

/// Rays from a sphere around a box to points in it.
pub fn rays_at(bounds: &Aabb, seed: u64, count: usize) -> Vec<Ray> {
    let mut random = Random::new(seed);
    // 24 bits, from -1 to 1.
    let mut signed = move || (random.bits() >> 40) as f32 / (1u64 << 23) as f32 - 1.0;
    let mut point = move || Vec3::new(signed(), signed(), signed());
    let (center, half) = (bounds.center(), bounds.half_extents());
    let mut ray = move || loop {
        let (outwards, target) = (point(), center + half * point());
        let origin = center + outwards.normalize_or_zero() * half.length() * 2.0;
        let direction = target - origin;
        // In a sphere, so that all directions are alike; not parallel to a plane of axes, which the opponent does not handle.
        if outwards.length() <= 1.0
            && direction.cmpne(Vec3::ZERO).all()
            && let Ok(ray) = Ray::new(origin, direction)
        {
            return ray;
        }
    };
    (0..count).map(|_| ray()).collect()
}

/// How much two copies touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Class {
    /// No pair of triangles.
    Apart,
    /// A few dozen.
    Touching,
    /// More.
    Deep,
}

impl Class {
    /// All of them, in the order of the tables.
    pub const ALL: [Self; 3] = [Self::Apart, Self::Touching, Self::Deep];

    /// The class of a frame with that many touching pairs.
    pub fn of(pairs: usize) -> Self {
        match pairs {
            0 => Self::Apart,
            1..=60 => Self::Touching,
            _ => Self::Deep,
        }
    }

    /// What the tables call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Apart => "apart",
            Self::Touching => "touching",
            Self::Deep => "deep",
        }
    }
}
