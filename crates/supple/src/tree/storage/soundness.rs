//! What must hold of a tree so that queries can walk it without checking anything.
//!
//! In: a tree from outside whose triangle order is checked first, because corners follow from it. Out: what is wrong.
//! Must hold afterwards: nodes form one tree, children after parents; every triangle is in exactly one leaf and the
//! triangles below a node are contiguous; groups and their numbers are used once each, so that no query costs more than
//! the file is long; every joint-set below a node has a group in it.

use std::collections::BTreeSet;

use crate::model::Model;
use crate::rest::Rest;
use crate::skin::Skin;
use crate::tree::collapse::MAX_CHILDREN;
use crate::tree::layout::{Node, Tree};

/// Every triangle stands once in the order of the leaves.
pub(super) fn check_order(order: &[u32], triangles: usize) -> Result<(), String> {
    if order.len() != triangles {
        return Err(format!("{} triangles are in order, the mesh has {triangles}", order.len()));
    }
    let mut seen = vec![false; triangles];
    for &triangle in order {
        match seen.get_mut(triangle as usize) {
            Some(seen) if !*seen => *seen = true,
            _ => return Err(format!("triangle {triangle} is out of range or there twice")),
        }
    }
    Ok(())
}

/// Everything else.
pub(super) fn check_tree(tree: &Tree, model: &Model) -> Result<(), String> {
    check_nodes(&tree.nodes, tree.triangles.len())?;
    check_group_ranges(tree)?;
    check_groups(tree, model)?;
    check_changes(tree, model)?;
    check_sets(tree, model.skin())
}

/// From the last node to the first: children are known before their parents.
fn check_nodes(nodes: &[Node], triangles: usize) -> Result<(), String> {
    let count = nodes.len();
    let mut below = vec![0..0; count];
    let mut has_parent = vec![false; count];
    for (index, node) in nodes.iter().enumerate().rev() {
        let range = node.range();
        if node.is_leaf() {
            if range.is_empty() || range.end > triangles {
                return Err(format!("leaf {index} has the triangles {range:?} of {triangles}"));
            }
            below[index] = range;
            continue;
        }
        if !(2..=MAX_CHILDREN).contains(&range.len()) || range.start <= index || range.end > count {
            return Err(format!("node {index} has the children {range:?} of {count} nodes"));
        }
        for child in range.clone() {
            if std::mem::replace(&mut has_parent[child], true) {
                return Err(format!("node {child} has two parents"));
            }
        }
        let children = &below[range.clone()];
        if children.windows(2).any(|pair| pair[0].end != pair[1].start) {
            return Err(format!("the triangles below node {index} are not contiguous"));
        }
        below[index] = children[0].start..below[range.end - 1].end;
    }
    if let Some(orphan) = (1..count).find(|&node| !has_parent[node]) {
        return Err(format!("node {orphan} has no parent"));
    }
    if below.first() != Some(&(0..triangles)) {
        return Err(format!("the root does not have all {triangles} triangles"));
    }
    Ok(())
}

/// Nodes divide the groups among them, in order.
fn check_group_ranges(tree: &Tree) -> Result<(), String> {
    let mut next = 0;
    for (index, node) in tree.nodes.iter().enumerate() {
        let groups = node.groups();
        if groups.start != next || groups.end > tree.groups.len() {
            return Err(format!("node {index} has the groups {groups:?}, which should start at {next}"));
        }
        next = groups.end;
    }
    if next == tree.groups.len() { Ok(()) } else { Err(format!("group {next} belongs to no node")) }
}

/// Groups divide weights, products and changes among them, in order.
fn check_groups(tree: &Tree, model: &Model) -> Result<(), String> {
    let skin = model.skin();
    let (mut weights, mut products, mut changes) = (0u64, 0u64, 0u64);
    for (index, group) in tree.groups.iter().enumerate() {
        if group.set as usize >= skin.joint_set_count() {
            return Err(format!("group {index} has the joint-set {}", group.set));
        }
        let first = [group.first_weight, group.first_product, group.first_change].map(u64::from);
        if first != [weights, products, changes] {
            return Err(format!("numbers of group {index} do not follow those of the one before"));
        }
        let joints = skin.joint_set(group.set as usize).len() as u64;
        weights += joints;
        products += joints * (joints - 1) / 2;
        changes += u64::from(group.change_count);
        if let Rest::Morph(morph) = model.rest()
            && group.change_count as usize != morph.count()
        {
            return Err(format!("group {index} does not have all reference shapes"));
        }
        if group.rest_box.half.min_element() < 0.0 || group.ball.radius < 0.0 {
            return Err(format!("group {index} has a negative size"));
        }
    }
    let stored = [tree.weights.len(), tree.products.len(), tree.changes.len()].map(|count| count as u64);
    if stored != [weights, products, changes] {
        return Err(format!(
            "{stored:?} weights, products and changes, groups need {:?}",
            [weights, products, changes]
        ));
    }
    Ok(())
}

fn check_changes(tree: &Tree, model: &Model) -> Result<(), String> {
    let count = model.rest().coefficient_count();
    for (index, change) in tree.changes.iter().enumerate() {
        if change.coefficient as usize >= count {
            return Err(format!("change {index} follows coefficient {} of {count}", change.coefficient));
        }
        if change.rest_box.half.min_element() < 0.0 || change.ball.radius < 0.0 {
            return Err(format!("change {index} has a negative size"));
        }
    }
    Ok(())
}

/// A node has groups for all joint-sets of its vertices or children.
fn check_sets(tree: &Tree, skin: &Skin) -> Result<(), String> {
    let sets_of = |node: &Node| -> BTreeSet<usize> {
        tree.groups[node.groups()].iter().map(|group| group.set as usize).collect()
    };
    for (index, node) in tree.nodes.iter().enumerate() {
        let sets = sets_of(node);
        let needed: BTreeSet<usize> = if node.is_leaf() {
            let vertices = tree.corners[node.range()].as_flattened();
            vertices.iter().map(|&vertex| skin.set_of_vertex(vertex as usize)).collect()
        } else {
            tree.nodes[node.range()].iter().flat_map(sets_of).collect()
        };
        if let Some(missing) = needed.difference(&sets).next() {
            return Err(format!("node {index} has no group for joint-set {missing}"));
        }
    }
    Ok(())
}
