//! How much dual quaternion blends differ from linear ones, from point to point.
//!
//! Where joints turn and do not stretch, both blends start from the same images `Y_i` of a point. With quaternions whose angles are at most `a`,
//! `S = sin a`, `|b| >= m = sqrt(cos a)`, images within `D` of each other's middle, and weights of slopes `s_i` in space, the difference of
//! the blends of two points `x`, `y` differs by at most
//!
//! ```text
//! (  E (sqrt(k^2 + S^2 / m^2) + S sin(a/2) / m^2) sum s_i   +   2 S^2 / m + 2 S k  )  |x - y|
//! E = D (1 + 1/m),     k = max(1 - cos a, 1/m - 1)
//! ```
//!
//! `docs/math/certificates.md`, "Dual quaternions", has the proof.

/// `2 sin(a / 2)` of 45 degrees: quaternions that are farther apart, of joints that are turned by more than 90 degrees, are not looked at.
const WIDEST: f32 = 0.765;

/// What the factors are for all points around a node.
pub(super) struct Bulge {
    /// Per distance of images and slope of weights.
    per_slope: f32,
    /// Per distance of points.
    per_distance: f32,
}

impl Bulge {
    /// For joints whose unit quaternions are at most so far from each other, `2 sin(a / 2)`; none where that is too far.
    #[inline(always)]
    pub fn new(opening: f32) -> Option<Self> {
        if opening > WIDEST {
            return None;
        }
        let half_sine = 0.5 * opening;
        let less_than_one = 2.0 * half_sine * half_sine;
        let cosine = 1.0 - less_than_one;
        let sine = opening * (1.0 - half_sine * half_sine).sqrt();
        let shortest = cosine.sqrt();
        // 1/m - 1 = (1 - m^2) / (m (1 + m)), which does not cancel.
        let longer = less_than_one.max(less_than_one / (shortest * (1.0 + shortest)));
        let turned = (longer * longer + sine * sine / cosine).sqrt();
        let per_image = turned + sine * half_sine / cosine;
        Some(Self {
            per_slope: (1.0 + 1.0 / shortest) * per_image,
            per_distance: 2.0 * sine * (sine / shortest + longer),
        })
    }

    /// How much the difference of both blends differs at most, per distance: with images so far from their middle, the sum of all weights' slopes, and
    /// how far apart the rest stage takes points per distance.
    #[inline(always)]
    pub fn slope(&self, farthest_image: f32, slopes: f32, stretch: f32) -> f32 {
        1.0001 * (self.per_slope * farthest_image * slopes + self.per_distance * stretch)
    }
}
