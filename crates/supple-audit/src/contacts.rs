//! Contacts: intersecting pairs of triangles that hang together.
//!
//! In: all intersecting pairs of a pose. Out: the pairs of every curve along which two surfaces cross, each with the triangle of
//! one side first. Two pairs belong to one contact if their triangles are the same or share a vertex, on both sides.

use std::collections::BTreeMap;

use crate::surface::Surface;

/// Pairs of triangles that hang together; the triangle of one side first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contact {
    pub pairs: Vec<[u32; 2]>,
}

impl Contact {
    /// The triangles of a side, ascending.
    pub fn side(&self, side: usize) -> Vec<u32> {
        let mut triangles: Vec<u32> = self.pairs.iter().map(|pair| pair[side]).collect();
        triangles.sort_unstable();
        triangles.dedup();
        triangles
    }

    /// With the sides exchanged.
    pub fn swapped(mut self) -> Self {
        self.pairs.iter_mut().for_each(|pair| pair.reverse());
        self
    }
}

/// Splits pairs, which ascend, into contacts; in the order of their first pairs.
pub fn contacts(surface: &Surface, pairs: &[[u32; 2]]) -> Vec<Contact> {
    let mut of_triangle: Vec<(u32, u32)> =
        (0u32..).zip(pairs).flat_map(|(number, &[a, b])| [(a, number), (b, number)]).collect();
    of_triangle.sort_unstable();
    let pairs_of = |triangle: u32| {
        let from = of_triangle.partition_point(|&(t, _)| t < triangle);
        of_triangle[from..].iter().take_while(move |&&(t, _)| t == triangle).map(|&(_, number)| number)
    };
    // Of the triangles near one, those that are in a pair at all.
    let mut near_each: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    let (mut is_taken, mut found) = (vec![false; pairs.len()], Vec::new());
    for first in 0..pairs.len() {
        if is_taken[first] {
            continue;
        }
        is_taken[first] = true;
        let mut contact = Contact { pairs: vec![pairs[first]] };
        let mut next = 0;
        while let Some(&[a, b]) = contact.pairs.get(next) {
            next += 1;
            let near = near_each.entry(a).or_insert_with(|| {
                let mut near = near_triangles(surface, a);
                near.retain(|&near| pairs_of(near).next().is_some());
                near
            });
            for &near in near.iter() {
                for number in pairs_of(near) {
                    let [one, other] = pairs[number as usize];
                    let partner = if one == near { other } else { one };
                    if !is_taken[number as usize] && surface.touch(partner, b) {
                        is_taken[number as usize] = true;
                        contact.pairs.push([near, partner]);
                    }
                }
            }
        }
        found.push(contact);
    }
    found
}

/// A triangle and those that share a vertex with it, ascending.
fn near_triangles(surface: &Surface, triangle: u32) -> Vec<u32> {
    let corners = surface.triangles[triangle as usize];
    let mut near: Vec<u32> = corners.iter().flat_map(|&v| surface.around(v)).copied().collect();
    near.sort_unstable();
    near.dedup();
    near
}
