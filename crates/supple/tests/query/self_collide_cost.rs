//! What self-collision costs, in counts: how it grows with detail, and what certificates and filters save.

use glam::Quat;
use supple::{Body, Certificates, SelfFilter, Skinning, self_collide_into};

use crate::subjects::cases::cases;
use crate::subjects::zoo::{detailed, zoo};

/// Visits, refits and triangle tests of one animal at one detail.
struct Cost {
    all: u64,
    without_certificates: u64,
    /// Without what happens within a joint, or between it and its parent.
    filtered: u64,
}

/// Summed over a few frames of the first clip.
fn cost(kind: &str, detail: u32, skinning: Skinning) -> Cost {
    let shape = detailed(kind, detail);
    let model = shape.model();
    let (clip, mut pairs) = (&model.clips()[0], Vec::new());
    let mut sum = |filter: &SelfFilter| {
        let (mut body, mut sum) = (Body::new(&shape, skinning).unwrap(), 0);
        for frame in 0..4 {
            let time = clip.duration() * f64::from(frame) / 4.0;
            body.set_pose(&model.sample(clip, time).unwrap()).unwrap();
            let stats = self_collide_into(&mut body, filter, &mut pairs).unwrap();
            sum += stats.node_visits + stats.refits + stats.triangle_tests;
        }
        sum
    };
    let none = SelfFilter::default();
    let relatives = SelfFilter::default().without_creases();
    let found = Cost {
        all: sum(&none),
        without_certificates: sum(&none.clone().with_certificates(Certificates::Ignored)),
        filtered: sum(&relatives),
    };
    let triangles = model.mesh().triangles().len();
    println!(
        "{kind}:{detail} {skinning:?}, {triangles} triangles: {} visits, refits and tests; {:.1} % saved by certificates; {} filtered",
        found.all,
        100.0 * saved(&found),
        found.filtered
    );
    found
}

fn saved(cost: &Cost) -> f64 {
    1.0 - cost.all as f64 / cost.without_certificates as f64
}

/// `e` in `cost ~ triangles^e` between details of four times the triangles.
fn exponent(small: u64, large: u64) -> f64 {
    (large as f64 / small as f64).ln() / 4f64.ln()
}

/// Neighbours touch, so bounds alone never separate them: without certificates every border between nodes is walked down to the
/// triangles, and the cost follows the surface. Certificates follow how the body bends, the better the finer the mesh: four times the triangles
/// come to cost no more than twice as much. With dual quaternions less is certified, with spherical blends only what hardly bends.
/// With filters, whole nodes belong to one joint and are left at once: what is left follows the borders of joints, as
/// collision of two bodies follows the contact.
#[test]
fn growth_with_detail() {
    for (kind, skinning, most, most_filtered, fewest) in [
        ("man", Skinning::Linear, [0.9, 0.58], [0.63, 0.37], [0.16, 0.34, 0.63]),
        ("creature", Skinning::Linear, [0.67, 0.52], [0.54, 0.36], [0.32, 0.61, 0.79]),
        ("man", Skinning::DualQuaternion, [1.0, 0.92], [0.79, 0.69], [0.09, 0.18, 0.28]),
    ] {
        // A creature of 300,000 triangles takes seconds to grow.
        let details = if kind == "man" { 3 } else { cases(2, 3) };
        let costs: Vec<Cost> = (0..details).map(|detail| cost(kind, detail, skinning)).collect();
        let grown = |part: fn(&Cost) -> u64| -> Vec<f64> {
            costs.windows(2).map(|w| exponent(part(&w[0]), part(&w[1]))).collect()
        };
        let (all, filtered) = (grown(|cost| cost.all), grown(|cost| cost.filtered));
        println!("{kind} {skinning:?}: exponents {all:.3?}, filtered {filtered:.3?}");
        assert!(all.iter().zip(most).all(|(found, most)| *found <= most), "{kind} {skinning:?}: {all:?}");
        let few = filtered.iter().zip(most_filtered).all(|(found, most)| *found <= most);
        assert!(few, "{kind} {skinning:?}: {filtered:?}");
        for (cost, fewest) in costs.iter().zip(fewest) {
            assert!(saved(cost) >= fewest, "{kind} {skinning:?}: {}", saved(cost));
        }
    }
}

/// Joints that a pose leaves alone move as one: only what is around the bent elbow is looked at.
#[test]
fn what_a_pose_leaves_alone_costs_little() {
    let shape = detailed("man", 1);
    let model = shape.model();
    let mut bent = model.rest_pose();
    model.node_mut(&mut bent, "forearm_l").unwrap().rotation = Quat::from_rotation_y(0.9);
    let mut pairs = Vec::new();
    // Where rotations are blended about a center, joints around the elbow are off by the bend of their other neighbours.
    for (skinning, most_bent) in
        [(Skinning::Linear, 0.05), (Skinning::Spherical, 0.43), (Skinning::DualQuaternion, 0.08)]
    {
        let mut body = Body::new(&shape, skinning).unwrap();
        for (name, pose, most) in [("rest", &model.rest_pose(), 0.01), ("bent", &bent, most_bent)] {
            let [used, ignored] = [Certificates::Used, Certificates::Ignored].map(|certificates| {
                body.set_pose(pose).unwrap();
                let filter = SelfFilter::default().with_certificates(certificates);
                let stats = self_collide_into(&mut body, &filter, &mut pairs);
                stats.map(|stats| stats.node_visits + stats.refits + stats.triangle_tests).unwrap()
            });
            let share = used as f64 / ignored as f64;
            println!("man:1 {skinning:?} {name}: {used} of {ignored} visits, refits and tests");
            assert!(share <= most, "{skinning:?} {name}: {share}");
        }
    }
}

/// One joint moves all of it, and nothing is near anything else but its neighbours: one look at the root.
#[test]
fn a_rigid_thing_costs_nothing() {
    let shape = zoo("face");
    let mut body = Body::new(&shape, Skinning::Spherical).unwrap();
    let mut pairs = Vec::new();
    let stats = self_collide_into(&mut body, &SelfFilter::default(), &mut pairs).unwrap();
    assert_eq!((stats.node_visits, stats.vertices_deformed, stats.triangle_tests), (1, 0, 0));
    // A field displaces it: then it has to be looked at.
    let mut pose = shape.model().rest_pose();
    pose.coefficients.fill(0.01);
    body.set_pose(&pose).unwrap();
    let stats = self_collide_into(&mut body, &SelfFilter::default(), &mut pairs).unwrap();
    assert!(stats.node_visits > 1000);
}
