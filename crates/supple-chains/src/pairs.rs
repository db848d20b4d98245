//! A set of pairs of spheres, a bit for each.

/// Symmetric.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct PairSet {
    words: usize,
    bits: Vec<u64>,
}

impl PairSet {
    pub fn new(count: usize) -> Self {
        let words = count.div_ceil(64);
        Self { words, bits: vec![0; words * count] }
    }

    pub fn insert(&mut self, a: usize, b: usize) {
        for [row, column] in [[a, b], [b, a]] {
            self.bits[row * self.words + column / 64] |= 1 << (column % 64);
        }
    }

    #[inline(always)]
    pub fn contains(&self, a: usize, b: usize) -> bool {
        self.bits[a * self.words + b / 64] >> (b % 64) & 1 != 0
    }

    /// Partners `8 block` to `8 block + 7` of a sphere.
    #[inline(always)]
    pub fn eight(&self, a: usize, block: usize) -> u8 {
        (self.bits[a * self.words + block / 8] >> (block % 8 * 8)) as u8
    }

    /// The same of some of the spheres, numbered by their order.
    pub fn among(&self, members: &[u32]) -> Self {
        let mut set = Self::new(members.len());
        for (i, &a) in members.iter().enumerate() {
            for (j, &b) in members[..=i].iter().enumerate() {
                if self.contains(a as usize, b as usize) {
                    set.insert(i, j);
                }
            }
        }
        set
    }
}
