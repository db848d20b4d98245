//! The tree of nodes.
//!
//! In: nodes that list their children. Out: nodes with names that know their parents.
//! Must hold: a node has at most one parent. Cycles are found when the skeleton is made.

use glam::{DAffine3, DVec3, Quat, Vec3};
use gltf::json;
use supple::Transform;
use supple::pose::Node;

use super::document::Document;
use crate::Problem;

/// Names of nodes without one begin with so much of an ancestor's name, which may be as long as the file.
const LONGEST_PREFIX: usize = 40;

/// Nodes that are called after their mesh have so much of its name.
const LONGEST_MESH_NAME: usize = 120;

pub(super) fn read_nodes(document: &Document, notes: &mut Vec<String>) -> Result<Vec<Node>, Problem> {
    let parents = parents(document)?;
    let names = names(document, &parents);
    let read = |(index, (node, parent)): (usize, (&json::Node, Option<usize>))| {
        let name = names[index].clone();
        match node.matrix {
            Some(matrix) => {
                let place = document.node_place(index);
                let matrix = affine(&matrix, &place, notes);
                if !matrix.is_finite() {
                    return Err(Problem::invalid(place, "has a matrix with numbers that are not finite"));
                }
                Ok(Node::from_matrix(name, parent, matrix))
            }
            None => Ok(Node::new(name, parent, transform(node))),
        }
    };
    document.nodes.iter().zip(parents).enumerate().map(read).collect()
}

/// The name of a node, or else of its mesh.
fn own_name(document: &Document, index: usize) -> Option<&str> {
    let node = &document.nodes[index];
    let of_mesh = || {
        let name = document.meshes.get(node.mesh?.value())?.name.as_deref()?;
        // Many nodes may have one mesh.
        Some(name.char_indices().nth(LONGEST_MESH_NAME).map_or(name, |(end, _)| &name[..end]))
    };
    node.name.as_deref().filter(|name| !name.is_empty()).or_else(of_mesh).filter(|name| !name.is_empty())
}

/// Names of all nodes. One without is called after the nearest ancestor that has one: `Spine/node 17`.
fn names(document: &Document, parents: &[Option<usize>]) -> Vec<String> {
    let own = |index: usize| own_name(document, index);
    // The nearest node with a name, from the node itself upwards; filled in along the way up from each node.
    let mut nearest: Vec<Option<Option<usize>>> = vec![None; parents.len()];
    for start in 0..parents.len() {
        let (mut way, mut at) = (Vec::new(), Some(start));
        let found = loop {
            let Some(index) = at else { break None };
            if let Some(known) = nearest[index] {
                break known;
            }
            if own(index).is_some() {
                break Some(index);
            }
            // A tree that goes round is refused later; here it ends where it was before.
            nearest[index] = Some(None);
            way.push(index);
            at = parents[index];
        };
        way.into_iter().for_each(|index| nearest[index] = Some(found));
    }
    let name = |index: usize| match (own(index), nearest[index].flatten().and_then(own)) {
        (Some(name), _) => name.to_owned(),
        (None, Some(ancestor)) => {
            let ancestor: String = ancestor.chars().take(LONGEST_PREFIX).collect();
            format!("{ancestor}/node {index}")
        }
        (None, None) => format!("node {index}"),
    };
    (0..parents.len()).map(name).collect()
}

/// A matrix by columns; its last row must be (0, 0, 0, 1) and is not used.
pub(super) fn affine(m: &[f32; 16], place: &str, notes: &mut Vec<String>) -> DAffine3 {
    let row = [m[3], m[7], m[11], m[15] - 1.0];
    if row.iter().any(|x| x.abs() > 1e-4) {
        notes.push(format!("{place}: the last row of a matrix is not (0, 0, 0, 1); taken as if it were"));
    }
    let column = |c: usize| Vec3::new(m[c * 4], m[c * 4 + 1], m[c * 4 + 2]).as_dvec3();
    let [x, y, z, t]: [DVec3; 4] = [0, 1, 2, 3].map(column);
    DAffine3::from_cols(x, y, z, t)
}

fn parents(document: &Document) -> Result<Vec<Option<usize>>, Problem> {
    let nodes = &document.nodes;
    let mut parents = vec![None; nodes.len()];
    for (index, node) in nodes.iter().enumerate() {
        for child in node.children.iter().flatten().map(|c| c.value()) {
            let place = || document.node_place(index);
            let Some(parent) = parents.get_mut(child) else {
                return Err(Problem::invalid(
                    place(),
                    format!("has child {child}; there are only {} nodes", nodes.len()),
                ));
            };
            if let Some(other) = parent.replace(index) {
                return Err(Problem::invalid(
                    place(),
                    format!("has child {child}, which is already a child of node {other}; expected a tree"),
                ));
            }
        }
    }
    Ok(parents)
}

fn transform(node: &json::Node) -> Transform {
    let identity = Transform::IDENTITY;
    Transform {
        translation: node.translation.map_or(identity.translation, Vec3::from_array),
        rotation: node.rotation.map_or(identity.rotation, |r| Quat::from_array(r.0)),
        scale: node.scale.map_or(identity.scale, Vec3::from_array),
    }
}
