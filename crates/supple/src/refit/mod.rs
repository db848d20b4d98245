//! Bodies: shapes in a pose, with bounds and vertices computed when a query first asks for them.
//!
//! In: a pose, O(joints). Out, on demand: the bound of a node from joint matrices and weights alone, and the posed
//! position of a vertex. Or in: a position per vertex ([`Body::set_vertices`]); bounds then follow from these.
//! Must hold: a bound contains every vertex below its node, as computed in f32 by the one vertex function; a node is
//! bounded at most once per pose; setting a pose clears nothing; memory follows what queries look at.

mod children;
mod eight_spheres;
mod posed_twigs;
mod twig_boxes;
mod leaf;
mod volume;
mod scratch;
mod cache;
mod vertex_update;
mod mode;
mod joint_bounds;
mod given_vertices;
mod whole_body;
mod body;
mod posed_vertices;
mod vertex_bounds;
mod exact;
mod law;
mod pieces;
mod class_spheres;
mod speed;
mod bulge;
mod certificates;

pub use body::Body;
pub use exact::bound_exactly;
pub use law::{FalseCertificate, Violation, false_certificates, violations};
pub use vertex_update::VertexUpdate;
pub use volume::VolumeKind;

pub(crate) use certificates::PosedCertificates;
pub(crate) use children::{Children, EightBoxes, EightVolumes};
pub(crate) use eight_spheres::EightSpheres;
pub(crate) use leaf::{Leaves, PosedLeaf};
pub(crate) use scratch::{ChildAt, LevelledChild, OrderedNode, Scratch};
pub(crate) use speed::{NoSpeed, Speeds};
pub(crate) use volume::Volume;
