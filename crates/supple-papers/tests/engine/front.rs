//! Collisions from a front equal collisions from the roots, whatever happened between two frames.

use std::sync::Arc;

use glam::{DQuat, DVec3, Vec3};
use supple::oracle::{self, PosedMesh};
use supple::{Isometry, Mesh, Model, QueryStats, Skinning};
use supple_papers::{self as papers, BoundingSphere, Front, Method, Slabs, Tree, Volume, Walk, collide_from};

use crate::characters::pose_at;
use crate::{SKINS, body_of, cases, halves};

/// Compares with fresh bodies, so that neither finds what the other has computed. Returns pairs and both counters.
fn step<V: Volume>(
    front: &mut Front,
    a: &mut papers::Body<V>,
    b: &mut papers::Body<V>,
    what: &str,
) -> (usize, QueryStats, QueryStats) {
    let (expected, from_roots) = papers::collide(&mut a.clone(), &mut b.clone(), Walk::default());
    let (found, from_front) = collide_from(front, a, b);
    assert_eq!(found, expected, "{what}");
    (found.len(), from_front, from_roots)
}

fn zoo(name: &str) -> Arc<Model> {
    Arc::new(supple_zoo::make(name, 0).unwrap())
}

fn octants(model: &Model) -> Tree {
    Tree::octants(model.mesh().positions(), model.mesh().triangles())
}

fn boxes(model: &Arc<Model>, method: Method) -> papers::Body<Slabs<3>> {
    body_of(model, Skinning::Linear, &octants(model), method)
}

/// Two of a kind walk into each other, through each other and away.
fn walk_through<V: Volume>(name: &str, tree: &Tree, method: Method, skinning: Skinning, frames: u64) {
    let model = zoo(name);
    let body = body_of::<V>(&model, skinning, tree, method);
    let x = || model.mesh().positions().iter().map(|p| f64::from(p.x));
    let width = x().fold(f64::NEG_INFINITY, f64::max) - x().fold(f64::INFINITY, f64::min);
    let [mut a, mut b] = [body.clone(), body];
    let mut front = Front::default();
    let (mut pairs, mut most, mut touched) = (0, 0, 0);
    let (mut visits, mut visits_from_roots) = (0, 0);
    for frame in 0..frames {
        let at = frame as f64 / (frames - 1) as f64;
        let aside = Isometry::from_translation(DVec3::X * width * (1.5 - 3.0 * at));
        a.set_pose(&pose_at(&model, 0, at * 2.0), &Isometry::IDENTITY).unwrap();
        b.set_pose(&pose_at(&model, 0, at * 2.0 + 0.3), &aside).unwrap();
        let what = format!("{name} {skinning:?} {}, frame {frame}", V::NAME);
        let (found, from_front, from_roots) = step(&mut front, &mut a, &mut b, &what);
        (pairs, touched) = (pairs + found, touched + u32::from(found > 0));
        visits += from_front.node_visits;
        visits_from_roots += from_roots.node_visits;
        most = most.max(front.opened_pairs());
    }
    println!("{name} {skinning:?} {}: {visits} visits, {visits_from_roots} from the roots", V::NAME);
    assert!(pairs > 100 && touched > 3, "{name} meets itself: {pairs} in {touched} frames");
    // The front has come up again.
    assert!(front.opened_pairs() * 10 < most, "{} of {most}", front.opened_pairs());
}

/// By default one character in 12 frames; all cases are two in 12 to 60.
#[test]
fn characters_walk_through_each_other() {
    for &name in &["man", "creature"][..cases(1, 2)] {
        let model = zoo(name);
        let (halves, octants) = (halves(&model), octants(&model));
        for ((method, skinning), [few, all]) in SKINS.into_iter().zip([[12, 60], [12, 12], [12, 24]]) {
            walk_through::<Slabs<3>>(name, &octants, method, skinning, cases(few, all));
        }
        walk_through::<BoundingSphere>(name, &halves, Method::Linear, Skinning::Linear, cases(12, 24));
    }
}

#[test]
fn brute_force_agrees() {
    let model = zoo("dwarf");
    let mesh = model.mesh();
    let body =
        body_of::<Slabs<3>>(&model, Skinning::DualQuaternion, &octants(&model), Method::DualQuaternion);
    let [mut a, mut b] = [body.clone(), body];
    let mut front = Front::default();
    for frame in 0..12 {
        let turn = DQuat::from_rotation_y(f64::from(frame) * 0.2);
        let poses = [pose_at(&model, 0, f64::from(frame) * 0.1), model.rest_pose()];
        let placements =
            [Isometry::IDENTITY, Isometry::new(turn, DVec3::X * (0.5 - 0.05 * f64::from(frame)))];
        a.set_pose(&poses[0], &placements[0]).unwrap();
        b.set_pose(&poses[1], &placements[1]).unwrap();
        let [of_a, of_b] = [0, 1].map(|i: usize| {
            model.posed_at(&poses[i], Skinning::DualQuaternion, placements[i]).unwrap().positions()
        });
        let expected = oracle::collide(PosedMesh::new(mesh, &of_a), PosedMesh::new(mesh, &of_b));
        assert_eq!(collide_from(&mut front, &mut a, &mut b).0, expected, "{frame}");
        // Asked twice, nothing is refitted again.
        let (again, stats) = collide_from(&mut front, &mut a, &mut b);
        assert_eq!((again, stats.refits), (expected, 0), "{frame}");
    }
}

#[test]
fn teleports() {
    let model = zoo("man");
    let body = boxes(&model, Method::Linear);
    let [mut a, mut b] = [body.clone(), body];
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
        let placement = Isometry::new(DQuat::from_rotation_y(turns), DVec3::X * x);
        b.set_pose(&pose_at(&model, 0, jump as f64 * 0.37), &placement).unwrap();
        pairs += step(&mut front, &mut a, &mut b, &format!("jump {jump}")).0;
        if x.abs() > 5.0 {
            assert_eq!(front.opened_pairs(), 0, "all the way up");
            assert!(step(&mut front, &mut a, &mut b, "again").1.node_visits < 10, "and stays there");
        }
    }
    assert!(pairs > 100);
}

/// Other shapes, rebuilt trees, bodies that change sides: a front that does not fit starts anew.
#[test]
fn changed_trees() {
    let [man, dwarf] = ["man", "dwarf"].map(zoo);
    let mesh = Mesh::new(vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![[0, 1, 2]]).unwrap();
    let triangle = Arc::new(Model::rigid(mesh));
    let mut all = [&man, &dwarf, &triangle].map(|model| boxes(model, Method::Linear));
    let mut front = Front::default();
    for _ in 0..2 {
        for [i, j] in [[0, 1], [1, 0], [0, 2], [2, 1], [1, 2]] {
            let [a, b] = all.get_disjoint_mut([i, j]).unwrap();
            step(&mut front, a, b, &format!("{i} and {j}"));
        }
    }
    let mut b = boxes(&dwarf, Method::Linear);
    b.set_pose(&dwarf.rest_pose(), &Isometry::from_translation(Vec3::X * 0.1)).unwrap();
    let mut updated = [Method::BottomUp, Method::Hybrid, Method::Rebuild].map(|method| boxes(&dwarf, method));
    for frame in 0..12 {
        let a = &mut updated[frame / 2 % 3];
        a.set_pose(&pose_at(&dwarf, 0, 0.1 * frame as f64), &Isometry::IDENTITY).unwrap();
        let (pairs, ..) = step(&mut front, a, &mut b, &format!("frame {frame}"));
        assert!(pairs > 0, "frame {frame}");
    }
    let mut a = boxes(&dwarf, Method::Linear);
    assert!(step(&mut front, &mut a, &mut b, "posed again").0 > 0);
}
