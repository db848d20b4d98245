//! Two models as one, against each of them alone: posed vertices, and pairs of triangles that touch.

mod assets;

use std::sync::Arc;

use assets::assets;
use glam::{Quat, Vec3};
use supple::{
    Body, BuildOptions, Clip, Isometry, Mesh, Model, Pair, Pose, PosedModel, Shape, Skinning, Transform,
    collide, self_collide,
};
use supple_io::{JoinError, SideBySide, no_other_files, only_part, side_by_side};

fn zoo(name: &str) -> Model {
    supple_zoo::make(name, 0).unwrap()
}

/// Turned and moved, so that nothing is exact by chance.
fn turned(offset: Vec3) -> Transform {
    Transform { translation: offset, rotation: Quat::from_rotation_y(2.1), scale: Vec3::ONE }
}

fn isometry(placement: &Transform) -> Isometry {
    Isometry::from_rotation_translation(placement.rotation, placement.translation)
}

fn pose(model: &Model, clip: Option<usize>, time: f64) -> Pose {
    clip.map_or_else(|| model.rest_pose(), |clip| model.sample(&model.clips()[clip], time).unwrap())
}

fn size(positions: &[Vec3]) -> f32 {
    positions.iter().fold(0.0, |most, p| most.max(p.length()))
}

/// The largest distance of two positions, as a part of the size.
fn difference(joined: &[Vec3], alone: &[Vec3]) -> f32 {
    assert_eq!(joined.len(), alone.len());
    let most = joined.iter().zip(alone).fold(0.0, |most: f32, (a, b)| most.max(a.distance(*b)));
    most / size(alone)
}

/// Weights are normalised once more, and rigid ways to skin look at whether any joint of the model stretches: some units in the last place.
const ROUNDING: f32 = 1e-6;

/// All vertices of all clips, from the start to beyond the end, against the models alone.
///
/// Joint matrices are compared first. Vertices are then compared under the same matrices: spherical skinning jumps where
/// a joint is turned by 90 degrees, and one unit in the last place decides on which side that is.
fn check_vertices(names: &str, a: &Model, b: &Model, placement: &Transform) {
    let SideBySide { model, clips, .. } = side_by_side(a, b, placement).unwrap();
    assert_eq!(model.clips().len(), clips.len());
    let mut played: Vec<_> =
        clips.iter().enumerate().map(|(number, pair)| (Some(number), pair.first, pair.second)).collect();
    played.push((None, None, None));
    for (clip, first, second) in played {
        let duration = clip.map_or(0.0, |clip| model.clips()[clip].duration());
        for time in (0..6).map(|i| duration * f64::from(i) / 4.0) {
            let poses = [pose(&model, clip, time), pose(a, first, time), pose(b, second, time)];
            let at = |model: &Model, pose, place| model.skeleton().joint_matrices(pose, place).unwrap();
            let both = at(&model, &poses[0], Isometry::IDENTITY);
            let of_a = at(a, &poses[1], Isometry::IDENTITY);
            let of_b = at(b, &poses[2], isometry(placement));
            assert!(both[..of_a.len()] == of_a, "{names} {clip:?} {time}");
            let far = both[of_a.len()..].iter().zip(&of_b).position(|(joined, alone)| {
                let size = alone.to_cols_array().iter().fold(1.0, |most: f32, x| most.max(x.abs()));
                !joined.abs_diff_eq(*alone, size * f32::EPSILON)
            });
            assert!(far.is_none(), "{names} {clip:?} {time}: joint {far:?} of the second");
            for skinning in Skinning::ALL {
                let posed = |model, matrices, pose: &Pose| {
                    PosedModel::new(model, skinning, matrices, &pose.coefficients).unwrap().positions()
                };
                let together = posed(&model, &both, &poses[0]);
                let (first, second) = together.split_at(a.mesh().positions().len());
                let first = difference(first, &posed(a, &of_a, &poses[1]));
                let second = difference(second, &posed(b, &both[of_a.len()..], &poses[2]));
                let place = format!("{names} {skinning:?} {clip:?} {time}: {first:e} {second:e}");
                assert!(first <= ROUNDING && second <= ROUNDING, "{place}");
            }
        }
    }
}

#[test]
fn models_of_the_zoo_move_as_they_do_alone() {
    let (man, face, fish, blob) = (zoo("man"), zoo("face"), zoo("fish"), zoo("blob"));
    assert!(face.rest().coefficient_count() > 0 && fish.rest().coefficient_count() > 0);
    for placement in [Transform::IDENTITY, turned(Vec3::new(0.7, 0.1, -0.3))] {
        check_vertices("man, man", &man, &man, &placement);
        check_vertices("man, face", &man, &face, &placement); // plain and fields
        check_vertices("face, man", &face, &man, &placement);
        check_vertices("face, fish", &face, &fish, &placement); // fields of both
        check_vertices("man, blob", &man, &blob, &placement); // plain and reference shapes
        check_vertices("blob, man", &blob, &man, &placement);
    }
}

#[test]
fn models_of_files_move_as_they_do_alone() {
    let Some(folder) = assets() else { return };
    let load = |name: &str| supple_io::load(folder.join(name)).unwrap();
    let [man, fox] = ["khronos/CesiumMan.glb", "khronos/Fox.glb"].map(load);
    let [hand, rocketbox] =
        ["hands/aframe_leftHandHigh.glb", "rocketbox/rocketbox_Male_Adult_01.glb"].map(load);
    let placement = turned(Vec3::new(0.4, 0.2, 0.1));
    check_vertices("CesiumMan, Fox", &man, &fox, &placement);
    check_vertices("Fox, CesiumMan", &fox, &man, &placement);
    check_vertices("leftHandHigh, CesiumMan", &hand, &man, &placement);
    check_vertices("rocketbox, leftHandHigh", &rocketbox, &hand, &placement); // morph targets, negative scale
}

/// Pairs of one triangle of each model, in the model of both: exactly those that the two bodies have. Returns how many.
fn check_pairs(names: &str, a: &Model, b: &Model, placement: &Transform, clips: usize) -> usize {
    let joined = side_by_side(a, b, placement).unwrap();
    let body = |model: Model| {
        let shape = Arc::new(Shape::build(model, &BuildOptions::default()).unwrap());
        Body::new(&shape, Skinning::Linear).unwrap()
    };
    let (mut both, mut first, mut second) = (body(joined.model.clone()), body(a.clone()), body(b.clone()));
    let behind = a.mesh().triangles().len() as u32;
    let mut count = 0;
    for (number, pair) in joined.clips.iter().enumerate().take(clips) {
        let duration = joined.model.clips()[number].duration();
        for time in (0..6).map(|i| duration * f64::from(i) / 5.0) {
            both.set_pose(&pose(&joined.model, Some(number), time)).unwrap();
            first.set_pose(&pose(a, pair.first, time)).unwrap();
            second.set_pose_at(&pose(b, pair.second, time), isometry(placement)).unwrap();
            let between: Vec<Pair> = self_collide(&mut both)
                .found
                .into_iter()
                .filter(|[a, b]| (*a < behind) != (*b < behind))
                .map(|[a, b]| [a, b - behind])
                .collect();
            let expected = collide(&mut first, &mut second).found;
            assert!(between == expected, "{names} {number} {time}: {} {}", between.len(), expected.len());
            count += expected.len();
        }
    }
    count
}

#[test]
fn two_bodies_touch_where_the_model_of_both_does() {
    let (man, face, chair) = (zoo("man"), zoo("face"), zoo("chair"));
    let near = turned(Vec3::new(0.25, 0.0, 0.1));
    assert!(check_pairs("man, man", &man, &man, &near, 2) > 1000);
    assert!(check_pairs("man, chair", &man, &chair, &near, 2) > 100);
    assert!(check_pairs("man, face", &man, &face, &turned(Vec3::new(0.2, 1.4, 0.1)), 1) > 100);
}

/// Standing in each other at rest, all vertices at one place: no pair is taken for neighbours.
#[test]
fn twins_that_stand_in_each_other_are_two_surfaces() {
    let man = zoo("man");
    let swapped: Vec<Clip> = ["random", "walk"]
        .iter()
        .zip(["walk", "random"])
        .map(|(of, name)| Clip::new(name, man.clip(of).unwrap().channels().to_vec()).unwrap())
        .collect();
    let other = man.clone().with_clips(swapped).unwrap();
    let (first, triangles) = (man.mesh().positions().len(), man.mesh().triangles());
    let both = side_by_side(&man, &other, &Transform::IDENTITY).unwrap().model;
    let welded = both.welded_vertices();
    assert!(welded[first..].iter().all(|&vertex| vertex as usize >= first));
    let (own, alone) = (&welded[first..], man.welded_vertices());
    assert!(own.iter().zip(&alone).all(|(own, alone)| *own as usize == *alone as usize + first));
    assert_eq!(&both.mesh().triangles()[..triangles.len()], triangles);
    assert!(check_pairs("twins", &man, &other, &Transform::IDENTITY, 2) > 10_000);
}

#[test]
fn two_files_touch_where_the_model_of_both_does() {
    let Some(folder) = assets() else { return };
    let load = |name: &str| supple_io::load(folder.join(name)).unwrap();
    let [man, fox] = ["khronos/CesiumMan.glb", "khronos/Fox.glb"].map(load);
    let [hand, rocketbox] =
        ["hands/aframe_leftHandHigh.glb", "rocketbox/rocketbox_Male_Adult_01.glb"].map(load);
    // The fox is as large as a house.
    assert!(check_pairs("Fox, CesiumMan", &fox, &man, &turned(Vec3::new(0.0, 50.0, 66.0)), 3) > 100);
    assert!(check_pairs("hand, man", &hand, &man, &turned(Vec3::new(0.0, -0.9, 0.0)), 2) > 100);
    assert!(check_pairs("two men", &man, &rocketbox, &turned(Vec3::new(0.3, 0.0, 0.1)), 2) > 100);
}

#[test]
fn the_shorter_clip_holds_its_end() {
    let man = zoo("man");
    let named = |name: &str, of: &str| Clip::new(name, man.clip(of).unwrap().channels().to_vec()).unwrap();
    let (short, long) = ("walk", "random");
    let (end, whole) = (man.clip(short).unwrap().duration(), man.clip(long).unwrap().duration());
    assert!(end < whole);
    let a = man.clone().with_clips(vec![named("both", short)]).unwrap();
    let b = man.clone().with_clips(vec![named("both", long)]).unwrap();
    let both = side_by_side(&a, &b, &Transform::IDENTITY).unwrap().model;
    let clip = &both.clips()[0];
    assert_eq!((clip.name(), clip.duration()), ("both", whole));
    let nodes = man.skeleton().nodes().len();
    let late = both.sample(clip, whole).unwrap();
    assert_eq!(late.nodes[..nodes], pose(&a, Some(0), end).nodes[..]);
    assert_eq!(late.nodes[nodes..], pose(&b, Some(0), whole).nodes[..]);
}

#[test]
fn clips_find_their_partners() {
    let man = zoo("man");
    let clip = |name: &str| Clip::new(name, man.clips()[0].channels().to_vec()).unwrap();
    let with =
        |names: &[&str]| man.clone().with_clips(names.iter().map(|name| clip(name)).collect()).unwrap();
    let pairs = |a: &[&str], b: &[&str]| {
        let joined = side_by_side(&with(a), &with(b), &Transform::IDENTITY).unwrap();
        let names: Vec<_> = joined.model.clips().iter().map(|clip| clip.name().to_owned()).collect();
        let pairs: Vec<_> = joined.clips.iter().map(|pair| (pair.first, pair.second)).collect();
        (names, pairs, joined.unplayed)
    };
    let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
    assert_eq!(
        pairs(&["run", "hit"], &["fall", "hit", "die"]),
        (names(&["run", "hit"]), vec![(Some(0), None), (Some(1), Some(1))], vec![0, 2])
    );
    assert_eq!(
        pairs(&["run", "hit"], &["idle"]),
        (names(&["run", "hit"]), vec![(Some(0), Some(0)), (Some(1), Some(0))], vec![])
    );
    assert_eq!(pairs(&["run"], &[]), (names(&["run"]), vec![(Some(0), None)], vec![]));
    assert_eq!(
        pairs(&[], &["idle", "run"]),
        (names(&["idle", "run"]), vec![(None, Some(0)), (None, Some(1))], vec![])
    );
}

#[test]
fn names_that_clash_get_a_number_and_ranges_stand_behind() {
    let (man, chair) = (zoo("man"), zoo("chair"));
    let model = side_by_side(&man, &man, &turned(Vec3::X)).unwrap().model;
    let names: Vec<&str> = model.parts().iter().map(|part| part.name.as_str()).collect();
    assert_eq!(names, ["man", "man (2)"]);
    let nodes = man.skeleton().nodes();
    let joined = model.skeleton().nodes();
    assert_eq!(joined[..nodes.len()], *nodes);
    for (node, (alone, behind)) in nodes.iter().zip(&joined[nodes.len()..]).enumerate() {
        assert_eq!(behind.name, format!("{} (2)", alone.name));
        assert_eq!(behind.parent, Some(alone.parent.map_or(2 * nodes.len(), |p| p + nodes.len())), "{node}");
    }
    assert_eq!((joined.len(), joined[2 * nodes.len()].name.as_str()), (2 * nodes.len() + 1, "placement"));
    let model = side_by_side(&man, &chair, &Transform::IDENTITY).unwrap().model;
    let part = &model.parts()[1];
    let (vertices, triangles) = (man.mesh().positions().len(), man.mesh().triangles().len());
    assert_eq!(part.name, "chair");
    assert_eq!(part.vertices, vertices..model.mesh().positions().len());
    assert_eq!(part.triangles, triangles..model.mesh().triangles().len());
    assert_eq!(only_part(&model, "chair").unwrap().mesh(), chair.mesh());
    assert_eq!(only_part(&model, "man").unwrap().mesh(), man.mesh());
}

#[test]
fn normals_and_texture_coordinates_that_one_lacks_are_made() {
    let mesh = || Mesh::new(vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![[0, 1, 2]]).unwrap();
    let bare = Model::rigid(mesh());
    let full = mesh().with_normals(vec![Vec3::X; 3]).unwrap().with_uvs(vec![glam::Vec2::ONE; 3]).unwrap();
    let both = side_by_side(&Model::rigid(full), &bare, &turned(Vec3::X)).unwrap().model;
    assert_eq!(both.mesh().normals().unwrap(), [[Vec3::X; 3], [Vec3::Z; 3]].concat());
    assert_eq!(both.mesh().uvs().unwrap(), [[glam::Vec2::ONE; 3], [glam::Vec2::ZERO; 3]].concat());
    let both = side_by_side(&bare, &bare, &turned(Vec3::X)).unwrap().model;
    assert!(both.mesh().normals().is_none() && both.mesh().uvs().is_none());
}

#[test]
fn a_placement_may_scale() {
    let (man, chair) = (zoo("man"), zoo("chair"));
    let placement = Transform { scale: Vec3::splat(2.5), ..turned(Vec3::X) };
    let both = side_by_side(&man, &chair, &placement).unwrap().model;
    let positions = both.posed(&both.rest_pose(), Skinning::Linear).unwrap().positions();
    let alone = chair.posed(&chair.rest_pose(), Skinning::Linear).unwrap().positions();
    let matrix = placement.matrix();
    let expected: Vec<Vec3> = alone.iter().map(|p| matrix.transform_point3(p.as_dvec3()).as_vec3()).collect();
    assert!(difference(&positions[man.mesh().positions().len()..], &expected) < ROUNDING);
}

#[test]
fn what_cannot_be_joined_is_refused() {
    let (man, face, blob) = (zoo("man"), zoo("face"), zoo("blob"));
    for (a, b) in [(&blob, &face), (&face, &blob), (&blob, &blob)] {
        assert_eq!(side_by_side(a, b, &Transform::IDENTITY).unwrap_err(), JoinError::TwoRestStages);
    }
    for bad in [
        Transform { translation: Vec3::new(f32::NAN, 0.0, 0.0), ..Transform::IDENTITY },
        Transform { scale: Vec3::new(1.0, 0.0, 1.0), ..Transform::IDENTITY },
        Transform { scale: Vec3::splat(f32::INFINITY), ..Transform::IDENTITY },
        Transform { rotation: Quat::from_xyzw(0.0, 0.0, 0.0, 0.0), ..Transform::IDENTITY },
    ] {
        assert_eq!(side_by_side(&man, &man, &bad).unwrap_err(), JoinError::Placement, "{bad:?}");
    }
}

/// Both may be written as one file, and are the same when they are read again.
#[test]
fn the_model_of_both_can_be_written() {
    let (man, chair) = (zoo("man"), zoo("chair"));
    let both = side_by_side(&man, &chair, &turned(Vec3::X)).unwrap().model;
    let bytes = supple_io::glb_bytes(&both).unwrap();
    let read = supple_io::read_bytes("both.glb", &bytes, &mut no_other_files).unwrap().model;
    let positions = |model: &Model, clip: &str| {
        let clip = model.clip(clip).unwrap();
        model.posed(&model.sample(clip, 0.4).unwrap(), Skinning::Linear).unwrap().positions()
    };
    assert!(difference(&positions(&read, "walk"), &positions(&both, "walk")) < 1e-5);
    let names = |model: &Model| model.parts().iter().map(|part| part.name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&read), names(&both));
}
