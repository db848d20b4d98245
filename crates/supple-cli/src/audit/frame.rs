//! One frame: which bones intersect, by how many pairs of triangles and how deep.

use std::collections::BTreeMap;

use anyhow::Context;
use glam::Vec3;
use supple::pose::Pose;
use supple::{Body, SelfFilter, self_collide};

use super::bones::{Bones, Wanted};
use super::depth::Surfaces;
use super::report::Moment;
use crate::arguments::AuditArguments;
use crate::failure::{Blame, Failure, OrBlame};

/// What frames are asked, and what no frame changes.
#[derive(Debug)]
pub struct Question {
    pub bones: Bones,
    pub surfaces: Surfaces,
    wanted: Wanted,
    filter: SelfFilter,
    ignore_rest: bool,
    /// Pairs that intersect at rest, ascending.
    rest_pairs: Vec<[u32; 2]>,
}

/// Intersecting bones in ascending order, each pair with the triangles that count: those of the first bone first.
pub type Intersections = BTreeMap<[usize; 2], Intersection>;

/// Numbers and depths of a frame, bones in ascending order.
pub type Moments = Vec<([usize; 2], Moment)>;

/// Two bones in one frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Intersection {
    pub triangles: Vec<[u32; 2]>,
    pub new_pairs: usize,
    pub rest_pairs: usize,
}

impl Question {
    /// Asks the rest pose which pairs intersect in it.
    pub fn new(
        body: &mut Body,
        bones: Bones,
        surfaces: Surfaces,
        arguments: &AuditArguments,
    ) -> Result<Self, Failure> {
        let mut question = Self {
            wanted: Wanted::new(&bones, &arguments.bones)?,
            bones,
            surfaces,
            filter: SelfFilter {
                adjacent_rings: arguments.rings,
                same_joint: arguments.skip_same_bone,
                parent_and_child: arguments.skip_parent_child,
                ..SelfFilter::default()
            },
            ignore_rest: arguments.ignore_rest,
            rest_pairs: Vec::new(),
        };
        question.rest_pairs = question.ask(body, &body.shape().clone().model().rest_pose())?;
        Ok(question)
    }

    /// What intersects in the rest pose, all of it counted.
    pub fn at_rest(&self) -> Intersections {
        self.grouped(&self.rest_pairs, false)
    }

    /// What intersects in a pose.
    pub fn intersections(&self, body: &mut Body, pose: &Pose) -> Result<Intersections, Failure> {
        Ok(self.grouped(&self.ask(body, pose)?, self.ignore_rest))
    }

    /// Numbers and depths of a frame.
    pub fn moments(&self, intersections: &Intersections, frame: usize, positions: &[Vec3]) -> Moments {
        let posed = self.surfaces.posed(positions);
        let moment = |(&bones, found): (&[usize; 2], &Intersection)| {
            let depth = posed.depth(bones, &found.triangles);
            let Intersection { new_pairs, rest_pairs, .. } = *found;
            (bones, Moment { frame, new_pairs, rest_pairs, depth })
        };
        intersections.iter().map(moment).collect()
    }

    fn ask(&self, body: &mut Body, pose: &Pose) -> Result<Vec<[u32; 2]>, Failure> {
        body.set_pose(pose).or_blame(Blame::Input)?;
        let found = self_collide(body, &self.filter).context("self-collision").or_blame(Blame::Usage)?;
        Ok(found.pairs)
    }

    fn grouped(&self, pairs: &[[u32; 2]], ignore_rest: bool) -> Intersections {
        let mut groups = Intersections::new();
        for &[a, b] in pairs {
            let (bone_a, bone_b) = (self.bones.of_triangle(a), self.bones.of_triangle(b));
            let at_rest = self.rest_pairs.binary_search(&[a, b]).is_ok();
            if !self.wanted.contains(bone_a, bone_b) || at_rest && ignore_rest {
                continue;
            }
            let in_order = bone_a <= bone_b;
            let group = groups.entry(if in_order { [bone_a, bone_b] } else { [bone_b, bone_a] }).or_default();
            group.triangles.push(if in_order { [a, b] } else { [b, a] });
            *if at_rest { &mut group.rest_pairs } else { &mut group.new_pairs } += 1;
        }
        groups
    }
}
