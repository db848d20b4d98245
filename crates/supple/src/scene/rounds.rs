//! Rounds of pairs in which every body appears once, so that all pairs of a round can be asked at the same time.
//!
//! A query needs both bodies for itself. Pairs are coloured greedily, in order: each goes to the first round in which neither
//! of its bodies is busy. At most twice as many rounds as a body has pairs.
//! Must hold: rounds depend on the pairs alone, so every body is asked in the same order on any number of threads, and
//! what it has computed before, and hence every counter, is the same.

use super::bodies::BodyId;

/// Numbers of pairs, round by round.
pub(super) fn rounds(pairs: &[[BodyId; 2]]) -> Vec<Vec<usize>> {
    let bodies = pairs.iter().flatten().map(|id| id.index as usize + 1).max().unwrap_or(0);
    // By body, one bit per round.
    let mut busy: Vec<Vec<u64>> = vec![Vec::new(); bodies];
    let mut rounds: Vec<Vec<usize>> = Vec::new();
    for (number, pair) in pairs.iter().enumerate() {
        let [a, b] = pair.map(|id| id.index as usize);
        let word = |body: usize, index: usize| busy[body].get(index).copied().unwrap_or(0);
        let mut index = 0;
        while word(a, index) | word(b, index) == u64::MAX {
            index += 1;
        }
        let bit = (word(a, index) | word(b, index)).trailing_ones();
        for body in [a, b] {
            let words = busy[body].len().max(index + 1);
            busy[body].resize(words, 0);
            busy[body][index] |= 1 << bit;
        }
        let round = index * u64::BITS as usize + bit as usize;
        if rounds.len() <= round {
            rounds.resize(round + 1, Vec::new());
        }
        rounds[round].push(number);
    }
    rounds
}
