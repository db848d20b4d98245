//! A group while the tree is built: its vertices, and its boxes in the sampled poses.

use glam::{DMat3, Mat3, Vec3, Vec4};

use super::layout::{Group, LinearGroup, Tree};
use super::samples::{SAMPLES, Sample};
use crate::math::{Aabb, SymmetricEigen, smallest_enclosing_sphere};
use crate::model::Model;
use crate::rest::{Rest, RestBox};
use crate::simd::{Eight, TwoFours};
use crate::skin::{OwnedWeightRange, Palette, linear_box};

/// Vertices whose weights lie in a simplex over some joints.
pub(super) struct Draft {
    /// The joint-set of all vertices, if they have the same.
    set: Option<usize>,
    pub joints: Vec<u32>,
    weights: OwnedWeightRange,
    vertices: Vec<u32>,
    axes: Mat3,
    /// The bound in each sampled pose.
    pub boxes: [Aabb; SAMPLES],
}

impl Draft {
    /// Of vertices of one joint-set.
    pub fn of_set(model: &Model, samples: &[Sample], set: usize, vertices: Vec<u32>) -> Self {
        let skin = model.skin();
        let joints = skin.joint_set(set).to_vec();
        let weights = vertices.iter().map(|&v| skin.joints_and_weights(v as usize).1);
        let weights = OwnedWeightRange::around(joints.len(), weights);
        Self::new(model, samples, Some(set), joints, weights, vertices)
    }

    /// Of vertices that a joint moves, as if it had all the weight.
    pub fn of_joint(model: &Model, samples: &[Sample], joint: u32, vertices: Vec<u32>) -> Self {
        let weights = OwnedWeightRange::around(1, std::iter::once(&[1.0][..]));
        Self::new(model, samples, None, vec![joint], weights, vertices)
    }

    /// Of the vertices of two drafts.
    pub fn united(&self, other: &Self, model: &Model, samples: &[Sample]) -> Self {
        let mut joints = self.joints.clone();
        joints.extend(other.joints.iter().filter(|joint| !self.joints.contains(joint)));
        let vertices: Vec<u32> = self.vertices.iter().chain(&other.vertices).copied().collect();
        let weights: Vec<Vec<f32>> = vertices
            .iter()
            .map(|&vertex| {
                let (own, weights) = model.skin().joints_and_weights(vertex as usize);
                let weight =
                    |joint: &u32| own.iter().position(|j| j == joint).map_or(0.0, |index| weights[index]);
                joints.iter().map(weight).collect()
            })
            .collect();
        let weights = OwnedWeightRange::around(joints.len(), weights.iter().map(Vec::as_slice));
        let set = self.set.filter(|_| self.set == other.set);
        Self::new(model, samples, set, joints, weights, vertices)
    }

    /// Takes the axes that give the smaller boxes in the sampled poses: those of the rest space, or the principal ones.
    fn new(
        model: &Model,
        samples: &[Sample],
        set: Option<usize>,
        joints: Vec<u32>,
        weights: OwnedWeightRange,
        vertices: Vec<u32>,
    ) -> Self {
        let points = vertices.iter().map(|&v| model.mesh().positions()[v as usize]);
        let principal = principal_axes(points);
        let boxes = [Aabb::EMPTY; SAMPLES];
        let mut draft = Self { set, joints, weights, vertices, axes: Mat3::IDENTITY, boxes };
        draft.boxes = draft.posed_boxes(model, samples, &draft.axes);
        let boxes = draft.posed_boxes(model, samples, &principal);
        if size(&boxes) < size(&draft.boxes) {
            (draft.axes, draft.boxes) = (principal, boxes);
        }
        draft
    }

    /// Two groups with smaller boxes: cut by the weight that varies most, or by position. `None` where neither helps.
    pub fn divided(&self, model: &Model, samples: &[Sample]) -> Option<[Self; 2]> {
        let whole = size(&self.boxes);
        let set = self.set?;
        let by_weight = self.cut(model, samples, set, self.widest_weight(model, set));
        let by_position = self.cut(model, samples, set, self.longest_extent(model));
        let size = |pair: &[Self; 2]| {
            size(&pair[0].boxes) * pair[0].share(self) + size(&pair[1].boxes) * pair[1].share(self)
        };
        let smaller = match (by_weight, by_position) {
            (Some(a), Some(b)) => Some(if size(&a) < size(&b) { a } else { b }),
            (a, b) => a.or(b),
        };
        smaller.filter(|pair| size(pair) < whole)
    }

    /// Writes the draft into the tree's arrays as a group of its joint-set.
    pub fn push_group(&self, tree: &mut Tree, model: &Model) {
        let Some(set) = self.set else { return };
        let positions = self.rest_positions(model);
        tree.groups.push(Group {
            rest_box: RestBox::around(&self.axes, positions.iter().copied()),
            set: set as u32,
            first_weight: tree.weights.len() as u32,
            first_product: tree.products.len() as u32,
            moved: self.is_moved(model),
            spread: self.weights.spread,
            total_product: self.weights.total_product,
            sphere: smallest_enclosing_sphere(&positions),
        });
        tree.weights.extend(&self.weights.base);
        tree.products.extend(&self.weights.products);
    }

    /// Writes the draft into the tree's arrays for linear blending.
    pub fn push_linear_group(&self, tree: &mut Tree, model: &Model) {
        tree.linear_groups.push(LinearGroup {
            rest_box: RestBox::around(&self.axes, self.rest_positions(model).into_iter()),
            first_joint: tree.linear_joints.len() as u32,
            joint_count: self.joints.len() as u32,
            spread: self.weights.spread,
            moved: self.is_moved(model),
        });
        tree.linear_joints.extend(&self.joints);
        tree.linear_weights.extend(&self.weights.base);
    }

    /// Whether the rest stage moves any vertex.
    fn is_moved(&self, model: &Model) -> bool {
        match model.rest() {
            Rest::Plain => false,
            Rest::Fields(fields) => self.vertices.iter().any(|&v| fields.of_vertex(v).next().is_some()),
            Rest::Morph(_) => true,
        }
    }

    /// Before any change. A blend of reference shapes is the sum of its changes alone.
    fn rest_positions(&self, model: &Model) -> Vec<Vec3> {
        match model.rest() {
            Rest::Morph(_) => vec![Vec3::ZERO],
            _ => self.vertices.iter().map(|&v| model.mesh().positions()[v as usize]).collect(),
        }
    }

    fn share(&self, whole: &Self) -> f32 {
        self.vertices.len() as f32 / whole.vertices.len() as f32
    }

    /// Bounds in the sampled poses, of rest positions as each pose's coefficients make them.
    fn posed_boxes(&self, model: &Model, samples: &[Sample], axes: &Mat3) -> [Aabb; SAMPLES] {
        let plain = matches!(model.rest(), Rest::Plain);
        let mut boxes = [Aabb::EMPTY; SAMPLES];
        let mut rest = RestBox::default();
        for (s, sample) in samples.iter().enumerate() {
            if s == 0 || !plain {
                rest = RestBox::around(axes, self.vertices.iter().map(|&v| sample.rest[v as usize]));
            }
            let [min, max] = self.posed_box(&sample.palette, rest.0.map(|row| TwoFours::load(&row)));
            boxes[s] = Aabb { min: min.truncate(), max: max.truncate() };
        }
        boxes
    }

    fn posed_box(&self, palette: &Palette, rest: [TwoFours; 2]) -> [Vec4; 2] {
        linear_box(palette, &self.joints, &self.weights.base, self.weights.spread, rest)
    }

    /// The weight with the widest range, vertex by vertex.
    fn widest_weight(&self, model: &Model, set: usize) -> Vec<f32> {
        let weight = |v: u32, index: usize| model.skin().joints_and_weights(v as usize).1[index];
        let range = |index: usize| {
            let values = || self.vertices.iter().map(|&v| weight(v, index));
            values().fold(f32::MIN, f32::max) - values().fold(f32::MAX, f32::min)
        };
        let joints = model.skin().joint_set(set).len();
        let widest = (0..joints).max_by(|&a, &b| range(a).total_cmp(&range(b))).unwrap_or(0);
        self.vertices.iter().map(|&v| weight(v, widest)).collect()
    }

    /// The coordinate along the longest axis of the rest box, vertex by vertex.
    fn longest_extent(&self, model: &Model) -> Vec<f32> {
        let local = Aabb::from_points(
            self.vertices.iter().map(|&v| self.axes.transpose() * model.mesh().positions()[v as usize]),
        );
        let axis = self.axes.col(local.half_extents().max_position());
        self.vertices.iter().map(|&v| axis.dot(model.mesh().positions()[v as usize])).collect()
    }

    /// Divides at the middle of the values' range.
    fn cut(&self, model: &Model, samples: &[Sample], set: usize, values: Vec<f32>) -> Option<[Self; 2]> {
        let (low, high) =
            values.iter().fold((f32::MAX, f32::MIN), |(low, high), &v| (low.min(v), high.max(v)));
        let middle = low + (high - low) * 0.5;
        let side = |upper: bool| -> Vec<u32> {
            let pairs = self.vertices.iter().zip(&values);
            pairs.filter(|(_, value)| (**value > middle) == upper).map(|(v, _)| *v).collect()
        };
        let (left, right) = (side(false), side(true));
        if left.is_empty() || right.is_empty() {
            return None;
        }
        Some([left, right].map(|vertices| Self::of_set(model, samples, set, vertices)))
    }
}

/// Sum of the extents of boxes.
fn size(boxes: &[Aabb]) -> f32 {
    boxes.iter().map(|aabb| (aabb.max - aabb.min).max(Vec3::ZERO).element_sum()).sum()
}

/// Eigenvectors of the covariance of points, as columns.
fn principal_axes(points: impl ExactSizeIterator<Item = Vec3> + Clone) -> Mat3 {
    let mean = points.clone().sum::<Vec3>() / points.len() as f32;
    let mut covariance = DMat3::ZERO;
    for point in points {
        let d = (point - mean).as_dvec3();
        covariance += DMat3::from_cols(d * d.x, d * d.y, d * d.z);
    }
    SymmetricEigen::new(covariance).vectors.as_mat3()
}
