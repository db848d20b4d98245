//! The vertices below one node, joint-set by joint-set, with their rest positions side by side: groups are tried many times.
//!
//! Must hold: joint-sets are in ascending order, the vertices of each in the order in which the triangles first have them. A *member* is the index
//! of a vertex in this order.

use std::ops::Range;

use glam::Vec3A;

use super::samples::{SAMPLES, Sample};
use crate::math::Aabb;
use crate::model::Model;
use crate::rest::Rest;

/// Collects the members of one node after the other, reusing its memory.
pub(super) struct Members<'a> {
    pub model: &'a Model,
    pub samples: &'a [Sample],
    /// The vertex of every member.
    pub vertices: Vec<u32>,
    /// Joint-sets with their members.
    pub sets: Vec<(usize, Range<u32>)>,
    /// Rest positions of members in the file.
    points: Vec<Vec3A>,
    /// The same as each sampled pose changes them; nothing where no pose does.
    changed: Vec<Vec<Vec3A>>,
    /// In which round each vertex was seen last.
    seen: Vec<u32>,
    round: u32,
    by_set: Vec<Vec<u32>>,
}

impl<'a> Members<'a> {
    pub fn new(model: &'a Model, samples: &'a [Sample]) -> Self {
        let changed = if matches!(model.rest(), Rest::Plain) { 0 } else { samples.len() };
        Self {
            model,
            samples,
            vertices: Vec::new(),
            sets: Vec::new(),
            points: Vec::new(),
            changed: vec![Vec::new(); changed],
            seen: vec![0; model.mesh().positions().len()],
            round: 0,
            by_set: vec![Vec::new(); model.skin().joint_set_count()],
        }
    }

    /// The vertices of some triangles.
    pub fn collect(&mut self, triangles: &[u32]) {
        let (mesh, skin) = (self.model.mesh(), self.model.skin());
        self.round += 1;
        let mut sets = Vec::new();
        for &vertex in triangles.iter().flat_map(|&t| &mesh.triangles()[t as usize]) {
            if std::mem::replace(&mut self.seen[vertex as usize], self.round) == self.round {
                continue;
            }
            let set = skin.set_of_vertex(vertex);
            if self.by_set[set].is_empty() {
                sets.push(set);
            }
            self.by_set[set].push(vertex);
        }
        sets.sort_unstable();
        self.vertices.clear();
        self.sets.clear();
        for set in sets {
            let first = self.vertices.len() as u32;
            self.vertices.append(&mut self.by_set[set]);
            self.sets.push((set, first..self.vertices.len() as u32));
        }
        self.points.clear();
        self.points.extend(self.vertices.iter().map(|&v| Vec3A::from(mesh.positions()[v as usize])));
        for (changed, sample) in self.changed.iter_mut().zip(self.samples) {
            changed.clear();
            changed.extend(self.vertices.iter().map(|&v| Vec3A::from(sample.rest[v as usize])));
        }
    }

    /// The rest position of a member in the file.
    #[inline(always)]
    pub fn point(&self, member: u32) -> Vec3A {
        self.points[member as usize]
    }

    /// Rest positions in a sampled pose.
    #[inline(always)]
    pub fn rest(&self, sample: usize) -> &[Vec3A] {
        self.changed.get(sample).unwrap_or(&self.points)
    }

    /// Whether rest positions are the same in all poses.
    pub fn is_plain(&self) -> bool {
        self.changed.is_empty()
    }

    /// Weights of a member, in the order of its joint-set.
    pub fn weights(&self, member: u32) -> &'a [f32] {
        self.model.skin().joints_and_weights(self.vertices[member as usize] as usize).1
    }

    /// The least boxes around all vertices, in the sampled poses.
    pub fn exact_boxes(&self) -> [Aabb; SAMPLES] {
        let mut boxes = [Aabb::EMPTY; SAMPLES];
        for (aabb, sample) in boxes.iter_mut().zip(self.samples) {
            *aabb = Aabb::from_points(self.vertices.iter().map(|&v| sample.positions[v as usize]));
        }
        boxes
    }
}
