//! The bodies of a scene, by ids that are never given twice.

use super::broad_phase::BroadPhase;
use crate::refit::Body;

/// Who meets whom: bodies are members of groups, and meet members of other groups, as engines have it.
///
/// Two bodies meet if each is a member of a group that the other meets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Groups {
    /// One bit per group that the body is a member of.
    pub member: u32,
    /// One bit per group that the body meets.
    pub meets: u32,
}

impl Groups {
    /// Member of all groups, meets all groups.
    pub const ALL: Self = Self { member: u32::MAX, meets: u32::MAX };

    /// Whether two bodies of these groups meet.
    pub fn meet(&self, other: &Self) -> bool {
        self.member & other.meets != 0 && other.member & self.meets != 0
    }
}

impl Default for Groups {
    fn default() -> Self {
        Self::ALL
    }
}

/// Names a body of a scene, from when it is inserted until it is removed; never another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BodyId {
    pub(super) index: u32,
    /// How many bodies had this index before.
    generation: u32,
}

#[derive(Clone, Debug, Default)]
struct Entry {
    generation: u32,
    occupant: Option<Occupant>,
}

#[derive(Clone, Debug)]
struct Occupant {
    body: Body,
    groups: Groups,
}

/// Bodies that may meet.
///
/// ```
/// use std::sync::Arc;
/// use glam::Vec3;
/// use supple::{Body, BuildOptions, Groups, Isometry, Ray, Scene, Shape, Skinning};
///
/// let man = Arc::new(Shape::build(supple_zoo::make("man", 0)?, &BuildOptions::default())?);
/// let mut scene = Scene::new();
/// let mut ids = Vec::new();
/// for aside in [0.0, 0.5, 10.0, 10.5] {
///     let mut body = Body::new(&man, Skinning::Linear)?;
///     body.set_placement(Isometry::from_translation(Vec3::X * aside))?;
///     ids.push(scene.insert(body, Groups::ALL));
/// }
/// scene.remove(ids[1]);
/// let contacts = scene.collide().found;
/// assert_eq!(contacts.len(), 1); // the two that stand next to each other
/// assert_eq!(contacts[0].bodies, [ids[2], ids[3]]);
/// let shot = Ray::new(Vec3::new(10.0, 1.2, 5.0), Vec3::NEG_Z)?;
/// assert_eq!(scene.cast_ray(shot, Groups::ALL).found.map(|hit| hit.body), Some(ids[2]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Scene {
    entries: Vec<Entry>,
    free: Vec<u32>,
    pub(super) broad_phase: BroadPhase,
}

impl Scene {
    /// No bodies.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes a body in.
    pub fn insert(&mut self, body: Body, groups: Groups) -> BodyId {
        let index = self.free.pop().unwrap_or_else(|| {
            self.entries.push(Entry::default());
            (self.entries.len() - 1) as u32
        });
        let entry = &mut self.entries[index as usize];
        entry.occupant = Some(Occupant { body, groups });
        BodyId { index, generation: entry.generation }
    }

    /// Gives a body back; `None` if it was removed before.
    pub fn remove(&mut self, id: BodyId) -> Option<Body> {
        let entry =
            self.entries.get_mut(id.index as usize).filter(|entry| entry.generation == id.generation)?;
        let occupant = entry.occupant.take()?;
        // An entry whose generations are used up stays empty: no id is ever given twice.
        if let Some(next) = entry.generation.checked_add(1) {
            entry.generation = next;
            self.free.push(id.index);
        }
        Some(occupant.body)
    }

    /// A body; `None` if it was removed.
    pub fn body(&self, id: BodyId) -> Option<&Body> {
        let entry = self.entries.get(id.index as usize).filter(|entry| entry.generation == id.generation)?;
        entry.occupant.as_ref().map(|occupant| &occupant.body)
    }

    /// A body, to be posed or asked; `None` if it was removed.
    pub fn body_mut(&mut self, id: BodyId) -> Option<&mut Body> {
        self.occupant_mut(id).map(|occupant| &mut occupant.body)
    }

    /// Two different bodies, e.g. to ask for the details of a contact; `None` if one was removed or both are the same.
    pub fn pair_mut(&mut self, [a, b]: [BodyId; 2]) -> Option<[&mut Body; 2]> {
        let entries = self.entries.get_disjoint_mut([a.index as usize, b.index as usize]).ok()?;
        if [entries[0].generation, entries[1].generation] != [a.generation, b.generation] {
            return None;
        }
        let [a, b] = entries.map(|entry| entry.occupant.as_mut().map(|occupant| &mut occupant.body));
        Some([a?, b?])
    }

    /// The groups of a body, to be changed; `None` if it was removed.
    pub fn groups_mut(&mut self, id: BodyId) -> Option<&mut Groups> {
        self.occupant_mut(id).map(|occupant| &mut occupant.groups)
    }

    fn occupant_mut(&mut self, id: BodyId) -> Option<&mut Occupant> {
        let entry =
            self.entries.get_mut(id.index as usize).filter(|entry| entry.generation == id.generation)?;
        entry.occupant.as_mut()
    }

    /// All bodies by ascending id, e.g. to pose them on several threads.
    pub fn bodies_mut(&mut self) -> impl Iterator<Item = (BodyId, &mut Body)> {
        self.members_mut().map(|(id, _, body)| (id, body))
    }

    /// How many bodies there are.
    pub fn len(&self) -> usize {
        self.entries.iter().filter(|entry| entry.occupant.is_some()).count()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes of memory that the bodies take, besides their shapes, and the scene around them.
    pub fn memory_bytes(&self) -> usize {
        let bodies: usize = self
            .entries
            .iter()
            .flat_map(|entry| &entry.occupant)
            .map(|occupant| occupant.body.memory_bytes())
            .sum();
        bodies
            + self.entries.capacity() * size_of::<Entry>()
            + self.free.capacity() * size_of::<u32>()
            + self.broad_phase.bytes()
    }

    /// The broad phase: pairs of bodies whose groups meet and whose bounds overlap, ascending, the smaller id first.
    ///
    /// Costs one refit per body that moved, and a sort of nearly sorted numbers.
    pub fn pairs(&mut self) -> Vec<[BodyId; 2]> {
        self.pairs_where(|_, _| true)
    }

    /// Like [`pairs`](Self::pairs), only those for which `meet` says so as well: it is asked once per pair whose bounds overlap, the
    /// smaller id first.
    pub fn pairs_where(&mut self, meet: impl Fn(BodyId, BodyId) -> bool) -> Vec<[BodyId; 2]> {
        let mut broad_phase = std::mem::take(&mut self.broad_phase);
        let pairs = broad_phase.pairs(self.members_mut().collect(), meet);
        self.broad_phase = broad_phase;
        pairs
    }

    /// All bodies by ascending id.
    pub(super) fn members_mut(&mut self) -> impl Iterator<Item = (BodyId, Groups, &mut Body)> {
        (0u32..).zip(&mut self.entries).filter_map(|(number, entry)| {
            let id = BodyId { index: number, generation: entry.generation };
            entry.occupant.as_mut().map(|occupant| (id, occupant.groups, &mut occupant.body))
        })
    }

    /// The bodies of all entries, by index.
    pub(super) fn entries_mut(&mut self) -> impl Iterator<Item = Option<&mut Body>> {
        self.entries.iter_mut().map(|entry| entry.occupant.as_mut().map(|occupant| &mut occupant.body))
    }
}
