//! Nodes and clips of a glTF, whether or not it has meshes.
//!
//! In: bytes. Out: a motion. No vertex is read; of meshes only the names of their morph targets matter.

use supple::ModelError;
use supple::pose::Skeleton;

use super::animation::{CoefficientsOfNodes, read_clips};
use super::budget::VISIT;
use super::contents::Contents;
use super::document::lookup;
use super::morph_targets::target_names;
use super::nodes::read_nodes;
use crate::motion::{Motion, bones_of};
use crate::{OtherFiles, Problem};

/// Reads glTF 2.0, text or binary; other files are buffers outside of it.
pub(crate) fn read_motion(bytes: &[u8], other_files: OtherFiles) -> Result<Motion, Problem> {
    let mut notes = Vec::new();
    let (contents, _) = super::open(bytes, other_files, &mut notes)?;
    let nodes = read_nodes(&contents.document, &mut notes)?;
    if nodes.is_empty() {
        return Err(Problem::invalid("nodes", "there are none; expected bones"));
    }
    let (coefficients, morph_targets) = morph_targets(&contents)?;
    let bones = bones_of(0..nodes.len());
    let skeleton = Skeleton::new(nodes, bones).map_err(ModelError::from)?;
    let mut left_out = Vec::new();
    let clips = read_clips(&contents, &coefficients, &mut notes, &mut left_out);
    notes.extend(left_out);
    Ok(Motion { skeleton, clips, morph_targets, notes })
}

/// Morph targets of all nodes, in the order in which a model has them.
fn morph_targets(contents: &Contents<'_>) -> Result<(CoefficientsOfNodes, Vec<String>), Problem> {
    let document = &contents.document;
    let (mut coefficients, mut all) = (CoefficientsOfNodes::new(), Vec::new());
    for (index, node) in document.nodes.iter().enumerate() {
        let Some(mesh) = node.mesh else { continue };
        let place = document.node_place(index);
        let mesh = lookup(&document.meshes, "mesh", mesh.value()).map_err(|p| p.within(&place))?;
        let count = mesh.primitives.iter().map(|p| p.targets.as_ref().map_or(0, Vec::len)).max();
        let count = count.unwrap_or(0);
        contents.budget.spend(|| place.clone(), count, VISIT)?;
        let mut names = target_names(contents, mesh, &place)?;
        names.resize(count, String::new());
        coefficients.insert(index, all.len()..all.len() + count);
        all.extend(names);
    }
    Ok((coefficients, all))
}
