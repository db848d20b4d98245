//! Bends of a pose, eight pairs of joints and then eight joint-sets at a time.
//!
//! In: what `bends` knows of a skin, and posed joints. Out: the bend of every joint-set; how the joints of every pair are turned against each other.
//! Must hold: the formulas of `bends`, rounded as `docs/math/rounding.md`, "Bends", counts: turns are rounded up when they are made; what follows
//! are sums and products of positive numbers, which a factor covers.

use glam::{Mat4, Vec3, Vec4};

use super::bends::{Bends, EightPairs, EightSets, JointPair, RIGID};
use super::palette::{SINGULAR_BLEND_SQ, column_vectors};
use super::rounding::{UNIT_ROUNDOFF, bend_margin, largest_stretch};
use super::weighted_sum::Block;
use super::{Magnitude, Palette, Skinning};
use crate::math::rotation_center::SMALLEST_ANGLE;
use crate::simd::{self, Eight, Kernel};

/// How far vertices of each joint-set are from their linear blend, at most.
#[derive(Clone, Debug, Default)]
pub(crate) struct PosedBends {
    /// By the numbers of [`Bends::of_set`], eight at a time.
    of_sets: Vec<[f32; 8]>,
    /// Of pairs.
    turns: Vec<Turn>,
    /// By how much a joint stretches, at most.
    scale: f32,
    /// What they were computed for, besides the joints.
    made_for: Option<(Magnitude, f32)>,
    /// Memory for the numbers of eight sets.
    scratch: Scratch,
}

/// A pair in a pose: `<p, q>`, `1 - |<p, q>|`, `|s|`, and how far apart its joints take its center and what is at it, with displacements.
#[derive(Clone, Copy, Debug, Default)]
struct Turn(Vec4);

/// By joint or by pair, for eight sets.
#[derive(Clone, Debug, Default)]
struct Scratch {
    /// Which sign each joint's quaternion takes.
    signs: Vec<[f32; 8]>,
    /// `sum_j w_j g_ij`, and the largest `g_ij`.
    openings_of_joints: Vec<[[f32; 8]; 2]>,
}

impl PosedBends {
    /// Looks at a pose, each time that the palette takes one; `displacement` is how far fields move any vertex at most.
    pub fn set(&mut self, bends: &Bends, palette: &Palette, displacement: f32) {
        let made_for = Some((palette.magnitude, displacement));
        if palette.is_as_before() && self.made_for == made_for {
            return;
        }
        self.made_for = made_for;
        // Finite, so that no product with 0 is NaN.
        let offset = (bends.stretch_spread(palette) * palette.magnitude.rest).min(1e30);
        let scales = palette.stretches.iter().map(|stretch| stretched(stretch, Vec3::ZERO).1);
        self.scale = if palette.stretches.is_empty() { 1.0 } else { scales.fold(0.0, f32::max).min(1e30) };
        simd::run(Posing { bends, palette, offset, displacement, out: self });
    }

    /// Of a joint-set by its number, which may be [`RIGID`].
    pub fn of_set(&self, number: u32) -> f32 {
        if number == RIGID { 0.0 } else { self.of_sets.as_flattened()[number as usize] }
    }

    /// The largest of some joint-sets, by their numbers.
    #[inline(always)]
    pub fn largest(&self, numbers: &[u32]) -> f32 {
        let all = self.of_sets.as_flattened();
        numbers.iter().fold(0.0, |most, &number| all[number as usize].max(most))
    }

    /// The angle between the quaternions of a pair, at most: `|p - q| = 2 sin(angle / 2)`.
    pub(super) fn half_angle(&self, pair: u32) -> f64 {
        2.0 * (0.5 * f64::from(self.turns[pair as usize].0.y)).sqrt().min(1.0).asin()
    }

    /// How far apart the joints of a pair take a vertex within a distance of its center, at most.
    pub(super) fn farthest(&self, pair: u32, radius: f32) -> f64 {
        let Turn(turn) = self.turns[pair as usize];
        f64::from(turn.w) + 2.0 * f64::from(turn.z) * f64::from(self.scale) * f64::from(radius)
    }
}

struct Posing<'a> {
    bends: &'a Bends,
    palette: &'a Palette,
    /// How far apart stretches take any vertex, at most.
    offset: f32,
    displacement: f32,
    out: &'a mut PosedBends,
}

impl Kernel for Posing<'_> {
    type Output = ();

    #[inline(always)]
    fn run<E: Eight>(self) {
        let Self { bends, palette, offset, displacement, out } = self;
        let displaced = offset + out.scale * displacement;
        out.turns.clear();
        for eight in bends.pairs.chunks(8) {
            let turns = turns_of::<E>(palette, eight, displaced);
            out.turns.extend_from_slice(&turns[..eight.len()]);
        }
        out.of_sets.resize(bends.eights.len(), [0.0; 8]);
        let (mut first_pair, mut first_weight) = (0, 0);
        for (sets, found) in bends.eights.iter().zip(&mut out.of_sets) {
            let pairs = &bends.pairs_of_eights[first_pair..first_pair + sets.pair_count()];
            let weights = &bends.weights_of_eights[first_weight..first_weight + sets.joints];
            let posed = PosedSets { palette, turns: &out.turns, offset, displaced, scale: out.scale };
            posed.bends::<E>(sets, pairs, weights, &mut out.scratch).store(found);
            (first_pair, first_weight) = (first_pair + pairs.len(), first_weight + weights.len());
        }
    }
}

/// Turns of up to eight pairs; those that there are not have no meaning.
#[inline(always)]
fn turns_of<E: Eight>(palette: &Palette, pairs: &[JointPair], displaced: f32) -> [Turn; 8] {
    let (mut firsts, mut others, mut differences) = ([Vec4::ZERO; 8], [Vec4::ZERO; 8], [Vec4::ZERO; 8]);
    for (lane, pair) in pairs.iter().enumerate().take(8) {
        let [first, other] = pair.joints();
        let center = match palette.stretches.get(first) {
            Some(stretch) => stretched(stretch, pair.center).0,
            None => pair.center,
        };
        differences[lane] =
            difference::<E>(&palette.rigid_matrices[first], &palette.rigid_matrices[other], center);
        firsts[lane] = Vec4::from_slice(&palette.dual_quaternions[first][0][..4]);
        others[lane] = Vec4::from_slice(&palette.dual_quaternions[other][0][..4]);
    }
    let [px, py, pz, pw] = E::all_coordinates(&firsts);
    let [qx, qy, qz, qw] = E::all_coordinates(&others);
    // As skinning computes it: signs of quaternions follow.
    let dot = px.times(qx).plus(pz.times(qz)).plus(py.times(qy).plus(pw.times(qw)));
    let sign = E::choose(E::all(0.0).at_most(dot), E::all(1.0), E::all(-1.0));
    let (qx, qy, qz, qw) = (qx.times(sign), qy.times(sign), qz.times(sign), qw.times(sign));
    // s = p_v q_w - q_v p_w - p_v x q_v
    let sine = length([
        px.times(qw).minus(qx.times(pw)).minus(py.times(qz).minus(qy.times(pz))),
        py.times(qw).minus(qy.times(pw)).minus(pz.times(qx).minus(qz.times(px))),
        pz.times(qw).minus(qz.times(pw)).minus(px.times(qy).minus(qx.times(py))),
    ]);
    let sine = sine.times(E::all(1.0 + 4.0 * UNIT_ROUNDOFF)).plus(E::all(12.0 * UNIT_ROUNDOFF));
    // 1 - <p, q> = |p - q|^2 / 2 for unit quaternions, without cancellation where they agree.
    let (x, y, z, w) = (px.minus(qx), py.minus(qy), pz.minus(qz), pw.minus(qw));
    let opening_sq = x.times(x).plus(z.times(z)).plus(y.times(y).plus(w.times(w)));
    let opening = opening_sq.times(E::all(0.5)).plus(E::all(OPENING_ROUNDING));
    let rounding = E::all(80.0 * UNIT_ROUNDOFF * palette.magnitude.largest());
    let apart = lengths::<E>(&differences).plus(sine.times(E::all(2.0 * displaced))).plus(rounding);
    let ([a, e], [b, f]) = (dot.split(), opening.split());
    let ([c, g], [d, h]) = (sine.split(), apart.split());
    let low = Mat4::from_cols(a, b, c, d).transpose();
    let high = Mat4::from_cols(e, f, g, h).transpose();
    let [low, high] = [low, high].map(|m| [m.x_axis, m.y_axis, m.z_axis, m.w_axis].map(Turn));
    [low[0], low[1], low[2], low[3], high[0], high[1], high[2], high[3]]
}

/// More than an opening is rounded by.
const OPENING_ROUNDING: f32 = 24.0 * UNIT_ROUNDOFF;

/// What bends of joint-sets are computed from.
struct PosedSets<'a> {
    palette: &'a Palette,
    turns: &'a [Turn],
    offset: f32,
    displaced: f32,
    scale: f32,
}

impl PosedSets<'_> {
    /// Bends of eight joint-sets.
    #[inline(always)]
    fn bends<E: Eight>(
        &self,
        sets: &EightSets,
        pairs: &[EightPairs],
        weights: &[[f32; 8]],
        scratch: &mut Scratch,
    ) -> E {
        let (zero, one, two) = (E::all(0.0), E::all(1.0), E::all(2.0));
        scratch.signs.clear();
        scratch.signs.resize(sets.joints, [1.0; 8]);
        scratch.openings_of_joints.clear();
        scratch.openings_of_joints.resize(sets.joints, [[0.0; 8]; 2]);
        let (mut weighted, mut widest) = (zero, zero);
        let (mut residual, mut residual_sq) = (zero, zero);
        let mut next = pairs.iter();
        for i in 0..sets.joints {
            for j in i + 1..sets.joints {
                let Some(pair) = next.next() else { continue };
                let [dot, opening, sine, apart] = self.turned(pair);
                if i == 0 {
                    E::choose(zero.at_most(dot), one, E::all(-1.0)).store(&mut scratch.signs[j]);
                }
                let aligned = dot.times(E::load(&scratch.signs[i])).times(E::load(&scratch.signs[j]));
                let against = E::all(2.0 + 2.0 * OPENING_ROUNDING).minus(opening);
                let opening = E::choose(zero.at_most(aligned), opening, against);
                weighted = weighted.plus(E::load(&pair.product).times(opening));
                widest = widest.greatest(opening);
                let [of_i, of_j] = [E::load(&weights[i]), E::load(&weights[j])];
                add_opening(&mut scratch.openings_of_joints[i], of_j, opening);
                add_opening(&mut scratch.openings_of_joints[j], of_i, opening);
                let reach = two.times(sine).times(E::all(self.scale)).times(E::load(&pair.middle_distance));
                let at_middle = apart.plus(reach);
                residual = residual.plus(at_middle);
                residual_sq = residual_sq.plus(at_middle.times(at_middle));
            }
        }
        let total_product = E::load(&sets.total_product);
        let least_product = total_product.times(widest).least(weighted);
        // Half of what skinning admits: its own |b|^2 is rounded too.
        let rounding = E::all((4 * sets.joints + 2 * pairs.len() + 16) as f32 * UNIT_ROUNDOFF);
        let shortest_sq =
            one.minus(two.times(least_product)).minus(rounding).greatest(E::all(0.5 * SINGULAR_BLEND_SQ));
        let (mut at_center, mut center) = (zero, zero);
        let is_spherical = self.palette.skinning() == Skinning::Spherical;
        if is_spherical {
            let middle = E::load(&sets.middle).times(E::all(self.scale));
            let residual = root_of_squares(residual_sq.least(E::all(1e36)), residual);
            at_center = residual.plus(E::all(SMALLEST_ANGLE as f32).times(middle));
            center = middle.plus(residual.over(E::all(SMALLEST_ANGLE as f32)));
        }
        let (mut sum, mut next) = (zero, pairs.iter());
        for i in 0..sets.joints {
            for j in i + 1..sets.joints {
                let Some(pair) = next.next() else { continue };
                let [_, _, sine, apart] = self.turned::<E>(pair);
                let [of_i, of_j] = [i, j].map(|joint| least_opening::<E>(&scratch.openings_of_joints[joint]));
                let (turned, product) = (two.times(sine), E::load(&pair.product));
                let reach = turned.times(E::all(self.scale));
                let apart = if is_spherical {
                    let displaced = at_center.plus(turned.times(E::all(self.displaced)));
                    product.times(displaced).plus(reach.times(E::load(&pair.middle_moment)))
                } else {
                    product.times(apart).plus(reach.times(E::load(&pair.moment)))
                };
                sum = sum.plus(apart.times(sine.plus(of_i).plus(of_j)));
            }
        }
        let stretch = two.times(total_product).times(E::all(self.offset));
        let per_square = one.over(shortest_sq);
        // As if `|b|` were 1, then more than is lost where it is shorter.
        let margin =
            bend_margin(self.palette.magnitude, sets.joints, center).times(per_square).times(per_square);
        // Rounded up: a few dozen operations, and a sum over pairs. Finite, so that boxes stay boxes.
        let factor = 1.0001 + pairs.len() as f32 * 2.0 * f32::EPSILON;
        sum.times(per_square).plus(stretch).plus(margin).times(E::all(factor)).least(E::all(1e30))
    }

    /// How the joints of one pair of each set are turned against each other.
    #[inline(always)]
    fn turned<E: Eight>(&self, pair: &EightPairs) -> [E; 4] {
        let mut turns = [Vec4::ZERO; 8];
        for lane in 0..8 {
            turns[lane] = self.turns[pair.pairs[lane] as usize].0;
        }
        E::all_coordinates(&turns)
    }
}

#[inline(always)]
fn add_opening<E: Eight>([sum, most]: &mut [[f32; 8]; 2], weight: E, opening: E) {
    E::load(sum).plus(weight.times(opening)).store(sum);
    E::load(most).greatest(opening).store(most);
}

/// Both bound how far a joint's neighbours open, by weight.
#[inline(always)]
fn least_opening<E: Eight>([sum, most]: &[[f32; 8]; 2]) -> E {
    E::load(sum).least(E::load(most))
}

/// A point after a joint's stretch, and how much that stretches at most.
#[inline(always)]
fn stretched(stretch: &Block<2>, p: Vec3) -> (Vec3, f32) {
    let [x, y, z, _] = column_vectors(stretch);
    ((x * p.x + y * p.y + z * p.z).truncate(), largest_stretch([x, y, z]))
}

/// From where a joint takes a point to where another one does, backwards.
#[inline(always)]
fn difference<E: Eight>(first: &Block<2>, other: &Block<2>, p: Vec3) -> Vec4 {
    let xy = E::load(&first[0]).minus(E::load(&other[0]));
    let zt = E::load(&first[1]).minus(E::load(&other[1]));
    let ([x, y], [z, t]) = (xy.times(E::halves(p.x, p.y)).split(), zt.times(E::halves(p.z, 1.0)).split());
    x + y + z + t
}

/// Lengths of eight vectors; the squares of tiny numbers vanish, their sum does not.
#[inline(always)]
fn lengths<E: Eight>(vectors: &[Vec4; 8]) -> E {
    let [x, y, z] = E::coordinates(vectors);
    root_of_squares(x.times(x).plus(z.times(z)).plus(y.times(y)), x.abs().plus(y.abs()).plus(z.abs()))
}

/// The root of a sum of squares; the sum of the numbers themselves where the squares vanish.
#[inline(always)]
fn root_of_squares<E: Eight>(squares: E, sum: E) -> E {
    E::choose(squares.at_most(E::all(1e-30)), sum, squares.root())
}

#[inline(always)]
fn length<E: Eight>([x, y, z]: [E; 3]) -> E {
    x.times(x).plus(y.times(y)).plus(z.times(z)).root()
}

#[cfg(test)]
#[path = "../../tests/inside/skin/posed_bends.rs"]
mod tests;
