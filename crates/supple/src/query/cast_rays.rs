//! Many rays on one body.
//!
//! Must hold: answers are those of one ray after the other, in the order of the rays, on any number of threads.

use super::QueryStats;
use super::cast_ray::cast_ray;
use crate::narrow::{Ray, RayHit, RayOptions};
use crate::refit::Body;

/// The first hit of each of many rays, see [`cast_ray`]. What one ray needs of the body is there for the next; from 200 rays on
/// all of it is kept until the last ray, which may take 100 bytes per triangle for that time.
///
/// ```
/// # use std::sync::Arc;
/// # use glam::Vec3;
/// # use supple::{Body, BuildOptions, Ray, RayOptions, Shape, Skinning, mesh::Mesh, model::Model};
/// # let mesh = Mesh::new(vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![[0, 1, 2]])?;
/// # let shape = Arc::new(Shape::build(Model::rigid(mesh), &BuildOptions::default())?);
/// # let mut body = Body::new(&shape, Skinning::Linear)?;
/// let down = |x| Ray::new(Vec3::new(x, 0.1, 1.0), Vec3::NEG_Z);
/// let (hits, _) = supple::cast_rays(&mut body, &[down(0.1)?, down(2.0)?], &RayOptions::default());
/// assert_eq!(hits.iter().map(|hit| hit.map(|h| h.time)).collect::<Vec<_>>(), [Some(1.0), None]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn cast_rays(body: &mut Body, rays: &[Ray], options: &RayOptions) -> (Vec<Option<RayHit>>, QueryStats) {
    let mut stats = QueryStats::default();
    let most_leaves = (rays.len() >= MANY).then(|| body.set_most_leaves(usize::MAX));
    let hits = rays.iter().map(|ray| {
        let (hit, own) = cast_ray(body, ray, options);
        stats += own;
        hit
    });
    let hits = hits.collect();
    if let Some(most) = most_leaves {
        body.set_most_leaves(most);
    }
    (hits, stats)
}

/// So many rays go everywhere: all leaves that they pose are kept until the last, up to 100 bytes per triangle. Otherwise they
/// would be posed again and again.
const MANY: usize = 200;

/// Like [`cast_rays`], on all threads of the current pool. Each works on a copy of the body, so the body itself learns
/// nothing, and counters grow with the number of threads; hits do not depend on it.
#[cfg(feature = "rayon")]
pub fn cast_rays_in_parallel(
    body: &Body,
    rays: &[Ray],
    options: &RayOptions,
) -> (Vec<Option<RayHit>>, QueryStats) {
    use rayon::prelude::*;

    let per_thread = rays.len().div_ceil(rayon::current_num_threads()).max(1);
    let parts: Vec<_> =
        rays.par_chunks(per_thread).map(|own| cast_rays(&mut body.clone(), own, options)).collect();
    let (mut hits, mut stats) = (Vec::with_capacity(rays.len()), QueryStats::default());
    for (own, cost) in parts {
        hits.extend(own);
        stats += cost;
    }
    (hits, stats)
}
