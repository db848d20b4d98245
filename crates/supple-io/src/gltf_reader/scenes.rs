//! Which scene of a glTF is read, and the nodes that belong to it.
//!
//! In: the scenes, and what was asked for. Out: for every node whether it is in the scene.
//! Must hold: a file without scenes is read whole. Nodes outside still move those inside, as joints of skins may be
//! anywhere.

use super::document::{Document, lookup};
use crate::Problem;

/// The scene that is read.
#[derive(Debug)]
pub(super) struct Scenes {
    pub names: Vec<String>,
    pub chosen: Option<usize>,
    /// For every node whether it belongs to the scene.
    pub has_node: Vec<bool>,
}

impl Scenes {
    /// The scene that was asked for, or the one that the file names, or the first.
    pub fn choose(document: &Document, wanted: Option<&str>) -> Result<Self, Problem> {
        let names: Vec<String> = (0..document.scenes.len()).map(|i| document.scene_name(i)).collect();
        let chosen = match wanted {
            Some(wanted) => Some(find(&names, wanted)?),
            None => document.scene.or((!names.is_empty()).then_some(0)),
        };
        let Some(index) = chosen else {
            return Ok(Self { names, chosen, has_node: vec![true; document.nodes.len()] });
        };
        let scene = lookup(&document.scenes, "scene", index)?;
        let mut has_node = vec![false; document.nodes.len()];
        let mut open: Vec<usize> = scene.nodes.clone();
        while let Some(node) = open.pop() {
            let place = |problem: Problem| problem.within(&format!("scene {index}"));
            let stored = lookup(&document.nodes, "node", node).map_err(place)?;
            // A node may be named twice, and children may go round in a broken file.
            if !std::mem::replace(&mut has_node[node], true) {
                open.extend(stored.children.iter().flatten().map(|child| child.value()));
            }
        }
        Ok(Self { names, chosen, has_node })
    }

    /// What is said about meshes that are in the file, but not in the scene.
    pub fn note(&self, document: &Document) -> Option<String> {
        let outside =
            document.nodes.iter().zip(&self.has_node).filter(|(n, inside)| n.mesh.is_some() && !**inside);
        let (count, chosen) = (outside.count(), self.chosen?);
        let nodes = if count == 1 {
            "1 node with a mesh is".to_owned()
        } else {
            format!("{count} nodes with a mesh are")
        };
        let name = short(&self.names[chosen]);
        (count > 0).then(|| format!("scene {chosen} ({name}): {nodes} not in it; left out"))
    }
}

fn find(names: &[String], wanted: &str) -> Result<usize, Problem> {
    let by_number = || wanted.parse().ok().filter(|&index: &usize| index < names.len());
    names.iter().position(|name| name == wanted).or_else(by_number).ok_or_else(|| {
        const LISTED: usize = 20;
        let listed = names.iter().take(LISTED).enumerate().map(|(i, name)| format!("{i} {:?}", short(name)));
        let available = match names.len() {
            0 => "the file has no scenes".to_owned(),
            count if count > LISTED => {
                format!("the file has {count}: {} ...", listed.collect::<Vec<_>>().join(", "))
            }
            _ => format!("the file has {}", listed.collect::<Vec<_>>().join(", ")),
        };
        Problem::NoSuchScene { wanted: wanted.to_owned(), available }
    })
}

/// Names may be as long as the file.
fn short(name: &str) -> String {
    name.chars().take(60).collect()
}
