//! A hash of numbers that is the same on every machine: FNV-1a over their bits, little end first.

use glam::Vec3;

/// Takes numbers in one after the other.
#[derive(Clone)]
pub struct Digest(u64);

impl Digest {
    pub fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    pub fn u32(&mut self, number: u32) {
        for byte in number.to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    pub fn count(&mut self, count: usize) {
        self.u32(u32::try_from(count).unwrap());
    }

    pub fn bool(&mut self, yes: bool) {
        self.u32(yes.into());
    }

    /// Zero has one hash, whatever its sign.
    pub fn f32(&mut self, number: f32) {
        self.u32((number + 0.0).to_bits());
    }

    pub fn vec3(&mut self, v: Vec3) {
        v.to_array().into_iter().for_each(|number| self.f32(number));
    }

    pub fn pairs(&mut self, pairs: &[[u32; 2]]) {
        self.count(pairs.len());
        pairs.iter().flatten().for_each(|&number| self.u32(number));
    }

    pub fn text(&self) -> String {
        format!("{:016x}", self.0)
    }
}
