//! One list of joints for all skins of a file, and for the nodes of meshes without a skin.
//!
//! Must hold: equal node and bit by bit equal inverse bind matrix make one joint; joints stand in the order of first
//! use, so the same file always gives the same palette.

use std::collections::BTreeMap;

use glam::{DAffine3, DVec3};
use gltf::json::accessor::{ComponentType, Type};
use supple::pose::Joint;

use super::contents::Contents;
use super::document::lookup;
use super::nodes::affine;
use crate::Problem;

/// Joints as they are collected.
#[derive(Debug, Default)]
pub(super) struct Palette {
    pub joints: Vec<Joint>,
    known: BTreeMap<(usize, [u64; 12]), u32>,
    /// Palette entries of each skin that was used.
    skins: BTreeMap<usize, Vec<u32>>,
}

impl Palette {
    /// The joint of a mesh that only follows its node.
    pub fn rigid(&mut self, node: usize) -> u32 {
        self.entry(Joint { node, inverse_bind: DAffine3::IDENTITY })
    }

    /// The palette entries of a skin's joints.
    pub fn skin(
        &mut self,
        contents: &Contents<'_>,
        index: usize,
        notes: &mut Vec<String>,
    ) -> Result<&[u32], Problem> {
        if !self.skins.contains_key(&index) {
            let joints = read_skin(contents, index, notes)?;
            let entries = joints.into_iter().map(|joint| self.entry(joint)).collect();
            self.skins.insert(index, entries);
        }
        Ok(&self.skins[&index])
    }

    fn entry(&mut self, joint: Joint) -> u32 {
        let bits = joint.inverse_bind.to_cols_array().map(f64::to_bits);
        let next = self.joints.len() as u32;
        let entry = *self.known.entry((joint.node, bits)).or_insert(next);
        if entry == next {
            self.joints.push(joint);
        }
        entry
    }
}

fn read_skin(contents: &Contents<'_>, index: usize, notes: &mut Vec<String>) -> Result<Vec<Joint>, Problem> {
    let skin = lookup(&contents.document.skins, "skin", index)?;
    let place = contents.document.skin_place(index);
    if skin.joints.is_empty() {
        return Err(Problem::invalid(place, "has no joints"));
    }
    let inverse_binds = match skin.inverse_bind_matrices {
        None => vec![DAffine3::IDENTITY; skin.joints.len()],
        Some(accessor) => read_matrices(contents, accessor.value(), skin.joints.len(), &place, notes)
            .map_err(|problem| problem.within(&place))?,
    };
    let joint = |(joint, inverse_bind): (&gltf::json::Index<_>, DAffine3)| {
        let node = joint.value();
        match node < contents.document.nodes.len() {
            true => Ok(Joint { node, inverse_bind }),
            false => Err(Problem::invalid(
                &place,
                format!("has node {node} as a joint; there are only {} nodes", contents.document.nodes.len()),
            )),
        }
    };
    skin.joints.iter().zip(inverse_binds).map(joint).collect()
}

fn read_matrices(
    contents: &Contents<'_>,
    accessor: usize,
    joints: usize,
    place: &str,
    notes: &mut Vec<String>,
) -> Result<Vec<DAffine3>, Problem> {
    let accessor = contents.accessor(accessor)?.checked_kind(Type::Mat4, &[ComponentType::F32])?;
    if accessor.count() < joints {
        return Err(Problem::invalid(
            accessor.place(),
            format!("has {} inverse bind matrices; expected {joints}, one per joint", accessor.count()),
        ));
    }
    let numbers = accessor.to_f32()?;
    let (matrices, _) = numbers.as_chunks::<16>();
    let mut odd = Vec::new();
    let matrices: Vec<DAffine3> = matrices.iter().take(joints).map(|m| affine(m, place, &mut odd)).collect();
    // One note per skin says enough.
    notes.extend(odd.into_iter().next());
    match matrices.iter().position(|m| !m.is_finite()) {
        Some(i) => Err(Problem::invalid(accessor.place(), format!("inverse bind matrix {i} is not finite"))),
        None => Ok(matrices.into_iter().map(without_negative_zeros).collect()),
    }
}

/// `-0.0` would keep equal matrices apart.
fn without_negative_zeros(m: DAffine3) -> DAffine3 {
    let zero = DVec3::ZERO;
    DAffine3::from_cols(
        m.matrix3.x_axis + zero,
        m.matrix3.y_axis + zero,
        m.matrix3.z_axis + zero,
        m.translation + zero,
    )
}
