//! A ray against eight boxes at once.
//!
//! Along an axis a ray with origin `o` is between `min` and `max` from time `(min - o) / d` to `(max - o) / d`, or the other way
//! round where `d < 0`; it is in the box where it is between on all axes.
//! Must hold: a box that contains a hit that still counts is never missed.
//!
//! Times here are in units of the largest component of the direction, so that none of the others divides by nearly nothing
//! without saying so. With `u = 2^-24`, a difference, the inverse and their product round by `u` each, so entry and exit are off by
//! `3 u` of themselves: if the true ones are in order, so are the computed ones after the exit is increased by `8 u` of
//! itself. Products that underflow are off by `2^-150`, so `2^-126` is added too. Products that overflow belong to times at which
//! the ray is beyond everything. A sign is never wrong, so what is behind the origin stays behind.
//!
//! Based on: T. Ize, Robust BVH Ray Traversal, 2013.

use crate::math::Aabb;
use crate::narrow::Ray;
use crate::refit::{EightBoxes, EightVolumes};
use crate::simd::{Eight, TwoFours};
use crate::tree::WIDTH;

/// A ray as boxes see it.
pub(crate) struct Slabs {
    origin: [f32; 3],
    moves: [Moves; 3],
    /// Our units of time per length; below [`STEEPEST`], where the ray moves along the axis.
    inverse: [f32; 3],
    /// Whether that is negative.
    backwards: [bool; 3],
    /// Length of the largest component of the direction.
    unit: f64,
    /// What is entered later does not count.
    limit: f32,
}

/// How a ray moves along an axis.
#[derive(Clone, Copy, PartialEq)]
enum Moves {
    Along,
    /// So little that times might leave f32: the axis separates nothing.
    Hardly,
    Not,
}

/// Coordinates differ by less than `2^128` along the largest component, which takes as much time. Times along other axes must
/// fit into f32 only where they are smaller than that.
const STEEPEST: f64 = 18_446_744_073_709_551_616.0;
/// `1 + 8 u`.
const LATER: f32 = 1.0 + 4.0 * f32::EPSILON;

impl Slabs {
    /// Until the ray's end.
    pub fn of(ray: Ray) -> Self {
        let direction = ray.direction().as_dvec3();
        let unit = direction.abs().max_element();
        let inverse = direction.to_array().map(|component| unit / component);
        let moves = inverse.map(|inverse| match inverse.abs() {
            f64::INFINITY => Moves::Not,
            steep if steep < STEEPEST => Moves::Along,
            _ => Moves::Hardly,
        });
        let (origin, inverse) = (ray.origin().to_array(), inverse.map(|inverse| inverse as f32));
        let backwards = inverse.map(|inverse| inverse < 0.0);
        let mut slabs = Self { origin, moves, inverse, backwards, unit, limit: f32::INFINITY };
        slabs.end_at(ray.max_time());
        slabs
    }

    /// Only hits whose time, rounded to f32, is at most this count from now on.
    pub fn end_at(&mut self, time: f32) {
        // The time of a hit is off by u or 2^-150, its box is entered 3 u or 2^-150 too late: 2^-20 and 2^-149 are more.
        let later = (f64::from(time) * (1.0 + 2f64.powi(-20)) + 2f64.powi(-149)) * self.unit;
        self.limit = (later as f32).next_up();
    }

    /// Whether what is entered at that time, in our units, still counts.
    #[inline(always)]
    pub fn before_end(&self, time: f32) -> bool {
        time <= self.limit
    }

    /// When one box is entered, in our units; `None` if it is not.
    pub fn entry(&self, bound: &Aabb) -> Option<f32> {
        let (mut boxes, mut times) = (EightBoxes::NOWHERE, [0.0; WIDTH]);
        boxes.set(0, bound);
        (self.enter::<TwoFours>(&boxes, &mut times) & 1 != 0).then_some(times[0])
    }

    /// Bit `i` is set where box `i` is entered, at `times[i]` in our units.
    #[inline(always)]
    pub fn enter<E: Eight>(&self, boxes: &EightBoxes, times: &mut [f32; WIDTH]) -> u8 {
        // Looked up, not branched to: which way a ray goes cannot be foreseen.
        let sides = [&boxes.min, &boxes.max];
        let mut entered = 0xff;
        let (mut entry, mut exit) = (E::all(0.0), E::all(f32::INFINITY));
        for axis in 0..3 {
            let origin = E::all(self.origin[axis]);
            if self.moves[axis] == Moves::Along {
                let inverse = E::all(self.inverse[axis]);
                let backwards = self.backwards[axis];
                let near = E::load(&sides[usize::from(backwards)][axis]);
                let far = E::load(&sides[usize::from(!backwards)][axis]);
                entry = entry.greatest(near.minus(origin).times(inverse));
                exit = exit.least(far.minus(origin).times(inverse));
            } else if self.moves[axis] == Moves::Not {
                let (min, max) = (E::load(&boxes.min[axis]), E::load(&boxes.max[axis]));
                entered &= E::bits(E::both(min.at_most(origin), origin.at_most(max)));
            }
        }
        let exit = exit.times(E::all(LATER)).plus(E::all(f32::MIN_POSITIVE)).least(E::all(self.limit));
        entry.store(times);
        entered & E::bits(entry.at_most(exit))
    }
}
