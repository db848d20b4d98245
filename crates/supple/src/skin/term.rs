//! What a bound needs to know of a group of vertices that have one joint-set.
//!
//! In: the group's weights. Out: a simplex that contains them, and the ranges of their products.
//! Must hold: every weight vector of the group is a convex combination of the corners `base + spread e_i`.
//!
//! The weights of a group lie in `sum w_i = 1`, above their smallest values `l_i` and below their largest `h_i`.
//! Cutting with both gives the polytope of the thesis, whose corners can be many. Cutting with one side only gives a
//! simplex with one corner per joint: `{w >= l}` has the corners `l + (1 - sum l) e_i`, `{w <= h}` the corners
//! `h - (sum h - 1) e_i`. The smaller of the two is kept; for two joints both are the interval itself
//! (`docs/math/corner-bounds.md`).
//!
//! Based on: L. Kavan, Real-time Skeletal Animation, 2007, section 5.2.1 (corners of weight intervals).

/// A group of vertices of one joint-set, as the skin stage sees it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SkinTerm<'a> {
    pub set: usize,
    pub joints: &'a [u32],
    pub weights: WeightRange<'a>,
}

/// Weights that occur in a group.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WeightRange<'a> {
    /// One number per joint; corner `i` of the simplex is `base + spread e_i`.
    pub base: &'a [f32],
    pub spread: f32,
    /// Largest `sum_{i<j} w_i w_j` of any vertex.
    pub total_product: f32,
    /// Smallest and largest `w_i w_j`, for `i < j`, row by row.
    pub products: &'a [[f32; 2]],
}

/// [`WeightRange`] as it is built.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct OwnedWeightRange {
    pub base: Vec<f32>,
    pub spread: f32,
    pub total_product: f32,
    pub products: Vec<[f32; 2]>,
}

impl OwnedWeightRange {
    /// Collects the weights of a group; each item has one weight per joint.
    pub fn around<'w>(joints: usize, group: impl Iterator<Item = &'w [f32]>) -> Self {
        let (mut low, mut high) = (vec![f32::INFINITY; joints], vec![f32::NEG_INFINITY; joints]);
        let pairs = joints * (joints - 1) / 2;
        let mut products = vec![[f32::INFINITY, f32::NEG_INFINITY]; pairs];
        let mut total_product = 0.0f32;
        for weights in group {
            let mut pair = products.iter_mut();
            let mut total = 0.0;
            for (i, &w) in weights.iter().enumerate() {
                low[i] = low[i].min(w);
                high[i] = high[i].max(w);
                for &other in &weights[i + 1..] {
                    let product = w * other;
                    total += product;
                    if let Some(range) = pair.next() {
                        *range = [range[0].min(product), range[1].max(product)];
                    }
                }
            }
            total_product = total_product.max(total);
        }
        let above = 1.0 - low.iter().sum::<f32>();
        let below = 1.0 - high.iter().sum::<f32>();
        let (base, spread) = if above.abs() <= below.abs() { (low, above) } else { (high, below) };
        // Weights that agree up to rounding have one corner; the margin for rounding covers the rest: `docs/math/rounding.md`,
        // "The simplex of the weights".
        let spread = if spread.abs() <= joints as f32 * f32::EPSILON { 0.0 } else { spread };
        Self { base, spread, total_product, products }
    }
}

#[cfg(test)]
#[path = "../../tests/inside/skin/term.rs"]
mod tests;
