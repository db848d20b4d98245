//! An audit in parts is the audit as a whole, however frames are cut; frames that are missing or there twice are errors.

use std::sync::Arc;

use glam::Vec3;
use supple::{Shape, Skinning};
use supple_audit::{AuditError, AuditOptions, AuditPart, Auditor, Span, audit};

use crate::assets::assets;
use crate::figures::{Figure, built, cube};

/// Xorshift.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end as u64) as usize
    }

    fn shuffle<T>(&mut self, all: &mut [T]) {
        for i in (1..all.len()).rev() {
            all.swap(i, self.below(i + 1));
        }
    }
}

fn zoo(name: &str) -> Arc<Shape> {
    built(supple_zoo::make(name, 0).unwrap())
}

/// Through text, if there is a way.
fn sent(part: AuditPart) -> AuditPart {
    #[cfg(feature = "serde")]
    {
        let read: AuditPart = serde_json::from_str(&serde_json::to_string(&part).unwrap()).unwrap();
        assert_eq!(read, part);
        read
    }
    #[cfg(not(feature = "serde"))]
    part
}

/// Cuts all frames at random, and deals the pieces out.
fn dealt(auditor: &Auditor, hands: usize, random: &mut Random) -> Vec<Vec<Span>> {
    let mut spans = Vec::new();
    for (clip, played) in auditor.clips().iter().enumerate() {
        let mut from = 0;
        while from < played.frames {
            let to = (from + 1 + random.below(7)).min(played.frames);
            spans.push(Span { clip, frames: from..to });
            from = to;
        }
    }
    random.shuffle(&mut spans);
    let mut dealt = vec![Vec::new(); hands];
    for span in spans {
        dealt[random.below(hands)].push(span);
    }
    dealt
}

/// The same in parts, by an auditor each, as in processes of their own.
fn is_the_same_in_parts(shape: &Arc<Shape>, options: &AuditOptions) {
    let whole = audit(shape, options).unwrap();
    let mut random = Random(20070601);
    for hands in [1, 5] {
        let auditor = Auditor::new(shape, options).unwrap();
        let mut parts = Vec::new();
        for spans in dealt(&auditor, hands, &mut random) {
            let elsewhere = Auditor::new(shape, options).unwrap();
            parts.push(sent(elsewhere.part(&spans).unwrap()));
        }
        random.shuffle(&mut parts);
        let frames: usize = parts.iter().map(AuditPart::frames).sum();
        assert_eq!(frames, whole.clips.iter().map(|clip| clip.frames).sum::<usize>());
        assert!(auditor.finish(parts).unwrap() == whole, "{hands} parts");
    }
}

#[test]
fn parts_of_the_zoo_make_the_whole_audit() {
    let options = AuditOptions::default().with_fps(5.0);
    is_the_same_in_parts(&zoo("man"), &options);
    is_the_same_in_parts(&zoo("man"), &options.clone().with_bones_apart(2).with_min_frames(3));
    is_the_same_in_parts(&zoo("creature"), &options.clone().with_skinning(Skinning::DualQuaternion));
    is_the_same_in_parts(&zoo("human"), &AuditOptions::default().with_fps(3.0));
}

#[test]
fn parts_of_real_files_make_the_whole_audit() {
    let Some(folder) = assets() else { return };
    for (file, fps) in [("khronos/CesiumMan.glb", 10.0), ("quaternius/RobotExpressive.glb", 2.0)] {
        let shape = built(supple_io::load(folder.join(file)).unwrap());
        is_the_same_in_parts(&shape, &AuditOptions::default().with_fps(fps));
    }
}

#[test]
fn a_rest_pose_is_a_clip_of_one_frame() {
    let options = AuditOptions::default().with_clip_numbers([]);
    is_the_same_in_parts(&zoo("human"), &options);
    let auditor = Auditor::new(&zoo("human"), &options).unwrap();
    let [clip] = auditor.clips() else { panic!("{:?}", auditor.clips()) };
    assert_eq!((clip.number, clip.name.as_str(), clip.frames), (None, "", 1));
    assert_eq!(auditor.spans(9), [Span { clip: 0, frames: 0..1 }]);
    assert_eq!(auditor.finish([]).unwrap_err().to_string(), "frame 0 of clip 0 \"\" is missing");
}

#[test]
fn what_is_hidden_in_one_part_is_hidden_in_the_audit() {
    let (one, none) = (Vec3::ONE, Vec3::splat(0.001));
    let figure = Figure::default().with("a", cube(1.0), Vec3::ZERO).with("b", cube(1.0), Vec3::X * 1.5);
    let shape = figure.clip("go").scales(1, &[one, one, none, one, none]).shape();
    let options = AuditOptions::default().with_fps(1.0);
    assert_eq!(audit(&shape, &options).unwrap().hidden_bones, ["b"]);
    is_the_same_in_parts(&shape, &options);
}

fn two_clips() -> Arc<Shape> {
    let away = Vec3::X * 9.0;
    let figure = Figure::default().with("a", cube(1.0), Vec3::ZERO).with("b", cube(1.0), away);
    let near = Vec3::new(1.5, 0.1, 0.2);
    figure.clip("walk").moves(1, &[away, near, away]).clip("run").moves(1, &[near, near, away, near]).shape()
}

#[test]
fn spans_that_are_not_there_are_errors() {
    let auditor = Auditor::new(&two_clips(), &AuditOptions::default().with_fps(1.0)).unwrap();
    let error =
        |clip, start, end| auditor.part(&[Span { clip, frames: start..end }]).unwrap_err().to_string();
    let no_clip =
        "there is no clip 2 to look at; the number of clips that are played is 2, and the first has number 0";
    assert_eq!(error(2, 0, 1), no_clip);
    assert_eq!(error(1, 2, 5), "clip 1 \"run\" has no frames 2..5; it has 0..4");
    assert_eq!(error(0, 2, 1), "clip 0 \"walk\" has no frames 2..1; it has 0..3");
    assert_eq!(auditor.part(&[Span { clip: 0, frames: 3..3 }]).unwrap().frames(), 0);
    let twice = [Span { clip: 1, frames: 0..3 }, Span { clip: 1, frames: 2..4 }];
    assert_eq!(auditor.part(&twice).unwrap_err().to_string(), "frame 2 of clip 1 \"run\" is there twice");
}

#[test]
fn frames_that_are_missing_or_there_twice_are_told() {
    let options = AuditOptions::default().with_fps(1.0);
    let auditor = Auditor::new(&two_clips(), &options).unwrap();
    let part = |clip, frames| auditor.part(&[Span { clip, frames }]).unwrap();
    let error = |parts: &[&AuditPart]| auditor.finish(parts.iter().map(|&part| part.clone())).unwrap_err();
    let (walk, run, end) = (part(0, 0..3), part(1, 0..4), part(1, 2..4));
    assert_eq!(error(&[&run]).to_string(), "frames 0 to 2 of clip 0 \"walk\" are missing");
    let missing = error(&[&end, &part(0, 1..2)]);
    let words = "frame 0 of clip 0 \"walk\" and others are missing: 4 frames in 3 spans";
    assert_eq!(missing.to_string(), words);
    let AuditError::FramesMissing { missing, .. } = missing else { panic!("{missing}") };
    let rest = auditor.part(&missing).unwrap();
    let whole = auditor.finish([rest, end.clone(), part(0, 1..2)]).unwrap();
    assert_eq!(whole, audit(&two_clips(), &options).unwrap());
    assert_eq!(whole.events[0].frames, 4);
    assert_eq!(error(&[&walk, &run, &end]).to_string(), "frames 2 to 3 of clip 1 \"run\" are there twice");
    assert_eq!(error(&[&walk, &run, &walk]).to_string(), "frames 0 to 2 of clip 0 \"walk\" are there twice");
}

#[test]
fn parts_of_another_audit_are_errors() {
    let options = AuditOptions::default().with_fps(1.0);
    let auditor = Auditor::new(&two_clips(), &options).unwrap();
    let all = |auditor: &Auditor| auditor.part(&auditor.spans(usize::MAX)).unwrap();
    assert!(auditor.finish([all(&Auditor::new(&two_clips(), &options).unwrap())]).is_ok());
    let others = [
        Auditor::new(&two_clips(), &options.clone().with_min_frames(2)),
        Auditor::new(&two_clips(), &options.clone().with_skinning(Skinning::Spherical)),
        Auditor::new(&zoo("man"), &options),
    ];
    for other in others {
        assert_eq!(auditor.finish([all(&other.unwrap())]), Err(AuditError::ForeignPart));
    }
}

#[cfg(feature = "serde")]
#[test]
fn parts_that_were_changed_on_their_way_are_errors() {
    let auditor = Auditor::new(&two_clips(), &AuditOptions::default().with_fps(1.0)).unwrap();
    let part = auditor.part(&auditor.spans(usize::MAX)).unwrap();
    let json = serde_json::to_string(&part).unwrap();
    assert!(json.contains("\"start\":0,\"end\":4"), "{json}");
    let mut broken = 0;
    let numbers: Vec<usize> = json.match_indices(|c: char| c.is_ascii_digit()).map(|(at, _)| at).collect();
    for at in numbers {
        let changed = format!("{}9{}", &json[..at], &json[at + 1..]);
        let Ok(part) = serde_json::from_str::<AuditPart>(&changed) else { continue };
        // Whatever it says now: an audit or an error, no panic.
        broken += usize::from(auditor.finish([part]).is_err());
    }
    assert!(broken > 20, "{broken}");
}

#[test]
fn an_auditor_can_be_shared() {
    fn is_shared<T: Send + Sync>(_: &T) {}
    let options = AuditOptions::default().with_fps(1.0);
    let auditor = Auditor::new(&two_clips(), &options).unwrap();
    is_shared(&auditor);
    let parts: Vec<AuditPart> = std::thread::scope(|scope| {
        let threads: Vec<_> =
            auditor.spans(2).into_iter().map(|span| scope.spawn(|| auditor.part(&[span]))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap().unwrap()).collect()
    });
    assert_eq!(auditor.finish(parts), audit(&two_clips(), &options));
}
