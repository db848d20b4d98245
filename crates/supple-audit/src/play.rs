//! A whole audit: all frames of all clips as one part.

use std::sync::Arc;

use supple::Shape;

use crate::auditor::{Auditor, Progress};
use crate::error::AuditError;
use crate::event::Audit;
use crate::options::AuditOptions;

/// Plays clips of a model and finds where it goes through itself.
///
/// It costs a self-collision per frame, and where something intersects, posing all vertices and measuring depths. With the
/// feature `rayon` frames and clips are done on all cores. To know only whether a body touches itself in one pose, ask
/// [`supple::self_collide`].
///
/// ```
/// use std::sync::Arc;
/// use supple::{BuildOptions, Shape};
/// use supple_audit::{AuditOptions, Class, audit};
///
/// let man = supple_zoo::make("man", 0)?;
/// let shape = Arc::new(Shape::build(man, &BuildOptions::default())?);
/// let audit = audit(&shape, &AuditOptions::default().with_fps(5.0))?;
/// println!("{} faults, {} creases", audit.faults().count(), audit.of_class(Class::Crease).count());
/// # assert_eq!(audit.clips.len(), shape.model().clips().len());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Options that do not fit the model, or a clip that takes it where numbers are not finite.
pub fn audit(shape: &Arc<Shape>, options: &AuditOptions) -> Result<Audit, AuditError> {
    audit_with_progress(shape, options, |_| {})
}

/// Like [`audit`], and says how far it is: at the start, then after one or more frames, always on the caller's thread.
///
/// ```
/// # use std::sync::Arc;
/// # use supple::{BuildOptions, Shape};
/// use supple_audit::{AuditOptions, audit_with_progress};
/// # let man = supple_zoo::make("man", 0)?;
/// # let shape = Arc::new(Shape::build(man, &BuildOptions::default())?);
///
/// let (mut done, mut frames) = (0, 0);
/// audit_with_progress(&shape, &AuditOptions::default().with_fps(2.0), |progress| {
///     (done, frames) = (progress.done, frames + progress.records.len());
/// })?;
/// assert_eq!(done, frames);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Options that do not fit the model, or a clip that takes it where numbers are not finite.
pub fn audit_with_progress(
    shape: &Arc<Shape>,
    options: &AuditOptions,
    mut progress: impl FnMut(Progress),
) -> Result<Audit, AuditError> {
    audit_while(shape, options, |now| {
        progress(now);
        true
    })
}

/// Like [`audit_with_progress`], and goes on only while it is told to: for programs with a button to cancel.
///
/// ```
/// # use std::sync::Arc;
/// # use supple::{BuildOptions, Shape};
/// use supple_audit::{AuditError, AuditOptions, audit_while};
/// # let man = supple_zoo::make("man", 0)?;
/// # let shape = Arc::new(Shape::build(man, &BuildOptions::default())?);
///
/// let stopped = audit_while(&shape, &AuditOptions::default().with_fps(2.0), |progress| progress.done < 1);
/// assert!(matches!(stopped, Err(AuditError::Stopped { done, frames }) if (1..=frames).contains(&done)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Those of [`audit`], and [`AuditError::Stopped`].
pub fn audit_while(
    shape: &Arc<Shape>,
    options: &AuditOptions,
    mut go_on: impl FnMut(Progress) -> bool,
) -> Result<Audit, AuditError> {
    let clips = options.chosen_clips(shape.model())?;
    let frames = clips.iter().map(|clip| clip.frames).sum();
    if !go_on(Progress { done: 0, frames, records: &[] }) {
        return Err(AuditError::Stopped { done: 0, frames });
    }
    let auditor = Auditor::of_clips(shape, options, clips)?;
    let all = auditor.play(auditor.spans(usize::MAX), go_on)?;
    auditor.finish([all])
}
