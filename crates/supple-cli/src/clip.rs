//! The clip that the user named.

use supple::Clip;
use supple::Model;

use crate::failure::{Failure, bad_usage};
use crate::table::counted;

/// Finds a clip by name or number.
pub fn find_clip<'m>(model: &'m Model, name: &str) -> Result<&'m Clip, Failure> {
    let by_number = || name.parse().ok().and_then(|index: usize| model.clips().get(index));
    if let Some(clip) = model.clips().iter().find(|c| c.name() == name).or_else(by_number) {
        return Ok(clip);
    }
    if model.clips().is_empty() {
        return Err(bad_usage(format!("there is no clip {name:?}: the model has no clips")));
    }
    let clips = model.clips().iter().enumerate();
    let available: Vec<String> = clips.map(|(i, c)| format!("{i} {:?}", c.name())).collect();
    let count = counted(model.clips().len(), "clip");
    Err(bad_usage(format!("there is no clip {name:?}; the model has {count}: {}", available.join(", "))))
}
