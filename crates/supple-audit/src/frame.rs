//! One frame: which parts of the body go through which, how deep, and of what kind.
//!
//! In: a body and a pose. Out: what is found, by parts of the body and kind, and how much is left out.
//! Must hold: every pair of triangles that intersects and shares no vertex is in a contact or counted as left out.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use glam::Vec3;
use supple::pose::{Pose, PoseError};
use supple::{Aabb, Body, Isometry, Model, Skinning, self_collide};

use crate::along_surface::AlongSurface;
use crate::between::PartSets;
use crate::body_parts::BodyParts;
use crate::bones::{Bones, Wanted};
use crate::cell_tree::{CellTree, cell_trees};
use crate::contacts::{Contact, contacts};
use crate::cuts::Growing;
use crate::depth::{Depth, Depths};
use crate::error::AuditError;
use crate::kind::{AtRest, Kind, depth_of};
use crate::left_out::{LeftOutOfFrame, Reason};
use crate::options::AuditOptions;
use crate::still::StillContacts;
use crate::surface::Surface;
use crate::visibility::Visibility;

/// A joint whose matrix makes everything smaller than this hides what it carries.
const HIDDEN: f32 = 0.02;

/// Finds what intersects in a frame: all that it needs for that and no frame changes.
#[derive(Debug)]
pub struct Finder {
    pub bones: Bones,
    pub parts: BodyParts,
    pub surface: Surface,
    pub size: f32,
    trees: Vec<CellTree>,
    wanted: Wanted,
    /// The meshes that are looked at, if not all of them.
    between: Option<PartSets>,
    bones_apart: u32,
    /// The mesh of each triangle, as a part of the model.
    meshes: Vec<u32>,
    min_depth: f32,
    skinning: Skinning,
    at_rest: AtRest,
    still: StillContacts,
    /// The contacts of the rest pose, and what is found of each; of those that are still this is so in every frame.
    rest_contacts: Vec<Contact>,
    found_at_rest: Vec<(Key, Found)>,
}

/// What one frame after the other may use.
#[derive(Clone, Debug)]
pub struct Workplace {
    pub body: Body,
    growing: Growing,
    along: AlongSurface,
}

/// What makes contacts one event: the two sides and the kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Key {
    pub sides: [SideKey; 2],
    pub kind: Kind,
    /// Whether they are separate surfaces of one mesh.
    pub are_layers: bool,
}

/// A part of the body, and the mesh where those of both sides differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SideKey {
    pub part: u32,
    pub mesh: Option<u32>,
}

/// All contacts of a frame with one key.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Found {
    pub pairs: usize,
    pub depth: f32,
    pub rest_depth: f32,
    /// Whether it can be seen; only free contacts that are deep enough are looked at.
    pub is_seen: bool,
    pub bones: [BTreeSet<u32>; 2],
}

/// What is found in a frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Frame {
    pub found: BTreeMap<Key, Found>,
    pub left_out: LeftOutOfFrame,
    pub hidden_bones: BTreeSet<u32>,
}

/// What intersects in a pose.
struct Touching {
    contacts: Vec<Contact>,
    /// Contacts of the rest pose that are still.
    still: BTreeSet<usize>,
    left_out: LeftOutOfFrame,
    hidden_bones: BTreeSet<u32>,
}

impl Found {
    fn add(&mut self, contact: &Contact, owners: &[u32]) {
        self.pairs += contact.pairs.len();
        for side in 0..2 {
            self.bones[side].extend(contact.pairs.iter().map(|pair| owners[pair[side] as usize]));
        }
    }

    fn merge(&mut self, other: &Self) {
        self.pairs += other.pairs;
        self.depth = self.depth.max(other.depth);
        self.rest_depth = self.rest_depth.max(other.rest_depth);
        for side in 0..2 {
            self.bones[side].extend(&other.bones[side]);
        }
    }
}

/// A contact of a frame with all that is known of it.
#[derive(Clone, Debug)]
pub struct Looked {
    pub key: Key,
    pub contact: Contact,
    pub depth: f32,
    pub cut_off: [Vec<u32>; 2],
    pub area: f32,
    /// The share of rays that leave the body.
    pub visibility: f32,
    pub point: Vec3,
}

impl Finder {
    /// Asks the body what crosses in the rest pose. Triangles of one rigid group never move against each other.
    pub fn new(
        workplace_of: Body,
        options: &AuditOptions,
        rigid_groups: &[Option<usize>],
    ) -> Result<(Self, Workplace), AuditError> {
        let shape = workplace_of.shape().clone();
        let model = shape.model();
        let bones = Bones::new(model);
        let parts = BodyParts::new(model, &bones);
        let rest = posed(model, &model.rest_pose(), options.skinning).map_err(AuditError::RestPose)?;
        let half = Aabb::from_points(rest.iter().copied()).half_extents();
        let part_of: Vec<u32> =
            bones.of_triangles().iter().map(|&bone| parts.of_bones()[bone as usize]).collect();
        let surface = Surface::new(model, &part_of, &rest);
        let extent = if rest.is_empty() { 0.0 } else { 2.0 * half.max_element() };
        let size = options.size.unwrap_or(extent);
        let mut workplace = Workplace {
            growing: Growing::new(&surface),
            along: AlongSurface::new(&surface),
            body: workplace_of,
        };
        let mut finder = Self {
            trees: cell_trees(&surface, &rest),
            wanted: Wanted::new(&bones, &options.bones)?,
            between: options.between.as_ref().map(|[a, b]| PartSets::new(model, a, b)).transpose()?,
            bones_apart: options.bones_apart,
            meshes: meshes(model),
            min_depth: options.min_depth.in_units(size),
            skinning: options.skinning,
            at_rest: AtRest::default(),
            still: StillContacts::default(),
            rest_contacts: Vec::new(),
            found_at_rest: Vec::new(),
            bones,
            parts,
            surface,
            size,
        };
        let pose = model.rest_pose();
        let contacts = match options.compare_rest {
            true => finder.touching(&mut workplace, &pose).map_err(AuditError::RestPose)?.contacts,
            false => Vec::new(),
        };
        let depths = finder.depths(&contacts, &rest, &mut workplace.growing, |depths, _| depths.to_vec());
        let crossing: Vec<(Contact, f32)> = contacts
            .into_iter()
            .zip(&depths)
            .map(|(contact, depth)| {
                let depth = depth_of(&finder.surface, &contact, depth);
                (contact, depth)
            })
            .collect();
        finder.at_rest = AtRest::new(&finder.surface, &crossing, size, &mut workplace.along);
        finder.at_rest.is_rigid = rigid_groups.iter().map(Option::is_some).collect();
        finder.still = StillContacts::new(model, crossing.iter().map(|(contact, _)| contact), rigid_groups);
        for (contact, depth) in crossing {
            let (key, contact) = finder.keyed(contact, Kind::Layered);
            let mut found = Found { depth, rest_depth: depth, ..Found::default() };
            found.add(&contact, finder.bones.of_triangles());
            finder.found_at_rest.push((key, found));
            finder.rest_contacts.push(contact);
        }
        Ok((finder, workplace))
    }

    /// What is found in a pose.
    pub fn frame(&self, workplace: &mut Workplace, pose: &Pose) -> Result<Frame, PoseError> {
        let Touching { contacts, still, left_out, hidden_bones } = self.touching(workplace, pose)?;
        let mut frame = Frame { left_out, hidden_bones, ..Frame::default() };
        for number in still {
            let (key, found) = &self.found_at_rest[number];
            frame.found.entry(*key).or_default().merge(found);
        }
        if contacts.is_empty() {
            return Ok(frame);
        }
        let positions = posed(workplace.body.shape().model(), pose, self.skinning)?;
        let depths = self.depths(&contacts, &positions, &mut workplace.growing, |depths, _| depths.to_vec());
        for (contact, depth) in contacts.into_iter().zip(depths) {
            let (kind, depth, rest_depth) =
                self.at_rest.kind(&self.surface, &contact, &depth, &mut workplace.along);
            let (key, contact) = self.keyed(contact, kind);
            let found = frame.found.entry(key).or_default();
            found.add(&contact, self.bones.of_triangles());
            found.depth = found.depth.max(depth);
            found.rest_depth = found.rest_depth.max(rest_depth);
            if kind == Kind::Free && !found.is_seen && depth >= self.min_depth {
                let from = Visibility::new(&self.surface, &positions, &contact, self.size);
                found.is_seen = from.is_seen(&mut workplace.body);
            }
        }
        Ok(frame)
    }

    /// Looks at the contacts of some keys once more, thoroughly.
    pub fn look(
        &self,
        workplace: &mut Workplace,
        pose: &Pose,
        keys: &[Key],
    ) -> Result<Vec<Looked>, PoseError> {
        let Touching { contacts, still, .. } = self.touching(workplace, pose)?;
        let still: Vec<Contact> =
            still.into_iter().map(|number| self.rest_contacts[number].clone()).collect();
        let positions = posed(workplace.body.shape().model(), pose, self.skinning)?;
        let mut looked = self.look_at(workplace, contacts, &positions, None, keys);
        looked.extend(self.look_at(workplace, still, &positions, Some(Kind::Layered), keys));
        Ok(looked)
    }

    fn look_at(
        &self,
        workplace: &mut Workplace,
        contacts: Vec<Contact>,
        positions: &[Vec3],
        known_kind: Option<Kind>,
        keys: &[Key],
    ) -> Vec<Looked> {
        let measured = self.depths(&contacts, positions, &mut workplace.growing, |depths, measured| {
            let cut_off = |(number, depth): (usize, &Depth)| (depth.clone(), measured.cut_off(number, depth));
            depths.iter().enumerate().map(cut_off).collect::<Vec<_>>()
        });
        let mut looked = Vec::new();
        for (contact, (depth, (cut_off, area))) in contacts.into_iter().zip(measured) {
            let (kind, depth, _) = self.at_rest.kind(&self.surface, &contact, &depth, &mut workplace.along);
            let first = contact.pairs[0];
            let (key, contact) = self.keyed(contact, known_kind.unwrap_or(kind));
            if !keys.contains(&key) {
                continue;
            }
            let is_swapped = contact.pairs[0] != first;
            let from = Visibility::new(&self.surface, positions, &contact, self.size);
            looked.push(Looked {
                key,
                depth,
                cut_off: if is_swapped { swapped(cut_off) } else { cut_off },
                area,
                visibility: from.share(&mut workplace.body),
                point: from.middle(),
                contact,
            });
        }
        looked
    }

    fn depths<R>(
        &self,
        crossing: &[Contact],
        positions: &[Vec3],
        growing: &mut Growing,
        take: impl FnOnce(&[Depth], &Depths) -> R,
    ) -> R {
        let measured = Depths::new(&self.surface, &self.trees, positions, crossing, growing);
        take(&measured.all(), &measured)
    }

    /// Asks without a filter, so that what is left out can be counted.
    fn touching(&self, workplace: &mut Workplace, pose: &Pose) -> Result<Touching, PoseError> {
        let body = &mut workplace.body;
        body.set_pose(pose)?;
        let hidden_bones = self.hidden_bones(body.shape().model(), pose)?;
        let mut left_out = LeftOutOfFrame::default();
        let mut pairs = self_collide(body).found;
        pairs.retain(|pair| {
            let reason = self.left_out(*pair, &hidden_bones);
            if let Some(reason) = reason {
                left_out[reason as usize] += 1;
            }
            reason.is_none()
        });
        let still = self.still.take_from(&mut pairs);
        Ok(Touching { contacts: contacts(&self.surface, &pairs), still, left_out, hidden_bones })
    }

    fn left_out(&self, [a, b]: [u32; 2], hidden: &BTreeSet<u32>) -> Option<Reason> {
        if self.between.as_ref().is_some_and(|sets| !sets.is_between(a, b)) {
            return Some(Reason::OtherMeshes);
        }
        let [a, b] = [a, b].map(|triangle| self.bones.of_triangles()[triangle as usize]);
        if !self.wanted.contains(a, b) {
            return Some(Reason::OtherBones);
        }
        let steps = || self.bones.steps_apart(a, b).unwrap_or(u32::MAX);
        if self.bones_apart > 0 && steps() < self.bones_apart {
            return Some(Reason::NearBones);
        }
        (hidden.contains(&a) || hidden.contains(&b)).then_some(Reason::HiddenBones)
    }

    /// Bones that carry triangles and scale them to almost nothing.
    fn hidden_bones(&self, model: &Model, pose: &Pose) -> Result<BTreeSet<u32>, PoseError> {
        let matrices = model.skeleton().joint_matrices(pose, Isometry::IDENTITY)?;
        let is_small = |matrix: &glam::Affine3A| {
            let columns = [matrix.matrix3.x_axis, matrix.matrix3.y_axis, matrix.matrix3.z_axis];
            columns.iter().all(|column| column.length() < HIDDEN)
        };
        let small = matrices.iter().zip(self.bones.of_joints()).filter(|(matrix, _)| is_small(matrix));
        Ok(small.map(|(_, &bone)| bone).collect())
    }

    /// The key of a contact: what most of its pairs are; with the sides in the order of the key.
    fn keyed(&self, contact: Contact, kind: Kind) -> (Key, Contact) {
        let part_of = |t: u32| self.parts.of_bones()[self.bones.of_triangles()[t as usize] as usize];
        let mut counts: BTreeMap<[SideKey; 2], usize> = BTreeMap::new();
        for pair in &contact.pairs {
            let meshes = pair.map(|t| self.meshes[t as usize]);
            let mesh = |side: usize| (meshes[0] != meshes[1]).then_some(meshes[side]);
            let sides = [0, 1].map(|side| SideKey { part: part_of(pair[side]), mesh: mesh(side) });
            *counts.entry(sides).or_default() += 1;
        }
        let most = counts.iter().max_by_key(|(sides, count)| (**count, Reverse(**sides)));
        let (&sides, _) = most.expect("a contact has a pair");
        let [a, b] = sides;
        let [one, other] = contact.pairs[0].map(|t| self.surface.component[t as usize]);
        let are_layers = a.mesh.is_none() && one != other;
        // What hangs farther out in the skeleton goes into the other.
        let rank = |side: SideKey| (Reverse(self.parts.depth(side.part)), side);
        if rank(a) <= rank(b) {
            (Key { sides, kind, are_layers }, contact)
        } else {
            (Key { sides: [b, a], kind, are_layers }, contact.swapped())
        }
    }
}

fn swapped<T>([a, b]: [T; 2]) -> [T; 2] {
    [b, a]
}

/// The mesh of each triangle.
fn meshes(model: &Model) -> Vec<u32> {
    let mut of_triangle = vec![0; model.mesh().triangles().len()];
    for (number, part) in (0u32..).zip(model.parts()) {
        of_triangle[part.triangles.clone()].fill(number);
    }
    of_triangle
}

fn posed(model: &Model, pose: &Pose, skinning: Skinning) -> Result<Vec<Vec3>, PoseError> {
    Ok(model.posed(pose, skinning)?.positions())
}
