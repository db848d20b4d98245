//! How tight refitted bounds are: against the smallest box and sphere of the posed vertices, level by level.
//!
//! Based on: L. Kavan, Real-time Skeletal Animation, 2007, Tables 5.2 and 6.1 (ratio of radii per level).

use glam::Vec3;

use super::{Body, EightVolumes, Volume, VolumeKind};
use crate::answer::QueryStats;
use crate::math::{Aabb, Sphere, smallest_enclosing_sphere};

/// Ratios of one level of a tree.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LevelTightness {
    /// Nodes of the level that are larger than a point.
    pub nodes: usize,
    /// Mean ratio of the refitted size to the optimal one: radii for spheres, sums of extents for boxes.
    pub mean: f64,
    /// Largest ratio.
    pub worst: f64,
}

/// Refits all nodes of a body in its current pose and compares them with the optimum, one entry per level.
pub fn tightness(body: &mut Body, volume: VolumeKind) -> Vec<LevelTightness> {
    let positions = body.positions();
    match volume {
        VolumeKind::Box => {
            let extents = |aabb: &Aabb| (aabb.max - aabb.min).as_dvec3().element_sum();
            ratios::<Aabb>(body, &positions, |found, points| {
                (extents(found), extents(&Aabb::from_points(points.iter().copied())))
            })
        }
        VolumeKind::Sphere => ratios::<Sphere>(body, &positions, |found, points| {
            (f64::from(found.radius), f64::from(smallest_enclosing_sphere(points).radius))
        }),
    }
}

/// `sizes` gives the size of a volume, and that of the smallest one around points.
fn ratios<V: Volume>(
    body: &mut Body,
    positions: &[Vec3],
    sizes: impl Fn(&V, &[Vec3]) -> (f64, f64),
) -> Vec<LevelTightness> {
    let mut stats = QueryStats::default();
    let mut levels = Vec::new();
    let mut parents = vec![body.above_root()];
    while !parents.is_empty() {
        let mut level = LevelTightness::default();
        let mut next = Vec::new();
        for parent in parents {
            let entry = body.children::<V>(parent, &mut stats);
            let tree = body.tree();
            for (lane, node) in tree.children(parent).enumerate() {
                let triangles = tree.triangles[tree.triangles_below(node)].iter();
                let corners = triangles.flat_map(|&t| body.model().mesh().triangles()[t as usize]);
                let points: Vec<Vec3> = corners.map(|v| positions[v as usize]).collect();
                let (refitted, optimal) = sizes(&body.bounds::<V>(entry).bounds.get(lane), &points);
                if optimal > 0.0 {
                    level.nodes += 1;
                    level.mean += refitted / optimal;
                    level.worst = level.worst.max(refitted / optimal);
                }
                if !tree.nodes[node].is_leaf() {
                    next.push(node);
                }
            }
        }
        level.mean /= level.nodes.max(1) as f64;
        levels.push(level);
        parents = next;
    }
    levels
}
