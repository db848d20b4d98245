//! Plays clips: every frame is asked, then frames become events.
//!
//! Must hold: frames are answered on any thread, in any order and in any parts, and the audit is the same. Of a frame only numbers are
//! kept.

use std::collections::BTreeSet;
use std::sync::Arc;

use supple::pose::{Pose, PoseError};
use supple::{Body, Clip, Model, Shape};

use crate::collect::{Collected, Place, Thresholds};
use crate::error::AuditError;
use crate::event::{Audit, Class, Event, FramesWith, PlayedClip};
use crate::frame::{Finder, Key, Looked, Workplace};
use crate::in_order::in_order;
use crate::left_out::LeftOut;
use crate::mark::mark;
use crate::options::{AuditOptions, ChosenClip};
use crate::part::AuditPart;
use crate::record::FrameRecord;
use crate::span::{self, Span};
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

/// Audits a model in parts: spans of frames, on any thread, process or machine, which then make one audit.
///
/// Making one costs about as much as 20 frames; see [`audit`](crate::audit()) for what a frame costs. Every process makes its own, from
/// the same model with the same options. Where all is done in one call, [`audit`](crate::audit()) is simpler.
///
/// ```
/// use std::sync::Arc;
/// use supple::{BuildOptions, Shape};
/// use supple_audit::{AuditOptions, Auditor, audit};
///
/// let man = supple_zoo::make("man", 0)?;
/// let shape = Arc::new(Shape::build(man, &BuildOptions::default())?);
/// let options = AuditOptions::default().with_fps(5.0);
///
/// let auditor = Auditor::new(&shape, &options)?;
/// let mut parts = Vec::new();
/// for span in auditor.spans(10) { // each of at most 10 frames
///     parts.push(auditor.part(&[span])?);
/// }
/// parts.reverse(); // their order does not matter
/// assert_eq!(auditor.finish(parts)?, audit(&shape, &options)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Auditor {
    shape: Arc<Shape>,
    options: AuditOptions,
    clips: Vec<PlayedClip>,
    finder: Finder,
    workplace: Workplace,
    /// Of the model and the options.
    mark: String,
}

impl Auditor {
    /// Computes all that does not depend on the frame.
    ///
    /// # Errors
    /// Options that do not fit the model, or a rest pose where numbers are not finite.
    pub fn new(shape: &Arc<Shape>, options: &AuditOptions) -> Result<Self, AuditError> {
        Self::of_clips(shape, options, options.chosen_clips(shape.model())?)
    }

    /// Of clips that were chosen already.
    pub(crate) fn of_clips(
        shape: &Arc<Shape>,
        options: &AuditOptions,
        clips: Vec<ChosenClip>,
    ) -> Result<Self, AuditError> {
        let model = shape.model();
        let body = Body::new(shape, options.skinning).map_err(AuditError::RestPose)?;
        let groups = rigid_groups(model, clips.iter().map(|chosen| &model.clips()[chosen.number]));
        let (finder, workplace) = Finder::new(body, options, &groups)?;
        Ok(Self {
            shape: Arc::clone(shape),
            options: options.clone(),
            clips: summaries(model, &clips),
            finder,
            workplace,
            mark: mark(model, options),
        })
    }

    /// What is played, as it will be in [`Audit::clips`]; nothing is found in it yet. The rest pose where there are no clips.
    pub fn clips(&self) -> &[PlayedClip] {
        &self.clips
    }

    /// The options that it was made with.
    pub fn options(&self) -> &AuditOptions {
        &self.options
    }

    /// All frames of all clips, cut into spans of at most so many frames, or of 1.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use supple::{BuildOptions, Shape};
    /// use supple_audit::{AuditOptions, Auditor, Span};
    /// # let man = supple_zoo::make("man", 0)?;
    /// # let shape = Arc::new(Shape::build(man, &BuildOptions::default())?);
    ///
    /// let auditor = Auditor::new(&shape, &AuditOptions::default().with_fps(5.0).with_clips(["walk"]))?;
    /// assert_eq!(auditor.clips()[0].frames, 6);
    /// assert_eq!(auditor.spans(4), [Span { clip: 0, frames: 0..4 }, Span { clip: 0, frames: 4..6 }]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn spans(&self, most_frames: usize) -> Vec<Span> {
        let most = most_frames.max(1);
        let of_clip = |(clip, played): (usize, &PlayedClip)| {
            let all = played.frames;
            (0..all)
                .step_by(most)
                .map(move |from| Span { clip, frames: from..from.saturating_add(most).min(all) })
        };
        self.clips.iter().enumerate().flat_map(of_clip).collect()
    }

    /// Looks at some frames. It costs what these frames cost in an audit.
    ///
    /// # Errors
    /// Spans that overlap, or that the clips do not have; a clip that takes the model where numbers are not finite.
    pub fn part(&self, spans: &[Span]) -> Result<AuditPart, AuditError> {
        self.part_while(spans, |_| true)
    }

    /// Like [`Auditor::part`], and goes on only while it is told to: asked at the start, then after one or more frames, always on the
    /// caller's thread. Frames of this part alone count.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use supple::{BuildOptions, Shape};
    /// use supple_audit::{AuditError, AuditOptions, Auditor};
    /// # let man = supple_zoo::make("man", 0)?;
    /// # let shape = Arc::new(Shape::build(man, &BuildOptions::default())?);
    ///
    /// let auditor = Auditor::new(&shape, &AuditOptions::default().with_fps(5.0))?;
    /// let stopped = auditor.part_while(&auditor.spans(4)[..1], |progress| progress.done == 4);
    /// assert_eq!(stopped, Err(AuditError::Stopped { done: 0, frames: 4 }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Auditor::part`], and [`AuditError::Stopped`].
    pub fn part_while(
        &self,
        spans: &[Span],
        mut go_on: impl FnMut(Progress) -> bool,
    ) -> Result<AuditPart, AuditError> {
        spans.iter().try_for_each(|span| self.check(span))?;
        let spans = span::in_order(spans.to_vec()).map_err(|twice| self.twice(twice))?;
        let frames = self.count(&spans);
        if !go_on(Progress { done: 0, frames, records: &[] }) {
            return Err(AuditError::Stopped { done: 0, frames });
        }
        self.play(spans, go_on)
    }

    /// Makes an audit of parts that have all frames, each of them once; in any order. The worst frame of every event is looked at once
    /// more, which costs somewhat more than a frame each.
    ///
    /// # Errors
    /// Frames that are missing or there twice, and parts of another model, of other options or that were damaged.
    pub fn finish(&self, parts: impl IntoIterator<Item = AuditPart>) -> Result<Audit, AuditError> {
        let mut all = AuditPart::new(&self.mark, Vec::new());
        let parts: Vec<AuditPart> = parts.into_iter().collect();
        parts.iter().try_for_each(|part| part.check(&self.mark, &self.finder, &self.clips))?;
        all.merge(parts).map_err(|twice| self.twice(twice))?;
        let missing = span::missing(all.spans(), self.clips.iter().map(|clip| clip.frames));
        if let Some(first) = missing.first() {
            let name = self.clips[first.clip].name.clone();
            return Err(AuditError::FramesMissing { missing, name });
        }
        let events = self.events(all.collected())?;
        let mut clips = self.clips.clone();
        for (number, clip) in clips.iter_mut().enumerate() {
            clip.left_out = all.left_out(number);
        }
        count_frames(&mut clips, &events);
        let (model, bones) = (self.shape.model(), &self.finder.bones);
        let owners: BTreeSet<u32> = bones.of_triangles().iter().copied().collect();
        let hidden = all.hidden_bones().intersection(&owners);
        Ok(Audit {
            triangles: model.mesh().triangles().len(),
            vertices: model.mesh().positions().len(),
            bones: bones.count(),
            size: self.finder.size,
            hidden_bones: hidden.map(|&bone| bones.label(bone).to_owned()).collect(),
            clips,
            events,
        })
    }

    fn check(&self, span: &Span) -> Result<(), AuditError> {
        let Some(PlayedClip { name, frames, .. }) = self.clips.get(span.clip) else {
            return Err(AuditError::SpanOfNoClip { clip: span.clip, clips: self.clips.len() });
        };
        let (start, end) = (span.frames.start, span.frames.end);
        if start > end || end > *frames {
            let (clip, name, frames) = (span.clip, name.clone(), *frames);
            return Err(AuditError::SpanOutOfRange { clip, name, start, end, frames });
        }
        Ok(())
    }

    fn twice(&self, span: Span) -> AuditError {
        let name = self.clips[span.clip].name.clone();
        AuditError::FramesTwice { span, name }
    }

    /// Frames of clips: the rest pose is none.
    fn count(&self, spans: &[Span]) -> usize {
        let of_clips = spans.iter().filter(|span| self.clips[span.clip].number.is_some());
        of_clips.map(|span| span.frames.len()).sum()
    }

    fn pose(&self, place: Place) -> Result<Pose, AuditError> {
        let model = self.shape.model();
        let Some(number) = self.clips[place.0].number else { return Ok(model.rest_pose()) };
        let sampled = model.sample(&model.clips()[number], self.options.seconds(place.1));
        sampled.map_err(|error| self.failed(place, error))
    }

    fn failed(&self, (clip, frame): Place, source: PoseError) -> AuditError {
        let PlayedClip { number, name, .. } = &self.clips[clip];
        match *number {
            Some(clip) => AuditError::Pose { clip, name: name.clone(), frame, source },
            None => AuditError::RestPose(source),
        }
    }

    /// All frames of all spans, so that no thread waits for the end of a span.
    pub(crate) fn play(
        &self,
        spans: Vec<Span>,
        mut go_on: impl FnMut(Progress) -> bool,
    ) -> Result<AuditPart, AuditError> {
        let (mut done, frames) = (0, self.count(&spans));
        let mut part = AuditPart::new(&self.mark, spans.clone());
        let places = spans.into_iter().flat_map(|span| span.frames.map(move |frame| (span.clip, frame)));
        let ask = |workplace: &mut Workplace, place: &Place| {
            let pose = self.pose(*place)?;
            self.finder.frame(workplace, &pose).map_err(|error| self.failed(*place, error))
        };
        in_order(
            places,
            || self.workplace.clone(),
            ask,
            |answers| {
                answers.iter().for_each(|(place, frame)| part.add(*place, frame));
                let record = |(place, frame): &(Place, _)| FrameRecord::new(*place, frame, &self.finder);
                let records: Vec<FrameRecord> = answers.iter().map(record).collect();
                done = frames.min(done + answers.len());
                let told = Progress { done, frames, records: &records };
                if go_on(told) { Ok(()) } else { Err(AuditError::Stopped { done, frames }) }
            },
        )?;
        Ok(part)
    }

    /// Looks at the worst frames once more; then all is known of every event.
    fn events(&self, collected: &Collected) -> Result<Vec<Event>, AuditError> {
        let settings = Thresholds {
            fps: self.options.fps,
            min_depth: self.options.min_depth.in_units(self.finder.size),
            min_frames: self.options.min_frames,
            mesh_names: self.shape.model().parts().iter().map(|part| part.name.clone()).collect(),
        };
        let look = |workplace: &mut Workplace, (place, keys): &(Place, Vec<Key>)| {
            let pose = self.pose(*place)?;
            let looked: Vec<Looked> =
                self.finder.look(workplace, &pose, keys).map_err(|error| self.failed(*place, error))?;
            let event = |key| collected.event(key, &looked, &self.finder, &settings);
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

/// The clips, or the rest pose; nothing is found in them yet.
fn summaries(model: &Model, clips: &[ChosenClip]) -> Vec<PlayedClip> {
    let nothing = PlayedClip {
        name: String::new(),
        number: None,
        duration: 0.0,
        frames: 1,
        own_fps: None,
        frames_with: FramesWith::default(),
        left_out: LeftOut::default(),
    };
    let played = |chosen: &ChosenClip| {
        let clip = &model.clips()[chosen.number];
        PlayedClip {
            name: clip.name().to_owned(),
            number: Some(chosen.number),
            duration: clip.duration(),
            frames: chosen.frames,
            own_fps: own_fps(clip),
            ..nothing.clone()
        }
    };
    if clips.is_empty() { vec![nothing] } else { clips.iter().map(played).collect() }
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
