//! Motion without a mesh: BVH against kinematics by hand, clips of one file on the character of another.

mod assets;

use std::f64::consts::PI;
use std::fs;

use assets::assets;
use glam::{DMat3, DQuat, DVec3, Vec3};
use supple::pose::{Channel, Node, Pose, Skeleton, Target};
use supple::{Clip, Model, Skinning};
use supple_io::{
    Motion, RetargetError, RetargetOptions, glb_bytes, load, no_other_files, read_motion, read_motion_bytes,
    retarget,
};

const BVH_FILES: [&str; 5] = ["cmu_02_01", "cmu_05_06", "cmu_18_01", "cmu_19_01", "cmu_49_06"];

fn man() -> Model {
    supple_zoo::make("man", 0).unwrap()
}

fn played(model: &Model, motion: &Motion) -> supple_io::Retargeted {
    retarget(model, motion, &RetargetOptions::default()).unwrap()
}

fn positions(model: &Model, clip: &Clip, time: f64) -> Vec<Vec3> {
    model.posed(&model.sample(clip, time).unwrap(), Skinning::Linear).unwrap().positions()
}

/// Joints of a BVH by a reader and a kinematics of its own: names, parents and world positions per frame.
struct ByHand {
    names: Vec<String>,
    parents: Vec<Option<usize>>,
    frames: Vec<Vec<DVec3>>,
}

fn by_hand(text: &str) -> ByHand {
    let (mut names, mut parents, mut offsets, mut channels) = (vec![], vec![], vec![], vec![]);
    let (head, motion) = text.split_once("MOTION").unwrap();
    let mut open: Vec<usize> = vec![];
    for line in head.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["ROOT" | "JOINT", name] => names.push(name.to_owned()),
            ["End", _] => names.push(String::new()),
            ["{"] => {
                parents.push(open.last().copied());
                offsets.push(DVec3::ZERO);
                channels.push(Vec::<String>::new());
                open.push(parents.len() - 1);
            }
            ["}"] => drop(open.pop()),
            ["OFFSET", x, y, z] => {
                *offsets.last_mut().unwrap() = DVec3::from([x, y, z].map(|n| n.parse::<f64>().unwrap()));
            }
            ["CHANNELS", _, ref all @ ..] => {
                *channels.last_mut().unwrap() = all.iter().map(|c| (*c).to_owned()).collect();
            }
            _ => {}
        }
    }
    let frame = |line: &str| {
        let mut numbers = line.split_whitespace().map(|n| n.parse::<f64>().unwrap());
        let mut world: Vec<(DMat3, DVec3)> = vec![];
        for joint in 0..names.len() {
            let (mut turn, mut place) = (DMat3::IDENTITY, offsets[joint]);
            for channel in &channels[joint] {
                let (number, axis) = (numbers.next().unwrap(), "XYZ".find(&channel[..1]).unwrap());
                let (sin, cos) = number.to_radians().sin_cos();
                match (&channel[1..], axis) {
                    ("position", _) => place[axis] = number,
                    (_, 0) => turn *= DMat3::from_cols_array(&[1., 0., 0., 0., cos, sin, 0., -sin, cos]),
                    (_, 1) => turn *= DMat3::from_cols_array(&[cos, 0., -sin, 0., 1., 0., sin, 0., cos]),
                    _ => turn *= DMat3::from_cols_array(&[cos, sin, 0., -sin, cos, 0., 0., 0., 1.]),
                }
            }
            let (above, at) = parents[joint].map_or((DMat3::IDENTITY, DVec3::ZERO), |p: usize| world[p]);
            world.push((above * turn, at + above * place));
        }
        world.into_iter().map(|(_, place)| place).collect()
    };
    let frames = motion.lines().skip(3).filter(|line| !line.trim().is_empty()).map(frame).collect();
    ByHand { names, parents, frames }
}

fn places(skeleton: &Skeleton, pose: &Pose) -> Vec<DVec3> {
    skeleton.world_matrices(pose).unwrap().iter().map(|matrix| matrix.translation).collect()
}

fn rest(skeleton: &Skeleton) -> Pose {
    Pose { nodes: skeleton.nodes().iter().map(|node| node.rest).collect(), coefficients: vec![] }
}

#[test]
fn bvh_joints_are_where_kinematics_by_hand_puts_them() {
    let Some(folder) = assets() else { return };
    for name in BVH_FILES {
        let path = folder.join(format!("bvh/{name}.bvh"));
        let expected = by_hand(&fs::read_to_string(&path).unwrap());
        let motion = read_motion(&path).unwrap();
        assert!(motion.notes.is_empty(), "{:?}", motion.notes);
        let (clip, skeleton) = (&motion.clips[0], &motion.skeleton);
        assert_eq!(
            (skeleton.nodes().len(), expected.frames.len()),
            (expected.names.len(), clip.channels()[0].times.len())
        );
        for (frame, by_hand) in expected.frames.iter().enumerate().step_by(7) {
            let mut pose = rest(skeleton);
            clip.sample(f64::from(clip.channels()[0].times[frame]), &mut pose).unwrap();
            for (joint, (found, expected)) in places(skeleton, &pose).iter().zip(by_hand).enumerate() {
                assert!(
                    found.distance(*expected) < 1e-4,
                    "{name} frame {frame} joint {joint}: {found} {expected}"
                );
            }
        }
    }
}

/// Clips of a file without its mesh, on the model without its clips, move it as before, bit by bit.
#[test]
fn a_model_that_was_taken_apart_moves_as_before() {
    let whole = man();
    let bytes = glb_bytes(&whole).unwrap();
    let whole = supple_io::read_bytes("glb", &bytes, &mut no_other_files).unwrap().model;
    let motion = read_motion_bytes("glb", &without_meshes(&bytes), &mut no_other_files).unwrap();
    let still = whole.clone().with_clips(vec![]).unwrap();
    let played = played(&still, &motion);
    assert_eq!((played.remarks.len(), played.superfluous.len()), (0, 0), "{played:?}");
    assert_eq!(played.clips.len(), whole.clips().len());
    for (old, new) in whole.clips().iter().zip(&played.clips) {
        assert_eq!(positions(&whole, old, 0.37), positions(&still, new, 0.37), "{}", old.name());
    }
}

/// The same GLB with no node that has a mesh or a skin.
fn without_meshes(glb: &[u8]) -> Vec<u8> {
    let length = u32::from_le_bytes(glb[12..16].try_into().unwrap()) as usize;
    let mut json: serde_json::Value = serde_json::from_slice(&glb[20..20 + length]).unwrap();
    for node in json["nodes"].as_array_mut().unwrap() {
        let node = node.as_object_mut().unwrap();
        node.remove("mesh");
        node.remove("skin");
    }
    ["meshes", "skins"].iter().for_each(|key| drop(json.as_object_mut().unwrap().remove(*key)));
    let mut text = json.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    let mut file = glb[..12].to_vec();
    file.extend((text.len() as u32).to_le_bytes());
    file.extend(b"JSON");
    file.extend(&text);
    file.extend(&glb[20 + length..]);
    let total = file.len() as u32;
    file[8..12].copy_from_slice(&total.to_le_bytes());
    file
}

fn renamed(skeleton: &Skeleton, rename: impl Fn(&str) -> String) -> Skeleton {
    let node = |node: &Node| Node { name: rename(&node.name), ..node.clone() };
    Skeleton::new(skeleton.nodes().iter().map(node).collect(), skeleton.joints().to_vec()).unwrap()
}

#[test]
fn prefixes_are_ignored_on_request() {
    let man = man();
    let mut motion = Motion::from(&man);
    motion.skeleton = renamed(&motion.skeleton, |name| format!("mixamorig:{}", name.to_uppercase()));
    let error = retarget(&man, &motion, &RetargetOptions::default()).unwrap_err();
    assert!(matches!(error, RetargetError::NoBones { .. }), "{error}");
    assert!(error.to_string().contains("\"mixamorig:\""), "{error}");
    let mut shouted = Motion::from(&man);
    shouted.skeleton = renamed(&shouted.skeleton, |name| name.to_uppercase().replace('_', "."));
    let error = retarget(&man, &shouted, &RetargetOptions::default()).unwrap_err();
    assert!(
        matches!(&error, RetargetError::NoBones { likely_prefix: Some(p), .. } if p.is_empty()),
        "{error}"
    );
    let keep_head = |name: &str| if name == "HEAD" { "head".to_owned() } else { name.to_owned() };
    shouted.skeleton = renamed(&shouted.skeleton, keep_head);
    assert_eq!(played(&man, &shouted).likely_prefix.as_deref(), Some(""));
    assert_eq!(played(&man, &Motion::from(&man)).likely_prefix, None);
    let options = RetargetOptions::default().with_ignored_prefixes(vec!["mixamorig:".to_owned()]);
    let found = retarget(&man, &motion, &options).unwrap();
    assert_eq!(found.clips, played(&man, &Motion::from(&man)).clips);
}

#[test]
fn bones_of_one_side_only_are_listed() {
    let man = man();
    let mut motion = Motion::from(&man);
    let bone = man.joint_name(supple::JointId(5)).to_owned();
    motion.skeleton =
        renamed(&motion.skeleton, |name| if name == bone { "wing".to_owned() } else { name.to_owned() });
    let found = played(&man, &motion);
    assert!(found.missing.contains(&bone), "{found:?}");
    assert_eq!(found.superfluous, ["wing"]);
    let nothing = Motion { clips: vec![], ..motion };
    assert_eq!(retarget(&man, &nothing, &RetargetOptions::default()), Err(RetargetError::NoClips));
}

/// A giant with the same bones plays the clip as a giant.
#[test]
fn lengths_follow_the_legs() {
    const FACTOR: f32 = 3.0;
    let man = man();
    let mut motion = Motion::from(&man);
    let node = |node: &Node| {
        let mut node = node.clone();
        node.rest.translation /= FACTOR;
        node
    };
    let nodes = motion.skeleton.nodes().iter().map(node).collect();
    motion.skeleton = Skeleton::new(nodes, motion.skeleton.joints().to_vec()).unwrap();
    let shrunk = |channel: &Channel| match channel.target {
        Target::Translation(_) => {
            Channel { values: channel.values.iter().map(|v| v / FACTOR).collect(), ..channel.clone() }
        }
        _ => channel.clone(),
    };
    motion.clips = motion
        .clips
        .iter()
        .map(|clip| Clip::new(clip.name(), clip.channels().iter().map(shrunk).collect()).unwrap())
        .collect();
    let found = played(&man, &motion);
    for (old, new) in man.clips().iter().zip(&found.clips) {
        for (a, b) in positions(&man, old, 0.4).iter().zip(positions(&man, new, 0.4)) {
            assert!(a.distance(b) < 1e-4, "{}: {a} {b}", old.name());
        }
    }
}

/// Long bones of the character point where those of the motion point, in every frame, though their rest poses differ by up to 58 degrees.
#[test]
fn a_character_with_another_rest_pose_follows_the_motion() {
    let Some(folder) = assets() else { return };
    let character = load(folder.join("makehuman/makehuman_cmu_A.glb")).unwrap();
    let limbs = [
        "LeftArm",
        "LeftForeArm",
        "RightArm",
        "RightForeArm",
        "LeftUpLeg",
        "LeftLeg",
        "RightUpLeg",
        "RightLeg",
    ];
    for name in BVH_FILES {
        let path = folder.join(format!("bvh/{name}.bvh"));
        let text = by_hand(&fs::read_to_string(&path).unwrap());
        let found = played(&character, &read_motion(&path).unwrap());
        assert_eq!(found.superfluous, ["LeftHandIndex1", "RightHandIndex1"]);
        let (clip, skeleton) = (&found.clips[0], character.skeleton());
        let rest_hips = places(skeleton, &character.rest_pose())[skeleton.node_named("Hips").unwrap()];
        for frame in (0..text.frames.len()).step_by(50) {
            let pose = character.sample(clip, f64::from(clip.channels()[0].times[frame])).unwrap();
            let places = places(skeleton, &pose);
            let hips = places[skeleton.node_named("Hips").unwrap()];
            // Nobody lies down in these clips: the hips stay near their height.
            assert!((hips.y - rest_hips.y).abs() < 0.5, "{name} frame {frame}: {hips}");
            for limb in limbs {
                let bone = text.names.iter().position(|n| n == limb).unwrap();
                let child = text.parents.iter().position(|p| *p == Some(bone)).unwrap();
                let expected = text.frames[frame][child] - text.frames[frame][bone];
                let at = |name: &str| places[skeleton.node_named(name).unwrap()];
                let angle = (at(&text.names[child]) - at(limb)).angle_between(expected).to_degrees();
                assert!(angle < 0.1, "{name} frame {frame} {limb}: {angle} degrees");
            }
        }
    }
}

/// The man after his world was turned: his bones keep their axes, as in files of programs that face another way.
fn man_who_stands(turn: DQuat) -> Model {
    let man = man();
    let turn = turn.as_quat();
    let node = |node: &Node| {
        let mut node = node.clone();
        node.rest.translation = turn * node.rest.translation;
        node.rest.rotation = turn * node.rest.rotation * turn.inverse();
        node
    };
    let nodes = man.skeleton().nodes().iter().map(node).collect();
    let skeleton = Skeleton::new(nodes, man.skeleton().joints().to_vec()).unwrap();
    Model::new(man.mesh().clone(), man.skin().clone(), skeleton).unwrap()
}

/// Joints of one who faces another way are where the other's are, turned; and back.
#[test]
fn motion_is_turned_to_where_the_character_faces() {
    let man = man();
    let half = (DQuat::from_rotation_y(PI), "the character faces another way", "180 degrees about Y");
    let z_up =
        (DQuat::from_rotation_x(PI / 2.0), "the character stands another way", "by 90 degrees about X");
    for (turn, remark, degrees) in [half, z_up] {
        let other = man_who_stands(turn);
        let there = played(&other, &Motion::from(&man));
        assert!(
            there.remarks.iter().any(|r| r.text.contains(remark) && r.text.contains(degrees)),
            "{:?}",
            there.remarks
        );
        assert!(!there.remarks.iter().any(|r| r.text.contains("point elsewhere")), "{:?}", there.remarks);
        let back = played(&man, &Motion::from(&other.clone().with_clips(there.clips.clone()).unwrap()));
        assert_eq!(back.clips.len(), man.clips().len());
        for (index, clip) in man.clips().iter().enumerate() {
            for time in clip.channels()[0].times.iter().step_by(5).map(|&time| f64::from(time)) {
                let at = |model: &Model, clip| places(model.skeleton(), &model.sample(clip, time).unwrap());
                let expected = at(&man, clip);
                let (turned, returned) = (at(&other, &there.clips[index]), at(&man, &back.clips[index]));
                for (joint, place) in expected.iter().enumerate() {
                    let apart = [(turn * *place).distance(turned[joint]), place.distance(returned[joint])];
                    assert!(
                        apart.iter().all(|a| *a < 1e-4),
                        "{} {time} joint {joint}: {apart:?}",
                        clip.name()
                    );
                }
            }
        }
    }
}

/// Names that do not tell left from right: nothing is turned, nothing claimed.
#[test]
fn nothing_is_turned_without_sides() {
    let rename = |name: &str| match name.rsplit_once('_') {
        Some((rest, "l")) => format!("{rest}_one"),
        Some((rest, "r")) => format!("{rest}_two"),
        _ => name.to_owned(),
    };
    let man = man();
    let mut motion = Motion::from(&man);
    motion.skeleton = renamed(&motion.skeleton, rename);
    let other = man_who_stands(DQuat::from_rotation_y(PI));
    let skeleton = renamed(other.skeleton(), rename);
    let other = Model::new(other.mesh().clone(), other.skin().clone(), skeleton).unwrap();
    let found = played(&other, &motion);
    assert!(!found.remarks.iter().any(|remark| remark.text.contains("another way")), "{:?}", found.remarks);
}

/// A bone that hangs from a turned node without a name on the other side does not lie down.
#[test]
fn what_the_skeleton_hangs_from_counts() {
    let man = man();
    let mut motion = Motion::from(&man);
    let mut nodes = motion.skeleton.nodes().to_vec();
    let turn = DQuat::from_rotation_x(PI / 2.0).as_quat();
    let above = nodes.len();
    for node in nodes.iter_mut().filter(|node| node.parent.is_none()) {
        node.parent = Some(above);
        node.rest.rotation = turn.inverse() * node.rest.rotation;
        node.rest.translation = turn.inverse() * node.rest.translation;
    }
    let tops: Vec<usize> = (0..above).filter(|&node| nodes[node].parent == Some(above)).collect();
    nodes.push(Node::new("Armature", None, supple::Transform { rotation: turn, ..Default::default() }));
    motion.skeleton = Skeleton::new(nodes, motion.skeleton.joints().to_vec()).unwrap();
    let hung = |channel: &Channel| {
        let mut channel = channel.clone();
        match channel.target {
            Target::Translation(node) if tops.contains(&node) => {
                for value in channel.values.as_chunks_mut::<3>().0 {
                    *value = (turn.inverse() * Vec3::from_array(*value)).to_array();
                }
            }
            Target::Rotation(node) if tops.contains(&node) => {
                for value in channel.values.as_chunks_mut::<4>().0 {
                    *value = (turn.inverse() * glam::Quat::from_array(*value)).to_array();
                }
            }
            _ => {}
        }
        channel
    };
    motion.clips = motion
        .clips
        .iter()
        .map(|clip| Clip::new(clip.name(), clip.channels().iter().map(hung).collect()).unwrap())
        .collect();
    let found = played(&man, &motion);
    for (old, new) in man.clips().iter().zip(&found.clips) {
        let time = f64::from(old.channels()[0].times[old.channels()[0].times.len() / 2]);
        for (a, b) in positions(&man, old, time).iter().zip(positions(&man, new, time)) {
            assert!(a.distance(b) < 1e-4, "{}: {a} {b}", old.name());
        }
    }
}

/// VRM 0 faces -Z, BVH +Z: the character walks where the toes point, and knees bend to the same side.
#[test]
fn a_character_that_faces_backwards_walks_forwards() {
    let Some(folder) = assets() else { return };
    let character = load(folder.join("vrm/100Avatars_013_Mint.vrm")).unwrap();
    let motion = read_motion(folder.join("bvh/cmu_02_01.bvh")).unwrap();
    let options = RetargetOptions::default().with_ignored_prefixes(vec!["mixamorig:".to_owned()]);
    let found = retarget(&character, &motion, &options).unwrap();
    assert!(found.remarks.iter().any(|r| r.text.ends_with("180 degrees about Y")), "{:?}", found.remarks);
    let (skeleton, clip) = (character.skeleton(), &found.clips[0]);
    let node = |name: &str| skeleton.node_named(&format!("mixamorig:{name}")).unwrap();
    let frames: Vec<Vec<DVec3>> = clip.channels()[0]
        .times
        .iter()
        .map(|&time| places(skeleton, &character.sample(clip, f64::from(time)).unwrap()))
        .collect();
    let hips = |frame: &[DVec3]| frame[node("Hips")];
    let way = hips(frames.last().unwrap()) - hips(&frames[0]);
    assert!(way.length() > 0.5, "{way}");
    for side in ["Left", "Right"] {
        let [hip, knee, ankle, toe] =
            ["UpLeg", "Leg", "Foot", "ToeBase"].map(|name| node(&format!("{side}{name}")));
        let bend = |f: &Vec<DVec3>| (f[hip] - f[knee]).angle_between(f[ankle] - f[knee]);
        let bent = frames.iter().min_by(|a, b| bend(a).total_cmp(&bend(b))).unwrap();
        assert!(bend(bent).to_degrees() < 140.0);
        let line = (bent[ankle] - bent[hip]).normalize();
        let [knee, toe_of_bent] =
            [bent[knee] - bent[hip], bent[toe] - bent[ankle]].map(|v| v.reject_from_normalized(line));
        assert!(knee.dot(toe_of_bent) > 0.0, "{side}: the knee is {knee}, the toes are {toe_of_bent}");
        let toes: DVec3 = frames.iter().map(|f| f[toe] - f[ankle]).sum();
        let angle = toes.reject_from(DVec3::Y).angle_between(way.reject_from(DVec3::Y)).to_degrees();
        assert!(angle < 30.0, "{side}: toes and way differ by {angle} degrees");
    }
}

/// Thousands of damaged files are refused or read, and what was read can be played.
#[test]
fn damaged_bvh_files_do_no_harm() {
    let text = "HIERARCHY\nROOT a\n{\nOFFSET 0 1 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\nJOINT b\n{\nOFFSET 0 -1 0\nCHANNELS 1 Xrotation\nEnd Site\n{\nOFFSET 0 -1 0\n}\n}\n}\nMOTION\nFrames: 3\nFrame Time: 0.1\n0 1 0 0 0 0 0\n1 2 3 90 0 0 -90\n1 2 3 90 0 1 -90\n";
    let mut state = 0x5eed_u64;
    let mut random = |limit: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize % limit
    };
    let (mut read, mut refused) = (0, 0);
    for _ in 0..4000 {
        let mut bytes = text.as_bytes().to_vec();
        for _ in 0..=random(3) {
            let at = random(bytes.len());
            match random(4) {
                0 => bytes[at] = b" \n{}0123456789eE-.aX"[random(20)],
                1 => bytes[at] ^= 1 << random(8),
                2 => drop(bytes.splice(at..at, b"99999999999".iter().copied())),
                _ => bytes.truncate(at.max(1)),
            }
        }
        match read_motion_bytes("bvh", &bytes, &mut no_other_files) {
            Ok(motion) => {
                read += 1;
                let mut pose = rest(&motion.skeleton);
                motion.clips.iter().for_each(|clip| clip.sample(0.15, &mut pose).unwrap());
                let _ = retarget(&man_of(&motion), &motion, &RetargetOptions::default());
            }
            Err(error) => {
                refused += 1;
                assert!(!error.to_string().is_empty());
            }
        }
    }
    assert!(read > 200 && refused > 1000, "{read} read, {refused} refused");
}

/// A triangle on bones that have the names of the motion's and other offsets.
fn man_of(motion: &Motion) -> Model {
    let mut nodes = motion.skeleton.nodes().to_vec();
    nodes.iter_mut().for_each(|node| node.rest.translation = Vec3::new(0.3, -0.2, 0.1));
    let joints = motion.skeleton.joints().to_vec();
    let mesh = supple::Mesh::new(vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![[0, 1, 2]]).unwrap();
    let weights = [[(0, 1.0f32)]; 3];
    let skin = supple::Skin::new(joints.len(), weights.iter().map(|w| &w[..])).unwrap();
    Model::new(mesh, skin, Skeleton::new(nodes, joints).unwrap()).unwrap()
}
