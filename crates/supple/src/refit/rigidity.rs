//! Which joints of a posed body move as one, and how far apart triangles that follow them must be at rest.
//!
//! Joints are gathered parents first: a joint that moves like the representative of its parent, but for rounding, joins it.
//! A vertex `v` whose joints all follow the representative `C` is off from `C v` by at most
//!
//! ```text
//! max_i |(C_i - C) v|  +  bend  +  rounding          the bend where rotations are blended
//! ```
//!
//! So two points that are `d` apart at rest are at least `s d - 2 (that)` apart posed, `s` being the smallest singular value
//! of `C`. Fingers, toes and faces that a clip leaves alone, and everything in a rest pose, move as one.

use super::Body;
use crate::tree::{SEVERAL, Tree};

/// A joint joins others if it is off by at most this many margins for rounding: rounding of files and of bends.
const MARGINS: f32 = 64.0;

/// Joints of a pose that move as one.
pub(crate) struct Rigidity {
    /// For every joint the one that it moves like.
    representatives: Vec<u32>,
    /// For every representative the distance at rest from which on points do not meet; infinite where there is none.
    separable: Vec<f32>,
}

impl Body {
    /// Looks at the current pose, joint by joint.
    pub(crate) fn rigidity(&self) -> Rigidity {
        let (tree, palette) = (self.tree(), self.palette());
        let (joints, bends) = (self.model().skin().joint_count(), self.bends_of_joints());
        let most = MARGINS * palette.rigid_margin(tree.most_joints);
        let mut representatives: Vec<u32> = (0..joints as u32).collect();
        // How far joints are off that others joined; negative where none did.
        let mut off = vec![-1.0f32; joints];
        for &[joint, parent] in tree.kinship.joints_and_parents() {
            let representative = representatives[parent as usize];
            let radius = tree.rest_radii[joint as usize].max(0.0);
            let apart = palette.apart(joint, representative, radius) + bends[joint as usize];
            if joint != representative && apart <= most {
                representatives[joint as usize] = representative;
                let off = &mut off[representative as usize];
                *off = off.max(apart);
            }
        }
        let separable = (0..joints).map(|joint| {
            let influences = if off[joint] < 0.0 { 1 } else { tree.most_joints };
            palette.separable_distance(joint, influences, 2.0 * off[joint].max(0.0))
        });
        Rigidity { separable: separable.collect(), representatives }
    }
}

impl Rigidity {
    /// For every node the joint that all vertices below it move like, or [`SEVERAL`]. O(nodes): a few nanoseconds each.
    pub fn of_nodes(&self, tree: &Tree) -> Vec<u32> {
        let mut found = Vec::with_capacity(tree.nodes.len());
        for (index, node) in tree.nodes.iter().enumerate() {
            let alone = tree.kinship.of_node(index).mover;
            let moves_like = match self.representatives.get(alone as usize) {
                Some(&joint) => joint,
                None => match (node.twig(), node.above_twigs()) {
                    (Some(twig), _) if twig == index => self.common(tree.twig_joints(twig).iter()),
                    // The twig comes before what is below it.
                    (Some(twig), _) => found[twig],
                    (_, number) => self.common(tree.groups.linear_joints_of(number.unwrap_or(0)).iter()),
                },
            };
            found.push(moves_like);
        }
        found
    }

    /// What all joints move like.
    fn common<'j>(&self, mut joints: impl Iterator<Item = &'j u32>) -> u32 {
        let first = joints.next().map_or(SEVERAL, |&joint| self.representatives[joint as usize]);
        let agree = joints.all(|&joint| self.representatives[joint as usize] == first);
        if agree { first } else { SEVERAL }
    }

    /// The distance at rest from which on points that move like a joint do not meet.
    #[inline(always)]
    pub fn separable_distance(&self, joint: u32) -> f32 {
        self.separable[joint as usize]
    }
}
