//! Sphere chains: regions of rigs, spheres that contain what they must, overlap tests against brute force, and the exact query
//! restricted to regions.

use std::sync::Arc;

use crate::assets::assets;
use crate::characters::{pose_at, shape_of};
use crate::random_model::{Random, RestKind, random_model, random_pose};
use glam::{DAffine3, Quat, Vec3};
use supple::pose::{Joint, Node, Skeleton};
use supple::{
    Body, Isometry, Mesh, Model, Pose, Shape, Skin, Skinning, Sphere, Transform, VertexUpdate, self_collide,
};
use supple_chains::{
    ChainError, ChainOptions, CrowdOverlap, Grouping, Member, Misfit, PosedSpheres, RegionKind, Regions,
    SphereChains, Testing, crowd_overlaps,
};

fn chains_of(shape: &Arc<Shape>) -> SphereChains {
    let regions = Regions::from_rig(shape.model()).unwrap();
    SphereChains::build(shape, &regions, &ChainOptions::default()).unwrap()
}

fn zoo(name: &str) -> Arc<Shape> {
    shape_of(supple_zoo::make(name, 0).unwrap())
}

/// Every joint turned at random: limbs go through each other.
fn contorted(model: &Model, seed: u64) -> Pose {
    let mut random = Random(seed);
    let mut pose = model.rest_pose();
    for node in &mut pose.nodes {
        let turn = Quat::from_axis_angle(random.rotation() * Vec3::X, random.signed() * 2.2);
        node.rotation = (node.rotation * turn).normalize();
    }
    pose
}

#[test]
fn regions_are_the_limbs_of_the_rig() {
    let names = |animal: &str| {
        let model = supple_zoo::make(animal, 0).unwrap();
        let regions = Regions::from_rig(&model).unwrap();
        let last = regions.iter().next_back().unwrap();
        assert_eq!((last.name.as_str(), last.kind), ("trunk", RegionKind::Trunk), "{animal}");
        let limbs = regions.iter().filter(|region| region.kind == RegionKind::Limb);
        limbs.map(|region| region.name.clone()).collect::<Vec<_>>()
    };
    let biped = ["thigh_l", "thigh_r", "neck", "clavicle_l", "clavicle_r"];
    assert_eq!(names("human"), biped);
    assert_eq!(names("man"), biped);
    let creature = names("creature");
    for limb in ["tail_1", "femur_l", "femur_r", "neck_1", "scapula_l", "scapula_r", "wing_1_l", "wing_1_r"] {
        assert!(creature.iter().any(|name| name == limb), "{limb} in {creature:?}");
    }
    let hand = names("hand");
    assert_eq!(hand.len(), 6, "five fingers and the forearm: {hand:?}");
}

#[test]
fn regions_can_be_named() {
    let man = supple_zoo::make("man", 0).unwrap();
    let regions = Regions::named(&man, &[("arm", &["upper_arm_l"]), ("hand", &["hand_l"])]).unwrap();
    let names: Vec<&str> = regions.iter().map(|region| region.name.as_str()).collect();
    assert_eq!(names, ["arm", "hand", "trunk"]);
    let joint = |name: &str| {
        let node = man.skeleton().node_named(name).unwrap();
        man.skeleton().joints().iter().position(|joint| joint.node == node).unwrap() as u32
    };
    // The nearest named joint above decides.
    for (triangle, &region) in (0..).zip(regions.of_triangles()) {
        let owner = man.owning_joint(triangle).0;
        if owner == joint("forearm_l") {
            assert_eq!(region, 0);
        } else if owner == joint("hand_l") {
            assert_eq!(region, 1);
        } else if owner == joint("chest") {
            assert_eq!(region, 2);
        }
    }
    let unknown = Regions::named(&man, &[("arm", &["elbow"])]).unwrap_err();
    assert_eq!(unknown, ChainError::UnknownJoint { region: "arm".into(), joint: "elbow".into() });
    let twice = Regions::named(&man, &[("arm", &["hand_l"]), ("arm", &["hand_r"])]).unwrap_err();
    assert_eq!(twice, ChainError::SameName { region: "arm".into() });
    let stolen = Regions::named(&man, &[("a", &["hand_l"]), ("b", &["hand_l"])]).unwrap_err();
    assert_eq!(stolen, ChainError::EmptyRegion { region: "a".into() });
}

#[test]
fn models_without_limbs_are_refused() {
    let chair = supple_zoo::make("chair", 0).unwrap();
    assert_eq!(Regions::from_rig(&chair).unwrap_err(), ChainError::NoRig);
    let hinge = tube(2, 0.0);
    assert_eq!(Regions::from_rig(&hinge).unwrap_err(), ChainError::NoLimbs { joints: 2 });
    let face = supple_zoo::make("face", 0).unwrap();
    assert!(Regions::from_rig(&face).is_err());
}

/// A closed tube along +Y of some joints in a row, a metre apart; part of the way around may be missing.
fn tube(joints: usize, missing: f32) -> Model {
    const AROUND: usize = 24;
    const PER_JOINT: usize = 8;
    let rings = joints * PER_JOINT + 1;
    let mut positions = Vec::new();
    for ring in 0..rings {
        for step in 0..AROUND {
            let angle = std::f32::consts::TAU * step as f32 / AROUND as f32;
            positions.push(Vec3::new(0.2 * angle.cos(), ring as f32 / PER_JOINT as f32, 0.2 * angle.sin()));
        }
    }
    let ends = [positions.len() as u32, positions.len() as u32 + 1];
    positions.extend([Vec3::ZERO, Vec3::Y * joints as f32]);
    let mut triangles = Vec::new();
    for step in 0..AROUND as u32 {
        if (step as f32) < missing * AROUND as f32 {
            continue;
        }
        let next = (step + 1) % AROUND as u32;
        for ring in 0..rings as u32 - 1 {
            let [a, b] = [ring * AROUND as u32 + step, ring * AROUND as u32 + next];
            let [c, d] = [a + AROUND as u32, b + AROUND as u32];
            triangles.extend([[a, c, b], [b, c, d]]);
        }
        let top = (rings as u32 - 1) * AROUND as u32;
        triangles.extend([[ends[0], step, next], [ends[1], top + next, top + step]]);
    }
    let influences: Vec<Vec<(u32, f32)>> =
        positions.iter().map(|p| vec![((p.y as u32).min(joints as u32 - 1), 1.0)]).collect();
    let nodes = (0..joints)
        .map(|i| {
            let translation = if i == 0 { Vec3::ZERO } else { Vec3::Y };
            let rest = Transform { translation, ..Transform::IDENTITY };
            Node::new(format!("joint {i}"), i.checked_sub(1), rest)
        })
        .collect();
    let bound =
        |node| Joint { node, inverse_bind: DAffine3::from_translation(glam::DVec3::NEG_Y * node as f64) };
    let skeleton = Skeleton::new(nodes, (0..joints).map(bound).collect()).unwrap();
    let skin = Skin::new(joints, influences.iter().map(|own| own.as_slice())).unwrap();
    Model::new(Mesh::new(positions, triangles).unwrap(), skin, skeleton).unwrap()
}

#[test]
fn a_snake_is_one_limb_of_spheres_in_its_middle() {
    let shape = shape_of(tube(5, 0.0));
    let chains = chains_of(&shape);
    assert_eq!(chains.regions().len(), 1);
    assert!(chains.chains().is_empty());
    assert!(chains.spheres().len() >= 12, "{}", chains.spheres().len());
    for sphere in chains.spheres() {
        let Sphere { center, radius } = sphere.adjusted;
        assert!(center.x.abs() < 1e-3 && center.z.abs() < 1e-3, "{center}");
        // Between the circle through the corners of the section, and the one inside it.
        assert!((0.198..=0.2).contains(&radius), "{radius}");
        assert_eq!(sphere.hits.len(), 80);
    }
    // Neighbours overlap by the share that was asked for; the disk moves in small steps.
    for pair in chains.spheres().windows(2) {
        let distance = pair[0].adjusted.center.distance(pair[1].adjusted.center);
        let overlap = 1.0 - distance / (pair[0].adjusted.radius + pair[1].adjusted.radius);
        assert!((0.22..0.66).contains(&overlap), "{overlap}");
    }
}

#[test]
fn an_open_mesh_is_said_to_be_open() {
    let shape = shape_of(tube(5, 0.6));
    let regions = Regions::from_rig(shape.model()).unwrap();
    let error = SphereChains::build(&shape, &regions, &ChainOptions::default()).err().unwrap();
    assert!(
        matches!(&error, ChainError::RaysEscape { region, rays: 80, escaped, .. }
        if region == "joint 0" && *escaped > 20),
        "{error}"
    );
    // A sheet through the joints: whoever stands on it sees nothing.
    let pipe = tube(5, 0.0);
    let flat: Vec<Vec3> = pipe.mesh().positions().iter().map(|p| p.with_z(0.0)).collect();
    let triangles = pipe.mesh().triangles()[..24].to_vec();
    let sheet = Mesh::new(flat, [triangles, pipe.mesh().triangles()[82..400].to_vec()].concat()).unwrap();
    let model = Model::new(sheet, pipe.skin().clone(), pipe.skeleton().clone()).unwrap();
    let regions = Regions::from_rig(&model).unwrap();
    let error = SphereChains::build(&shape_of(model), &regions, &ChainOptions::default()).err().unwrap();
    assert!(matches!(error, ChainError::RaysEscape { .. }), "{error}");
    // A slit is no trouble.
    let shape = shape_of(tube(5, 0.1));
    assert!(chains_of(&shape).spheres().len() >= 12);
}

#[test]
fn bad_options_are_refused() {
    let shape = shape_of(tube(5, 0.0));
    let regions = Regions::from_rig(shape.model()).unwrap();
    let fine = ChainOptions::default();
    for options in [
        fine.with_rays(7),
        fine.with_step(0.0),
        fine.with_step(f64::NAN),
        fine.with_overlap(1.0),
        fine.with_overlap(-0.1),
        fine.with_spheres_per_level(0),
        fine.with_pivots(0),
    ] {
        let error = SphereChains::build(&shape, &regions, &options).err().unwrap();
        assert!(matches!(error, ChainError::BadOption { .. }), "{options:?}: {error}");
    }
    let others = Regions::from_rig(&tube(6, 0.0)).unwrap();
    let error = SphereChains::build(&shape, &others, &fine).err().unwrap();
    assert!(matches!(error, ChainError::OtherModel { .. }), "{error}");
}

/// What must hold of any cover.
fn assert_sound(chains: &SphereChains, shape: &Shape, name: &str) {
    let model = shape.model();
    let mut listed = vec![0; model.mesh().triangles().len()];
    for (number, sphere) in (0..).zip(chains.spheres()) {
        assert!(
            sphere.adjusted.center.is_finite() && sphere.adjusted.radius > 0.0,
            "{name}: {:?}",
            sphere.adjusted
        );
        assert!(!sphere.triangles.is_empty(), "{name}: a sphere without triangles");
        for &triangle in &sphere.triangles {
            assert_eq!(chains.sphere_of(triangle), number, "{name}");
            listed[triangle as usize] += 1;
        }
        // Adjusting cannot make it worse: where it stays is among the centers that are tried.
        let misfit = |own: &Sphere| {
            let f = |p: &Vec3| (own.radius as f64 - own.center.as_dvec3().distance(p.as_dvec3())).powi(2);
            sphere.hits.iter().map(f).sum::<f64>()
        };
        let slack = 1.0 + 1e-4;
        assert!(misfit(&sphere.adjusted) <= misfit(&sphere.unadjusted) * slack + 1e-12, "{name}");
        assert!(Misfit::new(&sphere.unadjusted, sphere.hits.clone()).worst.is_finite());
        assert!(chains.is_excluded(number, number), "{name}");
    }
    assert!(listed.iter().all(|&times| times == 1), "{name}: every triangle belongs to one sphere");
    let limbs = chains.regions().iter().filter(|region| region.kind == RegionKind::Limb).count();
    assert_eq!(chains.chains().len(), limbs * limbs.saturating_sub(1) / 2, "{name}");
    for chain in chains.chains() {
        for (limb, region) in chain.limbs.iter().zip([0, 1]) {
            let own = |s: &&u32| chains.spheres()[**s as usize].region == *limb;
            let all = chains.spheres().iter().filter(|sphere| sphere.region == *limb).count();
            assert_eq!(chain.spheres.iter().filter(own).count(), all, "{name}: limb {region}");
        }
    }
    assert_eq!(chains.misfits().len(), chains.spheres().len(), "{name}");
}

/// Spheres that enclose contain every vertex of their triangles; overlaps of them lose no pair of touching triangles; the query
/// restricted to them finds exactly the pairs of their regions.
fn assert_encloses(chains: &SphereChains, body: &mut Body, random: &mut Random, name: &str) -> usize {
    let (spheres, positions) = (chains.enclose(body).unwrap().found, body.positions());
    let triangles = body.shape().model().mesh().triangles().to_vec();
    for (sphere, posed) in chains.spheres().iter().zip(spheres.iter()) {
        for vertex in sphere.triangles.iter().flat_map(|&t| triangles[t as usize]) {
            let position = positions[vertex as usize];
            assert!(posed.contains(position), "{name} {:?}: {position} is not in {posed:?}", body.skinning());
        }
    }
    let near = chains.overlaps(&spheres, Grouping::All, Testing::Lanes).unwrap().found;
    let exact = self_collide(body).found;
    let agreement = chains.agreement(&near, &exact);
    assert_eq!(agreement.found, agreement.touching, "{name}");
    let among = |wanted: &[[u32; 2]]| {
        let class = |t: u32| chains.sphere_of(t);
        let wanted = |&&[a, b]: &&[u32; 2]| {
            let pair = [class(a).min(class(b)), class(a).max(class(b))];
            wanted.contains(&pair)
        };
        exact.iter().filter(wanted).copied().collect::<Vec<_>>()
    };
    let touching_there = chains.self_collide_between(body, &near).unwrap().found;
    assert_eq!(touching_there, among(&near), "{name}");
    assert_eq!(touching_there.len(), agreement.found, "{name}");
    // Any pairs may be asked about, also those of one sphere with itself.
    let count = chains.spheres().len();
    let some: Vec<[u32; 2]> = (0..2 * count)
        .map(|_| [random.below(count), random.below(count)])
        .map(|[a, b]| [a.min(b) as u32, a.max(b) as u32])
        .collect();
    assert_eq!(chains.self_collide_between(body, &some).unwrap().found, among(&some), "{name}");
    agreement.touching
}

#[test]
fn enclosing_spheres_lose_nothing() {
    let mut random = Random(3);
    for name in ["man", "creature", "hand"] {
        let shape = zoo(name);
        let chains = chains_of(&shape);
        assert_sound(&chains, &shape, name);
        let mut touching = 0;
        for (seed, skinning) in (0..).zip(Skinning::ALL) {
            let mut body = Body::new(&shape, skinning).unwrap();
            for pose in [pose_at(shape.model(), seed as usize, 0.7), contorted(shape.model(), seed)] {
                body.set_pose(&pose).unwrap();
                touching += assert_encloses(&chains, &mut body, &mut random, name);
            }
        }
        assert!(touching > 0, "{name} touches itself");
    }
}

#[test]
fn enclosing_spheres_of_given_vertices_lose_nothing() {
    let shape = zoo("man");
    let chains = chains_of(&shape);
    let mut random = Random(5);
    for (seed, update) in (0..).zip([VertexUpdate::BottomUp, VertexUpdate::Hybrid, VertexUpdate::Rebuild]) {
        let mut body = Body::new(&shape, Skinning::Linear).unwrap();
        let pose = contorted(shape.model(), seed);
        let vertices = shape.model().posed(&pose, Skinning::DualQuaternion).unwrap().positions();
        body.set_vertices(&vertices, update).unwrap();
        assert!(assert_encloses(&chains, &mut body, &mut random, "man") > 0);
    }
}

#[test]
fn hostile_models_are_covered_or_refused() {
    let mut covered = 0;
    for seed in 0..15 {
        for kind in RestKind::ALL {
            let model = random_model(seed, kind);
            let Ok(regions) = Regions::from_rig(&model) else { continue };
            let shape = shape_of(model);
            let Ok(chains) = SphereChains::build(&shape, &regions, &ChainOptions::default()) else {
                continue;
            };
            covered += 1;
            assert_sound(&chains, &shape, "random");
            for skinning in Skinning::ALL {
                let mut body = Body::new(&shape, skinning).unwrap();
                body.set_pose(&random_pose(shape.model(), seed, false)).unwrap();
                assert_encloses(&chains, &mut body, &mut Random(seed), "random");
            }
        }
    }
    println!("{covered} of 45 random soups were covered");
}

#[test]
fn spheres_of_real_files_are_sound() {
    let Some(folder) = assets() else { return };
    for file in [
        "khronos/CesiumMan.glb",
        "khronos/Fox.glb",
        "khronos/RiggedFigure.glb",
        "godot/mannequiny.glb",
        "quaternius/RobotExpressive.glb",
        "makehuman/makehuman_default163.glb",
        "vrm/100Avatars_013_Mint.vrm",
        "hands/aframe_leftHandHigh.glb",
    ] {
        let shape = shape_of(supple_io::load(folder.join(file)).unwrap());
        let chains = chains_of(&shape);
        assert_sound(&chains, &shape, file);
        let mut body = Body::new(&shape, Skinning::DualQuaternion).unwrap();
        body.set_pose(&pose_at(shape.model(), 0, 0.4)).unwrap();
        assert_encloses(&chains, &mut body, &mut Random(1), file);
    }
}

#[test]
fn spheres_follow_the_body() {
    let shape = zoo("human");
    let chains = chains_of(&shape);
    assert!((50..=100).contains(&chains.spheres().len()), "about 80: {}", chains.spheres().len());
    assert_eq!(chains.pivot_vertices(), chains.spheres().len() * 12);
    let mut body = Body::new(&shape, Skinning::DualQuaternion).unwrap();
    let spheres = chains.follow(&mut body).unwrap().found;
    for (sphere, posed) in chains.spheres().iter().zip(spheres.iter()) {
        // At rest up to the directions in which pivots hardly differ.
        assert!(posed.center.distance(sphere.adjusted.center) < 0.25 * sphere.adjusted.radius, "{posed:?}");
        assert!((posed.radius / sphere.adjusted.radius - 1.0).abs() < 1e-3, "{posed:?}");
    }
    // Moved as a whole, spheres move as a whole.
    let placement = Isometry::from_rotation_translation(
        Quat::from_axis_angle(Vec3::new(1.0, 2.0, 3.0).normalize(), 1.0),
        Vec3::new(3.0, -2.0, 1.0),
    );
    body.set_placement(placement).unwrap();
    let moved = chains.follow(&mut body).unwrap().found;
    for (sphere, moved) in spheres.iter().zip(moved.iter()) {
        let expected = placement.transform_point(sphere.center.as_dvec3()).as_vec3();
        assert!(moved.center.distance(expected) < 1e-5 && (moved.radius - sphere.radius).abs() < 1e-5);
    }
}

/// All pairs that overlap, by definition.
fn brute_force(spheres: &[Sphere]) -> Vec<[u32; 2]> {
    let mut pairs = Vec::new();
    for i in 0..spheres.len() {
        for j in i + 1..spheres.len() {
            if spheres[i].intersects(&spheres[j]) {
                pairs.push([i as u32, j as u32]);
            }
        }
    }
    pairs
}

#[test]
fn overlaps_equal_brute_force_however_they_are_computed() {
    let shape = zoo("man");
    let options = ChainOptions::default().with_ignore_resting(false);
    let regions = Regions::from_rig(shape.model()).unwrap();
    let mut random = Random(9);
    for chains in [chains_of(&shape), SphereChains::build(&shape, &regions, &options).unwrap()] {
        for size in [0.02, 0.2, 0.6, 3.0] {
            let spheres: Vec<Sphere> = (0..chains.spheres().len())
                .map(|_| Sphere::new(random.vec3(), random.signed().abs() * size))
                .collect();
            let mut expected = brute_force(&spheres);
            expected.retain(|&[a, b]| !chains.is_excluded(a, b));
            let in_chain = |&&[a, b]: &&[u32; 2]| {
                chains.chains().iter().any(|c| c.spheres.contains(&a) && c.spheres.contains(&b))
            };
            let in_chains: Vec<[u32; 2]> = expected.iter().filter(in_chain).copied().collect();
            let spheres = PosedSpheres::new(&spheres);
            for testing in [Testing::Scalar, Testing::Lanes] {
                let all = chains.overlaps(&spheres, Grouping::All, testing).unwrap();
                assert_eq!(all.found, expected, "{testing:?}");
                let by_chain = chains.overlaps(&spheres, Grouping::Chains, testing).unwrap();
                assert_eq!(by_chain.found, in_chains, "{testing:?}");
                assert!(by_chain.found.iter().all(|&pair| chains.chains_with(pair) > 0));
            }
        }
    }
}

#[test]
fn crowds_equal_brute_force() {
    let shape = zoo("man");
    let chains = chains_of(&shape);
    let mut body = Body::new(&shape, Skinning::Linear).unwrap();
    let spheres: Vec<PosedSpheres> = (0..5)
        .map(|i| {
            let aside = Isometry::from_translation(Vec3::X * 0.3 * i as f32);
            body.set_pose_at(&contorted(shape.model(), i), aside).unwrap();
            chains.follow(&mut body).unwrap().found
        })
        .collect();
    let members: Vec<Member> = spheres.iter().map(|spheres| Member { chains: &chains, spheres }).collect();
    let all: Vec<Sphere> = spheres.iter().flat_map(PosedSpheres::iter).collect();
    let count = chains.spheres().len() as u32;
    let mut expected: Vec<CrowdOverlap> = brute_force(&all)
        .into_iter()
        .map(|pair| CrowdOverlap { members: pair.map(|s| s / count), spheres: pair.map(|s| s % count) })
        .filter(|o| o.members[0] != o.members[1] || !chains.is_excluded(o.spheres[0], o.spheres[1]))
        .collect();
    expected.sort_unstable();
    assert!(expected.len() > 50, "{}", expected.len());
    for testing in [Testing::Scalar, Testing::Lanes] {
        assert_eq!(crowd_overlaps(&members, Grouping::All, testing).unwrap().found, expected, "{testing:?}");
        let by_chain = crowd_overlaps(&members, Grouping::Chains, testing).unwrap().found;
        assert!(by_chain.iter().all(|overlap| expected.binary_search(overlap).is_ok()));
    }
    assert!(crowd_overlaps(&[], Grouping::All, Testing::Lanes).unwrap().found.is_empty());
}

#[test]
fn wrong_questions_are_refused() {
    let shape = shape_of(tube(5, 0.0));
    let chains = chains_of(&shape);
    let count = chains.spheres().len();
    // The same model, but not the shape whose triangles the spheres know.
    let mut other = Body::new(&shape_of(tube(5, 0.0)), Skinning::Linear).unwrap();
    assert_eq!(chains.follow(&mut other).unwrap_err(), ChainError::OtherShape);
    assert_eq!(chains.enclose(&mut other).unwrap_err(), ChainError::OtherShape);
    assert_eq!(chains.self_collide_between(&mut other, &[]).unwrap_err(), ChainError::OtherShape);
    let mut body = Body::new(&shape, Skinning::Linear).unwrap();
    let unknown = ChainError::UnknownSphere { sphere: count as u32, count };
    assert_eq!(chains.self_collide_between(&mut body, &[[0, 1], [0, count as u32]]).unwrap_err(), unknown);
    let spheres = PosedSpheres::default();
    let wrong = ChainError::WrongSpheres { given: 0, expected: count };
    for testing in [Testing::Scalar, Testing::Lanes] {
        for grouping in [Grouping::All, Grouping::Chains] {
            assert_eq!(chains.overlaps(&spheres, grouping, testing).unwrap_err(), wrong);
            let member = Member { chains: &chains, spheres: &spheres };
            assert_eq!(crowd_overlaps(&[member], grouping, testing).unwrap_err(), wrong);
        }
    }
}
