//! Contacts and depths once more, from their definitions and by brute force, to be compared with what the engine says.
//!
//! Nothing is shared with the engine but the formula: pieces are flooded over whole components with sets, nearest points are sought
//! among all triangles in f64, and edges are cut with triangles one by one.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use glam::{DAffine3, DVec3, Quat, Vec3};
use supple::pose::{Joint, Node, Pose, Skeleton, Transform};
use supple::{Mesh, Model, SelfFilter, Skin, Skinning, oracle};

use crate::body_parts::BodyParts;
use crate::bones::Bones;
use crate::cell_tree::{CellTree, cell_trees};
use crate::contacts::{Contact, contacts};
use crate::cuts::Growing;
use crate::depth::Depths;
use crate::surface::Surface;

type Edge = [u32; 2];

/// A model as brute force sees it.
struct Naive {
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
struct Measured {
    depth: f64,
    of_edges: f64,
}

fn edges([a, b, c]: [u32; 3]) -> [Edge; 3] {
    [[a, b], [b, c], [c, a]].map(|[a, b]| [a.min(b), a.max(b)])
}

fn is_degenerate([a, b, c]: [u32; 3]) -> bool {
    a == b || b == c || c == a
}

impl Naive {
    fn new(model: &Model, part: Vec<u32>) -> Self {
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
    fn contacts(&self, pairs: &[[u32; 2]]) -> BTreeSet<BTreeSet<[u32; 2]>> {
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
    fn depths(&self, at: &[DVec3], contacts: &[Contact]) -> Vec<Measured> {
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
                pieces.insert(*piece.iter().min().unwrap(), piece);
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
    sides.min_by(|x, y| x.0.distance(point).total_cmp(&y.0.distance(point))).unwrap()
}

/// A model with all that both ways need.
struct Compared {
    model: Model,
    surface: Surface,
    trees: Vec<CellTree>,
    naive: Naive,
    size: f64,
}

/// How many contacts were compared.
#[derive(Debug, Default)]
struct Counts {
    contacts: usize,
}

impl Compared {
    fn new(model: Model) -> Self {
        let bones = Bones::new(&model);
        let parts = BodyParts::new(&bones, &BTreeSet::new());
        let of_triangles: Vec<u32> =
            bones.of_triangles().iter().map(|&bone| parts.of_bones()[bone as usize]).collect();
        let rest = model.posed(&model.rest_pose(), Skinning::Linear).unwrap().positions();
        let surface = Surface::new(&model, &of_triangles, &rest);
        let trees = cell_trees(&surface, &rest);
        let naive = Naive::new(&model, of_triangles);
        let size = f64::from(2.0 * supple::Aabb::from_points(rest).half_extents().max_element());
        Self { model, surface, trees, naive, size }
    }

    fn compare(&self, pose: &Pose, skinning: Skinning, what: &str, counts: &mut Counts) {
        let positions: Vec<Vec3> = self.model.posed(pose, skinning).unwrap().positions();
        let pairs = oracle::self_collide_with(&self.model, &positions, &SelfFilter::default());
        let found = contacts(&self.surface, &pairs);
        let sorted = |contact: &Contact| contact.pairs.iter().map(|&[a, b]| [a.min(b), a.max(b)]).collect();
        assert_eq!(found.iter().map(sorted).collect::<BTreeSet<_>>(), self.naive.contacts(&pairs), "{what}");
        let mut growing = Growing::new(&self.surface);
        let engine = Depths::new(&self.surface, &self.trees, &positions, &found, &mut growing).all();
        let at: Vec<DVec3> = positions.iter().map(|p| p.as_dvec3()).collect();
        for (number, (depth, naive)) in engine.iter().zip(self.naive.depths(&at, &found)).enumerate() {
            counts.contacts += 1;
            let far = |a: f32, b: f64| (f64::from(a) - b).abs() > 1e-5 * self.size;
            let differs = far(depth.of_edges, naive.of_edges) || far(depth.depth, naive.depth);
            assert!(!differs, "{what}, contact {number}: {depth:?} {naive:?} {:?}", found[number]);
        }
    }

    fn compare_clips(&self, fps: f64, skinning: Skinning, what: &str, counts: &mut Counts) {
        for clip in self.model.clips() {
            for frame in 0..=(clip.duration() * fps) as usize {
                let pose = self.model.sample(clip, frame as f64 / fps).unwrap();
                self.compare(&pose, skinning, &format!("{what} {}, frame {frame}", clip.name()), counts);
            }
        }
    }
}

#[test]
fn depths_of_characters_are_those_of_brute_force() {
    let mut counts = Counts::default();
    for (animal, fps) in [("man", 0.8), ("creature", 0.2), ("hand", 0.5), ("dwarf", 0.5), ("face", 1.0)] {
        let compared = Compared::new(supple_zoo::make(animal, 0).unwrap());
        compared.compare(&compared.model.rest_pose(), Skinning::Linear, animal, &mut counts);
        compared.compare_clips(fps, Skinning::Linear, animal, &mut counts);
    }
    assert!(counts.contacts > 50, "{counts:?}");
}

/// Positions and triangles.
type Net = (Vec<Vec3>, Vec<[u32; 3]>);

/// A tube around X of some radii, which is closed if its ends have none; a sheet where it does not go all around.
fn turned(radii: &[f32], sectors: u32, around: f32) -> Net {
    let is_closed = around >= 1.0;
    let columns = if is_closed { sectors } else { sectors + 1 };
    let (mut positions, mut triangles) = (Vec::new(), Vec::new());
    for (ring, radius) in radii.iter().enumerate() {
        for column in 0..columns {
            let (sin, cos) = (std::f32::consts::TAU * around * column as f32 / sectors as f32).sin_cos();
            positions.push(Vec3::new(0.2 * ring as f32, radius * cos, radius * sin));
        }
    }
    for ring in 0..radii.len() as u32 - 1 {
        for sector in 0..sectors {
            let (here, next) = (ring * columns + sector, ring * columns + (sector + 1) % columns);
            triangles.extend([[here, next, next + columns], [here, next + columns, here + columns]]);
        }
    }
    (positions, triangles)
}

/// Two nets with a bone each; the second one is placed by its bone.
fn two_nets(a: Net, b: Net) -> Model {
    let first = a.0.len() as u32;
    let positions: Vec<Vec3> = a.0.into_iter().chain(b.0).collect();
    let triangles = a.1.into_iter().chain(b.1.into_iter().map(|t| t.map(|v| v + first))).collect();
    let lists: Vec<[(u32, f32); 1]> =
        (0..positions.len() as u32).map(|v| [(u32::from(v >= first), 1.0)]).collect();
    let skin = Skin::new(2, lists.iter().map(|list| list.as_slice())).unwrap();
    let mut nodes = ["a", "b"].map(|name| Node::new(name, None, Transform::IDENTITY)).to_vec();
    nodes[1].rest.translation = Vec3::X * 10.0;
    let joints = [0, 1].map(|node| Joint { node, inverse_bind: DAffine3::IDENTITY }).to_vec();
    let mesh = Mesh::new(positions, triangles).unwrap();
    Model::new(mesh, skin, Skeleton::new(nodes, joints).unwrap()).unwrap()
}

#[test]
fn depths_of_tubes_and_sheets_in_any_place_are_those_of_brute_force() {
    let mut state = 7u64;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f32 / (1u64 << 24) as f32
    };
    let nets = [
        turned(&[0.0, 0.3, 0.4, 0.4, 0.4, 0.4, 0.3, 0.0], 11, 1.0), // closed
        turned(&[0.4, 0.4, 0.4, 0.4, 0.5], 9, 1.0),                 // a sleeve
        turned(&[1.0, 1.0, 1.0, 1.0, 1.0, 1.0], 8, 0.3),            // a cape
        turned(&[0.0, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.0], 5, 1.0), // a finger
        turned(&[0.5, 0.5], 1, 0.1),                                // a strip of two triangles
    ];
    let mut counts = Counts::default();
    for number in 0..500 {
        let [one, other] = [nets.len(), nets.len()].map(|count| (random() * count as f32) as usize);
        let compared = Compared::new(two_nets(nets[one].clone(), nets[other].clone()));
        let mut pose = compared.model.rest_pose();
        let mut vector = || Vec3::new(random() - 0.5, random() - 0.5, random() - 0.5);
        pose.nodes[1] = Transform {
            translation: Vec3::X * 0.3 + 0.8 * vector(),
            rotation: Quat::from_scaled_axis(6.0 * vector()),
            scale: Vec3::ONE,
        };
        compared.compare(&pose, Skinning::Linear, &format!("{number}: {one} and {other}"), &mut counts);
    }
    assert!(counts.contacts > 100, "{counts:?}");
}
