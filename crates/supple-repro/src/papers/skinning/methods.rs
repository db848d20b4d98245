//! The skinning methods of the thesis as plain loops over vertices, in f64, without vector code of their own: like
//! with like.
//!
//! What depends on a joint or joint-set alone is prepared once per pose; then every vertex gets its own blended matrix, which
//! moves position and normal (algorithms 3.1 and 4.2). The library's own skinning is something else: it is vectorised, and no
//! longer tells what a method costs by itself.
//!
//! Must hold: every method gives what the blending function of that name gives.
//!
//! Based on: Kavan, Real-time Skeletal Animation, 2007, algorithms 3.1, 4.1 and 4.2; Alexa, Linear Combination of
//! Transformations, 2002.

use glam::{DAffine3, DMat3, DQuat, DVec3};
use supple::{Isometry, Model, Skin};
use supple::math::{DualQuat, rotation_center};
use supple_papers::blend::{Twist, dib, dlb, linear, log_matrix, qlb0, spherical};

/// A way to blend joints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    Linear,
    /// Quaternions and translations blended separately: QLB'_0.
    DirectQuaternion,
    LogMatrix,
    Spherical,
    DualQuaternion,
    /// Dual quaternions, iterated.
    Dib,
}

/// How exactly the iteration is solved, and in how many steps at most: what f32 vertices can show.
const DIB_PRECISION: f64 = 1e-6;
const DIB_STEPS: usize = 20;

/// A posed vertex: position and normal.
pub type Vertex = [DVec3; 2];

impl Method {
    pub const ALL: [Self; 6] = [
        Self::Linear,
        Self::DirectQuaternion,
        Self::LogMatrix,
        Self::Spherical,
        Self::DualQuaternion,
        Self::Dib,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Linear => "linear",
            Self::DirectQuaternion => "QLB'_0",
            Self::LogMatrix => "log-matrix",
            Self::Spherical => "spherical",
            Self::DualQuaternion => "dual quaternion",
            Self::Dib => "DIB",
        }
    }

    /// Deforms a whole model, what is prepared per pose included.
    pub fn deform(self, model: &Model, joints: &[Isometry], out: &mut Vec<Vertex>) {
        let skin = model.skin();
        match self {
            Self::Linear => {
                let matrices = matrices(joints);
                each_vertex(model, out, |_, (ids, weights)| sum(&matrices, ids, weights));
            }
            Self::DirectQuaternion => each_vertex(model, out, |_, (ids, weights)| {
                let mut translation = DVec3::ZERO;
                for (&id, &weight) in ids.iter().zip(weights) {
                    translation += joints[id as usize].translation * f64::from(weight);
                }
                Isometry::new(quaternion(joints, ids, weights), translation).to_affine()
            }),
            Self::LogMatrix => {
                let logs: Vec<Twist> = joints.iter().map(|joint| Twist::log(*joint)).collect();
                each_vertex(model, out, |_, (ids, weights)| {
                    let mut twist = Twist::default();
                    for (&id, &weight) in ids.iter().zip(weights) {
                        twist = twist + logs[id as usize] * f64::from(weight);
                    }
                    twist.exp().to_affine()
                });
            }
            Self::Spherical => {
                let (matrices, centers) = (matrices(joints), rotation_centers(skin, joints));
                each_vertex(model, out, |vertex, (ids, weights)| {
                    let center = centers[skin.set_of_vertex(vertex)];
                    let mut moved = DVec3::ZERO;
                    for (&id, &weight) in ids.iter().zip(weights) {
                        moved += matrices[id as usize].transform_point3(center) * f64::from(weight);
                    }
                    let rotation = DMat3::from_quat(quaternion(joints, ids, weights));
                    DAffine3::from_mat3_translation(rotation, moved - rotation * center)
                });
            }
            Self::DualQuaternion => {
                let duals: Vec<DualQuat> =
                    joints.iter().map(|joint| DualQuat::from_isometry(*joint)).collect();
                each_vertex(model, out, |_, (ids, weights)| {
                    let pivot = duals[ids[0] as usize];
                    let mut blend = DualQuat::ZERO;
                    for (&id, &weight) in ids.iter().zip(weights) {
                        let dual = duals[id as usize];
                        blend = blend + dual * f64::from(weight).copysign(pivot.real.dot(dual.real));
                    }
                    matrix_of(blend)
                });
            }
            Self::Dib => {
                let (mut some, mut parts) = (Vec::new(), Vec::new());
                each_vertex(model, out, |_, (ids, weights)| {
                    gather(joints, (ids, weights), &mut some, &mut parts);
                    dib(&some, &parts, DIB_PRECISION, DIB_STEPS).blend.to_affine()
                });
            }
        }
    }

    /// The same blend by the function of that name.
    fn blend(self, joints: &[Isometry], weights: &[f64]) -> DAffine3 {
        match self {
            Self::Linear => linear(joints, weights),
            Self::DirectQuaternion => qlb0(joints, weights).to_affine(),
            Self::LogMatrix => log_matrix(joints, weights).to_affine(),
            Self::Spherical => spherical(joints, weights).to_affine(),
            Self::DualQuaternion => dlb(joints, weights).to_affine(),
            Self::Dib => dib(joints, weights, DIB_PRECISION, DIB_STEPS).blend.to_affine(),
        }
    }

    /// The largest distance of a vertex from where that function puts it.
    pub fn error(self, model: &Model, joints: &[Isometry]) -> f64 {
        let mut posed = Vec::new();
        self.deform(model, joints, &mut posed);
        let (mut some, mut parts) = (Vec::new(), Vec::new());
        let mut largest = 0.0f64;
        for (vertex, (posed, rest)) in posed.iter().zip(model.mesh().positions()).enumerate() {
            gather(joints, model.skin().joints_and_weights(vertex), &mut some, &mut parts);
            let wanted = self.blend(&some, &parts).transform_point3(rest.as_dvec3());
            largest = largest.max(posed[0].distance(wanted));
        }
        largest
    }
}

/// One point of rotation per joint-set, computed once per pose: the step that the thesis does by singular value decomposition.
pub fn rotation_centers(skin: &Skin, joints: &[Isometry]) -> Vec<DVec3> {
    let mut some = Vec::new();
    let center = |set: usize| {
        some.clear();
        some.extend(skin.joint_set(set).iter().map(|&id| joints[id as usize]));
        rotation_center(&some)
    };
    (0..skin.joint_set_count()).map(center).collect()
}

fn matrices(joints: &[Isometry]) -> Vec<DAffine3> {
    joints.iter().map(Isometry::to_affine).collect()
}

/// `sum w_i M_i`
#[inline(always)]
fn sum(matrices: &[DAffine3], ids: &[u32], weights: &[f32]) -> DAffine3 {
    let mut blend = DAffine3::ZERO;
    for (&id, &weight) in ids.iter().zip(weights) {
        let (matrix, weight) = (&matrices[id as usize], f64::from(weight));
        blend.matrix3 += matrix.matrix3 * weight;
        blend.translation += matrix.translation * weight;
    }
    blend
}

/// `sum w_i q_i`, normalised, signs aligned with the first.
#[inline(always)]
fn quaternion(joints: &[Isometry], ids: &[u32], weights: &[f32]) -> DQuat {
    let pivot = joints[ids[0] as usize].rotation;
    let mut blend = DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0);
    for (&id, &weight) in ids.iter().zip(weights) {
        let rotation = joints[id as usize].rotation;
        blend += rotation * f64::from(weight).copysign(pivot.dot(rotation));
    }
    blend.normalize()
}

/// The matrix of a dual quaternion that need not be unit: rotation by `q0 / |q0|`, translation `2 qe q0* / |q0|^2`. What the
/// division by the dual norm would take away from `qe` only has a real part there.
#[inline(always)]
fn matrix_of(q: DualQuat) -> DAffine3 {
    let (real, dual) = (q.real.xyz(), q.dual.xyz());
    let translation =
        (dual * q.real.w - real * q.dual.w - dual.cross(real)) * (2.0 / q.real.length_squared());
    DAffine3::from_rotation_translation(q.real.normalize(), translation)
}

/// Joints and weights of a vertex, as the blending functions take them.
fn gather(
    joints: &[Isometry],
    (ids, weights): (&[u32], &[f32]),
    some: &mut Vec<Isometry>,
    parts: &mut Vec<f64>,
) {
    some.clear();
    parts.clear();
    some.extend(ids.iter().map(|&id| joints[id as usize]));
    parts.extend(weights.iter().map(|&weight| f64::from(weight)));
}

#[inline(always)]
fn each_vertex(
    model: &Model,
    out: &mut Vec<Vertex>,
    mut blend: impl FnMut(usize, (&[u32], &[f32])) -> DAffine3,
) {
    let (mesh, skin) = (model.mesh(), model.skin());
    let normals = mesh.normals().unwrap_or_default();
    out.clear();
    for (vertex, (position, normal)) in mesh.positions().iter().zip(normals).enumerate() {
        let matrix = blend(vertex, skin.joints_and_weights(vertex));
        out.push([matrix.transform_point3(position.as_dvec3()), matrix.matrix3 * normal.as_dvec3()]);
    }
}
