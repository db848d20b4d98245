//! parry3d: `TriMesh::set_vertices`, and both trees walked by its iterator over pairs of leaves.

use glam::Vec3;
use parry3d::math::Vector;
use parry3d::shape::TriMesh;
use supple::Model;
use supple::narrow::triangles_touch;

use super::Peer;

/// Two meshes.
pub struct Parry {
    meshes: [TriMesh; 2],
    vertices: Vec<Vector>,
}

impl Parry {
    /// Meshes whose trees are built for a pose.
    pub fn new(model: &Model, pose: &[Vec3]) -> Self {
        let vertices: Vec<Vector> = pose.iter().map(|p| Vector::from_array(p.to_array())).collect();
        let mesh =
            TriMesh::new(vertices.clone(), model.mesh().triangles().to_vec()).expect("it has triangles");
        Self { meshes: [mesh.clone(), mesh], vertices }
    }
}

impl Peer for Parry {
    fn name(&self) -> &'static str {
        "parry3d"
    }

    fn refit(&mut self, positions: &[Vec<Vec3>; 2]) {
        for (mesh, positions) in self.meshes.iter_mut().zip(positions) {
            for (to, from) in self.vertices.iter_mut().zip(positions) {
                *to = Vector::from_array(from.to_array());
            }
            mesh.set_vertices(&self.vertices);
        }
    }

    fn walk(&self, stop_after: &mut dyn FnMut([u32; 2]) -> bool) {
        let [a, b] = &self.meshes;
        let corners = |mesh: &TriMesh, triangle: u32| {
            mesh.indices()[triangle as usize]
                .map(|v| Vec3::from_array(mesh.vertices()[v as usize].to_array()))
        };
        for (i, j) in a.bvh().leaf_pairs(b.bvh(), |m, n| m.intersects(n)) {
            if triangles_touch(&corners(a, i), &corners(b, j)) && stop_after([i, j]) {
                return;
            }
        }
    }
}
