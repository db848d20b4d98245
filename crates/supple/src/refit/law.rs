//! The laws of bounds and certificates, as checks that anybody can run: a bound contains every posed vertex below its node; what a certificate
//! says does not touch does not.

use glam::{DVec3, Vec3};

use super::certificates::PoseCertificates;
use super::{Body, EightVolumes, Volume, VolumeKind};
use crate::answer::{Pair, QueryStats};
use crate::math::{Aabb, Sphere};
use crate::tree::NodeId;

/// A vertex outside the bound of a node above it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The node.
    pub node: NodeId,
    /// The vertex.
    pub vertex: u32,
}

/// Bounds all nodes of a body in its current pose and reports every vertex that lies outside a bound it should be in.
/// Anything but an empty answer is a defect of the library.
pub fn violations(body: &mut Body, volume: VolumeKind) -> Vec<Violation> {
    let positions = body.positions();
    match volume {
        VolumeKind::Box => check::<Aabb>(body, |aabb, vertex| aabb.contains(positions[vertex as usize])),
        VolumeKind::Sphere => {
            check::<Sphere>(body, |sphere, vertex| sphere.contains(positions[vertex as usize]))
        }
    }
}

/// Looks at every way to bound a node: cheaply, tightly, and as the pass over a whole body does.
fn check<V: Volume>(body: &mut Body, contains: impl Fn(&V, u32) -> bool) -> Vec<Violation> {
    let mut stats = QueryStats::default();
    let mut found = Vec::new();
    body.cache.forget();
    for parent in parents(body) {
        // Nothing was spent, so nothing is bounded by posing everything.
        body.cache.spent = 0;
        let entry = body.loose_children::<V>(parent, &mut stats);
        check_children(body, parent, entry, &contains, &mut found);
        let loose = body.bounds::<V>(entry).loose;
        if loose != 0 {
            body.cache.spent = 0;
            body.tighten::<V>(entry, loose, &mut stats);
            check_children(body, parent, entry, &contains, &mut found);
        }
    }
    body.cache.forget();
    body.pose_everything(&mut stats);
    for parent in parents(body) {
        let entry = body.children::<V>(parent, &mut stats);
        check_children(body, parent, entry, &contains, &mut found);
    }
    body.cache.forget();
    found
}

/// Nodes with children, and the one above the root.
fn parents(body: &Body) -> Vec<usize> {
    let nodes = &body.tree().nodes;
    (0..=nodes.len()).filter(|&node| nodes.get(node).is_none_or(|node| !node.is_leaf())).collect()
}

fn check_children<V: Volume>(
    body: &Body,
    parent: usize,
    entry: usize,
    contains: impl Fn(&V, u32) -> bool,
    found: &mut Vec<Violation>,
) {
    for (lane, node) in body.tree().children(parent).enumerate() {
        let bound = body.bounds::<V>(entry).bounds.get(lane);
        let triangles = body.model().mesh().triangles();
        let below = body.tree().triangles[body.tree().triangles_below(node)].iter();
        let vertices = below.flat_map(|&triangle| triangles[triangle as usize]);
        let outside = vertices.filter(|&vertex| !contains(&bound, vertex));
        found.extend(outside.map(|vertex| Violation { node: NodeId(node as u32), vertex }));
    }
}

/// Two triangles of which a node knows something that is not true.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FalseCertificate {
    /// The node.
    pub node: NodeId,
    /// One below the node, and one in its surroundings.
    pub triangles: Pair,
}

/// Compares everything that self-collision concludes from joints alone with what is true in the body's current pose. In: all pairs of triangles
/// that touch, as brute force finds them ([`oracle::self_collide_with`](crate::oracle::self_collide_with) with no filter). No triangles that
/// touch may be certified not to, and points of triangles may not be farther from where they are expected, relative to each other, than a node
/// says. The latter is tried for some points of every node. Anything but an empty answer is a defect of the library.
///
/// Vertices that were given have no certificates.
pub fn false_certificates(body: &mut Body, touching: &[Pair]) -> Vec<FalseCertificate> {
    if body.has_given_vertices() {
        return Vec::new();
    }
    let positions = body.positions();
    let (body, tree) = (&*body, body.tree());
    let pose = PoseCertificates::new(body, tree);
    let mut place = vec![0; tree.triangles.len()];
    (0..).zip(&tree.triangles).for_each(|(index, &triangle)| place[triangle as usize] = index);
    let mut leaves = vec![0; tree.triangles.len()];
    for (index, leaf) in tree.nodes.iter().enumerate().filter(|(_, node)| node.is_leaf()) {
        leaves[leaf.range()].fill(index);
    }
    let clearance = |triangle: usize| tree.clearances[leaves[triangle]];
    let are_apart = |[a, b]: [usize; 2], needed: f32| clearance(a).max(clearance(b)) >= needed;
    let touching: Vec<[usize; 2]> =
        touching.iter().map(|pair| pair.map(|triangle| place[triangle as usize])).collect();
    let points = Points { body, posed: &positions };
    let (mut found, mut random) = (Vec::new(), Random(1));
    for node in 0..tree.nodes.len() {
        let below = tree.triangles_below(node);
        let mut wrong = |pair: [usize; 2]| {
            let triangles = pair.map(|index| tree.triangles[index]);
            found.push(FalseCertificate { node: NodeId(node as u32), triangles });
        };
        if let Some(needed) = pose.needed_clearance(node) {
            for [a, b] in touching.iter().flat_map(|&[a, b]| [[a, b], [b, a]]) {
                if are_apart([a, b], needed) && below.contains(&a) && points.is_near(b, node) {
                    wrong([a, b]);
                }
            }
        }
        let Some(bending) = pose.bending(node) else { continue };
        for _ in 0..24 {
            let one = below.start + random.below(below.len());
            // Most triangles near a node stand near it in the order of the leaves.
            let around = (3 * below.len() + 64).min(place.len());
            let other = (one + place.len() + random.below(around) - around / 2) % place.len();
            let apart = clearance(one).max(clearance(other));
            if apart == 0.0 || !points.is_near(other, node) || tree.kinship.share_a_vertex(one, other) {
                continue;
            }
            let ([x, y], [p, q]) = points.pair([one, other], [random.corners(), random.corners()]);
            let expected = bending.whole.as_dmat3() * (x - y);
            let times = f64::from((tree.smoothness.least_clearance / apart).max(1.0));
            let allowed = times * f64::from(bending.loss) * (x - y).length() + f64::from(bending.noise);
            if (p - q - expected).length() > allowed {
                wrong([one, other]);
            }
        }
    }
    found
}

/// Points of triangles, at rest and posed.
struct Points<'a> {
    body: &'a Body,
    posed: &'a [Vec3],
}

impl Points<'_> {
    /// Whether a triangle is in the surroundings of a node.
    fn is_near(&self, triangle: usize, node: usize) -> bool {
        let (tree, positions) = (self.body.tree(), self.body.model().mesh().positions());
        let around = Aabb::from_points(self.corners(triangle).map(|vertex| positions[vertex as usize]));
        let (own, reach) = (&tree.smoothness.boxes[node], tree.smoothness.reaches[node]);
        let between =
            (own.min.as_dvec3() - around.max.as_dvec3()).max(around.min.as_dvec3() - own.max.as_dvec3());
        between.max_element() <= f64::from(reach)
    }

    fn corners(&self, triangle: usize) -> [u32; 3] {
        self.body.model().mesh().triangles()[self.body.tree().triangles[triangle] as usize]
    }

    /// Where points of two triangles are at rest, and posed.
    fn pair(&self, triangles: [usize; 2], weights: [[f64; 3]; 2]) -> ([DVec3; 2], [DVec3; 2]) {
        let at = |positions: &[Vec3], which: usize| {
            let corners = self.corners(triangles[which]).map(|vertex| positions[vertex as usize].as_dvec3());
            (0..3).map(|corner| corners[corner] * weights[which][corner]).sum::<DVec3>()
        };
        let rest = self.body.model().mesh().positions();
        ([at(rest, 0), at(rest, 1)], [at(self.posed, 0), at(self.posed, 1)])
    }
}

/// Numbers that are the same in every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize
    }

    fn below(&mut self, count: usize) -> usize {
        self.next() % count.max(1)
    }

    /// Weights of corners, some of them corners and points of edges.
    fn corners(&mut self) -> [f64; 3] {
        let mut weights = [0, 1, 2].map(|_| self.below(5).saturating_sub(1) as f64);
        let sum: f64 = weights.iter().sum();
        if sum == 0.0 {
            weights[self.below(3)] = 1.0;
        }
        weights.map(|weight| weight / sum.max(1.0))
    }
}
