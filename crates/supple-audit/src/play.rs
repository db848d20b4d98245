use crate::error::AuditError;
use crate::event::Audit;
use crate::options::AuditOptions;
use std::sync::Arc;
use supple::Shape;

/// How far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// How many frames are done.
    pub done: usize,
    /// How many there are, of all clips that are played.
    pub frames: usize,
}

/// Audits.
pub fn audit(shape: &Arc<Shape>, options: &AuditOptions) -> Result<Audit, AuditError> {
    audit_with_progress(shape, options, |_| {})
}

/// Audits.
pub fn audit_with_progress(
    shape: &Arc<Shape>,
    options: &AuditOptions,
    mut progress: impl FnMut(Progress),
) -> Result<Audit, AuditError> {
    let clips = options.chosen_clips(shape.model())?;
    progress(Progress { done: 0, frames: clips.iter().map(|clip| clip.frames).sum() });
    Ok(Audit {
        triangles: 0,
        vertices: 0,
        bones: 0,
        size: 0.0,
        hidden_bones: vec![],
        clips: vec![],
        events: vec![],
    })
}
