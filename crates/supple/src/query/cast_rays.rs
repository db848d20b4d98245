//! Many rays on one body.
//!
//! Must hold: answers are those of one ray after the other, in the order of the rays, on any number of threads.

use super::cast_ray::cast_ray;
use crate::answer::{Answer, QueryStats};
use crate::narrow::{Ray, RayHit};
use crate::refit::Body;

/// The first hit of each of many rays, in their order; see [`cast_ray`].
///
/// What one ray needs of the body is there for the next, so rays become cheaper the more there are; from 200 rays on
/// all of it is kept until the last ray, which may take 100 bytes per triangle for that time. Deforming everything
/// first ([`Model::posed_at`](crate::Model::posed_at), [`Body::set_vertices`]) is faster from some number of rays on: 4 for a body of 5,000
/// triangles, 16 for 14,000, 60 for 54,000, 220 for 218,000.
///
/// With the feature `rayon`, 512 rays or more are divided among the threads of the current pool; each part works on a copy of
/// the body, so the body itself learns nothing and the counters are those of all copies. Parts depend on the number of rays alone:
/// hits and counters are the same on any number of threads.
///
/// ```
/// # use std::sync::Arc;
/// # use glam::Vec3;
/// # use supple::{Body, BuildOptions, Mesh, Model, Ray, Shape, Skinning};
/// # let mesh = Mesh::new(vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![[0, 1, 2]])?;
/// # let shape = Arc::new(Shape::build(Model::rigid(mesh), &BuildOptions::default())?);
/// # let mut body = Body::new(&shape, Skinning::Linear)?;
/// let down = |x| Ray::new(Vec3::new(x, 0.1, 1.0), Vec3::NEG_Z);
/// let hits = supple::cast_rays(&mut body, &[down(0.1)?, down(2.0)?]).found;
/// assert_eq!(hits.iter().map(|hit| hit.map(|h| h.time)).collect::<Vec<_>>(), [Some(1.0), None]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn cast_rays(body: &mut Body, rays: &[Ray]) -> Answer<Vec<Option<RayHit>>> {
    #[cfg(feature = "rayon")]
    if rays.len() >= 2 * FEWEST_PER_PART {
        use rayon::prelude::*;

        let per_part = rays.len().div_ceil(MOST_PARTS).max(FEWEST_PER_PART);
        let body = &*body;
        let parts: Vec<_> = rays.par_chunks(per_part).map(|own| one_by_one(&mut body.clone(), own)).collect();
        let mut all = Answer { found: Vec::with_capacity(rays.len()), stats: QueryStats::default() };
        for part in parts {
            all.found.extend(part.found);
            all.stats += part.stats;
        }
        return all;
    }
    one_by_one(body, rays)
}

/// A copy of the body poses again what others have posed, so parts are not small, and not more than threads can be hoped for.
#[cfg(feature = "rayon")]
const FEWEST_PER_PART: usize = 256;
#[cfg(feature = "rayon")]
const MOST_PARTS: usize = 16;

fn one_by_one(body: &mut Body, rays: &[Ray]) -> Answer<Vec<Option<RayHit>>> {
    let mut stats = QueryStats::default();
    let most_leaves = (rays.len() >= MANY).then(|| body.set_most_leaves(usize::MAX));
    let hits = rays.iter().map(|&ray| {
        let answer = cast_ray(body, ray);
        stats += answer.stats;
        answer.found
    });
    let found = hits.collect();
    if let Some(most) = most_leaves {
        body.set_most_leaves(most);
    }
    Answer { found, stats }
}

/// This many rays go everywhere: all leaves that they pose are kept until the last, up to 100 bytes per triangle. Otherwise they
/// would be posed again and again.
const MANY: usize = 200;
