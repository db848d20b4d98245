//! All pairs of two large bodies, on several threads.
//!
//! A walk level by level opens some hundred pairs of nodes. They are sorted by the nodes of the first body, so that what is near each other stands
//! together, and cut into parts; every part goes on with copies of the bodies. What two parts need both is posed twice, which is little where
//! parts are compact.
//! Must hold: the pairs are those of one walk. Parts depend on the bodies alone, so pairs and counters are the same on any number of threads.

use std::collections::VecDeque;

use rayon::prelude::*;

use super::couple::TwoBodies;
use super::walk::{Agenda, Order, Search, visited, walk, walk_on};
use crate::answer::{Pair, QueryStats};
use crate::math::Aabb;
use crate::refit::{Body, ChildAt};

/// Bodies of fewer triangles together are not worth copying.
const FEWEST_TRIANGLES: usize = 40_000;
/// A walk that has so many open pairs at once is shared.
const MANY_PAIRS: usize = 256;
/// More parts are balanced better among threads, fewer pose less twice.
const PARTS: usize = 8;

/// Whether two bodies are large enough, and can be copied.
pub(super) fn are_worth_parts(a: &Body, b: &Body) -> bool {
    let triangles = a.tree().triangles.len() + b.tree().triangles.len();
    triangles >= FEWEST_TRIANGLES && a.can_be_followed() && b.can_be_followed()
}

/// Appends all touching pairs, unsorted.
pub(super) fn search_in_parts(a: &mut Body, b: &mut Body, pairs: &mut Vec<Pair>, stats: &mut QueryStats) {
    let mut agenda = LevelByLevel::default();
    walk::<Aabb, _>(TwoBodies { a: &mut *a, b: &mut *b }, Order::Any, &mut agenda, stats, |pair| {
        pairs.push(pair);
        Search::GoOn
    });
    let mut open: Vec<[ChildAt; 2]> = agenda.waiting.into();
    if open.is_empty() {
        return;
    }
    let node = |body: &Body, at: ChildAt| visited::<Aabb>(body, at).node;
    open.sort_by_cached_key(|&[in_a, in_b]| (node(a, in_a), node(b, in_b)));
    let (mut crew_a, mut crew_b) = (a.take_crew(PARTS), b.take_crew(PARTS));
    let (leader_a, leader_b) = (&*a, &*b);
    let parts: Vec<(Vec<Pair>, QueryStats)> = open
        .par_chunks(open.len().div_ceil(PARTS))
        .zip(crew_a.par_iter_mut().zip(&mut crew_b))
        .map(|(open, (a, b))| {
            a.follow(leader_a);
            b.follow(leader_b);
            let (mut pairs, mut stats) = (Vec::new(), QueryStats::default());
            walk_on::<Aabb, _>(TwoBodies { a, b }, open, &mut stats, |pair| {
                pairs.push(pair);
                Search::GoOn
            });
            (pairs, stats)
        })
        .collect();
    a.keep_crew(crew_a);
    b.keep_crew(crew_b);
    for (own, cost) in parts {
        pairs.extend(own);
        *stats += cost;
    }
}

/// The pair that was found first, until there are many.
#[derive(Default)]
struct LevelByLevel {
    waiting: VecDeque<[ChildAt; 2]>,
}

impl Agenda for LevelByLevel {
    fn next(
        &mut self,
        _: &Body,
        _: &Body,
        open: &mut Vec<[ChildAt; 2]>,
        _: &QueryStats,
    ) -> Option<[ChildAt; 2]> {
        self.waiting.extend(open.drain(..));
        if self.waiting.len() >= MANY_PAIRS { None } else { self.waiting.pop_front() }
    }
}
