//! The bodies of a scene, by ids that are never given twice.

use super::broad_phase::BroadPhase;
use crate::refit::Body;

/// Who meets whom: bodies are members of groups, and meet members of other groups, as engines have it.
///
/// Two bodies meet if each is a member of a group that the other meets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
pub struct BodyId {
    pub(super) slot: u32,
    /// How many bodies stood there before.
    generation: u32,
}

#[derive(Clone, Debug, Default)]
struct Slot {
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
/// use supple::scene::{Groups, Scene};
/// use supple::{Body, BuildOptions, Shape, Skinning, math::Isometry};
///
/// let man = Arc::new(Shape::build(supple_zoo::make("man", 0)?, &BuildOptions::default())?);
/// let mut scene = Scene::new();
/// let mut ids = Vec::new();
/// for aside in [0.0, 0.5, 10.0, 10.5] {
///     let mut body = Body::new(&man, Skinning::Linear)?;
///     body.place(Isometry::from_translation(Vec3::X * aside))?;
///     ids.push(scene.insert(body, Groups::ALL));
/// }
/// scene.remove(ids[1]);
/// let contacts = scene.collide_all(|_, _| true);
/// assert_eq!(contacts.touching.len(), 1); // the two that stand next to each other
/// assert_eq!(contacts.touching[0].bodies, [ids[2], ids[3]]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Scene {
    slots: Vec<Slot>,
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
        let slot = self.free.pop().unwrap_or_else(|| {
            self.slots.push(Slot::default());
            (self.slots.len() - 1) as u32
        });
        let place = &mut self.slots[slot as usize];
        place.occupant = Some(Occupant { body, groups });
        BodyId { slot, generation: place.generation }
    }

    /// Gives a body back; `None` if it was removed before.
    pub fn remove(&mut self, id: BodyId) -> Option<Body> {
        let slot = self.slots.get_mut(id.slot as usize).filter(|slot| slot.generation == id.generation)?;
        let occupant = slot.occupant.take()?;
        // A slot whose numbers are used up stays empty: no id is ever given twice.
        if let Some(next) = slot.generation.checked_add(1) {
            slot.generation = next;
            self.free.push(id.slot);
        }
        Some(occupant.body)
    }

    /// A body; `None` if it was removed.
    pub fn body(&self, id: BodyId) -> Option<&Body> {
        let slot = self.slots.get(id.slot as usize).filter(|slot| slot.generation == id.generation)?;
        slot.occupant.as_ref().map(|occupant| &occupant.body)
    }

    /// A body, to be posed or asked; `None` if it was removed.
    pub fn body_mut(&mut self, id: BodyId) -> Option<&mut Body> {
        self.occupant_mut(id).map(|occupant| &mut occupant.body)
    }

    /// Two different bodies, e.g. to ask for the details of a contact; `None` if one was removed or both are the same.
    pub fn pair_mut(&mut self, [a, b]: [BodyId; 2]) -> Option<[&mut Body; 2]> {
        let slots = self.slots.get_disjoint_mut([a.slot as usize, b.slot as usize]).ok()?;
        if [slots[0].generation, slots[1].generation] != [a.generation, b.generation] {
            return None;
        }
        let [a, b] = slots.map(|slot| slot.occupant.as_mut().map(|occupant| &mut occupant.body));
        Some([a?, b?])
    }

    /// The groups of a body, to be changed; `None` if it was removed.
    pub fn groups_mut(&mut self, id: BodyId) -> Option<&mut Groups> {
        self.occupant_mut(id).map(|occupant| &mut occupant.groups)
    }

    fn occupant_mut(&mut self, id: BodyId) -> Option<&mut Occupant> {
        let slot = self.slots.get_mut(id.slot as usize).filter(|slot| slot.generation == id.generation)?;
        slot.occupant.as_mut()
    }

    /// All bodies by ascending id, e.g. to pose them on several threads.
    pub fn bodies_mut(&mut self) -> impl Iterator<Item = (BodyId, &mut Body)> {
        self.members_mut().map(|(id, _, body)| (id, body))
    }

    /// How many bodies there are.
    pub fn len(&self) -> usize {
        self.slots.iter().filter(|slot| slot.occupant.is_some()).count()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes of memory that the bodies take, besides their shapes, and the scene around them.
    pub fn memory_bytes(&self) -> usize {
        let bodies: usize = self
            .slots
            .iter()
            .flat_map(|slot| &slot.occupant)
            .map(|occupant| occupant.body.memory_bytes())
            .sum();
        bodies
            + self.slots.capacity() * size_of::<Slot>()
            + self.free.capacity() * size_of::<u32>()
            + self.broad_phase.bytes()
    }

    /// Pairs of bodies that meet and whose bounds overlap, ascending, the smaller id first.
    pub fn pairs(&mut self, meet: impl Fn(BodyId, BodyId) -> bool) -> Vec<[BodyId; 2]> {
        let mut broad_phase = std::mem::take(&mut self.broad_phase);
        let pairs = broad_phase.pairs(self.members_mut().collect(), meet);
        self.broad_phase = broad_phase;
        pairs
    }

    /// All bodies by ascending id.
    pub(super) fn members_mut(&mut self) -> impl Iterator<Item = (BodyId, Groups, &mut Body)> {
        (0u32..).zip(&mut self.slots).filter_map(|(number, slot)| {
            let id = BodyId { slot: number, generation: slot.generation };
            slot.occupant.as_mut().map(|occupant| (id, occupant.groups, &mut occupant.body))
        })
    }

    /// Places of all slots, with the bodies that are there.
    pub(super) fn places_mut(&mut self) -> impl Iterator<Item = Option<&mut Body>> {
        self.slots.iter_mut().map(|slot| slot.occupant.as_mut().map(|occupant| &mut occupant.body))
    }
}
