//! From a solid given by its signed distance to even triangles.
//!
//! In: a distance function, a box that contains the solid, a cell size, a number of triangles. Out: a closed surface of
//! that many triangles, oriented outwards, whose vertices lie on the solid's surface.
//! Must hold: nothing in the solid is thinner than about two cells. Only sums, products and square roots decide the
//! topology (as far as the distance function keeps to them), so that all machines make the same triangles.
//!
//! Surface nets find the topology with more triangles than wanted. Then, round by round, short edges collapse (the
//! flatter the surface, the sooner), edges are flipped where that opens the smallest angle, and vertices slide within the surface to the middle of their
//! neighbours.
//!
//! Based on: S. Gibson, Constrained Elastic Surface Nets, 1998, section 2, through the crate `fast-surface-nets`.

use fast_surface_nets::ndshape::{RuntimeShape, Shape};
use fast_surface_nets::{SurfaceNetsBuffer, surface_nets};
use glam::{DVec3, Vec3};

use crate::sculpt::Surface;

/// How many grids are tried.
const GRIDS: u32 = 6;

/// Rounds of sliding at the end; after 12 the angles hardly change.
const POLISH: usize = 12;

/// Vertices that go in one round of collapses, at most: few enough that the flips keep up.
const SHARE_PER_ROUND: f64 = 0.12;

/// Meshes the solid; `None` if it touches the box, has details finer than the cells, or cannot be made that coarse.
pub(crate) fn isosurface(
    distance: &impl Fn(DVec3) -> f64,
    bounds: [DVec3; 2],
    cell: f64,
    triangle_count: usize,
) -> Option<(Vec<Vec3>, Vec<[u32; 3]>)> {
    // Where two sheets of the surface run through one cell the first mesh is not manifold; a shifted grid mends that.
    let (mut surface, dense_count) = (0..GRIDS).find_map(|grid| {
        let shift = DVec3::new(0.37, 0.21, 0.29) * (cell * f64::from(grid));
        let (positions, triangles) = dense_mesh(distance, bounds.map(|corner| corner - shift), cell);
        Surface::new(positions, &triangles).map(|surface| (surface, triangles.len()))
    })?;
    // A collapse takes one vertex and two triangles.
    let surplus = dense_count.checked_sub(triangle_count)?.div_ceil(2);
    let wanted = surface.vertex_count() - surplus;
    let mut normals = slide(&mut surface, distance, cell);
    while surface.vertex_count() > wanted {
        let before = surface.vertex_count();
        let share = (before as f64 * SHARE_PER_ROUND) as usize;
        collapse_cheapest(&mut surface, &normals, share.clamp(1, before - wanted));
        flip(&mut surface);
        normals = slide(&mut surface, distance, cell);
        if surface.vertex_count() == before {
            return None;
        }
    }
    for _ in 0..POLISH {
        flip(&mut surface);
        slide(&mut surface, distance, cell);
    }
    let (positions, triangles) = surface.into_mesh();
    Some((positions.iter().map(|p| p.as_vec3()).collect(), triangles))
}

fn dense_mesh(
    distance: &impl Fn(DVec3) -> f64,
    [min, max]: [DVec3; 2],
    cell: f64,
) -> (Vec<DVec3>, Vec<[u32; 3]>) {
    let samples = ((max - min) / cell).to_array().map(|n| n.ceil() as u32 + 1);
    let shape = RuntimeShape::<u32, 3>::new(samples);
    let at = |[x, y, z]: [u32; 3]| min + DVec3::new(x.into(), y.into(), z.into()) * cell;
    let field = sample(&shape, |cell| distance(at(cell)), cell);
    let mut net = SurfaceNetsBuffer::default();
    surface_nets(&field, &shape, [0; 3], samples.map(|n| n - 1), &mut net);
    let positions = net.positions.iter().map(|p| min + Vec3::from_array(*p).as_dvec3() * cell).collect();
    let (triangles, _) = net.indices.as_chunks::<3>();
    (positions, triangles.to_vec())
}

/// Distances at all grid points; blocks that the surface cannot reach are filled with the one of their center.
fn sample(shape: &RuntimeShape<u32, 3>, distance: impl Fn([u32; 3]) -> f64, cell: f64) -> Vec<f32> {
    const BLOCK: u32 = 6;
    // Half the diagonal of a block, times 2 because distances are estimates.
    let reach = 3f64.sqrt() * f64::from(BLOCK) * cell;
    let samples = shape.as_array();
    let mut field = vec![0.0; shape.usize()];
    let starts = |axis: usize| (0..samples[axis]).step_by(BLOCK as usize);
    for (z, y, x) in starts(2).flat_map(|z| starts(1).flat_map(move |y| starts(0).map(move |x| (z, y, x)))) {
        let center = distance([x, y, z].map(|start| start + BLOCK / 2));
        let ends = [0, 1, 2].map(|axis| ([x, y, z][axis] + BLOCK).min(samples[axis]));
        for (k, j, i) in
            (z..ends[2]).flat_map(|k| (y..ends[1]).flat_map(move |j| (x..ends[0]).map(move |i| (k, j, i))))
        {
            let value = if center.abs() > reach { center } else { distance([i, j, k]) };
            field[shape.linearize([i, j, k]) as usize] = value as f32;
        }
    }
    field
}

/// Collapses up to `count` edges, cheapest first, none beside another of this round.
///
/// ```text
/// cost = length^2 (1 + BEND_COST (1 - cos(angle between the normals of the ends)))
/// ```
fn collapse_cheapest(surface: &mut Surface, normals: &[DVec3], count: usize) {
    /// Where the surface turns by 60 degrees, edges become half as long as where it is flat.
    const BEND_COST: f64 = 6.0;
    let mut edges: Vec<(f64, u32)> = (0..surface.half_edge_count())
        .filter(|&h| surface.is_first(h))
        .filter_map(|h| surface.ends(h).map(|(u, v)| (h, u as usize, v as usize)))
        .map(|(h, u, v)| {
            let bend = 1.0 - normals[u].dot(normals[v]);
            (surface.positions[u].distance_squared(surface.positions[v]) * (1.0 + BEND_COST * bend), h)
        })
        .collect();
    edges.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let mut is_touched = vec![false; surface.positions.len()];
    let mut collapsed = 0;
    for (_, h) in edges {
        let Some((u, v)) = surface.ends(h) else { continue };
        if collapsed == count || is_touched[u as usize] || is_touched[v as usize] {
            continue;
        }
        let target = (surface.positions[u as usize] + surface.positions[v as usize]) * 0.5;
        if surface.can_collapse(h) && keeps_sides(surface, [u, v], target) {
            let around: Vec<u32> = surface.ring(u).chain(surface.ring(v)).collect();
            surface.collapse(h, target);
            around.into_iter().for_each(|n| is_touched[n as usize] = true);
            collapsed += 1;
        }
    }
}

/// Whether no triangle around the edge turns by more than about 60 degrees when both ends move to `target`.
fn keeps_sides(surface: &Surface, ends: [u32; 2], target: DVec3) -> bool {
    ends.iter().flat_map(|&end| surface.spokes(end)).all(|spoke| {
        let [a, b, c] = surface.triangle(spoke);
        if ends.contains(&b) || ends.contains(&c) {
            return true;
        }
        let [a, b, c] = [a, b, c].map(|i| surface.positions[i as usize]);
        let (before, after) = ((b - a).cross(c - a), (b - target).cross(c - target));
        before.dot(after) > 0.5 * before.length() * after.length()
    })
}

/// Moves every vertex towards the middle of its neighbours and onto the solid; returns unit normals.
fn slide(surface: &mut Surface, distance: &impl Fn(DVec3) -> f64, cell: f64) -> Vec<DVec3> {
    let mut normals = vec![DVec3::ZERO; surface.positions.len()];
    for v in surface.vertices().collect::<Vec<_>>() {
        let at = surface.positions[v as usize];
        let (sum, count) = surface
            .ring(v)
            .fold((DVec3::ZERO, 0.0), |(s, n), i| (s + surface.positions[i as usize], n + 1.0));
        let gradient = gradient(distance, at);
        let normal = gradient.normalize_or_zero();
        let shift = sum / count - at;
        let slid = at + (shift - normal * shift.dot(normal)) * 0.6;
        // One Newton step; the rounds add up to many.
        let step = gradient * (distance(slid) / gradient.length_squared().max(0.1));
        surface.positions[v as usize] = slid - step.clamp_length_max(cell);
        normals[v as usize] = normal;
    }
    normals
}

/// Slopes along the four axes of a tetrahedron, which add up to the gradient: two evaluations fewer than along x, y, z.
fn gradient(distance: &impl Fn(DVec3) -> f64, p: DVec3) -> DVec3 {
    // Small against every radius, large against rounding.
    const STEP: f64 = 1e-5;
    const AXES: [DVec3; 4] = [
        DVec3::new(1.0, -1.0, -1.0),
        DVec3::new(-1.0, -1.0, 1.0),
        DVec3::new(-1.0, 1.0, -1.0),
        DVec3::new(1.0, 1.0, 1.0),
    ];
    AXES.iter().map(|&axis| axis * distance(p + axis * STEP)).sum::<DVec3>() / (4.0 * STEP)
}

/// Flips edges whose opposite angles sum to more than 180 degrees, unless the surface is bent there.
fn flip(surface: &mut Surface) {
    for h in 0..surface.half_edge_count() {
        let Some((u, v)) = surface.ends(h).filter(|_| surface.is_first(h) && surface.can_flip(h)) else {
            continue;
        };
        let (w, x) = surface.opposite(h);
        let [u, v, w, x] = [u, v, w, x].map(|i| surface.positions[i as usize]);
        // sin(alpha + beta) < 0, where alpha and beta are the angles at w and x.
        let [p, q, r, t] = [u - w, v - w, u - x, v - x];
        let sine = p.cross(q).length() * r.dot(t) + p.dot(q) * r.cross(t).length();
        let scale = p.length() * q.length() * r.length() * t.length();
        let unit_normal = |a: DVec3, b: DVec3, c: DVec3| (b - a).cross(c - a).normalize_or_zero();
        let before = (unit_normal(u, v, w) + unit_normal(v, u, x)).normalize_or_zero();
        let is_flat = [unit_normal(x, w, u), unit_normal(w, x, v)].iter().all(|n| n.dot(before) > 0.8);
        if sine < -1e-3 * scale && is_flat {
            surface.flip(h);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use supple::mesh::edge_counts;

    fn ring(p: DVec3) -> f64 {
        let around = (p.x * p.x + p.z * p.z).sqrt() - 1.0;
        (around * around + p.y * p.y).sqrt() - 0.3
    }

    #[test]
    fn a_ring_has_the_wanted_triangles_on_its_surface() {
        let bounds = [DVec3::splat(-1.5), DVec3::splat(1.5)];
        let (positions, triangles) = isosurface(&ring, bounds, 0.1, 1_000).unwrap();
        // Genus 1: half as many vertices as triangles.
        assert_eq!((positions.len(), triangles.len()), (500, 1_000));
        let identity: Vec<u32> = (0..500).collect();
        let edges = edge_counts(&triangles, &identity);
        assert_eq!((edges.boundary, edges.manifold, edges.non_manifold), (0, 1_500, 0));
        assert!(positions.iter().all(|p| ring(p.as_dvec3()).abs() < 2e-3));
    }

    #[test]
    fn what_cannot_be_meshed_is_refused() {
        let bounds = [DVec3::splat(-1.5), DVec3::splat(1.5)];
        assert!(isosurface(&ring, bounds, 0.1, 1_000_000).is_none(), "more triangles than the grid gives");
        assert!(isosurface(&ring, [DVec3::ZERO, DVec3::splat(1.5)], 0.1, 100).is_none(), "cut by the box");
    }
}
