//! A model that is borrowed, or held together with others.

use std::ops::Deref;
use std::sync::Arc;

use super::Model;

/// What a posed model poses.
#[derive(Clone, Debug)]
pub(super) enum Held<'m> {
    Borrowed(&'m Model),
    Shared(Arc<Model>),
}

impl Deref for Held<'_> {
    type Target = Model;

    fn deref(&self) -> &Model {
        match self {
            Self::Borrowed(model) => model,
            Self::Shared(model) => model,
        }
    }
}
