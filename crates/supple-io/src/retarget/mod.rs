//! Clips of one file on the character of another, by the names of bones.
//!
//! In: a model and a [`Motion`]. Out: clips for the model, the bones that only one of the two has, and remarks about what could not be
//! carried over.
//! Must hold: clips of the same skeleton come out with the same numbers; of another one nothing is left out in silence.
//!
//! Where the bones of both have the same axes, channels are copied (`copied`). Otherwise bones turn in the world as the motion's bones
//! turn from their rest pose, after the motion was turned to where the character faces (`facing`) and the long bones of the character's limbs were turned to where the motion's point (`turned`).

mod copied;
mod facing;
mod names;
mod rest;
mod turned;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display, Formatter};

use supple::pose::{Channel, Clip, ClipError, PoseError, Skeleton, Target};
use supple::{Model, Transform};
use thiserror::Error;

use self::names::{likely_prefix, moved_nodes, pairs};
use self::rest::{Bones, OTHER_DIRECTION};
use crate::Motion;

/// How bones are found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct RetargetOptions {
    /// Beginnings of names that are ignored on both sides. With any of them, case and the separators `_ . - :` and space are
    /// ignored too. Without, names must be equal.
    pub ignored_prefixes: Vec<String>,
}

impl RetargetOptions {
    /// Ignores beginnings of names like `mixamorig:`.
    #[must_use]
    pub fn with_ignored_prefixes(mut self, prefixes: Vec<String>) -> Self {
        self.ignored_prefixes = prefixes;
        self
    }
}

/// Clips for a character.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Retargeted {
    /// In the order of the motion, with its names.
    pub clips: Vec<Clip>,
    /// How many bones of the character are moved.
    pub bones: usize,
    /// Bones of the character that the motion does not move.
    pub missing: Vec<String>,
    /// Bones that the motion moves and the character does not have.
    pub superfluous: Vec<String>,
    /// What could not be carried over, or is not certain.
    pub remarks: Vec<Remark>,
    /// With which ignored prefix more than twice as many bones would move; an empty one ignores case and separators alone.
    pub likely_prefix: Option<String>,
}

/// Something about a motion, and which bones it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Remark {
    /// A sentence.
    pub text: String,
    /// Each begins with the name of a bone of the character. Often empty.
    pub bones: Vec<String>,
}

impl From<String> for Remark {
    fn from(text: String) -> Self {
        Self { text, bones: Vec::new() }
    }
}

impl Display for Remark {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.bones[..] {
            [] => f.write_str(&self.text),
            _ => write!(f, "{}: {}", self.text, self.bones.join(", ")),
        }
    }
}

/// Why a motion cannot be played.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum RetargetError {
    /// There is nothing to play.
    #[error("has no clips")]
    NoClips,
    /// No name of a moved bone is that of a bone of the character.
    #[error(
        "no bone has the name of one of the character's: the motion has {motion}; the character has {character}{}",
        hint(.likely_prefix.as_deref())
    )]
    NoBones {
        /// Some bones of the motion.
        motion: String,
        /// Some bones of the character.
        character: String,
        /// What may help if it is ignored; an empty one ignores case and separators alone.
        likely_prefix: Option<String>,
    },
    /// The skeletons differ, so that every bone needs keys of its own at all times.
    #[error("clip {clip:?} has too many keys for another skeleton")]
    TooManyKeys {
        /// The clip.
        clip: String,
    },
    /// A rest pose or a frame has numbers that are not finite.
    #[error("{0}")]
    Pose(#[from] PoseError),
    /// Numbers became too large.
    #[error("{0}")]
    Clip(#[from] ClipError),
}

fn hint(likely_prefix: Option<&str>) -> String {
    match likely_prefix {
        None => String::new(),
        Some("") => "; should case and separators be ignored?".to_owned(),
        Some(prefix) => format!("; should the prefix {prefix:?} be ignored?"),
    }
}

/// Plays a motion on a character: clips that move its bones as the motion's bones of the same names move.
///
/// See `docs/decisions/0030-motion-of-other-skeletons.md` for what is copied, turned, scaled and left out.
///
/// # Errors
/// There are no clips, or no bone of the motion has a namesake.
pub fn retarget(
    model: &Model,
    motion: &Motion,
    options: &RetargetOptions,
) -> Result<Retargeted, RetargetError> {
    if motion.clips.is_empty() {
        return Err(RetargetError::NoClips);
    }
    let moved = moved_nodes(motion);
    let pairs = pairs(model, motion, &moved, &options.ignored_prefixes);
    let (source, target) = (&motion.skeleton, model.skeleton());
    let mut target_of = vec![None; source.nodes().len()];
    pairs.iter().for_each(|pair| target_of[pair.source] = Some(pair.target));
    let moved_targets: Vec<usize> = moved.iter().filter_map(|&node| target_of[node]).collect();
    let morph_targets = morph_targets(model, motion);
    let likely_prefix = match options.ignored_prefixes[..] {
        [] => likely_prefix(model, motion, &moved),
        _ => None,
    };
    if moved_targets.is_empty() && !morph_targets.iter().any(|targets| !targets.is_empty()) {
        return Err(no_bones(model, motion, likely_prefix, moved.iter().copied()));
    }
    let mut joints: Vec<usize> = target.joints().iter().map(|joint| joint.node).collect();
    joints.sort_unstable();
    joints.dedup();
    let named = |skeleton: &Skeleton, node: usize| skeleton.nodes()[node].name.clone();
    let mut retargeted = Retargeted {
        clips: Vec::new(),
        bones: moved_targets.len(),
        missing: joints
            .iter()
            .filter(|node| !moved_targets.contains(node))
            .map(|&node| named(target, node))
            .collect(),
        superfluous: moved
            .iter()
            .filter(|&&node| target_of[node].is_none())
            .map(|&node| named(source, node))
            .collect(),
        remarks: Vec::new(),
        likely_prefix,
    };
    let mut lost: Vec<usize> = Vec::new();
    let bones = Bones::new(&pairs, source, target)?;
    let players = Players {
        source,
        target,
        bones: &bones,
        target_of: &target_of,
        coefficients: motion.morph_targets.len(),
        morph_targets: &morph_targets,
    };
    let is_copied = players.all_moved_above_are_known(&moved) && bones.same_axes(source, target);
    for clip in &motion.clips {
        retargeted.clips.push(match is_copied {
            true => copied::clip(&players, clip, &mut lost)?,
            false => turned::clip(&players, clip)?,
        });
    }
    if is_copied {
        players.remark_other_rest(&mut retargeted.remarks);
    } else {
        players.remark_turns(&moved, &mut retargeted.remarks);
        lost.extend(players.moved_beside_turns(motion));
    }
    lost.sort_unstable();
    lost.dedup();
    if !lost.is_empty() {
        retargeted.remarks.push(Remark {
            text: "the proportions differ, so that these bones turn but neither move nor grow".to_owned(),
            bones: lost.iter().map(|&node| named(target, node)).collect(),
        });
    }
    players.remark_weights(motion, &mut retargeted.remarks);
    Ok(retargeted)
}

/// Both skeletons, and what belongs together.
struct Players<'p> {
    source: &'p Skeleton,
    target: &'p Skeleton,
    bones: &'p Bones,
    /// The character's node for each of the motion's.
    target_of: &'p [Option<usize>],
    /// Morph targets of the motion.
    coefficients: usize,
    /// The character's morph targets for each of the motion's.
    morph_targets: &'p [Vec<usize>],
}

impl Players<'_> {
    /// Whether what moves above the first known bones is known, too; otherwise it would be lost.
    fn all_moved_above_are_known(&self, moved: &BTreeSet<usize>) -> bool {
        let tops = self.bones.all.iter().filter(|bone| bone.parent.is_none());
        tops.map(|bone| bone.pair.source).all(|top| {
            let above = std::iter::successors(self.source.nodes()[top].parent, |&node| {
                self.source.nodes()[node].parent
            });
            above.into_iter().all(|node| !moved.contains(&node))
        })
    }

    fn remark_other_rest(&self, remarks: &mut Vec<Remark>) {
        let rotation = |rest: &Transform| rest.rotation.as_dquat().normalize();
        let differs = self.bones.all.iter().filter_map(|bone| {
            let (source, target) =
                (&self.source.nodes()[bone.pair.source], &self.target.nodes()[bone.pair.target]);
            let angle = rotation(&source.rest).angle_between(rotation(&target.rest)).to_degrees();
            (bone.parent.is_some() && angle > 5.0).then_some((angle, &target.name))
        });
        let (count, worst) =
            differs.fold((0, (0.0, "")), |(count, worst): (usize, (f64, &str)), (angle, name)| {
                (count + 1, if angle > worst.0 { (angle, name) } else { worst })
            });
        if count > 0 {
            remarks.push(format!(
                "the rest poses differ at {count} bones, most at {} ({:.0} degrees); rotations were copied, as the bones' axes agree",
                worst.1, worst.0
            ).into());
        }
    }

    fn remark_turns(&self, moved: &BTreeSet<usize>, remarks: &mut Vec<Remark>) {
        remarks.extend(self.bones.facing.and_then(|facing| facing.remark()).map(Remark::from));
        let corrections = self.bones.corrections();
        let far: Vec<String> = self
            .bones
            .all
            .iter()
            .zip(&corrections)
            .filter(|(bone, (_, remaining))| {
                *remaining > OTHER_DIRECTION && moved.contains(&bone.pair.source)
            })
            .map(|(bone, (_, remaining))| {
                format!("{} ({remaining:.0} degrees)", self.target.nodes()[bone.pair.target].name)
            })
            .collect();
        if !far.is_empty() {
            let text = "at rest these bones point elsewhere than the motion's".to_owned();
            remarks.push(Remark { text, bones: far });
        }
        let carries =
            |node: usize| self.bones.carriers().iter().any(|&bone| self.bones.all[bone].pair.source == node);
        let top = moved
            .iter()
            .find(|&&node| self.source.nodes()[node].parent.is_none_or(|parent| !moved.contains(&parent)));
        if let Some(&top) = top.filter(|&&top| !carries(top)) {
            remarks.push(format!(
                "the character has no bone {:?}, from which the motion hangs; what it moves is given to the bones below",
                self.source.nodes()[top].name
            ).into());
        }
    }

    /// Bones with a translation or scale that turns alone do not show.
    fn moved_beside_turns(&self, motion: &Motion) -> Vec<usize> {
        let carriers = self.bones.carriers();
        let carries = |target: usize| carriers.iter().any(|&bone| self.bones.all[bone].pair.target == target);
        let mut lost = Vec::new();
        for channel in motion.clips.iter().flat_map(|clip| clip.channels()) {
            let (source, rest) = match channel.target {
                Target::Translation(node) => (node, self.source.nodes()[node].rest.translation),
                Target::Scale(node) => (node, self.source.nodes()[node].rest.scale),
                _ => continue,
            };
            let Some(target) = self.target_of[source] else { continue };
            let is_carried = matches!(channel.target, Target::Translation(_)) && carries(target);
            if !is_carried && !copied::is_still(channel, rest) {
                lost.push(target);
            }
        }
        lost
    }

    fn remark_weights(&self, motion: &Motion, remarks: &mut Vec<Remark>) {
        let moved = motion.clips.iter().flat_map(|clip| clip.channels()).filter_map(|c| match &c.target {
            Target::Coefficients(range) => Some(range.clone()),
            _ => None,
        });
        let lost: BTreeSet<usize> =
            moved.flatten().filter(|&c| self.morph_targets.get(c).is_none_or(Vec::is_empty)).collect();
        if !lost.is_empty() {
            remarks
                .push(format!("{} morph targets of the motion are not in the character", lost.len()).into());
        }
    }

    /// Channels of morph targets, each on its own.
    fn weights<'c>(&'c self, clip: &'c Clip) -> impl Iterator<Item = Channel> + 'c {
        clip.channels().iter().flat_map(move |channel| {
            let range = match &channel.target {
                Target::Coefficients(range) => range.clone(),
                _ => 0..0,
            };
            let width = range.len().max(1);
            range.enumerate().flat_map(move |(column, source)| {
                let targets = self.morph_targets.get(source).map_or(&[][..], Vec::as_slice);
                targets.iter().map(move |&target| Channel {
                    target: Target::Coefficients(target..target + 1),
                    values: channel.values.iter().skip(column).step_by(width).copied().collect(),
                    ..channel.clone()
                })
            })
        })
    }
}

/// The character's morph targets for each of the motion's: the first of a name follows the first, the second the second. What is left over
/// on the character's side follows the last.
fn morph_targets(model: &Model, motion: &Motion) -> Vec<Vec<usize>> {
    let mut targets = vec![Vec::new(); motion.morph_targets.len()];
    let names = model.rest().names();
    if names == motion.morph_targets {
        return (0..names.len()).map(|target| vec![target]).collect();
    }
    let mut sources = BTreeMap::<&str, Vec<usize>>::new();
    for (source, name) in motion.morph_targets.iter().enumerate().filter(|(_, name)| !name.is_empty()) {
        sources.entry(name).or_default().push(source);
    }
    let mut seen = BTreeMap::<&str, usize>::new();
    for (target, name) in names.iter().enumerate() {
        let Some(found) = sources.get(name.as_str()) else { continue };
        let nth = seen.entry(name).or_default();
        targets[found[(*nth).min(found.len() - 1)]].push(target);
        *nth += 1;
    }
    targets
}

fn no_bones(
    model: &Model,
    motion: &Motion,
    likely_prefix: Option<String>,
    moved: impl Iterator<Item = usize>,
) -> RetargetError {
    let few = |names: &mut dyn Iterator<Item = &str>| {
        let names: Vec<String> = names
            .filter(|name| !name.is_empty())
            .take(4)
            .map(|name| name.chars().take(40).collect())
            .collect();
        if names.is_empty() { "none with a name".to_owned() } else { names.join(", ") + " .." }
    };
    let nodes = model.skeleton().nodes();
    RetargetError::NoBones {
        motion: few(&mut moved.map(|node| motion.skeleton.nodes()[node].name.as_str())),
        character: few(&mut model.skeleton().joints().iter().map(|joint| nodes[joint.node].name.as_str())),
        likely_prefix,
    }
}
