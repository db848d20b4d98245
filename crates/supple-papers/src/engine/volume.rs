//! What every method needs of a bounding volume: sums of scaled volumes, and a volume around others.
//!
//! All of the papers' refits are sums `sum_i w_i V_i` (reference volumes, displacements, images under joints), put together by
//! a volume around several. So a method is written once for all volumes.
//! Must hold: the sum of scaled volumes contains the sum of scaled points of theirs.
//!
//! Numbers are f64: what is rounded while refitting disappears in the margin for the f32 vertices.

use glam::{DAffine3, DVec3};

use super::{BoundingSphere, PosedJoint};

/// A bounding volume of the papers: [`BoundingSphere`](super::BoundingSphere), or [`Slabs`](super::Slabs) for boxes and k-DOPs.
pub trait Volume: Copy + std::fmt::Debug + Send + Sync + 'static {
    /// A short name.
    const NAME: &'static str;
    /// The point 0: neutral for [`add_scaled`](Self::add_scaled).
    const ORIGIN: Self;
    /// What a rest volume is described by, so that joints can move it.
    type Rest: Copy + std::fmt::Debug + Send + Sync;
    /// How two spaces lie to each other, for tests between volumes of both.
    type Between: std::fmt::Debug;

    /// The smallest volume around points.
    fn smallest(points: &[DVec3]) -> Self;
    /// The smallest volume around points whose middle is their mean: BD-Tree, equations 5 and 7.
    fn around_mean(points: &[DVec3]) -> Self;
    /// The smallest volume around a sphere.
    fn of_sphere(center: DVec3, radius: f64) -> Self;
    /// A volume around volumes, at least one, as the thesis puts them together (Algorithm 5.1 for spheres).
    fn around(volumes: &[Self]) -> Self;
    /// A volume around those of a node's children, at least one: for hierarchies whose volumes contain each other.
    fn layered(children: &[Self]) -> Self;
    /// What both contain, or the smaller one: both contain the same points.
    #[must_use]
    fn tighter(&self, other: &Self) -> Self;
    /// Grows, where it is, until it contains the other.
    fn wrap(&mut self, other: &Self);
    /// Adds `factor * other`, point by point.
    fn add_scaled(&mut self, other: &Self, factor: f64);
    /// Everything within a distance, or more.
    #[must_use]
    fn grown(&self, distance: f64) -> Self;
    /// Whether the point is inside or on the surface.
    fn contains(&self, point: DVec3) -> bool;
    /// The radius of a sphere, the sum of the extents of slabs.
    fn size(&self) -> f64;
    /// Whether both volumes, of one space, have a point in common; yes may be wrong.
    fn overlaps(&self, other: &Self) -> bool;

    /// Describes the points at rest.
    fn at_rest(points: &[DVec3]) -> Self::Rest;
    /// A volume around what a joint makes of them.
    fn moved(rest: &Self::Rest, joint: &PosedJoint) -> Self;
    /// A sphere around them as they are.
    fn sphere_at_rest(rest: &Self::Rest) -> BoundingSphere;

    /// From the space of `b` to that of `a`.
    fn between(a_from_b: &DAffine3) -> Self::Between;
    /// Whether `self`, in the space of `a`, and `other`, in that of `b`, have a point in common; yes may be wrong.
    fn overlaps_turned(&self, other: &Self, between: &Self::Between) -> bool;
}
