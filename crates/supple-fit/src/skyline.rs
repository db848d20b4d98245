//! Cholesky factorisation of a symmetric positive definite matrix that is made of blocks and zero far from its
//! diagonal.
//!
//! In: which blocks are not zero, then the blocks. Out: solutions of linear systems.
//! Must hold: rows are stored from their first block that is not zero (their envelope), within which the factor stays.
//! Joints that overlap are numbered close to each other, so that envelopes are short: on cloth with a hundred joints a
//! third of the numbers is stored, and a factorisation takes a tenth of the work of a full one.
//!
//! A general library was tried (faer): its build took four minutes of processor time per profile, for one factorisation
//! of this size.
//!
//! Based on: George, Liu, Computer Solution of Large Sparse Positive Definite Systems, 1981, chapter 4 (envelopes,
//! reverse Cuthill-McKee).

/// Which blocks there are, in an order with short rows.
#[derive(Clone, Debug)]
pub(crate) struct Envelope {
    /// Number of each block in the matrix.
    number: Vec<usize>,
    /// The first block of each row of blocks, by their numbers in the matrix.
    first: Vec<usize>,
}

impl Envelope {
    /// For blocks on the diagonal and those of the given pairs.
    pub fn new(count: usize, pairs: &[[u32; 2]]) -> Self {
        let mut neighbours = vec![Vec::new(); count];
        for &[a, b] in pairs.iter().filter(|[a, b]| a != b) {
            neighbours[a as usize].push(b as usize);
            neighbours[b as usize].push(a as usize);
        }
        let order = reverse_cuthill_mckee(&neighbours);
        let mut number = vec![0; count];
        order.iter().enumerate().for_each(|(at, &block)| number[block] = at);
        let row = |at: usize| neighbours[order[at]].iter().map(|&n| number[n]).fold(at, usize::min);
        let first = (0..count).map(row).collect();
        Self { number, first }
    }

    /// How many numbers a matrix with blocks of `size` rows has.
    pub fn stored(&self, size: usize) -> usize {
        let row = |(at, first): (usize, &usize)| (at - first) * size * size + size * (size + 1) / 2;
        self.first.iter().enumerate().map(row).sum()
    }

    /// A matrix of zeros with blocks of `size` rows.
    pub fn zeros(&self, size: usize) -> Skyline<'_> {
        let n = self.number.len() * size;
        let mut rows = Vec::with_capacity(n);
        let mut at = 0;
        for row in 0..n {
            let start = self.first[row / size] * size;
            rows.push(Row { start, at });
            at += row + 1 - start;
        }
        Skyline { envelope: self, size, rows, values: vec![0.0; at] }
    }
}

/// Neighbours after each other, from an end of the graph; joints that nothing connects follow one another.
fn reverse_cuthill_mckee(neighbours: &[Vec<usize>]) -> Vec<usize> {
    let count = neighbours.len();
    let breadth_first = |from: usize, done: &mut Vec<bool>| {
        let mut order = vec![from];
        done[from] = true;
        let mut next = 0;
        while next < order.len() {
            let mut fresh: Vec<usize> =
                neighbours[order[next]].iter().copied().filter(|&n| !done[n]).collect();
            fresh.sort_by_key(|&n| (neighbours[n].len(), n));
            fresh.dedup();
            fresh.iter().for_each(|&n| done[n] = true);
            order.extend(fresh);
            next += 1;
        }
        order
    };
    let mut done = vec![false; count];
    let mut order = Vec::with_capacity(count);
    for seed in 0..count {
        if !done[seed] {
            // The last one reached is at an end; from there once more.
            let far = breadth_first(seed, &mut done.clone()).last().copied().unwrap_or(seed);
            order.extend(breadth_first(far, &mut done));
        }
    }
    order.reverse();
    order
}

#[derive(Clone, Copy, Debug)]
struct Row {
    /// First column stored.
    start: usize,
    /// Where it is stored; up to and including the diagonal.
    at: usize,
}

/// The lower triangle of a symmetric matrix, later its factor.
#[derive(Clone, Debug)]
pub(crate) struct Skyline<'e> {
    envelope: &'e Envelope,
    size: usize,
    rows: Vec<Row>,
    values: Vec<f64>,
}

impl Skyline<'_> {
    /// Adds a block that couples two unknowns, and thereby its transpose; `block` gives it by row (of `a`) and column
    /// (of `b`).
    pub fn add(&mut self, [a, b]: [u32; 2], block: impl Fn(usize, usize) -> f64) {
        let (a, b) = (self.envelope.number[a as usize], self.envelope.number[b as usize]);
        for i in 0..self.size {
            for j in 0..self.size {
                let (row, column) = if a >= b {
                    (a * self.size + i, b * self.size + j)
                } else {
                    (b * self.size + j, a * self.size + i)
                };
                if column <= row {
                    let Row { start, at } = self.rows[row];
                    self.values[at + column - start] += block(i, j);
                }
            }
        }
    }

    /// `L` of `A + damping = L L^T`; none if that is not positive definite to working precision.
    pub fn factor(mut self, damping: f64) -> Option<Self> {
        for row in 0..self.rows.len() {
            let Row { start, at } = self.rows[row];
            let (above, own) = self.values.split_at_mut(at);
            for column in start..row {
                let Row { start: other_start, at: other_at } = self.rows[column];
                let from = start.max(other_start);
                let other = &above[other_at + from - other_start..other_at + column - other_start + 1];
                let (left, diagonal) = other.split_at(column - from);
                let known = dot(&own[from - start..column - start], left);
                own[column - start] = (own[column - start] - known) / diagonal[0];
            }
            let (left, diagonal) = own[..row - start + 1].split_at_mut(row - start);
            let rest = diagonal[0] + damping - dot(left, left);
            if rest.is_nan() || rest <= f64::EPSILON * (diagonal[0] + damping) {
                return None;
            }
            diagonal[0] = rest.sqrt();
        }
        Some(self)
    }

    /// Solves `L L^T x = b` for a factored matrix, in place; unknowns in the order in which blocks are numbered.
    pub fn solve(&self, b: &mut [f64]) {
        let mut x = vec![0.0; b.len()];
        for (block, &number) in self.envelope.number.iter().enumerate() {
            x[number * self.size..][..self.size].copy_from_slice(&b[block * self.size..][..self.size]);
        }
        for row in 0..self.rows.len() {
            let (start, left, diagonal) = self.row(row);
            x[row] = (x[row] - dot(left, &x[start..row])) / diagonal;
        }
        for row in (0..self.rows.len()).rev() {
            let (start, left, diagonal) = self.row(row);
            let value = x[row] / diagonal;
            x[row] = value;
            x[start..row].iter_mut().zip(left).for_each(|(x, l)| *x -= l * value);
        }
        for (block, &number) in self.envelope.number.iter().enumerate() {
            b[block * self.size..][..self.size].copy_from_slice(&x[number * self.size..][..self.size]);
        }
    }

    /// First column, what is left of the diagonal, the diagonal.
    fn row(&self, row: usize) -> (usize, &[f64], f64) {
        let Row { start, at } = self.rows[row];
        let length = row - start;
        (start, &self.values[at..at + length], self.values[at + length])
    }
}

/// In eight partial sums, which the compiler turns into vector instructions; the order of summation is fixed.
#[inline(always)]
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; 8];
    let (a_chunks, b_chunks) = (a.chunks_exact(8), b.chunks_exact(8));
    let (a_rest, b_rest) = (a_chunks.remainder(), b_chunks.remainder());
    for (a, b) in a_chunks.zip(b_chunks) {
        for lane in 0..8 {
            sums[lane] += a[lane] * b[lane];
        }
    }
    let rest: f64 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    sums.iter().sum::<f64>() + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solutions_solve_the_system() {
        // A ring of blocks with a chord, and one block alone.
        let count = 9;
        let mut pairs: Vec<[u32; 2]> = (0..8).map(|i| [i, (i + 1) % 8]).collect();
        pairs.push([1, 5]);
        for size in [1, 3, 6] {
            let envelope = Envelope::new(count, &pairs);
            let value = |a: u32, b: u32, i: usize, j: usize| {
                ((a * 31 + b * 17) as f64 + (i * 7 + j * 3) as f64).sin() * 0.3
            };
            let n = count * size;
            let mut full = vec![0.0; n * n];
            let mut matrix = envelope.zeros(size);
            for b in 0..count as u32 {
                let on = |i: usize, j: usize| if i == j { 8.0 } else { 0.1 };
                matrix.add([b, b], on);
                for (i, j) in (0..size * size).map(|e| (e / size, e % size)) {
                    full[(b as usize * size + i) * n + b as usize * size + j] += on(i, j);
                }
            }
            for &[a, b] in &pairs {
                matrix.add([a, b], |i, j| value(a, b, i, j));
                for (i, j) in (0..size * size).map(|e| (e / size, e % size)) {
                    full[(a as usize * size + i) * n + b as usize * size + j] += value(a, b, i, j);
                    full[(b as usize * size + j) * n + a as usize * size + i] += value(a, b, i, j);
                }
            }
            let wanted: Vec<f64> = (0..n).map(|i| (i as f64).cos()).collect();
            let mut b: Vec<f64> =
                (0..n).map(|i| dot(&full[i * n..][..n], &wanted) + 0.5 * wanted[i]).collect();
            matrix.factor(0.5).unwrap().solve(&mut b);
            for (x, y) in b.iter().zip(&wanted) {
                assert!((x - y).abs() < 1e-12, "{x} {y}");
            }
        }
    }

    #[test]
    fn what_is_not_positive_definite_is_refused() {
        let envelope = Envelope::new(2, &[[0, 1]]);
        let mut matrix = envelope.zeros(1);
        matrix.add([0, 0], |_, _| 1.0);
        matrix.add([1, 1], |_, _| 1.0);
        matrix.add([1, 0], |_, _| 1.0);
        assert!(matrix.clone().factor(0.0).is_none());
        assert!(matrix.clone().factor(1e-3).is_some());
        matrix.add([1, 1], |_, _| f64::NAN);
        assert!(matrix.factor(1e-3).is_none());
    }
}
