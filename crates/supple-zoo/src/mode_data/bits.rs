//! A list of bits in bytes, the first bit lowest.

/// Bits that are set or not; those beyond the end are not.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Bits {
    bytes: Vec<u8>,
}

impl Bits {
    /// As many bytes as `count` bits need.
    pub fn bytes_for(count: usize) -> usize {
        count.div_ceil(8)
    }

    pub fn zeros(count: usize) -> Self {
        Self { bytes: vec![0; Self::bytes_for(count)] }
    }

    pub fn from_bytes(bytes: &[u8]) -> Self {
        Self { bytes: bytes.to_vec() }
    }

    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub fn set(&mut self, index: usize) {
        self.bytes[index / 8] |= 1 << (index % 8);
    }

    pub fn get(&self, index: usize) -> bool {
        self.bytes.get(index / 8).is_some_and(|byte| byte >> (index % 8) & 1 == 1)
    }

    pub fn count(&self) -> usize {
        self.bytes.iter().map(|byte| byte.count_ones() as usize).sum()
    }

    /// For each bit that is set, how many are set before it.
    pub fn ranks(&self) -> Vec<Option<u32>> {
        let mut rank = 0;
        let next = |index: usize| {
            let own = rank;
            rank += u32::from(self.get(index));
            (rank > own).then_some(own)
        };
        (0..8 * self.bytes.len()).map(next).collect()
    }
}
