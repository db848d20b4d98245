//! How tight the papers' volumes are, and the library's beside them.

use std::sync::Arc;

use supple::{Body, BuildOptions, Isometry, Model, Pose, Shape, VolumeKind};
use supple_papers::{self as papers, BoundingSphere, Method, Slabs, Tree, Volume};
use supple_papers::{LevelTightness, library_tightness};

use crate::random_model::{RestKind, random_model};
use crate::{
    METHODS, assets, body_of, cases, for_all_volumes, halves, of_one_joint, on_the_way, own_shape,
    skinning_of, trees, turned,
};

/// A random model to which a method applies: the rest stages' papers have one joint.
fn model_for(method: Method, seed: u64) -> Arc<Model> {
    Arc::new(match method {
        Method::Fields => of_one_joint(&random_model(seed, RestKind::Fields)),
        Method::Morph { .. } => of_one_joint(&random_model(seed, RestKind::Morph)),
        _ => random_model(seed, RestKind::Plain),
    })
}

/// Level by level.
fn means(levels: &[LevelTightness]) -> String {
    levels.iter().map(|l| format!("{:.2}", l.mean)).collect::<Vec<_>>().join(" ")
}

/// The library's levels and a paper's, on one tree in one pose.
fn both<V: Volume>(
    shape: &Arc<Shape>,
    method: Method,
    volume: VolumeKind,
    pose: &Pose,
) -> [Vec<LevelTightness>; 2] {
    let skinning = skinning_of(method);
    let tree = Tree::of_shape(shape);
    let mut paper = body_of::<V>(shape.model(), skinning, &tree, method);
    paper.set_pose(pose, &Isometry::IDENTITY).unwrap();
    let mut own = Body::new(shape, skinning).unwrap();
    own.set_pose(pose).unwrap();
    let [own, paper] = [library_tightness(&mut own, volume), papers::tightness(&mut paper)];
    assert_eq!(own.len(), paper.len());
    for (a, b) in own.iter().zip(&paper) {
        assert_eq!(a.nodes, b.nodes);
        assert!(b.nodes == 0 || b.mean > 0.999, "{} is below the optimum", method.name());
    }
    [own, paper]
}

/// Mean ratio to the optimum over all levels, and at the root: of the library and of a paper.
fn ratios<V: Volume>(method: Method, volume: VolumeKind, limit: f32) -> [[f64; 2]; 2] {
    let mut sums = [[0.0; 2]; 2];
    let (mut levels, models) = (0.0, cases(12, 40));
    for seed in 0..models {
        let model = model_for(method, seed);
        let [ours, theirs] = both::<V>(&own_shape(&model), method, volume, &turned(&model, seed, limit));
        for (a, b) in ours.iter().zip(&theirs) {
            sums[0] = [sums[0][0] + a.mean, sums[0][1] + b.mean];
            levels += 1.0;
        }
        sums[1] = [sums[1][0] + ours[0].mean, sums[1][1] + theirs[0].mean];
    }
    [sums[0].map(|s| s / levels), sums[1].map(|s| s / models as f64)]
}

fn skinning_only(method: Method) -> bool {
    !matches!(method, Method::Fields | Method::Morph { .. })
}

#[test]
fn the_librarys_bounds_are_compared_with_the_papers() {
    for method in Method::ON_DEMAND {
        // What a single joint moves is bounded in its space, which does not turn.
        let limits: &[f32] = if skinning_only(method) { &[0.25, 0.5, 1.0, 3.2] } else { &[0.0] };
        for &limit in limits {
            let spheres = (ratios::<BoundingSphere>(method, VolumeKind::Sphere, limit), "sphere");
            let boxes = (ratios::<Slabs<3>>(method, VolumeKind::Box, limit), "box");
            for ([[own, paper], [own_root, paper_root]], volume) in [spheres, boxes] {
                println!(
                    "{:16} {volume:4} up to {limit} rad: library {own:.3}, paper {paper:.3}; root {own_root:.3}, {paper_root:.3}",
                    method.name()
                );
                let allowed = match (method, volume) {
                    // Where rotations cancel, intervals of the pairs' coefficients open without limit; a cap stays a cap.
                    (Method::Spherical, _) if limit > 1.0 => continue,
                    // The library divides groups for the sake of its boxes, and a sphere around spheres is looser than one sphere.
                    (Method::Morph { .. }, "sphere") => 1.1 * paper,
                    _ => paper,
                };
                assert!(own <= allowed * 1.0001, "{} {volume} {limit}: {own} {paper}", method.name());
            }
        }
    }
}

/// Where it matters most, at the root, the library is tighter than the thesis for what moves as characters do.
#[test]
fn characters_are_tighter_at_the_root() {
    let mut characters: Vec<(String, Arc<Model>)> = ["man", "creature", "hand", "dwarf"]
        .map(|name| (name.to_owned(), Arc::new(supple_zoo::make(name, 0).unwrap())))
        .to_vec();
    if let Some(folder) = assets::assets() {
        let cesium = supple_io::load(folder.join("khronos/CesiumMan.glb")).unwrap();
        characters.push(("Cesium Man".to_owned(), Arc::new(cesium)));
    }
    for (name, model) in characters {
        let shape = Arc::new(Shape::build(Arc::clone(&model), &BuildOptions::default()).unwrap());
        let clip = &model.clips()[0];
        for time in [0.3, 0.5, 0.8].map(|part| part * clip.duration()) {
            let pose = model.sample(clip, time).unwrap();
            for method in [Method::Linear, Method::Spherical] {
                let [own, paper] = both::<BoundingSphere>(&shape, method, VolumeKind::Sphere, &pose);
                let what = format!("{name} {} at {time:.2}", method.name());
                println!("{what}\n  library {}\n  paper   {}", means(&own), means(&paper));
                assert!(own[0].mean <= paper[0].mean, "{what}");
            }
        }
    }
}

/// Volumes computed from the posed vertices of a leaf are the smallest, up to the margin for rounding; on any tree.
fn from_vertices<V: Volume>() {
    for seed in 0..cases(2, 10) {
        let model = model_for(Method::BottomUp, seed);
        for (name, tree) in &trees(&model) {
            for method in METHODS.into_iter().filter(|method| method.is_eager()) {
                let mut body = body_of::<V>(&model, skinning_of(method), tree, method);
                body.set_pose(&turned(&model, seed, 3.0), &Isometry::IDENTITY).unwrap();
                let levels = papers::tightness(&mut body);
                assert_eq!(levels.len(), body.tree().levels().len(), "{name} {}", method.name());
                let last = levels.last().unwrap();
                assert!(last.nodes > 0 && last.worst < 1.01, "{name} {} {last:?}", method.name());
                for level in &levels {
                    assert!(level.mean > 0.999, "{name} {} {level:?}", method.name());
                }
                // Boxes around boxes are the smallest, too.
                if V::NAME != "sphere" {
                    assert!(levels[0].worst < 1.01, "{name} {} {:?}", method.name(), levels[0]);
                }
            }
        }
    }
}

#[test]
fn volumes_from_vertices_are_the_smallest() {
    for_all_volumes!(from_vertices());
}

/// The more volumes between reference shapes, the tighter: section 5 of the paper on morphing.
fn between<V: Volume>() {
    let (mut sums, models) = ([0.0; 3], cases(10, 30));
    for seed in 0..models {
        let model = model_for(Method::Morph { between: 0 }, seed);
        for (sum, between) in sums.iter_mut().zip([0, 1, 3]) {
            let mut body =
                body_of::<V>(&model, skinning_of(Method::Linear), &halves(&model), Method::Morph { between });
            body.set_pose(&on_the_way(&model, seed), &Isometry::IDENTITY).unwrap();
            *sum += papers::tightness(&mut body)[0].mean / models as f64;
        }
    }
    println!("{} with 0, 1, 3 volumes between: {sums:.4?}", V::NAME);
    assert!(sums[0] > sums[1] && sums[1] > sums[2] && sums[2] >= 0.999, "{sums:?}");
}

#[test]
fn volumes_between_shapes_are_tighter() {
    for_all_volumes!(between());
}

/// A body moves only by what its pose says: volumes of one joint do not follow its motion.
#[test]
fn volumes_of_one_joint_stay_in_its_space() {
    let model = model_for(Method::Fields, 4);
    let shape = Arc::new(
        papers::Shape::<Slabs<7>>::new(&model, skinning_of(Method::Fields), halves(&model), Method::Fields)
            .unwrap(),
    );
    let mut body = papers::Body::new(&shape).unwrap();
    let mut volume = |placement: &Isometry| {
        body.set_pose(&model.rest_pose(), placement).unwrap();
        body.volume(0, false, &mut supple::QueryStats::default())
    };
    let (here, there) = (volume(&Isometry::IDENTITY), volume(&crate::placed(3, glam::Vec3::X * 5.0)));
    // Up to the margin for rounding.
    assert!((here.size() - there.size()).abs() < 1e-3 && here != there);
}
