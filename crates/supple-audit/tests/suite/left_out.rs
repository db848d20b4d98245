//! Nothing is clean that is not: what is left out is counted, and brute force over all pairs finds no more than what is reported
//! and what is counted.

use std::sync::Arc;

use glam::{DAffine3, Vec3};
use supple::pose::{Channel, Clip, Interpolation, Joint, Node, Skeleton, Target, Transform};
use supple::rest::{Field, Fields, Rest};
use supple::{BuildOptions, Mesh, Model, SelfFilter, Shape, Skin, oracle};
use supple_audit::{Audit, AuditOptions, Findings, LeftOut, Verdict, audit};

use crate::hand_and_thigh::hand_and_thigh;

fn built(model: Model) -> Arc<Shape> {
    Arc::new(Shape::build(model, &BuildOptions::default()).unwrap())
}

/// All intersecting pairs of every frame of a clip, by brute force.
fn brute_force(shape: &Shape, clip: &Findings, fps: f32) -> Vec<Vec<[u32; 2]>> {
    let model = shape.model();
    let played = &model.clips()[clip.clip.unwrap()];
    let frame = |frame: usize| {
        let pose = model.sample(played, frame as f64 / f64::from(fps)).unwrap();
        let positions = model.posed(&pose, supple::Skinning::Linear).unwrap().positions();
        oracle::self_collide_with(model, &positions, &SelfFilter::default())
    };
    (0..clip.frames).map(frame).collect()
}

/// Pairs that are reported in a frame.
fn reported(clip: &Findings, frame: usize) -> usize {
    let moments = clip.bone_pairs.iter().flat_map(|pair| &pair.timeline);
    moments.filter(|moment| moment.frame == frame).map(|moment| moment.new_pairs + moment.rest_pairs).sum()
}

#[test]
fn a_face_of_one_bone_is_looked_at_as_a_whole() {
    let face = built(supple_zoo::make("face", 0).unwrap());
    let found = audit(&face, &AuditOptions::default().with_fps(5.0)).unwrap();
    let (mut frames, mut with_pairs) = (0, 0);
    for clip in &found.clips {
        let expected = brute_force(&face, clip, 5.0);
        for (frame, pairs) in expected.iter().enumerate() {
            assert_eq!(reported(clip, frame), pairs.len(), "frame {frame} of {}", clip.name);
        }
        let touching = expected.iter().filter(|pairs| !pairs.is_empty()).count();
        assert_eq!((clip.frames_with_pairs, clip.left_out.is_nothing()), (touching, true));
        assert_eq!(clip.verdict, if touching > 0 { Verdict::Intersects } else { Verdict::Clean });
        (frames, with_pairs) = (frames + clip.frames, with_pairs + clip.frames_with_pairs);
    }
    assert_eq!((with_pairs, frames), (5, 116));
}

#[test]
fn what_is_reported_and_what_is_counted_is_all_that_intersects() {
    let man = built(supple_zoo::make("man", 0).unwrap());
    let clips = ["random", "twist"];
    let plain = AuditOptions::default().with_fps(2.0).with_clips(clips);
    let bones = plain.clone().with_bones([["hand_l", "thigh_l"]]);
    let rings = plain.clone().with_rings(3).with_parent_child_skipped(false);
    let rest = plain.clone().with_ignored_rest(true).with_same_bone_skipped(false);
    let mut sums = LeftOut::default();
    for options in [plain, bones, rings, rest] {
        let found = audit(&man, &options).unwrap();
        for clip in &found.clips {
            let expected = brute_force(&man, clip, 2.0);
            let left_out: Vec<usize> = expected
                .iter()
                .enumerate()
                .map(|(frame, pairs)| pairs.len() - reported(clip, frame))
                .collect();
            let LeftOut { other_bones, same_bone, parent_child, rings, rest, .. } = clip.left_out;
            let reasons = [other_bones, same_bone, parent_child, rings, rest];
            let most = left_out.iter().copied().max().unwrap();
            let frames = left_out.iter().filter(|&&pairs| pairs > 0).count();
            assert!(reasons.iter().map(|reason| reason.most_pairs).sum::<usize>() >= most);
            assert!(reasons.iter().all(|reason| reason.most_pairs <= most && reason.frames <= frames));
            assert!(reasons.iter().map(|reason| reason.frames).sum::<usize>() >= frames);
            assert_eq!(clip.left_out.is_nothing(), most == 0);
            for (sum, reason) in [
                (&mut sums.other_bones, other_bones),
                (&mut sums.same_bone, same_bone),
                (&mut sums.parent_child, parent_child),
                (&mut sums.rings, rings),
            ] {
                sum.most_pairs += reason.most_pairs;
            }
        }
    }
    let each = [sums.other_bones, sums.parent_child, sums.rings];
    assert!(each.iter().all(|sum| sum.most_pairs > 0), "{sums:?}");
}

#[test]
fn single_reasons_count_what_brute_force_finds() {
    let man = built(supple_zoo::make("man", 0).unwrap());
    let options = AuditOptions::default().with_fps(2.0).with_clips(["random"]);
    let found = audit(&man, &options.clone().with_same_bone_skipped(false)).unwrap();
    let model = man.model();
    let node = |triangle: u32| model.skeleton().joints()[model.owning_joint(triangle).0 as usize].node;
    let is_kin = |&&[a, b]: &&[u32; 2]| {
        let parent = |node: usize| model.skeleton().nodes()[node].parent;
        parent(node(a)) == Some(node(b)) || parent(node(b)) == Some(node(a))
    };
    let frames = brute_force(&man, &found.clips[0], 2.0);
    let counts: Vec<usize> = frames.iter().map(|pairs| pairs.iter().filter(is_kin).count()).collect();
    let left_out = found.clips[0].left_out;
    assert_eq!(Some(left_out.parent_child.most_pairs), counts.iter().copied().max());
    assert_eq!(left_out.parent_child.frames, counts.iter().filter(|&&count| count > 0).count());
    assert_eq!((left_out.same_bone.frames, left_out.other_bones.frames, left_out.rings.frames), (0, 0, 0));
    // A hand that is inside of a thigh at rest, and ignored.
    let inside = hand_and_thigh(["thigh", "hand"], 1.1);
    let one_frame = AuditOptions::default().with_fps(1e-3).with_clips(["push"]).with_ignored_rest(true);
    let ignored = &audit(&inside, &one_frame).unwrap();
    assert_eq!(ignored.clips[0].verdict, Verdict::CleanExceptLeftOut);
    assert_eq!(ignored.clips[0].left_out.rest.most_pairs, ignored.rest.most_pairs);
    assert!(ignored.rest.most_pairs > 0 && ignored.rest.verdict == Verdict::Intersects);
}

/// A plate of two triangles and a spike above it at z = 1, which a morph target pushes through the plate, and far away a triangle
/// of another bone. The clip `push` plays the morph target, `turn` turns the first bone.
fn spike(bones: usize) -> Arc<Shape> {
    let positions: Vec<Vec3> = [
        [-1.0, -1.0, 0.0],
        [1.0, -1.0, 0.0],
        [1.0, 1.0, 0.0],
        [-1.0, 1.0, 0.0],
        [0.1, 0.2, 1.0],
        [0.3, 0.2, 2.0],
        [0.1, 0.4, 2.0],
        [9.0, 0.0, 0.0],
        [9.0, 1.0, 0.0],
        [9.0, 0.0, 1.0],
    ]
    .map(Vec3::from)
    .to_vec();
    let mesh = Mesh::new(positions, vec![[0, 1, 2], [0, 2, 3], [4, 5, 6], [7, 8, 9]]).unwrap();
    let lists: Vec<[(u32, f32); 1]> = (0..10).map(|v| [(u32::from(v >= 7 && bones > 1), 1.0)]).collect();
    let skin = Skin::new(bones, lists.iter().map(|list| list.as_slice())).unwrap();
    let nodes = (0..bones).map(|i| Node::new(format!("bone {i}"), None, Transform::IDENTITY)).collect();
    let joints = (0..bones).map(|node| Joint { node, inverse_bind: DAffine3::IDENTITY }).collect();
    let displacements: Vec<Vec3> =
        (0..10).map(|v| if v == 4 { Vec3::Z * -1.5 } else { Vec3::ZERO }).collect();
    let field = Field::displacing("push", &mesh, &displacements);
    let fields = Fields::new(10, &[field]).unwrap();
    let channel = |target, values: &[f32]| Channel {
        target,
        interpolation: Interpolation::Linear,
        times: vec![0.0, 1.0],
        values: values.to_vec(),
    };
    let push = channel(Target::Coefficients(0..1), &[0.0, 1.0]);
    let turn = channel(Target::Translation(0), &[0.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    let clips = vec![Clip::new("push", vec![push]).unwrap(), Clip::new("turn", vec![turn]).unwrap()];
    let model = Model::new(mesh, skin, Skeleton::new(nodes, joints).unwrap()).unwrap();
    built(model.with_rest(Rest::Fields(fields)).unwrap().with_clips(clips).unwrap())
}

#[test]
fn what_morph_targets_do_within_a_bone_is_reported() {
    for bones in [1, 2] {
        let Audit { rest, clips, .. } = audit(&spike(bones), &AuditOptions::default().with_fps(4.0)).unwrap();
        assert_eq!((rest.verdict, clips[1].verdict), (Verdict::Clean, Verdict::Clean));
        // The tip is at 1 - 1.5 t.
        let [pair] = &clips[0].bone_pairs[..] else { panic!("{:?}", clips[0]) };
        assert_eq!((pair.nodes, pair.first_frame, pair.last_frame, pair.depth), ([0, 0], 3, 4, None));
        assert_eq!((clips[0].verdict, clips[0].left_out.is_nothing()), (Verdict::Intersects, true));
    }
}

#[test]
fn what_joints_do_within_a_bone_is_left_out_and_counted() {
    // The spike is through the plate in the rest pose already.
    let shape = spike(2);
    let model = Model::clone(shape.model());
    let mut positions = model.mesh().positions().to_vec();
    positions[4].z = -0.5;
    let mesh = Mesh::new(positions, model.mesh().triangles().to_vec()).unwrap();
    let pierced = built(model.with_mesh(mesh).unwrap());
    let found = audit(&pierced, &AuditOptions::default().with_fps(4.0)).unwrap();
    for clip in [&found.rest, &found.clips[1]] {
        assert_eq!((clip.verdict, clip.most_pairs), (Verdict::CleanExceptLeftOut, 0), "{}", clip.name);
        assert_eq!((clip.left_out.same_bone.frames, clip.left_out.same_bone.most_pairs), (clip.frames, 1));
        let others = clip.left_out;
        assert_eq!((others.parent_child.frames, others.rest.frames, others.rings.frames), (0, 0, 0));
    }
    // Going on, the spike meets the other half of the plate: that is new, and the morph target's doing.
    let push = &found.clips[0];
    assert_eq!((push.verdict, push.left_out.same_bone.frames), (Verdict::Intersects, push.frames));
    assert_eq!((push.bone_pairs[0].most_new_pairs, push.bone_pairs[0].most_rest_pairs), (1, 0));
    let all = audit(&pierced, &AuditOptions::default().with_fps(4.0).with_same_bone_skipped(false)).unwrap();
    assert!(all.clips.iter().all(|clip| clip.frames_with_pairs == 5 && clip.left_out.is_nothing()));
}
