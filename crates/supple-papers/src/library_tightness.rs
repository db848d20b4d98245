//! How tight the library's own bounds are: against the smallest box and sphere of the posed vertices, level by level.
//!
//! In: a body of the library in a pose. Out: ratios of refitted sizes to the smallest possible ones.
//!
//! Based on: L. Kavan, Real-time Skeletal Animation, 2007, Tables 5.2 and 6.1 (ratio of radii per level).

use std::collections::BTreeSet;

use glam::Vec3;
use supple::math::smallest_enclosing_sphere;
use supple::{Aabb, Body, NodeId, VolumeKind};

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
pub fn library_tightness(body: &mut Body, volume: VolumeKind) -> Vec<LevelTightness> {
    let positions = body.positions();
    let (mut levels, mut above) = (Vec::new(), BTreeSet::new());
    for level in 0.. {
        // Leaves above a level are pieces of it as well; they were looked at before.
        let pieces: Vec<_> =
            body.pieces(level).into_iter().filter(|piece| above.insert(piece.node)).collect();
        if pieces.is_empty() {
            break;
        }
        let mut ratios = LevelTightness::default();
        for piece in pieces {
            let triangles = body.shape().model().mesh().triangles();
            let corners = piece.triangles.iter().flat_map(|&triangle| triangles[triangle as usize]);
            let points: Vec<Vec3> = corners.map(|vertex| positions[vertex as usize]).collect();
            let [refitted, optimal] = sizes(body, piece.node, volume, &points);
            if optimal > 0.0 {
                ratios.nodes += 1;
                ratios.mean += refitted / optimal;
                ratios.worst = ratios.worst.max(refitted / optimal);
            }
        }
        ratios.mean /= ratios.nodes.max(1) as f64;
        levels.push(ratios);
    }
    levels
}

/// The size of a node's volume, and of the smallest one around its points.
fn sizes(body: &mut Body, node: NodeId, volume: VolumeKind, points: &[Vec3]) -> [f64; 2] {
    let extents = |aabb: Aabb| (aabb.max - aabb.min).as_dvec3().element_sum();
    const KNOWN: &str = "pieces are nodes";
    match volume {
        VolumeKind::Box => {
            [extents(body.node_box(node).expect(KNOWN)), extents(Aabb::from_points(points.iter().copied()))]
        }
        VolumeKind::Sphere => [
            f64::from(body.node_sphere(node).expect(KNOWN).radius),
            f64::from(smallest_enclosing_sphere(points).radius),
        ],
    }
}
