//! Random numbers that are the same in every run.
//!
//! Based on: Steele, Lea, Flood, Fast Splittable Pseudorandom Number Generators, 2014 (SplitMix64); Shoemake, Uniform Random
//! Rotations, 1992.

use std::f64::consts::TAU;

use glam::{DQuat, DVec3};

/// A stream of numbers.
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Uniform in `low..high`.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * ((self.bits() >> 11) as f64 / (1u64 << 53) as f64)
    }

    /// Uniform in `low..high`, for counts.
    pub fn count(&mut self, low: usize, high: usize) -> usize {
        (self.between(low as f64, high as f64) as usize).clamp(low, high.max(low + 1) - 1)
    }

    /// Uniform over all rotations.
    pub fn rotation(&mut self) -> DQuat {
        let (u, a, b) = (self.between(0.0, 1.0), self.between(0.0, TAU), self.between(0.0, TAU));
        let (r, s) = ((1.0 - u).sqrt(), u.sqrt());
        DQuat::from_xyzw(r * a.sin(), r * a.cos(), s * b.sin(), s * b.cos())
    }

    /// Uniform over all directions.
    pub fn direction(&mut self) -> DVec3 {
        (self.rotation() * DVec3::X).normalize()
    }

    /// Each coordinate uniform in `-size..size`.
    pub fn vector(&mut self, size: f64) -> DVec3 {
        DVec3::from_array(std::array::from_fn(|_| self.between(-size, size)))
    }
}
