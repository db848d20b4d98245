//! Rays through a whole scene: the boxes of bodies first, then the bodies themselves, the nearest first.
//!
//! Must hold: hits are those of all bodies asked one by one; of hits at the same time, the body with the smaller id is first.

use std::cmp::Ordering;

use super::bodies::{BodyId, Groups, Scene};
use crate::answer::{Answer, QueryStats};
use crate::narrow::{Ray, RayHit};
use crate::query::{Slabs, cast_ray, cast_ray_all, cast_ray_any};

/// A triangle of a body of a scene that a ray hits.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SceneHit {
    /// The body.
    pub body: BodyId,
    /// Where it is hit.
    pub hit: RayHit,
}

impl SceneHit {
    /// By time, then by body, then by triangle.
    fn order(&self, other: &Self) -> Ordering {
        self.hit
            .time
            .total_cmp(&other.hit.time)
            .then(self.body.cmp(&other.body))
            .then(self.hit.order(&other.hit))
    }
}

impl Scene {
    /// The first hit of a ray on any body whose groups meet those of the ray: [`Groups::ALL`] for all bodies. Of hits at the same time,
    /// the one with the smallest id, then the smallest triangle.
    ///
    /// Costs a test against the bound of every body, and a [`cast_ray`] for each body whose bound the ray enters before its nearest hit. Example: see
    /// [`Scene`].
    pub fn cast_ray(&mut self, ray: Ray, groups: Groups) -> Answer<Option<SceneHit>> {
        let mut stats = QueryStats::default();
        let mut nearest: Option<SceneHit> = None;
        let (mut slabs, mut ray) = (Slabs::of(ray), ray);
        for (entry, body) in self.entered(&slabs, groups) {
            if !slabs.before_end(entry) {
                break;
            }
            let own = self.ask(body, |body| cast_ray(body, ray));
            stats += own.stats;
            if let Some(hit) = own.found.map(|hit| SceneHit { body, hit })
                && nearest.is_none_or(|best| hit.order(&best).is_lt())
            {
                nearest = Some(hit);
                // Later hits do not count any more; those at the same time do.
                slabs.end_at(hit.hit.time);
                ray = ray.until(hit.hit.time).unwrap_or(ray);
            }
        }
        Answer { found: nearest, stats }
    }

    /// Some hit of a ray on any body whose groups meet those of the ray, or none: for lines of sight. The same one for the same input.
    ///
    /// Costs less than [`cast_ray`](Self::cast_ray): stops at the first hit.
    pub fn cast_ray_any(&mut self, ray: Ray, groups: Groups) -> Answer<Option<SceneHit>> {
        let mut stats = QueryStats::default();
        for (_, body) in self.entered(&Slabs::of(ray), groups) {
            let own = self.ask(body, |body| cast_ray_any(body, ray));
            stats += own.stats;
            if let Some(hit) = own.found {
                return Answer { found: Some(SceneHit { body, hit }), stats };
            }
        }
        Answer { found: None, stats }
    }

    /// All hits of a ray on all bodies whose groups meet those of the ray, by time, then by body, then by triangle.
    pub fn cast_ray_all(&mut self, ray: Ray, groups: Groups) -> Answer<Vec<SceneHit>> {
        let mut all = Answer { found: Vec::new(), stats: QueryStats::default() };
        for (_, body) in self.entered(&Slabs::of(ray), groups) {
            let own = self.ask(body, |body| cast_ray_all(body, ray));
            all.stats += own.stats;
            all.found.extend(own.found.into_iter().map(|hit| SceneHit { body, hit }));
        }
        all.found.sort_by(SceneHit::order);
        all
    }

    /// Bodies whose bounds the ray enters, by the time at which it does (in the units of the slabs); bodies at the same time by id.
    fn entered(&mut self, slabs: &Slabs, groups: Groups) -> Vec<(f32, BodyId)> {
        let mut entered: Vec<(f32, BodyId)> = self
            .members_mut()
            .filter(|(_, own, _)| own.meet(&groups))
            .filter_map(|(id, _, body)| Some((slabs.entry(&body.bound())?, id)))
            .collect();
        entered.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        entered
    }
}
