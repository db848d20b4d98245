//! Rays on posed bodies against brute force: complete sorted results, on the zoo, on real files and on hostile models.

use std::sync::Arc;

use crate::subjects::cases::cases;
use crate::subjects::characters::{pose_at, shape_of};
use crate::subjects::random_model::{Random, RestKind, random_model, random_pose};
use crate::subjects::zoo::{detailed, zoo};
use glam::{Vec2, Vec3};
use supple::math::{Aabb, Isometry};
use supple::mesh::Mesh;
use supple::model::Model;
use supple::narrow::ray_crosses;
use supple::oracle::{self, PosedMesh};
use supple::pose::{JointId, Pose};
use supple::{
    Body, BuildOptions, Point, QueryStats, Ray, RayError, RayHit, Shape, Skinning, cast_ray, cast_ray_all,
    cast_ray_any, cast_rays, locate_point, ray_hit_details,
};

/// A body with the positions that brute force starts from.
struct Posed {
    body: Body,
    positions: Vec<Vec3>,
    bounds: Aabb,
    name: String,
}

impl Posed {
    fn new(name: &str, shape: &Arc<Shape>, skinning: Skinning, pose: &Pose, place: Isometry) -> Self {
        let mut body = Body::new(shape, skinning).unwrap();
        body.set_pose_at(pose, place).unwrap();
        let positions = shape.model().posed_at(pose, skinning, place).unwrap().positions();
        let bounds = Aabb::from_points(positions.iter().copied());
        Self { body, positions, bounds, name: format!("{name} {skinning:?}") }
    }

    fn mesh(&self) -> &Mesh {
        self.body.shape().model().mesh()
    }

    fn triangle(&self, triangle: u32) -> [Vec3; 3] {
        self.mesh().triangles()[triangle as usize].map(|v| self.positions[v as usize])
    }

    /// All ways to ask agree with brute force; returns all hits.
    fn check(&mut self, ray: Ray) -> Vec<RayHit> {
        let expected = oracle::cast_ray_all(PosedMesh::new(self.mesh(), &self.positions), ray);
        let (body, name) = (&mut self.body, &self.name);
        assert_eq!(cast_ray_all(body, ray).found, expected, "{name} {ray:?}");
        assert_eq!(cast_ray(body, ray).found, expected.first().copied(), "{name} {ray:?}");
        let any = cast_ray_any(body, ray).found;
        assert_eq!(any.is_some(), !expected.is_empty(), "{name} {ray:?}");
        assert!(any.is_none_or(|hit| expected.contains(&hit)), "{name} {ray:?}");
        expected
    }

    /// A point of the box, or up to half its size beside it.
    fn point_about(&self, random: &mut Random) -> Vec3 {
        self.bounds.center() + self.bounds.half_extents() * random.vec3() * 1.5
    }

    /// A ray from a sphere around the body to a point in its box.
    fn aimed(&self, random: &mut Random) -> Ray {
        let radius = self.bounds.half_extents().length() * 2.0;
        let origin = self.bounds.center() + random.rotation() * Vec3::X * radius;
        let target = self.bounds.center() + self.bounds.half_extents() * random.vec3();
        Ray::new(origin, target - origin).unwrap()
    }

    fn vertex(&self, random: &mut Random) -> Vec3 {
        let triangle = self.triangle(random.below(self.mesh().triangles().len()) as u32);
        triangle[random.below(3)]
    }

    /// The middle of an edge, if it is an f32 point.
    fn middle(&self, random: &mut Random) -> Option<Vec3> {
        let [a, b, _] = self.triangle(random.below(self.mesh().triangles().len()) as u32);
        let middle = (a.as_dvec3() + b.as_dvec3()) * 0.5;
        (middle.as_vec3().as_dvec3() == middle).then(|| middle.as_vec3())
    }

    /// Aimed, parallel to axes, from the surface, through vertices: `count` of each.
    fn rays(&self, random: &mut Random, count: usize) -> Vec<Ray> {
        let mut rays = Vec::new();
        for i in 0..count {
            rays.push(self.aimed(random));
            let (vertex, point) = (self.vertex(random), self.point_about(random));
            let axis = Vec3::AXES[i % 3] * if i % 2 == 0 { 1.0 } else { -1.0 };
            rays.extend(Ray::new(point, axis * 0.3));
            // Parallel to an axis and exactly through a vertex, in a plane of many boxes' faces; parallel to two axes.
            let away = self.bounds.half_extents().max_element() * 3.0;
            let mut origin = vertex;
            origin[i % 3] = self.bounds.center()[i % 3] - away * axis[i % 3];
            rays.extend(Ray::new(origin, axis));
            rays.extend(Ray::new(origin, axis + Vec3::AXES[(i + 1) % 3] * 0.7));
            rays.extend(Ray::new(vertex, random.vec3()));
            rays.extend(through(vertex, random));
            rays.extend(self.middle(random).and_then(|middle| through(middle, random)));
        }
        rays
    }
}

/// A ray that is exactly at a point at time 1: `origin = point - direction` is exact where they differ by a factor of two at
/// most.
fn through(point: Vec3, random: &mut Random) -> Option<Ray> {
    let factors = Vec3::ONE + random.vec3() * 0.45;
    let direction = point * factors;
    let ray = Ray::new(point - direction, direction).ok()?;
    let exact = ray.origin().as_dvec3() + direction.as_dvec3() == point.as_dvec3();
    exact.then_some(ray)
}

/// Returns how many of the aimed rays hit.
fn check_character(name: &str, shape: &Arc<Shape>, rounds: usize) -> usize {
    let mut hits = 0;
    for (i, skinning) in Skinning::ALL.into_iter().enumerate() {
        let pose = pose_at(shape.model(), i, 0.3);
        let mut posed = Posed::new(name, shape, skinning, &pose, Isometry::IDENTITY);
        let mut random = Random(i as u64);
        for ray in posed.rays(&mut random, rounds) {
            let found = posed.check(ray);
            hits += usize::from(!found.is_empty());
            let fronts: Vec<_> = found.iter().filter(|hit| !hit.back).copied().collect();
            assert_eq!(posed.check(ray.front_faces_only()), fronts);
            if let Some(hit) = found.get(random.below(found.len().max(1))) {
                let within: Vec<_> = found.iter().filter(|h| h.time <= hit.time).copied().collect();
                assert_eq!(posed.check(ray.until(hit.time).unwrap()), within, "a hit at the very end counts");
                match ray.until(hit.time.next_down()) {
                    Ok(before) => {
                        let within: Vec<_> = found.iter().filter(|h| h.time < hit.time).copied().collect();
                        assert_eq!(posed.check(before), within);
                    }
                    Err(_) => assert_eq!(hit.time, 0.0, "nothing ends before it starts"),
                }
            }
        }
    }
    hits
}

#[test]
fn the_whole_zoo() {
    for kind in supple_zoo::kinds() {
        // Brute force looks at every triangle for every ray.
        let rounds = if kind.triangles < 100_000 { cases(8, 40) } else { cases(2, 4) };
        let hits = check_character(kind.name, &zoo(kind.name), rounds);
        assert!(hits > 5 * rounds, "{}: {hits}", kind.name);
    }
}

#[test]
fn thousands_of_rays_on_the_man() {
    let shape = zoo("man");
    let pose = pose_at(shape.model(), 0, 0.4);
    let place = Isometry::from_translation(Vec3::new(30.0, -2.0, 0.1));
    let mut posed = Posed::new("man", &shape, Skinning::DualQuaternion, &pose, place);
    let mut random = Random(9);
    let hits: usize = (0..cases(1000, 3000)).map(|_| posed.check(posed.aimed(&mut random)).len()).sum();
    assert!(hits > cases(300, 1000));
}

#[test]
fn real_files() {
    let Some(folder) = crate::assets::assets() else { return };
    for file in [
        "khronos/CesiumMan.glb",
        "khronos/Fox.glb",
        "khronos/SimpleMorph.gltf",
        "khronos/MorphStressTest.glb",
        "hands/aframe_leftHandHigh.glb",
        "rocketbox/rocketbox_Male_Adult_01.glb",
        "vrm/100Avatars_013_Mint.vrm",
        "kaykit/Knight.glb",
    ] {
        let shape = shape_of(supple_io::load(folder.join(file)).unwrap());
        assert!(check_character(file, &shape, 12) > 20, "{file}");
    }
}

/// From inside a closed body no ray gets out without a hit, not even exactly through corners and edges.
#[test]
fn closed_bodies_do_not_leak() {
    let mut escapes_tried = 0;
    for name in ["man", "creature", "hand", "dolphin"] {
        let shape = zoo(name);
        assert_eq!(shape.model().edge_counts().odd, 0, "{name} is closed");
        for (i, skinning) in Skinning::ALL.into_iter().enumerate() {
            let pose = pose_at(shape.model(), 0, 0.2 * i as f64);
            let mut posed = Posed::new(name, &shape, skinning, &pose, Isometry::IDENTITY);
            let mut random = Random(i as u64 + 40);
            for round in 0..cases(150, 600) {
                let target =
                    if round % 2 == 0 { Some(posed.vertex(&mut random)) } else { posed.middle(&mut random) };
                let Some(target) = target else { continue };
                let mut axial = target;
                axial[round % 3] += posed.bounds.half_extents().length() * random.signed();
                let to_target = Ray::new(axial, target - axial).ok();
                for ray in [through(target, &mut random), to_target].into_iter().flatten() {
                    let origin = Point::new(ray.origin()).unwrap();
                    let location = locate_point(&mut posed.body, origin).unwrap().found;
                    let hits = posed.check(ray);
                    if location.is_inside() || location.winding != 0 {
                        assert!(!hits.is_empty(), "{name}: {ray:?} leaks");
                        escapes_tried += 1;
                    }
                    // Every triangle at the target is hit unless the ray is in its plane.
                    for triangle in 0..posed.mesh().triangles().len() as u32 {
                        let corners = posed.triangle(triangle);
                        if corners.contains(&target) && ray_crosses(&ray, &corners).is_some() {
                            assert!(hits.iter().any(|hit| hit.triangle == triangle));
                        }
                    }
                }
            }
        }
    }
    assert!(escapes_tried > cases(250, 1000), "{escapes_tried}");
}

/// A ray from outside enters as often as it leaves.
#[test]
fn rays_from_outside_enter_as_often_as_they_leave() {
    for name in ["man", "creature", "dolphin"] {
        let shape = zoo(name);
        let pose = pose_at(shape.model(), 0, 0.5);
        let mut posed = Posed::new(name, &shape, Skinning::Spherical, &pose, Isometry::IDENTITY);
        let mut random = Random(5);
        for _ in 0..cases(300, 1000) {
            let ray = posed.aimed(&mut random);
            let hits = cast_ray_all(&mut posed.body, ray).found;
            // Through an edge a ray hits two triangles.
            if hits.iter().all(|hit| !hit.barycentrics.contains(&0.0)) {
                assert_eq!(hits.iter().filter(|hit| hit.back).count() * 2, hits.len(), "{name} {ray:?}");
            }
        }
    }
}

#[test]
fn rays_from_the_surface_hit_it_at_once() {
    let shape = zoo("creature");
    let pose = pose_at(shape.model(), 0, 0.1);
    let mut posed = Posed::new("creature", &shape, Skinning::Linear, &pose, Isometry::IDENTITY);
    let mut random = Random(1);
    for _ in 0..cases(100, 300) {
        let ray = Ray::new(posed.vertex(&mut random), random.vec3()).unwrap();
        let hits = posed.check(ray.until(0.0).unwrap());
        assert!(hits.len() > 2 && hits.iter().all(|hit| hit.time == 0.0 && hit.barycentrics.contains(&1.0)));
    }
}

/// Only the length of the direction changes: the same hits, the times divided.
#[test]
fn huge_and_tiny_directions() {
    let shape = zoo("man");
    let pose = pose_at(shape.model(), 0, 0.1);
    let mut posed = Posed::new("man", &shape, Skinning::Linear, &pose, Isometry::IDENTITY);
    let mut random = Random(2);
    for ray in posed.rays(&mut random, cases(15, 60)) {
        let hits = posed.check(ray);
        // Without components that would become subnormal.
        let least =
            ray.direction().to_array().into_iter().filter(|&x| x != 0.0).map(f32::abs).reduce(f32::min);
        for exponent in [-100, -20, 20, 100] {
            let scale = 2f32.powi(exponent);
            if least.unwrap() * scale < f32::MIN_POSITIVE {
                continue;
            }
            let scaled = Ray::new(ray.origin(), ray.direction() * scale).unwrap();
            let expected: Vec<_> =
                hits.iter().map(|hit| RayHit { time: hit.time * 2f32.powi(-exponent), ..*hit }).collect();
            assert_eq!(posed.check(scaled), expected, "{scaled:?}");
        }
        // The smallest directions that there are: components lose digits, brute force loses the same.
        if let Ok(tiny) = Ray::new(ray.origin(), ray.direction() * 1e-44) {
            posed.check(tiny);
        }
        // Nearly parallel to planes of axes.
        let steep = Vec3::new(1.0, 1e-25, f32::from_bits(1));
        posed.check(Ray::new(ray.origin(), ray.direction() * steep + Vec3::Y * 1e-44).unwrap());
    }
}

#[test]
fn coordinates_of_any_size() {
    let mut hits = 0;
    for size in [1e-40f32, 1e-30, 1e-10, 1e10, 3e17] {
        for seed in 0..6 {
            let model = crate::subjects::random_model::sized_model(seed, RestKind::Plain, size * 0.01);
            let pose = random_pose(&model, seed, false);
            let shape = shape_of(model);
            let Ok(mut body) = Body::new(&shape, Skinning::Linear) else { continue };
            if body.set_pose(&pose).is_err() {
                continue;
            }
            let positions = body.positions();
            let bounds = Aabb::from_points(positions.iter().copied());
            let mut posed = Posed { body, positions, bounds, name: format!("size {size:e}") };
            let mut random = Random(seed);
            for _ in 0..60 {
                let target = posed.vertex(&mut random) * 0.6 + posed.vertex(&mut random) * 0.4;
                let origin = posed.point_about(&mut random) * 3.0;
                for ray in [Ray::new(origin, target - origin), Ray::new(origin, random.vec3())] {
                    hits += ray.map_or(0, |ray| posed.check(ray).len());
                }
                // From as far away as there is.
                if let Ok(ray) = Ray::new(random.vec3() * f32::MAX, random.vec3() * f32::MAX) {
                    posed.check(ray);
                }
            }
        }
    }
    assert!(hits > 1000, "{hits}");
}

#[test]
fn small_hostile_models() {
    let mut hits = 0;
    for seed in 0..20 {
        for kind in RestKind::ALL {
            let model = random_model(seed, kind);
            let pose = random_pose(&model, seed, seed % 2 == 0);
            let shape = shape_of(model);
            for skinning in Skinning::ALL {
                let mut posed = Posed::new("random", &shape, skinning, &pose, Isometry::IDENTITY);
                for ray in posed.rays(&mut Random(seed), 10) {
                    hits += posed.check(ray).len();
                }
            }
        }
    }
    assert!(hits > 10_000, "{hits}");
}

/// Corners on a coarse grid: rays along edges, in planes, through corners, on flat triangles.
#[test]
fn exact_degeneracies_on_a_grid() {
    let mut hits = 0;
    for seed in 0..40 {
        let size = 2 + (seed % 5) as usize;
        let mut random = Random(seed);
        let mut point = || Vec3::from([(); 3].map(|()| random.below(size) as f32));
        let positions: Vec<Vec3> = (0..180).map(|_| point()).collect();
        let triangles = (0..60).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
        let model = Model::rigid(Mesh::new(positions, triangles).unwrap());
        let leaf_size = 1 + seed as usize % 8;
        let options = BuildOptions::default().with_leaf_size(leaf_size);
        let shape = Arc::new(Shape::build(model, &options).unwrap());
        let pose = shape.model().rest_pose();
        let mut posed = Posed::new("grid", &shape, Skinning::Linear, &pose, Isometry::IDENTITY);
        for _ in 0..400 {
            let (origin, direction) = (point() * 2.0 - Vec3::ONE, point() - point());
            if let Ok(ray) = Ray::new(origin, direction) {
                hits += posed.check(ray).len();
            }
        }
    }
    assert!(hits > 10_000, "{hits}");
}

#[test]
fn among_equal_times_the_smallest_triangle_is_first() {
    let positions = vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::NEG_X, Vec3::NEG_Y];
    let triangles = vec![[2, 3, 0], [0, 3, 4], [0, 1, 2], [0, 4, 1], [0, 1, 2]];
    let shape = shape_of(Model::rigid(Mesh::new(positions, triangles).unwrap()));
    let mut body = Body::new(&shape, Skinning::Linear).unwrap();
    let ray = Ray::new(Vec3::Z * 2.0, Vec3::NEG_Z).unwrap();
    let hits = cast_ray_all(&mut body, ray).found;
    assert_eq!(hits.iter().map(|hit| hit.triangle).collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
    assert_eq!(cast_ray(&mut body, ray).found, Some(hits[0]));
    let ray = Ray::new(Vec3::new(0.2, 0.2, 2.0), Vec3::NEG_Z).unwrap();
    assert_eq!(cast_ray(&mut body, ray).found.unwrap().triangle, 2);
}

#[test]
fn bad_arguments_are_refused() {
    for origin in [Vec3::NAN, Vec3::X * f32::INFINITY] {
        assert!(matches!(Ray::new(origin, Vec3::X), Err(RayError::Origin(_))));
    }
    for direction in [Vec3::ZERO, -Vec3::ZERO, Vec3::NAN, Vec3::Y * f32::NEG_INFINITY] {
        let error = Ray::new(Vec3::ZERO, direction).unwrap_err();
        assert!(error.to_string().contains("direction"), "{error}");
    }
    let shape = zoo("blob");
    let pose = shape.model().rest_pose();
    let mut posed = Posed::new("blob", &shape, Skinning::Linear, &pose, Isometry::IDENTITY);
    let ray = Ray::new(posed.bounds.center(), Vec3::X).unwrap();
    assert!(!posed.check(ray).is_empty());
    for max_time in [f32::NAN, -1.0, f32::NEG_INFINITY, -f32::MIN_POSITIVE] {
        let error = ray.until(max_time).unwrap_err();
        assert!(matches!(error, RayError::MaxTime(time) if time.to_bits() == max_time.to_bits()), "{error}");
        assert!(
            error.to_string().ends_with(&format!("must be a number that is not negative, it is {max_time}"))
        );
    }
    for max_time in [0.0, -0.0, f32::MIN_POSITIVE] {
        assert!(posed.check(ray.until(max_time).unwrap()).is_empty(), "{max_time}");
    }
    assert_eq!(posed.check(ray.until(f32::INFINITY).unwrap()), posed.check(ray));
    assert!(Ray::segment(Vec3::X, Vec3::X).is_err() && Ray::segment(Vec3::X, Vec3::NAN).is_err());
    let none = cast_rays(&mut posed.body, &[]);
    assert_eq!((none.found, none.stats), (vec![], QueryStats::default()));
}

#[test]
fn many_rays_are_many_times_one_ray() {
    let shape = zoo("creature");
    let pose = pose_at(shape.model(), 0, 0.7);
    let mut posed = Posed::new("creature", &shape, Skinning::DualQuaternion, &pose, Isometry::IDENTITY);
    let rays = posed.rays(&mut Random(3), 300);
    let many = cast_rays(&mut posed.body, &rays);
    for (ray, hit) in rays.iter().zip(&many.found) {
        // A body that has seen no other ray answers the same.
        posed.body.set_pose(&pose).unwrap();
        assert_eq!(cast_ray(&mut posed.body, *ray).found, *hit);
    }
    posed.body.set_pose(&pose).unwrap();
    assert_eq!(cast_rays(&mut posed.body, &rays), many, "same input, same output");
}

/// The same body, with nothing computed yet.
#[cfg(feature = "rayon")]
fn fresh(body: &Body) -> Body {
    let mut body = body.clone();
    body.set_placement(body.placement()).unwrap();
    body
}

#[cfg(feature = "rayon")]
#[test]
fn threads_change_nothing() {
    let shape = zoo("creature");
    let pose = pose_at(shape.model(), 0, 0.7);
    let mut posed = Posed::new("creature", &shape, Skinning::Linear, &pose, Isometry::IDENTITY);
    let rays = posed.rays(&mut Random(4), 200);
    assert!(rays.len() > 1024, "as many as several threads are used for: {}", rays.len());
    let one_by_one = |ray: &Ray| cast_ray(&mut posed.body, *ray).found;
    let expected: Vec<_> = rays.iter().map(one_by_one).collect();
    let counted = cast_rays(&mut fresh(&posed.body), &rays).stats;
    for threads in [1, 2, 3, 8] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        for count in [0, 1, 5, 511, 512, 513, rays.len()] {
            let own = pool.install(|| cast_rays(&mut fresh(&posed.body), &rays[..count]));
            assert_eq!(own.found, expected[..count], "{threads} threads, {count} rays");
            assert!(count < rays.len() || own.stats == counted, "{threads} threads: {:?}", own.stats);
        }
    }
    assert_eq!(cast_rays(&mut posed.body, &rays).found, expected);
}

#[test]
fn a_ray_looks_at_little() {
    let shape = detailed("creature", 1);
    let vertices = shape.model().mesh().positions().len() as u64;
    let pose = pose_at(shape.model(), 0, 0.7);
    let mut posed = Posed::new("creature", &shape, Skinning::Linear, &pose, Isometry::IDENTITY);
    let mut random = Random(6);
    let mut total = QueryStats::default();
    for _ in 0..100 {
        posed.body.set_pose(&pose).unwrap();
        let ray = posed.aimed(&mut random);
        total += cast_ray(&mut posed.body, ray).stats;
    }
    println!("a hundred rays: {total:?}");
    assert!(total.vertices_deformed < vertices, "a hundredth of the mesh per ray: {total:?}");
    assert!(total.triangle_tests < 500, "{total:?}");
    // What is known is not computed again.
    let ray = posed.aimed(&mut random);
    cast_ray(&mut posed.body, ray);
    let again = cast_ray(&mut posed.body, ray).stats;
    assert_eq!((again.refits, again.vertices_deformed), (0, 0));
}

#[test]
fn details_of_a_hit() {
    let positions = vec![Vec3::ZERO, Vec3::X * 2.0, Vec3::Y * 2.0];
    let uvs = vec![Vec2::ZERO, Vec2::X, Vec2::Y];
    let mesh = Mesh::new(positions, vec![[0, 1, 2]]).unwrap().with_uvs(uvs).unwrap();
    let shape = shape_of(Model::rigid(mesh));
    let mut body = Body::new(&shape, Skinning::Linear).unwrap();
    body.set_placement(Isometry::from_translation(Vec3::Z * 3.0)).unwrap();
    let ray = Ray::new(Vec3::new(0.5, 1.0, 1.0), Vec3::Z).unwrap();
    let hit = cast_ray(&mut body, ray).found.unwrap();
    assert_eq!((hit.time, hit.back), (2.0, true));
    let details = ray_hit_details(&mut body, hit);
    assert_eq!((details.point, details.normal), (Vec3::new(0.5, 1.0, 3.0), Vec3::Z));
    assert_eq!((details.rest_point, details.uv), (Vec3::new(0.5, 1.0, 0.0), Some(Vec2::new(0.25, 0.5))));
    assert_eq!(details.joints, [(JointId(0), 1.0)]);
}

#[test]
fn details_on_characters() {
    let shape = zoo("man");
    let pose = pose_at(shape.model(), 0, 0.3);
    let mut posed = Posed::new("man", &shape, Skinning::DualQuaternion, &pose, Isometry::IDENTITY);
    let mut random = Random(8);
    let mut seen = 0;
    for _ in 0..200 {
        let ray = posed.aimed(&mut random);
        let Some(hit) = cast_ray(&mut posed.body, ray).found else { continue };
        let details = ray_hit_details(&mut posed.body, hit);
        assert!(details.point.distance(ray.point_at(hit.time)) < 1e-4);
        assert!((details.normal.length() - 1.0).abs() < 1e-6);
        assert_eq!(details.normal.dot(ray.direction()) > 0.0, hit.back);
        let weight: f32 = details.joints.iter().map(|(_, weight)| weight).sum();
        assert!((weight - 1.0).abs() < 1e-5 && details.joints.is_sorted_by(|a, b| a.1 >= b.1));
        assert!(posed.bounds.contains(details.point) && details.uv.is_none());
        seen += 1;
    }
    assert!(seen > 20, "{seen}");
}
