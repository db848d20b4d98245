//! What touches within one body.

use std::collections::HashSet;

use glam::Vec3;

use super::PosedMesh;
use crate::answer::Pair;
use crate::model::{Model, SelfFilter};
use crate::narrow::triangles_touch;
use crate::pose::JointId;

/// All pairs of triangles of one posed model that touch, except those that the filter leaves out; ascending, the smaller
/// triangle first. Joints out of range leave nothing out.
///
/// # Panics
/// There is not one position per vertex.
pub fn self_collide_with(model: &Model, positions: &[Vec3], filter: &SelfFilter) -> Vec<Pair> {
    let mesh = model.mesh();
    let (posed, welded) = (PosedMesh::new(mesh, positions).triangles(), model.welded_vertices());
    let corners = |t: u32| mesh.triangles()[t as usize].map(|vertex| welded[vertex as usize]);
    // Boxes in ascending order of their start: behind the first that starts after a box ends, none meets it.
    let mut order: Vec<u32> = (0..posed.len() as u32).collect();
    order.sort_by(|&i, &j| posed[i as usize].0.min.x.total_cmp(&posed[j as usize].0.min.x));
    let mut pairs = Vec::new();
    for (number, &i) in order.iter().enumerate() {
        let (box_i, triangle_i) = &posed[i as usize];
        for &j in &order[number + 1..] {
            let (box_j, triangle_j) = &posed[j as usize];
            if box_j.min.x > box_i.max.x {
                break;
            }
            let share = || corners(i).iter().any(|vertex| corners(j).contains(vertex));
            if box_i.intersects(box_j) && !share() && triangles_touch(triangle_i, triangle_j) {
                pairs.push([i.min(j), i.max(j)]);
            }
        }
    }
    pairs.sort_unstable();
    pairs.retain(|&[i, j]| !left_out_by_joints(model, filter, model.owning_joint(i), model.owning_joint(j)));
    let welded_triangles: Vec<[u32; 3]> = (0..posed.len() as u32).map(corners).collect();
    pairs.retain(|&[i, j]| !within_rings(&welded_triangles, filter.adjacent_rings, i, j));
    pairs
}

fn left_out_by_joints(model: &Model, filter: &SelfFilter, a: JointId, b: JointId) -> bool {
    let node = |joint: JointId| model.skeleton().joints()[joint.0 as usize].node;
    let is_parent = |parent: JointId, child: JointId| {
        let mut above = model.skeleton().nodes()[node(child)].parent;
        while let Some(ancestor) = above {
            if model.skeleton().joints().iter().any(|joint| joint.node == ancestor) {
                return ancestor == node(parent);
            }
            above = model.skeleton().nodes()[ancestor].parent;
        }
        false
    };
    filter.joint_pairs.iter().any(|&pair| pair == [a, b] || pair == [b, a])
        || (filter.same_joint && node(a) == node(b))
        || (filter.parent_and_child && (is_parent(a, b) || is_parent(b, a)))
}

/// Grows the corners of a triangle by the triangles around them, ring by ring, until they meet the other one.
fn within_rings(triangles: &[[u32; 3]], rings: u32, from: u32, to: u32) -> bool {
    let mut around: HashSet<u32> = triangles[from as usize].into_iter().collect();
    for _ in 0..rings {
        let before = around.clone();
        let touched = triangles.iter().filter(|corners| corners.iter().any(|v| before.contains(v)));
        around.extend(touched.flatten());
        if triangles[to as usize].iter().any(|vertex| around.contains(vertex)) {
            return true;
        }
        if around.len() == before.len() {
            return false;
        }
    }
    false
}
