//! Where a ray hit a body, and what an engine wants to know of the hit.

use glam::{DVec3, Vec2, Vec3};

use super::surface_point::{corners_of, owning_joints, rest_point, uv};
use crate::narrow::RayHit;
use crate::pose::JointId;
use crate::refit::Body;

/// A hit in detail.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RayHitDetails {
    /// The point of the triangle, in the world.
    pub point: Vec3,
    /// The unit normal of the posed triangle, on its front; zero if it has no area.
    pub normal: Vec3,
    /// The point on the mesh as the file has it, in the file's space and before morphing: for decals, damage, painting.
    pub rest_point: Vec3,
    /// Its texture coordinate, if the mesh has some.
    pub uv: Option<Vec2>,
    /// Joints that move the point, with their weights; heaviest first.
    pub joints: Vec<(JointId, f32)>,
}

/// Details of a hit that a query reported for the body's current pose. A look-up that poses three vertices, not a search: it has no
/// counters.
///
/// ```
/// # use std::sync::Arc;
/// # use glam::Vec3;
/// use supple::JointId;
/// # use supple::{Body, BuildOptions, Mesh, Model, Ray, Shape, Skinning};
/// # let mesh = Mesh::new(vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![[0, 1, 2]])?;
/// # let shape = Arc::new(Shape::build(Model::rigid(mesh), &BuildOptions::default())?);
/// # let mut body = Body::new(&shape, Skinning::Linear)?;
/// let ray = Ray::new(Vec3::new(0.25, 0.5, -2.0), Vec3::Z)?;
/// let hit = supple::cast_ray(&mut body, ray).found.expect("it is in front of us");
/// let details = supple::ray_hit_details(&mut body, hit);
/// assert_eq!((details.point, details.normal), (Vec3::new(0.25, 0.5, 0.0), Vec3::Z));
/// assert_eq!(details.joints, [(JointId(0), 1.0)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
/// The triangle is out of range.
pub fn ray_hit_details(body: &mut Body, hit: RayHit) -> RayHitDetails {
    let corners = corners_of(body.model(), hit.triangle);
    let [p, q, r] = corners.map(|v| body.position(v).as_dvec3());
    let [u, v, w] = hit.barycentrics.map(f64::from);
    let (model, weights) = (body.model(), hit.barycentrics);
    RayHitDetails {
        point: (p * u + q * v + r * w).as_vec3(),
        normal: unit((q - p).cross(r - p)).as_vec3(),
        rest_point: rest_point(model, corners, weights),
        uv: uv(model, corners, weights),
        joints: owning_joints(model, corners, weights),
    }
}

/// A unit vector; scaled first, as the square of the smallest normal would be 0.
fn unit(normal: DVec3) -> DVec3 {
    (normal / normal.abs().max_element()).normalize_or_zero()
}
