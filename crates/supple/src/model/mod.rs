//! A model: mesh, rest stage, skin, skeleton and clips, as importers and generators produce it.
//!
//! [`Model`] checks that its pieces fit together; [`PosedModel`] is a model in one pose, deformed vertex by vertex or
//! all at once.

mod assembly;
mod part;
mod stages;
mod held;
mod posed;
mod seams;
mod self_filter;

pub use assembly::{Model, ModelError};
pub use part::{Part, Primitive};
pub use posed::PosedModel;
pub use self_filter::{Certificates, SelfFilter, SelfFilterError};

pub(crate) use posed::{POSITION, deform};
pub(crate) use self_filter::JointPairs;
pub(crate) use stages::{Job, with_stages};
