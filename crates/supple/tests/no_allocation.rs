//! After warm-up queries allocate nothing, and histories neither.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use supple::refit::VolumeKind;
use supple::{
    Body, BuildOptions, CollideOptions, Distance, Isometry, Plane, Point, PoseHistory, Ray, Shape, Skinning,
    VertexUpdate, cast_ray, cast_ray_any, closest_point, closest_points, collide_any, collide_any_near,
    collide_into, collide_with, locate_point, sphere_contacts_into, sphere_plane_contacts_into,
    sphere_triangle_contacts_into,
};

struct Counting;

static ALLOCATIONS: AtomicUsize = AtomicUsize::new(0);

// SAFETY: passes everything on to the system's allocator.
#[allow(unsafe_code, reason = "a counting allocator cannot be written without")]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: as the caller promised.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as the caller promised.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// The only test of this binary: nothing else allocates while it counts.
#[test]
fn nothing_is_allocated_after_warm_up() {
    queries();
    histories();
    given_vertices();
}

fn queries() {
    let model = Arc::new(supple_zoo::make("man", 0).unwrap());
    let shape = Arc::new(Shape::build(Arc::clone(&model), &BuildOptions::default()).unwrap());
    let clip = model.clip("walk").unwrap();
    for skinning in Skinning::ALL {
        let (mut a, mut b) = (Body::new(&shape, skinning).unwrap(), Body::new(&shape, skinning).unwrap());
        let mut pairs = Vec::new();
        let (mut balls, mut triangles, mut planes) = (Vec::new(), Vec::new(), Vec::new());
        let floor = Plane::new(glam::Vec3::Y, 0.1).unwrap();
        let chest = Point::new(glam::Vec3::new(0.0, 1.3, 0.0)).unwrap();
        let aside_of_it = Point::new(glam::Vec3::X).unwrap();
        let ray =
            Ray::new(glam::Vec3::new(0.1, 1.4, 3.0), chest.get() - glam::Vec3::new(0.1, 1.4, 3.0)).unwrap();
        locate_point(&mut a, chest).unwrap();
        let aside = Isometry::from_translation(glam::Vec3::X * 0.3);
        for round in 0..3 {
            for time in [0.0, 0.3, 0.6] {
                a.set_pose(&model.sample(clip, time).unwrap()).unwrap();
                b.set_pose_at(&model.sample(clip, time + 0.2).unwrap(), aside).unwrap();
                let before = ALLOCATIONS.load(Ordering::Relaxed);
                collide_into(&mut a, &mut b, &mut pairs);
                let any = collide_any(&mut a, &mut b).found;
                any.map(|pair| collide_any_near(&mut a, &mut b, pair));
                let hit = cast_ray(&mut a, ray).found;
                cast_ray_any(&mut a, ray);
                locate_point(&mut a, chest).unwrap();
                closest_points(&mut a, &mut b, Distance::UNLIMITED);
                closest_point(&mut a, aside_of_it, Distance::UNLIMITED);
                for level in [2, 4, 9] {
                    sphere_contacts_into(&mut a, &mut b, [level, 3], &mut balls);
                    sphere_triangle_contacts_into(&mut a, &mut b, level, &mut triangles);
                    sphere_plane_contacts_into(&mut a, floor, level, &mut planes);
                    assert!(!balls.is_empty() && !triangles.is_empty() && !planes.is_empty());
                }
                let allocated = ALLOCATIONS.load(Ordering::Relaxed) - before;
                assert!(!pairs.is_empty() && hit.is_some(), "the men meet, the ray hits");
                assert!(round == 0 || allocated == 0, "{skinning:?}: {allocated} allocations");
            }
        }
    }
}

/// Recording, looking up bounds, rewinding a spare body and asking it.
fn histories() {
    let model = Arc::new(supple_zoo::make("man", 0).unwrap());
    let shape = Arc::new(Shape::build(Arc::clone(&model), &BuildOptions::default()).unwrap());
    let clip = model.clip("walk").unwrap();
    for skinning in Skinning::ALL {
        let mut present = Body::new(&shape, skinning).unwrap();
        let mut spare = present.clone();
        let mut poses = PoseHistory::of_poses(&present, 4).unwrap();
        let mut joints = PoseHistory::of_joint_matrices(&present, 4).unwrap();
        // The same motion three times.
        for tick in 0..18 {
            let time = f64::from(tick) * 0.1;
            let pose = model.sample(clip, f64::from(tick % 6) * 0.1).unwrap();
            let matrices = model.skeleton().joint_matrices(&pose, Isometry::IDENTITY).unwrap();
            let place = Isometry::from_translation(glam::Vec3::X * 0.3);
            let before = ALLOCATIONS.load(Ordering::Relaxed);
            poses.record_pose(time, &pose, place).unwrap();
            joints.record_joint_matrices(time, &matrices, &[], place).unwrap();
            let recorded = ALLOCATIONS.load(Ordering::Relaxed) - before;
            assert_eq!(recorded, 0, "{skinning:?}: {recorded} allocations to record");
            let before = ALLOCATIONS.load(Ordering::Relaxed);
            for history in [&poses, &joints] {
                let earlier = (time - 0.05).max(0.0);
                history.bound_at(earlier).unwrap();
                history.rewind(&mut spare, earlier).unwrap();
                collide_any(&mut present, &mut spare);
            }
            let allocated = ALLOCATIONS.load(Ordering::Relaxed) - before;
            assert!(tick < 12 || allocated == 0, "{skinning:?}: {allocated} allocations to rewind");
        }
    }
}

/// Two men whose vertices are given frame by frame, with either update and either volume.
fn given_vertices() {
    let model = Arc::new(supple_zoo::make("man", 0).unwrap());
    let shape = Arc::new(Shape::build(Arc::clone(&model), &BuildOptions::default()).unwrap());
    let clip = model.clip("walk").unwrap();
    let aside = Isometry::from_translation(glam::Vec3::X * 0.3);
    let frames: Vec<Vec<glam::Vec3>> = [0.0, 0.3, 0.6]
        .map(|time| model.posed(&model.sample(clip, time).unwrap(), Skinning::Linear).unwrap().positions())
        .into();
    let spheres = CollideOptions::default().with_volume(VolumeKind::Sphere);
    for update in [VertexUpdate::BottomUp, VertexUpdate::Hybrid] {
        let (mut a, mut b) =
            (Body::new(&shape, Skinning::Linear).unwrap(), Body::new(&shape, Skinning::Linear).unwrap());
        b.set_placement(aside).unwrap();
        let (mut pairs, mut balls, mut triangles) = (Vec::new(), Vec::new(), Vec::new());
        for round in 0..3 {
            for (frame, next) in frames.iter().zip(frames.iter().cycle().skip(1)) {
                let before = ALLOCATIONS.load(Ordering::Relaxed);
                a.set_vertices(frame, update).unwrap();
                b.set_vertices(next, update).unwrap();
                collide_into(&mut a, &mut b, &mut pairs);
                let allocated = ALLOCATIONS.load(Ordering::Relaxed) - before;
                assert!(round == 0 || allocated == 0, "{update:?}: {allocated} allocations");
                // Spheres have no vector to be filled: the pairs themselves are allocated, twice as large each time.
                let before = ALLOCATIONS.load(Ordering::Relaxed);
                let found = collide_with(&mut a, &mut b, &spheres).found;
                let allocated = ALLOCATIONS.load(Ordering::Relaxed) - before;
                assert_eq!(found.pairs, pairs);
                assert!(
                    round == 0 || allocated <= 1 + pairs.len().ilog2() as usize,
                    "{update:?}: {allocated}"
                );
                let before = ALLOCATIONS.load(Ordering::Relaxed);
                collide_any(&mut a, &mut b);
                closest_points(&mut a, &mut b, Distance::UNLIMITED);
                sphere_contacts_into(&mut a, &mut b, [4, 3], &mut balls);
                sphere_triangle_contacts_into(&mut a, &mut b, 3, &mut triangles);
                b.set_placement(aside).unwrap();
                collide_into(&mut a, &mut b, &mut pairs);
                let allocated = ALLOCATIONS.load(Ordering::Relaxed) - before;
                assert!(!pairs.is_empty(), "the men meet");
                assert!(round == 0 || allocated == 0, "{update:?}: {allocated} allocations");
            }
        }
    }
}
