//! Every pair of triangles that brute force finds is in a frame of an audit or counted as left out.

use std::collections::BTreeSet;
use std::sync::Arc;

use supple::{SelfFilter, Shape, Skinning, oracle};
use supple_audit::{AuditOptions, Class, Kind, audit};

use crate::assets::assets;
use crate::figures::{built, played};

/// All pairs that touch in a frame, the smaller triangle first.
fn oracle_pairs(
    shape: &Shape,
    options: &AuditOptions,
    clip: Option<usize>,
    frame: usize,
) -> BTreeSet<[u32; 2]> {
    let model = shape.model();
    let pose = match clip {
        Some(clip) => model.sample(&model.clips()[clip], options.seconds(frame)).unwrap(),
        None => model.rest_pose(),
    };
    let positions = model.posed(&pose, options.skinning).unwrap().positions();
    oracle::self_collide_with(model, &positions, &SelfFilter::default()).into_iter().collect()
}

/// Compares all frames, and returns how many pairs there are in them.
fn compare(shape: &Arc<Shape>, options: &AuditOptions, what: &str) -> usize {
    let (audit, records) = played(shape, options);
    assert_eq!(records.len(), audit.clips.iter().map(|clip| clip.frames).sum::<usize>());
    let mut total = 0;
    for record in &records {
        let clip = &audit.clips[record.clip];
        let expected = oracle_pairs(shape, options, clip.number, record.frame);
        let found: usize = record.contacts.iter().map(|contact| contact.pairs).sum();
        assert_eq!(found, expected.len(), "{what}: {} frame {}", clip.name, record.frame);
        assert!(clip.left_out.is_nothing());
        let moments = audit.events.iter().flat_map(|event| &event.occurrences);
        let moments = moments.filter(|o| o.clip == record.clip).flat_map(|o| &o.moments);
        let mut moments: Vec<(usize, u32)> =
            moments.filter(|m| m.frame == record.frame).map(|m| (m.pairs, m.depth.to_bits())).collect();
        let mut contacts: Vec<(usize, u32)> =
            record.contacts.iter().map(|c| (c.pairs, c.depth.to_bits())).collect();
        moments.sort_unstable();
        contacts.sort_unstable();
        assert_eq!(moments, contacts, "{what}: {} frame {}", clip.name, record.frame);
        total += found;
    }
    for event in &audit.events {
        let worst = &event.worst;
        let all = oracle_pairs(shape, options, audit.clips[worst.clip].number, worst.frame);
        let own: BTreeSet<[u32; 2]> = worst.triangles.iter().map(|&[a, b]| [a.min(b), a.max(b)]).collect();
        assert!(own.is_subset(&all) && own.len() == worst.triangles.len(), "{what}: {}", event.id);
        let mut moments = event.occurrences.iter().filter(|o| o.clip == worst.clip).flat_map(|o| &o.moments);
        let moment = moments.find(|moment| moment.frame == worst.frame).unwrap();
        assert_eq!(moment.pairs, worst.triangles.len(), "{what}: {}", event.id);
        assert!(event.class != Class::Fault || event.visibility > 0.0);
        let frames: usize = event.occurrences.iter().map(|o| o.frames).sum();
        assert_eq!(event.frames, frames);
        for occurrence in &event.occurrences {
            let deepest = occurrence.moments.iter().map(|m| m.depth).fold(0.0, f32::max);
            assert_eq!((occurrence.depth, occurrence.moments.len()), (deepest, occurrence.frames));
            assert!(occurrence.depth <= event.depth);
        }
    }
    total
}

#[test]
fn a_man_with_every_kind_of_skinning() {
    let man = built(supple_zoo::make("man", 0).unwrap());
    for skinning in [Skinning::Linear, Skinning::Spherical, Skinning::DualQuaternion] {
        let options = AuditOptions::default().with_fps(1.0).with_skinning(skinning);
        assert!(compare(&man, &options, "man") > 0, "{skinning:?}");
    }
}

#[test]
fn other_characters() {
    for (animal, fps) in [("creature", 0.5), ("hand", 1.0), ("dwarf", 1.0), ("face", 2.0)] {
        compare(&built(supple_zoo::make(animal, 0).unwrap()), &AuditOptions::default().with_fps(fps), animal);
    }
}

#[test]
fn real_characters() {
    let Some(folder) = assets() else { return };
    for (file, fps) in [("khronos/CesiumMan.glb", 2.0), ("khronos/Fox.glb", 2.0), ("godot/player.glb", 0.5)] {
        let model = supple_io::load(folder.join(file)).unwrap();
        compare(&built(model), &AuditOptions::default().with_fps(fps), file);
    }
}

#[test]
fn what_is_left_out_and_what_is_found_is_all() {
    let man = built(supple_zoo::make("man", 0).unwrap());
    let plain = AuditOptions::default().with_fps(2.0).with_clips(["random", "twist"]);
    for options in [plain.clone().with_bones([["hand_l+", "thigh_l"]]), plain.clone().with_bones_apart(2)] {
        let (audit, records) = played(&man, &options);
        for (number, clip) in audit.clips.iter().enumerate() {
            let missing = records.iter().filter(|record| record.clip == number).map(|record| {
                let all = oracle_pairs(&man, &options, clip.number, record.frame).len();
                all - record.contacts.iter().map(|contact| contact.pairs).sum::<usize>()
            });
            let missing: Vec<usize> = missing.collect();
            let left_out = [clip.left_out.other_bones, clip.left_out.near_bones];
            let most: usize = left_out.iter().map(|reason| reason.most_pairs).sum();
            let frames: usize = left_out.iter().map(|reason| reason.frames).sum();
            assert_eq!(Some(most), missing.iter().copied().max());
            assert_eq!(frames, missing.iter().filter(|&&pairs| pairs > 0).count());
        }
        assert!(audit.clips.iter().any(|clip| !clip.left_out.is_nothing()) && !audit.is_clean());
    }
    // Without a filter nothing is left out.
    let all = audit(&man, &plain).unwrap();
    assert!(all.clips.iter().all(|clip| clip.left_out.is_nothing()));
    assert!(played(&man, &plain).1.iter().flat_map(|r| &r.contacts).any(|c| c.kind == Kind::Crease));
}
