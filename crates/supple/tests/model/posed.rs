//! Whole deformations against straightforward f64 evaluations of the papers' formulas, for every pair of stages.

use crate::subjects::random_model::{RestKind, random_model, random_pose};
use glam::{Affine3A, DAffine3, DMat3, DQuat, DVec3, Mat3, Quat, Vec3};
use proptest::prelude::*;
use supple::math::{Isometry, polar};
use supple::mesh::Mesh;
use supple::model::{Model, PosedModel};
use supple::pose::{Joint, JointId, Node, Pose, Skeleton, Transform};
use supple::rest::Rest;
use supple::skin::{Skin, Skinning};
use supple_papers::blend;

/// The posed vertex in f64, written down from the definitions.
fn reference(model: &Model, matrices: &[Affine3A], pose: &Pose, skinning: Skinning, vertex: u32) -> DVec3 {
    let rest = reference_rest(model, &pose.coefficients, vertex);
    let (affine, weights): (Vec<DAffine3>, Vec<f64>) = model
        .skin()
        .influences(vertex)
        .map(|(joint, weight)| (matrices[joint.0 as usize].as_daffine3(), f64::from(weight)))
        .unzip();
    if skinning == Skinning::Linear || affine.len() == 1 {
        return affine.iter().zip(&weights).map(|(m, &w)| m.transform_point3(rest) * w).sum();
    }
    let parts: Vec<(DQuat, DMat3)> = affine.iter().map(|m| polar(m.matrix3)).collect();
    let rigid: Vec<Isometry> =
        parts.iter().zip(&affine).map(|((r, _), m)| Isometry::new(*r, m.translation)).collect();
    let stretched: DVec3 = parts.iter().zip(&weights).map(|((_, s), &w)| *s * rest * w).sum();
    let blended = match skinning {
        Skinning::Spherical => blend::spherical(&rigid, &weights),
        _ => blend::dlb(&rigid, &weights),
    };
    blended.transform_point(stretched)
}

fn reference_rest(model: &Model, coefficients: &[f32], vertex: u32) -> DVec3 {
    let own = model.mesh().positions()[vertex as usize].as_dvec3();
    match model.rest() {
        Rest::Plain => own,
        Rest::Fields(f) => {
            own + f.of_vertex(vertex).map(|(j, u)| u.as_dvec3() * f64::from(coefficients[j])).sum::<DVec3>()
        }
        Rest::Morph(m) => {
            let sum: f64 = coefficients.iter().map(|&w| f64::from(w)).sum();
            let terms = m.of_vertex(vertex).iter().zip(coefficients);
            terms.map(|(v, &w)| v.as_dvec3() * (f64::from(w) / sum)).sum()
        }
    }
}

/// Length of a vertex' blended quaternion: near zero the direction of the result is noise. Zero where a sign hangs
/// on the rounding of a dot product: a joint turned by half a turn against the first may be blended either way.
fn blend_length(model: &Model, matrices: &[Affine3A], vertex: u32) -> f64 {
    let rotation = |joint: JointId| polar(Mat3::from(matrices[joint.0 as usize].matrix3).as_dmat3()).0;
    let (first, _) = model.skin().influences(vertex).next().unwrap();
    let pivot = rotation(first);
    let mut sum = DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0);
    for (joint, w) in model.skin().influences(vertex) {
        let q = rotation(joint);
        let dot = pivot.dot(q);
        if dot.abs() < 1e-6 {
            return 0.0;
        }
        sum += q * (if dot < 0.0 { -f64::from(w) } else { f64::from(w) });
    }
    sum.length()
}

/// How far the joints of a pose take things.
fn reach(matrices: &[Affine3A]) -> f64 {
    let of =
        |m: &Affine3A| m.translation.length() + m.matrix3.to_cols_array().map(f32::abs).iter().sum::<f32>();
    f64::from(matrices.iter().map(of).fold(1.0, f32::max))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Every rest stage followed by every skin agrees with f64.
    #[test]
    fn all_pairs_of_stages_agree_with_f64(seed in any::<u64>(), scaled in any::<bool>()) {
        for kind in RestKind::ALL {
            let model = random_model(seed, kind);
            let pose = random_pose(&model, seed ^ 1, scaled);
            let matrices = model.skeleton().joint_matrices(&pose, Isometry::IDENTITY).unwrap();
            for skinning in Skinning::ALL {
                let posed = model.posed(&pose, skinning).unwrap();
                for (vertex, got) in (0u32..).zip(posed.positions()) {
                    let linear = skinning == Skinning::Linear;
                    let length = if linear { 1.0 } else { blend_length(&model, &matrices, vertex) };
                    if length < 0.05 {
                        prop_assert!(got.is_finite());
                        continue;
                    }
                    let want = reference(&model, &matrices, &pose, skinning, vertex);
                    let error = (got.as_dvec3() - want).length();
                    // A rotation centre may lie far outside; its image is subtracted again.
                    let magnification = if skinning == Skinning::Spherical { 20.0 } else { 1.0 };
                    let limit = 4e-6 * reach(&matrices) * magnification / (length * length);
                    prop_assert!(error < limit, "{kind:?} {skinning:?} {vertex}: {got} {want} {error:e} {limit:e}");
                }
            }
        }
    }

    /// One vertex alone and the vectorised loop give the same bits.
    #[test]
    fn single_vertices_equal_the_loop_bit_by_bit(seed in any::<u64>(), scaled in any::<bool>()) {
        let bits = |v: Vec3| v.to_array().map(f32::to_bits);
        for kind in RestKind::ALL {
            let model = random_model(seed, kind);
            let pose = random_pose(&model, seed ^ 1, scaled);
            for skinning in Skinning::ALL {
                let posed = model.posed(&pose, skinning).unwrap();
                let all = posed.positions().into_iter().zip(posed.normals().unwrap());
                for (vertex, (position, normal)) in (0u32..).zip(all) {
                    prop_assert_eq!(bits(position), bits(posed.position(vertex)));
                    prop_assert_eq!(bits(normal), bits(posed.normal(vertex)));
                }
            }
        }
    }

    /// Moving the posed body equals posing the moved body (left-invariance); normals are of unit length.
    #[test]
    fn placement_moves_the_posed_body(seed in any::<u64>()) {
        let model = random_model(seed, RestKind::Fields);
        let pose = random_pose(&model, seed ^ 1, false);
        let rotation = DQuat::from_rotation_y(1.0 + (seed % 5) as f64);
        let placement = Isometry::new(rotation, DVec3::new(1.0, -2.0, 0.5));
        let matrices = model.skeleton().joint_matrices(&pose, Isometry::IDENTITY).unwrap();
        for skinning in Skinning::ALL {
            let here = model.posed(&pose, skinning).unwrap();
            let there = model.posed_at(&pose, skinning, placement).unwrap();
            for vertex in 0..model.mesh().positions().len() as u32 {
                if skinning != Skinning::Linear && blend_length(&model, &matrices, vertex) < 0.2 {
                    continue;
                }
                let moved = placement.transform_point(here.position(vertex));
                let error = (moved - there.position(vertex).as_dvec3()).length();
                prop_assert!(error < 1e-3 * reach(&matrices), "{skinning:?} {error}");
                prop_assert!((there.normal(vertex).length() - 1.0).abs() < 1e-5);
            }
        }
    }

    /// Where one joint moves a vertex all models are the same matrix, mirrored and flattened joints included.
    #[test]
    fn single_joints_are_matrices(
        turn in 0.0f32..6.0,
        scale in prop::array::uniform3(prop_oneof![Just(0.0f32), -2.0f32..2.0]),
    ) {
        let mesh = Mesh::new(vec![Vec3::new(0.3, -0.2, 0.9), Vec3::X, Vec3::Y], vec![[0, 1, 2]]).unwrap();
        let model = Model::rigid(mesh);
        let mut pose = model.rest_pose();
        pose.nodes[0] = Transform {
            translation: Vec3::splat(turn),
            rotation: Quat::from_euler(glam::EulerRot::XYZ, turn, 2.0 * turn, -turn),
            scale: Vec3::from_array(scale),
        };
        let linear = model.posed(&pose, Skinning::Linear).unwrap().positions();
        for skinning in [Skinning::Spherical, Skinning::DualQuaternion] {
            prop_assert_eq!(&linear, &model.posed(&pose, skinning).unwrap().positions());
        }
    }

    /// A body scaled as a whole is the scaled body, also where rotations are blended.
    #[test]
    fn uniform_scale_of_everything_scales_the_result(seed in any::<u64>(), scale in 0.01f32..100.0) {
        let model = random_model(seed, RestKind::Plain);
        let pose = random_pose(&model, seed ^ 1, false);
        let matrices = model.skeleton().joint_matrices(&pose, Isometry::IDENTITY).unwrap();
        let scaling = Affine3A::from_scale(Vec3::splat(scale));
        let scaled: Vec<Affine3A> = matrices.iter().map(|m| scaling * *m).collect();
        for skinning in Skinning::ALL {
            let plain = PosedModel::new(&model, skinning, &matrices, &[]).unwrap();
            let large = PosedModel::new(&model, skinning, &scaled, &[]).unwrap();
            for vertex in 0..model.mesh().positions().len() as u32 {
                if skinning != Skinning::Linear && blend_length(&model, &matrices, vertex) < 0.2 {
                    continue;
                }
                let error = (large.position(vertex) - plain.position(vertex) * scale).length();
                prop_assert!(f64::from(error) < 1e-3 * reach(&scaled), "{skinning:?} {error}");
            }
        }
    }
}

/// A tube along x around two joints that meet at the origin, with weights falling linearly from one to the other.
fn tube() -> Model {
    let (rings, sides) = (21, 24);
    let mut positions = Vec::new();
    let mut influences = Vec::new();
    for ring in 0..rings {
        let along = ring as f32 / (rings - 1) as f32;
        for side in 0..sides {
            let angle = side as f32 / sides as f32 * std::f32::consts::TAU;
            positions.push(Vec3::new(along * 2.0 - 1.0, angle.cos() * 0.3, angle.sin() * 0.3));
            influences.push(vec![(0, 1.0 - along), (1, along)]);
        }
    }
    let mut triangles = Vec::new();
    for ring in 0..rings - 1 {
        for side in 0..sides {
            let (a, b) = (ring * sides + side, ring * sides + (side + 1) % sides);
            triangles.push([a, b, a + sides].map(|v| v as u32));
            triangles.push([b, b + sides, a + sides].map(|v| v as u32));
        }
    }
    let nodes =
        vec![Node::new("left", None, Transform::IDENTITY), Node::new("right", Some(0), Transform::IDENTITY)];
    let joints = [0, 1].map(|node| Joint { node, inverse_bind: DAffine3::IDENTITY });
    let skeleton = Skeleton::new(nodes, joints.to_vec()).unwrap();
    let skin = Skin::new(2, influences.iter().map(Vec::as_slice)).unwrap();
    let normals = positions.iter().map(|p: &Vec3| (*p * Vec3::new(0.0, 1.0, 1.0)).normalize()).collect();
    let mesh = Mesh::new(positions, triangles).unwrap().with_normals(normals).unwrap();
    Model::new(mesh, skin, skeleton).unwrap()
}

/// The candy-wrapper pose: linear blending collapses in the middle of a half turn, the others keep the radius.
#[test]
fn only_linear_blending_collapses_under_a_half_turn() {
    let model = tube();
    let mut pose = model.rest_pose();
    pose.nodes[1].rotation = Quat::from_rotation_x(std::f32::consts::PI);
    let smallest_radius = |skinning| {
        let posed = model.posed(&pose, skinning).unwrap();
        posed.positions().iter().map(|p| p.y.hypot(p.z)).fold(f32::MAX, f32::min)
    };
    assert!(smallest_radius(Skinning::Linear) < 1e-6);
    assert!((smallest_radius(Skinning::Spherical) - 0.3).abs() < 1e-6);
    assert!((smallest_radius(Skinning::DualQuaternion) - 0.3).abs() < 1e-6);
}

/// Where rotations are blended the tube's normals stay perpendicular to its surface when it is only twisted.
#[test]
fn normals_follow_the_twist() {
    let model = tube();
    let mut pose = model.rest_pose();
    pose.nodes[1].rotation = Quat::from_rotation_x(1.2);
    for skinning in [Skinning::Spherical, Skinning::DualQuaternion] {
        let posed = model.posed(&pose, skinning).unwrap();
        for (p, n) in posed.positions().iter().zip(posed.normals().unwrap()) {
            let outward = (*p * Vec3::new(0.0, 1.0, 1.0)).normalize();
            assert!((outward - n).length() < 1e-5);
        }
    }
}

/// A surface squashed by a joint keeps normals perpendicular and outward, in all models, mirrored too.
#[test]
fn normals_take_the_inverse_transpose_of_scale() {
    let n = Vec3::new(0.6, 0.8, 0.0);
    let tangent = Vec3::new(-0.8, 0.6, 0.0);
    let mesh = Mesh::new(vec![n, Vec3::X, Vec3::Y], vec![[0, 1, 2]]).unwrap();
    let model = Model::rigid(mesh.with_normals(vec![n; 3]).unwrap());
    for scale in [Vec3::new(3.0, 0.5, 1.0), Vec3::new(-1.0, 2.0, 1.0)] {
        let mut pose = model.rest_pose();
        pose.nodes[0].scale = scale;
        for skinning in Skinning::ALL {
            let posed = model.posed(&pose, skinning).unwrap().normal(0);
            assert!(posed.dot(tangent * scale).abs() < 1e-6, "{skinning:?} {scale}");
            assert!(posed.dot(n * scale) > 0.0, "{skinning:?} {scale}: must still point outward");
        }
    }
}

/// Three joints turned so that their quaternions cancel: the vertex follows its heaviest joint.
#[test]
fn cancelling_rotations_are_finite_and_defined() {
    // Seen from the first joint (which has next to no weight) the others are turned by +-180 degrees.
    let influences = [
        [(0u32, 1e-9f32), (1, 0.5), (2, 0.5)],
        [(0, 1.0), (1, 0.1), (2, 0.1)],
        [(0, 1.0), (1, 0.1), (2, 0.1)],
    ];
    let skin = Skin::new(3, influences.iter().map(|i| &i[..])).unwrap();
    assert_eq!(skin.joint_set(0), [0, 1, 2]);
    let nodes = (0..3).map(|_| Node::new("", None, Transform::IDENTITY)).collect();
    let joints = (0..3).map(|node| Joint { node, inverse_bind: DAffine3::IDENTITY }).collect();
    let mesh = Mesh::new(vec![Vec3::ONE, Vec3::X, Vec3::Y], vec![[0, 1, 2]]).unwrap();
    let mesh = mesh.with_normals(vec![Vec3::Z; 3]).unwrap();
    let model = Model::new(mesh, skin, Skeleton::new(nodes, joints).unwrap()).unwrap();
    let mut pose = model.rest_pose();
    pose.nodes[1].rotation = Quat::from_xyzw(1.0, 0.0, 0.0, 1e-4).normalize();
    pose.nodes[2].rotation = Quat::from_xyzw(-1.0, 0.0, 0.0, 1e-4).normalize();
    pose.nodes[1].translation = Vec3::splat(5.0);
    for skinning in [Skinning::Spherical, Skinning::DualQuaternion] {
        let posed = model.posed(&pose, skinning).unwrap();
        assert!(posed.positions().iter().all(|p| p.is_finite()), "{skinning:?}");
        let (position, normal) = (posed.position(0), posed.normal(0));
        assert!((position - Vec3::new(6.0, 4.0, 4.0)).length() < 1e-3, "{skinning:?} {position}");
        assert!((normal - Vec3::NEG_Z).length() < 1e-3, "{skinning:?} {normal}");
    }
}

/// Poses that do not fit are errors that say what was expected.
#[test]
fn poses_that_do_not_fit_are_errors() {
    let model = tube();
    let error = |change: &dyn Fn(&mut Pose)| {
        let mut pose = model.rest_pose();
        change(&mut pose);
        model.posed(&pose, Skinning::Linear).unwrap_err().to_string()
    };
    assert_eq!(error(&|p| p.nodes.truncate(1)), "the pose has 1 nodes, the skeleton has 2");
    assert_eq!(error(&|p| p.coefficients.push(1.0)), "the pose has 1 coefficients, the model has 0");
    assert_eq!(error(&|p| p.nodes[1].scale.y = f32::NAN), "the transform of node 1 is not finite");
    let error = PosedModel::new(&model, Skinning::Linear, &[Affine3A::IDENTITY], &[]).unwrap_err();
    assert_eq!(error.to_string(), "1 joint matrices were given, the skin has 2 joints");
}
