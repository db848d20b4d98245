//! Contacts and depths once more, from their definitions and by brute force, to be compared with what the engine says.
//!
//! Nothing is shared with the engine but the formula: pieces are flooded over whole components with sets, nearest points are sought
//! among all triangles in f64, and edges are cut with triangles one by one.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use glam::DVec3;
use supple::Model;

use crate::contacts::Contact;

type Edge = [u32; 2];

/// A model as brute force sees it.
pub struct Naive {
    triangles: Vec<[u32; 3]>,
    component: Vec<usize>,
    part: Vec<u32>,
    neighbours: HashMap<u32, HashSet<u32>>,
    /// The triangles at each edge.
    at_edge: HashMap<Edge, Vec<u32>>,
}

/// Where a point of a triangle lies.
enum Place {
    Corner(u32),
    OnEdge(Edge),
    Within,
}

/// A depth, and that of single edges.
#[derive(Debug, Default)]
pub struct Measured {
    pub depth: f64,
    pub of_edges: f64,
}

fn edges([a, b, c]: [u32; 3]) -> [Edge; 3] {
    [[a, b], [b, c], [c, a]].map(|[a, b]| [a.min(b), a.max(b)])
}

fn is_degenerate([a, b, c]: [u32; 3]) -> bool {
    a == b || b == c || c == a
}

impl Naive {
    pub fn new(model: &Model, part: Vec<u32>) -> Self {
        let welded = model.welded_vertices();
        let corners = model.mesh().triangles().iter().map(|t| t.map(|v| welded[v as usize]));
        let triangles: Vec<[u32; 3]> = corners.collect();
        let mut neighbours: HashMap<u32, HashSet<u32>> = HashMap::new();
        let mut at_edge: HashMap<Edge, Vec<u32>> = HashMap::new();
        for (number, &corners) in (0..).zip(&triangles) {
            corners.iter().for_each(|&v| {
                neighbours.entry(v).or_default().extend(corners.iter().filter(|&&other| other != v));
            });
            if !is_degenerate(corners) {
                edges(corners).iter().for_each(|edge| at_edge.entry(*edge).or_default().push(number));
            }
        }
        let mut of_vertex: HashMap<u32, usize> = HashMap::new();
        for &[first, ..] in &triangles {
            let number = of_vertex.len();
            if !of_vertex.contains_key(&first) {
                for vertex in flood(first, |v| neighbours[&v].iter().copied().collect()) {
                    of_vertex.insert(vertex, number);
                }
            }
        }
        let component = triangles.iter().map(|corners| of_vertex[&corners[0]]).collect();
        Self { triangles, component, part, neighbours, at_edge }
    }

    fn touch(&self, a: u32, b: u32) -> bool {
        let [a, b] = [a, b].map(|t| self.triangles[t as usize]);
        a.iter().any(|v| b.contains(v))
    }

    /// Pairs that hang together, by comparing each with each.
    pub fn contacts(&self, pairs: &[[u32; 2]]) -> BTreeSet<BTreeSet<[u32; 2]>> {
        let linked = |[a, b]: [u32; 2], [c, d]: [u32; 2]| {
            self.touch(a, c) && self.touch(b, d) || self.touch(a, d) && self.touch(b, c)
        };
        let next = |p: u32| {
            (0..pairs.len() as u32).filter(|&q| linked(pairs[p as usize], pairs[q as usize])).collect()
        };
        let mut left: BTreeSet<u32> = (0..pairs.len() as u32).collect();
        let mut found = BTreeSet::new();
        while let Some(&first) = left.first() {
            let together = flood(first, next);
            left.retain(|pair| !together.contains(pair));
            found.insert(together.iter().map(|&p| pairs[p as usize]).collect());
        }
        found
    }

    /// Where the edges of a contact's side cross triangles of the other side.
    fn crossings(&self, at: &[DVec3], contact: &Contact, side: usize) -> BTreeMap<Edge, Vec<(f64, u32)>> {
        let mut found: BTreeMap<Edge, Vec<(f64, u32)>> = BTreeMap::new();
        for pair in &contact.pairs {
            let (own, other) = (pair[side], pair[1 - side]);
            let corners = self.triangles[other as usize].map(|v| at[v as usize]);
            for edge in edges(self.triangles[own as usize]) {
                let known = found.entry(edge).or_default();
                let is_new = known.iter().all(|&(_, by)| by != other);
                if let Some(t) = cross(edge.map(|v| at[v as usize]), corners).filter(|_| is_new) {
                    known.push((t, other));
                }
            }
        }
        found.retain(|_, crossings| !crossings.is_empty());
        found
    }

    /// All depths of a pose.
    pub fn depths(&self, at: &[DVec3], contacts: &[Contact]) -> Vec<Measured> {
        let key = |contact: &Contact, side: usize| {
            [side, 1 - side].map(|side| self.component[contact.pairs[0][side] as usize])
        };
        let mut crossed: HashMap<[usize; 2], HashSet<Edge>> = HashMap::new();
        for contact in contacts {
            for side in 0..2 {
                let edges = self.crossings(at, contact, side).into_keys();
                crossed.entry(key(contact, side)).or_default().extend(edges);
            }
        }
        let of_contact = |contact: &Contact| {
            let (mut deep, mut flaps, mut found) = ([0.0f64; 2], [false; 2], Measured::default());
            for side in 0..2 {
                let crossed = &crossed[&key(contact, side)];
                let pieces = self.pieces(crossed);
                let size = pieces.values().map(HashSet::len).max();
                let largest: Vec<u32> =
                    pieces.iter().filter(|(_, p)| Some(p.len()) == size).map(|(first, _)| *first).collect();
                let rest = if largest.len() == 1 { largest.first().copied() } else { None };
                let piece_of = |v: u32| {
                    let piece = pieces.iter().find(|(_, piece)| piece.contains(&v));
                    piece.filter(|(first, _)| Some(**first) != rest)
                };
                let other = self.other(contact, side);
                for (edge, crossings) in self.crossings(at, contact, side) {
                    let ends = edge.map(piece_of);
                    if ends[0].map(|e| e.0) != ends[1].map(|e| e.0) {
                        let reach = ends.map(|end| {
                            end.map_or(f64::INFINITY, |(_, piece)| {
                                self.farthest(at, piece.iter().map(|&v| at[v as usize]), &other)
                            })
                        });
                        deep[side] = deep[side].max(reach[0].min(reach[1]));
                        let nearer = if reach[0] <= reach[1] { ends[0] } else { ends[1] };
                        flaps[side] |=
                            nearer.is_some_and(|(_, piece)| piece.iter().any(|&v| self.is_on_rim(v)));
                    }
                    let mut along: Vec<f64> = crossings.iter().map(|(t, _)| *t).collect();
                    along.sort_by(f64::total_cmp);
                    for two in along.windows(2) {
                        let middle = at[edge[0] as usize].lerp(at[edge[1] as usize], 0.5 * (two[0] + two[1]));
                        deep[side] = deep[side].max(self.farthest(at, [middle].into_iter(), &other));
                    }
                    for (_, by) in crossings {
                        let [a, b, c] = self.triangles[by as usize].map(|v| at[v as usize]);
                        let normal = (b - a).cross(c - a).normalize_or_zero();
                        let heights = edge.map(|v| normal.dot(at[v as usize] - a).abs());
                        found.of_edges = found.of_edges.max(heights[0].min(heights[1]));
                    }
                }
            }
            let depth = match flaps {
                [false, false] => deep[0].max(deep[1]),
                [true, true] => deep[0].min(deep[1]),
                [true, false] => deep[0],
                [false, true] => deep[1],
            };
            Measured { depth: if depth > 0.0 { depth } else { found.of_edges }, ..found }
        };
        contacts.iter().map(of_contact).collect()
    }

    /// What crossed edges cut a surface into, by the smallest vertex of each piece.
    fn pieces(&self, crossed: &HashSet<Edge>) -> BTreeMap<u32, HashSet<u32>> {
        let mut pieces: BTreeMap<u32, HashSet<u32>> = BTreeMap::new();
        for &vertex in crossed.iter().flatten() {
            if pieces.values().all(|piece| !piece.contains(&vertex)) {
                let piece = flood(vertex, |v| {
                    let is_whole = |&&next: &&u32| !crossed.contains(&[v.min(next), v.max(next)]);
                    self.neighbours[&v].iter().filter(is_whole).copied().collect()
                });
                pieces.insert(*piece.iter().min().expect("a sound test"), piece);
            }
        }
        pieces
    }

    fn is_on_rim(&self, v: u32) -> bool {
        self.neighbours[&v]
            .iter()
            .any(|&n| self.at_edge.get(&[v.min(n), v.max(n)]).is_some_and(|t| t.len() == 1))
    }

    /// The triangles that reaches are measured from, and whether an edge is on their border.
    fn other(&self, contact: &Contact, side: usize) -> (Vec<u32>, HashSet<Edge>) {
        let all = || (0..self.triangles.len() as u32).filter(|&t| !is_degenerate(self.triangles[t as usize]));
        let (own, touched) = (contact.side(side), contact.side(1 - side));
        let component = |t: u32| self.component[t as usize];
        let part = |t: u32| self.part[t as usize];
        let into = component(touched[0]);
        let parts: HashSet<u32> = touched.iter().map(|&t| part(t)).collect();
        if into == component(own[0]) && own.iter().any(|&t| parts.contains(&part(t))) {
            let mut counts: HashMap<Edge, usize> = HashMap::new();
            let of_touched = touched.iter().flat_map(|&t| edges(self.triangles[t as usize]));
            of_touched.for_each(|edge| *counts.entry(edge).or_default() += 1);
            let border = counts.into_iter().filter(|(_, count)| count % 2 == 1).map(|(edge, _)| edge);
            return (touched, border.collect());
        }
        let is_whole = into != component(own[0]);
        let set: HashSet<u32> =
            all().filter(|&t| component(t) == into && (is_whole || parts.contains(&part(t)))).collect();
        let is_border = |edge: &Edge| {
            let around = &self.at_edge[edge];
            around.len() == 1 || around.iter().any(|t| !set.contains(t))
        };
        let border = set.iter().flat_map(|&t| edges(self.triangles[t as usize])).filter(is_border).collect();
        (set.into_iter().collect(), border)
    }

    /// The farthest of some points from triangles; points beyond a border do not count.
    fn farthest(
        &self,
        at: &[DVec3],
        points: impl Iterator<Item = DVec3>,
        (set, border): &(Vec<u32>, HashSet<Edge>),
    ) -> f64 {
        let mut farthest = 0.0f64;
        for point in points {
            let mut best = (f64::INFINITY, Place::Within);
            for &t in set {
                let corners = self.triangles[t as usize];
                let (nearest, place) = nearest(point, corners, at);
                let distance = nearest.distance(point);
                if distance < best.0 {
                    best = (distance, place);
                }
            }
            let is_beyond = match best.1 {
                Place::Corner(v) => border.iter().any(|edge| edge.contains(&v)),
                Place::OnEdge(edge) => border.contains(&edge),
                Place::Within => false,
            };
            if !is_beyond {
                farthest = farthest.max(best.0);
            }
        }
        farthest
    }
}

fn flood(first: u32, next: impl Fn(u32) -> Vec<u32>) -> HashSet<u32> {
    let (mut seen, mut open) = (HashSet::from([first]), vec![first]);
    while let Some(vertex) = open.pop() {
        open.extend(next(vertex).into_iter().filter(|&n| seen.insert(n)));
    }
    seen
}

/// Where a segment crosses a triangle.
fn cross([from, to]: [DVec3; 2], [a, b, c]: [DVec3; 3]) -> Option<f64> {
    let normal = (b - a).cross(c - a);
    let [start, end] = [from, to].map(|p| normal.dot(p - a));
    if start * end >= 0.0 {
        return None;
    }
    let volume = |p: DVec3, q: DVec3| (to - from).dot((p - from).cross(q - from));
    let turns = [volume(a, b), volume(b, c), volume(c, a)];
    let is_within = turns.iter().all(|&t| t > 0.0) || turns.iter().all(|&t| t < 0.0);
    is_within.then(|| start / (start - end))
}

/// The point of a triangle that is nearest to a point: of its plane if that is within, else of its sides.
fn nearest(point: DVec3, corners: [u32; 3], at: &[DVec3]) -> (DVec3, Place) {
    let [a, b, c] = corners.map(|v| at[v as usize]);
    let normal = (b - a).cross(c - a);
    let is_inside = [(a, b), (b, c), (c, a)].iter().all(|&(p, q)| normal.cross(q - p).dot(point - p) > 0.0);
    if is_inside && normal != DVec3::ZERO {
        let height = normal.dot(point - a) / normal.length_squared();
        return (point - height * normal, Place::Within);
    }
    let on_side = |edge: Edge| {
        let [p, q] = edge.map(|v| at[v as usize]);
        let t = (point - p).dot(q - p) / (q - p).length_squared();
        match t {
            t if t > 0.0 && t < 1.0 => (p.lerp(q, t), Place::OnEdge(edge)),
            t if t >= 1.0 => (q, Place::Corner(edge[1])),
            _ => (p, Place::Corner(edge[0])),
        }
    };
    let sides = edges(corners).map(on_side).into_iter();
    sides.min_by(|x, y| x.0.distance(point).total_cmp(&y.0.distance(point))).expect("a sound test")
}
