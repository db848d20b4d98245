//! What a surface is cut into where another one crosses it.
//!
//! In: all contacts of a pose between two components of the surface. Out: the edges that are crossed, and the *pieces*: vertices
//! that edges which are not crossed connect, all but the largest; all where two are the largest.
//!
//! All pieces grow at the same time, one vertex after the other, until only one still grows and is the largest: that is the rest of
//! the surface. So the cost follows the pieces, not the surface.

use std::collections::{BTreeMap, VecDeque};

use glam::Vec3;
use supple::narrow::contact;

use crate::contacts::Contact;
use crate::surface::Surface;

/// A surface and where it is crossed.
#[derive(Clone, Debug, Default)]
pub struct Cut {
    /// Crossings of every edge, by its smaller and larger vertex.
    pub edges: BTreeMap<[u32; 2], Vec<Crossing>>,
    /// The piece of each end of a crossed edge; none for the rest of the surface.
    pub piece_of: BTreeMap<u32, Option<usize>>,
    pub pieces: Vec<Vec<u32>>,
}

/// Where an edge is crossed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crossing {
    /// 0 at the smaller vertex, 1 at the larger one.
    pub at: f32,
    pub by: u32,
    /// The number of the contact in the pose.
    pub contact: usize,
    /// The side of the contact that has the edge.
    pub side: usize,
}

/// Adds the crossings of a contact to the cuts of the surfaces of both sides.
pub fn add_crossings(
    surface: &Surface,
    positions: &[Vec3],
    number: usize,
    found: &Contact,
    mut cut: impl FnMut(usize, [u32; 2], Crossing),
) {
    let corners = |triangle: u32| surface.triangles[triangle as usize].map(|v| positions[v as usize]);
    for pair in &found.pairs {
        let Some(touching) = contact(&corners(pair[0]), &corners(pair[1])) else { continue };
        for end in 0..2 {
            for (side, weights) in
                [touching.barycentric_a[end], touching.barycentric_b[end]].iter().enumerate()
            {
                let own = surface.triangles[pair[side] as usize];
                for corner in (0..3).filter(|&corner| weights[corner] == 0.0) {
                    let [from, to] = [(corner + 1) % 3, (corner + 2) % 3];
                    let (a, b) = (own[from], own[to]);
                    let crossing = Crossing {
                        at: if a < b { weights[to] } else { weights[from] },
                        by: pair[1 - side],
                        contact: number,
                        side,
                    };
                    cut(side, [a.min(b), a.max(b)], crossing);
                }
            }
        }
    }
}

/// Memory for growing pieces.
#[derive(Clone, Debug)]
pub struct Growing {
    /// The piece of each vertex, if the round is right.
    piece: Vec<(u32, u32)>,
    round: u32,
}

impl Growing {
    pub fn new(surface: &Surface) -> Self {
        Self { piece: vec![(0, 0); surface.vertex_count()], round: 0 }
    }

    /// Finds the pieces of a cut surface.
    pub fn grow(&mut self, surface: &Surface, cut: &mut Cut) {
        self.round += 1;
        let mut pieces = Pieces::default();
        for &vertex in cut.edges.keys().flatten() {
            if self.piece[vertex as usize].0 != self.round {
                self.piece[vertex as usize] = (self.round, pieces.begin(vertex));
            }
        }
        let mut growing: Vec<u32> = (0..pieces.all.len() as u32).collect();
        while pieces.growing > 1 {
            growing.retain(|&piece| pieces.all[piece as usize].grows);
            for &piece in &growing {
                if pieces.growing > 1 && pieces.all[piece as usize].grows {
                    self.grow_by_one(surface, cut, &mut pieces, piece);
                }
            }
        }
        // One that began at few vertices grows slowly: it is the rest only if it becomes the largest.
        if let Some((last, enough)) = pieces.last_growing() {
            while pieces.all[last as usize].grows && pieces.all[last as usize].vertices.len() <= enough {
                self.grow_by_one(surface, cut, &mut pieces, last);
            }
        }
        let rest = pieces.rest();
        let numbers: BTreeMap<u32, usize> = (0..pieces.all.len() as u32)
            .filter(|&piece| pieces.find(piece) == piece && Some(piece) != rest)
            .zip(0..)
            .collect();
        let ends = cut.edges.keys().flatten();
        cut.piece_of = ends
            .map(|&vertex| (vertex, numbers.get(&pieces.find(self.piece[vertex as usize].1)).copied()))
            .collect();
        cut.pieces =
            numbers.keys().map(|&piece| std::mem::take(&mut pieces.all[piece as usize].vertices)).collect();
    }

    fn grow_by_one(&mut self, surface: &Surface, cut: &Cut, pieces: &mut Pieces, piece: u32) {
        let Some(vertex) = pieces.all[piece as usize].open.pop_front() else {
            pieces.end(piece);
            return;
        };
        let mut joined = piece;
        for &next in surface.neighbours(vertex) {
            // Pieces begin at both ends of crossed edges: an edge to what is not known yet is none.
            let is_known = self.piece[next as usize].0 == self.round;
            if is_known && cut.edges.contains_key(&[vertex.min(next), vertex.max(next)]) {
                continue;
            }
            if is_known {
                joined = pieces.join(joined, self.piece[next as usize].1);
            } else {
                self.piece[next as usize] = (self.round, joined);
                let own = &mut pieces.all[joined as usize];
                own.vertices.push(next);
                own.open.push_back(next);
            }
        }
    }
}

/// Pieces that grow.
#[derive(Debug, Default)]
struct Pieces {
    all: Vec<Piece>,
    growing: usize,
}

#[derive(Debug)]
struct Piece {
    /// What it has become part of; itself if nothing.
    part_of: u32,
    vertices: Vec<u32>,
    open: VecDeque<u32>,
    grows: bool,
}

impl Pieces {
    fn begin(&mut self, vertex: u32) -> u32 {
        let number = self.all.len() as u32;
        let (vertices, open) = (vec![vertex], VecDeque::from([vertex]));
        self.all.push(Piece { part_of: number, vertices, open, grows: true });
        self.growing += 1;
        number
    }

    fn end(&mut self, piece: u32) {
        self.all[piece as usize].grows = false;
        self.growing -= 1;
    }

    fn find(&self, mut piece: u32) -> u32 {
        while self.all[piece as usize].part_of != piece {
            piece = self.all[piece as usize].part_of;
        }
        piece
    }

    /// Makes two pieces one, the larger. Both grow: one that has ended has no edge to another.
    fn join(&mut self, a: u32, b: u32) -> u32 {
        let (a, b) = (self.find(a), self.find(b));
        if a == b {
            return a;
        }
        let size = |piece: u32| self.all[piece as usize].vertices.len();
        let (large, small) = if (size(a), b) >= (size(b), a) { (a, b) } else { (b, a) };
        let piece = &mut self.all[small as usize];
        piece.part_of = large;
        let (vertices, open) = (std::mem::take(&mut piece.vertices), std::mem::take(&mut piece.open));
        piece.grows = false;
        self.growing -= 1;
        let piece = &mut self.all[large as usize];
        piece.vertices.extend(vertices);
        piece.open.extend(open);
        large
    }

    /// The piece that still grows, and how large the largest of the others is.
    fn last_growing(&self) -> Option<(u32, usize)> {
        let last = (0..self.all.len() as u32).find(|&piece| self.all[piece as usize].grows)?;
        let ended = self.all.iter().filter(|piece| !piece.grows);
        Some((last, ended.map(|piece| piece.vertices.len()).max()?))
    }

    /// The largest piece; none where two are the largest: each of them may be what is cut off.
    fn rest(&self) -> Option<u32> {
        let own = || (0..self.all.len() as u32).filter(|&piece| self.find(piece) == piece);
        let size = |piece: &u32| self.all[*piece as usize].vertices.len();
        let largest = own().max_by_key(size)?;
        (own().filter(|piece| size(piece) == size(&largest)).count() == 1).then_some(largest)
    }
}
