//! The papers' own bounds, on the same tree as the library's, so that both can be compared and the papers reproduced.
//!
//! In: a [`Shape`](crate::Shape) and a pose. Out: per node the sphere or box that the paper would have computed.
//! Must hold: the same law as for the library's own bounds; a reference bound contains the f32-posed vertices.
//!
//! | method | paper | rest stage | skinning |
//! | --- | --- | --- | --- |
//! | [`Method::Thesis52`] | thesis, Algorithms 5.1 and 5.2 | none | linear |
//! | [`Method::Thesis61`] | thesis, Algorithm 6.1, caps corrected | none | spherical |
//! | [`Method::BdTreeSphere`], [`Method::BdTreeBox`] | BD-Tree, equations 5 to 7 and section 3.5 | fields | one joint |
//! | [`Method::MorphSphere`], [`Method::MorphBox`] | morphing, equations 3 and 7 | convex morph | one joint |
//!
//! The papers know rigid joints only; a joint that scales by more than [`NEARLY_RIGID`] is an error here. Nothing in this module is made for speed:
//! bounds are computed in f64 from the f32 numbers that skinning uses, every time they are asked for.
//!
//! ```
//! use std::sync::Arc;
//! use glam::Vec3;
//! use supple::math::Isometry;
//! use supple::reference::{Method, ReferenceBounds, reference_tightness, reference_violations};
//! use supple::{BuildOptions, Shape, mesh::Mesh, model::Model};
//!
//! let mesh = Mesh::new(vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![[0, 1, 2]])?;
//! let shape = Arc::new(Shape::build(Model::rigid(mesh), &BuildOptions::default())?);
//! let bounds = ReferenceBounds::build(&shape)?;
//! let posed = bounds.pose(Method::Thesis52, &shape.model().rest_pose(), &Isometry::IDENTITY)?;
//! assert!(reference_violations(&posed).is_empty());
//! assert!(reference_tightness(&posed)[0].mean < 1.001);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Based on: L. Kavan, Real-time Skeletal Animation, 2007, chapters 5 and 6; D. L. James, D. K. Pai, BD-Tree, 2004,
//! section 3; T. Larsson, T. Akenine-Moller, Efficient Collision Detection for Models Deformed by Morphing, 2003,
//! section 3.

mod method;
mod bounding_sphere;
mod cap;
mod corners;
mod bounds;
mod posed_joint;
mod posed;
mod linear;
mod spherical;
mod fields;
mod morph;
mod compare;

pub use bounds::ReferenceBounds;
pub use cap::ball_of_cap;
pub use compare::{reference_tightness, reference_violations};
pub use corners::weight_corners;
pub use method::{Method, ReferenceError};
pub use posed::{PosedReference, ReferenceVolume};
pub use posed_joint::NEARLY_RIGID;
