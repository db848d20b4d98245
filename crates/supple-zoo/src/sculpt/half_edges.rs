//! A closed triangle surface that can be changed: split, collapse and flip of edges.
//!
//! Half-edge `h` is corner `h % 3` of triangle `h / 3` and leads from `origin[h]` to the next corner. Must hold: every
//! half-edge has a twin in the other direction; operations that would break the manifold are refused.

use std::collections::HashMap;

use glam::DVec3;

const NONE: u32 = u32::MAX;

/// Positions and half-edges; removed vertices and triangles stay as holes until [`Surface::into_mesh`].
#[derive(Clone, Debug)]
pub(crate) struct Surface {
    pub positions: Vec<DVec3>,
    origin: Vec<u32>,
    twin: Vec<u32>,
    /// One outgoing half-edge per vertex, `NONE` for removed vertices.
    outgoing: Vec<u32>,
    vertex_count: usize,
}

impl Surface {
    /// `None` if the mesh is not closed and manifold along its edges.
    pub fn new(positions: Vec<DVec3>, triangles: &[[u32; 3]]) -> Option<Self> {
        let origin: Vec<u32> = triangles.iter().flatten().copied().collect();
        let mut outgoing = vec![NONE; positions.len()];
        let mut by_ends = HashMap::with_capacity(origin.len());
        for h in 0..origin.len() as u32 {
            let (from, to) = (origin[h as usize], origin[next(h) as usize]);
            outgoing[from as usize] = h;
            if by_ends.insert((from, to), h).is_some() {
                return None;
            }
        }
        let twin_of = |h: u32| by_ends.get(&(origin[next(h) as usize], origin[h as usize])).copied();
        let twin = (0..origin.len() as u32).map(twin_of).collect::<Option<Vec<_>>>()?;
        let vertex_count = outgoing.iter().filter(|&&h| h != NONE).count();
        let surface = Self { positions, origin, twin, outgoing, vertex_count };
        // Where two fans meet in one vertex, a walk around it misses half of its triangles.
        let reached: usize = surface.vertices().map(|v| surface.ring(v).count()).sum();
        (reached == surface.origin.len()).then_some(surface)
    }

    /// The mesh without holes.
    pub fn into_mesh(self) -> (Vec<DVec3>, Vec<[u32; 3]>) {
        let mut new_index = vec![NONE; self.positions.len()];
        let mut positions = Vec::with_capacity(self.vertex_count);
        for v in self.vertices() {
            new_index[v as usize] = positions.len() as u32;
            positions.push(self.positions[v as usize]);
        }
        let (triples, _) = self.origin.as_chunks::<3>();
        let alive = triples.iter().filter(|t| t[0] != NONE);
        let triangles = alive.map(|t| t.map(|v| new_index[v as usize])).collect();
        (positions, triangles)
    }

    pub fn vertex_count(&self) -> usize {
        self.vertex_count
    }

    /// Vertices that were not removed.
    pub fn vertices(&self) -> impl Iterator<Item = u32> {
        (0..self.positions.len() as u32).filter(|&v| self.outgoing[v as usize] != NONE)
    }

    /// Number of half-edges, removed ones included.
    pub fn half_edge_count(&self) -> u32 {
        self.origin.len() as u32
    }

    /// The ends of a half-edge; `None` if it was removed.
    pub fn ends(&self, h: u32) -> Option<(u32, u32)> {
        let from = self.origin[h as usize];
        (from != NONE).then(|| (from, self.origin[next(h) as usize]))
    }

    /// Whether `h` stands for its edge (one of the two half-edges does).
    pub fn is_first(&self, h: u32) -> bool {
        self.origin[h as usize] != NONE && h < self.twin[h as usize]
    }

    /// Neighbours of a vertex.
    pub fn ring(&self, v: u32) -> impl Iterator<Item = u32> {
        self.spokes(v).map(|h| self.origin[next(h) as usize])
    }

    /// Outgoing half-edges of a vertex.
    pub fn spokes(&self, v: u32) -> impl Iterator<Item = u32> {
        let start = self.outgoing[v as usize];
        let mut at = Some(start);
        std::iter::from_fn(move || {
            let h = at?;
            let following = self.twin[prev(h) as usize];
            at = (following != start).then_some(following);
            Some(h)
        })
    }

    /// The two vertices opposite of an edge.
    pub fn opposite(&self, h: u32) -> (u32, u32) {
        (self.origin[prev(h) as usize], self.origin[prev(self.twin[h as usize]) as usize])
    }

    /// Vertices of the triangle of a half-edge, starting with its origin.
    pub fn triangle(&self, h: u32) -> [u32; 3] {
        [h, next(h), prev(h)].map(|h| self.origin[h as usize])
    }

    /// Puts a vertex into the middle of an edge.
    pub fn split(&mut self, h: u32, position: DVec3) {
        let g = self.twin[h as usize];
        let v = self.origin[g as usize];
        let (w, x) = self.opposite(h);
        let m = self.positions.len() as u32;
        self.positions.push(position);
        // (u v w) becomes (u m w) and (m v w); (v u x) becomes (m u x) and (v m x).
        let (a, b) = (self.origin.len() as u32, self.origin.len() as u32 + 3);
        self.origin.extend([m, v, w, v, m, x]);
        self.twin.resize(self.origin.len(), NONE);
        let (outer_vw, outer_xv) = (self.twin[next(h) as usize], self.twin[prev(g) as usize]);
        self.origin[next(h) as usize] = m;
        self.origin[g as usize] = m;
        self.join(a, b);
        self.join(a + 1, outer_vw);
        self.join(a + 2, next(h));
        self.join(b + 1, prev(g));
        self.join(b + 2, outer_xv);
        self.outgoing.push(a);
        self.outgoing[v as usize] = b;
        self.vertex_count += 1;
    }

    /// Whether the edge can shrink to a point: its ends share exactly the two opposite neighbours.
    pub fn can_collapse(&self, h: u32) -> bool {
        let Some((u, v)) = self.ends(h) else {
            return false;
        };
        let (w, x) = self.opposite(h);
        let shared = self.ring(u).filter(|&n| self.ring(v).any(|m| m == n)).count();
        w != x && shared == 2 && self.valence(w) > 3 && self.valence(x) > 3
    }

    /// Shrinks an edge to its origin, which moves to `position`. Only where [`Surface::can_collapse`].
    pub fn collapse(&mut self, h: u32, position: DVec3) {
        let g = self.twin[h as usize];
        let (u, v) = (self.origin[h as usize], self.origin[g as usize]);
        let (w, x) = self.opposite(h);
        let spokes: Vec<u32> = self.spokes(v).collect();
        for spoke in spokes {
            self.origin[spoke as usize] = u;
        }
        let [wv, uw, xu, vx] = [next(h), prev(h), next(g), prev(g)].map(|e| self.twin[e as usize]);
        self.join(wv, uw);
        self.join(xu, vx);
        for e in [h, g] {
            for dead in [e, next(e), prev(e)] {
                self.origin[dead as usize] = NONE;
            }
        }
        self.positions[u as usize] = position;
        self.outgoing[u as usize] = uw;
        self.outgoing[w as usize] = wv;
        self.outgoing[x as usize] = xu;
        self.outgoing[v as usize] = NONE;
        self.vertex_count -= 1;
    }

    /// Whether the edge may be replaced by the other diagonal of its two triangles.
    pub fn can_flip(&self, h: u32) -> bool {
        let Some((u, v)) = self.ends(h) else {
            return false;
        };
        let (w, x) = self.opposite(h);
        w != x && self.valence(u) > 3 && self.valence(v) > 3 && !self.ring(w).any(|n| n == x)
    }

    /// Replaces an edge by the other diagonal. Only where [`Surface::can_flip`].
    pub fn flip(&mut self, h: u32) {
        let g = self.twin[h as usize];
        let (u, v) = (self.origin[h as usize], self.origin[g as usize]);
        let (w, x) = self.opposite(h);
        let [h1, h2, g1, g2] = [next(h), prev(h), next(g), prev(g)];
        let [vw, wu, ux, xv] = [h1, h2, g1, g2].map(|e| self.twin[e as usize]);
        // (u v w) (v u x) become (x w u) (w x v).
        for (e, vertex) in [(h, x), (h1, w), (h2, u), (g, w), (g1, x), (g2, v)] {
            self.origin[e as usize] = vertex;
            self.outgoing[vertex as usize] = e;
        }
        self.join(h1, wu);
        self.join(h2, ux);
        self.join(g1, xv);
        self.join(g2, vw);
    }

    pub fn valence(&self, v: u32) -> usize {
        self.spokes(v).count()
    }

    fn join(&mut self, a: u32, b: u32) {
        self.twin[a as usize] = b;
        self.twin[b as usize] = a;
    }
}

fn next(h: u32) -> u32 {
    if h % 3 == 2 { h - 2 } else { h + 1 }
}

fn prev(h: u32) -> u32 {
    if h.is_multiple_of(3) { h + 2 } else { h - 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn octahedron() -> Surface {
        let positions = vec![DVec3::X, DVec3::Y, DVec3::NEG_X, DVec3::NEG_Y, DVec3::Z, DVec3::NEG_Z];
        let side = |a: u32, b: u32| [[a, b, 4], [b, a, 5]];
        let triangles: Vec<_> =
            [(0, 1), (1, 2), (2, 3), (3, 0)].iter().flat_map(|&(a, b)| side(a, b)).collect();
        Surface::new(positions, &triangles).unwrap()
    }

    fn check(surface: &Surface, vertices: usize) {
        let (positions, triangles) = surface.clone().into_mesh();
        assert_eq!((positions.len(), triangles.len()), (vertices, 2 * vertices - 4));
        assert!(Surface::new(positions, &triangles).is_some());
    }

    #[test]
    fn operations_keep_the_surface_closed() {
        let mut surface = octahedron();
        for h in [0, 7, 12, 3, 20] {
            surface.split(h, DVec3::ONE);
        }
        check(&surface, 11);
        let flips = (0..surface.half_edge_count()).filter(|&h| {
            let can = surface.can_flip(h);
            if can {
                surface.flip(h);
            }
            can
        });
        assert!(flips.count() > 5);
        check(&surface, 11);
        let collapsible = (0..surface.half_edge_count()).find(|&h| surface.can_collapse(h)).unwrap();
        surface.collapse(collapsible, DVec3::ZERO);
        check(&surface, 10);
    }

    #[test]
    fn open_and_pinched_meshes_are_refused() {
        let corners = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
        assert!(Surface::new(corners, &[[0, 1, 2]]).is_none());
        let tetrahedron = |a, b, c, d| [[a, c, b], [a, b, d], [b, c, d], [c, a, d]];
        let pinched = [tetrahedron(0, 1, 2, 3), tetrahedron(0, 4, 5, 6)].concat();
        assert!(Surface::new(vec![DVec3::ZERO; 7], &pinched).is_none());
    }
}
