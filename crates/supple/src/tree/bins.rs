//! The best cut of some triangles: bins along every axis of every pose, filled in one pass.
//!
//! In: boxes of triangles in all poses. Out: the cut with the least cost, by the surface area heuristic summed over all poses:
//! `sum_s (area_s(left) n_left + area_s(right) n_right) / area_s(node)`. The numbers `n` are those of full leaves, not of triangles: the
//! triangles of a leaf are tested at once, so a leaf that is half empty costs as much as a full one.
//! Must hold: of equal cuts the first wins, by pose, axis and bin. However triangles are divided into parts, the cut is the same: to unite
//! boxes and to count is exact.
//!
//! Based on: I. Wald, On fast Construction of SAH-based Bounding Volume Hierarchies, 2007 (bins).

use glam::{Vec3, Vec4};

use super::extents::{Extents, LANES, Registers};
use super::threads;
use crate::simd::{self, Eight, Kernel};

const BINS: usize = 16;

/// Axes of all poses.
const MOST_CHANNELS: usize = 12;

/// More triangles are looked at in parts, by several threads.
const PART: usize = 16384;

/// A triangle's boxes in all poses.
#[derive(Clone, Copy)]
pub(super) struct Item<const ROWS: usize> {
    pub extents: Extents<ROWS>,
    pub id: u32,
}

/// Along which axes cuts are tried.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Axes {
    /// All three, in every pose.
    All,
    /// The one along which centers are farthest apart, in every pose: as in the paper, for trees that are built in every frame.
    Longest,
}

/// What is the same for all cuts of a tree.
#[derive(Clone, Copy)]
pub(super) struct CutOptions {
    pub poses: usize,
    pub leaf_size: usize,
    pub axes: Axes,
}

/// A coordinate of centers in one pose, and where it is cut.
#[derive(Clone, Copy)]
pub(super) struct Cut {
    row: usize,
    lane: usize,
    start: f32,
    per_unit: f32,
    /// The first bin on the right.
    bin: f32,
}

impl Cut {
    #[inline(always)]
    pub fn is_left<const ROWS: usize>(&self, item: &Item<ROWS>) -> bool {
        (item.extents.center(self.row, self.lane) - self.start) * self.per_unit < self.bin
    }
}

/// The best cut of a node's triangles; `None` where all centers coincide, or nearly. `piles` is memory.
pub(super) fn best_cut<const ROWS: usize>(
    items: &[Item<ROWS>],
    options: &CutOptions,
    piles: &mut Piles<ROWS>,
) -> Option<Cut> {
    let whole = if items.len() <= PART {
        simd::run(Measure { items })
    } else {
        let parts = threads::map_parts(items, PART, |items| simd::run(Measure { items }));
        parts.iter().fold(Measured::NOTHING, |whole, part| whole.with(part))
    };
    let channels = Channels::new(&whole, options);
    if items.len() <= PART {
        piles.clear(&channels);
        simd::run(Fill { items, channels: &channels, piles });
    } else {
        let parts = threads::map_parts(items, PART, |items| {
            let mut piles = Box::new(Piles::EMPTY);
            simd::run(Fill { items, channels: &channels, piles: &mut piles });
            piles
        });
        piles.clear(&channels);
        parts.iter().for_each(|part| simd::run(Pour { from: part, channels: &channels, into: piles }));
    }
    simd::run(Sweep {
        piles,
        channels: &channels,
        whole: &whole.extents,
        leaf_size: options.leaf_size as u32,
    })
}

/// Boxes around triangles, and around their centers.
#[derive(Clone, Copy)]
struct Measured<const ROWS: usize> {
    extents: Extents<ROWS>,
    least_center: [Vec4; ROWS],
    greatest_center: [Vec4; ROWS],
}

impl<const ROWS: usize> Measured<ROWS> {
    const NOTHING: Self = Self {
        extents: Extents::EMPTY,
        least_center: [Vec4::INFINITY; ROWS],
        greatest_center: [Vec4::NEG_INFINITY; ROWS],
    };

    fn with(mut self, other: &Self) -> Self {
        self.extents = self.extents.union(&other.extents);
        for row in 0..ROWS {
            self.least_center[row] = self.least_center[row].min(other.least_center[row]);
            self.greatest_center[row] = self.greatest_center[row].max(other.greatest_center[row]);
        }
        self
    }
}

struct Measure<'a, const ROWS: usize> {
    items: &'a [Item<ROWS>],
}

impl<const ROWS: usize> Kernel for Measure<'_, ROWS> {
    type Output = Measured<ROWS>;

    #[inline(always)]
    fn run<E: Eight>(self) -> Measured<ROWS> {
        let mut measured = Measured::NOTHING;
        let mut whole = Registers::<E, ROWS>::empty();
        for item in self.items {
            let own = Registers::<E, ROWS>::load(&item.extents);
            whole = whole.union(own);
            let centers = own.centers();
            for row in 0..ROWS {
                measured.least_center[row] = measured.least_center[row].min(centers[row]);
                measured.greatest_center[row] = measured.greatest_center[row].max(centers[row]);
            }
        }
        whole.store(&mut measured.extents);
        measured
    }
}

/// The coordinates that are tried, each divided into bins.
struct Channels<const ROWS: usize> {
    start: [Vec4; ROWS],
    per_unit: [Vec4; ROWS],
    /// Rows and lanes.
    places: [(usize, usize); MOST_CHANNELS],
    count: usize,
}

impl<const ROWS: usize> Channels<ROWS> {
    /// By pose and axis. Not those along which all centers coincide, or nearly.
    fn new(whole: &Measured<ROWS>, options: &CutOptions) -> Self {
        let [start, per_unit] = [[Vec4::ZERO; ROWS]; 2];
        let mut channels = Self { start, per_unit, places: [(0, 0); MOST_CHANNELS], count: 0 };
        for pose in 0..options.poses {
            let places = [0, 1, 2].map(|axis| Extents::<ROWS>::place(pose, axis));
            let length = |(row, lane): (usize, usize)| {
                whole.greatest_center[row][lane] - whole.least_center[row][lane]
            };
            let longest = Vec3::from(places.map(length)).max_position();
            for axis in (0..3).filter(|&axis| options.axes == Axes::All || axis == longest) {
                let (row, lane) = places[axis];
                let per_unit = BINS as f32 / length(places[axis]);
                if length(places[axis]) > 0.0 && per_unit.is_finite() {
                    channels.start[row][lane] = whole.least_center[row][lane];
                    channels.per_unit[row][lane] = per_unit;
                    channels.places[channels.count] = (row, lane);
                    channels.count += 1;
                }
            }
        }
        channels
    }

    fn places(&self) -> &[(usize, usize)] {
        &self.places[..self.count]
    }

    /// The bins of centers: whole numbers from 0 to 15, in the last bits of what is returned.
    #[inline(always)]
    fn bins(&self, row: usize, centers: Vec4) -> [u32; LANES] {
        // From here on, numbers have no fractions.
        const WHOLE: f32 = 8_388_608.0;
        let bins = ((centers - self.start[row]) * self.per_unit[row]).min(Vec4::splat(BINS as f32 - 1.0));
        (bins.trunc() + Vec4::splat(WHOLE)).to_array().map(f32::to_bits)
    }
}

/// What has fallen into the bins of all channels.
pub(super) struct Piles<const ROWS: usize> {
    boxes: [[Pile<ROWS>; BINS]; MOST_CHANNELS],
    counts: [[u32; BINS]; MOST_CHANNELS],
}

/// Aligned, so that a row is in one line of the processor's cache.
#[derive(Clone, Copy)]
#[repr(align(32))]
struct Pile<const ROWS: usize>(Extents<ROWS>);

impl<const ROWS: usize> Piles<ROWS> {
    pub const EMPTY: Self =
        Self { boxes: [[Pile(Extents::EMPTY); BINS]; MOST_CHANNELS], counts: [[0; BINS]; MOST_CHANNELS] };

    fn clear(&mut self, channels: &Channels<ROWS>) {
        self.boxes[..channels.count].fill([Pile(Extents::EMPTY); BINS]);
        self.counts[..channels.count].fill([0; BINS]);
    }
}

struct Fill<'a, const ROWS: usize> {
    items: &'a [Item<ROWS>],
    channels: &'a Channels<ROWS>,
    piles: &'a mut Piles<ROWS>,
}

impl<const ROWS: usize> Kernel for Fill<'_, ROWS> {
    type Output = ();

    #[inline(always)]
    fn run<E: Eight>(self) {
        for item in self.items {
            let own = Registers::<E, ROWS>::load(&item.extents);
            let centers = own.centers();
            let mut bins = [[0; LANES]; ROWS];
            for row in 0..ROWS {
                bins[row] = self.channels.bins(row, centers[row]);
            }
            let piles = self.piles.boxes.iter_mut().zip(&mut self.piles.counts);
            for (&(row, lane), (boxes, counts)) in self.channels.places().iter().zip(piles) {
                let bin = bins[row][lane] as usize % BINS;
                let Pile(pile) = &mut boxes[bin];
                Registers::<E, ROWS>::load(pile).union(own).store(pile);
                counts[bin] += 1;
            }
        }
    }
}

/// Adds the piles of one part of the triangles to others.
struct Pour<'a, const ROWS: usize> {
    from: &'a Piles<ROWS>,
    channels: &'a Channels<ROWS>,
    into: &'a mut Piles<ROWS>,
}

impl<const ROWS: usize> Kernel for Pour<'_, ROWS> {
    type Output = ();

    #[inline(always)]
    fn run<E: Eight>(self) {
        for channel in 0..self.channels.count {
            for bin in 0..BINS {
                let Pile(pile) = &mut self.into.boxes[channel][bin];
                let other = Registers::<E, ROWS>::load(&self.from.boxes[channel][bin].0);
                Registers::<E, ROWS>::load(pile).union(other).store(pile);
                self.into.counts[channel][bin] += self.from.counts[channel][bin];
            }
        }
    }
}

/// Looks for the best cut of all channels.
struct Sweep<'a, const ROWS: usize> {
    piles: &'a Piles<ROWS>,
    channels: &'a Channels<ROWS>,
    whole: &'a Extents<ROWS>,
    leaf_size: u32,
}

impl<const ROWS: usize> Kernel for Sweep<'_, ROWS> {
    type Output = Option<Cut>;

    #[inline(always)]
    fn run<E: Eight>(self) -> Option<Cut> {
        let whole = Registers::<E, ROWS>::load(self.whole);
        let scale = Vec4::ONE / whole.half_areas().max(Vec4::splat(f32::MIN_POSITIVE));
        let (mut least, mut best) = (f32::INFINITY, None);
        for channel in 0..self.channels.count {
            if let Some((cost, bin)) = self.below::<E>(least, channel, scale) {
                let (row, lane) = self.channels.places[channel];
                let (start, per_unit) = (self.channels.start[row][lane], self.channels.per_unit[row][lane]);
                (least, best) = (cost, Some(Cut { row, lane, start, per_unit, bin: bin as f32 }));
            }
        }
        best
    }
}

impl<const ROWS: usize> Sweep<'_, ROWS> {
    /// The best cut of a channel that costs less than a given one. Costs of both sides grow with what is on them, also rounded: so both
    /// sweeps end where one side alone costs too much. A cut after an empty bin is the cut before it.
    #[inline(always)]
    fn below<E: Eight>(&self, mut least: f32, channel: usize, scale: Vec4) -> Option<(f32, usize)> {
        let (boxes, counts) = (&self.piles.boxes[channel], &self.piles.counts[channel]);
        let (mut occupied, mut last) = ([0; BINS], 0);
        for bin in 0..BINS {
            occupied[last % BINS] = bin;
            last += usize::from(counts[bin] > 0);
        }
        // Costs of everything from a bin on, from the right.
        let mut right_costs = [f32::INFINITY; BINS];
        let (mut right, mut count) = (Registers::<E, ROWS>::empty(), 0);
        let mut first = last;
        while first > 1 {
            let bin = occupied[(first - 1) % BINS];
            right = right.union(Registers::load(&boxes[bin].0));
            count += counts[bin];
            let cost = self.cost(right, count, scale);
            if cost >= least {
                break;
            }
            first -= 1;
            right_costs[first % BINS] = cost;
        }
        let mut best = None;
        let (mut left, mut count) = (Registers::<E, ROWS>::empty(), 0);
        for index in 1..last {
            let bin = occupied[index - 1];
            left = left.union(Registers::load(&boxes[bin].0));
            count += counts[bin];
            if index < first {
                continue;
            }
            let left_cost = self.cost(left, count, scale);
            if left_cost >= least {
                break;
            }
            let cost = left_cost + right_costs[index];
            if cost < least {
                (least, best) = (cost, Some((cost, bin + 1)));
            }
        }
        best
    }

    /// Of one side: areas as shares of the whole, times the number of full leaves.
    #[inline(always)]
    fn cost<E: Eight>(&self, side: Registers<E, ROWS>, count: u32, scale: Vec4) -> f32 {
        let [a, b, c, d] = (side.half_areas() * scale).to_array();
        (a + b + c + d) * count.div_ceil(self.leaf_size) as f32
    }
}
