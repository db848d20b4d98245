//! Contacts of all bodies of a scene.

use super::bodies::{BodyId, Scene};
use super::rounds::rounds;
use crate::query::{Collision, QueryStats, collide, first_contact};
use crate::refit::Body;

/// Everything that touches in a scene.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SceneContacts {
    /// Pairs of bodies that touch, ascending.
    pub touching: Vec<BodyContacts>,
    /// How many pairs of bodies were asked, because their bounds overlap.
    pub asked: usize,
    /// Counters of all queries together. The bounds of roots are not counted.
    pub stats: QueryStats,
}

/// Two bodies that touch.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyContacts {
    /// The smaller id first.
    pub bodies: [BodyId; 2],
    /// Triangle of the first body, triangle of the second; ascending, all of them.
    pub pairs: Vec<[u32; 2]>,
}

/// Two bodies that touch, and where they were found to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BodyContact {
    /// The smaller id first.
    pub bodies: [BodyId; 2],
    /// Triangle of the first body, triangle of the second.
    pub pair: [u32; 2],
}

impl Scene {
    /// All pairs of touching triangles of all bodies that meet: those whose groups meet and for which `meet` says so (which
    /// is asked once per pair whose bounds overlap, the smaller id first). Exact, like [`collide`].
    ///
    /// With the feature `rayon` on all threads of the current pool; answers and counters are the same on any number.
    pub fn collide_all(&mut self, meet: impl Fn(BodyId, BodyId) -> bool) -> SceneContacts {
        let pairs = self.pairs(meet);
        let answers = self.ask_all(&pairs, collide);
        let mut contacts = SceneContacts { asked: pairs.len(), ..SceneContacts::default() };
        for (bodies, Collision { pairs, stats }) in pairs.into_iter().zip(answers) {
            contacts.stats += stats;
            if !pairs.is_empty() {
                contacts.touching.push(BodyContacts { bodies, pairs });
            }
        }
        contacts
    }

    /// Pairs of bodies that touch, ascending, with one contact each, like [`first_contact`]; and what it took.
    pub fn first_contacts(
        &mut self,
        meet: impl Fn(BodyId, BodyId) -> bool,
    ) -> (Vec<BodyContact>, QueryStats) {
        let pairs = self.pairs(meet);
        let answers = self.ask_all(&pairs, first_contact);
        let (mut contacts, mut total) = (Vec::new(), QueryStats::default());
        for (bodies, (found, stats)) in pairs.into_iter().zip(answers) {
            total += stats;
            contacts.extend(found.map(|pair| BodyContact { bodies, pair }));
        }
        (contacts, total)
    }

    /// Asks pairs of bodies, round by round; answers in the order of the pairs.
    fn ask_all<A: Send>(
        &mut self,
        pairs: &[[BodyId; 2]],
        ask: impl Fn(&mut Body, &mut Body) -> A + Sync,
    ) -> Vec<A> {
        let mut answers: Vec<(usize, A)> = Vec::with_capacity(pairs.len());
        for round in rounds(pairs) {
            let mut places: Vec<Option<&mut Body>> = self.places_mut().collect();
            let mut work = Vec::with_capacity(round.len());
            for number in round {
                let [a, b] = pairs[number].map(|id| places[id.slot as usize].take());
                if let (Some(a), Some(b)) = (a, b) {
                    work.push((number, a, b));
                }
            }
            let answer = |(number, a, b): (usize, &mut Body, &mut Body)| (number, ask(a, b));
            #[cfg(feature = "rayon")]
            {
                use rayon::prelude::*;
                // Pairs cost very different times: handed out one by one.
                answers.par_extend(work.into_par_iter().with_max_len(1).map(answer));
            }
            #[cfg(not(feature = "rayon"))]
            answers.extend(work.into_iter().map(answer));
        }
        answers.sort_unstable_by_key(|(number, _)| *number);
        answers.into_iter().map(|(_, answer)| answer).collect()
    }
}
