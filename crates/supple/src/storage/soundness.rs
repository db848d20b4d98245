//! What must hold of a tree so that queries can walk it without checking anything.
//!
//! In: a tree from outside whose triangle order is checked first. Out: what is wrong.
//! Must hold afterwards: nodes form one tree, children after parents, in the order of the layout; every triangle is in exactly one leaf and the
//! triangles below a node are contiguous; numbers of groups are used once each, so that no query costs more than
//! the file is long; every node has a group but for twigs and what is below them, which are small.

use crate::model::Model;
use crate::rest::Rest;
use crate::tree::{
    ANY_FIELD, FieldSmoothness, Groups, JointSmoothness, MOST_IN_TWIG, Node, Scope, Tree, WIDTH,
};

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

/// Nodes form a tree over the triangles, laid out as trees are.
pub(super) fn check_nodes(tree: &Tree) -> Result<(), String> {
    check_tree(&tree.nodes, tree.triangles.len())?;
    check_layout(&tree.nodes)
}

/// The nodes that are not in twigs are those of the file, and twigs are small.
pub(super) fn check_twigs(tree: &Tree, above_twigs: &[u32]) -> Result<(), String> {
    if let Some(index) = (0..above_twigs.len()).find(|&i| tree.above_twigs.get(i) != Some(&above_twigs[i])) {
        let node = above_twigs[index];
        return Err(format!(
            "node {node} is said to be above twigs, but is out of order, a leaf, or in a twig"
        ));
    }
    match tree.twigs.iter().find(|&&twig| tree.triangles_below(twig as usize).len() > MOST_IN_TWIG) {
        Some(&twig) => {
            let triangles = tree.triangles_below(twig as usize).len();
            Err(format!("node {twig} has no groups, but {triangles} triangles"))
        }
        None => Ok(()),
    }
}

/// Everything else.
pub(super) fn check_groups(tree: &Tree, model: &Model) -> Result<(), String> {
    let (counted, nodes) = (tree.groups.nodes.len(), tree.above_twigs.len());
    if counted != nodes {
        return Err(format!("{counted} nodes have groups, {nodes} are above twigs"));
    }
    let bare = |node: &usize| tree.groups.of(*node).is_empty() || tree.groups.linear_of(*node).is_empty();
    if let Some(number) = (0..nodes).find(bare) {
        return Err(format!("node {} is above twigs, but has no groups", tree.above_twigs[number]));
    }
    check_numbers(&tree.groups, model)?;
    check_linear_groups(&tree.groups, model.skin().joint_count())?;
    check_clearances(tree)?;
    check_changes(tree, model)
}

/// From the last node to the first: children are known before their parents.
fn check_tree(nodes: &[Node], triangles: usize) -> Result<(), String> {
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

/// The children of nodes stand in the order in which a walk meets them that looks at last children first.
fn check_layout(nodes: &[Node]) -> Result<(), String> {
    let (mut open, mut next) = (vec![0], 1);
    while let Some(index) = open.pop() {
        if nodes[index].is_leaf() {
            continue;
        }
        let children = nodes[index].range();
        if children.start != next {
            return Err(format!(
                "the children of node {index} are {children:?}; they should start at {next}"
            ));
        }
        next = children.end;
        open.extend(children);
    }
    Ok(())
}

/// Groups divide weights and products among them, in order.
fn check_numbers(groups: &Groups, model: &Model) -> Result<(), String> {
    let skin = model.skin();
    let (mut weights, mut products) = (0u64, 0u64);
    for (index, group) in groups.all.iter().enumerate() {
        if group.set as usize >= skin.joint_set_count() {
            return Err(format!("group {index} has the joint-set {}", group.set));
        }
        if [group.first_weight, group.first_product].map(u64::from) != [weights, products] {
            return Err(format!("numbers of group {index} do not follow those of the one before"));
        }
        let joints = skin.joint_set(group.set as usize).len() as u64;
        weights += joints;
        products += joints * (joints - 1) / 2;
        if group.sphere.radius < 0.0 {
            return Err(format!("group {index} has a negative size"));
        }
    }
    let stored = [groups.weights.len(), groups.products.len()].map(|count| count as u64);
    if stored == [weights, products] {
        Ok(())
    } else {
        Err(format!("{stored:?} weights and products, groups need {:?}", [weights, products]))
    }
}

/// Linear groups divide joints and weights among them, in order.
fn check_linear_groups(groups: &Groups, joints: usize) -> Result<(), String> {
    let mut next = 0u64;
    for (index, group) in groups.linear.iter().enumerate() {
        if u64::from(group.first_joint) != next || group.joint_count == 0 {
            return Err(format!("joints of linear group {index} do not follow those of the one before"));
        }
        next += u64::from(group.joint_count);
    }
    if [groups.linear_joints.len(), groups.linear_weights.len()].map(|count| count as u64) != [next; 2] {
        return Err(format!("linear groups need {next} joints and weights"));
    }
    match groups.linear_joints.iter().find(|joint| **joint as usize >= joints) {
        Some(joint) => Err(format!("a linear group has joint {joint} of {joints}")),
        None => Ok(()),
    }
}

/// Every node has one.
fn check_clearances(tree: &Tree) -> Result<(), String> {
    let (count, nodes) = (tree.clearances.len(), tree.nodes.len());
    if count != nodes {
        return Err(format!("{count} clearances for {nodes} nodes"));
    }
    match tree.clearances.iter().position(|clearance| *clearance < 0.0) {
        Some(node) => Err(format!("node {node} has a negative clearance")),
        None => Ok(()),
    }
}

/// Every node has as many joints and fields as it says, of those that there are.
pub(super) fn check_smoothness(
    scopes: &[Scope],
    counts: &[[u32; 2]],
    joints: &[JointSmoothness],
    fields: &[FieldSmoothness],
    nodes: usize,
    model: &Model,
) -> Result<(), String> {
    if counts.len() != nodes || scopes.len() != nodes {
        let (scopes, counts) = (scopes.len(), counts.len());
        return Err(format!("scopes of {scopes} and smoothness of {counts} nodes, there are {nodes}"));
    }
    let sum = |list: usize| counts.iter().map(|count| u64::from(count[list])).sum::<u64>();
    let (listed, there) = ([sum(0), sum(1)], [joints.len() as u64, fields.len() as u64]);
    if listed != there {
        return Err(format!("nodes have {listed:?} smooth joints and fields; there are {there:?}"));
    }
    let (joint_count, field_count) = (model.skin().joint_count(), model.rest().coefficient_count());
    if let Some(joint) = joints.iter().find(|joint| joint.joint as usize >= joint_count) {
        return Err(format!("smoothness of joint {}, there are {joint_count}", joint.joint));
    }
    let exists = |field: u32| field == ANY_FIELD || (field as usize) < field_count;
    match fields.iter().find(|field| !exists(field.field)) {
        Some(field) => Err(format!("smoothness of field {}, there are {field_count}", field.field)),
        None => Ok(()),
    }
}

/// Changes follow coefficients that there are; those of reference shapes follow all of them.
fn check_changes(tree: &Tree, model: &Model) -> Result<(), String> {
    let count = model.rest().coefficient_count();
    for (index, change) in tree.groups.changes.iter().enumerate() {
        if change.coefficient as usize >= count {
            return Err(format!("change {index} follows coefficient {} of {count}", change.coefficient));
        }
        if change.radius < 0.0 || change.half.min_element() < 0.0 {
            return Err(format!("change {index} has a negative size"));
        }
    }
    let Rest::Morph(morph) = model.rest() else { return Ok(()) };
    let numbers = 0..tree.above_twigs.len();
    match numbers.into_iter().find(|&number| tree.groups.changes_of(number).len() != morph.count()) {
        Some(number) => {
            Err(format!("changes of node {} are not all reference shapes", tree.above_twigs[number]))
        }
        None => Ok(()),
    }
}
