//! Solid shapes and points asked of a whole scene: the boxes of bodies first, then the bodies themselves.
//!
//! Must hold: answers are those of all bodies asked one by one.

use super::bodies::{BodyId, Groups, Scene};
use crate::answer::{Answer, QueryStats};
use crate::math::{Aabb, Distance, Point};
use crate::narrow::{Probe, SurfacePoint};
use crate::query::{closest_point, overlap, overlap_any};
use crate::refit::Body;

/// A triangle of a body of a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SceneTriangle {
    /// The body.
    pub body: BodyId,
    /// Its number in the body's mesh.
    pub triangle: u32,
}

/// The point of a body of a scene closest to another point.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ScenePoint {
    /// The body.
    pub body: BodyId,
    /// The point of its surface.
    pub point: SurfacePoint,
}

impl Scene {
    /// All triangles that a solid shape overlaps, of all bodies whose groups meet those of the shape ([`Groups::ALL`] for all bodies); by
    /// ascending id, then by triangle.
    ///
    /// Costs a test against the bound of every body, and an [`overlap`] for each that the shape's box overlaps.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use glam::Vec3;
    /// # use supple::{Body, BuildOptions, Groups, Probe, Scene, Shape, Skinning};
    /// # let man = Arc::new(Shape::build(supple_zoo::make("man", 0)?, &BuildOptions::default())?);
    /// let mut scene = Scene::new();
    /// let id = scene.insert(Body::new(&man, Skinning::Linear)?, Groups::ALL);
    /// let blast = Probe::sphere(Vec3::new(0.0, 1.0, 0.5), 0.6)?;
    /// let found = scene.overlap(&blast, Groups::ALL).found;
    /// assert!(!found.is_empty() && found.iter().all(|triangle| triangle.body == id));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn overlap(&mut self, probe: &Probe, groups: Groups) -> Answer<Vec<SceneTriangle>> {
        let mut all = Answer { found: Vec::new(), stats: QueryStats::default() };
        for body in self.overlapped(probe, groups) {
            let own = self.ask(body, |body| overlap(body, probe));
            all.stats += own.stats;
            all.found.extend(own.found.into_iter().map(|triangle| SceneTriangle { body, triangle }));
        }
        all
    }

    /// Some triangle of each body that a solid shape overlaps, by ascending id: who is within, not where.
    ///
    /// Costs less than [`overlap`](Self::overlap): each body stops at its first triangle.
    pub fn overlap_any(&mut self, probe: &Probe, groups: Groups) -> Answer<Vec<SceneTriangle>> {
        let mut all = Answer { found: Vec::new(), stats: QueryStats::default() };
        for body in self.overlapped(probe, groups) {
            let own = self.ask(body, |body| overlap_any(body, probe));
            all.stats += own.stats;
            all.found.extend(own.found.map(|triangle| SceneTriangle { body, triangle }));
        }
        all
    }

    /// The point closest to another one on all bodies whose groups meet those of the point, if it is at most `max` away; of equally close bodies
    /// the one with the smallest id.
    ///
    /// Costs a test against the bound of every body, and a [`closest_point`] for each whose bound is nearer than the nearest point so far.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use glam::Vec3;
    /// # use supple::{Body, BuildOptions, Distance, Groups, Isometry, Point, Scene, Shape, Skinning};
    /// # let man = Arc::new(Shape::build(supple_zoo::make("man", 0)?, &BuildOptions::default())?);
    /// let mut scene = Scene::new();
    /// scene.insert(Body::new(&man, Skinning::Linear)?, Groups::ALL);
    /// let near = scene.insert(Body::new(&man, Skinning::Linear)?, Groups::ALL);
    /// scene.body_mut(near).expect("it was just inserted").set_placement(Isometry::from_translation(Vec3::X * 5.0))?;
    /// let hand = Point::new(Vec3::new(4.0, 1.0, 0.0))?;
    /// let found = scene.closest_point(hand, Distance::new(2.0)?, Groups::ALL).found;
    /// assert_eq!(found.map(|found| found.body), Some(near));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn closest_point(
        &mut self,
        point: Point,
        max: Distance,
        groups: Groups,
    ) -> Answer<Option<ScenePoint>> {
        let mut stats = QueryStats::default();
        let at = Aabb::from_points([point.get()]);
        let mut near: Vec<(f64, BodyId)> = self
            .members_mut()
            .filter(|(_, own, _)| own.meet(&groups))
            .map(|(id, _, body)| (body.bound().distance_sq(&at), id))
            .filter(|&(distance_sq, _)| distance_sq <= max.squared())
            .collect();
        near.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let mut nearest: Option<ScenePoint> = None;
        for (distance_sq, body) in near {
            // Distances are compared as they are reported, in f32: a distance that rounds to the same number counts.
            let limit = nearest.map_or(max, |best| max.at_most(best.point.distance.next_up()));
            if distance_sq > limit.squared() {
                break;
            }
            let own = self.ask(body, |body| closest_point(body, point, limit));
            stats += own.stats;
            let key = |found: &ScenePoint| (found.point.distance, found.body);
            if let Some(found) = own.found.map(|point| ScenePoint { body, point })
                && nearest.is_none_or(|best| key(&found) < key(&best))
            {
                nearest = Some(found);
            }
        }
        Answer { found: nearest, stats }
    }

    /// Bodies whose bounds the shape's box overlaps, by ascending id.
    fn overlapped(&mut self, probe: &Probe, groups: Groups) -> Vec<BodyId> {
        let bounds = probe.bounds();
        let meets = |(_, own, body): &mut (BodyId, Groups, &mut Body)| {
            own.meet(&groups) && body.bound().intersects(&bounds)
        };
        self.members_mut().filter_map(|mut member| meets(&mut member).then_some(member.0)).collect()
    }

    /// Asks a body that is known to be there.
    pub(super) fn ask<A>(&mut self, id: BodyId, ask: impl FnOnce(&mut Body) -> A) -> A {
        ask(self.body_mut(id).expect("ids of members are those of bodies"))
    }
}
