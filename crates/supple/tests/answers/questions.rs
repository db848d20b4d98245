//! The questions: one function per query, all of them asked of two copies of a model in every way of skinning.

use std::collections::BTreeMap;
use std::sync::Arc;

use glam::{DQuat, Vec3};
use supple::{
    Aabb, Body, Budget, BuildOptions, CollideOptions, Distance, Groups, Isometry, Model, Motion, Plane,
    Point, Pose, PoseHistory, Probe, Ray, RayHit, Scene, SelfFilter, Shape, Skinning, VertexUpdate,
    cast_ray_all, cast_ray_any, cast_rays, closest_point, closest_points, collide, collide_any, collide_with,
    contact_details, locate_point, overlap, overlap_any, pairs_within, ray_hit_details, self_collide_with,
    sphere_contacts, sphere_plane_contacts, sphere_triangle_contacts, time_of_contact,
};

use crate::digest::Digest;

/// Two bodies of one shape, and how large they are.
struct Couple {
    shape: Arc<Shape>,
    skinning: Skinning,
    poses: [Pose; 2],
    a: Body,
    b: Body,
    bound: Aabb,
    size: f32,
}

type Query = fn(&mut Couple, &mut Digest);

const QUERIES: [(&str, Query); 21] = [
    ("positions", positions),
    ("collide", ask_collide),
    ("collide_any", ask_collide_any),
    ("contact_details", details),
    ("closest_points", ask_closest_points),
    ("pairs_within", ask_pairs_within),
    ("bounds:time_of_contact", ask_time_of_contact),
    ("self_collide", ask_self_collide),
    ("cast_rays", ask_cast_rays),
    ("cast_ray_any", ask_cast_ray_any),
    ("cast_ray_all", ask_cast_ray_all),
    ("ray_hit_details", ask_ray_hit_details),
    ("closest_point", ask_closest_point),
    ("locate_point", ask_locate_point),
    ("overlap", ask_overlap),
    ("set_vertices", ask_set_vertices),
    ("scene", ask_scene),
    ("history", ask_history),
    ("bounds:history", ask_history_bound),
    ("bounds:budget", ask_budget),
    ("bounds:spheres", ask_spheres),
];

/// The digest of every query's answers, over all ways of skinning.
pub fn answers(model: Model) -> BTreeMap<&'static str, String> {
    let shape = Arc::new(Shape::build(model, &BuildOptions::default()).unwrap());
    let mut digests: Vec<Digest> = QUERIES.iter().map(|_| Digest::new()).collect();
    for (index, skinning) in Skinning::ALL.into_iter().enumerate() {
        for ((_, ask), digest) in QUERIES.iter().zip(&mut digests) {
            // Some pose that joints or fields cannot take is an answer too.
            match Couple::new(&shape, skinning, index) {
                Some(mut couple) => ask(&mut couple, digest),
                None => digest.u32(u32::MAX),
            }
        }
    }
    QUERIES.iter().zip(digests).map(|(&(name, _), digest)| (name, digest.text())).collect()
}

/// The pose of a clip, or of made-up coefficients where a model has no clips.
fn pose_at(model: &Model, clip: usize, time: f64) -> Pose {
    let mut pose = model.rest_pose();
    if let Some(clip) = model.clips().get(clip % model.clips().len().max(1)) {
        clip.sample_looped(time, &mut pose).unwrap();
    } else {
        for (i, coefficient) in pose.coefficients.iter_mut().enumerate() {
            *coefficient = ((i % 7) as f64 * 0.13 + time * 0.5) as f32;
        }
    }
    pose
}

impl Couple {
    fn new(shape: &Arc<Shape>, skinning: Skinning, clip: usize) -> Option<Self> {
        let model = shape.model();
        let poses = [pose_at(model, clip, 0.2), pose_at(model, 0, 0.5)];
        let [mut a, b] = [Body::new(shape, skinning).ok()?, Body::new(shape, skinning).ok()?];
        a.set_pose(&poses[0]).ok()?;
        let bound = Aabb::from_points(a.positions());
        let size = (bound.max - bound.min).max_element();
        let mut couple = Self { shape: Arc::clone(shape), skinning, poses, a, b, bound, size };
        couple.aside(0.4);
        Some(couple)
    }

    /// Puts the second body aside, by a share of the first one's width.
    fn aside(&mut self, share: f32) {
        let placement = self.placement(share);
        self.b.set_pose_at(&self.poses[1], placement).unwrap();
    }

    fn placement(&self, share: f32) -> Isometry {
        let along = Vec3::new(1.0, 0.05, 0.1) * (self.bound.max - self.bound.min).x * share;
        Isometry::new(DQuat::from_rotation_y(0.3), along)
    }

    /// Points in and around the first body.
    fn points(&self) -> Vec<Vec3> {
        let (center, half) = (self.bound.center(), self.bound.half_extents() + self.size * 1e-3);
        let steps = [-0.9f32, -0.21, 0.27, 1.3];
        let each = steps.iter().flat_map(|&x| steps.iter().map(move |&y| (x, y)));
        each.flat_map(|(x, y)| steps.iter().map(move |&z| center + half * Vec3::new(x, y, z))).collect()
    }

    /// A grid of rays through the first body, slightly askew.
    fn rays(&self) -> Vec<Ray> {
        let (center, half) = (self.bound.center(), self.bound.half_extents());
        let steps = (0..11).map(|i| (i as f32 - 5.0) / 5.3);
        let grid = steps.clone().flat_map(|x| steps.clone().map(move |y| (x, y)));
        let ray = |(x, y): (f32, f32)| {
            let aim = center + half * Vec3::new(x, y, 0.1 * x);
            Ray::new(aim + Vec3::Z * self.size * 1.5, Vec3::new(0.02, -0.03, -1.0)).unwrap()
        };
        grid.map(ray).collect()
    }
}

fn positions(c: &mut Couple, digest: &mut Digest) {
    c.a.positions().into_iter().for_each(|p| digest.vec3(p));
    c.b.positions().into_iter().for_each(|p| digest.vec3(p));
}

fn ask_collide(c: &mut Couple, digest: &mut Digest) {
    for share in [0.4, 0.9] {
        c.aside(share);
        digest.pairs(&collide(&mut c.a, &mut c.b).found);
    }
}

fn ask_collide_any(c: &mut Couple, digest: &mut Digest) {
    for share in [0.4, 0.9, 3.0] {
        c.aside(share);
        // Which one depends on the order of the walk.
        digest.bool(collide_any(&mut c.a, &mut c.b).found.is_some());
    }
}

fn details(c: &mut Couple, digest: &mut Digest) {
    let pairs = collide(&mut c.a, &mut c.b).found;
    for &pair in pairs.iter().step_by(pairs.len() / 20 + 1) {
        let details = contact_details(&mut c.a, &mut c.b, pair).unwrap();
        details.segment.into_iter().for_each(|p| digest.vec3(p));
        for side in [details.a, details.b] {
            digest.u32(side.triangle);
            side.barycentrics.iter().flatten().for_each(|&x| digest.f32(x));
            side.rest_points.into_iter().for_each(|p| digest.vec3(p));
            side.joints.iter().for_each(|&(joint, weight)| {
                digest.u32(joint.0);
                digest.f32(weight);
            });
        }
    }
}

fn ask_closest_points(c: &mut Couple, digest: &mut Digest) {
    for share in [0.4, 2.5] {
        c.aside(share);
        let closest = closest_points(&mut c.a, &mut c.b, Distance::UNLIMITED).found.unwrap();
        digest.pairs(&[closest.triangles]);
        digest.f32(closest.distance);
        closest.points.into_iter().for_each(|p| digest.vec3(p));
    }
}

fn ask_pairs_within(c: &mut Couple, digest: &mut Digest) {
    c.aside(0.9);
    let pairs = pairs_within(&mut c.a, &mut c.b, Distance::new(c.size * 2e-3).unwrap()).found;
    digest.count(pairs.len());
    for near in pairs {
        digest.pairs(&[near.triangles]);
        digest.f32(near.distance);
        near.points.into_iter().for_each(|p| digest.vec3(p));
    }
}

fn ask_time_of_contact(c: &mut Couple, digest: &mut Digest) {
    let start = c.placement(3.0);
    let end = c.placement(-0.2);
    let still = (c.poses[0].clone(), Isometry::IDENTITY);
    let [still, motion] = [
        Motion::new(still.clone(), still).unwrap(),
        Motion::new((c.poses[1].clone(), start), (c.poses[0].clone(), end)).unwrap(),
    ];
    let tolerance = Distance::new(c.size * 1e-3).unwrap();
    match time_of_contact([&mut c.a, &mut c.b], [&still, &motion], tolerance) {
        Ok(answer) => {
            digest.bool(answer.found.is_some());
            if let Some(contact) = answer.found {
                digest.f32(contact.time);
                digest.pairs(&[contact.closest.triangles]);
                digest.f32(contact.closest.distance);
            }
        }
        Err(_) => digest.u32(u32::MAX),
    }
}

fn ask_self_collide(c: &mut Couple, digest: &mut Digest) {
    let by_joints = SelfFilter::default().without_creases();
    let by_rings = SelfFilter::default().with_rings(2);
    for filter in [SelfFilter::default(), by_joints, by_rings] {
        digest.pairs(&self_collide_with(&mut c.a, &filter).unwrap().found);
    }
}

fn take_hit(digest: &mut Digest, hit: &RayHit) {
    digest.u32(hit.triangle);
    digest.f32(hit.time);
    hit.barycentrics.into_iter().for_each(|x| digest.f32(x));
    digest.bool(hit.back);
}

fn ask_cast_rays(c: &mut Couple, digest: &mut Digest) {
    let rays = c.rays();
    for hit in cast_rays(&mut c.a, &rays).found {
        digest.bool(hit.is_some());
        hit.iter().for_each(|hit| take_hit(digest, hit));
    }
}

fn ask_cast_ray_any(c: &mut Couple, digest: &mut Digest) {
    for ray in c.rays() {
        let half_way = ray.until(c.size * 1.5).unwrap();
        digest.bool(cast_ray_any(&mut c.a, half_way).found.is_some());
    }
}

fn ask_cast_ray_all(c: &mut Couple, digest: &mut Digest) {
    for ray in c.rays().into_iter().step_by(3) {
        let hits = cast_ray_all(&mut c.a, ray).found;
        digest.count(hits.len());
        hits.iter().for_each(|hit| take_hit(digest, hit));
    }
}

fn ask_ray_hit_details(c: &mut Couple, digest: &mut Digest) {
    let rays = c.rays();
    for hit in cast_rays(&mut c.a, &rays).found.into_iter().flatten() {
        let details = ray_hit_details(&mut c.a, hit);
        [details.point, details.normal, details.rest_point].into_iter().for_each(|v| digest.vec3(v));
        details.uv.iter().flat_map(|uv| uv.to_array()).for_each(|x| digest.f32(x));
        details.joints.iter().for_each(|&(joint, weight)| {
            digest.u32(joint.0);
            digest.f32(weight);
        });
    }
}

fn ask_closest_point(c: &mut Couple, digest: &mut Digest) {
    for point in c.points() {
        for max in [Distance::UNLIMITED, Distance::new(c.size * 0.1).unwrap()] {
            let closest = closest_point(&mut c.a, Point::new(point).unwrap(), max).found;
            digest.bool(closest.is_some());
            if let Some(closest) = closest {
                digest.u32(closest.triangle);
                digest.vec3(closest.point);
                closest.barycentrics.into_iter().for_each(|x| digest.f32(x));
                digest.f32(closest.distance);
            }
        }
    }
}

fn ask_locate_point(c: &mut Couple, digest: &mut Digest) {
    for point in c.points() {
        match locate_point(&mut c.a, Point::new(point).unwrap()) {
            Ok(answer) => {
                let location = answer.found;
                digest.bool(location.on_surface);
                digest.u32(location.crossings);
                digest.u32(location.winding as u32);
            }
            Err(_) => digest.u32(u32::MAX),
        }
    }
}

fn ask_overlap(c: &mut Couple, digest: &mut Digest) {
    let (center, size) = (c.bound.center(), c.size);
    let turned = Isometry::new(DQuat::from_rotation_z(0.4), center.as_dvec3());
    let corners = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z].map(|v| center + (v - 0.3) * size * 0.4);
    let probes = [
        Probe::sphere(center, size * 0.15).unwrap(),
        Probe::capsule([c.bound.min, c.bound.max], size * 0.03).unwrap(),
        Probe::cuboid(turned, Vec3::new(0.2, 0.1, 0.3) * size).unwrap(),
        Probe::hull(&corners).unwrap(),
    ];
    for probe in probes {
        let triangles = overlap(&mut c.a, &probe).found;
        digest.count(triangles.len());
        triangles.into_iter().for_each(|triangle| digest.u32(triangle));
        digest.bool(overlap_any(&mut c.a, &probe).found.is_some());
    }
}

fn ask_set_vertices(c: &mut Couple, digest: &mut Digest) {
    let positions = c.a.positions();
    for update in [VertexUpdate::Hybrid, VertexUpdate::BottomUp] {
        c.a.set_vertices(&positions, update).unwrap();
        digest.pairs(&collide(&mut c.a, &mut c.b).found);
    }
}

fn ask_scene(c: &mut Couple, digest: &mut Digest) {
    let mut scene = Scene::new();
    for share in [0.0, 0.5, 0.9] {
        c.aside(share);
        scene.insert(c.b.clone(), Groups::ALL);
    }
    for touching in scene.collide().found {
        digest.pairs(&touching.pairs);
    }
}

fn history_of(c: &Couple) -> PoseHistory {
    let mut history = PoseHistory::of_poses(&c.a, 4).unwrap();
    for tick in 0..4u8 {
        let pose = &c.poses[usize::from(tick % 2)];
        history.record_pose(f64::from(tick), pose, c.placement(0.3 * f32::from(tick))).unwrap();
    }
    history
}

fn ask_history(c: &mut Couple, digest: &mut Digest) {
    let history = history_of(c);
    let mut spare = Body::new(&c.shape, c.skinning).unwrap();
    for time in [0.0, 1.25, 2.5] {
        digest.bool(history.rewind(&mut spare, time).is_ok());
        spare.positions().into_iter().for_each(|p| digest.vec3(p));
    }
}

fn ask_history_bound(c: &mut Couple, digest: &mut Digest) {
    let history = history_of(c);
    for time in [0.0, 1.25, 2.5] {
        let bound = history.bound_at(time).unwrap();
        digest.vec3(bound.min);
        digest.vec3(bound.max);
    }
}

fn ask_budget(c: &mut Couple, digest: &mut Digest) {
    let hasty = CollideOptions::default().with_budget(Budget::visits(300));
    let partial = collide_with(&mut c.a, &mut c.b, &hasty).found;
    digest.pairs(&partial.pairs);
    for open in partial.open {
        open.nodes.into_iter().for_each(|node| digest.u32(node.0));
        open.bounds.iter().flat_map(|bound| [bound.min, bound.max]).for_each(|corner| digest.vec3(corner));
    }
}

fn ask_spheres(c: &mut Couple, digest: &mut Digest) {
    for contact in sphere_contacts(&mut c.a, &mut c.b, [2, 3]).found {
        digest.pairs(&[contact.nodes.map(|node| node.0)]);
        for sphere in contact.spheres {
            digest.vec3(sphere.center);
            digest.f32(sphere.radius);
        }
    }
    for contact in sphere_triangle_contacts(&mut c.a, &mut c.b, 2).found {
        digest.pairs(&[[contact.node.0, contact.triangle]]);
    }
    let plane = Plane::new(Vec3::Y, c.bound.center().y).unwrap();
    for contact in sphere_plane_contacts(&mut c.a, plane, 3).found {
        digest.u32(contact.node.0);
        digest.vec3(contact.sphere.center);
        digest.f32(contact.sphere.radius);
    }
}
