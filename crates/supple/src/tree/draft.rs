//! A group while the tree is built: its vertices, and its boxes in the sampled poses.

use glam::{DMat3, Mat3, Vec3};

use super::layout::{Group, Tree};
use super::samples::{SAMPLES, Sample};
use crate::math::{Aabb, Sphere, SymmetricEigen, smallest_enclosing_ball};
use crate::model::Model;
use crate::rest::{FieldsAt, MorphAt, PlainRest, Rest, RestBox, RestChange, RestStage, RestVolume};
use crate::skin::{LinearSkin, OwnedWeightRange, SkinStage, SkinTerm};

/// Vertices of one joint-set.
pub(super) struct Draft {
    set: usize,
    vertices: Vec<u32>,
    weights: OwnedWeightRange,
    axes: Mat3,
    rest_box: RestBox,
    /// Per active field (or reference shape) the displacements (or positions) of the vertices.
    displacements: Vec<(u32, Vec<Vec3>)>,
    /// Boxes only: balls are made when the draft is final.
    changes: Vec<RestChange>,
    /// The bound in each sampled pose.
    pub boxes: [Aabb; SAMPLES],
}

impl Draft {
    /// Takes the axes that give the smaller boxes in the sampled poses: those of the rest space, or the principal ones.
    pub fn new(model: &Model, samples: &[Sample], set: usize, vertices: Vec<u32>) -> Self {
        let skin = model.skin();
        let joints = skin.joint_set(set).len();
        let weights =
            OwnedWeightRange::around(joints, vertices.iter().map(|&v| skin.joints_and_weights(v as usize).1));
        let points: Vec<Vec3> = vertices.iter().map(|&v| model.mesh().positions()[v as usize]).collect();
        let displacements = displacements(model, &vertices);
        let mut draft = Self {
            set,
            vertices,
            displacements,
            weights,
            axes: Mat3::IDENTITY,
            rest_box: RestBox::default(),
            changes: Vec::new(),
            boxes: [Aabb::EMPTY; SAMPLES],
        };
        draft.take_axes(model, samples, &points, Mat3::IDENTITY);
        let (upright, size) = (draft.axes, draft.size());
        draft.take_axes(model, samples, &points, principal_axes(&points));
        if draft.size() > size {
            draft.take_axes(model, samples, &points, upright);
        }
        draft
    }

    /// Two groups with smaller boxes: cut by the weight that varies most, or by position. `None` where neither helps.
    pub fn divided(&self, model: &Model, samples: &[Sample]) -> Option<[Self; 2]> {
        let by_weight = self.cut(model, samples, self.widest_weight(model));
        let by_position = self.cut(model, samples, self.longest_extent(model));
        let size =
            |pair: &[Self; 2]| pair[0].size() * pair[0].share(self) + pair[1].size() * pair[1].share(self);
        let smaller = match (by_weight, by_position) {
            (Some(a), Some(b)) => Some(if size(&a) < size(&b) { a } else { b }),
            (a, b) => a.or(b),
        };
        smaller.filter(|pair| size(pair) < self.size())
    }

    /// Writes the group into the tree's arrays.
    pub fn push_to(self, tree: &mut Tree, model: &Model) {
        let points: Vec<Vec3> = self.vertices.iter().map(|&v| model.mesh().positions()[v as usize]).collect();
        let balls = displacements(model, &self.vertices);
        let changes = self
            .changes
            .iter()
            .zip(&balls)
            .map(|(change, (_, values))| RestChange { ball: smallest_enclosing_ball(values), ..*change });
        tree.groups.push(Group {
            set: self.set as u32,
            first_weight: tree.weights.len() as u32,
            first_product: tree.products.len() as u32,
            first_change: tree.changes.len() as u32,
            change_count: self.changes.len() as u32,
            spread: self.weights.spread,
            total_product: self.weights.total_product,
            axes: self.axes,
            rest_box: self.rest_box,
            ball: smallest_enclosing_ball(&points),
        });
        tree.weights.extend(&self.weights.base);
        tree.products.extend(&self.weights.products);
        tree.changes.extend(changes);
    }

    /// Sum of the extents of the boxes over all sampled poses.
    fn size(&self) -> f32 {
        let extents = |aabb: &Aabb| (aabb.max - aabb.min).max(Vec3::ZERO).element_sum();
        self.boxes.iter().map(extents).sum()
    }

    fn share(&self, whole: &Self) -> f32 {
        self.vertices.len() as f32 / whole.vertices.len() as f32
    }

    fn take_axes(&mut self, model: &Model, samples: &[Sample], points: &[Vec3], axes: Mat3) {
        self.axes = axes;
        self.rest_box = RestBox::around(&axes, points.iter().copied());
        let nowhere = Sphere::new(Vec3::ZERO, 0.0);
        let change = |(coefficient, values): &(u32, Vec<Vec3>)| RestChange {
            coefficient: *coefficient,
            rest_box: RestBox::around(&axes, values.iter().copied()),
            ball: nowhere,
        };
        self.changes = self.displacements.iter().map(change).collect();
        for (s, sample) in samples.iter().enumerate() {
            self.boxes[s] = self.posed_box(model, sample);
        }
    }

    fn posed_box(&self, model: &Model, sample: &Sample) -> Aabb {
        let (mesh, skin, coefficients) = (model.mesh(), model.skin(), &sample.coefficients);
        let volume = RestVolume {
            rest_box: self.rest_box,
            ball: Sphere::new(Vec3::ZERO, 0.0),
            changes: &self.changes,
        };
        let rest = match model.rest() {
            Rest::Plain => PlainRest(mesh).bound_box(&volume),
            Rest::Fields(fields) => FieldsAt { mesh, fields, coefficients }.bound_box(&volume),
            Rest::Morph(morph) => MorphAt { morph, weights: coefficients }.bound_box(&volume),
        };
        let term = SkinTerm {
            set: self.set,
            joints: skin.joint_set(self.set),
            weights: self.weights.as_range(),
            axes: &self.axes,
        };
        LinearSkin { skin, palette: &sample.palette }.bound_box(&term, rest, self.changes.len())
    }

    /// The weight with the widest range, vertex by vertex.
    fn widest_weight(&self, model: &Model) -> Vec<f32> {
        let weight = |v: u32, slot: usize| model.skin().joints_and_weights(v as usize).1[slot];
        let range = |slot: usize| {
            let values = || self.vertices.iter().map(|&v| weight(v, slot));
            values().fold(f32::MIN, f32::max) - values().fold(f32::MAX, f32::min)
        };
        let joints = model.skin().joint_set(self.set).len();
        let widest = (0..joints).max_by(|&a, &b| range(a).total_cmp(&range(b))).unwrap_or(0);
        self.vertices.iter().map(|&v| weight(v, widest)).collect()
    }

    /// The coordinate along the longest axis of the rest box, vertex by vertex.
    fn longest_extent(&self, model: &Model) -> Vec<f32> {
        let axis = self.axes.col(self.rest_box.half.max_position());
        self.vertices.iter().map(|&v| axis.dot(model.mesh().positions()[v as usize])).collect()
    }

    /// Divides at the middle of the values' range.
    fn cut(&self, model: &Model, samples: &[Sample], values: Vec<f32>) -> Option<[Self; 2]> {
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
        Some([left, right].map(|vertices| Self::new(model, samples, self.set, vertices)))
    }
}

/// Eigenvectors of the covariance of points, as columns.
fn principal_axes(points: &[Vec3]) -> Mat3 {
    let mean = points.iter().sum::<Vec3>() / points.len() as f32;
    let mut covariance = DMat3::ZERO;
    for point in points {
        let d = (*point - mean).as_dvec3();
        covariance += DMat3::from_cols(d * d.x, d * d.y, d * d.z);
    }
    SymmetricEigen::new(covariance).vectors.as_mat3()
}

/// What the rest stage does to vertices: per active field their displacements, or per reference shape their positions.
fn displacements(model: &Model, vertices: &[u32]) -> Vec<(u32, Vec<Vec3>)> {
    match model.rest() {
        Rest::Plain => Vec::new(),
        Rest::Fields(fields) => {
            let mut moved: Vec<(usize, Vec3)> =
                vertices.iter().flat_map(|&v| fields.of_vertex(v as usize)).collect();
            moved.sort_by_key(|&(field, _)| field);
            let field = |run: &[(usize, Vec3)]| {
                // Vertices that the field does not move are displaced by zero.
                let still = (run.len() < vertices.len()).then_some(Vec3::ZERO);
                (run[0].0 as u32, run.iter().map(|&(_, u)| u).chain(still).collect())
            };
            moved.chunk_by(|a, b| a.0 == b.0).map(field).collect()
        }
        Rest::Morph(morph) => (0..morph.count())
            .map(|i| (i as u32, vertices.iter().map(|&v| morph.of_vertex(v as usize)[i]).collect()))
            .collect(),
    }
}
