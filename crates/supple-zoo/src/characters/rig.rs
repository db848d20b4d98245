//! The skeleton of a character under construction.
//!
//! In: bones by name, from head to tail in rest space, with the axis they bend about. Out: a [`Skeleton`] whose local
//! axes mean the same for every joint: +Y runs along the bone, a positive turn about +X is the natural bend (a knee
//! folds, a fist closes), a turn about Y is a twist, about Z a sideways swing.

use glam::{DAffine3, DMat3, DQuat, DVec3};
use supple::pose::{Joint, Node, Skeleton, SkeletonError};
use supple::{Pose, Transform};

/// Bones, parents first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rig {
    bones: Vec<Bone>,
}

#[derive(Clone, Debug)]
struct Bone {
    name: String,
    parent: Option<usize>,
    head: DVec3,
    rest_from_bone: DQuat,
}

impl Rig {
    /// Adds a bone. A name that ends in `_l` also adds its mirror image `_r` at the plane x = 0.
    ///
    /// # Panics
    /// The parent was not added before.
    pub fn bone(&mut self, name: &str, parent: &str, head: DVec3, tail: DVec3, bend: DVec3) {
        self.push(name, parent, head, tail, bend);
        if let Some(other) = mirrored_name(name) {
            let mirror = DVec3::new(-1.0, 1.0, 1.0);
            // The mirror image of a turn is the turn about the mirrored axis in the other direction.
            let parent = mirrored_name(parent).unwrap_or_else(|| parent.to_owned());
            self.push(&other, &parent, head * mirror, tail * mirror, bend * -mirror);
        }
    }

    /// Index of a bone.
    ///
    /// # Panics
    /// There is no such bone.
    pub fn index(&self, name: &str) -> usize {
        self.bones.iter().position(|b| b.name == name).expect("the recipe names only bones of its own rig")
    }

    pub fn len(&self) -> usize {
        self.bones.len()
    }

    /// Nodes and joints; the inverse bind matrices undo the rest pose.
    pub fn skeleton(&self) -> Result<Skeleton, SkeletonError> {
        let nodes: Vec<Node> = self.bones.iter().map(|bone| self.node(bone)).collect();
        let unbound = |node| Joint { node, inverse_bind: DAffine3::IDENTITY };
        let skeleton = Skeleton::new(nodes.clone(), (0..nodes.len()).map(unbound).collect())?;
        let rest = Pose { nodes: nodes.iter().map(|n| n.rest).collect(), coefficients: Vec::new() };
        let world = skeleton.world_matrices(&rest).expect("the pose has one entry per node, all finite");
        let bound = |(node, world): (usize, &DAffine3)| Joint { node, inverse_bind: world.inverse() };
        Skeleton::new(nodes, world.iter().enumerate().map(bound).collect())
    }

    fn push(&mut self, name: &str, parent: &str, head: DVec3, tail: DVec3, bend: DVec3) {
        let along = (tail - head).normalize();
        let x = (bend - along * bend.dot(along)).normalize();
        let rest_from_bone = DQuat::from_mat3(&DMat3::from_cols(x, along, x.cross(along)));
        let parent = (!parent.is_empty()).then(|| self.index(parent));
        self.bones.push(Bone { name: name.to_owned(), parent, head, rest_from_bone });
    }

    fn node(&self, bone: &Bone) -> Node {
        let (origin, turn) = match bone.parent.map(|p| &self.bones[p]) {
            Some(parent) => (parent.head, parent.rest_from_bone),
            None => (DVec3::ZERO, DQuat::IDENTITY),
        };
        let rest = Transform {
            translation: (turn.inverse() * (bone.head - origin)).as_vec3(),
            rotation: (turn.inverse() * bone.rest_from_bone).normalize().as_quat(),
            ..Transform::IDENTITY
        };
        Node::new(bone.name.clone(), bone.parent, rest)
    }
}

/// `hand_l` to `hand_r`; `None` for what is not on the left.
pub(crate) fn mirrored_name(name: &str) -> Option<String> {
    name.strip_suffix("_l").map(|stem| format!("{stem}_r"))
}
