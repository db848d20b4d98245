//! Finds where an animated character goes through itself: which parts of the body, in which frames, how deep, and whether that matters.
//!
//! ```
//! use std::sync::Arc;
//! use supple::{BuildOptions, Shape};
//! use supple_audit::{AuditOptions, audit};
//!
//! let man = supple_zoo::make("man", 0)?; // or supple_io::load("man.glb")?
//! let shape = Arc::new(Shape::build(man, &BuildOptions::default())?);
//! let audit = audit(&shape, &AuditOptions::default().with_fps(5.0).with_clips(["random"]))?;
//! for event in audit.faults() { // the most severe first
//!     println!("{}: {:.1} % of the size deep, in {} frames", event.name, event.depth_percent, event.frames);
//! }
//! assert!(!audit.events.is_empty());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! *What is looked for.* Pairs of triangles of one model that intersect, decided exactly, in every frame of every clip; in the rest
//! pose where there is no clip. Pairs that share a vertex are never looked at (seams are closed first). Pairs that hang together are a
//! *contact*: a curve along which two surfaces cross. Frames are what is looked at: what happens between two of them is not.
//!
//! *Events.* A triangle belongs to the bone of its heaviest joint ([`Bones`]), and bones to parts of the body, by their names: a hand
//! with its fingers is one. Contacts of the same two parts and of one kind are one [`Event`], in all frames of all clips, with every
//! time that it happens ([`Occurrence`]). Its id stays the same whatever clips are played.
//!
//! *Classes.* A contact that crosses in the rest pose, too, and is not much deeper now is [layered](Class::Layered). One whose sides
//! are near each other along the surface, as in an elbow, is a [crease](Class::Crease); so is one between rigid limbs that are joined at
//! rest. All else is a [fault](Class::Fault), unless it cannot be seen from outside in any frame ([hidden](Class::Hidden)), or is less
//! deep or in fewer frames than [`AuditOptions`] ask for ([graze](Class::Graze)).
//!
//! *Depth.* Where two surfaces cross, each cuts the other into pieces. The depth is how far the smaller piece reaches from the surface
//! that cuts it off: the fingers in a thigh, what comes out of a sleeve, what of an arm is beyond a cape. A piece that ends in a rim,
//! like a collar, is measured alone. It is measured at vertices, and in the middle of edges that cross twice; where nothing is cut off,
//! at the ends of the edges that cross. Folds, and parts of the body that cross themselves, are at most as deep as these. No side is inside or outside, so surfaces may be open or inside out.
//!
//! *Severity* is a product, from 0 on without an end:
//!
//! ```text
//! 100 (depth - depth at rest) / size                     percent
//!     * (1/2 + 1/2 min(1, visibility / 0.3))             from all sides or from few
//!     * (1/2 + 1/2 min(1, seconds / 0.5))                for long or in a moment
//!     * (1/2 + 1/2 min(1, sqrt(area) / (0.05 size)))     much or little surface
//! ```
//!
//! *What is left out is counted* ([`LeftOut`]): what was not asked for, and what bones carry that are scaled to almost nothing, as
//! games hide things ([`Audit::hidden_bones`]). With the default options nothing else is left out. [`Audit::is_clean`] holds only
//! where nothing intersects and nothing is left out.
//!
//! *What to do.* [`TurnFinder`] finds which bone to turn, about which axis and by how many degrees, so that two sides of a
//! contact do not intersect any more; [`bleeding`](bleeding()) lists vertices that follow a bone of another limb.
//!
//! *In parts.* An [`Auditor`] looks at spans of frames, each where and when you like; the [`AuditPart`]s of all frames make the same
//! [`Audit`] as one call of [`audit`](audit()).
//!
//! The result, [`Audit`], is plain data: nothing is printed, drawn, read or written here, and no clock is asked. With the
//! feature `serde` it can be saved and loaded, with the feature `rayon` frames and clips are audited on all cores; the result
//! does not depend on the number of threads.

#![warn(clippy::unwrap_used, reason = "bad input is an error; where a value must exist an `expect` says why")]

#[cfg(feature = "serde")]
mod pairs;
mod span;
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
mod depth_by_brute_force;
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
mod mark;
mod part;
mod auditor;
mod play;
mod hints;

pub use auditor::{Auditor, Progress};
pub use between::PartSets;
pub use body_parts::BodyParts;
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
pub use part::AuditPart;
pub use play::{audit, audit_while, audit_with_progress};
pub use record::{ContactRecord, FrameRecord};
pub use span::Span;
