//! Regions: which joints make up a limb, which the trunk.
//!
//! Derived from the rig: the joints that own triangles form a tree. A direction out of a joint is *long* if it is at least a
//! seventh of the longest way between two tips; so a finger is a direction of a hand, but not of a body. A joint with three long
//! directions is a junction; the trunk is what connects the junctions, and what hangs from it by a long direction is a limb:
//! arms, legs, a neck with its head, a tail, the fingers of a hand, the arms of an octopus. What is short stays with the trunk, or
//! with its limb: hands and feet. A rig without junctions is one limb, like a snake.
//! Must hold: every joint belongs to exactly one region, every region owns a triangle, the trunk comes last.
//!
//! Based on: F. A. Madera, E. Ayala, F. Moo-Mena, Self-collision Detection using Sphere Chains, 2015, section 3, which divides humans
//! by hand.

use glam::DVec3;
use supple::{Model, Skinning};

use crate::ChainError;

/// A direction is long from this part of the longest way between tips. Heads have 0.2 of a human's, fingers 0.08.
const LONG: f64 = 0.15;

/// What a region is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegionKind {
    /// Tubular: one sphere per level.
    Limb,
    /// What limbs hang from: several spheres per level.
    Trunk,
}

/// A part of the model with spheres of its own.
#[derive(Clone, Debug, PartialEq)]
pub struct Region {
    /// The name that was given, or that of the first joint.
    pub name: String,
    /// Limb or trunk.
    pub kind: RegionKind,
    /// Nodes of the skeleton along its middle, outwards.
    pub(crate) path: Vec<usize>,
}

/// A model divided into regions.
///
/// ```
/// use supple_chains::{RegionKind, Regions};
///
/// let man = supple_zoo::make("man", 0)?;
/// let regions = Regions::from_rig(&man)?;
/// let limbs = regions.iter().filter(|region| region.kind == RegionKind::Limb);
/// assert_eq!(limbs.count(), 5); // arms, legs, neck and head
/// let arms = Regions::named(&man, &[("left arm", &["upper_arm_l"]), ("right arm", &["upper_arm_r"])])?;
/// assert_eq!(arms.iter().len(), 3); // and the rest
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Regions {
    regions: Vec<Region>,
    of_triangle: Vec<u32>,
}

impl Regions {
    /// Limbs and trunk as the rig has them.
    ///
    /// ```
    /// let hand = supple_zoo::make("hand", 0)?;
    /// let regions = supple_chains::Regions::from_rig(&hand)?;
    /// assert_eq!(regions.iter().len(), 7); // five fingers, the forearm and the palm
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// One joint moves everything, or joints neither branch nor stand in a row.
    pub fn from_rig(model: &Model) -> Result<Self, ChainError> {
        let tree = JointTree::new(model)?;
        let moving = tree.owned.iter().filter(|&&owned| owned).count();
        if moving < 2 {
            return Err(ChainError::NoRig);
        }
        let threshold = LONG * tree.longest_way();
        let junctions: Vec<bool> =
            (0..tree.len()).map(|node| tree.long_directions(node, threshold) >= 3).collect();
        if !junctions.contains(&true) {
            let path = tree.longest_path();
            // Two joints are a hinge, not a limb.
            if path.len() < 3 {
                return Err(ChainError::NoLimbs { joints: moving });
            }
            let name = tree.name(model, path[0]);
            return Self::new(
                model,
                vec![Region { name, kind: RegionKind::Limb, path }],
                vec![0; tree.len()],
            );
        }
        let trunk = tree.connecting(&junctions);
        let top = tree.order.iter().copied().find(|&node| trunk[node]).expect("a junction is in the trunk");
        let mut regions = Vec::new();
        let mut of_node = vec![u32::MAX; tree.len()];
        // Whatever is not below the trunk's topmost joint hangs from it like any other limb.
        if let Some(above) = tree.parent[top].filter(|_| tree.up[top] >= threshold) {
            let below_top = tree.below(top);
            (0..tree.len()).filter(|&node| !below_top[node]).for_each(|node| of_node[node] = 0);
            let path = tree.path_upwards(top);
            regions.push(Region { name: tree.name(model, above), kind: RegionKind::Limb, path });
        }
        for &node in tree.order.iter().filter(|&&node| !trunk[node]) {
            if tree.parent[node].is_some_and(|parent| trunk[parent]) && tree.down[node] >= threshold {
                let below = tree.below(node);
                (0..tree.len()).filter(|&n| below[n]).for_each(|n| of_node[n] = regions.len() as u32);
                let path = tree.path_downwards(node);
                regions.push(Region { name: tree.name(model, node), kind: RegionKind::Limb, path });
            }
        }
        let path = tree.longest_path_within(&trunk);
        Self::with_trunk(model, regions, of_node, path)
    }

    /// Limbs by the names of their first joints (or nodes of the file); what is below a joint belongs to it, the nearest named joint
    /// above decides. All the rest is the trunk.
    ///
    /// ```
    /// let man = supple_zoo::make("man", 0)?;
    /// let legs = [("left leg", &["thigh_l"][..]), ("right leg", &["thigh_r"][..])];
    /// let regions = supple_chains::Regions::named(&man, &legs)?;
    /// let names: Vec<&str> = regions.iter().map(|region| region.name.as_str()).collect();
    /// assert_eq!(names, ["left leg", "right leg", "trunk"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// An unknown joint, a name given twice, a region without triangles.
    pub fn named(model: &Model, limbs: &[(&str, &[&str])]) -> Result<Self, ChainError> {
        let tree = JointTree::new(model)?;
        let mut regions: Vec<Region> = Vec::new();
        let mut of_node = vec![u32::MAX; tree.len()];
        for &(name, joints) in limbs {
            if regions.iter().any(|region| region.name == name) {
                return Err(ChainError::SameName { region: name.to_owned() });
            }
            let mut path = Vec::new();
            for &joint in joints {
                let node = model.skeleton().node_named(joint).ok_or_else(|| ChainError::UnknownJoint {
                    region: name.to_owned(),
                    joint: joint.to_owned(),
                })?;
                of_node[node] = regions.len() as u32;
                if path.is_empty() {
                    path = tree.path_downwards(node);
                }
            }
            regions.push(Region { name: name.to_owned(), kind: RegionKind::Limb, path });
        }
        for &node in &tree.order {
            if let (u32::MAX, Some(parent)) = (of_node[node], tree.parent[node]) {
                of_node[node] = of_node[parent];
            }
        }
        let rest: Vec<bool> = of_node.iter().map(|&region| region == u32::MAX).collect();
        let path = tree.longest_path_within(&rest);
        Self::with_trunk(model, regions, of_node, path)
    }

    /// All regions, the trunk last.
    ///
    /// ```
    /// let man = supple_zoo::make("man", 0)?;
    /// for region in supple_chains::Regions::from_rig(&man)?.iter() {
    ///     println!("{}: {:?}", region.name, region.kind);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn iter(&self) -> std::slice::Iter<'_, Region> {
        self.regions.iter()
    }

    pub(crate) fn regions(&self) -> &[Region] {
        &self.regions
    }

    /// The region of each triangle, in the order of the mesh.
    ///
    /// ```
    /// let man = supple_zoo::make("man", 0)?;
    /// let regions = supple_chains::Regions::from_rig(&man)?;
    /// assert_eq!(regions.of_triangles().len(), man.mesh().triangles().len());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_triangles(&self) -> &[u32] {
        &self.of_triangle
    }

    /// Nodes without a region are the trunk's, if they own a triangle.
    fn with_trunk(
        model: &Model,
        mut regions: Vec<Region>,
        mut of_node: Vec<u32>,
        path: Vec<usize>,
    ) -> Result<Self, ChainError> {
        let trunk = regions.len() as u32;
        of_node.iter_mut().filter(|region| **region == u32::MAX).for_each(|region| *region = trunk);
        let joints = model.skeleton().joints();
        let owned = (0..model.mesh().triangles().len() as u32)
            .any(|t| of_node[joints[model.owning_joint(t).0 as usize].node] == trunk);
        if owned {
            regions.push(Region { name: "trunk".to_owned(), kind: RegionKind::Trunk, path });
        }
        Self::new(model, regions, of_node)
    }

    fn new(model: &Model, regions: Vec<Region>, of_node: Vec<u32>) -> Result<Self, ChainError> {
        let joints = model.skeleton().joints();
        let of_triangle: Vec<u32> = (0..model.mesh().triangles().len() as u32)
            .map(|t| of_node[joints[model.owning_joint(t).0 as usize].node])
            .collect();
        for (number, region) in (0..).zip(&regions) {
            if !of_triangle.contains(&number) {
                return Err(ChainError::EmptyRegion { region: region.name.clone() });
            }
        }
        Ok(Self { regions, of_triangle })
    }
}

/// The skeleton as lengths see it: only what leads to a joint that owns triangles counts.
struct JointTree {
    parent: Vec<Option<usize>>,
    children: Vec<Vec<usize>>,
    /// Parents first.
    order: Vec<usize>,
    owned: Vec<bool>,
    /// How far it is from a node's parent to the farthest tip below the node; 0 where nothing is owned.
    down: Vec<f64>,
    /// How far it is from a node, through its parent, to the farthest tip that is not below it.
    up: Vec<f64>,
    /// How far the triangles of a tip extend beyond it.
    extent: Vec<f64>,
    step: Vec<f64>,
}

impl JointTree {
    fn new(model: &Model) -> Result<Self, ChainError> {
        let nodes = model.skeleton().nodes();
        let worlds = model.skeleton().world_matrices(&model.rest_pose()).map_err(|_| ChainError::RestPose)?;
        let origins: Vec<DVec3> = worlds.iter().map(|world| world.translation).collect();
        let posed = model.posed(&model.rest_pose(), Skinning::Linear).map_err(|_| ChainError::RestPose)?;
        let positions = posed.positions();
        let parent: Vec<Option<usize>> = nodes.iter().map(|node| node.parent).collect();
        let mut children = vec![Vec::new(); nodes.len()];
        for (node, parent) in parent.iter().enumerate() {
            parent.iter().for_each(|&parent| children[parent].push(node));
        }
        let mut order: Vec<usize> = (0..nodes.len()).filter(|&node| parent[node].is_none()).collect();
        let mut next = 0;
        while next < order.len() {
            order.extend(&children[order[next]]);
            next += 1;
        }
        let mut tree = Self {
            owned: vec![false; nodes.len()],
            down: vec![0.0; nodes.len()],
            up: vec![0.0; nodes.len()],
            extent: vec![0.0; nodes.len()],
            step: (0..nodes.len())
                .map(|n| parent[n].map_or(0.0, |p| origins[n].distance(origins[p])))
                .collect(),
            parent,
            children,
            order,
        };
        for (number, corners) in (0..).zip(model.mesh().triangles()) {
            let node = model.skeleton().joints()[model.owning_joint(number).0 as usize].node;
            tree.owned[node] = true;
            let farthest = corners.map(|v| positions[v as usize].as_dvec3().distance(origins[node]));
            tree.extent[node] = farthest.into_iter().fold(tree.extent[node], f64::max);
        }
        tree.measure();
        Ok(tree)
    }

    fn measure(&mut self) {
        for &node in self.order.iter().rev() {
            let below = self.children[node].iter().map(|&child| self.down[child]).fold(0.0, f64::max);
            let own = if below == 0.0 && self.owned[node] { self.extent[node] } else { below };
            self.down[node] = if own > 0.0 { self.step[node] + own } else { 0.0 };
        }
        for &node in &self.order {
            let Some(parent) = self.parent[node] else { continue };
            let others = self.children[parent].iter().filter(|&&child| child != node);
            let beyond = others.map(|&child| self.down[child]).fold(self.up[parent], f64::max);
            let own = if beyond == 0.0 && self.owned[parent] { self.extent[parent] } else { beyond };
            self.up[node] = if own > 0.0 { self.step[node] + own } else { 0.0 };
        }
    }

    fn len(&self) -> usize {
        self.parent.len()
    }

    fn name(&self, model: &Model, node: usize) -> String {
        match model.skeleton().nodes()[node].name.as_str() {
            "" => format!("node {node}"),
            name => name.to_owned(),
        }
    }

    /// Lengths of all directions out of a node, longest first.
    fn directions(&self, node: usize) -> Vec<f64> {
        let mut lengths: Vec<f64> = self.children[node].iter().map(|&child| self.down[child]).collect();
        lengths.push(self.up[node]);
        lengths.sort_by(|a, b| b.total_cmp(a));
        lengths
    }

    fn long_directions(&self, node: usize, threshold: f64) -> usize {
        self.directions(node).iter().filter(|&&length| length >= threshold && length > 0.0).count()
    }

    fn longest_way(&self) -> f64 {
        (0..self.len()).map(|node| self.directions(node).iter().take(2).sum()).fold(0.0, f64::max)
    }

    /// The marked nodes, and those between them.
    fn connecting(&self, marked: &[bool]) -> Vec<bool> {
        let mut below: Vec<usize> = marked.iter().map(|&marked| usize::from(marked)).collect();
        for &node in self.order.iter().rev() {
            below[node] += self.children[node].iter().map(|&child| below[child]).sum::<usize>();
        }
        let total: usize = marked.iter().filter(|&&marked| marked).count();
        let between = |node: usize| {
            let branches = self.children[node].iter().filter(|&&child| below[child] > 0).count();
            marked[node] || branches > 1 || (below[node] > 0 && below[node] < total)
        };
        (0..self.len()).map(between).collect()
    }

    fn below(&self, top: usize) -> Vec<bool> {
        let mut below = vec![false; self.len()];
        below[top] = true;
        for &node in &self.order {
            below[node] |= self.parent[node].is_some_and(|parent| below[parent]);
        }
        below
    }

    /// From a node to the farthest tip below it.
    fn path_downwards(&self, node: usize) -> Vec<usize> {
        let mut path = vec![node];
        let mut at = node;
        let longer = |a: usize, b: usize| if self.down[b] > self.down[a] { b } else { a };
        while let Some(next) = self.children[at].iter().copied().reduce(longer) {
            if self.down[next] == 0.0 {
                break;
            }
            path.push(next);
            at = next;
        }
        path
    }

    /// From the parent of a node to the farthest tip that is not below the node.
    fn path_upwards(&self, node: usize) -> Vec<usize> {
        let mut path = Vec::new();
        let mut at = node;
        while let Some(parent) = self.parent[at] {
            path.push(parent);
            let others = self.children[parent].iter().copied().filter(|&child| child != at);
            let longest = others
                .reduce(|a, b| if self.down[b] > self.down[a] { b } else { a })
                .filter(|&child| self.down[child] > 0.0 && self.down[child] >= self.up[parent]);
            if let Some(child) = longest {
                path.extend(self.path_downwards(child));
                break;
            }
            at = parent;
        }
        path
    }

    fn longest_path(&self) -> Vec<usize> {
        self.longest_path_within(&vec![true; self.len()])
    }

    /// Between the two nodes that are farthest apart, of those that are marked, through marked nodes that lead to triangles.
    fn longest_path_within(&self, marked: &[bool]) -> Vec<usize> {
        let leads = |node: usize| marked[node] && (self.owned[node] || self.down[node] > 0.0);
        let farthest = |from: usize| -> (Vec<usize>, f64) {
            let mut best = (vec![from], 0.0);
            let mut open = vec![(vec![from], 0.0)];
            while let Some((path, length)) = open.pop() {
                let at = path[path.len() - 1];
                if length > best.1 {
                    best = (path.clone(), length);
                }
                let upwards = self.parent[at].map(|parent| (parent, self.step[at]));
                let downwards = self.children[at].iter().map(|&child| (child, self.step[child]));
                for (next, step) in upwards.into_iter().chain(downwards) {
                    if leads(next) && !path.contains(&next) {
                        open.push(([&path[..], &[next]].concat(), length + step));
                    }
                }
            }
            best
        };
        let Some(start) = self.order.iter().copied().find(|&node| leads(node)) else { return Vec::new() };
        let (first, _) = farthest(start);
        farthest(first[first.len() - 1]).0.into_iter().rev().collect()
    }
}
