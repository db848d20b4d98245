//! Contacts of all bodies of a scene.

use super::bodies::{BodyId, Scene};
use super::rounds::rounds;
use crate::answer::{Answer, Pair, QueryStats};
use crate::query::{collide, collide_any};
use crate::refit::Body;

/// Two bodies that touch.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BodyContacts {
    /// The smaller id first.
    pub bodies: [BodyId; 2],
    /// Triangle of the first body, triangle of the second; ascending, all of them.
    pub pairs: Vec<Pair>,
}

/// Two bodies that touch, and where they were found to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BodyContact {
    /// The smaller id first.
    pub bodies: [BodyId; 2],
    /// Triangle of the first body, triangle of the second.
    pub pair: Pair,
}

impl Scene {
    /// All pairs of touching triangles of all bodies whose groups meet, by ascending ids. Exact, like [`collide`]. Counters are those of the
    /// queries; the bounds of roots are not counted.
    ///
    /// Costs the broad phase and a [`collide`] per pair of bodies whose bounds overlap. With the feature `rayon` on all threads of the current pool;
    /// answers and counters are the same on any number. For other questions per pair, or other pairs, [`ask_pairs`](Self::ask_pairs).
    pub fn collide(&mut self) -> Answer<Vec<BodyContacts>> {
        let pairs = self.pairs();
        let answers = self.ask_pairs(&pairs, |_, a, b| collide(a, b));
        let mut all = Answer { found: Vec::new(), stats: QueryStats::default() };
        for (bodies, answer) in pairs.into_iter().zip(answers.into_iter().flatten()) {
            all.stats += answer.stats;
            if !answer.found.is_empty() {
                all.found.push(BodyContacts { bodies, pairs: answer.found });
            }
        }
        all
    }

    /// Pairs of bodies that touch, by ascending ids, with some one contact each, like [`collide_any`].
    ///
    /// Costs less than [`collide`](Self::collide): each pair of bodies stops at its first contact.
    pub fn collide_any(&mut self) -> Answer<Vec<BodyContact>> {
        let pairs = self.pairs();
        let answers = self.ask_pairs(&pairs, |_, a, b| collide_any(a, b));
        let mut all = Answer { found: Vec::new(), stats: QueryStats::default() };
        for (bodies, answer) in pairs.into_iter().zip(answers.into_iter().flatten()) {
            all.stats += answer.stats;
            all.found.extend(answer.found.map(|pair| BodyContact { bodies, pair }));
        }
        all
    }

    /// Asks pairs of bodies anything, e.g. [`sphere_contacts`](crate::sphere_contacts), as [`pairs`](Self::pairs) found them or in any other
    /// choice and order. The closure gets the ids of a pair and its bodies; answers come in the order of the pairs, `None` where a body
    /// was removed or both are the same.
    ///
    /// With the feature `rayon` on all threads of the current pool. A body is asked for one pair after the other, in an order that
    /// depends on the pairs alone, so answers and counters are the same on any number of threads.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use supple::{Body, BuildOptions, Groups, Scene, Shape, Skinning};
    /// # let shape = Arc::new(Shape::build(supple_zoo::make("chair", 0)?, &BuildOptions::default())?);
    /// let mut scene = Scene::new();
    /// for _ in 0..3 {
    ///     scene.insert(Body::new(&shape, Skinning::Linear)?, Groups::ALL);
    /// }
    /// let pairs = scene.pairs();
    /// let contacts = scene.ask_pairs(&pairs, |_, a, b| supple::sphere_contacts(a, b, [2, 2]));
    /// assert_eq!(contacts.len(), 3);
    /// assert!(contacts.iter().flatten().all(|answer| !answer.found.is_empty()));
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
            let mut bodies: Vec<Option<&mut Body>> = self.entries_mut().collect();
            let mut work = Vec::with_capacity(round.len());
            for number in round.into_iter().filter(|&number| known[number]) {
                let [a, b] = pairs[number].map(|id| bodies[id.index as usize].take());
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
