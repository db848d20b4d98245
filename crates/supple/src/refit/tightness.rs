//! How tight refitted bounds are: against the smallest box and ball of the posed vertices, level by level.
//!
//! Based on: L. Kavan, Real-time Skeletal Animation, 2007, Tables 5.2 and 6.1 (ratio of radii per level).

use glam::Vec3;

use super::{Body, VolumeKind};
use crate::math::{Aabb, Sphere, smallest_enclosing_ball};
use crate::query_stats::QueryStats;

/// Ratios of one level of a tree.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LevelTightness {
    /// Nodes of the level that are larger than a point.
    pub nodes: usize,
    /// Mean ratio of the refitted size to the optimal one: radii for balls, sums of extents for boxes.
    pub mean: f64,
    /// Largest ratio.
    pub worst: f64,
}

/// Refits all nodes of a body in its current pose and compares them with the optimum, one entry per level.
pub fn tightness(body: &mut Body, volume: VolumeKind) -> Vec<LevelTightness> {
    let positions = body.positions();
    let levels = body.tree().levels();
    let mut stats = QueryStats::default();
    match volume {
        VolumeKind::Box => body.refit_root::<Aabb>(&mut stats),
        VolumeKind::Ball => body.refit_root::<Sphere>(&mut stats),
    }
    levels.iter().map(|level| level_tightness(body, volume, &positions, level)).collect()
}

fn level_tightness(
    body: &mut Body,
    volume: VolumeKind,
    positions: &[Vec3],
    level: &[usize],
) -> LevelTightness {
    let mut stats = QueryStats::default();
    let mut result = LevelTightness::default();
    for &node in level {
        let below = body.tree().triangles_below(node);
        let corners = body.tree().corners[below].as_flattened();
        let points: Vec<Vec3> = corners.iter().map(|&v| positions[v as usize]).collect();
        let inner = !body.tree().nodes[node].is_leaf();
        let (refitted, optimal) = match volume {
            VolumeKind::Box => {
                let extents = |aabb: &Aabb| (aabb.max - aabb.min).as_dvec3().element_sum();
                if inner {
                    body.refit_children::<Aabb>(node, &mut stats);
                }
                (extents(body.bound::<Aabb>(node)), extents(&Aabb::from_points(points)))
            }
            VolumeKind::Ball => {
                if inner {
                    body.refit_children::<Sphere>(node, &mut stats);
                }
                let optimal = smallest_enclosing_ball(&points).radius;
                (f64::from(body.bound::<Sphere>(node).radius), f64::from(optimal))
            }
        };
        if optimal > 0.0 {
            result.nodes += 1;
            result.mean += refitted / optimal;
            result.worst = result.worst.max(refitted / optimal);
        }
    }
    result.mean /= result.nodes.max(1) as f64;
    result
}
