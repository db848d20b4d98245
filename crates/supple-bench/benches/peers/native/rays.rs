//! Embree's rays. Its triangle test is inexact, and which of two triangles at an edge is hit is left to chance.

use std::ffi::c_void;

use glam::Vec3;
use supple::{Model, Ray};

use super::{RawMesh, Shared};

unsafe extern "C" {
    fn supple_embree_rays_make(mesh: *const RawMesh) -> *mut c_void;
    fn supple_embree_rays_refit(own: *mut c_void);
    fn supple_embree_rays_cast(own: *mut c_void, rays: *const [Vec3; 2], count: usize, hits: *mut u32);
    fn supple_embree_rays_free(own: *mut c_void);
}

/// A scene of one character.
pub struct EmbreeRays {
    handle: *mut c_void,
    mesh: Shared,
    rays: Vec<[Vec3; 2]>,
    hits: Vec<u32>,
}

impl EmbreeRays {
    /// Built for a pose.
    pub fn new(model: &Model, pose: &[Vec3]) -> Self {
        let mesh = Shared::new(&model.mesh().triangles().into(), pose);
        // SAFETY: what the mesh points to lives in boxes that outlive the handle, see `drop`.
        let handle = unsafe { supple_embree_rays_make(&mesh.raw()) };
        Self { handle, mesh, rays: Vec::new(), hits: Vec::new() }
    }

    /// Takes posed positions.
    pub fn refit(&mut self, positions: &[Vec3]) {
        self.mesh.take(positions);
        // SAFETY: the handle is alive, and so is what it reads.
        unsafe { supple_embree_rays_refit(self.handle) };
    }

    /// Triangles of the first hits.
    pub fn cast(&mut self, rays: &[Ray]) -> impl Iterator<Item = Option<u32>> {
        self.rays.clear();
        self.rays.extend(rays.iter().map(|ray| [ray.origin(), ray.direction()]));
        self.hits.resize(rays.len(), 0);
        // SAFETY: the handle is alive; there are as many hits as rays.
        unsafe {
            supple_embree_rays_cast(self.handle, self.rays.as_ptr(), rays.len(), self.hits.as_mut_ptr());
        }
        self.hits.iter().map(|&hit| (hit != u32::MAX).then_some(hit))
    }
}

impl Drop for EmbreeRays {
    fn drop(&mut self) {
        // SAFETY: made in `new`, and not used again; the mesh is dropped afterwards.
        unsafe { supple_embree_rays_free(self.handle) };
    }
}
