//! One frame: which bones intersect, by how many pairs of triangles and how deep, and what is left out.
//!
//! In: a body and a pose. Out: pairs of bones in ascending order, each with its intersecting triangles.
//! Must hold: every pair of triangles that intersects and shares no vertex is in a group or counted as left out.

use std::collections::BTreeMap;

use glam::Vec3;
use supple::pose::{Pose, PoseError};
use supple::{Body, Model, SelfFilter, self_collide, self_collide_with};

use crate::bones::{Bones, Wanted};
use crate::depth::Surfaces;
use crate::error::AuditError;
use crate::findings::Moment;
use crate::left_out::{LeftOutOfFrame, Reason};
use crate::morphs::Morphs;
use crate::options::AuditOptions;

/// Finds the intersections of a frame: all that it needs for that and no frame changes.
#[derive(Debug)]
pub struct Finder {
    pub bones: Bones,
    surfaces: Surfaces,
    wanted: Wanted,
    /// Bones tell nothing about pairs of a model where all triangles belong to one.
    only_one_bone: bool,
    skip_same_bone: bool,
    skip_parent_child: bool,
    rings: u32,
    ignore_rest: bool,
    /// Those that are left out are among them.
    at_rest: Touching,
}

/// Pairs of triangles that intersect in a pose, ascending.
#[derive(Clone, Debug, Default)]
struct Touching {
    all: Vec<[u32; 2]>,
    /// Those of them that are not near each other along the surface; only where that matters.
    beyond_rings: Option<Vec<[u32; 2]>>,
}

/// What is found in a frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Intersections {
    /// Intersecting bones in ascending order.
    pub groups: BTreeMap<[u32; 2], Intersection>,
    pub left_out: LeftOutOfFrame,
}

/// Two bones in one frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Intersection {
    /// Those that count, that of the first bone first.
    pub triangles: Vec<[u32; 2]>,
    pub new_pairs: usize,
    pub rest_pairs: usize,
}

/// Numbers of a frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FrameNumbers {
    /// Bones in ascending order.
    pub moments: Vec<([u32; 2], Moment)>,
    pub left_out: LeftOutOfFrame,
}

impl Finder {
    /// Asks the body which pairs intersect in the rest pose, whose vertices are at `rest_positions`.
    pub fn new(body: &mut Body, rest_positions: &[Vec3], options: &AuditOptions) -> Result<Self, AuditError> {
        let shape = body.shape().clone();
        let model = shape.model();
        let bones = Bones::new(model);
        let rest_pose = model.rest_pose();
        let mut finder = Self {
            surfaces: Surfaces::new(model, &bones, rest_positions),
            wanted: Wanted::new(&bones, &options.bones)?,
            only_one_bone: bones.of_triangles().windows(2).all(|pair| pair[0] == pair[1]),
            bones,
            skip_same_bone: options.skip_same_bone,
            skip_parent_child: options.skip_parent_child,
            rings: options.rings,
            ignore_rest: options.ignore_rest,
            at_rest: Touching::default(),
        };
        finder.at_rest = finder.touching(body, &rest_pose).map_err(AuditError::RestPose)?;
        Ok(finder)
    }

    /// What intersects in the rest pose, all of it counted.
    pub fn at_rest(&self, model: &Model) -> Intersections {
        self.grouped(model, &self.at_rest, &model.rest_pose(), false)
    }

    /// What intersects in a pose.
    pub fn intersections(&self, body: &mut Body, pose: &Pose) -> Result<Intersections, PoseError> {
        let touching = self.touching(body, pose)?;
        Ok(self.grouped(body.shape().model(), &touching, pose, self.ignore_rest))
    }

    /// Numbers and depths of a frame; `positions` are asked for only where something intersects.
    pub fn numbers<E>(
        &self,
        found: &Intersections,
        frame: usize,
        positions: impl FnOnce() -> Result<Vec<Vec3>, E>,
    ) -> Result<FrameNumbers, E> {
        let left_out = found.left_out;
        if found.groups.is_empty() {
            return Ok(FrameNumbers { moments: Vec::new(), left_out });
        }
        let positions = positions()?;
        let posed = self.surfaces.posed(&positions);
        let moment = |(&bones, found): (&[u32; 2], &Intersection)| {
            let depth = posed.depth(bones, &found.triangles);
            let Intersection { new_pairs, rest_pairs, .. } = *found;
            (bones, Moment { frame, new_pairs, rest_pairs, depth })
        };
        Ok(FrameNumbers { moments: found.groups.iter().map(moment).collect(), left_out })
    }

    /// Asks without a filter, so that what is left out can be counted. A walk that leaves out joints takes half the time, but
    /// for the same counts it would have to be followed by this one.
    fn touching(&self, body: &mut Body, pose: &Pose) -> Result<Touching, PoseError> {
        body.set_pose(pose)?;
        let all = self_collide(body).found;
        let beyond_rings = (self.rings > 0 && !all.is_empty()).then(|| {
            let filter = SelfFilter::default().with_rings(self.rings);
            self_collide_with(body, &filter).expect("a filter without pairs of joints fits every model").found
        });
        Ok(Touching { all, beyond_rings })
    }

    fn grouped(&self, model: &Model, touching: &Touching, pose: &Pose, ignore_rest: bool) -> Intersections {
        let (mut found, owners) = (Intersections::default(), self.bones.of_triangles());
        let morphs = Morphs::new(model, pose);
        for &[a, b] in &touching.all {
            let bones = [a, b].map(|triangle| owners[triangle as usize]);
            let at_rest = self.at_rest.all.binary_search(&[a, b]).is_ok();
            let is_near =
                touching.beyond_rings.as_ref().is_some_and(|far| far.binary_search(&[a, b]).is_err());
            let is_by_morphs = || !at_rest && (morphs.move_triangle(a) || morphs.move_triangle(b));
            let by_bones = self.left_out_by_bones(bones, is_by_morphs);
            let by_place = is_near.then_some(Reason::Rings);
            let by_rest = (at_rest && ignore_rest).then_some(Reason::Rest);
            if let Some(reason) = by_bones.or(by_place).or(by_rest) {
                found.left_out[reason as usize] += 1;
                continue;
            }
            let in_order = bones[0] <= bones[1];
            let group = found.groups.entry(if in_order { bones } else { [bones[1], bones[0]] }).or_default();
            group.triangles.push(if in_order { [a, b] } else { [b, a] });
            *if at_rest { &mut group.rest_pairs } else { &mut group.new_pairs } += 1;
        }
        found
    }

    fn left_out_by_bones(&self, [a, b]: [u32; 2], is_by_morphs: impl Fn() -> bool) -> Option<Reason> {
        if !self.wanted.contains(a, b) {
            return Some(Reason::OtherBones);
        }
        if a == b {
            let is_left_out = self.skip_same_bone && !self.only_one_bone && !is_by_morphs();
            return is_left_out.then_some(Reason::SameBone);
        }
        let are_kin = self.bones.parent(a) == Some(b) || self.bones.parent(b) == Some(a);
        (self.skip_parent_child && are_kin).then_some(Reason::ParentChild)
    }
}
