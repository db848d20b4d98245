//! FCL, Bullet and Embree, which people know, through shims in C++ (`native/`).
//!
//! Behind the feature `native-peers`, so that nothing else needs a C++ compiler. The libraries are the system's packages as they
//! are shipped; shims are compiled with `-O3 -march=native`, and with them what the libraries have in headers: all of FCL. One
//! thread each. They give candidates, the exact test is ours.
#![allow(unsafe_code, reason = "calls into C++")]

mod rays;

use std::ffi::c_void;
use std::sync::Arc;

use glam::Vec3;
use supple::Model;
use supple::narrow::triangles_touch;

use super::Peer;
pub use rays::EmbreeRays;

/// A mesh as the shims read it. What is behind the pointers outlives the handle that is made of it.
#[repr(C)]
struct RawMesh {
    triangles: *const [u32; 3],
    triangle_count: usize,
    positions: *const Vec3,
    vertex_count: usize,
}

type Report = unsafe extern "C" fn(data: *mut c_void, a: u32, b: u32) -> bool;

/// The functions of a shim.
struct Library {
    name: &'static str,
    /// Whether its candidates are all that touch.
    exact: bool,
    make: unsafe extern "C" fn(*const RawMesh) -> *mut c_void,
    refit: unsafe extern "C" fn(*mut c_void),
    walk: unsafe extern "C" fn(*mut c_void, *mut c_void, Report, *mut c_void),
    free: unsafe extern "C" fn(*mut c_void),
}

/// Declares the functions of a shim, and makes a constant of them.
macro_rules! library {
    ($library:ident, $name:literal, $exact:literal, $make:ident, $refit:ident, $walk:ident, $free:ident) => {
        unsafe extern "C" {
            fn $make(mesh: *const RawMesh) -> *mut c_void;
            fn $refit(own: *mut c_void);
            fn $walk(a: *mut c_void, b: *mut c_void, report: Report, data: *mut c_void);
            fn $free(own: *mut c_void);
        }
        static $library: Library =
            Library { name: $name, exact: $exact, make: $make, refit: $refit, walk: $walk, free: $free };
    };
}

library!(FCL, "FCL, boxes", true, supple_fcl_make, supple_fcl_refit, supple_fcl_walk, supple_fcl_free);
library!(
    BULLET_QUANTISED,
    "Bullet, GImpact",
    false,
    supple_bullet_quantised_make,
    supple_bullet_quantised_refit,
    supple_bullet_quantised_walk,
    supple_bullet_quantised_free
);
library!(
    BULLET,
    "Bullet, GImpact without quantisation",
    false,
    supple_bullet_make,
    supple_bullet_refit,
    supple_bullet_walk,
    supple_bullet_free
);
library!(
    EMBREE,
    "Embree, rtcCollide",
    false,
    supple_embree_make,
    supple_embree_refit,
    supple_embree_walk,
    supple_embree_free
);

/// All of them, their trees built for a pose.
pub fn all(model: &Model, pose: &[Vec3]) -> Vec<Box<dyn Peer>> {
    let libraries = [&FCL, &BULLET_QUANTISED, &BULLET, &EMBREE];
    let triangles: Arc<[[u32; 3]]> = model.mesh().triangles().into();
    let peer = |library| Box::new(Native::new(library, &triangles, pose)) as Box<dyn Peer>;
    libraries.into_iter().map(peer).collect()
}

/// Positions that a shim reads, and triangles.
struct Shared {
    triangles: Arc<[[u32; 3]]>,
    /// One more than there are: Embree reads four floats at once.
    positions: Box<[Vec3]>,
}

impl Shared {
    fn new(triangles: &Arc<[[u32; 3]]>, pose: &[Vec3]) -> Self {
        let positions = pose.iter().copied().chain([Vec3::ZERO]).collect();
        Self { triangles: Arc::clone(triangles), positions }
    }

    fn raw(&self) -> RawMesh {
        RawMesh {
            triangles: self.triangles.as_ptr(),
            triangle_count: self.triangles.len(),
            positions: self.positions.as_ptr(),
            vertex_count: self.positions.len() - 1,
        }
    }

    fn take(&mut self, positions: &[Vec3]) {
        self.positions[..positions.len()].copy_from_slice(positions);
    }

    fn corners(&self, triangle: u32) -> [Vec3; 3] {
        self.triangles[triangle as usize].map(|v| self.positions[v as usize])
    }
}

/// Two instances of a library's mesh.
struct Native {
    library: &'static Library,
    handles: [*mut c_void; 2],
    meshes: [Shared; 2],
}

impl Native {
    fn new(library: &'static Library, triangles: &Arc<[[u32; 3]]>, pose: &[Vec3]) -> Self {
        let meshes = [0, 1].map(|_| Shared::new(triangles, pose));
        // SAFETY: what the mesh points to lives in boxes that outlive the handle, see `drop`.
        let handles = meshes.each_ref().map(|mesh| unsafe { (library.make)(&mesh.raw()) });
        Self { library, handles, meshes }
    }
}

impl Drop for Native {
    fn drop(&mut self) {
        // SAFETY: made in `new`, and not used again; the meshes are dropped afterwards.
        self.handles.iter().for_each(|&handle| unsafe { (self.library.free)(handle) });
    }
}

impl Peer for Native {
    fn name(&self) -> &'static str {
        self.library.name
    }

    fn exact(&self) -> bool {
        self.library.exact
    }

    fn refit(&mut self, positions: &[Vec<Vec3>; 2]) {
        for ((mesh, positions), &handle) in self.meshes.iter_mut().zip(positions).zip(&self.handles) {
            mesh.take(positions);
            // SAFETY: the handle is alive, and so is what it reads.
            unsafe { (self.library.refit)(handle) };
        }
    }

    fn walk(&self, stop_after: &mut dyn FnMut([u32; 2]) -> bool) {
        let mut walk = Walk { meshes: &self.meshes, stop_after };
        let data: *mut Walk<'_> = &mut walk;
        // SAFETY: the handles are alive; `data` is what `report` expects, and lives until the walk returns.
        unsafe { (self.library.walk)(self.handles[0], self.handles[1], report, data.cast()) };
    }
}

struct Walk<'w> {
    meshes: &'w [Shared; 2],
    stop_after: &'w mut dyn FnMut([u32; 2]) -> bool,
}

/// # Safety
/// `data` points to a [`Walk`] that nobody else uses.
unsafe extern "C" fn report(data: *mut c_void, a: u32, b: u32) -> bool {
    // SAFETY: see above.
    let walk = unsafe { &mut *data.cast::<Walk<'_>>() };
    let [mesh_a, mesh_b] = walk.meshes;
    triangles_touch(&mesh_a.corners(a), &mesh_b.corners(b)) && (walk.stop_after)([a, b])
}
