//! The questions: one function per query, all of them asked of two copies of a model in every way of skinning.

use std::collections::BTreeMap;
use std::sync::Arc;

use glam::{DQuat, DVec3, Vec3};
use supple::math::{Aabb, Isometry};
use supple::model::Model;
use supple::narrow::{Plane, Probe, Ray, RayHit, RayOptions};
use supple::pose::{Motion, Pose};
use supple::query::{Budget, collide_within, contact_details, ray_hit_details};
use supple::scene::{Groups, Scene};
use supple::{
    Body, BuildOptions, PoseHistory, SelfFilter, Shape, Skinning, Update, ball_contacts, ball_plane_contacts,
    ball_triangle_contacts, cast_ray_all, cast_ray_any, cast_rays, closest_point, collide, distance,
    first_contact, overlap, overlaps_any, pairs_within, point_inside, self_collide, time_of_contact,
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
    ("time_of_contact", ask_time_of_contact),
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
        self.b.set_pose_and_place(&self.poses[1], placement).unwrap();
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
        digest.pairs(&collide(&mut c.a, &mut c.b).pairs);
    }
}

fn ask_collide_any(c: &mut Couple, digest: &mut Digest) {
    for share in [0.4, 0.9, 3.0] {
        c.aside(share);
        // Which one depends on the order of the walk.
        digest.bool(first_contact(&mut c.a, &mut c.b).0.is_some());
    }
}

fn details(c: &mut Couple, digest: &mut Digest) {
    let pairs = collide(&mut c.a, &mut c.b).pairs;
    for &pair in pairs.iter().step_by(pairs.len() / 20 + 1) {
        let details = contact_details(&mut c.a, &mut c.b, pair).unwrap();
        details.segment.into_iter().for_each(|p| digest.vec3(p));
        for side in [details.a, details.b] {
            digest.u32(side.triangle);
            side.barycentrics.iter().flatten().for_each(|&x| digest.f32(x));
            side.rest_points.into_iter().for_each(|p| digest.vec3(p));
            side.joints.iter().for_each(|&(joint, weight)| {
                digest.u32(joint);
                digest.f32(weight);
            });
        }
    }
}

fn ask_closest_points(c: &mut Couple, digest: &mut Digest) {
    for share in [0.4, 2.5] {
        c.aside(share);
        let closest = distance(&mut c.a, &mut c.b).closest.unwrap();
        digest.pairs(&[closest.triangles]);
        digest.f32(closest.distance as f32);
        closest.points.into_iter().for_each(|p| digest.vec3(p.as_vec3()));
    }
}

fn ask_pairs_within(c: &mut Couple, digest: &mut Digest) {
    c.aside(0.9);
    let pairs = pairs_within(&mut c.a, &mut c.b, c.size * 2e-3).pairs;
    digest.count(pairs.len());
    for near in pairs {
        digest.pairs(&[near.triangles]);
        digest.f32(near.distance as f32);
        near.points.into_iter().for_each(|p| digest.vec3(p.as_vec3()));
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
    match time_of_contact(&mut c.a, &still, &mut c.b, &motion, c.size * 1e-3) {
        Ok(found) => {
            digest.bool(found.contact.is_some());
            if let Some(contact) = found.contact {
                digest.f32(rounded_down(contact.time));
                digest.pairs(&[contact.closest.triangles]);
                digest.f32(contact.closest.distance as f32);
            }
        }
        Err(_) => digest.u32(u32::MAX),
    }
}

fn rounded_down(time: f64) -> f32 {
    let nearest = time as f32;
    if f64::from(nearest) > time { nearest.next_down() } else { nearest }
}

fn ask_self_collide(c: &mut Couple, digest: &mut Digest) {
    let by_joints = SelfFilter { same_joint: true, parent_and_child: true, ..SelfFilter::default() };
    let by_rings = SelfFilter { adjacent_rings: 2, ..SelfFilter::default() };
    for filter in [SelfFilter::default(), by_joints, by_rings] {
        digest.pairs(&self_collide(&mut c.a, &filter).unwrap().pairs);
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
    for hit in cast_rays(&mut c.a, &rays, &RayOptions::default()).0 {
        digest.bool(hit.is_some());
        hit.iter().for_each(|hit| take_hit(digest, hit));
    }
}

fn ask_cast_ray_any(c: &mut Couple, digest: &mut Digest) {
    let half_way = RayOptions { max_time: c.size * 1.5, ..RayOptions::default() };
    for ray in c.rays() {
        digest.bool(cast_ray_any(&mut c.a, &ray, &half_way).0.is_some());
    }
}

fn ask_cast_ray_all(c: &mut Couple, digest: &mut Digest) {
    for ray in c.rays().iter().step_by(3) {
        let hits = cast_ray_all(&mut c.a, ray, &RayOptions::default()).0;
        digest.count(hits.len());
        hits.iter().for_each(|hit| take_hit(digest, hit));
    }
}

fn ask_ray_hit_details(c: &mut Couple, digest: &mut Digest) {
    let rays = c.rays();
    for hit in cast_rays(&mut c.a, &rays, &RayOptions::default()).0.into_iter().flatten() {
        let details = ray_hit_details(&mut c.a, &hit);
        [details.point, details.normal, details.rest_point].into_iter().for_each(|v| digest.vec3(v));
        details.uv.iter().flat_map(|uv| uv.to_array()).for_each(|x| digest.f32(x));
        details.joints.iter().for_each(|&(joint, weight)| {
            digest.u32(joint);
            digest.f32(weight);
        });
    }
}

fn ask_closest_point(c: &mut Couple, digest: &mut Digest) {
    for point in c.points() {
        for limit in [f32::INFINITY, c.size * 0.1] {
            let closest = closest_point(&mut c.a, point, limit).0;
            digest.bool(closest.is_some());
            if let Some(closest) = closest {
                digest.u32(closest.triangle);
                digest.vec3(closest.point.as_vec3());
                closest.barycentrics.into_iter().for_each(|x| digest.f32(x as f32));
                digest.f32(closest.distance as f32);
            }
        }
    }
}

fn ask_locate_point(c: &mut Couple, digest: &mut Digest) {
    for point in c.points() {
        match point_inside(&mut c.a, point) {
            Ok((location, _)) => {
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
    let turned = Isometry::new(DQuat::from_rotation_z(0.4), DVec3::from(center.as_dvec3()));
    let corners = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z].map(|v| center + (v - 0.3) * size * 0.4);
    let probes = [
        Probe::ball(center, size * 0.15).unwrap(),
        Probe::capsule([c.bound.min, c.bound.max], size * 0.03).unwrap(),
        Probe::cuboid(turned, Vec3::new(0.2, 0.1, 0.3) * size).unwrap(),
        Probe::hull(&corners).unwrap(),
    ];
    for probe in probes {
        let triangles = overlap(&mut c.a, &probe).0;
        digest.count(triangles.len());
        triangles.into_iter().for_each(|triangle| digest.u32(triangle));
        digest.bool(overlaps_any(&mut c.a, &probe).0);
    }
}

fn ask_set_vertices(c: &mut Couple, digest: &mut Digest) {
    let positions = c.a.positions();
    for update in [Update::Hybrid, Update::BottomUp] {
        c.a.set_vertices(&positions, update).unwrap();
        digest.pairs(&collide(&mut c.a, &mut c.b).pairs);
    }
}

fn ask_scene(c: &mut Couple, digest: &mut Digest) {
    let mut scene = Scene::new();
    for share in [0.0, 0.5, 0.9] {
        c.aside(share);
        scene.insert(c.b.clone(), Groups::ALL);
    }
    for touching in scene.collide_all(|_, _| true).touching {
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
    let partial = collide_within(&mut c.a, &mut c.b, &Budget::visits(300));
    digest.pairs(&partial.pairs);
    for open in partial.open {
        open.nodes.into_iter().for_each(|node| digest.count(node));
        open.bounds.iter().flat_map(|bound| [bound.min, bound.max]).for_each(|corner| digest.vec3(corner));
    }
}

fn ask_spheres(c: &mut Couple, digest: &mut Digest) {
    let mut contacts = Vec::new();
    ball_contacts(&mut c.a, &mut c.b, [2, 3], &mut contacts);
    for contact in contacts {
        digest.pairs(&[contact.nodes]);
        for sphere in contact.balls {
            digest.vec3(sphere.center);
            digest.f32(sphere.radius);
        }
    }
    let mut contacts = Vec::new();
    ball_triangle_contacts(&mut c.a, 2, &mut c.b, &mut contacts);
    for contact in contacts {
        digest.pairs(&[[contact.node, contact.triangle]]);
    }
    let mut contacts = Vec::new();
    let plane = Plane::new(Vec3::Y, c.bound.center().y).unwrap();
    ball_plane_contacts(&mut c.a, 3, &plane, &mut contacts);
    for contact in contacts {
        digest.u32(contact.node);
        digest.vec3(contact.ball.center);
        digest.f32(contact.ball.radius);
    }
}
