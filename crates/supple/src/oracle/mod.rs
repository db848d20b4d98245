//! Brute force for the queries: all vertices posed, all pairs tested. Slow, simple, and what everything is compared with. Functions carry the
//! names of the queries they check; where a query has several forms, its oracle answers the most complete one.
//!
//! Must hold: uses neither tree, refit nor query. The [time of contact](crate::time_of_contact) has no oracle; tests compare it with
//! dense samples.

mod contacts;
mod distances;
mod self_contacts;
mod sphere_contacts;

pub use contacts::{cast_ray_all, collide, locate_point, overlap};
pub use distances::{closest_point, closest_points, pairs_within};
pub use self_contacts::self_collide_with;
pub use sphere_contacts::{sphere_contacts, sphere_plane_contacts, sphere_triangle_contacts};

use glam::Vec3;

use crate::math::Aabb;
use crate::mesh::Mesh;

/// A mesh with one posed position per vertex.
///
/// ```
/// use glam::Vec3;
/// use supple::Mesh;
/// use supple::oracle::{self, PosedMesh};
///
/// let mesh = Mesh::new(vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![[0, 1, 2]])?;
/// let raised: Vec<Vec3> = mesh.positions().iter().map(|p| p + Vec3::Z).collect();
/// let [a, b] = [PosedMesh::new(&mesh, mesh.positions()), PosedMesh::new(&mesh, &raised)];
/// assert!(oracle::collide(a, b).is_empty());
/// # Ok::<(), supple::MeshError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct PosedMesh<'a> {
    mesh: &'a Mesh,
    positions: &'a [Vec3],
}

impl<'a> PosedMesh<'a> {
    /// # Panics
    /// There is not one position per vertex.
    pub fn new(mesh: &'a Mesh, positions: &'a [Vec3]) -> Self {
        assert_eq!(positions.len(), mesh.positions().len(), "one position per vertex");
        Self { mesh, positions }
    }

    fn triangles(&self) -> Vec<(Aabb, [Vec3; 3])> {
        let posed = |t: &[u32; 3]| {
            let corners = t.map(|v| self.positions[v as usize]);
            (Aabb::from_points(corners), corners)
        };
        self.mesh.triangles().iter().map(posed).collect()
    }
}
