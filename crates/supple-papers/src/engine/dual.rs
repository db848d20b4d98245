//! Volumes under dual quaternion blending, which the papers leave open.
//!
//! Per joint-set with corners `c_k` of its weights and the rest sphere `(p, r)`: `P_i = C_i p`, `q_i` with aligned signs,
//! `s_ij = vec(q_i q_j^*)`, `b = sum w_i q_i`. The center goes to
//!
//! ```text
//! T(w) = sum_i mu_i P_i + sum_{i<j} kappa_ij X_ij     X_ij = (P_i - P_j) x s_ij
//! mu_i = w_i <q_i, b> / |b|^2, sum mu_i = 1           kappa_ij = w_i w_j / |b|^2
//! ```
//!
//! and everything else stays within `r` of it. `<q_i, b>` is linear in the weights, so it lies between its values at the corners; with
//! `D <= |b| <= U` every coefficient lies in an interval, and `T` in its value at the middles plus a segment per coefficient.
//! Two joints draw a helix of at most half a turn, which the sphere over its chord contains: the tighter of both is taken.
//!
//! Derivation: `docs/math/rotation-blending.md`.

use glam::{DVec3, DVec4};

use super::shape::SetCorners;
use super::spherical::{NEARLY_SINGULAR, stretched_sphere};
use super::{BoundingSphere, PosedJoint, UNIT_ROUNDOFF, Volume};
use supple::Skin;

/// For what lies below a node.
pub(super) fn refit<V: Volume>(rest: &V::Rest, sets: &[SetCorners], skin: &Skin, joints: &[PosedJoint]) -> V {
    let mut parts = Vec::new();
    for SetCorners { set, corners } in sets {
        let members: Vec<&PosedJoint> = skin.joint_set(*set).iter().map(|&j| &joints[j as usize]).collect();
        if let [joint] = members[..] {
            parts.push(V::moved(rest, joint));
            continue;
        }
        let blend =
            Blend::new(&stretched_sphere(&V::sphere_at_rest(rest), corners, &members), corners, &members);
        let volume = blend.volume::<V>();
        parts.push(match members.len() {
            2 => volume.tighter(&blend.over_chord(corners)),
            _ => volume,
        });
        if blend.shortest < NEARLY_SINGULAR {
            // Vertices may follow their heaviest joint alone.
            parts.extend(members.iter().map(|joint| V::moved(rest, joint)));
        }
    }
    V::around(&parts)
}

/// What the weights of one joint-set can do to a sphere.
struct Blend {
    /// `P_i`.
    images: Vec<DVec3>,
    /// `q_i`.
    rotations: Vec<DVec4>,
    /// `mu_i` and, for `i < j` row by row, `kappa_ij`: middles and half lengths of their intervals.
    mu: Vec<[f64; 2]>,
    kappa: Vec<[f64; 2]>,
    /// Radius, with the margin for vertices in f32.
    radius: f64,
    /// Lower bound of `|b|`.
    shortest: f64,
}

impl Blend {
    fn new(sphere: &BoundingSphere, corners: &[Vec<f64>], members: &[&PosedJoint]) -> Self {
        let images: Vec<DVec3> = members.iter().map(|m| m.rigid.transform_point3(sphere.center)).collect();
        let rotations: Vec<DVec4> = members.iter().map(|m| m.aligned_with(members[0])).collect();
        let sums: Vec<DVec4> = corners.iter().map(|corner| blended(&rotations, corner)).collect();
        let longest = sums.iter().map(|b| b.length()).fold(0.0, f64::max);
        let middle = sums.iter().sum::<DVec4>().normalize_or_zero();
        let shortest = sums.iter().map(|b| b.dot(middle)).fold(f64::INFINITY, f64::min);
        // Shorter blends are not made: skinning follows one joint there.
        let least = shortest.max(0.4 * NEARLY_SINGULAR);
        let range = |values: &mut dyn Iterator<Item = f64>| {
            values.fold([f64::INFINITY, f64::NEG_INFINITY], |[lo, hi], x| [lo.min(x), hi.max(x)])
        };
        let weights: Vec<[f64; 2]> =
            (0..members.len()).map(|i| range(&mut corners.iter().map(|c| c[i].max(0.0)))).collect();
        let mu = (0..members.len()).map(|i| {
            let [low, high] = weights[i];
            let [least_dot, most_dot] = range(&mut sums.iter().map(|b| rotations[i].dot(*b)));
            let lo = if least_dot >= 0.0 {
                low * least_dot / (longest * longest)
            } else {
                // `|<q_i, b>|` is at most `|b|` in any case.
                (high * least_dot / (least * least)).max(-high / least)
            };
            let hi = if most_dot >= 0.0 {
                (high * most_dot / (least * least)).min(high / least)
            } else {
                low * most_dot / (longest * longest)
            };
            [0.5 * (lo + hi), 0.5 * (hi - lo)]
        });
        let mu: Vec<[f64; 2]> = mu.collect();
        let mut kappa = Vec::new();
        for i in 0..members.len() {
            for j in i + 1..members.len() {
                let lo = weights[i][0] * weights[j][0] / (longest * longest);
                let hi = weights[i][1] * weights[j][1] / (least * least);
                kappa.push([0.5 * (lo + hi), 0.5 * (hi - lo)]);
            }
        }
        let radius = sphere.radius + vertex_margin(sphere, members, least);
        Self { images, rotations, mu, kappa, radius, shortest }
    }

    /// A segment per coefficient around their middles.
    fn volume<V: Volume>(&self) -> V {
        // The middles of mu need not have the sum 1: what is missing is given to all alike.
        let missing = (1.0 - self.mu.iter().map(|[middle, _]| middle).sum::<f64>()) / self.mu.len() as f64;
        let mut center: DVec3 =
            self.images.iter().zip(&self.mu).map(|(image, [middle, _])| *image * (middle + missing)).sum();
        let about = center;
        let mut volume = V::ORIGIN;
        let mut add_segment = |along: DVec3, half: f64| {
            volume.add_scaled(&V::smallest(&[-along, along]), half);
        };
        for (image, [_, half]) in self.images.iter().zip(&self.mu) {
            add_segment(*image - about, half + missing.abs());
        }
        for (vector, [middle, half]) in self.bulges().zip(&self.kappa) {
            center += vector * *middle;
            add_segment(vector, *half);
        }
        volume.add_scaled(&V::of_sphere(center, self.radius), 1.0);
        volume
    }

    /// `X_ij` for `i < j`, row by row.
    fn bulges(&self) -> impl Iterator<Item = DVec3> {
        let n = self.images.len();
        (0..n).flat_map(move |i| (i + 1..n).map(move |j| (i, j))).map(|(i, j)| {
            let s = vector_of_quotient(self.rotations[i], self.rotations[j]);
            (self.images[i] - self.images[j]).cross(s)
        })
    }

    /// The sphere over the chord from one end of the weights of two joints to the other.
    fn over_chord<V: Volume>(&self, corners: &[Vec<f64>]) -> V {
        let bulge = self.bulges().next().unwrap_or(DVec3::ZERO);
        let end = |corner: &Vec<f64>| -> DVec3 {
            let b = blended(&self.rotations, corner);
            let square = b.length_squared().max(UNIT_ROUNDOFF);
            let mu = |i: usize| corner[i] * self.rotations[i].dot(b) / square;
            self.images[0] * mu(0) + self.images[1] * mu(1) + bulge * (corner[0] * corner[1] / square)
        };
        let (first, last) = (end(&corners[0]), end(&corners[corners.len() - 1]));
        V::of_sphere((first + last) * 0.5, 0.5 * first.distance(last) + self.radius)
    }
}

fn blended(rotations: &[DVec4], weights: &[f64]) -> DVec4 {
    rotations.iter().zip(weights).map(|(&q, &weight)| q * weight).sum()
}

/// The vector part of `q p^*`.
fn vector_of_quotient(q: DVec4, p: DVec4) -> DVec3 {
    let (a, b) = (q.truncate(), p.truncate());
    a * p.w - b * q.w - a.cross(b)
}

/// How far f32 takes a vertex off, in space. The blended translation is a dual part, which does not get shorter as `b` does, times
/// `b`, divided by `|b|^2`: `b` and its dual part are off by `(n + 1) u` each, divided by `|b|^2`. So are the rounded joints, whose
/// quaternions and matrices do not quite agree. The formulas of rotation and translation add at most `60 u` of the lengths that
/// meet, divided by `|b|`, the blended stretch `(n + 4) u`; twice for the step from coordinates to lengths.
fn vertex_margin(sphere: &BoundingSphere, members: &[&PosedJoint], shortest: f64) -> f64 {
    let n = members.len() as f64;
    let farthest = members.iter().map(|m| m.rigid.translation.length()).fold(0.0, f64::max);
    let reach = sphere.center.length() + sphere.radius + 2.0 * farthest;
    2.0 * UNIT_ROUNDOFF * (5.0 * n + 68.0) * reach / (shortest * shortest).min(1.0)
}
