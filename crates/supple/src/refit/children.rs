//! Bounds of the children of a node, side by side, so that all are tested at once.

use super::volume::Volume;
use crate::math::{Aabb, Sphere};
use crate::simd::Eight;
use crate::tree::WIDTH;

/// Bounds of up to eight children.
#[derive(Clone, Debug)]
pub(crate) struct Children<V: Volume> {
    /// The first child; the others follow it.
    pub first: u32,
    pub count: u8,
    /// Bit `i` is set where child `i` is a leaf.
    pub leaves: u8,
    pub bounds: V::Eight,
}

impl<V: Volume> Children<V> {
    /// Bit `i` is set where there is a child `i`.
    #[inline(always)]
    pub fn present(&self) -> u8 {
        ((1u32 << self.count) - 1) as u8
    }

    /// No children.
    pub fn nowhere() -> Self {
        Self { first: 0, count: 0, leaves: 0, bounds: V::Eight::NOWHERE }
    }
}

/// Eight volumes of one kind.
pub(crate) trait EightVolumes<V>: Clone + std::fmt::Debug {
    /// Eight volumes that overlap nothing.
    const NOWHERE: Self;
    fn set(&mut self, place: usize, volume: &V);
    fn get(&self, place: usize) -> V;
    /// Bit `i` is set where volume `i` overlaps the other one.
    fn overlapping<E: Eight>(&self, other: &V) -> u8;
    /// How deep each volume and the other are in each other, where they overlap.
    fn depths<E: Eight>(&self, other: &V) -> [f32; WIDTH];
}

/// Corner by corner, axis by axis.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EightBoxes {
    pub min: [[f32; WIDTH]; 3],
    pub max: [[f32; WIDTH]; 3],
}

impl EightVolumes<Aabb> for EightBoxes {
    const NOWHERE: Self = Self { min: [[f32::INFINITY; WIDTH]; 3], max: [[f32::NEG_INFINITY; WIDTH]; 3] };

    #[inline(always)]
    fn set(&mut self, place: usize, volume: &Aabb) {
        for axis in 0..3 {
            self.min[axis][place] = volume.min[axis];
            self.max[axis][place] = volume.max[axis];
        }
    }

    #[inline(always)]
    fn get(&self, place: usize) -> Aabb {
        let corner =
            |rows: &[[f32; WIDTH]; 3]| glam::Vec3::new(rows[0][place], rows[1][place], rows[2][place]);
        Aabb { min: corner(&self.min), max: corner(&self.max) }
    }

    #[inline(always)]
    fn overlapping<E: Eight>(&self, other: &Aabb) -> u8 {
        let mut all = 0xff;
        for axis in 0..3 {
            all &= E::load(&self.min[axis]).at_most(E::all(other.max[axis]));
            all &= E::all(other.min[axis]).at_most(E::load(&self.max[axis]));
        }
        all
    }

    #[inline(always)]
    fn depths<E: Eight>(&self, other: &Aabb) -> [f32; WIDTH] {
        let mut sum = E::all(0.0);
        for axis in 0..3 {
            let end = E::load(&self.max[axis]).least(E::all(other.max[axis]));
            let start = E::load(&self.min[axis]).greatest(E::all(other.min[axis]));
            sum = sum.plus(end.minus(start));
        }
        let mut depths = [0.0; WIDTH];
        sum.store(&mut depths);
        depths
    }
}

/// One after the other.
impl EightVolumes<Sphere> for [Sphere; WIDTH] {
    const NOWHERE: Self = [Sphere::new(glam::Vec3::ZERO, -1.0); WIDTH];

    fn set(&mut self, place: usize, volume: &Sphere) {
        self[place] = *volume;
    }

    fn get(&self, place: usize) -> Sphere {
        self[place]
    }

    fn overlapping<E: Eight>(&self, other: &Sphere) -> u8 {
        let overlaps = |ball: &Sphere| ball.radius >= 0.0 && ball.intersects(other);
        self.iter().enumerate().map(|(i, ball)| u8::from(overlaps(ball)) << i).sum()
    }

    fn depths<E: Eight>(&self, other: &Sphere) -> [f32; WIDTH] {
        self.map(|ball| ball.radius + other.radius - ball.center.distance(other.center))
    }
}
