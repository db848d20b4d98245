//! Distances along the surface of a model at rest.
//!
//! In: a model, and for each vertex the bone that it lives on. Out: which vertices are within a distance of others, going
//! along edges. Edges zigzag, so what is near is never underestimated, and overestimated by some ten percent.
//!
//! Clothes, eyes and buttons are pieces of their own. Each is linked to the nearest vertices of other pieces that live on
//! the same bone or on its kin: a glove hangs on the forearm's sleeve, and not on the pocket that it rests on. Of large
//! crowds of vertices some are looked at, so that the time is bounded; links are then a little longer.

use std::cmp::{Ordering, Reverse};
use std::collections::{BTreeMap, BinaryHeap};

use glam::Vec3;
use supple::{Model, Skinning};

/// So many vertices look for others at most, of all pieces together where there are not more pieces than that.
const LOOKING: usize = 65_536;

/// So many vertices of a piece on one bone do.
const LOOKING_PER_GROUP: usize = 64;

/// So many vertices can be found by each.
const FOUND: usize = 4096;

/// So many edges are never far, however long they are.
const NEAR_EDGES: u32 = 3;

/// Welded vertices, joined where one can go from one to the other.
#[derive(Clone, Debug)]
pub struct LinkedSurface {
    /// In the rest pose.
    pub positions: Vec<Vec3>,
    /// The first vertex of each point of the surface.
    pub welded: Vec<u32>,
    neighbours: Vec<Vec<u32>>,
}

impl LinkedSurface {
    /// The edges of a model, without links.
    pub fn new(model: &Model) -> Self {
        let in_file = model.mesh().positions();
        let posed = model.posed(&model.rest_pose(), Skinning::Linear).map(|posed| posed.positions());
        // A rest pose that does not fit into f32 is refused by bodies; until then, the file has to do.
        let positions = posed.unwrap_or_else(|_| in_file.to_vec());
        let (welded, mut neighbours) = (model.welded_vertices(), vec![Vec::new(); positions.len()]);
        for corners in model.mesh().triangles() {
            let [a, b, c] = corners.map(|vertex| welded[vertex as usize]);
            for [from, to] in [[a, b], [b, c], [c, a]].into_iter().filter(|[from, to]| from != to) {
                neighbours[from as usize].push(to);
                neighbours[to as usize].push(from);
            }
        }
        for list in &mut neighbours {
            list.sort_unstable();
            list.dedup();
        }
        Self { positions, welded, neighbours }
    }

    /// Vertices that share an edge with a vertex, or a link.
    pub fn neighbours(&self, vertex: u32) -> &[u32] {
        &self.neighbours[vertex as usize]
    }

    /// Whether a welded vertex is part of the surface.
    pub fn contains(&self, vertex: u32) -> bool {
        !self.neighbours[vertex as usize].is_empty()
    }

    /// For every vertex the number of its piece among those with the same `kind`: vertices that hang together, by edges
    /// between vertices of that kind.
    pub fn pieces<K: PartialEq>(&self, kind: impl Fn(u32) -> K) -> Vec<u32> {
        let mut pieces = vec![u32::MAX; self.neighbours.len()];
        let (mut count, mut open) = (0, Vec::new());
        for start in 0..pieces.len() as u32 {
            if pieces[start as usize] != u32::MAX {
                continue;
            }
            pieces[start as usize] = count;
            open.push(start);
            while let Some(vertex) = open.pop() {
                for &next in self.neighbours(vertex) {
                    if pieces[next as usize] == u32::MAX && kind(next) == kind(vertex) {
                        pieces[next as usize] = count;
                        open.push(next);
                    }
                }
            }
            count += 1;
        }
        pieces
    }

    /// Links pieces that hang together by nothing but their bones; `home` is the bone of each welded vertex.
    pub fn link_pieces(&mut self, bones: u32, home: &[u32], are_kin: impl Fn(u32, u32) -> bool) {
        let pieces = self.pieces(|_| ());
        let mut of_bone: Vec<Vec<u32>> = vec![Vec::new(); bones as usize];
        let mut groups: BTreeMap<(u32, u32), Vec<u32>> = BTreeMap::new();
        for vertex in (0..home.len() as u32).filter(|&vertex| self.contains(vertex)) {
            let (bone, piece) = (home[vertex as usize], pieces[vertex as usize]);
            of_bone[bone as usize].push(vertex);
            groups.entry((bone, piece)).or_default().push(vertex);
        }
        let looking = (LOOKING / groups.len().max(1)).clamp(1, LOOKING_PER_GROUP);
        let (mut links, mut of_kin) = (Vec::new(), (u32::MAX, Vec::new()));
        for (&(bone, piece), own) in &groups {
            if of_kin.0 != bone {
                let kin = (0..bones).filter(|&other| are_kin(bone, other));
                let all: Vec<u32> = kin.flat_map(|kin| &of_bone[kin as usize]).copied().collect();
                of_kin = (bone, some(&all, FOUND).collect());
            }
            for from in some(own, looking) {
                let others = of_kin.1.iter().copied().filter(|&to| pieces[to as usize] != piece);
                let squared =
                    |to: u32| self.positions[from as usize].distance_squared(self.positions[to as usize]);
                let nearest = others.min_by(|&a, &b| squared(a).total_cmp(&squared(b)));
                links.extend(nearest.map(|to| [from, to]));
            }
        }
        for [from, to] in links {
            self.neighbours[from as usize].push(to);
            self.neighbours[to as usize].push(from);
        }
    }

    /// Which vertices are near some others: at most this far away, or a few edges, or on a way from there on which every
    /// vertex follows the same bone.
    pub fn near(&self, sources: &[u32], distance: f32, follows: impl Fn(u32) -> bool) -> Vec<bool> {
        let mut near = self.within(sources, distance);
        let mut front = sources.to_vec();
        for _ in 0..NEAR_EDGES {
            front = front.iter().flat_map(|&vertex| self.neighbours(vertex)).copied().collect();
            front.sort_unstable();
            front.dedup();
            front.iter().for_each(|&vertex| near[vertex as usize] = true);
        }
        let mut open: Vec<u32> = (0..near.len() as u32).filter(|&v| near[v as usize] && follows(v)).collect();
        while let Some(vertex) = open.pop() {
            for &next in self.neighbours(vertex) {
                if !near[next as usize] && follows(next) {
                    near[next as usize] = true;
                    open.push(next);
                }
            }
        }
        near
    }

    /// Which vertices are at most this far from the nearest source.
    fn within(&self, sources: &[u32], distance: f32) -> Vec<bool> {
        let mut nearest = vec![f32::INFINITY; self.neighbours.len()];
        let mut open: BinaryHeap<Reverse<Reached>> = BinaryHeap::new();
        for &vertex in sources {
            nearest[vertex as usize] = 0.0;
            open.push(Reverse(Reached { distance: 0.0, vertex }));
        }
        while let Some(Reverse(from)) = open.pop() {
            if from.distance > nearest[from.vertex as usize] {
                continue;
            }
            for &vertex in self.neighbours(from.vertex) {
                let edge = self.positions[from.vertex as usize].distance(self.positions[vertex as usize]);
                let there = from.distance + edge;
                if there <= distance && there < nearest[vertex as usize] {
                    nearest[vertex as usize] = there;
                    open.push(Reverse(Reached { distance: there, vertex }));
                }
            }
        }
        nearest.into_iter().map(|nearest| nearest <= distance).collect()
    }
}

/// At most so many of them, evenly.
fn some(vertices: &[u32], most: usize) -> impl Iterator<Item = u32> {
    let count = vertices.len().min(most);
    (0..count).map(move |i| vertices[i * vertices.len() / count])
}

/// A vertex on the way, ordered by distance.
#[derive(Clone, Copy, PartialEq)]
struct Reached {
    distance: f32,
    vertex: u32,
}

impl Eq for Reached {}

impl Ord for Reached {
    fn cmp(&self, other: &Self) -> Ordering {
        self.distance.total_cmp(&other.distance).then(self.vertex.cmp(&other.vertex))
    }
}

impl PartialOrd for Reached {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
