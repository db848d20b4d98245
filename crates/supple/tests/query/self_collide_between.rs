//! Classes of triangles: self-collision between some of them against brute force, spheres that contain them, and what is refused.

use std::sync::Arc;

use crate::subjects::characters::{pose_at, shape_of};
use crate::subjects::random_model::{Random, RestKind, grid_soup, random_model, random_pose};
use crate::subjects::zoo::zoo;
use supple::oracle;
use supple::{
    Body, ClassError, SelfFilter, Shape, Skinning, TriangleClasses, VertexUpdate, self_collide_between,
};

/// Some classes, every one of them used; more than 64 of them where there are triangles enough.
fn random_classes(shape: &Arc<Shape>, count: usize, random: &mut Random) -> TriangleClasses {
    let triangles = shape.model().mesh().triangles().len();
    let count = count.min(triangles);
    // The first triangles use every class once.
    let class = |triangle| if triangle < count { triangle } else { random.below(count) };
    TriangleClasses::new(shape, (0..triangles).map(class).map(|class| class as u32).collect()).unwrap()
}

/// What each joint owns, numbered without gaps: neighbours share a class.
fn classes_by_joint(shape: &Arc<Shape>) -> TriangleClasses {
    let model = shape.model();
    let owners: Vec<u32> =
        (0..model.mesh().triangles().len() as u32).map(|triangle| model.owning_joint(triangle).0).collect();
    let mut used = owners.clone();
    used.sort_unstable();
    used.dedup();
    let class = |owner: &u32| used.binary_search(owner).unwrap() as u32;
    TriangleClasses::new(shape, owners.iter().map(class).collect()).unwrap()
}

/// Compares with brute force for some pairs of classes, in any order and repeated; counts what touches.
fn assert_between(body: &mut Body, classes: &TriangleClasses, random: &mut Random) -> usize {
    let positions = body.positions();
    let all = oracle::self_collide_with(body.shape().model(), &positions, &SelfFilter::default());
    let count = classes.count();
    let mut touching = 0;
    for number in [1, 3, 2 * count] {
        // Every second pair is one that touches, if any does: most classes are far apart.
        let wanted: Vec<[u32; 2]> = (0..number)
            .map(|i| match all.get(random.below(all.len().max(1))).filter(|_| i % 2 == 0) {
                Some(&[a, b]) => [classes.class_of(b), classes.class_of(a)],
                None => [random.below(count) as u32, random.below(count) as u32],
            })
            .collect();
        let is_wanted = |pair: &&[u32; 2]| {
            let [a, b] = pair.map(|triangle| classes.class_of(triangle));
            wanted.contains(&[a, b]) || wanted.contains(&[b, a])
        };
        let expected: Vec<[u32; 2]> = all.iter().filter(is_wanted).copied().collect();
        assert_eq!(self_collide_between(body, classes, &wanted).unwrap().found, expected);
        touching += expected.len();
    }
    let every: Vec<[u32; 2]> =
        (0..count as u32).flat_map(|a| (a..count as u32).map(move |b| [a, b])).collect();
    assert_eq!(self_collide_between(body, classes, &every).unwrap().found, all);
    let none = self_collide_between(body, classes, &[]).unwrap();
    assert!(none.found.is_empty());
    assert_eq!(none.stats.node_visits, 0, "nothing was wanted, so nothing is looked at");
    touching
}

/// The law: every vertex of a triangle is in the sphere of the triangle's class.
fn assert_enclosed(body: &mut Body, classes: &TriangleClasses) {
    let positions = body.positions();
    let mut spheres = vec![supple::math::Sphere::new(glam::Vec3::NAN, -1.0); 3];
    classes.enclosing_spheres_into(body, &mut spheres).unwrap();
    assert_eq!(spheres.len(), classes.count());
    for (triangle, corners) in (0..).zip(body.shape().model().mesh().triangles()) {
        let sphere = spheres[classes.class_of(triangle) as usize];
        for &vertex in corners {
            let position = positions[vertex as usize];
            assert!(sphere.contains(position), "{:?}: {position} is not in {sphere:?}", body.skinning());
        }
    }
}

#[test]
fn hostile_models_equal_brute_force() {
    let mut touching = 0;
    for seed in 0..8 {
        for kind in RestKind::ALL {
            let shape = shape_of(random_model(seed, kind));
            let mut random = Random(seed);
            for count in [1, 2, 7, 40] {
                let classes = random_classes(&shape, count, &mut random);
                assert_eq!(classes.count(), count);
                for skinning in Skinning::ALL {
                    let mut body = Body::new(&shape, skinning).unwrap();
                    body.set_pose(&random_pose(shape.model(), seed, skinning == Skinning::Linear)).unwrap();
                    assert_enclosed(&mut body, &classes);
                    touching += assert_between(&mut body, &classes, &mut random);
                }
            }
        }
    }
    assert!(touching > 1000, "{touching}");
}

#[test]
fn more_than_sixty_four_classes_equal_brute_force() {
    let shape = shape_of(grid_soup(3, 8, 300));
    let mut random = Random(3);
    let classes = random_classes(&shape, 150, &mut random);
    assert_eq!(classes.count(), 150);
    let mut body = Body::new(&shape, Skinning::Linear).unwrap();
    assert_enclosed(&mut body, &classes);
    assert!(assert_between(&mut body, &classes, &mut random) > 0);
}

#[test]
fn characters_equal_brute_force() {
    for name in ["man", "hand"] {
        let shape = zoo(name);
        let classes = classes_by_joint(&shape);
        let (mut random, mut touching) = (Random(1), 0);
        for (seed, skinning) in (0..).zip(Skinning::ALL) {
            let mut body = Body::new(&shape, skinning).unwrap();
            // As in a clip, and with all joints turned at random: limbs go through each other.
            for pose in [pose_at(shape.model(), 0, 0.7), random_pose(shape.model(), seed, false)] {
                body.set_pose(&pose).unwrap();
                assert_enclosed(&mut body, &classes);
                touching += assert_between(&mut body, &classes, &mut random);
            }
        }
        assert!(touching > 0, "{name}");
    }
}

#[test]
fn given_vertices_equal_brute_force() {
    let shape = shape_of(random_model(4, RestKind::Plain));
    let mut random = Random(4);
    let (mut body, mut touching) = (Body::new(&shape, Skinning::Linear).unwrap(), 0);
    for update in [VertexUpdate::BottomUp, VertexUpdate::Hybrid, VertexUpdate::Rebuild] {
        for seed in 0..5 {
            let pose = random_pose(shape.model(), seed, true);
            let vertices = shape.model().posed(&pose, Skinning::Linear).unwrap().positions();
            body.set_vertices(&vertices, update).unwrap();
            let classes = random_classes(&shape, 5, &mut random);
            assert_enclosed(&mut body, &classes);
            touching += assert_between(&mut body, &classes, &mut random);
        }
    }
    assert!(touching > 100, "{touching}");
    // A pose again: bounds follow joints again.
    body.set_pose(&random_pose(shape.model(), 9, false)).unwrap();
    assert_enclosed(&mut body, &random_classes(&shape, 5, &mut random));
}

#[test]
fn wrong_classes_are_refused() {
    let shape = shape_of(grid_soup(1, 5, 4));
    let error = |classes: &[u32]| TriangleClasses::new(&shape, classes.to_vec()).unwrap_err();
    assert_eq!(error(&[0, 0, 0]), ClassError::WrongCount { classes: 3, triangles: 4 });
    assert_eq!(error(&[0; 5]), ClassError::WrongCount { classes: 5, triangles: 4 });
    assert_eq!(error(&[0, 2, 2, 3]), ClassError::EmptyClass { class: 1 });
    assert_eq!(error(&[1, 2, 3, 4]), ClassError::EmptyClass { class: 0 });
    assert_eq!(error(&[0, 1, 2, u32::MAX]), ClassError::EmptyClass { class: 3 });
    assert_eq!(error(&[0, 1, 2, 4]), ClassError::EmptyClass { class: 3 });
    assert_eq!(TriangleClasses::new(&shape, vec![3, 1, 0, 2]).unwrap().count(), 4);
}

#[test]
fn wrong_questions_are_refused() {
    let shape = shape_of(grid_soup(1, 5, 4));
    let classes = TriangleClasses::new(&shape, vec![0, 1, 0, 1]).unwrap();
    let mut body = Body::new(&shape, Skinning::Linear).unwrap();
    for wanted in [[[0, 2]], [[2, 0]], [[2, 2]]] {
        let error = self_collide_between(&mut body, &classes, &wanted).unwrap_err();
        assert_eq!(error, ClassError::UnknownClass { class: 2, count: 2 });
    }
    // The same model in another shape may have another tree.
    let mut other = Body::new(&shape_of(grid_soup(1, 5, 4)), Skinning::Linear).unwrap();
    let error = self_collide_between(&mut other, &classes, &[[0, 1]]).unwrap_err();
    assert_eq!(error, ClassError::OtherShape);
    assert_eq!(self_collide_between(&mut other, &classes, &[]).unwrap_err(), ClassError::OtherShape);
    let mut spheres = Vec::new();
    assert_eq!(classes.enclosing_spheres_into(&mut other, &mut spheres), Err(ClassError::OtherShape));
}
