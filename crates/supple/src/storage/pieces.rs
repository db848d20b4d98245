//! The pieces of a shape, each through the constructor that checks it.
//!
//! What follows from other numbers is not stored but derived again: joint-sets, the order of a skeleton, the corners
//! of the tree's triangles, radii.

use glam::{Vec2, Vec3};

use super::StorageError;
use super::bytes::{Reader, Stored, Writer};
use super::soundness::{check_order, check_tree};
use crate::mesh::Mesh;
use crate::model::{Model, Part};
use crate::pose::{Clip, Skeleton};
use crate::rest::{ConvexMorph, Fields, Rest};
use crate::skin::Skin;
use crate::tree::{Tree, add_facts};

pub(super) fn write_mesh(mesh: &Mesh, out: &mut Writer) {
    out.list(mesh.positions());
    out.list(mesh.triangles());
    mesh.normals().map(<[_]>::to_vec).write(out);
    mesh.uvs().map(<[_]>::to_vec).write(out);
}

pub(super) fn read_mesh(input: &mut Reader) -> Result<Mesh, StorageError> {
    let mut mesh = Mesh::new(input.list()?, input.list()?).map_err(|error| input.wrong(error))?;
    if let Some(normals) = Option::<Vec<Vec3>>::read(input)? {
        mesh = mesh.with_normals(normals).map_err(|error| input.wrong(error))?;
    }
    if let Some(uvs) = Option::<Vec<Vec2>>::read(input)? {
        mesh = mesh.with_uvs(uvs).map_err(|error| input.wrong(error))?;
    }
    Ok(mesh)
}

pub(super) fn write_rest(rest: &Rest, out: &mut Writer) {
    match rest {
        Rest::Plain => 0u8.write(out),
        Rest::Fields(fields) => (1u8, fields.to_fields()).write(out),
        Rest::Morph(morph) => (2u8, morph.to_references()).write(out),
    }
}

pub(super) fn read_rest(input: &mut Reader, vertices: usize) -> Result<Rest, StorageError> {
    match u8::read(input)? {
        0 => Ok(Rest::Plain),
        1 => {
            let fields = Fields::new(vertices, &input.list()?);
            fields.map(Rest::Fields).map_err(|error| input.wrong(error))
        }
        2 => {
            let morph = ConvexMorph::new(&input.list()?);
            morph.map(Rest::Morph).map_err(|error| input.wrong(error))
        }
        other => Err(input.wrong(format!("there is no rest stage {other}"))),
    }
}

pub(super) fn write_skeleton(skeleton: &Skeleton, out: &mut Writer) {
    out.list(skeleton.nodes());
    out.list(skeleton.joints());
}

pub(super) fn read_skeleton(input: &mut Reader) -> Result<Skeleton, StorageError> {
    Skeleton::new(input.list()?, input.list()?).map_err(|error| input.wrong(error))
}

pub(super) fn write_skin(skin: &Skin, out: &mut Writer) {
    skin.joint_count().write(out);
    skin.vertex_count().write(out);
    for vertex in 0..skin.vertex_count() {
        let influences = skin.influences(vertex as u32).map(|(joint, weight)| (joint.0, weight));
        influences.collect::<Vec<_>>().write(out);
    }
}

pub(super) fn read_skin(input: &mut Reader) -> Result<Skin, StorageError> {
    let joint_count = usize::read(input)?;
    Skin::from_normalized(joint_count, input.list()?).map_err(|error| input.wrong(error))
}

/// Puts the pieces of a model together.
pub(super) fn assemble(
    mesh: Mesh,
    rest: Rest,
    skeleton: Skeleton,
    skin: Skin,
    clips: Vec<Clip>,
    parts: Vec<Part>,
) -> Result<Model, StorageError> {
    Ok(Model::new(mesh, skin, skeleton)?.with_rest(rest)?.with_clips(clips)?.with_parts(parts)?)
}

pub(super) fn write_tree(tree: &Tree, out: &mut Writer) {
    out.list(&tree.triangles);
    out.list(&tree.nodes);
    out.list(&tree.groups);
    out.list(&tree.linear_groups);
    out.list(&tree.linear_joints);
    out.list(&tree.linear_weights);
    out.list(&tree.weights);
    out.list(&tree.products);
    out.list(&tree.changes);
    out.list(&tree.clearances);
}

pub(super) fn read_tree(input: &mut Reader, model: &Model) -> Result<Tree, StorageError> {
    let corners = model.mesh().triangles();
    let triangles: Vec<u32> = input.list()?;
    check_order(&triangles, corners.len()).map_err(|error| input.wrong(error))?;
    let mut tree = Tree {
        triangles,
        nodes: input.list()?,
        groups: input.list()?,
        linear_groups: input.list()?,
        linear_joints: input.list()?,
        linear_weights: input.list()?,
        weights: input.list()?,
        products: input.list()?,
        changes: input.list()?,
        clearances: input.list()?,
        ..Tree::default()
    };
    check_tree(&tree, model).map_err(|error| input.wrong(error))?;
    tree.add_leaf_vertices(corners);
    add_facts(&mut tree, model);
    Ok(tree)
}
