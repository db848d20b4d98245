//! Poses a model, casts the ray, and looks up what is known of the hits.

use std::sync::Arc;

use glam::{DVec3, Vec2, Vec3};
use supple::{Aabb, Body, JointId, Ray, RayHit, Shape, Skinning, cast_ray, cast_ray_all, ray_hit_details};
use supple_audit::Bones;
use supple_draw::Camera;

use super::report::{Hit, JointShare, RayReport, Report};
use crate::arguments::RayArguments;
use crate::clip::find_clip;
use crate::failure::{Blame, Failure, OrBlame, bad_usage};
use crate::short_names::ShortNames;

/// A posed body, the view of it, and what a ray hits.
#[derive(Debug)]
pub struct Asked {
    pub body: Body,
    pub bones: Bones,
    /// All vertices in the pose.
    pub positions: Vec<Vec3>,
    /// Shows the whole model.
    pub camera: Camera,
    /// Pixels of the view.
    pub size: [u32; 2],
    pub ray: Ray,
    pub report: Report,
}

impl Asked {
    /// Poses and casts.
    pub fn new(shape: &Arc<Shape>, arguments: &RayArguments) -> Result<Self, Failure> {
        let (model, skinning) = (shape.model(), Skinning::from(arguments.skinning));
        let clip = arguments.clip.as_deref().map(|name| find_clip(model, name)).transpose()?;
        let time = clip.map(|_| arguments.time.unwrap_or(0.0));
        let pose = match (clip, time) {
            (Some(clip), Some(time)) => model.sample(clip, time).or_blame(Blame::Input)?,
            _ => model.rest_pose(),
        };
        let mut body = Body::new(shape, skinning).or_blame(Blame::Input)?;
        body.set_pose(&pose).or_blame(Blame::Input)?;
        let positions = model.posed(&pose, skinning).or_blame(Blame::Input)?.positions();
        let bounds = Aabb::from_points(positions.iter().copied());
        let camera = Camera::framing(bounds.min, bounds.max, arguments.view.direction());
        let ray = ray(arguments, &camera)?;
        let hits = match arguments.all {
            true => cast_ray_all(&mut body, ray).found,
            false => Vec::from_iter(cast_ray(&mut body, ray).found),
        };
        let bones = Bones::new(model);
        let report = Report {
            file: arguments.input.file.clone(),
            clip: clip.map(|clip| clip.name().to_owned()),
            time,
            skinning: skinning.name(),
            ray: RayReport {
                from: ray.origin().to_array(),
                direction: ray.direction().to_array(),
                pixel: arguments.pixel,
            },
            hits: hits.iter().map(|&hit| described(&mut body, &bones, ray, hit)).collect(),
            short_names: ShortNames::of(model),
        };
        Ok(Self { body, bones, positions, camera, size: arguments.size, ray, report })
    }
}

/// The ray that was given, or that of a pixel.
fn ray(arguments: &RayArguments, camera: &Camera) -> Result<Ray, Failure> {
    match (arguments.pixel, arguments.from, arguments.direction) {
        (Some([x, y]), ..) => {
            let middle = Vec2::new(x as f32 + 0.5, y as f32 + 0.5);
            let (from, direction) = camera.line_of_sight(arguments.size[0], arguments.size[1], middle);
            checked_ray(from.as_dvec3(), direction.as_dvec3())
        }
        (None, Some(from), Some(direction)) => checked_ray(from, direction),
        _ => Err(no_ray()),
    }
}

/// Neither was given.
pub fn no_ray() -> Failure {
    bad_usage("a ray is needed: --from X,Y,Z with --direction X,Y,Z, or --pixel X,Y")
}

/// A ray, if its numbers make one.
pub fn checked_ray(from: DVec3, direction: DVec3) -> Result<Ray, Failure> {
    // Adding zero turns -0 into 0, which reads better.
    Ray::new(from.as_vec3() + Vec3::ZERO, direction.as_vec3() + Vec3::ZERO).or_blame(Blame::Usage)
}

fn described(body: &mut Body, bones: &Bones, ray: Ray, hit: RayHit) -> Hit {
    let details = ray_hit_details(body, hit);
    let length = ray.direction().as_dvec3().length();
    let share = |&(joint, weight): &(JointId, f32)| {
        let name = bones.label(bones.of_joints()[joint.0 as usize]).to_owned();
        JointShare { name, joint: joint.0, weight }
    };
    Hit {
        triangle: hit.triangle,
        time: hit.time,
        distance: (f64::from(hit.time) * length) as f32,
        back: hit.back,
        barycentrics: hit.barycentrics,
        point: details.point.to_array(),
        normal: details.normal.to_array(),
        rest_point: details.rest_point.to_array(),
        uv: details.uv.map(|uv| uv.to_array()),
        joints: details.joints.iter().map(share).collect(),
    }
}
