//! One frame: which bones intersect, by how many pairs of triangles and how deep.
//!
//! In: a body and a pose. Out: pairs of bones in ascending order, each with its intersecting triangles.

use std::collections::BTreeMap;

use glam::Vec3;
use supple::pose::{Pose, PoseError};
use supple::{Body, SelfFilter, self_collide_with};

use crate::bones::{Bones, Wanted};
use crate::depth::Surfaces;
use crate::error::AuditError;
use crate::findings::Moment;
use crate::options::AuditOptions;

/// Finds the intersections of a frame: all that it needs for that and no frame changes.
#[derive(Debug)]
pub struct Finder {
    pub bones: Bones,
    surfaces: Surfaces,
    wanted: Wanted,
    filter: SelfFilter,
    ignore_rest: bool,
    /// Pairs that intersect at rest, ascending.
    rest_pairs: Vec<[u32; 2]>,
}

/// Intersecting bones in ascending order, each pair with the triangles that count: those of the first bone first.
pub type Intersections = BTreeMap<[u32; 2], Intersection>;

/// Numbers and depths of a frame, bones in ascending order.
pub type Moments = Vec<([u32; 2], Moment)>;

/// Two bones in one frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Intersection {
    pub triangles: Vec<[u32; 2]>,
    pub new_pairs: usize,
    pub rest_pairs: usize,
}

impl Finder {
    /// Asks the body which pairs intersect in the rest pose, whose vertices are at `rest_positions`.
    pub fn new(body: &mut Body, rest_positions: &[Vec3], options: &AuditOptions) -> Result<Self, AuditError> {
        let shape = body.shape().clone();
        let model = shape.model();
        let bones = Bones::new(model);
        let mut finder = Self {
            surfaces: Surfaces::new(model, &bones, rest_positions),
            wanted: Wanted::new(&bones, &options.bones)?,
            bones,
            filter: options.filter(),
            ignore_rest: options.ignore_rest,
            rest_pairs: Vec::new(),
        };
        finder.rest_pairs = finder.pairs(body, &model.rest_pose()).map_err(AuditError::RestPose)?;
        Ok(finder)
    }

    /// What intersects in the rest pose, all of it counted.
    pub fn at_rest(&self) -> Intersections {
        self.grouped(&self.rest_pairs, false)
    }

    /// What intersects in a pose.
    pub fn intersections(&self, body: &mut Body, pose: &Pose) -> Result<Intersections, PoseError> {
        Ok(self.grouped(&self.pairs(body, pose)?, self.ignore_rest))
    }

    /// Numbers and depths of a frame.
    pub fn moments(&self, intersections: &Intersections, frame: usize, positions: &[Vec3]) -> Moments {
        let posed = self.surfaces.posed(positions);
        let moment = |(&bones, found): (&[u32; 2], &Intersection)| {
            let depth = posed.depth(bones, &found.triangles);
            let Intersection { new_pairs, rest_pairs, .. } = *found;
            (bones, Moment { frame, new_pairs, rest_pairs, depth })
        };
        intersections.iter().map(moment).collect()
    }

    fn pairs(&self, body: &mut Body, pose: &Pose) -> Result<Vec<[u32; 2]>, PoseError> {
        body.set_pose(pose)?;
        let answer = self_collide_with(body, &self.filter);
        Ok(answer.expect("a filter without pairs of joints fits every model").found)
    }

    fn grouped(&self, pairs: &[[u32; 2]], ignore_rest: bool) -> Intersections {
        let (mut groups, owners) = (Intersections::new(), self.bones.of_triangles());
        for &[a, b] in pairs {
            let (bone_a, bone_b) = (owners[a as usize], owners[b as usize]);
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
