//! The node tree of the file.
//!
//! Must hold: node `i` of the model is node `i` of the file and has the same world matrix in every pose; nodes that
//! only the file needs come after all of them.

use glam::Quat;
use serde_json::{Map, Value, json};
use supple::pose::Target;
use supple::{Model, Transform};

use super::GlbError;
use super::shear::factors;

/// Nodes as the file has them.
#[derive(Debug)]
pub(super) struct Nodes {
    nodes: Vec<FileNode>,
    /// For every node of the model the file's node that its animation moves.
    animated: Vec<usize>,
}

#[derive(Debug)]
struct FileNode {
    name: String,
    parent: Option<usize>,
    transform: Transform,
    mesh: Option<(usize, Option<usize>)>,
}

impl Nodes {
    /// The nodes of the model, with chains for those that have offsets.
    pub(super) fn new(model: &Model) -> Result<Self, GlbError> {
        let source = model.skeleton().nodes();
        let nodes = source
            .iter()
            .map(|n| FileNode { name: n.name.clone(), parent: n.parent, transform: n.rest, mesh: None })
            .collect();
        let mut this = Self { nodes, animated: (0..source.len()).collect() };
        let moving = animated_nodes(model);
        for (index, node) in source.iter().enumerate() {
            let Some(offset) = node.offset else { continue };
            if moving[index] {
                this.put_above(index, node.rest, &format!("{} (animated)", node.name));
                this.animated[index] = this.nodes.len() - 1;
            }
            let rest = if moving[index] { offset } else { node.rest.matrix() * offset };
            let mut factors = factors(rest).into_iter().rev();
            this.nodes[index].transform = factors.next().unwrap_or_default();
            // Lands between the node and what is animated above it.
            for factor in factors {
                this.put_above(index, factor, &format!("{} (stretched)", node.name));
            }
        }
        match this.nodes.iter().position(|n| !n.transform.is_finite()) {
            Some(index) => Err(GlbError::NotFinite { what: "transform of node", index }),
            None => Ok(this),
        }
    }

    /// The file's node that carries the animation of a node of the model.
    pub(super) fn animated(&self, node: usize) -> usize {
        self.animated[node]
    }

    /// A new node at the end that changes nothing.
    pub(super) fn add(&mut self, name: &str, parent: Option<usize>) -> usize {
        let transform = Transform::IDENTITY;
        self.nodes.push(FileNode { name: name.to_owned(), parent, transform, mesh: None });
        self.nodes.len() - 1
    }

    /// Whether any node hangs below this one.
    pub(super) fn has_children(&self, node: usize) -> bool {
        self.nodes.iter().any(|n| n.parent == Some(node))
    }

    /// Puts a mesh on a node.
    pub(super) fn set_mesh(&mut self, node: usize, mesh: usize, skin: Option<usize>) {
        self.nodes[node].mesh = Some((mesh, skin));
    }

    /// Gives joints of several trees a common root, which the specification demands of a skin.
    pub(super) fn join_roots(&mut self, joints: impl Iterator<Item = usize>) {
        let mut roots: Vec<usize> = joints.map(|joint| self.root_of(joint)).collect();
        roots.sort_unstable();
        roots.dedup();
        if roots.len() < 2 {
            return;
        }
        let common = self.add("skeletons", None);
        for root in roots {
            self.nodes[root].parent = Some(common);
        }
    }

    /// Nodes without parents.
    pub(super) fn roots(&self) -> Vec<usize> {
        (0..self.nodes.len()).filter(|&n| self.nodes[n].parent.is_none()).collect()
    }

    pub(super) fn to_json(&self) -> Vec<Value> {
        let mut children = vec![Vec::new(); self.nodes.len()];
        for (index, node) in self.nodes.iter().enumerate() {
            if let Some(parent) = node.parent {
                children[parent].push(index);
            }
        }
        self.nodes.iter().zip(children).map(|(node, children)| node.to_json(&children)).collect()
    }

    /// Inserts a node between a node and its parent.
    fn put_above(&mut self, node: usize, transform: Transform, name: &str) {
        let parent = self.nodes[node].parent;
        self.nodes.push(FileNode { name: name.to_owned(), parent, transform, mesh: None });
        self.nodes[node].parent = Some(self.nodes.len() - 1);
    }

    fn root_of(&self, mut node: usize) -> usize {
        while let Some(parent) = self.nodes[node].parent {
            node = parent;
        }
        node
    }
}

impl FileNode {
    fn to_json(&self, children: &[usize]) -> Value {
        let mut json = Map::new();
        if !self.name.is_empty() {
            json.insert("name".into(), json!(self.name));
        }
        if !children.is_empty() {
            json.insert("children".into(), json!(children));
        }
        let Transform { translation, rotation, scale } = self.transform;
        let rotation = unit_rotation(rotation);
        let default = Transform::IDENTITY;
        if translation != default.translation {
            json.insert("translation".into(), json!(translation.to_array()));
        }
        if rotation != default.rotation {
            json.insert("rotation".into(), json!(rotation.to_array()));
        }
        if scale != default.scale {
            json.insert("scale".into(), json!(scale.to_array()));
        }
        if let Some((mesh, skin)) = self.mesh {
            json.insert("mesh".into(), json!(mesh));
            if let Some(skin) = skin {
                json.insert("skin".into(), json!(skin));
            }
        }
        Value::Object(json)
    }
}

/// A quaternion that readers take for a unit one; those that already are stay bit by bit.
pub(super) fn unit_rotation(rotation: Quat) -> Quat {
    let rotation64 = rotation.as_dquat();
    let length = rotation64.length();
    if length == 0.0 {
        return Quat::IDENTITY;
    }
    // Rounding of four numbers moves the length by 1e-7; the validator complains from 5e-5 on.
    if (length - 1.0).abs() < 1e-6 { rotation } else { (rotation64 / length).as_quat() }
}

fn animated_nodes(model: &Model) -> Vec<bool> {
    let mut moving = vec![false; model.skeleton().nodes().len()];
    for channel in model.clips().iter().flat_map(|clip| clip.channels()) {
        match channel.target {
            Target::Translation(node) | Target::Rotation(node) | Target::Scale(node) => moving[node] = true,
            Target::Coefficients(_) => {}
        }
    }
    moving
}
