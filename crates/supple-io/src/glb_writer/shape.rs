//! The rest stage as glTF can say it: a base mesh and displacements.

use glam::Vec3;
use supple::Model;
use supple::model::Part;
use supple::rest::{ConvexMorph, Field, Rest};

use super::GlbError;

/// Base mesh and morph targets of the whole model.
#[derive(Debug)]
pub(super) struct Shape {
    pub positions: Vec<Vec3>,
    pub normals: Option<Vec<Vec3>>,
    /// Displacements with vertices ascending.
    pub targets: Vec<Field>,
    /// The coefficient of the first target: 1 for convex morphs, whose first reference is the base.
    first_coefficient: usize,
}

impl Shape {
    pub(super) fn of(model: &Model) -> Result<Self, GlbError> {
        let mesh = model.mesh();
        let plain = |targets| Self {
            positions: mesh.positions().to_vec(),
            normals: mesh.normals().map(<[_]>::to_vec),
            targets,
            first_coefficient: 0,
        };
        match model.rest() {
            Rest::Plain => Ok(plain(Vec::new())),
            Rest::Fields(fields) => Ok(plain(fields.to_fields())),
            Rest::Morph(morph) => Self::of_morph(model, morph),
        }
    }

    /// `sum_i w_i v_i = v_0 + sum_{i>0} w_i (v_i - v_0)` for convex weights.
    fn of_morph(model: &Model, morph: &ConvexMorph) -> Result<Self, GlbError> {
        let mut references = morph.to_references().into_iter();
        // A convex morph has at least one reference.
        let first = references.next().unwrap_or_default();
        let targets: Vec<Field> = references
            .map(|reference| Field {
                displacements: changes(&first.positions, &reference.positions),
                normal_changes: changes(&first.normals, &reference.normals),
                name: reference.name,
                default: 0.0,
            })
            .collect();
        let finite = |field: &Field| field.displacements.iter().all(|(_, change)| change.is_finite());
        if let Some(index) = targets.iter().position(|field| !finite(field)) {
            return Err(GlbError::NotFinite { what: "morph target", index });
        }
        let normals = match first.normals.is_empty() {
            true => model.mesh().normals().map(<[_]>::to_vec),
            false => Some(first.normals),
        };
        Ok(Self { positions: first.positions, normals, targets, first_coefficient: 1 })
    }

    /// The targets of a part: those of its coefficients, and all others that move one of its vertices.
    pub(super) fn targets_of(&self, part: &Part) -> Vec<usize> {
        let moves = |field: &Field| {
            let start = field.displacements.partition_point(|(v, _)| (*v as usize) < part.vertices.start);
            field.displacements.get(start).is_some_and(|(v, _)| (*v as usize) < part.vertices.end)
        };
        (0..self.targets.len())
            .filter(|&target| {
                part.coefficients.contains(&(target + self.first_coefficient)) || moves(&self.targets[target])
            })
            .collect()
    }

    /// Coefficients of the pose that are the weights of these targets.
    pub(super) fn coefficients(&self, targets: &[usize]) -> Vec<usize> {
        targets.iter().map(|target| target + self.first_coefficient).collect()
    }
}

fn changes(from: &[Vec3], to: &[Vec3]) -> Vec<(u32, Vec3)> {
    let pairs = (0u32..).zip(from.iter().zip(to));
    pairs
        .map(|(vertex, (from, to))| (vertex, *to - *from))
        .filter(|(_, change)| *change != Vec3::ZERO)
        .collect()
}
