//! Degenerate sequences, threads, collision of fitted models, and the comparison with articulated skins.

mod cloth;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use cloth::Cloth;
use glam::{Quat, Vec3};
use supple::oracle::{self, PosedMesh};
use supple::{Body, BuildOptions, Mesh, Model, Shape, Skinning, collide};
use supple_fit::{
    ArticulatedOptions, Corrections, Distance, FitError, FitOptions, Fitted, MeshSequence, Placement, Solver,
    Weights, articulated, fit,
};

const FITTED: [Skinning; 2] = [Skinning::Linear, Skinning::DualQuaternion];

fn fitted(sequence: &MeshSequence, options: &FitOptions) -> Fitted {
    fit(sequence, options, &|_| ()).unwrap()
}

/// All options that change the way, for sequences that are hard in themselves.
fn all_options() -> Vec<FitOptions> {
    let mut all = Vec::new();
    for skinning in FITTED {
        let base = FitOptions::default()
            .with_joints(6)
            .with_skinning(skinning)
            .with_corrections(Corrections::Count(2));
        all.push(base.clone().with_distance(Distance::Geodesic));
        all.push(base.clone().with_placement(Placement::Adaptive).with_rounds(2));
        all.push(base.clone().with_weights(Weights::LeastSquares).with_corrections(Corrections::Error(0.01)));
        all.push(base.clone().with_solver(Solver::Lsqr).with_steps(2));
        all.push(base.clone().with_joints(1).with_steps(0));
        all.push(base.clone().with_joints(1000));
    }
    all
}

fn quad() -> Mesh {
    Mesh::new(vec![Vec3::ZERO, Vec3::X, Vec3::new(1.0, 1.0, 0.0), Vec3::Y], vec![[0, 1, 2], [0, 2, 3]])
        .unwrap()
}

#[test]
fn still_and_rigid_sequences_are_exact() {
    let moved =
        |mesh: &Mesh, turn: Quat, shift: Vec3| mesh.positions().iter().map(|p| turn * *p + shift).collect();
    let cloth = cloth::sequence(Cloth::Skirt, 12, 8, 1).rest().clone();
    for mesh in [quad(), cloth] {
        let still = vec![mesh.positions().to_vec(); 4];
        let one = vec![mesh.positions().to_vec()];
        let half_turns: Vec<Vec<Vec3>> = (0..5)
            .map(|t| {
                moved(
                    &mesh,
                    Quat::from_rotation_x(std::f32::consts::FRAC_PI_4 * t as f32),
                    Vec3::new(t as f32, 0.0, 2.0),
                )
            })
            .collect();
        for frames in [still, one, half_turns] {
            let sequence = MeshSequence::evenly(mesh.clone(), frames, 24.0).unwrap();
            for options in all_options() {
                let found = fitted(&sequence, &options);
                assert!(found.distortion.largest < 3e-6, "{options:?}: {:?}", found.distortion);
                assert!(found.distortion.percent < 1e-3, "{options:?}: {:?}", found.distortion);
                assert!(found.model.skin().joint_count() <= options.joints.min(mesh.positions().len()));
            }
        }
    }
}

#[test]
fn degenerate_meshes_give_finite_answers() {
    let frames = |mesh: &Mesh, size: f32| -> Vec<Vec<Vec3>> {
        let wave = |t: usize, v: usize| Vec3::new((t * v) as f32, (t + v) as f32, (t * 3 + v) as f32);
        (0..4)
            .map(|t| {
                (0..)
                    .zip(mesh.positions())
                    .map(|(v, p)| *p + wave(t, v).map(f32::sin) * (0.3 * size))
                    .collect()
            })
            .collect()
    };
    let points = |list: &[Vec3]| Mesh::new(list.to_vec(), vec![[0, 1, 2], [2, 1, 3], [3, 3, 0]]).unwrap();
    let meshes = [
        (points(&[Vec3::ONE; 4]), 1.0),
        (points(&[Vec3::ZERO, Vec3::X, Vec3::X, Vec3::ZERO]), 1.0),
        (points(&[Vec3::ZERO, Vec3::X, Vec3::X * 2.0, Vec3::X * 3.0]), 1.0),
        (points(&[Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z].map(|p| p * 1e-20)), 1e-20),
        (points(&[Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z].map(|p| p * 1e12)), 1e12),
        (points(&[Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z].map(|p| p + Vec3::splat(1e6))), 1.0),
    ];
    for (mesh, size) in meshes {
        let sequence = MeshSequence::evenly(mesh.clone(), frames(&mesh, size), 24.0).unwrap();
        for options in all_options() {
            let found = fitted(&sequence, &options);
            assert!(found.distortion.percent.is_finite() && found.distortion.percent < 200.0, "{options:?}");
        }
        let found = articulated::fit(&sequence, &ArticulatedOptions::default(), &|_| ()).unwrap();
        assert!(found.distortion.percent.is_finite());
    }
}

#[test]
fn collapsing_frames_are_followed() {
    // Everything falls into a point, and out of it mirrored.
    let mesh = cloth::sequence(Cloth::Skirt, 10, 8, 1).rest().clone();
    let scaled = |s: f32| mesh.positions().iter().map(|p| *p * s).collect();
    let frames = [1.0, 0.5, 0.0, -0.5].map(scaled).to_vec();
    let sequence = MeshSequence::evenly(mesh.clone(), frames, 24.0).unwrap();
    for options in all_options() {
        assert!(fitted(&sequence, &options).distortion.percent.is_finite(), "{options:?}");
    }
    let linear = fitted(&sequence, &FitOptions::default().with_joints(6).with_skinning(Skinning::Linear));
    assert!(linear.distortion.largest < 1e-5, "{:?}", linear.distortion);
}

#[test]
fn separate_pieces_each_move_on_their_own() {
    // Two quads, one of which turns; joints are on both, or some vertices follow the nearest.
    let mut positions = quad().positions().to_vec();
    positions.extend(quad().positions().iter().map(|p| *p + Vec3::Z * 0.1));
    let mesh = Mesh::new(positions, vec![[0, 1, 2], [0, 2, 3], [4, 5, 6], [4, 6, 7]]).unwrap();
    let frame = |t: usize| {
        let turn = Quat::from_rotation_z(0.3 * t as f32);
        mesh.positions().iter().enumerate().map(|(v, &p)| if v < 4 { p } else { turn * p }).collect()
    };
    let sequence = MeshSequence::evenly(mesh.clone(), (0..5).map(frame).collect(), 24.0).unwrap();
    let with = |joints, distance| {
        let found = fitted(&sequence, &FitOptions::default().with_joints(joints).with_distance(distance));
        found.distortion.percent
    };
    assert!(with(2, Distance::Geodesic) < 0.01);
    assert!(with(2, Distance::Euclidean) > 1.0);
    assert!(with(1, Distance::Geodesic).is_finite());
}

#[test]
fn options_that_make_no_sense_are_errors() {
    let sequence = MeshSequence::evenly(quad(), vec![quad().positions().to_vec()], 24.0).unwrap();
    let error = |options: FitOptions| match fit(&sequence, &options, &|_| ()) {
        Err(FitError::BadOption { option, .. }) => option,
        other => panic!("{other:?}"),
    };
    let base = FitOptions::default;
    assert_eq!(error(base().with_joints(0)), "joints");
    assert_eq!(error(base().with_reach(f64::NAN)), "reach");
    assert_eq!(error(base().with_reach(1.0)), "reach");
    assert_eq!(error(base().with_rounds(0)), "rounds");
    assert_eq!(error(base().with_skinning(Skinning::Spherical)), "skinning");
    assert_eq!(error(base().with_corrections(Corrections::Error(f64::NAN))), "corrections");
    let bad = ArticulatedOptions::default().with_bandwidth(f64::NAN);
    let error = articulated::fit(&sequence, &bad, &|_| ()).unwrap_err();
    assert!(error.to_string().starts_with("the option bandwidth is NaN"), "{error}");
}

#[test]
fn threads_change_nothing_and_progress_is_reported() {
    let sequence = cloth::sequence(Cloth::Drape, 30, 30, 7);
    let options = FitOptions::default()
        .with_joints(20)
        .with_corrections(Corrections::Count(2))
        .with_weights(Weights::LeastSquares);
    let run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let reports = AtomicUsize::new(0);
        let report = |progress: supple_fit::Progress| {
            assert!(progress.done <= progress.total && progress.total == 7);
            reports.fetch_add(1, Ordering::Relaxed);
        };
        let both = pool.install(|| {
            let first = fit(&sequence, &options, &report).unwrap();
            (first, articulated::fit(&sequence, &ArticulatedOptions::default(), &|_| ()).unwrap())
        });
        assert_eq!(reports.into_inner(), 3 * 7, "a first fit, and one after each round of weights");
        both
    };
    let (one, one_articulated) = run(1);
    for threads in [2, 5] {
        let (many, many_articulated) = run(threads);
        assert_eq!(one.model, many.model);
        assert_eq!(one.palettes, many.palettes);
        assert_eq!(one.distortion, many.distortion);
        assert_eq!(one_articulated.model, many_articulated.model);
    }
}

#[test]
fn fitted_models_collide_as_brute_force_says() {
    let sphere = Model::rigid(cloth::sphere(0.5));
    let sphere_positions = sphere.mesh().positions().to_vec();
    let sphere_shape = Arc::new(Shape::build(Arc::new(sphere), &BuildOptions::default()).unwrap());
    let (mut touching, mut posed_fewer) = (0, 0);
    for (cloth, skinning) in [
        (Cloth::Drape, Skinning::DualQuaternion),
        (Cloth::Flag, Skinning::DualQuaternion),
        (Cloth::Skirt, Skinning::Linear),
    ] {
        let sequence = cloth::sequence(cloth, 50, 40, 8);
        let options = FitOptions::default()
            .with_joints(40)
            .with_skinning(skinning)
            .with_corrections(Corrections::Count(3));
        let fitted = fitted(&sequence, &options);
        let model = Arc::new(fitted.model);
        let shape = Arc::new(Shape::build(Arc::clone(&model), &BuildOptions::default()).unwrap());
        let mut body = Body::new(&shape, skinning).unwrap();
        let mut other = Body::new(&sphere_shape, Skinning::Linear).unwrap();
        for frame in 0..16 {
            let pose = model.sample(&model.clips()[0], f64::from(frame) / 48.0).unwrap();
            body.set_pose(&pose).unwrap();
            let found = collide(&mut body, &mut other);
            let positions = model.posed(&pose, skinning).unwrap().positions();
            let wanted = oracle::collide(
                PosedMesh::new(model.mesh(), &positions),
                PosedMesh::new(sphere_shape.model().mesh(), &sphere_positions),
            );
            assert_eq!(found.found, wanted, "{cloth:?} frame {frame}");
            touching += usize::from(!wanted.is_empty());
            posed_fewer += usize::from(found.stats.vertices_deformed < 50 * 40);
        }
    }
    assert!(touching > 20, "{touching} frames touch");
    assert!(posed_fewer > 20, "{posed_fewer} frames pose fewer than all vertices");
}

#[test]
fn articulated_skins_suit_articulated_motion_and_not_cloth() {
    let man = supple_zoo::make("man", 0).unwrap();
    let walk = man.clip("walk").unwrap();
    let frame = |t: usize| {
        let pose = man.sample(walk, walk.duration() * t as f64 / 16.0).unwrap();
        man.posed(&pose, Skinning::Linear).unwrap().positions()
    };
    let sequence = MeshSequence::evenly(man.mesh().clone(), (0..16).map(frame).collect(), 24.0).unwrap();
    let options = ArticulatedOptions::default().with_bandwidth(0.15);
    let found = articulated::fit(&sequence, &options, &|_| ()).unwrap();
    let joints = found.model.skin().joint_count();
    assert!((4..=40).contains(&joints), "{joints}");
    assert!(found.distortion.percent < 5.0, "{joints}: {}", found.distortion.percent);
    assert!(found.model.skin().max_influences() <= 4);
    // With the same number of joints proxy-joints follow cloth better; a flag with few joints only with weights by
    // least squares too.
    for (cloth, weights) in [
        (Cloth::Flag, Weights::LeastSquares),
        (Cloth::Curtain, Weights::FallOff),
        (Cloth::Skirt, Weights::FallOff),
        (Cloth::Drape, Weights::FallOff),
    ] {
        let sequence = cloth::sequence(cloth, 40, 30, 12);
        let articulated = articulated::fit(&sequence, &options, &|_| ()).unwrap();
        let joints = articulated.model.skin().joint_count();
        let proxies = fitted(&sequence, &FitOptions::default().with_joints(joints).with_weights(weights));
        let (a, b) = (proxies.distortion.percent, articulated.distortion.percent);
        assert!(a < 0.95 * b, "{cloth:?}, {joints} joints: {a} {b}");
    }
}
