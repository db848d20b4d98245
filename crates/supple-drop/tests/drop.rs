//! Simulations of a few bodies: energy, rest, threads, what is written, what is refused.

use std::sync::LazyLock;

use supple::{Pose, Skinning};
use supple_drop::{
    Cast, DropError, Energy, FRAMES, Frame, PUSH, STEPS_PER_SECOND, SceneKind, World, animation, picture,
};

static CHAIRS: LazyLock<Cast> = LazyLock::new(|| Cast::new(SceneKind::Chairs, None).unwrap());

fn world(cast: &Cast, count: usize, seed: u64) -> World {
    World::new(cast, count, seed, STEPS_PER_SECOND).unwrap()
}

/// Plays on, and calls for every step.
fn play(world: &mut World, seconds: f64, mut seen: impl FnMut(&World)) {
    let end = world.time() + seconds;
    while world.time() < end - 1e-9 {
        world.step().unwrap();
        seen(world);
    }
}

/// What springs may add: each body at most the speed with which they part pieces.
fn allowance(world: &World) -> f64 {
    0.5 * world.cast().prop().mass() * PUSH * PUSH * world.states().len() as f64
}

#[test]
fn energy_does_not_grow_and_chairs_come_to_rest() {
    for cast in [CHAIRS.clone(), CHAIRS.rigid().unwrap()] {
        let mut world = world(&cast, 12, 3);
        let start = world.energy().total();
        let (mut lowest, mut contacts) = (start, 0);
        let allowed = allowance(&world);
        assert!(allowed < 0.01 * start, "{allowed} of {start}");
        play(&mut world, 10.0, |world| {
            let energy = world.energy().total();
            assert!(energy <= lowest + allowed, "{} s: {lowest} to {energy}", world.time());
            lowest = lowest.min(energy);
            assert!(world.states().iter().all(|state| state.is_finite()));
            assert!(world.states().iter().all(|state| state.position.y > 0.1), "below the ground");
            contacts = world.statistics().contacts;
        });
        assert!(contacts > 1000, "{contacts}");
        let Energy { kinetic, .. } = world.energy();
        // Slower than 5 cm/s in the mean.
        let slow = 0.5 * cast.prop().mass() * 12.0 * 0.05 * 0.05;
        assert!(kinetic < slow, "{kinetic} J, expected {slow}");
        assert!(lowest < 0.6 * start, "{lowest} of {start}");
    }
}

#[test]
fn bodies_in_flight_keep_their_momenta_and_energy() {
    let mut world = world(&CHAIRS, 1, 1);
    let (start, energy) = (world.states()[0].clone(), world.energy());
    play(&mut world, 0.05, |_| {});
    let end = &world.states()[0];
    assert_eq!(world.statistics().contacts, 0);
    assert_eq!(end.angular_momentum, start.angular_momentum);
    let expected = start.velocity.y - 9.81 * 0.05;
    assert!((end.velocity.y - expected).abs() < 1e-9);
    assert!((world.energy().total() / energy.total() - 1.0).abs() < 2e-3);
}

#[test]
fn the_same_seed_gives_the_same_bits_on_any_number_of_threads() {
    let on = |threads: usize, seed: u64| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut world = world(&CHAIRS, 20, seed);
            play(&mut world, 0.7, |_| {});
            let statistics = world.statistics();
            assert!(statistics.pairs > 0 && statistics.contacts > 0);
            (world.fingerprint(), statistics.contacts, statistics.queries.node_visits)
        })
    };
    let one = on(1, 5);
    assert_eq!(one, on(3, 5));
    assert_eq!(one, on(2, 5));
    assert_ne!(one.0, on(2, 6).0);
}

#[test]
fn fish_land_on_the_bridge_on_any_number_of_threads() {
    let cast = Cast::new(SceneKind::Fish, None).unwrap();
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut world = world(&cast, 40, 1);
            play(&mut world, 1.2, |_| {});
            world
        })
    };
    let world = on(3);
    assert_eq!(world.fingerprint(), on(1).fingerprint());
    // The deck is 10 m high; without it they would be at 5 m.
    let landed = world.states().iter().filter(|state| (9.0..12.0).contains(&state.position.y)).count();
    assert!(landed >= 32, "{landed} of 40");
    assert!(world.states().iter().all(|state| state.is_finite()));
}

#[test]
fn spheres_meet_the_curtain_both_ways_alike_and_on_any_number_of_threads() {
    let cast = Cast::new(SceneKind::Curtain, None).unwrap();
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut world = world(&cast, 4, 0);
            // Compares the contacts of both ways in every frame.
            let contest = world.contest(FRAMES).unwrap();
            (world.fingerprint(), contest)
        })
    };
    let (one, contest) = on(1);
    assert_eq!(one, on(3).0);
    assert_eq!(contest.frames, FRAMES);
    assert!(contest.touching >= 3, "{contest:?}");
    assert!(contest.on_demand.refits * 10 < contest.layered.refits, "{contest:?}");
    assert!(contest.on_demand.vertices * 10 < contest.layered.vertices, "{contest:?}");
}

#[test]
fn animations_read_back_as_they_were_simulated() {
    let mut world = world(&CHAIRS, 3, 2);
    let mut frames = vec![world.frame()];
    play(&mut world, 0.5, |world| {
        if world.statistics().steps.is_multiple_of(30) {
            frames.push(world.frame());
        }
    });
    let bytes = animation(&CHAIRS, &frames).unwrap();
    let read = supple_io::read_bytes("glb", &bytes, &mut supple_io::no_other_files).unwrap().model;
    let (prop, clip) = (CHAIRS.prop().model(), &read.clips()[0]);
    assert_eq!(read.parts().len(), 3);
    let size = prop.mesh().positions().len();
    let mut flexed = 0.0f32;
    for Frame { time, bodies, .. } in &frames {
        let pose = read.sample(clip, f64::from(*time as f32)).unwrap();
        let found = read.posed(&pose, Skinning::Linear).unwrap();
        for (number, (placement, coefficients)) in bodies.iter().enumerate() {
            let pose = Pose { coefficients: coefficients.clone(), ..prop.rest_pose() };
            let expected = prop.posed_at(&pose, Skinning::Linear, *placement).unwrap();
            flexed = coefficients.iter().fold(flexed, |most, q| most.max(q.abs()));
            for vertex in (0..size).step_by(97) {
                let (a, b) =
                    (found.position((number * size + vertex) as u32), expected.position(vertex as u32));
                assert!(a.distance(b) < 1e-5, "{time} s, body {number}, vertex {vertex}: {a} {b}");
            }
        }
    }
    assert!(flexed > 0.01, "{flexed}");
    let many = vec![Frame { bodies: vec![frames[0].bodies[0].clone(); 65], ..frames[0].clone() }];
    assert!(matches!(animation(&CHAIRS, &many), Err(DropError::TooManyToExport { count: 65, most: 64 })));
    assert!(matches!(animation(&CHAIRS, &[]), Err(DropError::NoFrames)));
}

#[test]
fn pictures_show_few_bodies_as_they_are_and_many_as_something_like_them() {
    let still = world(&CHAIRS, 2, 0).frame();
    let one = picture(&CHAIRS, std::slice::from_ref(&still)).unwrap();
    let many = Frame { bodies: vec![still.bodies[0].clone(); 90], ..still.clone() };
    let coarse = picture(&CHAIRS, &[many]).unwrap();
    assert_eq!((one.width(), one.height()), (coarse.width(), coarse.height()));
    let several = picture(&CHAIRS, &[still.clone(), still.clone(), still]).unwrap();
    assert_eq!((several.width(), several.height()), (2 * one.width(), 2 * one.height()));
    assert!(matches!(picture(&CHAIRS, &[]), Err(DropError::NoFrames)));
}

#[test]
fn what_no_scene_takes_is_refused() {
    let message = |error: DropError| error.to_string();
    assert_eq!(
        "boats".parse::<SceneKind>().unwrap_err().to_string(),
        "there is no scene \"boats\"; there are chairs, fish, curtain"
    );
    for count in [0, 20_001] {
        let error = World::new(&CHAIRS, count, 0, STEPS_PER_SECOND).unwrap_err();
        assert_eq!(message(error), format!("{count} bodies; chairs takes 1 to 20000"));
    }
    for rate in [f64::NAN, 0.0, -1.0, f64::INFINITY] {
        let error = World::new(&CHAIRS, 1, 0, rate).unwrap_err();
        assert!(matches!(error, DropError::StepRate(_)), "{error}");
    }
}
