//! Frames become events.
//!
//! In: frames of all clips; those of one clip in order. Out: events with their occurrences, classes and severities.
//!
//! ```text
//! class     layered, crease: as the contacts are. Free ones: a graze if nowhere as deep as the least depth or in fewer frames than the
//!           least, else a fault if it is seen in some frame, else hidden
//! severity  = D V T F
//!     D = 100 (depth - depth at rest) / size                      percent
//!     V = 1/2 + 1/2 min(1, visibility / 0.3)                      from all sides or from few
//!     T = 1/2 + 1/2 min(1, seconds / 0.5)                         for long or in a moment
//!     F = 1/2 + 1/2 min(1, sqrt(area) / (0.05 size))              much or little surface
//! ```

use std::collections::{BTreeMap, BTreeSet};

use crate::body_parts::BodyParts;
use crate::event::{Class, Event, Moment, Occurrence, Side, Worst};
use crate::frame::{Finder, Frame, Key, Looked, SideKey};
use crate::kind::Kind;

/// Gaps up to this long do not end an occurrence.
const GAP_SECONDS: f32 = 0.1;

/// All that is kept of frames.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Collected {
    #[cfg_attr(feature = "serde", serde(with = "crate::pairs"))]
    by_key: BTreeMap<Key, Gathered>,
}

/// What is kept of the frames of one key.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Gathered {
    bones: [BTreeSet<u32>; 2],
    rest_depth: f32,
    /// Moments by clip, and the frames in which it is seen.
    #[cfg_attr(feature = "serde", serde(with = "crate::pairs"))]
    clips: BTreeMap<usize, Vec<(Moment, bool)>>,
}

/// The place of a frame: clip and number.
pub type Place = (usize, usize);

impl Collected {
    /// Takes the next frame of a clip.
    pub fn add(&mut self, (clip, number): Place, frame: &Frame) {
        for (key, found) in &frame.found {
            let gathered = self.by_key.entry(*key).or_default();
            for side in 0..2 {
                gathered.bones[side].extend(&found.bones[side]);
            }
            gathered.rest_depth = gathered.rest_depth.max(found.rest_depth);
            let moment = Moment { frame: number, pairs: found.pairs, depth: found.depth };
            gathered.clips.entry(clip).or_default().push((moment, found.is_seen));
        }
    }

    /// Takes in other frames; [`Collected::sort`] puts them in order.
    pub fn merge(&mut self, other: Self) {
        for (key, found) in other.by_key {
            let gathered = self.by_key.entry(key).or_default();
            for (bones, found) in gathered.bones.iter_mut().zip(found.bones) {
                bones.extend(found);
            }
            gathered.rest_depth = gathered.rest_depth.max(found.rest_depth);
            for (clip, moments) in found.clips {
                gathered.clips.entry(clip).or_default().extend(moments);
            }
        }
    }

    /// As if frames had been added one after the other.
    pub fn sort(&mut self) {
        for moments in self.by_key.values_mut().flat_map(|gathered| gathered.clips.values_mut()) {
            moments.sort_by_key(|(moment, _)| moment.frame);
        }
    }

    /// Whether all of it can have been found by a finder, in frames that are there.
    pub fn fits(&self, finder: &Finder, is_there: impl Fn(Place) -> bool) -> bool {
        let is_bone = |bone: &u32| (*bone as usize) < finder.bones.count();
        self.by_key.iter().all(|(key, gathered)| {
            key.sides.iter().all(|side| finder.parts.of_bones().contains(&side.part))
                && gathered.bones.iter().flatten().all(is_bone)
                && gathered.rest_depth.is_finite()
                && !gathered.clips.is_empty()
                && gathered.clips.iter().all(|(&clip, moments)| {
                    !moments.is_empty()
                        && moments.is_sorted_by(|(a, _), (b, _)| a.frame < b.frame)
                        && moments.iter().all(|(m, _)| is_there((clip, m.frame)) && m.depth.is_finite())
                })
        })
    }

    /// The frames to look at once more, with what is to be looked for in each.
    pub fn worst_frames(&self) -> BTreeMap<Place, Vec<Key>> {
        let mut places: BTreeMap<Place, Vec<Key>> = BTreeMap::new();
        for (key, gathered) in &self.by_key {
            places.entry(gathered.worst()).or_default().push(*key);
        }
        places
    }

    /// The event of a key.
    pub fn event(&self, key: &Key, looked: &[Looked], finder: &Finder, settings: &Thresholds) -> Event {
        let gathered = &self.by_key[key];
        let moments = || gathered.clips.values().flatten();
        let depth = moments().map(|(moment, _)| moment.depth).fold(0.0, f32::max);
        let (frames, is_seen) = (moments().count(), moments().any(|(_, is_seen)| *is_seen));
        let class = match key.kind {
            Kind::Layered => Class::Layered,
            Kind::Crease => Class::Crease,
            Kind::Free if depth < settings.min_depth || frames < settings.min_frames => Class::Graze,
            Kind::Free if is_seen => Class::Fault,
            Kind::Free => Class::Hidden,
        };
        let occurrences = gathered.occurrences(settings.fps);
        let seconds = frames as f64 / f64::from(settings.fps);
        let looked: Vec<&Looked> = looked.iter().filter(|l| l.key == *key).collect();
        let deepest = looked.iter().copied().reduce(|a, b| if b.depth > a.depth { b } else { a });
        let (clip, frame) = gathered.worst();
        let worst = Worst {
            clip,
            frame,
            point: deepest.map_or([0.0; 3], |l| l.point.to_array()),
            triangles: looked.iter().flat_map(|l| &l.contact.pairs).copied().collect(),
            cut_off: [0, 1].map(|side| {
                let all: BTreeSet<u32> = looked.iter().flat_map(|l| &l.cut_off[side]).copied().collect();
                all.into_iter().collect()
            }),
        };
        let area: f32 = looked.iter().map(|l| l.area).sum();
        let visibility = looked.iter().map(|l| l.visibility).fold(0.0, f32::max);
        let percent = |length: f32| if finder.size > 0.0 { 100.0 * length / finder.size } else { 0.0 };
        let part = |share: f32| 0.5 + 0.5 * share.min(1.0);
        let severity = percent(depth - gathered.rest_depth).max(0.0)
            * part(visibility / 0.3)
            * part(seconds as f32 / 0.5)
            * part(if finder.size > 0.0 { area.sqrt() / (0.05 * finder.size) } else { 0.0 });
        let sides = [0, 1].map(|side| settings.side(key.sides[side], &gathered.bones[side], finder));
        let mut ids = [0, 1].map(|side| slug(&sides[side]));
        ids.sort();
        Event {
            id: ids.join("/") + if key.are_layers { "/layers" } else { "" },
            class,
            name: name(&sides, key.are_layers),
            sides,
            severity,
            depth,
            depth_percent: percent(depth),
            rest_depth: gathered.rest_depth,
            area,
            seconds,
            frames,
            visibility,
            worst,
            occurrences,
        }
    }
}

impl Gathered {
    /// Where it is deepest; of frames in which it is seen, where there are any.
    fn worst(&self) -> Place {
        let is_ever_seen = self.clips.values().flatten().any(|(_, is_seen)| *is_seen);
        let mut worst: Option<(Place, Moment)> = None;
        for (&clip, moments) in &self.clips {
            for (moment, _) in moments.iter().filter(|(_, is_seen)| *is_seen || !is_ever_seen) {
                let badness = |m: &Moment| (m.depth, m.pairs);
                if worst.is_none_or(|(_, known)| badness(moment) > badness(&known)) {
                    worst = Some(((clip, moment.frame), *moment));
                }
            }
        }
        worst.expect("a key has a frame").0
    }

    fn occurrences(&self, fps: f32) -> Vec<Occurrence> {
        let gap = ((GAP_SECONDS * fps).round() as usize).max(1);
        let mut found: Vec<Occurrence> = Vec::new();
        for (&clip, moments) in &self.clips {
            for (moment, _) in moments {
                match found.last_mut().filter(|o| o.clip == clip && moment.frame - o.last_frame <= gap + 1) {
                    Some(occurrence) => {
                        occurrence.last_frame = moment.frame;
                        occurrence.frames += 1;
                        if moment.depth > occurrence.depth {
                            (occurrence.worst_frame, occurrence.depth) = (moment.frame, moment.depth);
                        }
                        occurrence.moments.push(*moment);
                    }
                    None => found.push(Occurrence {
                        clip,
                        first_frame: moment.frame,
                        last_frame: moment.frame,
                        frames: 1,
                        worst_frame: moment.frame,
                        depth: moment.depth,
                        moments: vec![*moment],
                    }),
                }
            }
        }
        found
    }
}

/// What turns frames into classes and names.
#[derive(Clone, Debug)]
pub struct Thresholds {
    pub fps: f32,
    pub min_depth: f32,
    pub min_frames: usize,
    /// Of the model's parts.
    pub mesh_names: Vec<String>,
}

impl Thresholds {
    fn side(&self, key: SideKey, bones: &BTreeSet<u32>, finder: &Finder) -> Side {
        Side {
            body_part: finder.parts.name(key.part).to_owned(),
            mesh: key.mesh.and_then(|mesh| self.mesh_names.get(mesh as usize).cloned()),
            bones: bones.iter().map(|&bone| finder.bones.label(bone).to_owned()).collect(),
            nodes: bones.iter().map(|&bone| finder.bones.node(bone)).collect(),
        }
    }
}

/// Body parts that tell less than the mesh does.
const ANYWHERE: [&str; 4] = ["root", "body", "armature", "base"];

/// `left hand into left thigh`
fn name(sides: &[Side; 2], are_layers: bool) -> String {
    let name = |side: &Side| match &side.mesh {
        Some(mesh) if *mesh == side.body_part => mesh.clone(),
        Some(mesh) if BodyParts::named_like(mesh).as_ref() == Some(&side.body_part) => side.body_part.clone(),
        Some(mesh) if ANYWHERE.contains(&side.body_part.to_lowercase().as_str()) => mesh.clone(),
        Some(mesh) => format!("{} ({mesh})", side.body_part),
        None => side.body_part.clone(),
    };
    let [a, b] = sides;
    match (a.body_part == b.body_part && a.mesh == b.mesh, are_layers) {
        (true, true) => format!("{}: one layer into another", name(a)),
        (true, false) => format!("{} into itself", name(a)),
        (false, true) => format!("{} into a layer of {}", name(a), name(b)),
        (false, false) => format!("{} into {}", name(a), name(b)),
    }
}

/// `left-hand`, `chest.cape`
fn slug(side: &Side) -> String {
    let clean = |text: &str| {
        let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        words.map(str::to_lowercase).collect::<Vec<_>>().join("-")
    };
    match &side.mesh {
        Some(mesh) => format!("{}.{}", clean(&side.body_part), clean(mesh)),
        None => clean(&side.body_part),
    }
}
