//! Pairs that can change places: a sequence of pairs, each of which reads and writes what is known of its two, done by several threads as
//! if one did it.
//!
//! Pairs that have nothing in common may change places. So first the pairs are sorted by *rank*, which is larger than the ranks of all pairs
//! before that have one of its two. Then each stretch of that sequence falls apart into lists without anything in common, and each list is
//! done from its start to its end.

/// As many pairs are divided into lists at once: a millisecond of work.
const STRETCH: usize = 1024;

/// Stretches of the sequence, one after the other; each as lists that do not depend on each other. The pairs are of numbers below `count`.
pub(super) fn independent_lists(
    pairs: &[[u32; 2]],
    count: usize,
) -> impl Iterator<Item = Vec<Vec<[u32; 2]>>> {
    let sorted = sorted_by_rank(pairs, count);
    let mut above: Vec<u32> = (0..count as u32).collect();
    let mut list_of = vec![0; count];
    let stretches = sorted.len().div_ceil(STRETCH);
    (0..stretches).map(move |stretch| {
        let first = stretch * STRETCH;
        let pairs = &sorted[first..sorted.len().min(first + STRETCH)];
        lists(pairs, &mut above, &mut list_of)
    })
}

fn sorted_by_rank(pairs: &[[u32; 2]], count: usize) -> Vec<[u32; 2]> {
    let mut next = vec![0u32; count];
    let rank = |pair: &[u32; 2]| {
        let [a, b] = pair.map(|number| number as usize);
        let rank = next[a].max(next[b]);
        (next[a], next[b]) = (rank + 1, rank + 1);
        (rank, *pair)
    };
    let mut ranked: Vec<(u32, [u32; 2])> = pairs.iter().map(rank).collect();
    ranked.sort_by_key(|&(rank, _)| rank);
    ranked.into_iter().map(|(_, pair)| pair).collect()
}

/// Divides pairs into lists without anything in common, in the order in which they begin. `above` says of each number with which it is
/// joined, and is left as it was: everything on its own.
fn lists(pairs: &[[u32; 2]], above: &mut [u32], list_of: &mut [usize]) -> Vec<Vec<[u32; 2]>> {
    for &[a, b] in pairs {
        let (top_a, top_b) = (top(above, a), top(above, b));
        above[top_b as usize] = top_a;
    }
    let mut lists: Vec<Vec<[u32; 2]>> = Vec::new();
    pairs.iter().for_each(|&[a, _]| list_of[top(above, a) as usize] = usize::MAX);
    for &pair in pairs {
        let list = &mut list_of[top(above, pair[0]) as usize];
        if *list == usize::MAX {
            *list = lists.len();
            lists.push(Vec::new());
        }
        lists[*list].push(pair);
    }
    pairs.as_flattened().iter().for_each(|&number| above[number as usize] = number);
    lists
}

/// The number that stands for all that are joined with one. Paths are halved on the way.
fn top(above: &mut [u32], mut number: u32) -> u32 {
    while above[number as usize] != number {
        above[number as usize] = above[above[number as usize] as usize];
        number = above[number as usize];
    }
    number
}

#[cfg(test)]
#[path = "../../tests/inside/tree/independent.rs"]
mod tests;
