//! Which parts are skinned, and by which joints.
//!
//! In: the model's one palette. Out: as few skins as possible; glTF wants every joint node once per skin, while the
//! palette may have a node several times with different bind matrices.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use supple::Model;
use supple::model::Part;
use supple::pose::Joint;

use super::GlbError;
use super::accessors::Binary;
use super::nodes::Nodes;

/// All skins of the file.
#[derive(Debug)]
pub(super) struct Skins {
    skins: Vec<FileSkin>,
    /// The skin of every part; none for rigid ones.
    of_part: Vec<Option<usize>>,
}

/// One skin of the file.
#[derive(Debug, Default)]
pub(super) struct FileSkin {
    /// Joints of the palette that the skin serves.
    members: BTreeSet<u32>,
    /// Node and inverse bind matrix of each joint in the file.
    entries: Vec<(usize, [f32; 16])>,
    /// From joints of the palette to joints in the file.
    entry_of: BTreeMap<u32, usize>,
}

impl Skins {
    /// Gives every skinned part a skin.
    pub(super) fn plan(model: &Model) -> Self {
        let joints = model.skeleton().joints();
        let mut this = Self { skins: Vec::new(), of_part: Vec::new() };
        let mut followed: BTreeSet<u32> = BTreeSet::new();
        for part in model.parts() {
            let used = used_joints(model, part);
            followed.extend(&used);
            let skin = (!is_rigid(part, &used, joints)).then(|| this.skin_for(&used, joints));
            this.of_part.push(skin);
        }
        // Joints that nothing follows are still bones to other tools.
        for joint in (0..joints.len() as u32).filter(|j| !followed.contains(j)) {
            if let Some(skin) = this.skins.iter_mut().find(|s| s.accepts(&[joint].into(), joints)) {
                skin.members.insert(joint);
            }
        }
        this
    }

    /// Numbers the joints of every skin in the order of the palette.
    pub(super) fn place_joints(&mut self, model: &Model, nodes: &mut Nodes) -> Result<(), GlbError> {
        let joints = model.skeleton().joints();
        for (index, skin) in self.skins.iter_mut().enumerate() {
            for &member in &skin.members {
                let joint = joints[member as usize];
                let matrix = bind_matrix(member as usize, &joint)?;
                let known = skin.entries.iter().position(|entry| *entry == (joint.node, matrix));
                let taken = skin.entries.iter().any(|entry| entry.0 == joint.node);
                let entry = known.unwrap_or_else(|| {
                    let name = &model.skeleton().nodes()[joint.node].name;
                    let node = if taken { nodes.add(name, Some(joint.node)) } else { joint.node };
                    skin.entries.push((node, matrix));
                    skin.entries.len() - 1
                });
                skin.entry_of.insert(member, entry);
            }
            if skin.entries.len() > 1 << 16 {
                return Err(GlbError::TooManyJoints { skin: index, joints: skin.entries.len() });
            }
        }
        Ok(())
    }

    pub(super) fn skins(&self) -> &[FileSkin] {
        &self.skins
    }

    /// The skin of a part; none if the part is rigid.
    pub(super) fn of_part(&self, part: usize) -> Option<usize> {
        self.of_part[part]
    }

    /// Nodes of all joints.
    pub(super) fn joint_nodes(&self) -> impl Iterator<Item = usize> {
        self.skins.iter().flat_map(|skin| skin.entries.iter().map(|entry| entry.0))
    }

    pub(super) fn to_json(&self, binary: &mut Binary) -> Vec<Value> {
        let to_json = |skin: &FileSkin| {
            let nodes: Vec<usize> = skin.entries.iter().map(|entry| entry.0).collect();
            let matrices: Vec<f32> = skin.entries.iter().flat_map(|entry| entry.1).collect();
            json!({ "joints": nodes, "inverseBindMatrices": binary.floats("MAT4", 16, &matrices) })
        };
        self.skins.iter().map(to_json).collect()
    }

    fn skin_for(&mut self, used: &BTreeSet<u32>, joints: &[Joint]) -> usize {
        let index = self.skins.iter().position(|skin| skin.accepts(used, joints)).unwrap_or_else(|| {
            self.skins.push(FileSkin::default());
            self.skins.len() - 1
        });
        self.skins[index].members.extend(used);
        index
    }
}

impl FileSkin {
    /// The file's joint for a joint of the palette.
    pub(super) fn entry(&self, joint: u32) -> usize {
        self.entry_of[&joint]
    }

    pub(super) fn joint_count(&self) -> usize {
        self.entries.len()
    }

    /// Whether no joint's node is in the skin with another bind matrix.
    fn accepts(&self, used: &BTreeSet<u32>, joints: &[Joint]) -> bool {
        let bind_of: BTreeMap<usize, &Joint> =
            self.members.iter().map(|&m| &joints[m as usize]).map(|joint| (joint.node, joint)).collect();
        used.iter().map(|&j| &joints[j as usize]).all(|joint| {
            bind_of.get(&joint.node).is_none_or(|known| known.inverse_bind == joint.inverse_bind)
        })
    }
}

fn used_joints(model: &Model, part: &Part) -> BTreeSet<u32> {
    let sets: BTreeSet<usize> = part.vertices.clone().map(|v| model.skin().set_of_vertex(v as u32)).collect();
    sets.into_iter().flat_map(|set| model.skin().joint_set(set).iter().copied()).collect()
}

/// Whether all vertices follow the part's own node as they are.
fn is_rigid(part: &Part, used: &BTreeSet<u32>, joints: &[Joint]) -> bool {
    let follows = |&joint: &u32| {
        let joint = &joints[joint as usize];
        joint.node == part.node && joint.inverse_bind == glam::DAffine3::IDENTITY
    };
    used.iter().all(follows)
}

/// Columns of the 4x4 matrix, last row exactly 0 0 0 1.
fn bind_matrix(index: usize, joint: &Joint) -> Result<[f32; 16], GlbError> {
    let matrix = joint.inverse_bind.as_affine3a();
    if !matrix.is_finite() {
        return Err(GlbError::NotFinite { what: "inverse bind matrix of joint", index });
    }
    Ok(glam::Mat4::from(matrix).to_cols_array())
}
