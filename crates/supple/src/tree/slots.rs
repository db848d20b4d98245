//! Slots: vertices in the order in which they are posed, eight to a block.
//!
//! In: vertices at their places, and a skin. Out: two orders. In one each twig has all its vertices together, so that a twig can be posed alone; what two twigs
//! share is there twice. In the other everything stands once, by joint-sets, for posing the whole body.
//! Must hold: vertices of one joint and those of several are in different blocks; what a block has too few repeats its last.

use std::ops::Range;

use glam::Vec3;

use super::blocks::Blocks;
use super::layout::{Tree, WIDTH};
use super::threads;
use crate::skin::Skin;

/// As many twigs are worth handing to a thread.
const PART: usize = 64;

/// Vertices in blocks.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Slots {
    /// The place of the vertex in each slot.
    pub places: Vec<u32>,
    /// What posing them takes.
    pub blocks: Blocks,
}

impl Slots {
    /// All joints of some blocks' vertices; some may be there several times.
    pub fn joints(&self, slots: Range<usize>) -> &[u32] {
        self.blocks.joints(slots.start / WIDTH..slots.end / WIDTH)
    }

    /// Bytes of memory held.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.places[..]) + self.blocks.bytes()
    }
}

impl Tree {
    /// Puts all vertices into slots, twig by twig and once more each alone.
    pub fn add_slots(&mut self, positions: &[Vec3], skin: &Skin) {
        let order = SlotOrder::new(skin, &self.vertices);
        let parts = threads::map_parts(&self.twigs, PART, |twigs| {
            let (mut places, mut counts) = (Vec::new(), Vec::new());
            for &twig in twigs {
                let first = places.len();
                let corners = self.corners[self.triangles_below(twig as usize)].as_flattened();
                order.push(corners.iter().copied(), &mut places);
                counts.push(places.len() - first);
            }
            (places, counts)
        });
        let (places, counts): (Vec<Vec<u32>>, Vec<Vec<usize>>) = parts.into_iter().unzip();
        let places = places.concat();
        let mut first = 0;
        for (&twig, count) in self.twigs.iter().zip(counts.concat()) {
            self.nodes[twig as usize].set_slots(first..first + count);
            first += count;
        }
        self.slots = Slots { blocks: self.blocks(&places, positions, skin), places };
        let mut places = Vec::new();
        order.push(0..self.vertices.len() as u32, &mut places);
        self.whole = Slots { blocks: self.blocks(&places, positions, skin), places };
    }

    fn blocks(&self, places: &[u32], positions: &[Vec3], skin: &Skin) -> Blocks {
        let vertices: Vec<u32> = places.iter().map(|&place| self.vertices[place as usize]).collect();
        Blocks::new(&vertices, positions, skin)
    }
}

/// In which order vertices stand: those of one joint first, joint-sets that begin alike side by side.
struct SlotOrder<'a> {
    skin: &'a Skin,
    /// By place.
    vertices: &'a [u32],
    /// The number of every joint-set in that order.
    ranks: Vec<u32>,
    /// Joint-sets of one joint come first: so many.
    single: u64,
}

impl<'a> SlotOrder<'a> {
    fn new(skin: &'a Skin, vertices: &'a [u32]) -> Self {
        let mut sets: Vec<usize> = (0..skin.joint_set_count()).collect();
        sets.sort_by_key(|&set| (skin.joint_set(set).len() > 1, skin.joint_set(set)));
        let mut ranks = vec![0; sets.len()];
        for (rank, &set) in (0..).zip(&sets) {
            ranks[set] = rank;
        }
        let single = sets.partition_point(|&set| skin.joint_set(set).len() == 1) as u64;
        Self { skin, vertices, ranks, single }
    }

    /// Rank and place in one number.
    fn key(&self, place: u32) -> u64 {
        let rank = self.ranks[self.skin.set_of_vertex(self.vertices[place as usize])];
        u64::from(rank) << 32 | u64::from(place)
    }

    /// Appends the different ones of some places, in whole blocks.
    fn push(&self, places: impl Iterator<Item = u32>, slots: &mut Vec<u32>) {
        let mut keys: Vec<u64> = places.map(|place| self.key(place)).collect();
        keys.sort_unstable();
        keys.dedup();
        let cut = keys.partition_point(|&key| key >> 32 < self.single);
        for part in [&keys[..cut], &keys[cut..]] {
            slots.extend(part.iter().map(|&key| key as u32));
            if let Some(&last) = part.last() {
                slots.resize(slots.len().next_multiple_of(WIDTH), last as u32);
            }
        }
    }
}
