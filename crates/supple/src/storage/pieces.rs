//! The pieces of a shape, each through the constructor that checks it.
//!
//! What follows from other numbers is not stored but derived again: joint-sets, the order of a skeleton, the corners
//! of the tree's triangles, radii.

use glam::{Vec2, Vec3};

use super::StorageError;
use super::bytes::{Reader, Stored, Writer};
use super::soundness::{check_groups, check_nodes, check_order, check_smoothness, check_twigs};
use crate::mesh::Mesh;
use crate::model::{Model, Part};
use crate::pose::{Clip, Skeleton};
use crate::rest::{ConvexMorph, Fields, Rest};
use crate::skin::Skin;
use crate::tree::{FieldSmoothness, Groups, JointSmoothness, NodeGroups, Scope, Smoothness, Tree, add_facts};

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
    out.list(&tree.above_twigs);
    write_groups(&tree.groups, out);
    out.list(&tree.clearances);
    let smoothness = || tree.smoothness.iter();
    out.list(tree.smoothness.scopes());
    out.list(
        &smoothness().map(|(joints, fields)| [joints.len() as u32, fields.len() as u32]).collect::<Vec<_>>(),
    );
    out.list(&smoothness().flat_map(|(joints, _)| joints).copied().collect::<Vec<_>>());
    out.list(&smoothness().flat_map(|(_, fields)| fields).copied().collect::<Vec<_>>());
}

/// Groups stand in the order of their nodes: how many each has tells where they are.
fn write_groups(groups: &Groups, out: &mut Writer) {
    let counts = |node: &NodeGroups| [&node.all, &node.linear, &node.changes].map(|range| range.len() as u32);
    out.list(&groups.nodes.iter().map(counts).collect::<Vec<_>>());
    out.list(&groups.all);
    out.list(&groups.linear);
    out.list(&groups.linear_joints);
    out.list(&groups.linear_weights);
    out.list(&groups.weights);
    out.list(&groups.products);
    out.list(&groups.changes);
}

fn read_groups(input: &mut Reader) -> Result<Groups, StorageError> {
    let counts: Vec<[u32; 3]> = input.list()?;
    let mut groups = Groups {
        nodes: Vec::with_capacity(counts.len()),
        all: input.list()?,
        linear: input.list()?,
        linear_joints: input.list()?,
        linear_weights: input.list()?,
        weights: input.list()?,
        products: input.list()?,
        changes: input.list()?,
    };
    let there = [groups.all.len(), groups.linear.len(), groups.changes.len()];
    let mut ends = [0u64; 3];
    for own in counts {
        let starts = ends;
        (0..3).for_each(|kind| ends[kind] += u64::from(own[kind]));
        if (0..3).any(|kind| ends[kind] > there[kind] as u64) {
            break;
        }
        let range = |kind: usize| starts[kind] as u32..ends[kind] as u32;
        groups.nodes.push(NodeGroups { all: range(0), linear: range(1), changes: range(2) });
    }
    if ends != there.map(|count| count as u64) {
        let text = format!("nodes have {ends:?} groups, linear groups and changes; there are {there:?}");
        return Err(input.wrong(text));
    }
    Ok(groups)
}

pub(super) fn read_tree(input: &mut Reader, model: &Model) -> Result<Tree, StorageError> {
    let corners = model.mesh().triangles();
    let triangles: Vec<u32> = input.list()?;
    check_order(&triangles, corners.len()).map_err(|error| input.wrong(error))?;
    let mut tree = Tree { triangles, nodes: input.list()?, ..Tree::default() };
    check_nodes(&tree).map_err(|error| input.wrong(error))?;
    let above_twigs: Vec<u32> = input.list()?;
    tree.mark_twigs(|_, node| above_twigs.binary_search(&(node as u32)).is_err());
    check_twigs(&tree, &above_twigs).map_err(|error| input.wrong(error))?;
    (tree.groups, tree.clearances) = (read_groups(input)?, input.list()?);
    check_groups(&tree, model).map_err(|error| input.wrong(error))?;
    tree.smoothness = read_smoothness(input, &tree, model)?;
    add_facts(&mut tree, model);
    Ok(tree)
}

/// How many joints and fields each node has tells where they are.
fn read_smoothness(input: &mut Reader, tree: &Tree, model: &Model) -> Result<Smoothness, StorageError> {
    let (scopes, counts): (Vec<Scope>, Vec<[u32; 2]>) = (input.list()?, input.list()?);
    let (joints, fields): (Vec<JointSmoothness>, Vec<FieldSmoothness>) = (input.list()?, input.list()?);
    let wrong = check_smoothness(&scopes, &counts, &joints, &fields, tree.nodes.len(), model);
    wrong.map_err(|error| input.wrong(error))?;
    let mut smoothness = Smoothness::new(tree, model);
    let (mut joints, mut fields) = (joints.into_iter(), fields.into_iter());
    for (scope, [of_joints, of_fields]) in scopes.into_iter().zip(counts) {
        let of_node = (joints.by_ref().take(of_joints as usize), fields.by_ref().take(of_fields as usize));
        smoothness.push(scope, of_node.0, of_node.1);
    }
    Ok(smoothness)
}
