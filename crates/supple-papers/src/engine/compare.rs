//! Reference volumes against the law and against the optimum, as the library's own bounds are.
//!
//! Based on: L. Kavan, Real-time Skeletal Animation, 2007, Tables 5.2 and 6.1 (radii per level).

use std::sync::Arc;

use glam::DVec3;

use super::{Body, Volume};
use crate::LevelTightness;
use supple::refit::Violation;
use supple::{NodeId, QueryStats};

/// Refits all nodes and compares them with the smallest volume of the posed vertices, one entry per level.
///
/// Comparable with [`library_tightness`](crate::library_tightness) of a [`Body`](supple::Body) of the same shape in the same pose, if the tree is
/// that shape's.
pub fn tightness<V: Volume>(body: &mut Body<V>) -> Vec<LevelTightness> {
    let levels = body.tree_of_pose(&mut QueryStats::default()).levels();
    levels.iter().map(|level| level_tightness(body, level)).collect()
}

/// Refits all nodes and reports every vertex that lies outside a volume it should be in.
pub fn violations<V: Volume>(body: &mut Body<V>) -> Vec<Violation> {
    let (model, into_frame) = (Arc::clone(body.shape().model()), body.frame().inverse());
    let mut stats = QueryStats::default();
    let vertices = 0..model.mesh().positions().len();
    let posed: Vec<DVec3> = vertices
        .map(|vertex| into_frame.transform_point3(body.vertex(vertex, &mut stats).as_dvec3()))
        .collect();
    let mut found = Vec::new();
    let tree = body.tree_of_pose(&mut stats);
    for node in 0..tree.nodes().len() {
        let volume = body.volume(node, false, &mut stats);
        let below = tree.vertices_below(node, model.mesh().triangles()).into_iter();
        let outside = below.filter(|&vertex| !volume.contains(posed[vertex]));
        found.extend(outside.map(|vertex| Violation { node: NodeId(node as u32), vertex: vertex as u32 }));
    }
    found
}

fn level_tightness<V: Volume>(body: &mut Body<V>, level: &[usize]) -> LevelTightness {
    let (tree, model) = (Arc::clone(body.tree()), Arc::clone(body.shape().model()));
    let mut result = LevelTightness::default();
    for &node in level {
        let below = tree.vertices_below(node, model.mesh().triangles());
        let points: Vec<DVec3> = below.iter().map(|&vertex| body.points()[vertex]).collect();
        let optimal = V::smallest(&points).size();
        if optimal > 0.0 {
            let ratio = body.volume(node, false, &mut QueryStats::default()).size() / optimal;
            result.nodes += 1;
            result.mean += ratio;
            result.worst = result.worst.max(ratio);
        }
    }
    result.mean /= result.nodes.max(1) as f64;
    result
}
