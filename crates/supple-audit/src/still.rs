//! Contacts that no clip changes: between triangles that never move against each other, like the buckle of a belt and the belt.
//!
//! In: a model, the clips that are played, the contacts of the rest pose. Out: the pairs of triangles of those contacts that stay as they
//! are, so that nothing has to be measured again in every frame.
//!
//! Two triangles never move against each other if all their corners follow one joint each, and no clip moves a node on the way from
//! the one to the other.

use std::collections::{BTreeMap, BTreeSet};

use supple::pose::Target;
use supple::{Clip, Model};

use crate::contacts::Contact;

/// For every triangle the group that it is rigid with, apart from morph targets; none where it bends.
pub fn rigid_groups<'c>(model: &Model, clips: impl Iterator<Item = &'c Clip>) -> Vec<Option<usize>> {
    let nodes = model.skeleton().nodes();
    let mut is_moved = vec![false; nodes.len()];
    for channel in clips.flat_map(Clip::channels) {
        let node = match channel.target {
            Target::Translation(node) | Target::Rotation(node) | Target::Scale(node) => Some(node),
            _ => None,
        };
        node.into_iter().for_each(|node| is_moved[node] = true);
    }
    let group = |mut node: usize| {
        while let Some(parent) = nodes[node].parent.filter(|_| !is_moved[node]) {
            node = parent;
        }
        node
    };
    let of_joint: Vec<usize> = model.skeleton().joints().iter().map(|joint| group(joint.node)).collect();
    let of_vertex = |vertex: u32| {
        let mut groups = model.skin().influences(vertex).map(|(joint, _)| of_joint[joint.0 as usize]);
        let first = groups.next()?;
        groups.all(|group| group == first).then_some(first)
    };
    let of_triangle = |corners: &[u32; 3]| {
        let [a, b, c] = corners.map(of_vertex);
        a.filter(|_| a == b && b == c)
    };
    model.mesh().triangles().iter().map(of_triangle).collect()
}

/// Contacts that stay as they are in the rest pose.
#[derive(Clone, Debug, Default)]
pub struct StillContacts {
    /// The number of the contact of each pair, with the smaller triangle first.
    of_pair: BTreeMap<[u32; 2], usize>,
}

impl StillContacts {
    /// Those of the rest pose's contacts in which no two triangles move against each other. Morph targets move what they want: then
    /// there are none.
    pub fn new<'c>(
        model: &Model,
        contacts: impl Iterator<Item = &'c Contact>,
        groups: &[Option<usize>],
    ) -> Self {
        let mut of_pair = BTreeMap::new();
        if !model.rest().default_coefficients().is_empty() {
            return Self { of_pair };
        }
        for (number, contact) in contacts.enumerate() {
            let are_rigid = |pair: &[u32; 2]| {
                let [a, b] = pair.map(|t| groups[t as usize]);
                a.is_some() && a == b
            };
            if contact.pairs.iter().all(are_rigid) {
                of_pair.extend(contact.pairs.iter().map(|&[a, b]| ([a.min(b), a.max(b)], number)));
            }
        }
        Self { of_pair }
    }

    /// Takes the pairs of still contacts out of all that intersect: the numbers of these contacts.
    pub fn take_from(&self, pairs: &mut Vec<[u32; 2]>) -> BTreeSet<usize> {
        let mut found = BTreeSet::new();
        if !self.of_pair.is_empty() {
            pairs.retain(|pair| match self.of_pair.get(pair) {
                Some(&number) => {
                    found.insert(number);
                    false
                }
                None => true,
            });
        }
        found
    }
}
