//! Self-collision equals brute force, pair by pair: zoo, real files, all skinnings, filters, degenerate meshes.

use std::sync::Arc;

use crate::subjects::cases::{cases, skinnings_of_case};
use crate::subjects::characters::shape_of;
use crate::subjects::random_model::{Random, RestKind, random_model, random_pose};
use crate::subjects::zoo::zoo;
use glam::{DAffine3, Quat, Vec3};
use supple::math::Isometry;
use supple::mesh::Mesh;
use supple::model::Model;
use supple::oracle;
use supple::pose::{Joint, Node, Pose, Skeleton, Transform};
use supple::skin::Skin;
use supple::{Body, BuildOptions, JointId, SelfFilter, SelfFilterError, Shape, Skinning, self_collide_with};

/// Compares with brute force, which starts from the model and not from the body; returns how many pairs there are.
fn assert_exact(body: &mut Body, pose: &Pose, filter: &SelfFilter, what: &str) -> usize {
    let model = Arc::clone(body.shape().model());
    let posed = model.posed_at(pose, body.skinning(), body.placement()).unwrap().positions();
    let expected = oracle::self_collide_with(&model, &posed, filter);
    let found = self_collide_with(body, filter).unwrap().found;
    assert!(found.iter().all(|[a, b]| a < b), "{what}");
    assert_eq!(found, expected, "{what} {:?} {filter:?}", body.skinning());
    expected.len()
}

/// All clips of a model, or made-up coefficients where it has none.
fn poses(model: &Model, count: usize) -> Vec<Pose> {
    (0..count)
        .map(|i| {
            let mut pose = model.rest_pose();
            if i == 0 {
                return pose;
            }
            match model.clips().get(i % model.clips().len().max(1)) {
                Some(clip) => clip.sample_looped(clip.duration() * (0.37 * i as f64), &mut pose).unwrap(),
                None => {
                    for (k, coefficient) in pose.coefficients.iter_mut().enumerate() {
                        *coefficient = ((i + k) as f32 * 1.7).sin().abs();
                    }
                }
            }
            pose
        })
        .collect()
}

/// Every joint turned at random: limbs go through each other.
fn contorted(model: &Model, seed: u64) -> Pose {
    let mut random = Random(seed);
    let mut pose = model.rest_pose();
    for node in &mut pose.nodes {
        let turn = Quat::from_axis_angle(random.rotation() * Vec3::X, random.signed() * 0.8);
        node.rotation = (node.rotation * turn).normalize();
    }
    pose
}

fn without_joints(pairs: &[[u32; 2]]) -> SelfFilter {
    pairs.iter().fold(SelfFilter::default(), |filter, pair| filter.without_joints(pair.map(JointId)))
}

fn filters(model: &Model) -> Vec<SelfFilter> {
    let joints = model.skin().joint_count() as u32;
    let mut by_joint = SelfFilter::default();
    by_joint.same_joint = true;
    let by_pairs = without_joints(&[[0, joints - 1], [joints / 2, joints / 3]]);
    let relatives = SelfFilter::default().without_creases().with_rings(1);
    let rings = SelfFilter::default().with_rings(2);
    vec![SelfFilter::default(), by_joint, by_pairs, relatives, rings]
}

/// Ways of skinning and filters take turns, from pose to pose and from case to case.
fn check(
    case: usize,
    name: &str,
    shape: &Arc<Shape>,
    pose_count: usize,
    seeds: std::ops::Range<u64>,
) -> usize {
    let model = shape.model();
    let (mut pairs, filters) = (0, filters(model));
    let poses: Vec<Pose> =
        poses(model, pose_count).into_iter().chain(seeds.map(|seed| contorted(model, seed))).collect();
    let mut bodies = Skinning::ALL.map(|skinning| Body::new(shape, skinning).unwrap());
    for (i, pose) in poses.iter().enumerate() {
        for body in &mut bodies[skinnings_of_case(case + i)] {
            body.set_pose(pose).unwrap();
            pairs += assert_exact(body, pose, &SelfFilter::default(), name);
            assert_exact(body, pose, &filters[(case + i) % filters.len()], name);
        }
    }
    println!("{name}: {pairs} pairs in {} poses", poses.len());
    pairs
}

#[test]
fn the_whole_zoo() {
    // Brute force sweeps along x, and most of the bridge lies within six metres of it: minutes for each pose.
    let pairs: usize = supple_zoo::kinds()
        .iter()
        .filter(|kind| kind.triangles < 100_000)
        .enumerate()
        .map(|(case, kind)| check(case, kind.name, &zoo(kind.name), cases(3, 4), 0..cases(1, 2)))
        .sum();
    assert!(pairs > cases(500, 5_000), "limbs go through each other: {pairs}");
}

#[test]
fn real_files() {
    let Some(folder) = crate::assets::assets() else { return };
    let files = [
        "khronos/CesiumMan.glb",
        "khronos/Fox.glb",
        "khronos/RiggedFigure.glb",
        "khronos/MorphStressTest.glb",
        "khronos/AnimatedMorphCube-Quantized.glb",
        "hands/aframe_leftHandHigh.glb",
        "quaternius/RobotExpressive.glb",
        "rocketbox/rocketbox_Male_Adult_01.glb",
        "vrm/100Avatars_013_Mint.vrm",
        "momentum/test_24fps.glb",
        "kaykit/Knight.glb",
    ];
    for (case, file) in files.into_iter().enumerate() {
        check(
            case,
            file,
            &shape_of(supple_io::load(folder.join(file)).unwrap()),
            cases(2, 3),
            0..cases(1, 2),
        );
    }
}

#[test]
fn large_real_files() {
    let Some(folder) = crate::assets::assets() else { return };
    let files = ["makehuman/makehuman_layers.glb", "makehuman/makehuman_default163.glb"];
    for (case, file) in files.into_iter().enumerate() {
        check(case, file, &shape_of(supple_io::load(folder.join(file)).unwrap()), 2, 0..1);
    }
}

#[test]
fn small_hostile_models() {
    let mut pairs = 0;
    for seed in 0..cases(20, 60) {
        for kind in RestKind::ALL {
            let shape = Arc::new(
                Shape::build(
                    random_model(seed, kind),
                    &BuildOptions::default().with_leaf_size(1 + seed as usize % 8),
                )
                .unwrap(),
            );
            let model = shape.model();
            for skinning in Skinning::ALL {
                let mut body = Body::new(&shape, skinning).unwrap();
                for (i, scaled) in [false, true].into_iter().enumerate() {
                    let pose = random_pose(model, seed + i as u64, scaled);
                    body.set_pose(&pose).unwrap();
                    for filter in filters(model) {
                        pairs += assert_exact(&mut body, &pose, &filter, &format!("seed {seed} {kind:?}"));
                    }
                }
            }
        }
    }
    assert!(pairs > cases(10_000, 50_000), "{pairs}");
}

/// Corners on a coarse grid, each vertex in one triangle: all sharing is by welding, and everything is degenerate.
#[test]
fn degenerate_soups() {
    for seed in 0..60 {
        let mut random = Random(seed);
        let size = 2 + seed as usize % 5;
        let mut corner =
            || Vec3::new(random.below(size) as f32, random.below(size) as f32, random.below(size) as f32);
        let positions: Vec<Vec3> = (0..180).map(|_| corner()).collect();
        let triangles = (0..60).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
        let shape = shape_of(Model::rigid(Mesh::new(positions, triangles).unwrap()));
        let mut body = Body::new(&shape, Skinning::Linear).unwrap();
        let mut pose = shape.model().rest_pose();
        assert_exact(&mut body, &pose, &SelfFilter::default(), "grid");
        assert_exact(&mut body, &pose, &SelfFilter::default().with_rings(1), "grid");
        // Flattened, mirrored and far away.
        pose.nodes[0].scale = Vec3::new(1.0, -1e-3, 0.0);
        pose.nodes[0].translation = Vec3::splat(1e4);
        body.set_pose(&pose).unwrap();
        assert_exact(&mut body, &pose, &SelfFilter::default(), "flattened grid");
    }
}

/// Two sheets that nearly touch, moved rigidly so far away that rounding makes them touch: a certificate must notice.
#[test]
fn rounding_makes_rigid_things_touch() {
    let cells = 12;
    let (mut positions, mut triangles) = (Vec::new(), Vec::new());
    for sheet in 0..2u32 {
        let first = positions.len() as u32;
        for i in 0..=cells {
            for j in 0..=cells {
                let bump = ((i * 7 + j * 3) % 5) as f32 * 1e-5;
                positions.push(Vec3::new(i as f32 * 0.1, sheet as f32 * 1e-4 + bump, j as f32 * 0.1));
            }
        }
        for i in 0..cells {
            for j in 0..cells {
                let v = first + i * (cells + 1) + j;
                triangles.push([v, v + 1, v + cells + 1]);
                triangles.push([v + 1, v + cells + 2, v + cells + 1]);
            }
        }
    }
    let shape = shape_of(Model::rigid(Mesh::new(positions, triangles).unwrap()));
    let pose = shape.model().rest_pose();
    let mut touching = Vec::new();
    for skinning in Skinning::ALL {
        let mut body = Body::new(&shape, skinning).unwrap();
        for far in [0.0, 1.0, 30.0, 1e3, 3e4, 1e6] {
            let turn = Quat::from_axis_angle(Vec3::new(0.6, 0.0, 0.8), 0.7).as_dquat();
            body.set_placement(Isometry::new(turn, Vec3::splat(far))).unwrap();
            touching.push(assert_exact(&mut body, &pose, &SelfFilter::default(), &format!("{far}")));
        }
    }
    assert_eq!(touching[0], 0);
    assert!(touching[5] > 0, "{touching:?}");
    // Where rounding cannot do it, the root's certificate holds, and nothing else is looked at.
    let mut body = Body::new(&shape, Skinning::Linear).unwrap();
    let stats = self_collide_with(&mut body, &SelfFilter::default()).unwrap().stats;
    assert_eq!((stats.node_visits, stats.vertices_deformed), (1, 0));
}

/// Joints turned against each other by next to nothing, near and far away: what moves as one must be decided with care.
#[test]
fn nearly_rigid_joints() {
    let mut touching = 0;
    for name in ["dwarf", "hand"] {
        let shape = zoo(name);
        for (i, angle) in [1e-7, 1e-5, 1e-4, 1e-3, 1e-2].into_iter().enumerate() {
            let mut random = Random(i as u64);
            let mut pose = shape.model().rest_pose();
            for node in &mut pose.nodes {
                let axis = random.rotation() * Vec3::X;
                node.rotation = (node.rotation * Quat::from_axis_angle(axis, angle)).normalize();
                node.scale *= 1.0 + angle * random.signed();
            }
            for skinning in &Skinning::ALL[skinnings_of_case(i)] {
                let mut body = Body::new(&shape, *skinning).unwrap();
                for far in [0.0, 300.0, 1e5] {
                    let place = Isometry::new(Quat::from_rotation_x(0.3).as_dquat(), Vec3::splat(far));
                    body.set_pose_at(&pose, place).unwrap();
                    touching +=
                        assert_exact(&mut body, &pose, &SelfFilter::default(), &format!("{name} {far}"));
                }
            }
        }
    }
    assert!(touching > cases(300, 1000), "far away, rounding makes neighbours touch: {touching}");
}

/// A strip of quads, folded in the middle so that its ends meet.
fn folded_strip() -> (Arc<Shape>, Pose) {
    let count = 10u32;
    let positions =
        (0..=count).flat_map(|i| [Vec3::new(i as f32, 0.0, 0.0), Vec3::new(i as f32, 0.0, 1.0)]).collect();
    let triangles =
        (0..count).flat_map(|i| [[2 * i, 2 * i + 1, 2 * i + 2], [2 * i + 1, 2 * i + 3, 2 * i + 2]]).collect();
    let influences: Vec<Vec<(u32, f32)>> =
        (0..=count).flat_map(|i| [vec![(u32::from(i > 5), 1.0)], vec![(u32::from(i > 5), 1.0)]]).collect();
    let nodes = vec![
        Node::new("near", None, Transform::IDENTITY),
        Node::new("between", Some(0), Transform::IDENTITY),
        Node::new("far", Some(1), Transform::from_translation(Vec3::X * 5.0)),
    ];
    let joints = vec![
        Joint { node: 0, inverse_bind: DAffine3::IDENTITY },
        Joint { node: 2, inverse_bind: DAffine3::from_translation(glam::DVec3::NEG_X * 5.0) },
    ];
    let mesh = Mesh::new(positions, triangles).unwrap();
    let skin = Skin::new(2, influences.iter().map(Vec::as_slice)).unwrap();
    let model = Model::new(mesh, skin, Skeleton::new(nodes, joints).unwrap()).unwrap();
    let shape = shape_of(model);
    let mut pose = shape.model().rest_pose();
    // Mirrored, not turned: the two halves then lie on each other exactly.
    pose.nodes[2].scale.x = -1.0;
    (shape, pose)
}

#[test]
fn filters_leave_out_what_they_say() {
    let (shape, pose) = folded_strip();
    let mut body = Body::new(&shape, Skinning::Linear).unwrap();
    let none = SelfFilter::default();
    assert_eq!(self_collide_with(&mut body, &none).unwrap().found, [[0u32; 2]; 0]);
    body.set_pose(&pose).unwrap();
    let count = |body: &mut Body, filter: &SelfFilter| assert_exact(body, &pose, filter, "strip");
    let all = count(&mut body, &none);
    assert!(all > 0);
    // The joints' nodes have a node between them that is no joint.
    for filter in [
        SelfFilter::default().without_creases(),
        without_joints(&[[1, 0], [0, 0], [1, 1]]),
        SelfFilter::default().with_rings(30),
        SelfFilter::default().with_rings(u32::MAX),
    ] {
        assert_eq!(count(&mut body, &filter), 0, "{filter:?}");
    }
    let near = SelfFilter::default().with_rings(3);
    assert!((1..all).contains(&count(&mut body, &near)));
    assert_eq!(count(&mut body, &without_joints(&[[1, 1]])), all);
}

#[test]
fn joints_out_of_range_are_errors() {
    let (shape, _) = folded_strip();
    let mut body = Body::new(&shape, Skinning::Linear).unwrap();
    let filter = without_joints(&[[0, 1], [0, 2]]);
    let error = self_collide_with(&mut body, &filter).unwrap_err();
    assert_eq!(error, SelfFilterError::JointOutOfRange { pair: 1, joint: 2, joints: 2 });
    assert_eq!(error.to_string(), "pair 1 of the filter names joint 2, but there are only 2 joints");
}

#[test]
fn the_owner_is_the_heaviest_joint_and_the_first_of_equals() {
    let mesh = Mesh::new(vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z], vec![[0, 1, 2], [1, 2, 3]]).unwrap();
    let nodes = (0..3).map(|i| Node::new(format!("{i}"), None, Transform::IDENTITY)).collect();
    let joints = (0..3).map(|node| Joint { node, inverse_bind: DAffine3::IDENTITY }).collect();
    let influences: [&[(u32, f32)]; 4] =
        [&[(2, 1.0)], &[(1, 0.5), (2, 0.5)], &[(1, 1.0)], &[(0, 0.25), (2, 0.75)]];
    let skin = Skin::new(3, influences).unwrap();
    let model = Model::new(mesh, skin, Skeleton::new(nodes, joints).unwrap()).unwrap();
    assert_eq!([model.owning_joint(0), model.owning_joint(1)], [JointId(1); 2]);
    let at = |barycentrics| model.joint_at(1, barycentrics);
    assert_eq!([at([0.0, 0.0, 1.0]), at([1.0, 0.0, 0.0])], [JointId(2), JointId(1)], "at corners");
    assert_eq!([at([0.0, 0.25, 0.75]), at([0.0, 0.75, 0.25])], [JointId(2), JointId(1)], "along an edge");
}

/// Both sides of a seam are one surface, also where weights move them apart.
#[test]
fn seams_are_welded() {
    let positions = vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::ZERO, Vec3::Z, Vec3::NEG_X];
    let mesh = Mesh::new(positions, vec![[0, 1, 2], [3, 4, 5]]).unwrap();
    let shape = shape_of(Model::rigid(mesh));
    let mut body = Body::new(&shape, Skinning::Linear).unwrap();
    assert_eq!(assert_exact(&mut body, &shape.model().rest_pose(), &SelfFilter::default(), "seam"), 0);
}

/// One mesh at two nodes, like a pair of boots: the same places in the file, but no seams between the two.
#[test]
fn instances_of_one_mesh_touch_each_other() {
    let corner = |i: u32| Vec3::from_array([0, 1, 2].map(|bit| (i >> bit & 1) as f32));
    let sides = [[0, 1, 5, 4], [1, 3, 7, 5], [3, 2, 6, 7], [2, 0, 4, 6], [0, 2, 3, 1], [4, 5, 7, 6]];
    let cube: Vec<[u32; 3]> = sides.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    let positions: Vec<Vec3> = (0..8).map(corner).collect();
    let twice = [&positions[..], &positions].concat();
    let triangles = cube.iter().copied().chain(cube.iter().map(|t| t.map(|v| v + 8))).collect();
    let joint_of = |vertex: u32| [(vertex / 8, 1.0f32)];
    let influences: Vec<[(u32, f32); 1]> = (0..16).map(joint_of).collect();
    let aside = Transform::from_translation(Vec3::new(0.5, 0.25, 0.125));
    let nodes = vec![Node::new("left", None, Transform::IDENTITY), Node::new("right", None, aside)];
    let joints = (0..2).map(|node| Joint { node, inverse_bind: DAffine3::IDENTITY }).collect();
    let model = Model::new(
        Mesh::new(twice, triangles).unwrap(),
        Skin::new(2, influences.iter().map(|own| &own[..])).unwrap(),
        Skeleton::new(nodes, joints).unwrap(),
    );
    let shape = shape_of(model.unwrap());
    let mut body = Body::new(&shape, Skinning::Linear).unwrap();
    let found = self_collide_with(&mut body, &SelfFilter::default()).unwrap().found;

    let alone = shape_of(Model::rigid(Mesh::new(positions, cube).unwrap()));
    let mut left = Body::new(&alone, Skinning::Linear).unwrap();
    let mut right = left.clone();
    right.set_placement(Isometry::from_translation(Vec3::new(0.5, 0.25, 0.125))).unwrap();
    let expected: Vec<[u32; 2]> =
        supple::collide(&mut left, &mut right).found.iter().map(|&[a, b]| [a, b + 12]).collect();
    assert!(expected.len() > 5, "the cubes overlap");
    assert_eq!(found, expected);
}
