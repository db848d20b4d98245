//! Collisions from a front equal collisions from the roots, whatever happened between two frames.

use std::sync::Arc;

use crate::characters::{pose_at, shape_of};
use glam::{DQuat, DVec3, Vec3};
use supple::math::Isometry;
use supple::mesh::Mesh;
use supple::model::Model;
use supple::query::{Front, collide_from};
use supple::refit::Update;
use supple::{Body, QueryStats, Shape, Skinning, collide, oracle};

/// Compares with fresh bodies, so that neither finds what the other has computed. Returns pairs and both counters.
fn step(front: &mut Front, a: &mut Body, b: &mut Body, what: &str) -> (usize, QueryStats, QueryStats) {
    let (mut other_a, mut other_b) = (a.clone(), b.clone());
    let expected = collide(&mut other_a, &mut other_b);
    let found = collide_from(front, a, b);
    assert_eq!(found.pairs, expected.pairs, "{what}");
    (found.pairs.len(), found.stats, expected.stats)
}

fn bodies(shape: &Arc<Shape>, skinning: Skinning) -> [Body; 2] {
    [(); 2].map(|()| Body::new(shape, skinning).unwrap())
}

/// Two of a kind walk into each other, through each other and away.
#[test]
fn characters_walk_through_each_other() {
    for name in ["man", "creature"] {
        let shape = shape_of(supple_zoo::make(name, 0).unwrap());
        for (skinning, frames) in
            [(Skinning::Linear, 60), (Skinning::Spherical, 12), (Skinning::DualQuaternion, 24)]
        {
            let [mut a, mut b] = bodies(&shape, skinning);
            let extent = a.bound();
            let width = (extent.max - extent.min).x;
            let mut front = Front::default();
            let (mut pairs, mut most, mut touched) = (0, 0, 0);
            for frame in 0..frames {
                let at = f64::from(frame) / f64::from(frames - 1);
                let aside = Isometry::from_translation(DVec3::X * f64::from(width) * (1.5 - 3.0 * at));
                a.set_pose(&pose_at(shape.model(), 0, at * 2.0)).unwrap();
                b.set_pose_and_place(&pose_at(shape.model(), 0, at * 2.0 + 0.3), aside).unwrap();
                let what = format!("{name} {skinning:?}, frame {frame}");
                let (found, ..) = step(&mut front, &mut a, &mut b, &what);
                (pairs, touched) = (pairs + found, touched + u32::from(found > 0));
                most = most.max(front.opened_pairs());
            }
            assert!(pairs > 100 && touched > 3, "{name} meets itself: {pairs}");
            // The front has come up again.
            assert!(front.opened_pairs() * 10 < most, "{} of {most}", front.opened_pairs());
        }
    }
}

#[test]
fn brute_force_agrees() {
    let shape = shape_of(supple_zoo::make("dwarf", 0).unwrap());
    let mesh = shape.model().mesh();
    let [mut a, mut b] = bodies(&shape, Skinning::DualQuaternion);
    let mut front = Front::default();
    for frame in 0..12 {
        let turn = DQuat::from_rotation_y(f64::from(frame) * 0.2);
        a.set_pose(&pose_at(shape.model(), 0, f64::from(frame) * 0.1)).unwrap();
        b.place(Isometry::new(turn, DVec3::X * (0.5 - 0.05 * f64::from(frame)))).unwrap();
        let expected = oracle::touching_pairs((mesh, &a.positions()), (mesh, &b.positions()));
        assert_eq!(collide_from(&mut front, &mut a, &mut b).pairs, expected, "{frame}");
        // Asked twice, nothing is refitted again.
        let again = collide_from(&mut front, &mut a, &mut b);
        assert_eq!((again.pairs, again.stats.refits), (expected, 0), "{frame}");
    }
}

#[test]
fn teleports() {
    let shape = shape_of(supple_zoo::make("man", 0).unwrap());
    let [mut a, mut b] = bodies(&shape, Skinning::Linear);
    let mut front = Front::default();
    let mut pairs = 0;
    for (jump, (x, turns)) in [
        (0.1, 0.0),
        (9.0, 0.0),
        (0.0, 0.0),
        (-0.3, 2.0),
        (50.0, 1.0),
        (0.2, 1.0),
        (-0.2, 3.0),
        (1e6, 0.0),
        (0.0, 0.0),
    ]
    .into_iter()
    .enumerate()
    {
        let place = Isometry::new(DQuat::from_rotation_y(turns), DVec3::X * x);
        b.set_pose_and_place(&pose_at(shape.model(), 0, jump as f64 * 0.37), place).unwrap();
        pairs += step(&mut front, &mut a, &mut b, &format!("jump {jump}")).0;
        if x.abs() > 5.0 {
            assert!(step(&mut front, &mut a, &mut b, "again").1.node_visits < 10, "all the way up");
        }
    }
    assert!(pairs > 100);
}

/// Other shapes, rebuilt trees, bodies that change sides: a front that does not fit starts anew.
#[test]
fn changed_trees() {
    let man = shape_of(supple_zoo::make("man", 0).unwrap());
    let dwarf = shape_of(supple_zoo::make("dwarf", 0).unwrap());
    let triangle =
        shape_of(Model::rigid(Mesh::new(vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![[0, 1, 2]]).unwrap()));
    let mut all = [&man, &dwarf, &triangle].map(|shape| Body::new(shape, Skinning::Linear).unwrap());
    let mut front = Front::default();
    for _ in 0..2 {
        for [i, j] in [[0, 1], [1, 0], [0, 2], [2, 1], [1, 2]] {
            let [a, b] = all.get_disjoint_mut([i, j]).unwrap();
            step(&mut front, a, b, &format!("{i} and {j}"));
        }
    }
    let [mut a, mut b] = bodies(&dwarf, Skinning::Linear);
    b.place(Isometry::from_translation(Vec3::X * 0.1)).unwrap();
    let rest = a.positions();
    for frame in 0..12 {
        let swell = 1.0 + 0.02 * frame as f32;
        let swollen: Vec<Vec3> = rest.iter().map(|p| *p * swell).collect();
        a.set_vertices(&swollen, Update::ALL[frame / 2 % 3]).unwrap();
        let (pairs, ..) = step(&mut front, &mut a, &mut b, &format!("frame {frame}"));
        assert!(pairs > 0);
    }
    a.set_pose(&dwarf.model().rest_pose()).unwrap();
    assert!(step(&mut front, &mut a, &mut b, "posed again").0 > 0);
}
