//! How far blended rotations carry vertices away from the linear blend, joint by joint: for bounds of large nodes.
//!
//! With the notation of `rotation_bound`, `e_ij = |Y_i - Y_j|`, `g` the largest `g_ij` and `s` the largest `|s_ij|` of a
//! joint-set with the first joint `p`,
//!
//! ```text
//! |v' - Y(w)| <= sum_{i<j} w_i w_j e_ij (2 g + s) / |b|^2
//!             <= (2 g + s) / |b|^2  sum_i w_i (1 - w_i) e_pi                            e_ij <= e_pi + e_pj
//! |b|^2       >= 1 - 2 T g                                                              T = sum_{i<j} w_i w_j
//! |Y(w) - sum w_i C_i v| <= 2 T max |(S_i - S_j) v|
//! ```
//!
//! (the first line because `|2 Y(w) - Y_i - Y_j| <= sum_k w_k (e_ki + e_kj)`). Only *spokes* from the first joint to the
//! others are looked at. For vertices around a point `c`, `e_pi <= |(C_p - C_i) c| + 2 |s_pi| |v - c|`, since
//! `|R_p - R_i| = 2 |s_pi|` (for joints that stretch, `c`, `v - c` and the displacement of `v` by fields are stretched too); each spoke keeps the largest `w_i (1 - w_i)` that occurs, alone and times `|v - c|`. Between
//! other joints, `sqrt(g_ij) <= sqrt(g_pi) + sqrt(g_pj)` and `|s_ij| <= |s_pi| + |s_pj|`.
//!
//! *Spherical blending* turns the vertex about the rotation center of its set, which solves `C_a x = C_b x` over all pairs
//! in the least-squares sense; its residual is at most that of the vertex itself. So `e_ij` becomes at most
//! `e_ij + sqrt(pairs) e + a |v|`, `a` being the angle that the solver takes for 0; with two joints there is no residual.
//! The center, which is expensive, need not be known.
//!
//! Derivation: `docs/math/rotation-blending.md`, "The bend of a joint"; rounding: `docs/math/rounding.md`, "Bends".

use std::collections::BTreeMap;

use glam::{DVec3, Vec3, Vec3A, Vec4};

use super::palette::{SINGULAR_BLEND_SQ, column_vectors};
use super::rounding::{UNIT_ROUNDOFF, bend_margin, largest_stretch};
use super::weighted_sum::Block;
use super::{Palette, Skin, Skinning};
use crate::math::outward::radius_of;
use crate::math::rotation_center::SMALLEST_ANGLE;
use crate::pose::JointRate;

/// What is known of a skin before any pose.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Bends {
    spokes: Vec<Spoke>,
    /// Joint-sets of two joints and more.
    sets: Vec<SetUse>,
    /// Spokes of those sets, set by set.
    spokes_of_sets: Vec<u32>,
    used: Vec<bool>,
}

/// From the first joint of sets to another one.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Spoke {
    first: u32,
    other: u32,
    /// The middle of their vertices, by weight.
    center: Vec3,
    /// Largest distance of a vertex from it.
    radius: f32,
    /// Largest `w (1 - w)` of the other joint.
    product: f32,
    /// Largest `w (1 - w)` times distance.
    moment: f32,
}

/// Vertices of a spoke, with `w (1 - w)` of its other joint.
type Members = Vec<(usize, f32)>;

#[derive(Clone, Copy, Debug, PartialEq)]
struct SetUse {
    /// Where `spokes_of_sets` ends for this set.
    end: u32,
    /// Largest `T` of a vertex.
    total_product: f32,
}

/// A spoke in a pose.
#[derive(Clone, Copy, Debug)]
struct Turn {
    /// `sqrt(g_pi)`.
    opening_root: f32,
    /// `|s_pi|`.
    sine: f32,
    /// Largest `e_pi`.
    distance: f32,
    /// Largest `w_i (1 - w_i) e_pi`.
    moment: f32,
}

/// How far vertices that follow each joint are from their linear blend, at most.
#[derive(Clone, Debug, Default)]
pub(crate) struct PosedBends {
    pub of_joints: Vec<f32>,
    turns: Vec<Turn>,
}

impl Bends {
    /// Looks at all vertices of a skin; `points` are the rest positions that a vertex may have.
    pub fn new<'p>(skin: &Skin, points: impl Fn(usize) -> &'p [Vec3]) -> Self {
        let mut bends = Self { used: vec![false; skin.joint_count()], ..Self::default() };
        let mut vertices_of_set = vec![Vec::new(); skin.joint_set_count()];
        for vertex in 0..skin.vertex_count() {
            vertices_of_set[skin.set_of_vertex(vertex as u32)].push(vertex);
        }
        let mut members: BTreeMap<[u32; 2], (u32, Members)> = BTreeMap::new();
        for (set, vertices) in vertices_of_set.iter().enumerate().filter(|(_, vertices)| !vertices.is_empty())
        {
            let joints = skin.joint_set(set);
            joints.iter().for_each(|&joint| bends.used[joint as usize] = true);
            for (index, &other) in joints.iter().enumerate().skip(1) {
                let next = members.len() as u32;
                let (number, list) = members.entry([joints[0], other]).or_insert((next, Vec::new()));
                bends.spokes_of_sets.push(*number);
                list.extend(vertices.iter().map(|&vertex| {
                    let weight = skin.joints_and_weights(vertex).1[index];
                    (vertex, weight * (1.0 - weight))
                }));
            }
            if joints.len() > 1 {
                let product = |&vertex: &usize| total_product(skin.joints_and_weights(vertex).1);
                let total_product = vertices.iter().map(product).fold(0.0, f32::max);
                bends.sets.push(SetUse { end: bends.spokes_of_sets.len() as u32, total_product });
            }
        }
        let mut spokes: Vec<(u32, Spoke)> = members
            .iter()
            .map(|(joints, (number, list))| (*number, Spoke::new(*joints, list, &points)))
            .collect();
        spokes.sort_by_key(|(number, _)| *number);
        bends.spokes = spokes.into_iter().map(|(_, spoke)| spoke).collect();
        bends
    }

    /// Looks at a pose; `displacement` is how far fields move any vertex at most.
    pub fn pose(&self, palette: &Palette, displacement: f32, out: &mut PosedBends) {
        let stretch_spread = self.stretch_spread(palette);
        // Finite, so that no product with 0 is NaN.
        let offset = (stretch_spread * palette.magnitude.rest).min(1e30);
        out.turns.clear();
        out.turns.extend(self.spokes.iter().map(|spoke| Turn::new(palette, spoke, offset, displacement)));
        out.of_joints.clear();
        out.of_joints.resize(self.used.len(), 0.0);
        let mut start = 0;
        for set in &self.sets {
            let spokes = &self.spokes_of_sets[start..set.end as usize];
            start = set.end as usize;
            let bend = self.of_set(palette, set, spokes, &out.turns, stretch_spread);
            for &spoke in spokes {
                let Spoke { first, other, .. } = self.spokes[spoke as usize];
                for joint in [first, other] {
                    let most = &mut out.of_joints[joint as usize];
                    *most = most.max(bend);
                }
            }
        }
    }

    #[inline(always)]
    fn of_set(
        &self,
        palette: &Palette,
        set: &SetUse,
        spokes: &[u32],
        turns: &[Turn],
        stretch_spread: f32,
    ) -> f32 {
        let (mut roots, mut sines) = ([0.0f32; 2], [0.0f32; 2]);
        let (mut distance, mut moments) = (0.0f32, 0.0);
        for &spoke in spokes {
            let turn = &turns[spoke as usize];
            roots = [roots[0].max(turn.opening_root), roots[1].max(turn.opening_root.min(roots[0]))];
            sines = [sines[0].max(turn.sine), sines[1].max(turn.sine.min(sines[0]))];
            distance = distance.max(turn.distance);
            moments += turn.moment;
        }
        let opening = (roots[0] + roots[1]) * (roots[0] + roots[1]);
        let sine = (sines[0] + sines[1]).min(1.0);
        // Openings and weights are rounded: `docs/math/rounding.md`.
        let rounding = (4 * spokes.len() + 68) as f32 * UNIT_ROUNDOFF;
        // Half of what skinning admits: its own |b|^2 is rounded too.
        let shortest_sq = (1.0 - 2.0 * set.total_product * opening - rounding).max(0.5 * SINGULAR_BLEND_SQ);
        let (magnitude, mut center) = (palette.magnitude, 0.0);
        if palette.skinning() == Skinning::Spherical {
            let angle = SMALLEST_ANGLE as f32;
            let joints = spokes.len() + 1;
            let residual =
                if joints > 2 { ((joints * spokes.len() / 2) as f32).sqrt() * 2.0 * distance } else { 0.0 };
            moments += set.total_product * (residual + angle * magnitude.stretched);
            center = magnitude.stretched + (2.0 * distance + residual) / angle;
        }
        let stretch = 2.0 * set.total_product * (stretch_spread * magnitude.rest).min(1e30);
        let per_square = 1.0 / shortest_sq;
        // As if `|b|` were 1, then more than is lost where it is shorter.
        let margin = bend_margin(magnitude, spokes.len() + 1, center) * per_square * per_square;
        // Rounded up: a few dozen operations. Finite, so that boxes stay boxes.
        (((2.0 * opening + sine) * moments * per_square + stretch + margin) * 1.0001).min(1e30)
    }

    /// Whether any vertex has two joints and more.
    pub fn blend_anything(&self) -> bool {
        !self.sets.is_empty()
    }

    /// For how long no joint comes near half a turn against the first of its joint-set, where the blend may jump: half of
    /// the way there is left as a distance to keep. Not positive where one is there already.
    pub fn steady_span(&self, posed: &PosedBends, rates: &[JointRate]) -> f64 {
        let span = |(spoke, turn): (&Spoke, &Turn)| {
            let room = std::f64::consts::FRAC_PI_2 - turn.half_angle() - ANGLE_SLACK;
            let rate = spoke.joints().map(|joint| rates[joint].turn).iter().sum::<f64>();
            if room <= 0.0 { room } else { room / rate }
        };
        self.spokes.iter().zip(&posed.turns).map(span).fold(f64::INFINITY, f64::min)
    }

    /// Joints that share vertices with others.
    pub fn joints(&self) -> impl Iterator<Item = usize> {
        self.spokes.iter().flat_map(Spoke::joints)
    }

    /// How far the stretches of joints that share vertices are apart, at most.
    pub fn stretch_difference(&self, palette: &Palette) -> f64 {
        if palette.stretches.is_empty() {
            return 0.0;
        }
        let apart = |spoke: &Spoke| {
            let [p, i] = spoke.joints().map(|joint| &palette.stretches[joint]);
            stretches_apart(p, i)
        };
        // Both ends of a pair differ from the first joint of their set.
        2.0 * self.spokes.iter().map(apart).fold(0.0, f64::max)
    }

    /// Speeds of vertices that follow each joint while dual quaternions are blended, from now on for a span of time that is
    /// steady; and the noise of the blends. Derivation: `docs/math/speed-of-blends.md`.
    ///
    /// ```text
    /// speed <= V / m + E w / m^2        E = e (1 + 1/m)
    /// ```
    ///
    /// `V`, `w`: speed and turn of the fastest joint; `m`: cosine of the largest half angle to the first joint; `e`: largest
    /// distance between images of a vertex under the first and another joint. Noise, which moves joints a little, is
    /// no different from a moment of speed.
    pub fn blended_speeds(
        &self,
        posed: &PosedBends,
        rates: &[JointRate],
        span: f64,
        speeds: &mut [f64],
    ) -> BlendNoise {
        let (mut start, mut all) = (0, BlendNoise { shortest: 1.0, noise: 0.0 });
        for set in &self.sets {
            let spokes = &self.spokes_of_sets[start..set.end as usize];
            start = set.end as usize;
            let (mut half_angle, mut distance) = (0.0f64, 0.0f64);
            let mut most = JointRate::default();
            for &spoke in spokes {
                let [p, i] = self.spokes[spoke as usize].joints().map(|joint| rates[joint]);
                let now = &posed.turns[spoke as usize];
                half_angle = half_angle.max(now.half_angle() + ANGLE_SLACK + 0.5 * span * (p.turn + i.turn));
                let noise = p.noise + i.noise;
                distance = distance.max(f64::from(now.distance) + span * (p.speed + i.speed) + noise);
                for joint in [p, i] {
                    most.speed = most.speed.max(joint.speed);
                    most.turn = most.turn.max(joint.turn);
                    most.noise = most.noise.max(joint.noise);
                    most.turn_noise = most.turn_noise.max(joint.turn_noise);
                }
            }
            let m = half_angle.cos().max(SHORTEST_BLEND);
            let apart = distance * (1.0 + 1.0 / m);
            let blended = |speed: f64, turn: f64| speed / m + apart * turn / (m * m);
            all.shortest = all.shortest.min(m);
            all.noise = all.noise.max(blended(most.noise, most.turn_noise));
            for joint in spokes.iter().flat_map(|&spoke| self.spokes[spoke as usize].joints()) {
                speeds[joint] = speeds[joint].max(blended(most.speed, most.turn));
            }
        }
        all
    }

    /// How far the stretches of any two joints that move vertices are apart, at most.
    fn stretch_spread(&self, palette: &Palette) -> f32 {
        let mut used = palette.stretches.iter().zip(&self.used).filter(|(_, used)| **used);
        let Some((first, _)) = used.next() else { return 0.0 };
        // At most twice what they differ from the first by.
        2.0 * used.map(|(other, _)| stretches_apart(first, other)).fold(0.0, f64::max) as f32
    }
}

/// The length of the difference of two stretches.
fn stretches_apart(a: &Block<2>, b: &Block<2>) -> f64 {
    let square = |(a, b): (&f32, &f32)| (f64::from(*a) - f64::from(*b)).powi(2);
    a.as_flattened().iter().zip(b.as_flattened()).map(square).sum::<f64>().sqrt()
}

/// What is known of all blends for a span of time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BlendNoise {
    /// Length of the shortest blended quaternion.
    pub shortest: f64,
    /// How far the noise of joints moves a vertex, at most.
    pub noise: f64,
}

/// Spans that are steady keep away from blends that short.
const SHORTEST_BLEND: f64 = 1e-9;

/// More than rounding of poses and joints to f32 turns a joint.
const ANGLE_SLACK: f64 = 2e-4;

impl Spoke {
    fn joints(&self) -> [usize; 2] {
        [self.first as usize, self.other as usize]
    }

    fn new<'p>(
        [first, other]: [u32; 2],
        members: &[(usize, f32)],
        points: &impl Fn(usize) -> &'p [Vec3],
    ) -> Self {
        let (mut sum, mut total) = (DVec3::ZERO, 0.0);
        for &(vertex, product) in members {
            for point in points(vertex) {
                sum += point.as_dvec3() * f64::from(product);
                total += f64::from(product);
            }
        }
        let center = if total > 0.0 { (sum / total).as_vec3() } else { Vec3::ZERO };
        let mut spoke = Self { first, other, center, radius: 0.0, product: 0.0, moment: 0.0 };
        for &(vertex, product) in members {
            for &point in points(vertex) {
                let distance = radius_of(point.as_dvec3().distance(center.as_dvec3()));
                spoke.radius = spoke.radius.max(distance);
                spoke.product = spoke.product.max(product);
                spoke.moment = spoke.moment.max(product * distance);
            }
        }
        spoke
    }
}

impl Turn {
    /// Between the quaternions: `|p - q| = 2 sin(angle / 2)`.
    fn half_angle(&self) -> f64 {
        2.0 * (f64::from(self.opening_root) * std::f64::consts::FRAC_1_SQRT_2).min(1.0).asin()
    }

    #[inline(always)]
    fn new(palette: &Palette, spoke: &Spoke, offset: f32, displacement: f32) -> Self {
        let real = |joint: u32| Vec4::from_slice(&palette.dual_quaternions[joint as usize][0][..4]);
        let (p, q) = (real(spoke.first), real(spoke.other));
        let q = if p.dot(q) < 0.0 { -q } else { q };
        let (pv, qv) = (Vec3A::from_vec4(p), Vec3A::from_vec4(q));
        let sine = (pv * q.w - qv * p.w - pv.cross(qv)).length();
        let (center, scale) = stretched(palette, spoke);
        let rounding = 80.0 * UNIT_ROUNDOFF * palette.magnitude.largest();
        let apart = rigid_difference(palette, spoke, center)
            + 2.0 * sine * (offset + scale * displacement)
            + rounding;
        Self {
            // 1 - <p, q> = |p - q|^2 / 2 for unit quaternions, without cancellation where they agree.
            opening_root: (p - q).length() * std::f32::consts::FRAC_1_SQRT_2,
            sine,
            distance: apart + 2.0 * sine * scale * spoke.radius,
            moment: apart * spoke.product + 2.0 * sine * scale * spoke.moment,
        }
    }
}

/// The middle of a spoke's vertices after the first joint's stretch, and how much that stretches at most.
#[inline(always)]
fn stretched(palette: &Palette, spoke: &Spoke) -> (Vec3, f32) {
    match palette.stretches.get(spoke.first as usize) {
        None => (spoke.center, 1.0),
        Some(stretch) => {
            let ([x, y, z, _], p) = (column_vectors(stretch), spoke.center);
            ((x * p.x + y * p.y + z * p.z).truncate(), largest_stretch([x, y, z]))
        }
    }
}

/// How far the rigid parts of a spoke's joints take a point from each other; the squares of tiny numbers vanish, their sum
/// does not.
#[inline(always)]
fn rigid_difference(palette: &Palette, spoke: &Spoke, p: Vec3) -> f32 {
    let first = column_vectors(&palette.rigid_matrices[spoke.first as usize]);
    let other = column_vectors(&palette.rigid_matrices[spoke.other as usize]);
    let (x, y, z, t) = (first[0] - other[0], first[1] - other[1], first[2] - other[2], first[3] - other[3]);
    let difference = x * p.x + y * p.y + z * p.z + t;
    let square = difference.length_squared();
    if square > 1e-30 { square.sqrt() } else { difference.abs().element_sum() }
}

/// `sum_{i<j} w_i w_j`, rounded up.
fn total_product(weights: &[f32]) -> f32 {
    let mut sum = 0.0;
    for (i, weight) in weights.iter().enumerate() {
        sum += weights[i + 1..].iter().map(|other| weight * other).sum::<f32>();
    }
    sum * (1.0 + (weights.len() * weights.len()) as f32 * f32::EPSILON)
}
