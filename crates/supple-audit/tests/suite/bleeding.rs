//! Weights that are made to bleed are found, exactly these; good models have none.

use supple::{Mesh, Model, Skin};
use supple_audit::{Bleeding, Bones, bleeding, bleeding_between, bleeding_map};

/// A model whose weights can be changed.
struct Draft {
    model: Model,
    bones: Bones,
    lists: Vec<Vec<(u32, f32)>>,
}

impl Draft {
    fn new(animal: &str) -> Self {
        let model = supple_zoo::make(animal, 0).unwrap();
        let list =
            |vertex| model.skin().influences(vertex).map(|(joint, weight)| (joint.0, weight)).collect();
        let lists = (0..model.mesh().positions().len() as u32).map(list).collect();
        Self { bones: Bones::new(&model), model, lists }
    }

    fn bone(&self, name: &str) -> u32 {
        self.bones.named(name).unwrap().pop_first().unwrap()
    }

    fn joint(&self, bone: u32) -> u32 {
        self.bones.of_joints().iter().position(|&other| other == bone).unwrap() as u32
    }

    /// Some vertices that follow a bone with most of their weight.
    fn of(&self, name: &str, count: usize) -> Vec<u32> {
        let joint = self.joint(self.bone(name));
        let follows = |list: &Vec<(u32, f32)>| list.iter().any(|&(j, weight)| j == joint && weight > 0.5);
        let own: Vec<u32> =
            (0u32..).zip(&self.lists).filter(|(_, list)| follows(list)).map(|(vertex, _)| vertex).collect();
        assert!(own.len() >= count, "{name} has {} vertices", own.len());
        own[own.len() - count..].to_vec()
    }

    /// Gives a share of some vertices to a bone.
    fn bleed(&mut self, vertices: &[u32], name: &str, share: f32) {
        let joint = self.joint(self.bone(name));
        for &vertex in vertices {
            let list = &mut self.lists[vertex as usize];
            list.iter_mut().for_each(|(_, weight)| *weight *= 1.0 - share);
            list.push((joint, share));
        }
    }

    fn model(&self) -> Model {
        let skin = Skin::new(self.model.skin().joint_count(), self.lists.iter().map(Vec::as_slice)).unwrap();
        Model::new(self.model.mesh().clone(), skin, self.model.skeleton().clone()).unwrap()
    }
}

fn vertices(found: &[Bleeding]) -> Vec<u32> {
    let mut vertices: Vec<u32> = found.iter().map(|bleeding| bleeding.vertex).collect();
    vertices.sort_unstable();
    vertices
}

#[test]
fn clean_animals_do_not_bleed() {
    for animal in supple_zoo::kinds().iter().filter(|kind| kind.joints > 1).map(|kind| kind.name) {
        let model = supple_zoo::make(animal, 0).unwrap();
        assert_eq!(bleeding(&model, &Bones::new(&model)), [], "{animal}");
    }
}

#[test]
fn a_hand_that_follows_a_thigh_is_found_whatever_its_weight() {
    for share in [0.03, 0.2, 0.49, 0.6, 1.0] {
        let mut man = Draft::new("man");
        let hand = man.of("hand_l", 7);
        man.bleed(&hand, "thigh_l", share);
        let found = bleeding(&man.model(), &man.bones);
        assert_eq!(vertices(&found), hand, "{share}");
        let [owner, wrong] = ["hand_l", "thigh_l"].map(|name| man.bone(name));
        for b in &found {
            assert_eq!((b.owner, b.bone), (owner, wrong), "{share}: {b:?}");
            assert!((b.weight - share).abs() < 1e-6, "{share}: {b:?}");
        }
    }
}

#[test]
fn below_a_fiftieth_nothing_counts() {
    let mut man = Draft::new("man");
    let hand = man.of("hand_l", 7);
    man.bleed(&hand, "thigh_l", 0.019);
    assert_eq!(bleeding(&man.model(), &man.bones), []);
}

#[test]
fn several_places_are_sorted_by_weight_and_asked_for_by_sides() {
    let mut human = Draft::new("human");
    let (tip, foot) = (human.of("index_3_l", 3), human.of("foot_r", 4));
    human.bleed(&tip, "middle_3_l", 0.3);
    human.bleed(&foot, "hand_r", 0.1);
    human.bleed(&foot[..1], "head", 0.5);
    let (model, bones) = (human.model(), &human.bones);
    let found = bleeding(&model, bones);
    let mut expected = [tip.clone(), foot.clone(), foot[..1].to_vec()].concat();
    expected.sort_unstable();
    assert_eq!(vertices(&found), expected);
    assert!(found.windows(2).all(|two| two[0].weight >= two[1].weight));
    assert_eq!((found[0].vertex, found[0].bone), (foot[0], human.bone("head")));
    let sides = |a: &str, b: &str| bleeding_between(&model, bones, [&[human.bone(a)], &[human.bone(b)]]);
    assert_eq!(vertices(&sides("index_3_l", "middle_3_l")), tip);
    assert_eq!(sides("index_3_l", "middle_3_l"), sides("middle_3_l", "index_3_l"));
    assert_eq!(vertices(&sides("hand_r", "foot_r")), foot);
    assert_eq!(sides("hand_l", "foot_r"), []);
    let map = bleeding_map(&model, &found);
    assert_eq!(map.iter().filter(|&&weight| weight > 0.0).count(), tip.len() + foot.len());
    // 0.1 halved by the head's half, and that half.
    assert!((map[foot[0] as usize] - 0.55).abs() < 1e-6 && (map[foot[1] as usize] - 0.1).abs() < 1e-6);
}

/// A wider transition is no bleeding, however far it goes.
#[test]
fn a_broad_transition_is_none() {
    let mut man = Draft::new("man");
    let legs: Vec<u32> = ["shin_l", "foot_l"].into_iter().flat_map(|bone| man.of(bone, 40)).collect();
    let all: Vec<u32> = (0..man.lists.len() as u32).collect();
    man.bleed(&all, "chest", 0.05);
    assert!(!legs.is_empty());
    assert_eq!(bleeding(&man.model(), &man.bones), []);
}

/// A glove is a piece of its own: it belongs to the hand, and bleeds like it.
#[test]
fn pieces_of_their_own_are_part_of_the_limb_that_they_are_on() {
    let man = Draft::new("man");
    let hand = man.of("hand_l", 120);
    let mesh = man.model.mesh();
    let (mut positions, mut triangles) = (mesh.positions().to_vec(), mesh.triangles().to_vec());
    let (mut lists, mut glove) = (man.lists.clone(), Vec::new());
    for corners in mesh.triangles().iter().filter(|corners| corners.iter().all(|v| hand.contains(v))) {
        let first = positions.len() as u32;
        for &vertex in corners {
            glove.push(positions.len() as u32);
            positions.push(positions[vertex as usize] * 1.001);
            lists.push(lists[vertex as usize].clone());
        }
        triangles.push([first, first + 1, first + 2]);
    }
    assert!(glove.len() > 30);
    let make = |lists: &[Vec<(u32, f32)>]| {
        let mesh = Mesh::new(positions.clone(), triangles.clone()).unwrap();
        let skin = Skin::new(man.model.skin().joint_count(), lists.iter().map(Vec::as_slice)).unwrap();
        Model::new(mesh, skin, man.model.skeleton().clone()).unwrap()
    };
    assert_eq!(bleeding(&make(&lists), &man.bones), []);
    let thigh = man.joint(man.bone("thigh_l"));
    for &vertex in &glove {
        lists[vertex as usize].push((thigh, 0.25));
    }
    assert_eq!(vertices(&bleeding(&make(&lists), &man.bones)), glove);
    // All of it follows the arm a little: that is what gloves do.
    for &vertex in &glove {
        lists[vertex as usize] =
            vec![(man.joint(man.bone("hand_l")), 0.7), (man.joint(man.bone("upper_arm_l")), 0.3)];
    }
    assert_eq!(bleeding(&make(&lists), &man.bones), []);
}

#[cfg(feature = "serde")]
#[test]
fn what_bleeds_reads_back_as_it_was_written() {
    let mut man = Draft::new("man");
    let hand = man.of("hand_l", 2);
    man.bleed(&hand, "thigh_l", 0.25);
    let found = bleeding(&man.model(), &man.bones);
    let json = serde_json::to_string(&found).unwrap();
    assert_eq!(serde_json::from_str::<Vec<Bleeding>>(&json).unwrap(), found);
}
