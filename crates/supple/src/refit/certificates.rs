//! Which nodes of a posed body cannot touch what is around them, seen from joints and stored numbers alone.
//!
//! Let `m_j` and `g_j` be the weight and the gradient of joint `j` as a plane fits them around the middle `o` of a node, `C = sum m_j C_j` the blend
//! there, `E_j = C_j - C`. Two points at rest, `x` below the node and `y` in its surroundings, are posed
//!
//! ```text
//! F(x) - F(y)  =  A (x - y)  +  rest,        A = C + sum_j E_j(o) g_j^T
//! |rest|      <=  loss |x - y|,              loss = sum_j |E_j| varying_j + |E_j(o)| uneven_j
//! ```
//!
//! So where the smallest singular value of `A` exceeds `loss` and what rounding does to points as near as triangles are at rest, none touch. Joints
//! that move as one have `E_j = 0`: everything that is rigid is certified. `docs/math/certificates.md` has the proof.
//!
//! Dual quaternions put vertices beside their linear blend, but neighbours nearly as far: see `bulge.rs`. Spherical blends, and joints
//! that stretch, are off by a bend, which counts like rounding.

use glam::{Mat3A, Vec3A};

use super::Body;
use super::bulge::Bulge;
use crate::skin::{Palette, Skinning, UNIT_ROUNDOFF};
use crate::tree::{ANY_FIELD, JointSmoothness, Tree};

/// The number of no node.
const NO_NODE: u32 = u32::MAX;

/// Stretched by this share of what joints do at most, two points that are not too near each other stay apart.
const MODERATE: f32 = 1.0 / 16.0;

/// Lengths below may be lost, as f32 has no number for their squares.
const TOO_SMALL: f32 = 1e-18;

/// Every so many twigs one is asked whether its certificate holds.
const SAMPLED: usize = 8;

/// If fewer than one in so many of these hold, none is used. With 4 % (clothes in layers), asking cost 3 to 8 % of a query more than it saved; with 10 %
/// nothing.
const WORTHWHILE: usize = 16;

/// Certificates of all nodes in a pose.
pub(crate) struct PosedCertificates {
    /// For every node one above it, or itself, that does not touch its surroundings, or [`NO_NODE`].
    above: Vec<u32>,
    /// For every node that is certified: how far apart two triangles have to be at rest.
    needed: Vec<f32>,
}

impl PosedCertificates {
    /// Whether nothing below two nodes touches: one of them, or a node above it, does not touch its surroundings, and the other is among them.
    #[inline(always)]
    pub fn hold(&self, tree: &Tree, node_a: usize, node_b: usize) -> bool {
        let (a, b) = (self.above[node_a], self.above[node_b]);
        if a == NO_NODE && b == NO_NODE {
            return false;
        }
        // Triangles below a node are as far from all others as its clearance tells.
        let clearance = tree.clearances[node_a].max(tree.clearances[node_b]);
        let holds = |certified: u32, other: usize| {
            certified != NO_NODE
                && self.needed[certified as usize] <= clearance
                && tree.smoothness.surrounds(certified as usize, other)
        };
        holds(a, node_b) || holds(b, node_a)
    }
}

/// What one pose does, as far as it is the same for all nodes.
pub(super) struct PoseCertificates<'a> {
    body: &'a Body,
    tree: &'a Tree,
    /// How far two posed points may be off together, but for bends.
    noise: f32,
    blend: Blend,
}

/// Where vertices are, as seen from their linear blend.
enum Blend {
    Linear,
    /// Where dual quaternions take them.
    DualQuaternion,
    /// Anywhere within a distance, known for every joint.
    Within(Vec<f32>),
}

impl Body {
    /// Certificates of all nodes in the current pose; none where so few hold that asking for them takes longer than what they save. O(nodes), but
    /// for most of them a nanosecond.
    pub(crate) fn certificates(&self) -> Option<PosedCertificates> {
        let tree = self.tree();
        let pose = PoseCertificates::new(self, tree);
        let asked = || tree.twigs.iter().step_by(SAMPLED).map(|&twig| twig as usize);
        let held = asked().filter(|&twig| pose.needed_clearance(twig).is_some());
        if WORTHWHILE * held.count() < asked().count() {
            return None;
        }
        let mut above = vec![NO_NODE; tree.nodes.len()];
        let mut needed = vec![0.0; tree.nodes.len()];
        for (node, shape) in tree.nodes.iter().enumerate() {
            // One above it that does for all below this node does.
            let known = above[node] != NO_NODE && needed[above[node] as usize] <= tree.clearances[node];
            if !known
                && let Some(distance) = pose.needed_clearance(node)
                && (above[node] == NO_NODE || distance <= tree.clearances[node])
            {
                (above[node], needed[node]) = (node as u32, distance);
            }
            let certified = above[node];
            if certified != NO_NODE && !shape.is_leaf() {
                above[shape.range()].fill(certified);
            }
        }
        Some(PosedCertificates { above, needed })
    }
}

impl<'a> PoseCertificates<'a> {
    pub fn new(body: &'a Body, tree: &'a Tree) -> Self {
        let (joints, palette) = (tree.most_joints, body.palette());
        let margin = match body.is_displaced() {
            true => palette.linear_margin(joints, body.coefficients.len()),
            false => palette.rigid_margin(joints),
        };
        let (blend, beside) = match body.skinning() {
            Skinning::Linear => (Blend::Linear, 0.0),
            Skinning::DualQuaternion if !palette.stretches_any() => {
                (Blend::DualQuaternion, palette.dual_quaternion_margin(joints))
            }
            Skinning::DualQuaternion | Skinning::Spherical => (Blend::Within(body.bends_of_joints()), 0.0),
        };
        // A vertex is off by at most the margin per axis, which is less than twice that in space.
        Self { body, tree, noise: 4.0 * margin + 2.0 * beside, blend }
    }

    /// How far apart at rest two triangles have to be, one below a node and one in its surroundings, that surely do not touch; none where they may
    /// touch however far apart they are.
    #[inline(always)]
    pub fn needed_clearance(&self, node: usize) -> Option<f32> {
        let bending = self.bending(node)?;
        let (clearance, least) = (self.tree.clearances[node], self.tree.smoothness.least_clearance);
        // For all that is below the node; or else for what is not too near to other things at rest.
        let moderate = MODERATE * bending.size;
        if bending.leaves_more_than(bending.noise / clearance, (least / clearance).max(1.0)) {
            Some(clearance)
        } else if bending.leaves_more_than(moderate, 1.0) {
            Some(least.max(1.0001 * bending.noise / moderate))
        } else {
            None
        }
    }

    /// How a node bends, if anything is known of its surroundings, and unless it bends more than certificates allow.
    #[inline(always)]
    pub fn bending(&self, node: usize) -> Option<Bending> {
        let smoothness = &self.tree.smoothness;
        let joints = smoothness.joints(node);
        if joints.is_empty() {
            return None;
        }
        let middle = Vec3A::from(smoothness.boxes[node].center());
        let mean = Mean::new(self.body.palette(), joints, middle);
        let scope = smoothness.scope(node);
        let (mut whole, mut loss, mut turned, mut slopes) = (mean.matrix, 0.0, 0.0, 0.0);
        let (mut farthest, mut stretch_most) = (0.0f32, 0.0f32);
        for joint in joints {
            let matrix = self.body.palette().affine(joint.joint);
            let off = matrix.transform_point3a(middle) - mean.image;
            let gradient = Vec3A::from(joint.gradient);
            whole += Mat3A::from_cols(off * gradient.x, off * gradient.y, off * gradient.z);
            let (stretch, slope) =
                (stretch(&(matrix.matrix3 - mean.matrix)), gradient.length() + joint.uneven);
            loss += stretch * joint.varying + (off.length() + TOO_SMALL) * joint.uneven;
            if loss > mean.size {
                return None;
            }
            turned += stretch * slope;
            slopes += slope;
            farthest = farthest.max(off.length() + stretch * scope.radius);
            stretch_most = stretch_most.max(stretch);
        }
        let mut displaced = (0.0, 0.0);
        if self.body.is_displaced() {
            // Points that are displaced differently are blended differently; others are farther from the middle.
            displaced = self.displacement(node);
            let (slope, length) = displaced;
            loss += slope * (square(&mean.matrix).sqrt() + 2.0 * loss) + length * turned;
        }
        let rounding = mean.rounding(joints.len(), middle.length());
        let mut noise = self.noise;
        match &self.blend {
            Blend::Linear => {}
            Blend::DualQuaternion => {
                let opening = self.body.palette().opening(joints.iter().map(|joint| joint.joint));
                let images = farthest + stretch_most * displaced.1 + rounding.images;
                let bulge = Bulge::new(opening)?.slope(images, slopes, 1.0 + displaced.0);
                loss += scope.steeper * bulge;
            }
            Blend::Within(bends) => {
                let bends = joints.iter().map(|joint| bends[joint.joint as usize]);
                noise += 2.0 * bends.fold(0.0, f32::max);
            }
        }
        loss += rounding.matrices + rounding.images * slopes;
        Some(Bending { whole, loss, noise, size: mean.size })
    }

    /// How far the rest stage moves points around a node at most, per distance, and at all.
    fn displacement(&self, node: usize) -> (f32, f32) {
        let fields = self.tree.smoothness.fields(node).iter();
        fields.fold((0.0, 0.0), |(slope, length), field| {
            if field.field == ANY_FIELD {
                return (f32::INFINITY, f32::INFINITY);
            }
            let q = self.body.coefficients[field.field as usize].abs();
            (slope + q * field.slope, length + q * field.length)
        })
    }
}

/// What a pose does to a node and its surroundings: `F(x) - F(y)` is `whole (x - y)`, but for `loss |x - y| + noise`. The loss is that of
/// triangles of at least the least clearance; with a share `s` of that it is `loss / s`.
pub(super) struct Bending {
    pub whole: Mat3A,
    pub loss: f32,
    pub noise: f32,
    /// How large the numbers of joints are.
    size: f32,
}

impl Bending {
    /// Whether points stay apart by more than a share of their distance, noise not counted; the loss is some times as large for those that are
    /// nearer at rest than it is meant for.
    #[inline(always)]
    fn leaves_more_than(&self, share: f32, times: f32) -> bool {
        stretches_by_more_than(&self.whole, 1.0001 * (self.loss * times + share), self.size)
    }
}

/// The blend at the middle of a node.
struct Mean {
    matrix: Mat3A,
    /// Of the middle.
    image: Vec3A,
    /// Sum of the weights' absolute values; the largest joint, and the longest translation.
    weights: f32,
    size: f32,
    translation: f32,
}

impl Mean {
    #[inline(always)]
    fn new(palette: &Palette, joints: &[JointSmoothness], middle: Vec3A) -> Self {
        let mut mean =
            Self { matrix: Mat3A::ZERO, image: Vec3A::ZERO, weights: 0.0, size: 0.0, translation: 0.0 };
        for joint in joints {
            let matrix = palette.affine(joint.joint);
            mean.matrix += matrix.matrix3 * joint.weight;
            mean.image += matrix.transform_point3a(middle) * joint.weight;
            mean.weights += joint.weight.abs();
            mean.size = mean.size.max(square(&matrix.matrix3));
            mean.translation = mean.translation.max(matrix.translation.length_squared());
        }
        (mean.size, mean.translation) = (mean.size.sqrt(), mean.translation.sqrt());
        mean
    }

    /// How much is off that is computed from this: sums of this many products.
    #[inline(always)]
    fn rounding(&self, joints: usize, distance: f32) -> Rounding {
        let unit = 4.0 * (joints + 20) as f32 * UNIT_ROUNDOFF * (1.0 + self.weights);
        Rounding { matrices: unit * self.size, images: unit * (self.size * distance + self.translation) }
    }
}

/// How much matrices, and images of a middle, are off.
struct Rounding {
    matrices: f32,
    images: f32,
}

/// The squared sizes of all numbers of a matrix: no less than the square of any singular value.
#[inline(always)]
fn square(m: &Mat3A) -> f32 {
    m.x_axis.length_squared() + m.y_axis.length_squared() + m.z_axis.length_squared()
}

/// A bound of the largest singular value: the fourth root of the sum of all fourth powers, or where these are too small for f32, the root
/// of the sum of all squares.
#[inline(always)]
fn stretch(m: &Mat3A) -> f32 {
    let [x, y, z] = [m.x_axis, m.y_axis, m.z_axis];
    let (xx, yy, zz) = (x.length_squared(), y.length_squared(), z.length_squared());
    let (xy, yz, zx) = (x.dot(y), y.dot(z), z.dot(x));
    let square = xx + yy + zz;
    let bound = if square < 1e-10 {
        square
    } else {
        (xx * xx + yy * yy + zz * zz + 2.0 * (xy * xy + yz * yz + zx * zx)).sqrt()
    };
    bound.sqrt() + TOO_SMALL
}

/// Whether all singular values are larger: whether `M^T M - least^2` is positive definite, which its leading minors tell. They have to be
/// clearly positive, compared with matrices of a size: in f64, rounding is far less. NaN is not positive.
#[inline(always)]
fn stretches_by_more_than(m: &Mat3A, least: f32, size: f32) -> bool {
    let [x, y, z] = [m.x_axis, m.y_axis, m.z_axis].map(|column| column.as_dvec3());
    let (less, size) = (f64::from(least) * f64::from(least), f64::from(size) * f64::from(size));
    let (xx, yy, zz) = (x.length_squared() - less, y.length_squared() - less, z.length_squared() - less);
    let (xy, yz, zx) = (x.dot(y), y.dot(z), z.dot(x));
    let minor = xx * yy - xy * xy;
    let determinant = zz * minor - yz * (xx * yz - xy * zx) - zx * (yy * zx - xy * yz);
    xx > 1e-9 * size && minor > 1e-9 * size * size && determinant > 1e-9 * size * size * size
}
