//! The bones of a model: whose triangles are whose, what they are called, and which pairs the user wants to see.
//!
//! A bone is a node of the skeleton that moves vertices. A triangle belongs to the bone of its heaviest joint. Labels are
//! unique: where two bones have one name, or none, the number of the node tells them apart.

use std::collections::{BTreeMap, BTreeSet};

use strsim::levenshtein;
use supple::model::Model;

use crate::failure::{Failure, bad_usage};

/// Names that are offered for one that is not there.
const NEAR_NAMES: usize = 5;

/// All bones of a model, numbered in the order of their nodes.
#[derive(Clone, Debug)]
pub struct Bones {
    nodes: Vec<usize>,
    labels: Vec<String>,
    /// As the file calls them.
    names: Vec<String>,
    /// The nearest bone above each.
    parents: Vec<Option<usize>>,
    of_triangle: Vec<u32>,
}

impl Bones {
    /// Looks at the skeleton and at every triangle.
    pub fn new(model: &Model) -> Self {
        let (nodes_of_file, joints) = (model.skeleton().nodes(), model.skeleton().joints());
        let nodes: Vec<usize> = joints.iter().map(|j| j.node).collect::<BTreeSet<_>>().into_iter().collect();
        let number = |node: usize| nodes.binary_search(&node).ok();
        let names: Vec<String> = nodes.iter().map(|&n| nodes_of_file[n].name.clone()).collect();
        let mut uses: BTreeMap<&str, usize> = BTreeMap::new();
        for name in &names {
            *uses.entry(name).or_default() += 1;
        }
        let label = |(name, node): (&String, &usize)| match (name.as_str(), uses[name.as_str()]) {
            ("", _) => format!("node {node}"),
            (name, 1) => name.to_owned(),
            (name, _) => format!("{name} (node {node})"),
        };
        let labels = names.iter().zip(&nodes).map(label).collect();
        let parent = |&node: &usize| {
            let mut above = nodes_of_file[node].parent;
            while above.is_some_and(|n| number(n).is_none()) {
                above = above.and_then(|n| nodes_of_file[n].parent);
            }
            above.and_then(number)
        };
        let parents = nodes.iter().map(parent).collect();
        let of_joint: Vec<u32> = joints
            .iter()
            .map(|j| number(j.node).expect("the nodes of joints were collected above") as u32)
            .collect();
        let triangles = 0..model.mesh().triangles().len() as u32;
        let of_triangle = triangles.map(|t| of_joint[model.owning_joint(t) as usize]).collect();
        Self { nodes, labels, names, parents, of_triangle }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.nodes.len()
    }

    /// The bone that a triangle belongs to.
    pub fn of_triangle(&self, triangle: u32) -> usize {
        self.of_triangle[triangle as usize] as usize
    }

    /// The bone of every triangle.
    pub fn of_triangles(&self) -> &[u32] {
        &self.of_triangle
    }

    /// A name that no other bone has.
    pub fn label(&self, bone: usize) -> &str {
        &self.labels[bone]
    }

    /// What all labels begin with, up to a sign that is neither letter nor digit: `mixamorig:`, `Armature_`. Empty where
    /// a label would have nothing left.
    pub fn common_prefix(&self) -> &str {
        let Some((first, others)) = self.labels.split_first().filter(|(_, others)| !others.is_empty()) else {
            return "";
        };
        let is_shared = |end: usize| {
            self.labels.iter().all(|l| l.len() > end) && others.iter().all(|l| l.starts_with(&first[..end]))
        };
        let ends = first.char_indices().filter(|(_, c)| !c.is_alphanumeric()).map(|(i, c)| i + c.len_utf8());
        &first[..ends.filter(|&end| is_shared(end)).max().unwrap_or(0)]
    }

    /// Its node in the file.
    pub fn node(&self, bone: usize) -> usize {
        self.nodes[bone]
    }

    /// The bones of a name; with `+` behind it also all bones below them. A name that itself ends with `+` comes first.
    fn named(&self, name: &str) -> Option<BTreeSet<usize>> {
        let exactly = |name: &str| -> BTreeSet<usize> {
            (0..self.count()).filter(|&b| self.names[b] == name || self.labels[b] == name).collect()
        };
        let found = exactly(name);
        if !found.is_empty() {
            return Some(found);
        }
        let roots = exactly(name.strip_suffix('+')?);
        let is_below = |bone: &usize| {
            let mut above = Some(*bone);
            while above.is_some_and(|b| !roots.contains(&b)) {
                above = above.and_then(|b| self.parents[b]);
            }
            above.is_some()
        };
        (!roots.is_empty()).then(|| (0..self.count()).filter(is_below).collect())
    }
}

/// The pairs of bones that are looked at.
#[derive(Clone, Debug)]
pub enum Wanted {
    /// Every pair.
    All,
    /// One bone of the first and one of the second set of any of these, in either order.
    Between(Vec<[BTreeSet<usize>; 2]>),
}

impl Wanted {
    /// Understands `A:B`; all pairs where nothing was asked for.
    pub fn new(bones: &Bones, asked: &[String]) -> Result<Self, Failure> {
        if asked.is_empty() {
            return Ok(Self::All);
        }
        let pairs: Result<_, _> = asked.iter().map(|text| pair(bones, text)).collect();
        Ok(Self::Between(pairs?))
    }

    /// Whether a pair of bones is looked at.
    pub fn contains(&self, a: usize, b: usize) -> bool {
        let is_between = |[one, other]: &[BTreeSet<usize>; 2]| {
            one.contains(&a) && other.contains(&b) || one.contains(&b) && other.contains(&a)
        };
        match self {
            Self::All => true,
            Self::Between(pairs) => pairs.iter().any(is_between),
        }
    }
}

/// Names may contain colons (`mixamorig:Hips`), so every colon is tried.
fn pair(bones: &Bones, text: &str) -> Result<[BTreeSet<usize>; 2], Failure> {
    let splits: Vec<(&str, &str)> =
        text.match_indices(':').map(|(at, _)| (&text[..at], &text[at + 1..])).collect();
    let both = |&(a, b): &(&str, &str)| Some([bones.named(a)?, bones.named(b)?]);
    let mut found = splits.iter().filter_map(both);
    match (found.next(), found.next()) {
        (Some(pair), None) => return Ok(pair),
        (Some(_), Some(_)) => {
            return Err(bad_usage(format!(
                "--bones {text:?} can be split at more than one colon; rename a bone"
            )));
        }
        (None, _) => {}
    }
    // The split whose one half exists tells which half does not; without any, the middle is as good as another.
    let half = splits.iter().find_map(|&(a, b)| match (bones.named(a), bones.named(b)) {
        (Some(_), None) => Some(b),
        (None, Some(_)) => Some(a),
        _ => None,
    });
    match half.or_else(|| splits.get(splits.len() / 2).map(|(a, _)| *a)) {
        Some(name) => Err(bad_usage(format!("there is no bone {name:?}; {}", near_names(bones, name)))),
        None => {
            Err(bad_usage(format!("--bones {text:?}: expected two bones with a colon between them, A:B")))
        }
    }
}

fn near_names(bones: &Bones, name: &str) -> String {
    let wanted = name.trim_end_matches('+').to_lowercase();
    let owners: BTreeSet<u32> = bones.of_triangle.iter().copied().collect();
    let mut known: Vec<(usize, &str)> = owners
        .iter()
        .map(|&bone| {
            let label = bones.label(bone as usize);
            let lower = label.to_lowercase();
            let contains = !wanted.is_empty() && (lower.contains(&wanted) || wanted.contains(&lower));
            (if contains { 0 } else { levenshtein(&wanted, &lower) }, label)
        })
        .collect();
    known.sort_unstable();
    let near: Vec<String> = known.iter().take(NEAR_NAMES).map(|(_, label)| format!("{label:?}")).collect();
    format!(
        "the nearest of {} with triangles: {}",
        crate::table::counted(known.len(), "bone"),
        near.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn man() -> Bones {
        Bones::new(&supple_zoo::make("man", 0).unwrap())
    }

    #[test]
    fn a_common_prefix_ends_with_a_sign_and_leaves_something() {
        let prefix = |labels: &[&str]| {
            let labels = labels.iter().map(|l| (*l).to_owned()).collect();
            Bones { labels, ..man() }.common_prefix().to_owned()
        };
        assert_eq!(prefix(&["rig:a_arm", "rig:a_leg"]), "rig:a_");
        assert_eq!(prefix(&["rig:arm", "rig:armour"]), "rig:");
        assert_eq!(prefix(&["rig:", "rig:arm"]), "");
        assert_eq!(prefix(&["thigh", "thumb"]), "");
        assert_eq!((prefix(&["rig:arm"]), prefix(&[])), (String::new(), String::new()));
        assert_eq!(prefix(&["é:arm", "é:leg", "è:leg"]), "");
    }

    #[test]
    fn pairs_are_found_in_either_order_and_with_all_below() {
        let bones = man();
        let label = |bone: usize| bones.label(bone).to_owned();
        let (child, parent) = (0..bones.count()).find_map(|b| Some((b, bones.parents[b]?))).unwrap();
        let exact = Wanted::new(&bones, &[format!("{}:{}", label(parent), label(child))]).unwrap();
        assert!(exact.contains(child, parent) && exact.contains(parent, child));
        assert!(!exact.contains(child, child));
        let below = Wanted::new(&bones, &[format!("{0}+:{0}+", label(parent))]).unwrap();
        assert!(below.contains(child, child) && below.contains(parent, child));
        assert!(Wanted::new(&bones, &[]).unwrap().contains(0, 0));
    }

    #[test]
    fn colons_in_names_are_no_obstacle() {
        let mut bones = man();
        bones.labels[1] = "rig:arm".to_owned();
        bones.labels[2] = "rig:leg".to_owned();
        assert!(Wanted::new(&bones, &["rig:arm:rig:leg".to_owned()]).unwrap().contains(2, 1));
    }

    #[test]
    fn unknown_names_are_told_with_near_ones() {
        let bones = man();
        let known = bones.label(bones.of_triangle(0)).to_owned();
        let error = Wanted::new(&bones, &[format!("{known}x:{known}")]).unwrap_err();
        assert_eq!(error.exit_code(), 2);
        assert!(error.to_string().contains(&format!("no bone \"{known}x\"")), "{error}");
        assert!(error.to_string().contains(&format!("{known:?}")), "{error}");
        let error = Wanted::new(&bones, &["arm".to_owned()]).unwrap_err();
        assert!(error.to_string().contains("A:B"), "{error}");
    }
}
