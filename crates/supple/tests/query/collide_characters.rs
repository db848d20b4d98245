//! Characters of the zoo and of real files: collisions equal brute force, pair by pair.

use std::ops::Range;
use std::sync::Arc;

use crate::subjects::cases::{cases, skinnings_of_case};
use crate::subjects::characters::{pose_at, shape_of};
use crate::subjects::files::SKINS_OF_EVERY_KIND;
use crate::subjects::zoo::zoo;
use glam::{DQuat, DVec3, Vec3};
use supple::math::{Aabb, Isometry};
use supple::mesh::Mesh;
use supple::model::Model;
use supple::oracle::{self, PosedMesh};
use supple::pose::Pose;
use supple::{Body, Pair, Shape, Skinning, collide, collide_any, collide_any_near};

/// A body with the pose it was given, so that brute force can start from the model and not from the body's cache.
struct Posed {
    body: Body,
    pose: Pose,
}

impl Posed {
    fn new(shape: &Arc<Shape>, skinning: Skinning, pose: Pose, placement: Isometry) -> Self {
        let mut body = Body::new(shape, skinning).unwrap();
        body.set_pose_at(&pose, placement).unwrap();
        Self { body, pose }
    }

    fn model(&self) -> Arc<Model> {
        Arc::clone(self.body.shape().model())
    }

    fn brute_force_positions(&self) -> Vec<Vec3> {
        self.model().posed_at(&self.pose, self.body.skinning(), self.body.placement()).unwrap().positions()
    }

    fn bounds(&mut self) -> Aabb {
        Aabb::from_points(self.body.positions())
    }
}

fn assert_exact(a: &mut Posed, b: &mut Posed, name: &str) -> usize {
    let (positions_a, positions_b) = (a.brute_force_positions(), b.brute_force_positions());
    assert_eq!(a.body.positions(), positions_a, "{name}: one vertex function, the same bits");
    assert_eq!(b.body.positions(), positions_b, "{name}: one vertex function, the same bits");
    let (model_a, model_b) = (a.model(), b.model());
    let expected = oracle::collide(
        PosedMesh::new(model_a.mesh(), &positions_a),
        PosedMesh::new(model_b.mesh(), &positions_b),
    );
    assert_eq!(collide(&mut a.body, &mut b.body).found, expected, "{name}");
    let is_one = |first: Option<Pair>| match first {
        Some(pair) => expected.binary_search(&pair).is_ok(),
        None => expected.is_empty(),
    };
    assert!(is_one(collide_any(&mut a.body, &mut b.body).found), "{name}");
    // Whatever the hint: a pair that touches, or any other.
    let last = [model_a, model_b].map(|model| model.mesh().triangles().len() as u32 - 1);
    for hint in expected.iter().step_by(expected.len() / 3 + 1).copied().chain([[0, 0], last, [0, last[1]]]) {
        assert!(is_one(collide_any_near(&mut a.body, &mut b.body, hint).found), "{name}: {hint:?}");
    }
    expected.len()
}

/// Two copies of a character in different poses, one beside the other by a share of its width.
fn check_character(name: &str, shape: &Arc<Shape>, skinnings: Range<usize>, share: f32) -> usize {
    let model = shape.model();
    let mut pairs = 0;
    for i in skinnings {
        let [skinning_a, skinning_b] = [Skinning::ALL[i], Skinning::ALL[(i + 1) % 3]];
        let mut a = Posed::new(shape, skinning_a, pose_at(model, i, 0.2), Isometry::IDENTITY);
        let bounds = a.bounds();
        let aside = Isometry::from_translation((bounds.max - bounds.min) * Vec3::X * share);
        let mut b = Posed::new(shape, skinning_b, pose_at(model, 0, 0.5), aside);
        pairs += assert_exact(&mut a, &mut b, &format!("{name} {skinning_a:?} {skinning_b:?}"));
    }
    assert!(pairs > 0, "{name} meets itself");
    pairs
}

#[test]
fn the_whole_zoo() {
    // Brute force would look at 60 billion pairs of the bridge with itself; others meet it below.
    for (case, kind) in supple_zoo::kinds().iter().filter(|kind| kind.triangles < 100_000).enumerate() {
        let skinnings = if kind.triangles < 6_000 { 0..3 } else { skinnings_of_case(case) };
        check_character(kind.name, &zoo(kind.name), skinnings, 0.3);
    }
}

#[test]
fn animals_fall_on_the_bridge() {
    let bridge = zoo("bridge");
    // The clip is wildest in its middle.
    let mut below =
        Posed::new(&bridge, Skinning::Linear, pose_at(bridge.model(), 0, 4.1), Isometry::IDENTITY);
    let positions = below.brute_force_positions();
    let mut pairs = 0;
    for (name, skinning) in [("dolphin", Skinning::Linear), ("dwarf", Skinning::DualQuaternion)] {
        let shape = zoo(name);
        let center = Aabb::from_points(shape.model().mesh().positions().iter().copied()).center();
        // On members from one end to the other: railings, trusses, cables, hangers, towers.
        for at in positions.iter().step_by(positions.len() / cases(2, 5)) {
            let place = Isometry::from_translation(*at - center);
            let mut above = Posed::new(&shape, skinning, pose_at(shape.model(), 0, 0.3), place);
            pairs += assert_exact(&mut above, &mut below, &format!("{name} at {at}"));
        }
    }
    assert!(pairs > cases(10, 100), "they meet: {pairs}");
}

#[test]
fn different_animals_meet() {
    let posed = |(name, skinning): (&'static str, Skinning)| {
        let shape = zoo(name);
        let model = shape.model();
        // All of them about the same place, so that everybody meets everybody.
        let center = Aabb::from_points(model.mesh().positions().iter().copied()).center();
        let place = Isometry::from_translation(Vec3::new(0.05, 0.02, 0.03) - center);
        (name, Posed::new(&shape, skinning, pose_at(model, 0, 0.3), place))
    };
    let names = ["man", "dwarf", "blob", "dolphin", "hand"];
    let mut bodies: Vec<_> = names.into_iter().zip(Skinning::ALL.into_iter().cycle()).map(posed).collect();
    let mut pairs = 0;
    while let Some((name_a, mut a)) = bodies.pop() {
        for (name_b, b) in &mut bodies {
            pairs += assert_exact(&mut a, b, &format!("{name_a} and {name_b}"));
        }
    }
    assert!(pairs > 100, "they meet: {pairs}");
}

/// Rest positions on a coarse grid, bodies moved by cells and turned by right angles: faces coincide exactly.
#[test]
fn characters_on_a_grid() {
    for name in ["dwarf", "dolphin", "hand"] {
        let shape = zoo(name);
        let model = shape.model();
        let extent = Aabb::from_points(model.mesh().positions().iter().copied());
        let cell = 2f32.powi(((extent.max - extent.min).max_element() / 24.0).log2().floor() as i32);
        let positions = model.mesh().positions().iter().map(|p| (*p / cell).round() * cell).collect();
        let mesh = Mesh::new(positions, model.mesh().triangles().to_vec()).unwrap();
        let shape = shape_of(Model::new(mesh, model.skin().clone(), model.skeleton().clone()).unwrap());
        let rest = shape.model().rest_pose();
        for (cells, turns) in [(0.0, 0.0), (1.0, 0.0), (3.0, 1.0), (0.0, 2.0)] {
            let turn = DQuat::from_rotation_y(turns * std::f64::consts::FRAC_PI_2);
            let place = Isometry::new(turn, DVec3::new(cells, 2.0 * cells, 0.0) * f64::from(cell));
            for &skinning in &Skinning::ALL[skinnings_of_case(cells as usize + turns as usize)] {
                let mut a = Posed::new(&shape, skinning, rest.clone(), Isometry::IDENTITY);
                let mut b = Posed::new(&shape, Skinning::Linear, rest.clone(), place);
                assert!(assert_exact(&mut a, &mut b, &format!("{name} {cells} {turns} {skinning:?}")) > 0);
            }
        }
    }
}

#[test]
fn real_files() {
    let Some(folder) = crate::assets::assets() else { return };
    for file in SKINS_OF_EVERY_KIND {
        check_character(file, &shape_of(supple_io::load(folder.join(file)).unwrap()), 0..3, 0.25);
    }
}

/// The large ones: one collision each.
#[test]
fn large_real_files() {
    let Some(folder) = crate::assets::assets() else { return };
    for file in [
        "makehuman/makehuman_default163.glb",
        "babylon/Yeti.glb",
        "godot/mannequiny.glb",
        "ict/ict_face_head.glb",
    ] {
        let shape = shape_of(supple_io::load(folder.join(file)).unwrap());
        let model = shape.model();
        let mut a = Posed::new(&shape, Skinning::DualQuaternion, pose_at(model, 0, 0.4), Isometry::IDENTITY);
        let bounds = a.bounds();
        let aside = Isometry::from_translation((bounds.max - bounds.min) * Vec3::X * 0.2);
        let mut b = Posed::new(&shape, Skinning::Linear, model.rest_pose(), aside);
        assert!(assert_exact(&mut a, &mut b, file) > 0, "{file} meets itself");
    }
}
