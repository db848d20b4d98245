//! The pieces of two models, put behind each other.

use std::ops::Range;

use glam::{Vec2, Vec3};
use supple::mesh::vertex_normals;
use supple::model::{Part, Primitive};
use supple::pose::Skeleton;
use supple::{Mesh, Model, ModelError, Skin};

use super::JoinError;
use super::apart::apart;
use super::names::renamed;
use super::one_rest::one_rest;

/// A model without clips. The skeleton has the first's nodes and joints, and behind them one joint for each of the second's; `node`
/// tells where a node of the second is in it.
pub fn one_model(
    first: &Model,
    second: &Model,
    skeleton: Skeleton,
    node: impl Fn(usize) -> usize,
) -> Result<Model, JoinError> {
    let (a, b) = (first.mesh(), second.mesh());
    for (a, b, what) in [
        (a.positions().len(), b.positions().len(), "vertices"),
        (a.triangles().len(), b.triangles().len(), "triangles"),
        (first.skin().joint_count(), second.skin().joint_count(), "joints"),
        (first.skeleton().nodes().len(), second.skeleton().nodes().len(), "nodes"),
        (first.rest().coefficient_count(), second.rest().coefficient_count(), "morph targets"),
    ] {
        numbered(a, b, what)?;
    }
    let mesh = one_mesh(a, b)?;
    let rest = one_rest(first, second, &mesh)?;
    let model = Model::new(mesh, one_skin(first, second)?, skeleton)?
        .with_rest(rest)?
        .with_parts(parts(first, second, node))?;
    Ok(apart(model, a.positions().len())?)
}

/// Everything gets a number of 32 bits.
fn numbered(a: usize, b: usize, what: &'static str) -> Result<(), JoinError> {
    let count = a.saturating_add(b);
    if count > u32::MAX as usize { Err(JoinError::TooLarge { count, what }) } else { Ok(()) }
}

/// Normals that one of the two lacks are computed, texture coordinates are 0.
fn one_mesh(a: &Mesh, b: &Mesh) -> Result<Mesh, ModelError> {
    let shift = a.positions().len() as u32;
    let behind = b.triangles().iter().map(|corners| corners.map(|vertex| vertex + shift));
    let triangles = a.triangles().iter().copied().chain(behind).collect();
    let mut mesh = Mesh::new([a.positions(), b.positions()].concat(), triangles)?;
    if a.normals().is_some() || b.normals().is_some() {
        mesh = mesh.with_normals([normals(a), normals(b)].concat())?;
    }
    if a.uvs().is_some() || b.uvs().is_some() {
        mesh = mesh.with_uvs([uvs(a), uvs(b)].concat())?;
    }
    Ok(mesh)
}

fn normals(mesh: &Mesh) -> Vec<Vec3> {
    let computed = || vertex_normals(mesh.positions(), mesh.triangles());
    mesh.normals().map_or_else(computed, <[Vec3]>::to_vec)
}

fn uvs(mesh: &Mesh) -> Vec<Vec2> {
    mesh.uvs().map_or_else(|| vec![Vec2::ZERO; mesh.positions().len()], <[Vec2]>::to_vec)
}

fn one_skin(first: &Model, second: &Model) -> Result<Skin, ModelError> {
    let shift = first.skin().joint_count() as u32;
    let of = |model: &Model, shift: u32| -> Vec<Vec<(u32, f32)>> {
        (0..model.skin().vertex_count() as u32)
            .map(|v| model.skin().influences(v).map(|(joint, w)| (joint.0 + shift, w)).collect())
            .collect()
    };
    let influences = [of(first, 0), of(second, shift)].concat();
    let joints = first.skin().joint_count() + second.skin().joint_count();
    Ok(Skin::new(joints, influences.iter().map(Vec::as_slice))?)
}

fn parts(first: &Model, second: &Model, node: impl Fn(usize) -> usize) -> Vec<Part> {
    let vertices = first.mesh().positions().len();
    let triangles = first.mesh().triangles().len();
    let coefficients = first.rest().coefficient_count();
    let names = |model: &'_ Model| model.parts().iter().map(|part| part.name.clone()).collect::<Vec<_>>();
    let (of_first, of_second) = (names(first), names(second));
    let names = renamed(of_first.iter().map(String::as_str), of_second.iter().map(String::as_str));
    let behind = second.parts().iter().zip(names).map(|(part, name)| Part {
        name,
        node: node(part.node),
        vertices: shifted(&part.vertices, vertices),
        triangles: shifted(&part.triangles, triangles),
        coefficients: shifted(&part.coefficients, coefficients),
        primitives: part
            .primitives
            .iter()
            .map(|primitive| Primitive {
                material: primitive.material.clone(),
                vertices: shifted(&primitive.vertices, vertices),
                triangles: shifted(&primitive.triangles, triangles),
            })
            .collect(),
    });
    first.parts().iter().cloned().chain(behind).collect()
}

fn shifted(range: &Range<usize>, by: usize) -> Range<usize> {
    range.start + by..range.end + by
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_than_can_be_numbered_is_an_error() {
        assert!(numbered(u32::MAX as usize, 0, "vertices").is_ok());
        let error = numbered(u32::MAX as usize, 1, "vertices").unwrap_err();
        assert_eq!(error, JoinError::TooLarge { count: 1 << 32, what: "vertices" });
        assert!(numbered(usize::MAX, 1, "vertices").is_err());
    }
}
