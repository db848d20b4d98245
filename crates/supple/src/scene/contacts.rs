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
        let answers = self.ask_pairs(&pairs, |_, a, b| collide(a, b));
        let mut contacts = SceneContacts { asked: pairs.len(), ..SceneContacts::default() };
        for (bodies, Collision { pairs, stats }) in pairs.into_iter().zip(answers.into_iter().flatten()) {
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
        let answers = self.ask_pairs(&pairs, |_, a, b| first_contact(a, b));
        let (mut contacts, mut total) = (Vec::new(), QueryStats::default());
        for (bodies, (found, stats)) in pairs.into_iter().zip(answers.into_iter().flatten()) {
            total += stats;
            contacts.extend(found.map(|pair| BodyContact { bodies, pair }));
        }
        (contacts, total)
    }

    /// Asks pairs of bodies anything, e.g. [`ball_contacts`](crate::ball_contacts), as [`pairs`](Self::pairs) found them or in any other
    /// choice and order. The closure gets the ids of a pair and its bodies; answers come in the order of the pairs, `None` where a body
    /// was removed or both are the same.
    ///
    /// With the feature `rayon` on all threads of the current pool. A body is asked for one pair after the other, in an order that
    /// depends on the pairs alone, so answers and counters are the same on any number of threads.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use supple::scene::{Groups, Scene};
    /// # use supple::{Body, BuildOptions, Shape, Skinning};
    /// # let shape = Arc::new(Shape::build(Arc::new(supple_zoo::make("chair", 0)?), &BuildOptions::default())?);
    /// let mut scene = Scene::new();
    /// for _ in 0..3 {
    ///     scene.insert(Body::new(&shape, Skinning::Linear)?, Groups::ALL);
    /// }
    /// let pairs = scene.pairs(|_, _| true);
    /// let contacts = scene.ask_pairs(&pairs, |_, a, b| {
    ///     let mut contacts = Vec::new();
    ///     supple::ball_contacts(a, b, [2, 2], &mut contacts);
    ///     contacts
    /// });
    /// assert_eq!(contacts.len(), 3);
    /// assert!(contacts.iter().flatten().all(|contacts| !contacts.is_empty()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn ask_pairs<A: Send>(
        &mut self,
        pairs: &[[BodyId; 2]],
        ask: impl Fn([BodyId; 2], &mut Body, &mut Body) -> A + Sync,
    ) -> Vec<Option<A>> {
        let mut answers: Vec<(usize, A)> = Vec::with_capacity(pairs.len());
        let known = |&[a, b]: &[BodyId; 2]| a != b && self.body(a).is_some() && self.body(b).is_some();
        let known: Vec<bool> = pairs.iter().map(known).collect();
        for round in rounds(pairs) {
            let mut places: Vec<Option<&mut Body>> = self.places_mut().collect();
            let mut work = Vec::with_capacity(round.len());
            for number in round.into_iter().filter(|&number| known[number]) {
                let [a, b] = pairs[number].map(|id| places[id.slot as usize].take());
                if let (Some(a), Some(b)) = (a, b) {
                    work.push((number, a, b));
                }
            }
            let answer = |(number, a, b): (usize, &mut Body, &mut Body)| (number, ask(pairs[number], a, b));
            #[cfg(feature = "rayon")]
            {
                use rayon::prelude::*;
                // Pairs cost very different times: handed out one by one.
                answers.par_extend(work.into_par_iter().with_max_len(1).map(answer));
            }
            #[cfg(not(feature = "rayon"))]
            answers.extend(work.into_iter().map(answer));
        }
        let mut ordered: Vec<Option<A>> = pairs.iter().map(|_| None).collect();
        for (number, answer) in answers {
            ordered[number] = Some(answer);
        }
        ordered
    }
}
