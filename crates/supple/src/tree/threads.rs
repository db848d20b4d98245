//! Work that threads share: with the feature `rayon` on all threads of the current pool, else on the one that asks.
//!
//! Must hold: results stand in the order of the tasks, whoever does them. So nothing that is built depends on threads.

/// As many tasks are handed out before progress is told, which only the thread that asks may do.
pub(super) const AT_ONCE: usize = if cfg!(feature = "rayon") { 16 } else { 1 };

/// What `work` makes of each task, in order. Every task is worth handing out: a tenth of a millisecond and more.
pub(super) fn map<T: Send, R: Send>(tasks: Vec<T>, work: impl Fn(T) -> R + Sync + Send) -> Vec<R> {
    #[cfg(feature = "rayon")]
    {
        use rayon::prelude::*;
        tasks.into_par_iter().with_max_len(1).map(work).collect()
    }
    #[cfg(not(feature = "rayon"))]
    tasks.into_iter().map(work).collect()
}

/// The same for parts of a list that have at most `length` items.
pub(super) fn map_parts<T: Sync, R: Send>(
    items: &[T],
    length: usize,
    work: impl Fn(&[T]) -> R + Sync + Send,
) -> Vec<R> {
    map(items.chunks(length).collect(), work)
}

/// What two tasks make.
pub(super) fn both<A: Send, B: Send>(
    one: impl FnOnce() -> A + Send,
    other: impl FnOnce() -> B + Send,
) -> (A, B) {
    #[cfg(feature = "rayon")]
    {
        rayon::join(one, other)
    }
    #[cfg(not(feature = "rayon"))]
    (one(), other())
}

/// What two tasks make, the first of which is done by the thread that asks.
pub(super) fn beside<A, B: Send>(here: impl FnOnce() -> A, elsewhere: impl FnOnce() -> B + Send) -> (A, B) {
    #[cfg(feature = "rayon")]
    {
        let mut made = None;
        let a = rayon::in_place_scope(|scope| {
            scope.spawn(|_| made = Some(elsewhere()));
            here()
        });
        (a, made.expect("a scope ends after all that was spawned in it"))
    }
    #[cfg(not(feature = "rayon"))]
    (here(), elsewhere())
}

/// Parts of a list of about equal weight, as far as single items allow it: enough that none of a few threads waits long, and few enough
/// that each may have memory of its own.
pub(super) fn equal_parts<T>(items: &[T], weight: impl Fn(&T) -> usize) -> Vec<&[T]> {
    const PARTS: usize = 64;
    let each = items.iter().map(&weight).sum::<usize>().div_ceil(PARTS);
    let (mut parts, mut left, mut own) = (Vec::new(), items, 0);
    for (index, item) in items.iter().enumerate() {
        own += weight(item);
        if own >= each {
            let (part, others) = left.split_at(index + 1 - (items.len() - left.len()));
            parts.push(part);
            (left, own) = (others, 0);
        }
    }
    if !left.is_empty() {
        parts.push(left);
    }
    parts
}
