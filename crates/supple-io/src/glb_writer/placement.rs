//! Which node carries the mesh of which part.
//!
//! Must hold: meshes stand on ascending nodes, because readers number vertices in the order of nodes.

use supple::Model;

use super::nodes::Nodes;
use super::skins::Skins;

/// A part that has triangles, with its node and skin in the file.
#[derive(Debug)]
pub(super) struct Placement {
    pub part: usize,
    pub node: usize,
    pub skin: Option<usize>,
    /// A node that mirrors turns front faces in glTF, while a model's triangles face outward in the world.
    pub mirrored: bool,
}

impl Placement {
    /// Puts parts on their own nodes as long as that is possible, then on new ones.
    ///
    /// A skinned mesh ignores where its node is; it gets a root of its own if its node is a bone or has children, as
    /// the specification recommends. A rigid mesh that cannot stand on its node hangs below it.
    pub(super) fn of_parts(model: &Model, skins: &Skins, nodes: &mut Nodes) -> Vec<Self> {
        // Rest transforms are finite, the skeleton has checked them; then nothing else can fail.
        let world = model.skeleton().world_matrices(&model.rest_pose()).unwrap_or_default();
        let mirrors = |node: usize| world.get(node).is_some_and(|m| m.matrix3.determinant() < 0.0);
        let joint_nodes: Vec<usize> = skins.joint_nodes().collect();
        let mut placements: Vec<Self> = Vec::new();
        for (index, part) in model.parts().iter().enumerate().filter(|(_, p)| !p.triangles.is_empty()) {
            let skin = skins.of_part(index);
            let in_order = placements.last().is_none_or(|previous| previous.node < part.node);
            let apart = !joint_nodes.contains(&part.node) && !nodes.has_children(part.node);
            let node = match skin {
                None if in_order => part.node,
                None => nodes.add(&part.name, Some(part.node)),
                Some(_) if in_order && apart => part.node,
                Some(_) => nodes.add(&part.name, None),
            };
            let mirrored = skin.is_none() && mirrors(part.node);
            placements.push(Self { part: index, node, skin, mirrored });
        }
        placements
    }
}
