//! obvhs: a `Bvh2` refitted in one sweep. It asks about rays, points and boxes, so pairs of its nodes are walked here;
//! asking for the box of every triangle would visit the tree once per triangle. Its compressed tree cannot be refitted.

use std::time::Duration;

use glam::{Vec3, Vec3A};
use obvhs::BvhBuildParams;
use obvhs::aabb::Aabb;
use obvhs::bvh2::Bvh2;
use obvhs::bvh2::builder::build_bvh2;
use supple::Model;
use supple::narrow::triangles_touch;

use super::Peer;

/// Two trees with their triangles.
pub struct Obvhs {
    instances: [Instance; 2],
}

#[derive(Clone)]
struct Instance {
    tree: Bvh2,
    /// Corners, in the order of the tree.
    triangles: Vec<[u32; 3]>,
    /// Boxes, likewise.
    boxes: Vec<Aabb>,
    positions: Vec<Vec3>,
}

impl Obvhs {
    /// Trees that are built for a pose.
    pub fn new(model: &Model, pose: &[Vec3]) -> Self {
        let triangles = model.mesh().triangles();
        let boxes: Vec<Aabb> = triangles.iter().map(|t| bounds(t, pose)).collect();
        let mut tree = build_bvh2(&boxes, BvhBuildParams::medium_build(), &mut Duration::default());
        // Its refit is then one sweep.
        tree.reorder_in_stack_traversal_order();
        let triangles = tree.primitive_indices.iter().map(|&t| triangles[t as usize]).collect();
        let instance = Instance { tree, triangles, boxes, positions: pose.to_vec() };
        Self { instances: [instance.clone(), instance] }
    }
}

fn bounds(corners: &[u32; 3], positions: &[Vec3]) -> Aabb {
    Aabb::from_points(&corners.map(|v| Vec3A::from(positions[v as usize])))
}

impl Instance {
    fn refit(&mut self, positions: &[Vec3]) {
        self.positions.copy_from_slice(positions);
        for (to, corners) in self.boxes.iter_mut().zip(&self.triangles) {
            *to = bounds(corners, positions);
        }
        for node in self.tree.nodes.iter_mut().filter(|node| node.is_leaf()) {
            let first = node.first_index as usize;
            let own = &self.boxes[first..first + node.prim_count as usize];
            node.set_aabb(own.iter().fold(own[0], |sum, next| sum.union(next)));
        }
        self.tree.refit_all();
    }

    fn corners(&self, triangle: usize) -> [Vec3; 3] {
        self.triangles[triangle].map(|v| self.positions[v as usize])
    }
}

impl Peer for Obvhs {
    fn name(&self) -> &'static str {
        "obvhs"
    }

    fn refit(&mut self, positions: &[Vec<Vec3>; 2]) {
        for (instance, positions) in self.instances.iter_mut().zip(positions) {
            instance.refit(positions);
        }
    }

    fn walk(&self, stop_after: &mut dyn FnMut([u32; 2]) -> bool) {
        let [a, b] = &self.instances;
        let mut open = vec![(0, 0)];
        while let Some((i, j)) = open.pop() {
            let (m, n) = (&a.tree.nodes[i as usize], &b.tree.nodes[j as usize]);
            if !m.aabb().intersect_aabb(n.aabb()) {
                continue;
            }
            if m.is_leaf() && n.is_leaf() {
                if leaves(a, b, [m.first_index, m.prim_count], [n.first_index, n.prim_count], stop_after) {
                    return;
                }
            } else if n.is_leaf() || (!m.is_leaf() && m.aabb().half_area() >= n.aabb().half_area()) {
                open.extend([(m.first_index + 1, j), (m.first_index, j)]);
            } else {
                open.extend([(i, n.first_index + 1), (i, n.first_index)]);
            }
        }
    }
}

/// Tests the triangles of two leaves, given as first and count; says whether to stop.
fn leaves(
    a: &Instance,
    b: &Instance,
    of_a: [u32; 2],
    of_b: [u32; 2],
    stop_after: &mut dyn FnMut([u32; 2]) -> bool,
) -> bool {
    let range = |[first, count]: [u32; 2]| first as usize..(first + count) as usize;
    for s in range(of_a) {
        for t in range(of_b) {
            if a.boxes[s].intersect_aabb(&b.boxes[t])
                && triangles_touch(&a.corners(s), &b.corners(t))
                && stop_after([a.tree.primitive_indices[s], b.tree.primitive_indices[t]])
            {
                return true;
            }
        }
    }
    false
}
