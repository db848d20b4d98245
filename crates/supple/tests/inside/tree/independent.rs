//! Tests of what `tree/independent` keeps to itself.

use super::*;

/// Some of the numbers of a random sequence are together more often than others.
fn pairs(seed: u64, length: usize, count: u32) -> Vec<[u32; 2]> {
    let mut state = seed.wrapping_mul(0x2545_f491_4f6c_dd1d) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 33) as u32
    };
    (0..length)
        .map(|_| {
            let a = next() % count;
            [a, (a + next() % 9) % count]
        })
        .collect()
}

/// What a number goes through, as a sum that depends on the order.
fn history(pairs: impl IntoIterator<Item = [u32; 2]>, count: u32) -> Vec<u64> {
    let mut seen: Vec<u64> = (0..u64::from(count)).collect();
    for [a, b] in pairs {
        let (old_a, old_b) = (seen[a as usize], seen[b as usize]);
        seen[a as usize] = (old_a ^ old_b.rotate_left(7)).wrapping_mul(0x0000_0100_0000_01b3);
        seen[b as usize] = (old_b ^ old_a.rotate_left(21)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
    seen
}

#[test]
fn lists_in_any_order_do_what_the_sequence_does() {
    for (seed, length, count) in [(1, 0, 5), (2, 1, 1), (3, 5000, 40), (4, 20_000, 3000), (5, 4096, 10_000)] {
        let pairs = pairs(seed, length, count);
        let mut shuffled = Vec::new();
        for mut lists in independent_lists(&pairs, count as usize) {
            lists.reverse();
            shuffled.extend(lists.into_iter().flatten());
        }
        assert_eq!(shuffled.len(), pairs.len());
        assert_eq!(history(shuffled, count), history(pairs, count), "seed {seed}");
    }
}

#[test]
fn lists_have_nothing_in_common() {
    let pairs = pairs(7, 20_000, 30_000);
    let (mut most, mut owner) = (0, vec![usize::MAX; 30_000]);
    for (stretch, lists) in independent_lists(&pairs, 30_000).enumerate() {
        most = most.max(lists.len());
        for (list, pairs) in lists.iter().enumerate() {
            for &number in pairs.as_flattened() {
                let own = stretch * 10_000 + list;
                let before = std::mem::replace(&mut owner[number as usize], own);
                assert!(before == own || before == usize::MAX || before / 10_000 < stretch);
            }
        }
    }
    assert!(most > 100, "{most} lists at most: nothing to share");
}
