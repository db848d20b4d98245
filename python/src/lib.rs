//! supple for Python: the compiled module `supple._native`. The package beside it (`python/supple`) gives its names to users.
//!
//! In: numbers, sequences, numpy arrays. Out: numpy arrays, small objects, exceptions in words.
//! Must hold: other threads of Python go on while questions are answered; whatever comes in, the interpreter goes on.

mod threads;
mod failure;
mod arguments;
mod arrays;
mod model_arrays;
mod model;
mod load;
mod shape;
mod matrices;
mod stats;
mod body;
mod ask;
mod pairs;
mod rays;
mod points;
mod probes;
mod motion;
mod scene;
mod many;
mod oracle;
mod audit;
mod given;

use pyo3::prelude::*;

/// The compiled part of supple.
#[pymodule]
mod _native {
    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::body::PyBody;
    #[pymodule_export]
    use crate::failure::{_panic, InternalError};
    #[pymodule_export]
    use crate::load::{load, other_files, zoo, zoo_names};
    #[pymodule_export]
    use crate::many::{Ragged, collide_many, self_collide_many, vertices_many};
    #[pymodule_export]
    use crate::model::{_model_from_bytes, PyModel};
    #[pymodule_export]
    use crate::motion::{PyMotion, PyPoseHistory, PyTimedContact, time_of_contact};
    #[pymodule_export]
    use crate::oracle::{oracle_cast_ray_all, oracle_collide, oracle_overlap, oracle_self_collide};
    #[pymodule_export]
    use crate::pairs::{
        Pairs, PyContactDetails, PyContactSide, PyTriangleClasses, collide, collide_any, collide_any_near,
        collide_with, contact_details, self_collide, self_collide_between, self_collide_with,
    };
    #[pymodule_export]
    use crate::points::{
        NearPairs, PointLocations, PyNearPair, PyPointLocation, PySurfacePoint, SurfacePoints, closest_point,
        closest_point_many, closest_points, locate_point, locate_point_many, pairs_within,
    };
    #[pymodule_export]
    use crate::probes::{
        PyProbe, SphereContacts, overlap, overlap_any, sphere_contacts, sphere_plane_contacts,
        sphere_triangle_contacts,
    };
    #[pymodule_export]
    use crate::rays::{
        PyRayHit, PyRayHitDetails, RayHits, cast_ray, cast_ray_all, cast_ray_any, cast_rays, ray_hit_details,
    };
    #[pymodule_export]
    use crate::scene::PyScene;
    #[pymodule_export]
    use crate::shape::PyShape;
    #[pymodule_export]
    use crate::stats::Stats;

    #[pymodule_export]
    use crate::threads::_work_alone;

    #[pymodule_export]
    use crate::audit::{PyAuditor, PyReport};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        crate::threads::remember_process();
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
