//! What an audit finds, as plain data: events.
//!
//! Frames count from 0; lengths are in the units of the model, times in seconds.

use crate::left_out::LeftOut;

/// What was found in a model.
///
/// ```
/// # use std::sync::Arc;
/// # use supple::{BuildOptions, Shape};
/// # use supple_audit::{AuditOptions, audit};
/// # let man = supple_zoo::make("man", 0)?;
/// # let shape = Arc::new(Shape::build(man, &BuildOptions::default())?);
/// let audit = audit(&shape, &AuditOptions::default().with_fps(2.0).with_clips(["random"]))?;
/// for event in audit.faults() {
///     println!("{}: {:.1} % of the size deep", event.name, event.depth_percent);
/// }
/// # assert_eq!((audit.bones, audit.clips.len()), (27, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Audit {
    /// How many triangles the model has.
    pub triangles: usize,
    /// How many vertices it has.
    pub vertices: usize,
    /// How many bones it has.
    pub bones: usize,
    /// The longest side of a box around the rest pose; percentages are of it.
    pub size: f32,
    /// Bones that are scaled to almost nothing in some frame: what they carry was left out there.
    pub hidden_bones: Vec<String>,
    /// The clips that were chosen, in the order of the model; the rest pose where there are none.
    pub clips: Vec<PlayedClip>,
    /// What intersects: faults first, then the other classes; the most severe first in each.
    pub events: Vec<Event>,
}

impl Audit {
    /// The events that somebody should look at: faults that can be seen.
    pub fn faults(&self) -> impl Iterator<Item = &Event> {
        self.of_class(Class::Fault)
    }

    /// The events of a class, the most severe first.
    pub fn of_class(&self, class: Class) -> impl Iterator<Item = &Event> {
        self.events.iter().filter(move |event| event.class == class)
    }

    /// Whether nothing intersects in any frame that was looked at, and nothing was left out.
    pub fn is_clean(&self) -> bool {
        self.events.is_empty() && self.clips.iter().all(|clip| clip.left_out.is_nothing())
    }
}

/// What kind of event it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Class {
    /// One surface goes through another, and it can be seen.
    Fault,
    /// As a fault, but it cannot be seen from outside in any frame.
    Hidden,
    /// As a fault, but less deep or in fewer frames than [`AuditOptions`](crate::AuditOptions) ask for.
    Graze,
    /// A fold: the two surfaces are near each other along the surface, like both sides of an elbow.
    Crease,
    /// Crosses in the rest pose, too, and is not deeper: eyes in sockets, layers of clothes.
    Layered,
}

impl Class {
    /// All of them, the worst first.
    pub const ALL: [Self; 5] = [Self::Fault, Self::Hidden, Self::Graze, Self::Crease, Self::Layered];

    /// In one word, as in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fault => "fault",
            Self::Hidden => "hidden",
            Self::Graze => "graze",
            Self::Crease => "crease",
            Self::Layered => "layered",
        }
    }
}

/// A clip that was played, or the rest pose.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct PlayedClip {
    /// The name of the clip; may be empty. Empty for the rest pose.
    pub name: String,
    /// The number of the clip in the model; none for the rest pose.
    pub number: Option<usize>,
    /// Of the clip; 0 for the rest pose.
    pub duration: f64,
    /// How many frames were looked at.
    pub frames: usize,
    /// The clip's own frames per second, where its keys are evenly spaced.
    pub own_fps: Option<f64>,
    /// In how many of the frames there is something of each class.
    pub frames_with: FramesWith,
    /// What intersects and is in no event.
    pub left_out: LeftOut,
}

/// In how many frames of a clip there is something of each [`Class`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct FramesWith {
    /// Of [`Class::Fault`].
    pub fault: usize,
    /// Of [`Class::Hidden`].
    pub hidden: usize,
    /// Of [`Class::Graze`].
    pub graze: usize,
    /// Of [`Class::Crease`].
    pub crease: usize,
    /// Of [`Class::Layered`].
    pub layered: usize,
}

impl FramesWith {
    /// Those of a class.
    pub fn of(&self, class: Class) -> usize {
        match class {
            Class::Fault => self.fault,
            Class::Hidden => self.hidden,
            Class::Graze => self.graze,
            Class::Crease => self.crease,
            Class::Layered => self.layered,
        }
    }

    pub(crate) fn of_mut(&mut self, class: Class) -> &mut usize {
        match class {
            Class::Fault => &mut self.fault,
            Class::Hidden => &mut self.hidden,
            Class::Graze => &mut self.graze,
            Class::Crease => &mut self.crease,
            Class::Layered => &mut self.layered,
        }
    }
}

/// Two parts of a body that go through each other: in all frames of all clips.
///
/// ```
/// # use std::sync::Arc;
/// # use supple::{BuildOptions, Shape};
/// # use supple_audit::{AuditOptions, audit};
/// # let man = supple_zoo::make("man", 0)?;
/// # let shape = Arc::new(Shape::build(man, &BuildOptions::default())?);
/// # let audit = audit(&shape, &AuditOptions::default().with_fps(5.0).with_clips(["random"]))?;
/// let event = &audit.events[0];
/// for occurrence in &event.occurrences {
///     let clip = &audit.clips[occurrence.clip].name;
///     println!("{} in {clip}, frames {} to {}", event.name, occurrence.first_frame, occurrence.last_frame);
///     assert_eq!(occurrence.moments.len(), occurrence.frames);
/// }
/// assert!(!event.worst.triangles.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Event {
    /// The same in every audit of this character, whatever clips are played: made of the names of both sides,
    /// `left-hand/left-thigh`; with `/layers` behind it where the two are separate surfaces of one mesh. Unique together with the class.
    pub id: String,
    /// What kind it is.
    pub class: Class,
    /// For people: `left hand into left thigh`.
    pub name: String,
    /// The two parts of the body; the one that goes into the other first.
    pub sides: [Side; 2],
    /// How bad, from 0 on without an end: see the documentation of the crate for the formula.
    pub severity: f32,
    /// The largest depth.
    pub depth: f32,
    /// In percent of the size; 0 where the model has none.
    pub depth_percent: f32,
    /// How deep the two are in each other in the rest pose; 0 where they are not.
    pub rest_depth: f32,
    /// The surface that is cut off in the worst frame, in squared units.
    pub area: f32,
    /// Sum of all occurrences.
    pub seconds: f64,
    /// In how many frames, of all clips.
    pub frames: usize,
    /// The share of all directions from which the worst frame's contact can be seen, 0 to 1.
    pub visibility: f32,
    /// Where it is deepest.
    pub worst: Worst,
    /// Every time that it happens, by clip and frame.
    pub occurrences: Vec<Occurrence>,
}

/// One side of an event.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Side {
    /// The part of the body: `left hand`.
    pub body_part: String,
    /// The mesh of the file, where the two sides belong to different ones.
    pub mesh: Option<String>,
    /// Labels of the bones that intersect in some frame ([`Bones::label`](crate::Bones::label)), by their number.
    pub bones: Vec<String>,
    /// Their nodes in the skeleton.
    pub nodes: Vec<usize>,
}

/// The frame in which an event is deepest.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Worst {
    /// The clip, as its place in [`Audit::clips`].
    pub clip: usize,
    /// The frame.
    pub frame: usize,
    /// The middle of the contact, in that pose.
    pub point: [f32; 3],
    /// Intersecting triangles, that of the first side first.
    pub triangles: Vec<[u32; 2]>,
    /// The triangles of each side that the contact cuts off, whole or in part: those of a body that come out of its clothes,
    /// those of a hand that are in a thigh.
    pub cut_off: [Vec<u32>; 2],
}

/// Frames of a clip in which an event goes on.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Occurrence {
    /// The clip, as its place in [`Audit::clips`].
    pub clip: usize,
    /// The first frame.
    pub first_frame: usize,
    /// The last frame.
    pub last_frame: usize,
    /// In how many of the frames from the first to the last: short gaps do not end an occurrence.
    pub frames: usize,
    /// Where the depth is largest, the first of equals.
    pub worst_frame: usize,
    /// The depth there.
    pub depth: f32,
    /// Every frame in which the two intersect.
    pub moments: Vec<Moment>,
}

/// An event in one frame.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Moment {
    /// The frame.
    pub frame: usize,
    /// How many pairs of triangles intersect.
    pub pairs: usize,
    /// How deep.
    pub depth: f32,
}
