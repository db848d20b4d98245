//! How far blended rotations carry vertices away from the linear blend, by joint-sets: for bounds of large nodes.
//!
//! With the notation of `rotation_bound`, `e_ij = |Y_i - Y_j|`, a vertex of weights `w_i` is
//!
//! ```text
//! |v' - Y(w)| <= sum_{i<j} w_i w_j e_ij (|s_ij| + G_i + G_j) / |b|^2                    G_i = sum_{j != i} w_j g_ij
//! |b|^2       >= 1 - 2 sum_{i<j} w_i w_j g_ij
//! |Y(w) - sum w_i C_i v| <= 2 T max |(S_i - S_j) v|                                     T = sum_{i<j} w_i w_j
//! ```
//!
//! away from the linear blend. What is known before any pose is, for every *pair* of joints that share vertices, a center `c` of those, and for every
//! joint-set the largest `w_i w_j`, `w_i w_j |v - c|` and `w_i` that occur. In a pose, `e_ij <= |(C_i - C_j) c| + 2 |s_ij| |v - c|`, since
//! `|R_i - R_j| = 2 |s_ij|` (for joints that stretch, `c`, `v - c` and the displacement of `v` by fields are stretched too). A small weight on a distant joint, of which
//! skins have many, counts for no more than it is.
//!
//! *Spherical blending* turns the vertex about the rotation center of its set, which solves `C_a x = C_b x` over all pairs in the least-squares
//! sense. The center, which is expensive, need not be known: no point `x` has a smaller residual, so `|Z_i - Z_j|`, which takes the place of `e_ij`, is
//! at most `2 |s_ij| |v - x| + (sum_ab |(C_a - C_b) x|^2)^(1/2) + a |x|`, `a` being the angle that the solver takes for 0. Here `x` is the middle of the set's vertices.
//!
//! A set whose joints are among those of a larger one with the same first joint counts as that: its vertices have no weight for the others. That halves the number
//! of sets.
//!
//! Derivation: `docs/math/rotation-blending.md`, "The bend of a joint-set"; rounding: `docs/math/rounding.md`, "Bends".

use std::collections::BTreeMap;

use glam::{DVec3, Vec3};

use super::posed_bends::PosedBends;
use super::weighted_sum::Block;
use super::{Palette, Skin};
use crate::math::outward::radius_of;
use crate::pose::JointRate;

/// What is known of a skin before any pose.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Bends {
    pub(super) pairs: Vec<JointPair>,
    /// Sets of equally many joints, eight at a time.
    pub(super) eights: Vec<EightSets>,
    /// Pairs of joints of eight sets each: first with second, first with third, ..., second with third, ...
    pub(super) pairs_of_eights: Vec<EightPairs>,
    /// Largest weights of the joints of eight sets each.
    pub(super) weights_of_eights: Vec<[f32; 8]>,
    /// As what each joint-set of the skin counts: a number of the sets in `eights`, eight to each; [`RIGID`] for sets of one joint.
    counts_as: Vec<u32>,
    /// Where `spokes` end for each joint-set of two joints and more.
    set_ends: Vec<u32>,
    /// Pairs with the first joint of those sets, set by set.
    spokes: Vec<u32>,
    /// Joints that move vertices.
    used: Vec<bool>,
}

/// Counts as no set that bends.
pub(crate) const RIGID: u32 = u32::MAX;

/// Two joints that share vertices.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct JointPair {
    pub first: u32,
    pub other: u32,
    /// The middle of their vertices, by weight.
    pub center: Vec3,
    /// Largest distance of a vertex from there.
    pub radius: f32,
}

/// Eight joint-sets; the last one counts more than once where there are fewer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct EightSets {
    /// How many each of them has.
    pub joints: usize,
    /// Largest `T` of a vertex.
    pub total_product: [f32; 8],
    /// Length of the middle of the vertices.
    pub middle: [f32; 8],
}

impl EightSets {
    pub fn pair_count(&self) -> usize {
        self.joints * (self.joints - 1) / 2
    }
}

/// One pair of joints of each of eight sets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct EightPairs {
    pub pairs: [u32; 8],
    /// Largest `w_i w_j`.
    pub product: [f32; 8],
    /// Largest `w_i w_j |v - c|`, `c` the center of the pair.
    pub moment: [f32; 8],
    /// Largest `w_i w_j |v - x|`, `x` the middle of the set.
    pub middle_moment: [f32; 8],
    /// `|x - c|`.
    pub middle_distance: [f32; 8],
}

/// A joint-set with the vertices that count as its.
struct SetUse {
    joints: Vec<u32>,
    vertices: Vec<usize>,
    /// The sets of the skin that count as this one.
    sets: Vec<usize>,
}

impl SetUse {
    /// Whether another set's vertices can count as this one's: it has all their joints, in their order, from the same first one on, which
    /// signs of quaternions follow.
    fn covers(&self, joints: &[u32]) -> bool {
        let mut own = self.joints.iter();
        self.joints[0] == joints[0] && joints.iter().all(|joint| own.any(|own| own == joint))
    }
}

impl Bends {
    /// Looks at all vertices of a skin; `points` are the rest positions that a vertex may have.
    pub fn new<'p>(skin: &Skin, points: impl Fn(usize) -> &'p [Vec3]) -> Self {
        let count = skin.joint_set_count();
        let mut bends =
            Self { used: vec![false; skin.joint_count()], counts_as: vec![RIGID; count], ..Self::default() };
        let mut vertices_of_set = vec![Vec::new(); count];
        for vertex in 0..skin.vertex_count() {
            vertices_of_set[skin.set_of_vertex(vertex as u32)].push(vertex);
        }
        let mut numbers = BTreeMap::new();
        let blended = |set: &usize| !vertices_of_set[*set].is_empty() && skin.joint_set(*set).len() > 1;
        for set in (0..count).filter(|&set| !vertices_of_set[set].is_empty()) {
            skin.joint_set(set).iter().for_each(|&joint| bends.used[joint as usize] = true);
        }
        for set in (0..count).filter(blended) {
            let joints = skin.joint_set(set);
            for (i, &first) in joints.iter().enumerate() {
                for &other in &joints[i + 1..] {
                    let (next, members) = (numbers.len() as u32, vertices_of_set[set].as_slice());
                    let (_, all) = numbers.entry(key(first, other)).or_insert((next, Vec::new()));
                    all.extend_from_slice(members);
                }
            }
        }
        let mut pairs: Vec<(u32, [u32; 2], Vec<usize>)> =
            numbers.iter_mut().map(|(&pair, (number, all))| (*number, pair, std::mem::take(all))).collect();
        pairs.sort_by_key(|(number, ..)| *number);
        bends.pairs =
            pairs.into_iter().map(|(_, pair, vertices)| joint_pair(skin, pair, &vertices, &points)).collect();
        let number = |first: u32, other: u32| numbers[&key(first, other)].0;
        for set in (0..count).filter(blended) {
            let joints = skin.joint_set(set);
            bends.spokes.extend(joints[1..].iter().map(|&other| number(joints[0], other)));
            bends.set_ends.push(bends.spokes.len() as u32);
        }
        bends.add_sets(skin, covering_sets(skin, &vertices_of_set), &number, &points);
        bends
    }

    fn add_sets<'p>(
        &mut self,
        skin: &Skin,
        sets: Vec<SetUse>,
        number: &impl Fn(u32, u32) -> u32,
        points: &impl Fn(usize) -> &'p [Vec3],
    ) {
        let equal = sets.chunk_by(|a, b| a.joints.len() == b.joints.len());
        for eight in equal.flat_map(|equal| equal.chunks(8)) {
            for (lane, set) in eight.iter().enumerate() {
                let own = (8 * self.eights.len() + lane) as u32;
                set.sets.iter().for_each(|&set| self.counts_as[set] = own);
            }
            let facts: Vec<SetFacts> =
                eight.iter().map(|set| SetFacts::new(skin, set, &self.pairs, number, points)).collect();
            let of_lane = |lane: usize| &facts[lane.min(facts.len() - 1)];
            let each = |fact: &dyn Fn(&SetFacts) -> f32| std::array::from_fn(|lane| fact(of_lane(lane)));
            let joints = eight[0].joints.len();
            self.eights.push(EightSets {
                joints,
                total_product: each(&|set| set.total_product),
                middle: each(&|set| set.middle),
            });
            self.weights_of_eights.extend((0..joints).map(|joint| each(&|set| set.weights[joint])));
            self.pairs_of_eights.extend((0..facts[0].pairs.len()).map(|pair| EightPairs {
                pairs: std::array::from_fn(|lane| of_lane(lane).pairs[pair].pair),
                product: each(&|set| set.pairs[pair].product),
                moment: each(&|set| set.pairs[pair].moment),
                middle_moment: each(&|set| set.pairs[pair].middle_moment),
                middle_distance: each(&|set| set.pairs[pair].middle_distance),
            }));
        }
    }

    /// The number of the bend that a joint-set of the skin has, or [`RIGID`].
    pub fn of_set(&self, set: usize) -> u32 {
        self.counts_as[set]
    }

    /// Whether any vertex has two joints and more.
    pub fn blend_anything(&self) -> bool {
        !self.set_ends.is_empty()
    }

    /// For how long no joint comes near half a turn against the first of its joint-set, where the blend may jump: half of
    /// the way there is left as a distance to keep. Not positive where one is there already.
    pub fn steady_span(&self, posed: &PosedBends, rates: &[JointRate]) -> f64 {
        let span = |&spoke: &u32| {
            let room = std::f64::consts::FRAC_PI_2 - posed.half_angle(spoke) - ANGLE_SLACK;
            let joints = self.pairs[spoke as usize].joints();
            let rate = joints.map(|joint| rates[joint].turn).iter().sum::<f64>();
            if room <= 0.0 { room } else { room / rate }
        };
        self.spokes.iter().map(span).fold(f64::INFINITY, f64::min)
    }

    /// Joints that share vertices with others.
    pub fn joints(&self) -> impl Iterator<Item = usize> {
        self.pairs.iter().flat_map(JointPair::joints)
    }

    /// How far the stretches of joints that share vertices are apart, at most.
    pub fn stretch_difference(&self, palette: &Palette) -> f64 {
        if palette.stretches.is_empty() {
            return 0.0;
        }
        let apart = |pair: &JointPair| {
            let [p, i] = pair.joints().map(|joint| &palette.stretches[joint]);
            stretches_apart(p, i)
        };
        self.pairs.iter().map(apart).fold(0.0, f64::max)
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
        for &end in &self.set_ends {
            let spokes = &self.spokes[start..end as usize];
            start = end as usize;
            let (mut half_angle, mut distance) = (0.0f64, 0.0f64);
            let mut most = JointRate::default();
            for &spoke in spokes {
                let pair = &self.pairs[spoke as usize];
                let [p, i] = pair.joints().map(|joint| rates[joint]);
                let turn = posed.half_angle(spoke) + ANGLE_SLACK + 0.5 * span * (p.turn + i.turn);
                half_angle = half_angle.max(turn);
                let apart = posed.farthest(spoke, pair.radius);
                distance = distance.max(apart + span * (p.speed + i.speed) + p.noise + i.noise);
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
            for joint in spokes.iter().flat_map(|&spoke| self.pairs[spoke as usize].joints()) {
                speeds[joint] = speeds[joint].max(blended(most.speed, most.turn));
            }
        }
        all
    }

    /// How far the stretches of any two joints that move vertices are apart, at most.
    pub(super) fn stretch_spread(&self, palette: &Palette) -> f32 {
        let mut used = palette.stretches.iter().zip(&self.used).filter(|(_, used)| **used);
        let Some((first, _)) = used.next() else { return 0.0 };
        // At most twice what they differ from the first by.
        2.0 * used.map(|(other, _)| stretches_apart(first, other)).fold(0.0, f64::max) as f32
    }
}

/// The same for both orders.
fn key(a: u32, b: u32) -> [u32; 2] {
    [a.min(b), a.max(b)]
}

/// Sets of two joints and more that no other set covers, by their number of joints, with all that they cover.
fn covering_sets(skin: &Skin, vertices_of_set: &[Vec<usize>]) -> Vec<SetUse> {
    let mut blended: Vec<usize> = (0..vertices_of_set.len())
        .filter(|&set| !vertices_of_set[set].is_empty() && skin.joint_set(set).len() > 1)
        .collect();
    blended.sort_by_key(|&set| std::cmp::Reverse(skin.joint_set(set).len()));
    let mut covering: Vec<SetUse> = Vec::new();
    let mut of_first: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for set in blended {
        let joints = skin.joint_set(set);
        let alike = of_first.entry(joints[0]).or_default();
        // The smallest one: those of most joints came first.
        match alike.iter().rev().find(|&&number| covering[number].covers(joints)) {
            Some(&number) => {
                covering[number].vertices.extend(&vertices_of_set[set]);
                covering[number].sets.push(set);
            }
            None => {
                alike.push(covering.len());
                let (joints, vertices) = (joints.to_vec(), vertices_of_set[set].clone());
                covering.push(SetUse { joints, vertices, sets: vec![set] });
            }
        }
    }
    covering
}

/// A pair of joints, of the vertices that have both.
fn joint_pair<'p>(
    skin: &Skin,
    [first, other]: [u32; 2],
    vertices: &[usize],
    points: &impl Fn(usize) -> &'p [Vec3],
) -> JointPair {
    let (mut sum, mut total) = (DVec3::ZERO, 0.0);
    for &vertex in vertices {
        let product = f64::from(weight(skin, vertex, first)) * f64::from(weight(skin, vertex, other));
        for point in points(vertex) {
            sum += point.as_dvec3() * product;
            total += product;
        }
    }
    let center = if total > 0.0 { (sum / total).as_vec3() } else { Vec3::ZERO };
    let distances = vertices.iter().flat_map(|&vertex| points(vertex)).map(|point| distance(*point, center));
    JointPair { first, other, center, radius: distances.fold(0.0, f32::max) }
}

/// What counts of one joint-set.
struct SetFacts {
    pairs: Vec<PairFacts>,
    weights: Vec<f32>,
    total_product: f32,
    middle: f32,
}

struct PairFacts {
    pair: u32,
    product: f32,
    moment: f32,
    middle_moment: f32,
    middle_distance: f32,
}

impl SetFacts {
    fn new<'p>(
        skin: &Skin,
        set: &SetUse,
        pairs: &[JointPair],
        number: &impl Fn(u32, u32) -> u32,
        points: &impl Fn(usize) -> &'p [Vec3],
    ) -> Self {
        let all = || set.vertices.iter().flat_map(|&vertex| points(vertex));
        let middle = (all().map(|p| p.as_dvec3()).sum::<DVec3>() / all().count().max(1) as f64).as_vec3();
        let joint_count = set.joints.len();
        let mut facts = Self {
            pairs: Vec::new(),
            weights: vec![0.0; joint_count],
            total_product: 0.0,
            middle: radius_of(middle.as_dvec3().length()),
        };
        for (i, &first) in set.joints.iter().enumerate() {
            for &other in &set.joints[i + 1..] {
                let pair = number(first, other);
                let middle_distance = distance(middle, pairs[pair as usize].center);
                let nothing =
                    PairFacts { pair, product: 0.0, moment: 0.0, middle_moment: 0.0, middle_distance };
                facts.pairs.push(nothing);
            }
        }
        for &vertex in &set.vertices {
            let weights: Vec<f32> = set.joints.iter().map(|&joint| weight(skin, vertex, joint)).collect();
            facts.total_product = facts.total_product.max(total_product(&weights));
            facts.weights.iter_mut().zip(&weights).for_each(|(most, own)| *most = most.max(*own));
            let mut pair = facts.pairs.iter_mut();
            for i in 0..joint_count {
                for j in i + 1..joint_count {
                    let fact = pair.next().expect("there is a fact for every pair");
                    let product = rounded_up(weights[i] * weights[j]);
                    fact.product = fact.product.max(product);
                    for &point in points(vertex) {
                        let from_center = distance(point, pairs[fact.pair as usize].center);
                        fact.moment = fact.moment.max(rounded_up(product * from_center));
                        let from_middle = distance(point, middle);
                        fact.middle_moment = fact.middle_moment.max(rounded_up(product * from_middle));
                    }
                }
            }
        }
        facts
    }
}

/// The weight of a joint for a vertex, 0 if it does not have it.
fn weight(skin: &Skin, vertex: usize, joint: u32) -> f32 {
    let (joints, weights) = skin.joints_and_weights(vertex);
    joints.iter().position(|&own| own == joint).map_or(0.0, |place| weights[place])
}

fn distance(p: Vec3, q: Vec3) -> f32 {
    radius_of(p.as_dvec3().distance(q.as_dvec3()))
}

/// More than a product is rounded by.
fn rounded_up(product: f32) -> f32 {
    product * (1.0 + 2.0 * f32::EPSILON)
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

impl JointPair {
    #[inline(always)]
    pub fn joints(&self) -> [usize; 2] {
        [self.first as usize, self.other as usize]
    }
}

/// `sum_{i<j} w_i w_j`, rounded up.
pub(super) fn total_product(weights: &[f32]) -> f32 {
    let mut sum = 0.0;
    for (i, weight) in weights.iter().enumerate() {
        sum += weights[i + 1..].iter().map(|other| weight * other).sum::<f32>();
    }
    sum * (1.0 + (weights.len() * weights.len()) as f32 * f32::EPSILON)
}
