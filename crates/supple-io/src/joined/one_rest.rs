//! One rest stage for the vertices of two models.
//!
//! | first | second | together |
//! | --- | --- | --- |
//! | plain | plain | plain |
//! | plain, fields | plain, fields | the fields of both |
//! | reference shapes | plain | the shapes, each with the second's vertices behind it; and the other way round |
//! | reference shapes | fields, reference shapes | refused: weights of reference shapes are divided by their sum |

use glam::Vec3;
use supple::rest::{ConvexMorph, Field, Fields, Reference, Rest};
use supple::{Mesh, Model, ModelError};

use super::JoinError;
use super::names::renamed;

/// `mesh` has the vertices of both.
pub fn one_rest(first: &Model, second: &Model, mesh: &Mesh) -> Result<Rest, JoinError> {
    match (first.rest(), second.rest()) {
        (Rest::Plain, Rest::Plain) => Ok(Rest::Plain),
        (Rest::Morph(morph), Rest::Plain) => {
            let behind = first.mesh().positions().len();
            let constant = |values: &[Vec3]| values[behind..].to_vec();
            extended(morph, mesh, |own, all| [own, constant(all)].concat())
        }
        (Rest::Plain, Rest::Morph(morph)) => {
            let until = first.mesh().positions().len();
            let constant = |values: &[Vec3]| values[..until].to_vec();
            extended(morph, mesh, |own, all| [constant(all), own].concat())
        }
        (Rest::Morph(_), _) | (_, Rest::Morph(_)) => Err(JoinError::TwoRestStages),
        (a, b) => {
            let shift = first.mesh().positions().len() as u32;
            let names = renamed(a.names().iter().map(String::as_str), b.names().iter().map(String::as_str));
            let behind = fields(b).into_iter().zip(names).map(|(field, name)| shifted(field, name, shift));
            let all: Vec<Field> = fields(a).into_iter().chain(behind).collect();
            let made = Fields::new(mesh.positions().len(), &all).map_err(ModelError::from)?;
            Ok(Rest::Fields(made))
        }
    }
}

fn fields(rest: &Rest) -> Vec<Field> {
    match rest {
        Rest::Fields(fields) => fields.to_fields(),
        _ => Vec::new(),
    }
}

fn shifted(field: Field, name: String, shift: u32) -> Field {
    let behind = |changes: Vec<(u32, Vec3)>| {
        changes.into_iter().map(|(vertex, change)| (vertex + shift, change)).collect()
    };
    Field {
        name,
        default: field.default,
        displacements: behind(field.displacements),
        normal_changes: behind(field.normal_changes),
    }
}

/// Every shape with the vertices of the model that does not change; `joined` puts a shape's own values and all of the mesh
/// in the right order.
fn extended(
    morph: &ConvexMorph,
    mesh: &Mesh,
    joined: impl Fn(Vec<Vec3>, &[Vec3]) -> Vec<Vec3>,
) -> Result<Rest, JoinError> {
    let shape = |reference: Reference| Reference {
        name: reference.name,
        positions: joined(reference.positions, mesh.positions()),
        normals: match mesh.normals() {
            Some(all) if !reference.normals.is_empty() => joined(reference.normals, all),
            _ => Vec::new(),
        },
    };
    let references: Vec<Reference> = morph.to_references().into_iter().map(shape).collect();
    Ok(Rest::Morph(ConvexMorph::new(&references).map_err(ModelError::from)?))
}
