//! Plays clips: every frame of every clip is asked, then frames become events.
//!
//! Must hold: frames are answered on any thread in any order, and the audit is the same. Of a frame only numbers are kept.

use std::collections::BTreeSet;
use std::sync::Arc;

use supple::pose::{Pose, PoseError};
use supple::{Body, Clip, Model, Shape};

use crate::collect::{Collected, Place, Thresholds};
use crate::error::AuditError;
use crate::event::{Audit, Class, Event, FramesWith, PlayedClip};
use crate::frame::{Finder, Frame, Key, Looked, Workplace};
use crate::in_order::in_order;
use crate::left_out::LeftOut;
use crate::options::{AuditOptions, ChosenClip};
use crate::record::FrameRecord;
use crate::still::rigid_groups;

/// How far an audit is.
///
/// ```
/// use supple_audit::Progress;
///
/// let percent = |progress: &Progress| 100 * progress.done / progress.frames.max(1);
/// # let _ = percent;
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Progress<'r> {
    /// How many frames are done.
    pub done: usize,
    /// How many there are, of all clips that are played.
    pub frames: usize,
    /// What was found in the frames that are done since the last call: clip after clip, frame after frame.
    pub records: &'r [FrameRecord],
}

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
    let mut progress = |progress: Progress| {
        let Progress { done, frames, .. } = progress;
        if go_on(progress) { Ok(()) } else { Err(AuditError::Stopped { done, frames }) }
    };
    let model = shape.model();
    let clips = options.chosen_clips(model)?;
    let frames = clips.iter().map(|clip| clip.frames).sum();
    progress(Progress { done: 0, frames, records: &[] })?;
    let body = Body::new(shape, options.skinning).map_err(AuditError::RestPose)?;
    let groups = rigid_groups(model, clips.iter().map(|chosen| chosen.clip));
    let (finder, workplace) = Finder::new(body, options, &groups)?;
    let player = Player { options, clips: &clips, model, finder: &finder, workplace: &workplace };
    let mut played = player.summaries();
    let (mut collected, mut hidden, mut done) = (Collected::default(), BTreeSet::new(), 0);
    player.play(|answers| {
        let records: Vec<FrameRecord> =
            answers.iter().map(|(place, frame)| FrameRecord::new(*place, frame, &finder)).collect();
        for (place, frame) in &answers {
            collected.add(*place, frame);
            hidden.extend(&frame.hidden_bones);
            played[place.0].left_out.add(&frame.left_out);
        }
        done += if clips.is_empty() { 0 } else { answers.len() };
        progress(Progress { done, frames, records: &records })
    })?;
    let events = player.events(&collected)?;
    count_frames(&mut played, &events);
    let owners: BTreeSet<u32> = finder.bones.of_triangles().iter().copied().collect();
    Ok(Audit {
        triangles: model.mesh().triangles().len(),
        vertices: model.mesh().positions().len(),
        bones: finder.bones.count(),
        size: finder.size,
        hidden_bones: hidden.intersection(&owners).map(|&bone| finder.bones.label(bone).to_owned()).collect(),
        clips: played,
        events,
    })
}

/// What is played, and who finds something in it.
struct Player<'a> {
    options: &'a AuditOptions,
    clips: &'a [ChosenClip<'a>],
    model: &'a Model,
    finder: &'a Finder,
    workplace: &'a Workplace,
}

impl Player<'_> {
    /// The clips, or the rest pose; nothing is found in them yet.
    fn summaries(&self) -> Vec<PlayedClip> {
        let nothing = PlayedClip {
            name: String::new(),
            number: None,
            duration: 0.0,
            frames: 1,
            own_fps: None,
            frames_with: FramesWith::default(),
            left_out: LeftOut::default(),
        };
        if self.clips.is_empty() {
            return vec![nothing];
        }
        let played = |chosen: &ChosenClip| PlayedClip {
            name: chosen.clip.name().to_owned(),
            number: Some(chosen.number),
            duration: chosen.clip.duration(),
            frames: chosen.frames,
            own_fps: own_fps(chosen.clip),
            ..nothing.clone()
        };
        self.clips.iter().map(played).collect()
    }

    fn pose(&self, (clip, frame): Place) -> Result<Pose, AuditError> {
        let Some(chosen) = self.clips.get(clip) else { return Ok(self.model.rest_pose()) };
        let sampled = self.model.sample(chosen.clip, self.options.seconds(frame));
        sampled.map_err(|error| self.failed((clip, frame), error))
    }

    fn failed(&self, (clip, frame): Place, source: PoseError) -> AuditError {
        match self.clips.get(clip) {
            Some(chosen) => {
                let name = chosen.clip.name().to_owned();
                AuditError::Pose { clip: chosen.number, name, frame, source }
            }
            None => AuditError::RestPose(source),
        }
    }

    /// All frames of all clips, so that no thread waits for the end of a clip.
    fn play(
        &self,
        take: impl FnMut(Vec<(Place, Frame)>) -> Result<(), AuditError>,
    ) -> Result<(), AuditError> {
        let rest = self.clips.is_empty().then_some((0, 0));
        let of_clips = self.clips.iter().enumerate();
        let places = of_clips.flat_map(|(clip, chosen)| (0..chosen.frames).map(move |frame| (clip, frame)));
        let ask = |workplace: &mut Workplace, place: &Place| {
            let pose = self.pose(*place)?;
            self.finder.frame(workplace, &pose).map_err(|error| self.failed(*place, error))
        };
        in_order(places.chain(rest), || self.workplace.clone(), ask, take)
    }

    /// Looks at the worst frames once more; then all is known of every event.
    fn events(&self, collected: &Collected) -> Result<Vec<Event>, AuditError> {
        let settings = Thresholds {
            fps: self.options.fps,
            min_depth: self.options.min_depth.in_units(self.finder.size),
            min_frames: self.options.min_frames,
            mesh_names: self.model.parts().iter().map(|part| part.name.clone()).collect(),
        };
        let look = |workplace: &mut Workplace, (place, keys): &(Place, Vec<Key>)| {
            let pose = self.pose(*place)?;
            let looked: Vec<Looked> =
                self.finder.look(workplace, &pose, keys).map_err(|error| self.failed(*place, error))?;
            let event = |key| collected.event(key, &looked, self.finder, &settings);
            Ok(keys.iter().map(event).collect::<Vec<Event>>())
        };
        let (worst, mut events) = (collected.worst_frames(), Vec::new());
        in_order(
            worst.into_iter(),
            || self.workplace.clone(),
            look,
            |found| {
                events.extend(found.into_iter().flat_map(|(_, events)| events));
                Ok(())
            },
        )?;
        events.sort_by(|a: &Event, b: &Event| {
            a.class.cmp(&b.class).then(b.severity.total_cmp(&a.severity)).then_with(|| a.id.cmp(&b.id))
        });
        make_ids_unique(&mut events);
        Ok(events)
    }
}

/// In how many frames of each clip there is something of each class.
fn count_frames(played: &mut [PlayedClip], events: &[Event]) {
    for class in Class::ALL {
        let mut frames = BTreeSet::new();
        for occurrence in events.iter().filter(|e| e.class == class).flat_map(|e| &e.occurrences) {
            frames.extend(occurrence.moments.iter().map(|moment| (occurrence.clip, moment.frame)));
        }
        for (clip, _) in frames {
            *played[clip].frames_with.of_mut(class) += 1;
        }
    }
}

/// Names of meshes may differ by what no id shows.
fn make_ids_unique(events: &mut [Event]) {
    let mut seen = BTreeSet::new();
    for event in events {
        let (id, mut number) = (event.id.clone(), 1);
        while !seen.insert((event.class, event.id.clone())) {
            number += 1;
            event.id = format!("{id}#{number}");
        }
    }
}

/// The frames per second of a clip whose keys all lie on frames of 1/fps.
fn own_fps(clip: &Clip) -> Option<f64> {
    const RATES: [f64; 10] = [24.0, 25.0, 30.0, 15.0, 12.0, 48.0, 50.0, 60.0, 100.0, 120.0];
    let lies_on_frames = |fps: &f64| {
        let mut times = clip.channels().iter().flat_map(|channel| &channel.times);
        times.all(|&time| {
            let frame = f64::from(time) * fps;
            (frame - frame.round()).abs() < 1e-3 + 1e-6 * frame.abs()
        })
    };
    let has_keys = clip.channels().iter().any(|channel| channel.times.len() > 2);
    RATES.into_iter().find(|fps| has_keys && lies_on_frames(fps))
}
