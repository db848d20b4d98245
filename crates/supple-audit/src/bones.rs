//! The bones of a model: whose triangles are whose, what they are called, and which pairs of them are looked at.

use std::collections::{BTreeMap, BTreeSet};

use supple::Model;

use crate::error::AuditError;

/// Names that are offered for one that is not there.
const NEAR_NAMES: usize = 5;

/// All bones of a model, numbered in the order of their nodes.
///
/// A bone is a node of the skeleton that moves vertices: several joints at one node are one bone. A triangle belongs to the
/// bone of its heaviest joint. Labels are unique: where two bones have one name, or none, the number of the node tells them
/// apart.
///
/// ```
/// use supple_audit::Bones;
///
/// let man = supple_zoo::make("man", 0)?;
/// let bones = Bones::new(&man);
/// assert_eq!(bones.count(), 27);
/// let below = bones.named("forearm_l+")?; // with all bones below it
/// assert!(below.iter().any(|&bone| bones.label(bone) == "hand_l"));
/// assert!(bones.named("tail").is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bones {
    nodes: Vec<usize>,
    labels: Vec<String>,
    /// As the file calls them.
    names: Vec<String>,
    /// The nearest bone above each.
    parents: Vec<Option<u32>>,
    of_joint: Vec<u32>,
    of_triangle: Vec<u32>,
}

impl Bones {
    /// Looks at the skeleton and at every triangle.
    pub fn new(model: &Model) -> Self {
        let (nodes_of_file, joints) = (model.skeleton().nodes(), model.skeleton().joints());
        let nodes: Vec<usize> = joints.iter().map(|j| j.node).collect::<BTreeSet<_>>().into_iter().collect();
        let number = |node: usize| nodes.binary_search(&node).ok().map(|bone| bone as u32);
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
            .map(|j| number(j.node).expect("the nodes of joints were collected above"))
            .collect();
        let triangles = 0..model.mesh().triangles().len() as u32;
        let of_triangle = triangles.map(|t| of_joint[model.owning_joint(t).0 as usize]).collect();
        Self { nodes, labels, names, parents, of_joint, of_triangle }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.nodes.len()
    }

    /// A name that no other bone has.
    ///
    /// # Panics
    /// The bone is out of range.
    pub fn label(&self, bone: u32) -> &str {
        &self.labels[bone as usize]
    }

    /// As the file calls it; may be empty.
    pub(crate) fn name(&self, bone: u32) -> &str {
        &self.names[bone as usize]
    }

    /// How many steps it is from one bone to another in the skeleton: 1 to the parent or a child, 2 to a sibling. None where the
    /// two do not hang together.
    ///
    /// # Panics
    /// A bone is out of range.
    pub fn steps_apart(&self, a: u32, b: u32) -> Option<u32> {
        let above = |bone: u32| std::iter::successors(Some(bone), |&bone| self.parent(bone));
        above(a).zip(0u32..).find_map(|(common, up)| {
            let down = above(b).position(|bone| bone == common)?;
            Some(up + down as u32)
        })
    }

    /// The labels of all bones.
    pub fn labels(&self) -> &[String] {
        &self.labels
    }

    /// Its node in the skeleton.
    ///
    /// # Panics
    /// The bone is out of range.
    pub fn node(&self, bone: u32) -> usize {
        self.nodes[bone as usize]
    }

    /// The nearest bone above it in the skeleton.
    ///
    /// # Panics
    /// The bone is out of range.
    pub fn parent(&self, bone: u32) -> Option<u32> {
        self.parents[bone as usize]
    }

    /// The bone of each joint.
    pub fn of_joints(&self) -> &[u32] {
        &self.of_joint
    }

    /// The bone that each triangle belongs to.
    pub fn of_triangles(&self) -> &[u32] {
        &self.of_triangle
    }

    /// The bones of a name or label; with `+` behind it also all bones below them. A name that itself ends with `+` comes
    /// first.
    ///
    /// # Errors
    /// No bone has that name: the error tells which names are much like it.
    pub fn named(&self, name: &str) -> Result<BTreeSet<u32>, AuditError> {
        let exactly = |name: &str| -> BTreeSet<u32> {
            let is_named = |&bone: &usize| self.names[bone] == name || self.labels[bone] == name;
            (0..self.count()).filter(is_named).map(|bone| bone as u32).collect()
        };
        let found = exactly(name);
        if !found.is_empty() {
            return Ok(found);
        }
        let roots = name.strip_suffix('+').map(exactly).unwrap_or_default();
        if roots.is_empty() {
            return Err(self.unknown(name));
        }
        let is_below = |bone: &u32| {
            let mut above = Some(*bone);
            while above.is_some_and(|b| !roots.contains(&b)) {
                above = above.and_then(|b| self.parent(b));
            }
            above.is_some()
        };
        Ok((0..self.count() as u32).filter(is_below).collect())
    }

    fn unknown(&self, name: &str) -> AuditError {
        let wanted = name.trim_end_matches('+').to_lowercase();
        let owners: BTreeSet<u32> = self.of_triangle.iter().copied().collect();
        let mut known: Vec<(usize, &str)> = owners
            .iter()
            .map(|&bone| {
                let label = self.label(bone);
                let lower = label.to_lowercase();
                let contains = !wanted.is_empty() && (lower.contains(&wanted) || wanted.contains(&lower));
                (if contains { 0 } else { strsim::levenshtein(&wanted, &lower) }, label)
            })
            .collect();
        known.sort_unstable();
        AuditError::UnknownBone {
            name: name.to_owned(),
            nearest: known.iter().take(NEAR_NAMES).map(|(_, label)| (*label).to_owned()).collect(),
            bones: known.len(),
        }
    }
}

/// The pairs of bones that are looked at.
#[derive(Clone, Debug)]
pub(crate) enum Wanted {
    /// Every pair.
    All,
    /// One bone of the first and one of the second set of any of these, in either order.
    Between(Vec<[BTreeSet<u32>; 2]>),
}

impl Wanted {
    /// All pairs where nothing was asked for.
    pub fn new(bones: &Bones, asked: &[[String; 2]]) -> Result<Self, AuditError> {
        if asked.is_empty() {
            return Ok(Self::All);
        }
        let both = |[a, b]: &[String; 2]| Ok([bones.named(a)?, bones.named(b)?]);
        Ok(Self::Between(asked.iter().map(both).collect::<Result<_, _>>()?))
    }

    /// Whether a pair of bones is looked at.
    pub fn contains(&self, a: u32, b: u32) -> bool {
        let is_between = |[one, other]: &[BTreeSet<u32>; 2]| {
            one.contains(&a) && other.contains(&b) || one.contains(&b) && other.contains(&a)
        };
        match self {
            Self::All => true,
            Self::Between(pairs) => pairs.iter().any(is_between),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn man() -> Bones {
        Bones::new(&supple_zoo::make("man", 0).unwrap())
    }

    #[test]
    fn pairs_are_found_in_either_order_and_with_all_below() {
        let bones = man();
        let label = |bone: u32| bones.label(bone).to_owned();
        let (child, parent) = (0..27).find_map(|b| Some((b, bones.parent(b)?))).unwrap();
        let exact = Wanted::new(&bones, &[[label(parent), label(child)]]).unwrap();
        assert!(exact.contains(child, parent) && exact.contains(parent, child));
        assert!(!exact.contains(child, child));
        let all_below = label(parent) + "+";
        let below = Wanted::new(&bones, &[[all_below.clone(), all_below]]).unwrap();
        assert!(below.contains(child, child) && below.contains(parent, child));
        assert!(Wanted::new(&bones, &[]).unwrap().contains(0, 0));
    }

    #[test]
    fn a_name_that_ends_with_plus_is_a_name() {
        let mut bones = man();
        bones.labels[1] = "arm+".to_owned();
        assert_eq!(bones.named("arm+").unwrap(), BTreeSet::from([1]));
    }

    #[test]
    fn unknown_names_are_told_with_near_ones() {
        let bones = man();
        let known = bones.label(bones.of_triangles()[0]).to_owned();
        let error = bones.named(&format!("{known}x")).unwrap_err();
        assert!(error.to_string().contains(&format!("no bone \"{known}x\"")), "{error}");
        assert!(error.to_string().contains(&format!("{known:?}")), "{error}");
        assert!(Wanted::new(&bones, &[[known, "+".to_owned()]]).is_err());
    }
}
