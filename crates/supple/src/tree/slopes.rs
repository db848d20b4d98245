//! The steepest slopes of functions between vertices: the largest `|f(v) - f(w)| / |v - w|` of some vertices and all.

use glam::DVec3;

use crate::simd::{Eight, Kernel};

/// Vertices with functions of them. Kept from one node to the next.
#[derive(Default)]
pub(super) struct Slopes {
    /// The first vertices are compared with all.
    own: usize,
    count: usize,
    positions: [Vec<f64>; 3],
    /// Function by function.
    values: Vec<f64>,
    /// Memory: of one vertex to all others, one by the squared distance.
    inverse: Vec<f64>,
    steepest: Vec<f64>,
}

impl Slopes {
    /// Makes room for vertices and functions, which are to be set.
    pub fn start(&mut self, own: usize, count: usize, functions: usize) {
        (self.own, self.count) = (own, count);
        self.positions.iter_mut().for_each(|along| along.resize(count, 0.0));
        self.values.resize(functions * count, 0.0);
        self.inverse.resize(count, 0.0);
        self.steepest.clear();
        self.steepest.resize(functions, 0.0);
    }

    pub fn set_position(&mut self, vertex: usize, position: DVec3) {
        for (along, coordinate) in self.positions.iter_mut().zip(position.to_array()) {
            along[vertex] = coordinate;
        }
    }

    pub fn set_value(&mut self, function: usize, vertex: usize, value: f64) {
        self.values[function * self.count + vertex] = value;
    }

    /// What a run found, function by function; infinite where two vertices at one place have different values.
    pub fn steepest(&self) -> &[f64] {
        &self.steepest
    }
}

impl Kernel for &mut Slopes {
    type Output = ();

    #[inline(always)]
    fn run<E: Eight>(self) {
        let Slopes { own, count, positions: [xs, ys, zs], values, inverse, steepest } = self;
        let count = *count;
        for vertex in 0..*own {
            let (x, y, z) = (xs[vertex], ys[vertex], zs[vertex]);
            for (((inverse, &px), &py), &pz) in
                inverse[..count].iter_mut().zip(&xs[..]).zip(&ys[..]).zip(&zs[..])
            {
                let (dx, dy, dz) = (px - x, py - y, pz - z);
                *inverse = 1.0 / (dx * dx + dy * dy + dz * dz);
            }
            for (values, steepest) in values.chunks_exact(count).zip(steepest.iter_mut()) {
                *steepest = steepest_from(values, values[vertex], &inverse[..count], *steepest);
            }
        }
        steepest.iter_mut().for_each(|steepest| *steepest = steepest.sqrt());
    }
}

/// The steepest squared slope between one vertex and all. In four lanes, which do not wait for each other.
#[inline(always)]
fn steepest_from(values: &[f64], value: f64, inverse: &[f64], known: f64) -> f64 {
    let mut most = [known; 4];
    let (fours, inverse_fours) = (values.chunks_exact(4), inverse.chunks_exact(4));
    let rest = fours.remainder().iter().zip(inverse_fours.remainder());
    for (values, inverse) in fours.zip(inverse_fours) {
        for lane in 0..4 {
            most[lane] = steeper(values[lane] - value, inverse[lane], most[lane]);
        }
    }
    for (&other, &inverse) in rest {
        most[0] = steeper(other - value, inverse, most[0]);
    }
    most[0].max(most[1]).max(most[2].max(most[3]))
}

/// A vertex has no slope to itself: NaN is not greater.
#[inline(always)]
fn steeper(step: f64, inverse: f64, known: f64) -> f64 {
    let slope = step * step * inverse;
    if slope > known { slope } else { known }
}
