//! How deep two surfaces are in each other where they cross.
//!
//! In: the contacts of a pose, and posed vertices. Out: a length per contact.
//!
//! ```text
//! reach(piece)  = the largest distance of a vertex of the piece from the other surface, of those vertices whose nearest point of
//!                 it is not on its rim
//! deep(surface) = max over its crossed edges (u, v)   min(reach(piece of u), reach(piece of v))
//!                 the rest of a surface, which is no piece (see `cuts`), reaches without an end
//! depth         = max(deep(A), deep(B))       or of one alone where it is cut into flaps, which end in a rim, and the other is not
//! ```
//!
//! A flap can be put right without the other surface: a collar that dips into a neck all around is as deep as the collar does, and not as
//! the head that it cuts off reaches out of it. Where both are flaps the smaller counts.
//!
//! So a hand in a thigh is as deep as its fingers are behind the thigh's surface, an arm that comes out of a sleeve is as
//! deep as what comes out, and an arm through a cape as what is on the other side. No side is inside or outside: surfaces may be open,
//! or inside out. Beyond the rim of an open surface nothing counts: a head is not deep in a collar.
//!
//! In a fold, which often cuts off a whole limb or nothing, the depth is at most that of single edges.
//!
//! Where an edge crosses the other surface twice, the middle between the two counts like a piece. Where nothing is cut off
//! (two sheets slotted into each other) the depth is that of single edges: how far the nearer end is behind the plane of the
//! triangle that is crossed.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use glam::Vec3;
use supple::narrow::closest_point_of_triangle;

use crate::cell_tree::{CellTree, PosedCell};
use crate::contacts::Contact;
use crate::cuts::{Crossing, Cut, Growing, add_crossings};
use crate::surface::Surface;

/// A pose in which depths are measured.
pub struct Depths<'a> {
    surface: &'a Surface,
    trees: &'a [CellTree],
    positions: &'a [Vec3],
    contacts: &'a [Contact],
    posed: Vec<OnceCell<PosedCell>>,
    /// By component that is cut, and component that cuts it.
    cuts: BTreeMap<[u32; 2], Cut>,
    /// For each contact and side the edges that are crossed.
    edges: Vec<[BTreeSet<[u32; 2]>; 2]>,
}

/// Known reaches: of a contact and side, where they depend on it; by the components of the cut, and the piece.
type Reaches = BTreeMap<(Option<(usize, usize)>, [u32; 2], usize), f32>;

/// The depth of a contact.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Depth {
    pub depth: f32,
    /// How far the ends of crossed edges are behind what crosses them: the depth of a fold, whose surface is not cut.
    pub of_edges: f32,
    /// The pieces of each side that are cut off, as places in [`Cut::pieces`], ascending.
    pieces: [Vec<usize>; 2],
}

/// What the reach of a piece is measured from.
enum Other<'c> {
    Cells(Vec<u32>),
    Triangles(Touched<'c>),
}

/// Triangles of a contact, and the edges around them.
struct Touched<'c> {
    triangles: &'c [u32],
    border: BTreeSet<[u32; 2]>,
    border_vertices: BTreeSet<u32>,
}

impl<'a> Depths<'a> {
    /// Cuts all surfaces.
    pub fn new(
        surface: &'a Surface,
        trees: &'a [CellTree],
        positions: &'a [Vec3],
        contacts: &'a [Contact],
        growing: &mut Growing,
    ) -> Self {
        let mut cuts: BTreeMap<[u32; 2], Cut> = BTreeMap::new();
        let mut edges = vec![<[BTreeSet<[u32; 2]>; 2]>::default(); contacts.len()];
        for (number, contact) in contacts.iter().enumerate() {
            let components = contact.pairs[0].map(|triangle| surface.component[triangle as usize]);
            add_crossings(surface, positions, number, contact, |side, edge, crossing: Crossing| {
                let key = [components[side], components[1 - side]];
                edges[number][side].insert(edge);
                cuts.entry(key).or_default().edges.entry(edge).or_default().push(crossing);
            });
        }
        for cut in cuts.values_mut() {
            growing.grow(surface, cut);
        }
        let posed = vec![OnceCell::new(); trees.len()];
        Self { surface, trees, positions, contacts, posed, cuts, edges }
    }

    /// The depths of all contacts.
    pub fn all(&self) -> Vec<Depth> {
        let mut reaches = BTreeMap::new();
        (0..self.contacts.len()).map(|contact| self.of_contact(contact, &mut reaches)).collect()
    }

    fn of_contact(&self, number: usize, reaches: &mut Reaches) -> Depth {
        let contact = &self.contacts[number];
        let (mut pieces, mut deep, mut of_edges) = (<[BTreeSet<usize>; 2]>::default(), [0.0f32; 2], 0.0f32);
        for side in 0..2 {
            let Some(cut) = self.cut(number, side) else { continue };
            let triangles = contact.side(1 - side);
            let other = self.other(contact, side, &triangles);
            let [own, cutting] = self.components(number, side);
            // The reach from a whole component is the same for all contacts with it.
            let asked_by = (own == cutting).then_some((number, side));
            for edge in &self.edges[number][side] {
                let crossings = &cut.edges[edge];
                let is_own = |c: &&Crossing| c.contact == number && c.side == side;
                let ends = edge.map(|v| cut.piece_of.get(&v).copied().flatten());
                if ends[0] != ends[1] {
                    let mut reach = |piece: usize| {
                        let known = reaches.entry((asked_by, [own, cutting], piece));
                        *known.or_insert_with(|| self.reach(&cut.pieces[piece], &other))
                    };
                    let [a, b] = ends.map(|piece| piece.map_or(f32::INFINITY, &mut reach));
                    deep[side] = deep[side].max(a.min(b));
                    pieces[side].extend(if a <= b { ends[0] } else { ends[1] });
                }
                for at in middles(crossings.iter().filter(is_own).map(|c| c.at)) {
                    let [from, to] = edge.map(|v| self.positions[v as usize]);
                    deep[side] = deep[side].max(self.farthest([from.lerp(to, at)].into_iter(), &other));
                }
                let ends = crossings.iter().filter(is_own).map(|c| self.nearer_end(*edge, c.by));
                of_edges = ends.fold(of_edges, f32::max);
            }
        }
        let are_flaps = [0, 1].map(|side| {
            let Some(cut) = self.cut(number, side) else { return false };
            let is_flap = |piece: &usize| cut.pieces[*piece].iter().any(|&v| self.surface.is_on_rim(v));
            pieces[side].iter().any(is_flap)
        });
        let depth = match are_flaps {
            [false, false] => deep[0].max(deep[1]),
            [true, true] => deep[0].min(deep[1]),
            [true, false] => deep[0],
            [false, true] => deep[1],
        };
        let pieces = pieces.map(|pieces| pieces.into_iter().collect());
        Depth { depth: if depth > 0.0 { depth } else { of_edges }, of_edges, pieces }
    }

    /// The triangles of each side that a contact cuts off, whole or in part, ascending; and their area.
    pub fn cut_off(&self, number: usize, depth: &Depth) -> ([Vec<u32>; 2], f32) {
        let mut area = 0.0;
        let sides = [0, 1].map(|side| {
            let Some(cut) = self.cut(number, side) else { return Vec::new() };
            let mut corners: BTreeMap<u32, u32> = BTreeMap::new();
            for &vertex in depth.pieces[side].iter().flat_map(|&piece| &cut.pieces[piece]) {
                self.surface.around(vertex).iter().for_each(|&t| *corners.entry(t).or_default() += 1);
            }
            for (&triangle, &count) in &corners {
                let [a, b, c] = self.surface.triangles[triangle as usize].map(|v| self.positions[v as usize]);
                area += 0.5 * (b - a).cross(c - a).length() * count.min(3) as f32 / 3.0;
            }
            corners.into_keys().collect()
        });
        (sides, area)
    }

    fn components(&self, number: usize, side: usize) -> [u32; 2] {
        let pair = self.contacts[number].pairs[0];
        [pair[side], pair[1 - side]].map(|triangle| self.surface.component[triangle as usize])
    }

    fn cut(&self, number: usize, side: usize) -> Option<&Cut> {
        self.cuts.get(&self.components(number, side))
    }

    /// Of another component everything; of the same one the body parts that are touched, and where these are the same
    /// on both sides only what is touched.
    fn other<'c>(&self, contact: &Contact, side: usize, triangles: &'c [u32]) -> Other<'c> {
        let cell = |t: &u32| self.surface.cell[*t as usize];
        let [own, other] =
            [side, 1 - side].map(|side| self.surface.component[contact.pairs[0][side] as usize]);
        if own != other {
            let cells = (0u32..).zip(&self.surface.cells).filter(|(_, cell)| cell.component == other);
            return Other::Cells(cells.map(|(number, _)| number).collect());
        }
        let mut cells: Vec<u32> = triangles.iter().map(cell).collect();
        cells.sort_unstable();
        cells.dedup();
        if contact.side(side).iter().any(|t| cells.binary_search(&cell(t)).is_ok()) {
            Other::Triangles(self.touched(triangles))
        } else {
            Other::Cells(cells)
        }
    }

    fn reach(&self, piece: &[u32], other: &Other) -> f32 {
        self.farthest(piece.iter().map(|&v| self.positions[v as usize]), other)
    }

    /// The largest distance of points from a surface; those beyond its rim do not count.
    fn farthest(&self, points: impl Iterator<Item = Vec3>, other: &Other) -> f32 {
        let mut farthest_sq = 0.0f64;
        for point in points {
            farthest_sq = match other {
                Other::Cells(cells) => self.farther(point, cells, farthest_sq),
                Other::Triangles(touched) => self.farther_from(point, touched, farthest_sq),
            };
        }
        farthest_sq.sqrt() as f32
    }

    fn farther(&self, point: Vec3, cells: &[u32], farthest_sq: f64) -> f64 {
        let (mut best_sq, mut best) = (f64::INFINITY, None);
        for &cell in cells {
            let tree = &self.trees[cell as usize];
            let posed = self.posed[cell as usize].get_or_init(|| tree.posed(self.positions));
            if let Some(nearest) = tree.nearer(posed, self.positions, point, best_sq, farthest_sq) {
                (best_sq, best) = (nearest.distance_sq, Some((tree, nearest)));
                if best_sq <= farthest_sq {
                    return farthest_sq;
                }
            }
        }
        match best {
            Some((tree, nearest)) if !tree.is_on_rim(&nearest, cells) => best_sq,
            _ => farthest_sq,
        }
    }

    fn touched<'c>(&self, triangles: &'c [u32]) -> Touched<'c> {
        let mut border = BTreeSet::new();
        for &triangle in triangles {
            let [a, b, c] = self.surface.triangles[triangle as usize];
            for edge in [[a, b], [b, c], [c, a]].map(|[a, b]| [a.min(b), a.max(b)]) {
                // An edge in the middle comes twice.
                if !border.insert(edge) {
                    border.remove(&edge);
                }
            }
        }
        let border_vertices = border.iter().flatten().copied().collect();
        Touched { triangles, border, border_vertices }
    }

    fn farther_from(&self, point: Vec3, touched: &Touched, farthest_sq: f64) -> f64 {
        let (mut best_sq, mut is_on_border) = (f64::INFINITY, false);
        for &triangle in touched.triangles {
            let corners = self.surface.triangles[triangle as usize];
            let found = closest_point_of_triangle(point, &corners.map(|v| self.positions[v as usize]));
            if found.distance_sq < best_sq {
                best_sq = found.distance_sq;
                let at: Vec<u32> =
                    (0..3).filter(|&i| found.barycentrics[i] != 0.0).map(|i| corners[i]).collect();
                is_on_border = match at[..] {
                    [vertex] => touched.border_vertices.contains(&vertex),
                    [a, b] => touched.border.contains(&[a.min(b), a.max(b)]),
                    _ => false,
                };
            }
        }
        if is_on_border { farthest_sq } else { farthest_sq.max(best_sq) }
    }

    /// How far the nearer end of an edge is from the plane of a triangle.
    fn nearer_end(&self, edge: [u32; 2], by: u32) -> f32 {
        let [a, b, c] = self.surface.triangles[by as usize].map(|v| self.positions[v as usize].as_dvec3());
        let normal = (b - a).cross(c - a).normalize_or_zero();
        let height = edge.map(|v| normal.dot(self.positions[v as usize].as_dvec3() - a).abs());
        height[0].min(height[1]) as f32
    }
}

/// The middles between neighbours.
fn middles(crossings: impl Iterator<Item = f32>) -> Vec<f32> {
    let mut at: Vec<f32> = crossings.collect();
    at.sort_by(f32::total_cmp);
    at.dedup();
    at.windows(2).map(|pair| 0.5 * (pair[0] + pair[1])).collect()
}
