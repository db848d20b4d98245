//! Regular triangles on the implicit surface, with an exact number of vertices.
//!
//! In: a dense closed surface, the clay it came from, wanted edge lengths. Out: the surface with that many vertices.
//! Each round splits long edges, collapses short ones, flips edges towards six neighbours per vertex, moves vertices
//! within the surface to the middle of their neighbours and back onto the clay.
//!
//! Based on: Mario Botsch, Leif Kobbelt, A remeshing approach to multiresolution modeling, 2004, section 4.

use glam::DVec3;

use super::{Clay, Sizing, Surface};

/// Edges outside of these multiples of the wanted length are split or collapsed.
const LONG: f64 = 4.0 / 3.0;
const SHORT: f64 = 4.0 / 5.0;
/// Rounds that change the number of vertices, and rounds that only polish.
const ROUNDS: usize = 9;
const POLISH: usize = 6;

/// Remeshes until the surface has exactly `vertices` vertices; the base of the sizing is adapted to that number.
pub(crate) fn remesh(surface: &mut Surface, clay: &Clay, mut sizing: Sizing, vertices: usize) {
    for round in 0..ROUNDS {
        split_long(surface, &sizing);
        collapse_short(surface, &sizing);
        flip_to(surface, valence_gain);
        relax(surface, clay, &sizing);
        if round >= 2 {
            // The number of vertices falls with the square of the edge length.
            sizing.base *= (surface.vertex_count() as f64 / vertices as f64).sqrt().clamp(0.8, 1.25);
        }
    }
    adjust_count(surface, &sizing, vertices);
    for _ in 0..POLISH {
        flip_to(surface, angle_gain);
        relax(surface, clay, &sizing);
    }
    flip_to(surface, angle_gain);
}

fn split_long(surface: &mut Surface, sizing: &Sizing) {
    for h in 0..surface.half_edge_count() {
        if surface.is_first(h) && relative_length(surface, sizing, h) > LONG {
            surface.split(h, middle(surface, h));
        }
    }
}

fn collapse_short(surface: &mut Surface, sizing: &Sizing) {
    for h in 0..surface.half_edge_count() {
        if surface.is_first(h) && relative_length(surface, sizing, h) < SHORT {
            collapse_if_harmless(surface, sizing, h);
        }
    }
}

/// Collapses an edge unless that would fold the surface over or make a long edge.
fn collapse_if_harmless(surface: &mut Surface, sizing: &Sizing, h: u32) -> bool {
    if !surface.can_collapse(h) {
        return false;
    }
    let Some((u, v)) = surface.ends(h) else {
        return false;
    };
    let target = middle(surface, h);
    let reach = LONG * sizing.at(target);
    let stays_short =
        |n: u32| n == u || n == v || surface.positions[n as usize].distance_squared(target) < reach * reach;
    let ok = [u, v].iter().all(|&end| {
        surface.ring(end).all(stays_short)
            && surface.spokes(end).all(|e| keeps_side(surface, e, [u, v], target))
    });
    if ok {
        surface.collapse(h, target);
    }
    ok
}

/// Whether the triangle of spoke `e` keeps its side when its origin moves to `target`.
fn keeps_side(surface: &Surface, e: u32, ends: [u32; 2], target: DVec3) -> bool {
    let [a, b, c] = surface.triangle(e);
    if ends.contains(&b) || ends.contains(&c) {
        return true;
    }
    let [a, b, c] = [a, b, c].map(|i| surface.positions[i as usize]);
    let (before, after) = ((b - a).cross(c - a), (b - target).cross(c - target));
    // 0.3 is a turn by about 70 degrees.
    before.dot(after) > 0.3 * before.length() * after.length()
}

fn flip_to(surface: &mut Surface, gain: fn(&Surface, u32) -> f64) {
    for h in 0..surface.half_edge_count() {
        if surface.is_first(h) && surface.can_flip(h) && gain(surface, h) > 1e-9 && flip_is_flat(surface, h) {
            surface.flip(h);
        }
    }
}

/// How much nearer the four vertices get to six neighbours.
fn valence_gain(surface: &Surface, h: u32) -> f64 {
    let Some((u, v)) = surface.ends(h) else {
        return 0.0;
    };
    let (w, x) = surface.opposite(h);
    let off = |vertex: u32, change: f64| {
        let off = surface.valence(vertex) as f64 + change - 6.0;
        off * off
    };
    let before = off(u, 0.0) + off(v, 0.0) + off(w, 0.0) + off(x, 0.0);
    before - (off(u, -1.0) + off(v, -1.0) + off(w, 1.0) + off(x, 1.0))
}

/// How much the smallest angle of the two triangles grows, as the difference of cosines.
fn angle_gain(surface: &Surface, h: u32) -> f64 {
    let Some((u, v)) = surface.ends(h) else {
        return 0.0;
    };
    let (w, x) = surface.opposite(h);
    let [u, v, w, x] = [u, v, w, x].map(|i| surface.positions[i as usize]);
    let before = smallest_angle_cosine(u, v, w).max(smallest_angle_cosine(v, u, x));
    let after = smallest_angle_cosine(x, w, u).max(smallest_angle_cosine(w, x, v));
    before - after
}

fn smallest_angle_cosine(a: DVec3, b: DVec3, c: DVec3) -> f64 {
    let cosine = |p: DVec3, q: DVec3, r: DVec3| (q - p).normalize_or_zero().dot((r - p).normalize_or_zero());
    cosine(a, b, c).max(cosine(b, c, a)).max(cosine(c, a, b))
}

/// Whether the triangles after the flip look the same way as those before.
fn flip_is_flat(surface: &Surface, h: u32) -> bool {
    let Some((u, v)) = surface.ends(h) else {
        return false;
    };
    let (w, x) = surface.opposite(h);
    let [u, v, w, x] = [u, v, w, x].map(|i| surface.positions[i as usize]);
    let unit_normal = |a: DVec3, b: DVec3, c: DVec3| (b - a).cross(c - a).normalize_or_zero();
    let before = (unit_normal(u, v, w) + unit_normal(v, u, x)).normalize_or_zero();
    [unit_normal(x, w, u), unit_normal(w, x, v)].iter().all(|n| n.dot(before) > 0.6)
}

/// Moves every vertex towards the middle of its neighbours, within the surface.
fn relax(surface: &mut Surface, clay: &Clay, sizing: &Sizing) {
    let vertices: Vec<u32> = surface.vertices().collect();
    for v in vertices {
        let at = surface.positions[v as usize];
        let (sum, count) = surface
            .ring(v)
            .fold((DVec3::ZERO, 0.0), |(s, n), i| (s + surface.positions[i as usize], n + 1.0));
        let normal = clay.normal(at);
        let shift = sum / count - at;
        let moved = at + (shift - normal * shift.dot(normal)) * 0.7;
        surface.positions[v as usize] = clay.project(moved, 0.5 * sizing.at(at));
    }
}

/// Collapses the shortest or splits the longest edges until the number of vertices is right.
fn adjust_count(surface: &mut Surface, sizing: &Sizing, vertices: usize) {
    while surface.vertex_count() != vertices {
        let before = surface.vertex_count();
        let mut edges: Vec<(f64, u32)> = (0..surface.half_edge_count())
            .filter(|&h| surface.is_first(h))
            .map(|h| (relative_length(surface, sizing, h), h))
            .collect();
        edges.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        if before > vertices {
            for &(_, h) in edges.iter().take(before - vertices) {
                collapse_if_harmless(surface, sizing, h);
            }
        } else {
            for &(_, h) in edges.iter().rev().take(vertices - before) {
                surface.split(h, middle(surface, h));
            }
        }
        if surface.vertex_count() == before {
            // Nothing can be collapsed without harm; a surface this coarse is not asked for.
            break;
        }
    }
}

fn relative_length(surface: &Surface, sizing: &Sizing, h: u32) -> f64 {
    let Some((u, v)) = surface.ends(h) else {
        return 1.0;
    };
    let [u, v] = [u, v].map(|i| surface.positions[i as usize]);
    u.distance(v) / sizing.at((u + v) * 0.5)
}

fn middle(surface: &Surface, h: u32) -> DVec3 {
    let (u, v) = surface.ends(h).unwrap_or_default();
    (surface.positions[u as usize] + surface.positions[v as usize]) * 0.5
}
