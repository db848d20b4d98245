//! Reference bounds against the law and against the optimum, as the library's own bounds are.
//!
//! Based on: L. Kavan, Real-time Skeletal Animation, 2007, Tables 5.2 and 6.1 (radii per level).

use glam::Vec3;

use super::PosedReference;
use super::bounds::vertices_below;
use crate::math::{Aabb, smallest_enclosing_ball};
use crate::refit::{LevelTightness, Violation, VolumeKind};

/// Refits all nodes and compares them with the smallest ball or box of the posed vertices, one entry per level.
///
/// Comparable with [`tightness`](crate::refit::tightness) of a [`Body`](crate::Body) of the same shape in the same pose.
pub fn reference_tightness(posed: &PosedReference) -> Vec<LevelTightness> {
    let levels = posed.bounds().shape().tree().levels();
    levels.iter().map(|level| level_tightness(posed, level)).collect()
}

/// Refits all nodes and reports every vertex that lies outside a bound it should be in.
pub fn reference_violations(posed: &PosedReference) -> Vec<Violation> {
    let shape = posed.bounds().shape();
    let mut found = Vec::new();
    for node in 0..shape.node_count() {
        let bound = posed.refit(node);
        let outside =
            vertices_below(shape, node).into_iter().filter(|&v| !bound.contains(posed.positions()[v]));
        found.extend(outside.map(|vertex| Violation { node, vertex }));
    }
    found
}

fn level_tightness(posed: &PosedReference, level: &[usize]) -> LevelTightness {
    let mut result = LevelTightness::default();
    for &node in level {
        let optimal = optimal_size(posed, node);
        if optimal > 0.0 {
            let ratio = posed.refit(node).size() / optimal;
            result.nodes += 1;
            result.mean += ratio;
            result.worst = result.worst.max(ratio);
        }
    }
    result.mean /= result.nodes.max(1) as f64;
    result
}

fn optimal_size(posed: &PosedReference, node: usize) -> f64 {
    let vertices = vertices_below(posed.bounds().shape(), node);
    let points: Vec<Vec3> = vertices.iter().map(|&v| posed.positions()[v]).collect();
    match posed.method().volume() {
        VolumeKind::Ball => f64::from(smallest_enclosing_ball(&points).radius),
        VolumeKind::Box => {
            let aabb = Aabb::from_points(points);
            (aabb.max - aabb.min).as_dvec3().element_sum()
        }
    }
}
