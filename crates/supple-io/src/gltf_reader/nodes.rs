//! The tree of nodes.
//!
//! In: nodes that list their children. Out: nodes that know their parents.
//! Must hold: a node has at most one parent. Cycles are found when the skeleton is made.

use glam::{DAffine3, DVec3, Quat, Vec3};
use gltf::json;
use supple::Transform;
use supple::pose::Node;

use super::document::Document;
use crate::Problem;

pub(super) fn read_nodes(document: &Document, notes: &mut Vec<String>) -> Result<Vec<Node>, Problem> {
    let parents = parents(document)?;
    let read = |(index, (node, parent)): (usize, (&json::Node, Option<usize>))| {
        let name = node.name.clone().unwrap_or_default();
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
