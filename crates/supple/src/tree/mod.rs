//! The tree over a model's triangles: built once, immutable, shared by all bodies of that shape.
//!
//! In: a [`Model`](crate::model::Model). Out: a [`Shape`]: nodes with everything a bound needs.
//! Must hold: every triangle is in exactly one leaf; every leaf is in a twig, whose vertices are posed together; the groups of a node above
//! twigs cover the vertices of its triangles.
//!
//! Based on: L. Kavan, Real-time Skeletal Animation, 2007, sections 5.1 and 5.3.

mod threads;
mod blocks;
mod groups;
mod layout;
mod twigs;
mod places;
mod slots;
mod kin;
mod kinship;
mod independent;
mod separation;
mod clearance;
mod weight_fits;
mod slopes;
mod displacements;
mod smoothness;
mod smoothness_search;
mod samples;
mod extents;
mod bins;
mod split;
mod radii;
mod collapse;
mod members;
mod outline;
mod draft;
mod judge;
mod change;
mod grouping;
mod shape;
mod nodes;
mod pieces;
mod rebuild;
mod class_error;
mod partition;
mod classes;

pub use class_error::ClassError;
pub use classes::TriangleClasses;
pub use nodes::{NodeId, TreeNode};
pub use pieces::Piece;
pub use shape::{BuildError, BuildOptions, MAX_COORDINATE, Shape};

pub(crate) use groups::{Group, Groups, LinearGroup, NodeGroups};
pub(crate) use kin::Kin;
pub(crate) use layout::{Node, Tree, WIDTH};
pub(crate) use partition::{ClassPairs, Partition};
pub(crate) use rebuild::rebuilt;
pub(crate) use shape::{add_facts, check_size};
pub(crate) use slots::Slots;
pub(crate) use smoothness::{ANY_FIELD, FieldSmoothness, JointSmoothness, Scope, Smoothness};
pub(crate) use twigs::MOST_IN_TWIG;
