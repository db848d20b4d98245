//! Finds where an animated character goes through itself: which bones, in which frames, by how many triangles, how deep.
//!
//! ```
//! use std::sync::Arc;
//! use supple::{BuildOptions, Shape};
//! use supple_audit::{AuditOptions, audit};
//!
//! let man = supple_zoo::make("man", 0)?; // or supple_io::load("man.glb")?
//! let shape = Arc::new(Shape::build(man, &BuildOptions::default())?);
//! let audit = audit(&shape, &AuditOptions::default().with_fps(5.0).with_clips(["random"]))?;
//! let worst = &audit.clips[0].bone_pairs[0]; // the deepest first
//! println!("{:?} in {} frames, worst in frame {}", worst.bones, worst.frames, worst.worst_frame);
//! assert!(worst.depth > Some(0.0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! *What is looked for.* Pairs of triangles of one model that intersect, decided exactly, in every frame of every clip. A
//! triangle belongs to the bone of its heaviest joint ([`Bones`]), and pairs are grouped by their two bones ([`BonePair`]).
//! Pairs that share a vertex are never reported (seams are closed first). [`AuditOptions`] leave out pairs of one bone, and
//! pairs of a bone and its parent, which fold wherever an elbow or a knee bends, unless told otherwise. Pairs of one bone are
//! looked at all the same where all triangles belong to one bone, and where they intersect because of morph targets: these
//! move one of the two triangles in that frame, and the two do not intersect in the rest pose.
//!
//! *What is left out is counted* ([`LeftOut`]), and a clip is [clean](Verdict::Clean) only where that is nothing. Frames are
//! what is looked at: what happens between two of them is not.
//!
//! *Depth.* How far vertices of one bone's surface are inside of the other's, going along edges from where the two
//! intersect; the larger of both directions. It is measured at vertices: 0 means that the two cross, but have no vertex
//! inside of each other. A bone has no depth in itself.
//!
//! *What to do.* [`TurnFinder`] finds which bone to turn, about which axis and by how many degrees, so that two sides of a
//! contact do not intersect any more; [`bleeding`](bleeding()) lists vertices that follow a bone of another limb.
//!
//! The result, [`Audit`], is plain data: nothing is printed, drawn, read or written here, and no clock is asked. With the
//! feature `serde` it can be saved and loaded, with the feature `rayon` frames and clips are audited on all cores; the result
//! does not depend on the number of threads.

#![warn(clippy::unwrap_used, reason = "bad input is an error; where a value must exist an `expect` says why")]

mod left_out;
mod event;
mod error;
mod bones;
mod between;
mod body_parts;
mod options;
mod surface;
mod along_surface;
#[cfg(test)]
mod naive_depth;
mod contacts;
mod cuts;
mod cell_tree;
mod depth;
mod kind;
mod still;
mod visibility;
mod frame;
mod collect;
mod record;
mod in_order;
mod play;
mod hints;

pub use between::PartSets;
pub use bones::Bones;
pub use error::AuditError;
pub use event::{Audit, Class, Event, FramesWith, Moment, Occurrence, PlayedClip, Side, Worst};
pub use hints::{
    Axis, Bleeding, HintError, MAX_TURN, MAX_TURN_QUERIES, NoTurn, TurnAnswer, TurnFinder, TurnHint,
    bleeding, bleeding_between, bleeding_map,
};
pub use kind::Kind;
pub use left_out::{LeftOut, LeftOutPairs};
pub use options::{AuditOptions, ClipChoice, Depth, MAX_FRAMES};
pub use play::{Progress, audit, audit_with_progress};
pub use record::{ContactRecord, FrameRecord};
