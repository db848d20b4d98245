//! What a ray hits: the nearest triangle, any, or all.
//!
//! Must hold: hits are those that brute force finds, whatever the bounds were.

use super::descent::{Visitor, descend};
use super::shear::Shear;
use super::slabs::Slabs;
use super::walk::Search;
use crate::answer::{Answer, QueryStats};
use crate::narrow::{Crossing, Ray, RayHit, ray_crosses};
use crate::refit::{Body, EightBoxes, PosedLeaf};
use crate::simd::{Eight, lanes};
use crate::tree::WIDTH;

/// The first hit of a ray; among those of equal time the one with the smallest triangle number. Times are compared as they are
/// reported, in f32: of two sheets that are closer than that can tell, either may be first.
///
/// Exact: hit or not is the truth about the f32 numbers of the ray and the posed vertices. Edges and corners belong to their
/// triangles, so nothing slips through a closed mesh. A ray in the plane of a triangle does not hit it, only its
/// neighbours; triangles without area are never hit.
///
/// Costs a descent to the triangles near the ray: some dozens of refits and a few hundred posed vertices, whatever the size of the mesh.
/// For many rays per pose use [`cast_rays`](crate::cast_rays); to know only whether something is in the way, [`cast_ray_any`].
///
/// ```
/// use std::sync::Arc;
/// use glam::Vec3;
/// use supple::{Body, BuildOptions, Ray, Shape, Skinning};
///
/// let man = Arc::new(supple_zoo::make("man", 0)?);
/// let shape = Arc::new(Shape::build(Arc::clone(&man), &BuildOptions::default())?);
/// let mut body = Body::new(&shape, Skinning::Linear)?;
/// body.set_pose(&man.sample(man.clip("walk")?, 0.2)?)?;
/// let ray = Ray::new(Vec3::new(0.0, 1.2, 5.0), Vec3::NEG_Z)?;
/// let answer = supple::cast_ray(&mut body, ray);
/// let hit = answer.found.expect("the man is 1.8 m tall");
/// assert!(hit.time > 4.0 && hit.time < 5.0 && !hit.back);
/// assert!(answer.stats.vertices_deformed < 1000); // of more than 4000
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn cast_ray(body: &mut Body, ray: Ray) -> Answer<Option<RayHit>> {
    let (mut nearest, mut stats) = (None, QueryStats::default());
    descend(body, &mut nearest_hit(ray, &mut nearest), &mut stats);
    Answer { found: nearest, stats }
}

/// A visitor that finds the first hit.
#[inline(always)]
pub(super) fn nearest_hit(ray: Ray, nearest: &mut Option<RayHit>) -> impl Visitor {
    Cast::new(ray, move |hit: RayHit| {
        if nearest.is_none_or(|best| hit.order(&best).is_lt()) {
            *nearest = Some(hit);
            return After::Until(hit.time);
        }
        After::GoOn
    })
}

/// Some hit of a ray, or none if it hits nothing: for lines of sight. The same one for the same input.
///
/// Costs at most what [`cast_ray`] costs, and less the more there is to hit.
///
/// ```
/// # use std::sync::Arc;
/// # use glam::Vec3;
/// # use supple::{Body, BuildOptions, Ray, Shape, Skinning, mesh::Mesh, model::Model};
/// # let mesh = Mesh::new(vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![[0, 1, 2]])?;
/// # let shape = Arc::new(Shape::build(Model::rigid(mesh), &BuildOptions::default())?);
/// # let mut body = Body::new(&shape, Skinning::Linear)?;
/// let (eye, target) = (Vec3::new(0.2, 0.2, 1.0), Vec3::new(0.2, 0.2, -1.0));
/// assert!(supple::cast_ray_any(&mut body, Ray::segment(eye, target)?).found.is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn cast_ray_any(body: &mut Body, ray: Ray) -> Answer<Option<RayHit>> {
    let mut found = None;
    let stats = cast(body, ray, |hit| {
        found = Some(hit);
        After::Stop
    });
    Answer { found, stats }
}

/// All hits of a ray, by time and then by triangle number. A ray through an edge or a corner hits all triangles there.
///
/// Costs what lies along the whole ray; where the first hit is enough, [`cast_ray`] stops there.
///
/// ```
/// # use std::sync::Arc;
/// # use glam::Vec3;
/// # use supple::{Body, BuildOptions, Ray, Shape, Skinning};
/// # let man = Arc::new(supple_zoo::make("man", 0)?);
/// # let shape = Arc::new(Shape::build(Arc::clone(&man), &BuildOptions::default())?);
/// # let mut body = Body::new(&shape, Skinning::Linear)?;
/// let ray = Ray::new(Vec3::new(0.01, 1.2, 5.0), Vec3::NEG_Z)?;
/// let hits = supple::cast_ray_all(&mut body, ray).found;
/// assert_eq!(hits.iter().map(|hit| hit.back).collect::<Vec<_>>(), [false, true]); // in and out
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn cast_ray_all(body: &mut Body, ray: Ray) -> Answer<Vec<RayHit>> {
    let mut hits = Vec::new();
    let stats = cast(body, ray, |hit| {
        hits.push(hit);
        After::GoOn
    });
    hits.sort_unstable_by(RayHit::order);
    Answer { found: hits, stats }
}

/// What happens after a hit.
enum After {
    GoOn,
    /// Later hits do not count.
    Until(f32),
    Stop,
}

fn cast(body: &mut Body, ray: Ray, found: impl FnMut(RayHit) -> After) -> QueryStats {
    let mut stats = QueryStats::default();
    descend(body, &mut Cast::new(ray, found), &mut stats);
    stats
}

struct Cast<F> {
    ray: Ray,
    slabs: Slabs,
    shear: Shear,
    found: F,
}

impl<F> Cast<F> {
    #[inline(always)]
    fn new(ray: Ray, found: F) -> Self {
        Self { ray, slabs: Slabs::of(ray), shear: Shear::new(&ray), found }
    }
}

impl<F: FnMut(RayHit) -> After> Visitor for Cast<F> {
    #[inline(always)]
    fn visits<E: Eight>(&self, boxes: &EightBoxes, times: &mut [f32; WIDTH]) -> u8 {
        self.slabs.enter::<E>(boxes, times)
    }

    #[inline(always)]
    fn wants(&self, time: f32) -> bool {
        self.slabs.before_end(time)
    }

    #[inline(always)]
    fn leaf<E: Eight>(&mut self, leaf: &PosedLeaf, triangles: &[u32], stats: &mut QueryStats) -> Search {
        let entered = self.slabs.enter::<E>(&leaf.boxes, &mut [0.0; WIDTH]) & leaf.present;
        if entered == 0 {
            return Search::GoOn;
        }
        for lane in lanes(self.shear.near::<E>(leaf) & entered) {
            stats.triangle_tests += 1;
            let Some(crossing) = crosses(&self.ray, leaf, lane).filter(|c| self.ray.admits(c)) else {
                continue;
            };
            match (self.found)(RayHit::new(triangles[lane], crossing)) {
                After::GoOn => {}
                After::Until(time) => self.slabs.end_at(time),
                After::Stop => return Search::Stop,
            }
        }
        Search::GoOn
    }
}

/// Not inlined: the exact test is long, and gains nothing from wide registers.
#[inline(never)]
fn crosses(ray: &Ray, leaf: &PosedLeaf, lane: usize) -> Option<Crossing> {
    ray_crosses(ray, &leaf.triangle(lane))
}
