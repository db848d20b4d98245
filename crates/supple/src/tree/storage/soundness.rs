//! What must hold of a tree so that queries can walk it without checking anything.
//!
//! In: a tree from outside whose triangle order is checked first. Out: what is wrong.
//! Must hold afterwards: nodes form one tree, children after parents; every triangle is in exactly one leaf and the
//! triangles below a node are contiguous; groups and their numbers are used once each, so that no query costs more than
//! the file is long; every inner node has a group.

use crate::model::Model;
use crate::rest::Rest;
use crate::tree::layout::{Node, Tree, WIDTH};

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
    check_changes(tree, model)
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
        if !(2..=WIDTH).contains(&range.len()) || range.start <= index || range.end > count {
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

/// Nodes divide the groups and the joint terms among them, in order; leaves have no groups.
fn check_group_ranges(tree: &Tree) -> Result<(), String> {
    let (mut next_group, mut next_term) = (0, 0);
    for (index, node) in tree.nodes.iter().enumerate() {
        let (groups, terms) = (node.groups(), node.joint_terms());
        if groups.start != next_group || groups.end > tree.groups.len() {
            return Err(format!("node {index} has the groups {groups:?}, which should start at {next_group}"));
        }
        if terms.start != next_term || terms.end > tree.joint_terms.len() {
            return Err(format!("node {index} has the joint terms {terms:?}, which should start at {next_term}"));
        }
        if groups.is_empty() != node.is_leaf() {
            return Err(format!("node {index} has the groups {groups:?}; inner nodes have some, leaves none"));
        }
        (next_group, next_term) = (groups.end, terms.end);
    }
    if next_group != tree.groups.len() {
        return Err(format!("group {next_group} belongs to no node"));
    }
    if next_term == tree.joint_terms.len() {
        Ok(())
    } else {
        Err(format!("joint term {next_term} belongs to no node"))
    }
}

/// Groups divide weights and products among them, in order.
fn check_groups(tree: &Tree, model: &Model) -> Result<(), String> {
    let skin = model.skin();
    let (mut weights, mut products) = (0u64, 0u64);
    for (index, group) in tree.groups.iter().enumerate() {
        if group.set as usize >= skin.joint_set_count() {
            return Err(format!("group {index} has the joint-set {}", group.set));
        }
        if [group.first_weight, group.first_product].map(u64::from) != [weights, products] {
            return Err(format!("numbers of group {index} do not follow those of the one before"));
        }
        let joints = skin.joint_set(group.set as usize).len() as u64;
        weights += joints;
        products += joints * (joints - 1) / 2;
        if group.ball.radius < 0.0 {
            return Err(format!("group {index} has a negative size"));
        }
    }
    let joints = skin.joint_count();
    if let Some(term) = tree.joint_terms.iter().find(|term| term.joint as usize >= joints) {
        return Err(format!("a joint term has joint {} of {joints}", term.joint));
    }
    let stored = [tree.weights.len(), tree.products.len()].map(|count| count as u64);
    if stored == [weights, products] {
        Ok(())
    } else {
        Err(format!("{stored:?} weights and products, groups need {:?}", [weights, products]))
    }
}

/// Groups and joint terms divide the changes among them: each change is used once, so that no query costs more than the
/// file is long.
fn check_changes(tree: &Tree, model: &Model) -> Result<(), String> {
    let count = model.rest().coefficient_count();
    for (index, change) in tree.changes.iter().enumerate() {
        if change.coefficient as usize >= count {
            return Err(format!("change {index} follows coefficient {} of {count}", change.coefficient));
        }
        if change.ball.radius < 0.0 {
            return Err(format!("change {index} has a negative size"));
        }
    }
    let groups = tree.groups.iter().map(|group| (group.first_change, group.change_count));
    let terms = tree.joint_terms.iter().map(|term| (term.first_change, term.change_count));
    let mut ranges: Vec<(u32, u32)> = groups.chain(terms).collect();
    ranges.sort_unstable();
    let mut next = 0u64;
    for (first, changes) in ranges {
        if u64::from(first) != next {
            return Err(format!("changes from {first} on should start at {next}"));
        }
        if let Rest::Morph(morph) = model.rest()
            && changes as usize != morph.count()
        {
            return Err(format!("changes from {first} on are not all reference shapes"));
        }
        next += u64::from(changes);
    }
    if next == tree.changes.len() as u64 { Ok(()) } else { Err(format!("change {next} belongs to nothing")) }
}
