//! What has been computed for the current pose: values with a stamp, valid where the stamp is the pose's epoch.

use glam::Vec3;

use crate::math::{Aabb, Sphere};

/// Bounds and posed vertices of one body.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cache {
    /// Grows with every pose; 0 is before the first.
    epoch: u32,
    pub boxes: Stamped<Aabb>,
    pub balls: Stamped<Sphere>,
    pub positions: Stamped<Vec3>,
    /// Memory of the walk over pairs of nodes, kept from query to query.
    pub open_pairs: Vec<(u32, u32)>,
    /// Memory for the triangles of a leaf that reach into another, likewise.
    pub candidates: Vec<LeafTriangle>,
}

/// A posed triangle of a leaf.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LeafTriangle {
    pub id: u32,
    pub corners: [Vec3; 3],
    pub bounds: Aabb,
}

/// Values that are valid for one epoch.
#[derive(Clone, Debug)]
pub(crate) struct Stamped<T> {
    values: Vec<T>,
    epochs: Vec<u32>,
}

impl<T> Default for Stamped<T> {
    fn default() -> Self {
        Self { values: Vec::new(), epochs: Vec::new() }
    }
}

impl Cache {
    /// Forgets everything, at the cost of one addition.
    pub fn next_epoch(&mut self) {
        self.epoch = self.epoch.wrapping_add(1);
        if self.epoch == 0 {
            // After four billion poses stamps would come round again.
            self.boxes.forget();
            self.balls.forget();
            self.positions.forget();
            self.epoch = 1;
        }
    }

    pub fn epoch(&self) -> u32 {
        self.epoch
    }
}

impl<T: Copy> Stamped<T> {
    /// Makes room for `count` values; does nothing the second time.
    #[inline(always)]
    pub fn make_room(&mut self, count: usize, filler: T) {
        if self.values.len() != count {
            self.values.resize(count, filler);
            self.epochs.resize(count, 0);
        }
    }

    #[inline(always)]
    pub fn is_current(&self, index: usize, epoch: u32) -> bool {
        self.epochs[index] == epoch
    }

    #[inline(always)]
    pub fn get(&self, index: usize) -> &T {
        &self.values[index]
    }

    #[inline(always)]
    pub fn set(&mut self, index: usize, epoch: u32, value: T) {
        self.values[index] = value;
        self.epochs[index] = epoch;
    }

    fn forget(&mut self) {
        self.epochs.fill(0);
    }
}
