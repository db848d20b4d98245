//! Many rays on one body.
//!
//! Must hold: answers are those of one ray after the other, in the order of the rays, on any number of threads.

use super::cast_ray::nearest_hit;
use super::descent::descend_with;
use crate::answer::{Answer, QueryStats};
use crate::narrow::{Ray, RayHit};
use crate::refit::{Body, Scratch};
use crate::simd::{self, Eight, Kernel};

/// The first hit of each of many rays, in their order; see [`cast_ray`](crate::cast_ray).
///
/// What one ray needs of the body is there for the next, so rays become cheaper the more there are. Where there is a ray for every 300
/// triangles, the whole body is posed first.
///
/// With the feature `rayon`, 512 rays or more are divided among the threads of the current pool; each part works on a copy of
/// the body, and the counters are those of all copies. Parts depend on the number of rays alone:
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
    let mut stats = QueryStats::default();
    if rays.len() * TRIANGLES_PER_RAY > body.tree().triangles.len() {
        body.pose_everything(&mut stats);
    }
    #[cfg(feature = "rayon")]
    if rays.len() >= 2 * FEWEST_PER_PART {
        use rayon::prelude::*;

        let per_part = rays.len().div_ceil(MOST_PARTS).max(FEWEST_PER_PART);
        let body = &*body;
        let parts: Vec<_> = rays.par_chunks(per_part).map(|own| one_by_one(&mut body.clone(), own)).collect();
        let mut all = Answer { found: Vec::with_capacity(rays.len()), stats };
        for part in parts {
            all.found.extend(part.found);
            all.stats += part.stats;
        }
        return all;
    }
    let mut answer = one_by_one(body, rays);
    answer.stats += stats;
    answer
}

/// A copy of the body poses again what others have posed, so parts are not small, and not more than threads can be hoped for.
#[cfg(feature = "rayon")]
const FEWEST_PER_PART: usize = 256;
#[cfg(feature = "rayon")]
const MOST_PARTS: usize = 16;

fn one_by_one(body: &mut Body, rays: &[Ray]) -> Answer<Vec<Option<RayHit>>> {
    let mut stats = QueryStats::default();
    let mut found = vec![None; rays.len()];
    Scratch::lend(|scratch| simd::run(CastAll { body, rays, found: &mut found, stats: &mut stats, scratch }));
    Answer { found, stats }
}

/// One ray after the other, in one kernel: what a ray costs besides its descent is paid once.
struct CastAll<'a> {
    body: &'a mut Body,
    rays: &'a [Ray],
    found: &'a mut [Option<RayHit>],
    stats: &'a mut QueryStats,
    scratch: &'a mut Scratch,
}

impl Kernel for CastAll<'_> {
    type Output = ();

    #[inline(always)]
    fn run<E: Eight>(self) {
        for (&ray, nearest) in self.rays.iter().zip(self.found) {
            descend_with::<E>(self.body, &mut nearest_hit(ray, nearest), self.stats, self.scratch);
        }
    }
}

/// So many rays that there are fewer than this many triangles for each go nearly everywhere: posing the whole body first costs less. With 100,
/// a hundred rays took 46 instead of 34 microseconds (CesiumMan, 4,700 triangles) and 87 instead of 66 (creature, 13,600).
const TRIANGLES_PER_RAY: usize = 300;
